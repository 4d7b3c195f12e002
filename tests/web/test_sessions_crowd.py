"""Many people at once."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test import Client

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


@pytest.mark.django_db(transaction=True)
def test_start_pressed_ten_times_at_once_makes_one_participant():
    study = opened(assistants=("expert", "bad"), quota=20)
    page = Client().get(f"/s/{study.slug}/").content.decode()
    found = re.search(r'name="visit" value="([^"]+)"', page)
    assert found is not None
    start = threading.Barrier(10)

    def press(_):
        start.wait()
        try:
            return Client().post(f"/s/{study.slug}/", {"visit": found[1]}).headers["Location"]
        finally:
            connection.close()

    with ThreadPoolExecutor(10) as pool:
        led = set(pool.map(press, range(10)))
    token = Participant.objects.get().token
    assert led == {f"/p/{token}/"}
    assert found[1] not in token


@pytest.mark.django_db(transaction=True)
def test_two_visits_from_one_browser_are_two_participants_as_on_a_shared_computer():
    study = opened(assistants=("expert", "bad"), quota=20)
    browser = Client()
    for _ in range(2):
        found = re.search(r'name="visit" value="([^"]+)"', browser.get(f"/s/{study.slug}/").content.decode())
        assert found is not None
        browser.post(f"/s/{study.slug}/", {"visit": found[1]})
    assert Participant.objects.count() == 2
