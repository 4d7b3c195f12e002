"""What tests of the site share."""

import pytest
from django.db import transaction

from play import live
from play.worlds import world_source
from tests.web.plainworld import plain_source
from tests.web.recorded_study import recorded_study
from tests.web.shelf import shelve


@pytest.fixture(scope="module")
def supermarket_once(django_db_setup, django_db_blocker):
    """The shipped supermarket, there for a module's tests and gone after them.

    Not for modules with tests that commit (``transaction=True``).
    """
    with django_db_blocker.unblock(), transaction.atomic():
        shelve("supermarket")
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def recorded_once(django_db_setup, django_db_blocker):
    """A study with the recorded episodes, there for a module's tests and gone after them; as above."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield recorded_study()
        transaction.set_rollback(True)


@pytest.fixture
def no_pauses(monkeypatch):
    """A world that fails is tried again at once, and whoever finds nothing to play soon looks again."""
    monkeypatch.setattr("play.runner.PAUSE_S", 0.0)
    monkeypatch.setattr("play.simulating.LOOK_AGAIN_S", 0.02)


@pytest.fixture
def plain_store(monkeypatch):
    """Whoever comes to a store page walks in a plain world."""

    def source(scene, setting, *, on_waiting=None):
        return plain_source(setting.pack, setting.knowledge)

    assert callable(world_source)
    monkeypatch.setattr(live, "world_source", source)
