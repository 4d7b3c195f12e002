"""Many people at once."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from sessions.models import Participant
from tests.web.samples_studies import opened, seated


@pytest.mark.django_db(transaction=True)
def test_a_hundred_joins_at_once_get_a_hundred_distinct_seats():
    study = opened(assistants=("expert", "bad"), quota=100)
    start = threading.Barrier(20)

    def join(number):
        if number < 20:
            start.wait()
        try:
            return seated(study, external_id=f"p{number}").seats.get().number
        finally:
            connection.close()

    with ThreadPoolExecutor(20) as pool:
        numbers = list(pool.map(join, range(100)))
    assert sorted(numbers) == list(range(1, 101))
    codes = set(Participant.objects.values_list("code", flat=True))
    assert codes == {f"P{number:03d}" for number in range(1, 101)}
