"""The record in the admin: to look at, not to change."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from sessions.models import Episode, Study
from tests.core.episode_maker import human_cohort
from tests.web.recorded_study import make_study, record_into

pytestmark = pytest.mark.django_db
PAGES = ("study", "participant", "seat", "episode", "run", "event", "auditlog", "invitation")


@pytest.fixture
def client() -> Client:
    made = Client()
    made.force_login(User.objects.create_superuser("root", password="a long password"))
    return made


@pytest.mark.parametrize("name", PAGES)
def test_every_list_of_the_record_opens(client, name):
    record_into(make_study(), [next(iter(human_cohort()))])
    assert client.get(reverse(f"admin:study_sessions_{name}_changelist")).status_code == 200


def test_an_episode_shows_its_turns_and_offers_no_change(client):
    record_into(make_study(), [next(iter(human_cohort()))])
    episode = Episode.objects.get()
    page = reverse("admin:study_sessions_episode_change", args=[episode.pk])
    shown = client.get(page).content.decode()
    assert episode.turns.first().assistant["utterance"][:20] in shown
    assert client.post(page, {"assistant": "other"}).status_code == 403
    episode.refresh_from_db()
    assert episode.assistant != "other"


def test_a_studys_team_is_set_in_the_admin_and_its_design_is_not(client):
    study = make_study()
    page = reverse("admin:study_sessions_study_change", args=[study.pk])
    assert client.get(page).status_code == 200
    user = User.objects.create_user("rosa", password="a long password")
    form = {
        "members-TOTAL_FORMS": 1,
        "members-INITIAL_FORMS": 0,
        "members-0-user": user.pk,
        "members-0-role": "researcher",
        "versions-TOTAL_FORMS": 0,
        "versions-INITIAL_FORMS": 0,
        "title": "Another title",
    }
    assert client.post(page, form).status_code == 302
    assert study.members.get().user == user
    assert Study.objects.get(pk=study.pk).title == study.title
