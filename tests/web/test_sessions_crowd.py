"""Many people at once."""

import re

import pytest
from django.test import Client

from sessions.models import Participant
from tests.web.crowds import all_at_once, seats_of_a_hundred
from tests.web.samples_studies import opened


@pytest.mark.django_db(transaction=True)
def test_a_hundred_joins_at_once_get_a_hundred_distinct_seats():
    study = opened(assistants=("expert", "bad"), quota=100)
    numbers = seats_of_a_hundred(study)
    assert sorted(numbers) == list(range(1, 101))
    codes = set(Participant.objects.values_list("code", flat=True))
    assert codes == {f"P{number:03d}" for number in range(1, 101)}


@pytest.mark.django_db(transaction=True)
def test_start_pressed_ten_times_at_once_makes_one_participant():
    study = opened(assistants=("expert", "bad"), quota=20)
    page = Client().get(f"/s/{study.slug}/").content.decode()
    found = re.search(r'name="visit" value="([^"]+)"', page)
    assert found is not None

    def press(_):
        return Client().post(f"/s/{study.slug}/", {"visit": found[1]}).headers["Location"]

    led = set(all_at_once(press, times=10, threads=10))
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
