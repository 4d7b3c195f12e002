"""The API: who may read what, in what shape, and that its schema is sound."""

import io

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import transaction
from rest_framework.authtoken.models import Token
from rest_framework.test import APIClient

from sessions.models import StudyMember
from tests.web.recorded_study import make_study, recorded_study

ROOT = "/api/studies/market"


@pytest.fixture(scope="module")
def once(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock(), transaction.atomic():
        yield recorded_study(profiles=1)
        transaction.set_rollback(True)


@pytest.fixture
def client(once, db):
    user = get_user_model().objects.create_user("reader", password="x")
    StudyMember.objects.create(study=once, user=user, role="monitor")
    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Token {Token.objects.create(user=user).key}")
    return api


def test_without_a_token_nothing_is_told(once, db):
    for place in ("", "participants/", "episodes/", "scores/", "agreement/"):
        assert APIClient().get(f"{ROOT}/{place}").status_code == 403


def test_a_token_is_given_for_name_and_password(client):
    given = APIClient().post("/api/token/", {"username": "reader", "password": "x"})
    assert given.json()["token"] == Token.objects.get(user__username="reader").key


def test_only_studies_with_a_role_exist(client):
    make_study("secret")
    assert [row["slug"] for row in client.get("/api/studies/").json()["results"]] == ["market"]
    for place in ("", "participants/", "episodes/", "scores/", "results/", "agreement/"):
        assert client.get(f"/api/studies/secret/{place}").status_code == 404


def test_an_episode_of_another_study_is_not_found_below_this_one(client):
    other = recorded_study("elsewhere", profiles=1)
    public_id = other.episodes.first().public_id
    assert client.get(f"{ROOT}/episodes/{public_id}/").status_code == 404
    assert client.get(f"{ROOT}/episodes/{public_id}/turns/").status_code == 404


def test_people_are_told_of_under_their_code_only(client, once):
    row = client.get(f"{ROOT}/participants/").json()["results"][0]
    assert (row["code"], row["episodes"]) == ("P001", 10)
    body = client.get(f"{ROOT}/participants/").content + client.get(f"{ROOT}/episodes/").content
    for token in once.participants.values_list("token", flat=True):
        assert token.encode() not in body
    assert not {"token", "external_id", "id"} & set(row)


def test_lists_are_filtered_and_paged(client):
    found = client.get(f"{ROOT}/episodes/?user_kind=human&assistant=expert&page_size=4").json()
    assert (found["count"], len(found["results"])) == (10, 4)
    assert {row["assistant"] for row in found["results"]} == {"expert"}
    assert client.get(found["next"]).json()["results"][0]["id"] != found["results"][0]["id"]
    assert client.get(f"{ROOT}/episodes/?started_at__gte=2027-01-01T00:00:00Z").json()["count"] == 0


def test_turns_come_in_order_in_the_trajectorys_form(client, once):
    public_id = once.episodes.first().public_id
    turns = client.get(f"{ROOT}/episodes/{public_id}/turns/").json()["results"]
    assert [turn["turn"] for turn in turns] == list(range(len(turns)))
    assert {"utterance", "action", "ranking", "expected_user_action"} <= set(turns[0]["assistant"])


def test_scores_hold_metrics_and_both_raters(client):
    row = client.get(f"{ROOT}/scores/?user_kind=human").json()["results"][0]
    assert row["metrics"]["SR"] in (0.0, 100.0)
    assert 1 <= row["questionnaire"]["naturalness"] <= 5
    assert row["version"] == "1"


def test_results_and_agreement_are_those_of_the_pages(client):
    found = client.get(f"{ROOT}/results/").json()
    assert found["people"]["assistants"]["expert"]["n"] == 10
    agreement = client.get(f"{ROOT}/agreement/").json()
    assert agreement["metrics"]["overall_satisfaction"]["n"] == 5
    assert client.get(f"{ROOT}/agreement/?since=soon").status_code == 400


def test_results_name_the_judge_and_say_that_it_counts_by_rules(client):
    (judge,) = client.get(f"{ROOT}/results/").json()["judges"]
    assert (judge["judge"], judge["kind"]) == ("rules", "rule-based, no language model")


def test_nothing_can_be_written(client):
    for method in (client.post, client.put, client.patch, client.delete):
        assert method(f"{ROOT}/episodes/").status_code == 405


def test_the_schema_validates_without_a_warning():
    out = io.StringIO()
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=out)
    assert "/api/studies/{study}/agreement/" in out.getvalue()
