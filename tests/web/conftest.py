"""What tests of the site share."""

import pytest
from django.db import transaction

from catalog.services import scene_freeze


@pytest.fixture(scope="module")
def supermarket_once(django_db_setup, django_db_blocker):
    """The shipped supermarket, imported once for a module's tests and gone after them.

    Not for modules with tests that commit (``transaction=True``).
    """
    with django_db_blocker.unblock(), transaction.atomic():
        scene_freeze("supermarket")
        yield
        transaction.set_rollback(True)
