"""The questionnaire and what comes after it: what is missing, kept, checked, and the code at the end."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test import Client

from questionnaire.models import Answer, Rating, Sheet
from questionnaire.selectors import ratings_of
from questionnaire.services import judgement_save
from sessions.models import Episode
from siturec.protocol.vocabulary import DIMENSIONS
from tests.web.link_walks import FULL, end_visit, open_study, walk, where


@pytest.mark.django_db(transaction=True)
def test_five_sendings_at_once_store_one_sheet_and_all_succeed(client):
    open_study()
    base = walk(client, "store")
    end_visit()

    def send(_):
        try:
            return Client().post(f"{base}questionnaire/1/", FULL | {"client_id": "c"})
        finally:
            connection.close()

    with ThreadPoolExecutor(5) as pool:
        answers = list(pool.map(send, range(5)))
    assert {(answer.status_code, answer.headers["Location"]) for answer in answers} == {(302, base)}
    assert Sheet.objects.count() == 1
    assert Answer.objects.count() == Rating.objects.count() == 7
    assert where(client, base) == "store/2/"


@pytest.mark.django_db
def test_what_is_missing_is_named_and_what_was_given_is_kept(client):
    open_study()
    base = walk(client, "store")
    episode = end_visit()
    given = {key: value for key, value in FULL.items() if key != "groundedness"}
    page = client.post(f"{base}questionnaire/1/", given).content.decode()
    assert "1 answer is still missing" in page
    assert 'href="#item-groundedness"' in page
    again = client.get(f"{base}questionnaire/1/").content.decode()
    assert len(re.findall(r"value=\"4\" checked", again)) == 6
    assert Rating.objects.count() == 0
    assert Episode.objects.get(pk=episode.pk).rated_at is None


@pytest.mark.django_db
def test_where_the_study_allows_it_an_item_left_out_is_missing_not_a_score(client):
    open_study(missing_allowed=True)
    base = walk(client, "store")
    episode = end_visit()
    client.post(f"{base}questionnaire/1/", FULL | {"groundedness": ""})
    assert ratings_of(episode, "human") == dict.fromkeys(DIMENSIONS, 4) | {"groundedness": None}


@pytest.mark.django_db
def test_a_half_filled_sheet_is_kept_on_the_server_but_not_for_another_visit(client):
    open_study()
    base = walk(client, "store")
    end_visit()
    assert client.post(f"{base}questionnaire/1/draft/", {"naturalness": "2", "foreign": "1"}).json() == {
        "kept": True
    }
    assert client.post(f"{base}questionnaire/2/draft/", {"naturalness": "5"}).status_code == 409
    assert Sheet.objects.get().draft == {"naturalness": "2"}
    assert 'value="2" checked' in client.get(f"{base}questionnaire/1/").content.decode()


@pytest.mark.django_db
def test_a_missed_attention_check_ends_it_with_its_own_code_over_any_reload(client):
    open_study(attention_checks=[{"after_episode": 1, "text": "Please choose 2 here.", "expected": 2}])
    base = walk(client, "store")
    end_visit()
    assert "Please choose 2 here." in client.get(f"{base}questionnaire/1/").content.decode()
    client.post(f"{base}questionnaire/1/", FULL | {"check-1": "5"})
    for _ in range(2):
        assert where(client, base) == "done/"
        page = client.get(f"{base}done/").content.decode()
        assert "OUT" in page
        assert "DONE" not in page
    assert Rating.objects.filter(dimension="check-1").count() == 0


@pytest.mark.django_db
def test_the_code_comes_only_after_every_required_answer_is_stored(client):
    open_study()
    base = walk(client, "store")
    for number in (1, 2):
        end_visit(number)
        assert client.get(f"{base}done/").status_code == 302
        client.post(f"{base}questionnaire/{number}/", FULL)
    assert where(client, base) == "done/"
    page = client.get(f"{base}done/").content.decode()
    assert "DONE" in page
    assert "https://x.test/?cc=DONE" in page
    assert Rating.objects.filter(rater_kind="human").count() == 14


@pytest.mark.django_db
def test_a_judge_is_stored_beside_people_and_judging_again_replaces_it(client):
    open_study()
    walk(client, "store")
    episode = end_visit()
    judgement_save(episode=episode, judge="rules", scores=dict.fromkeys(DIMENSIONS, 3), raw="first")
    judgement_save(
        episode=episode, judge="rules", scores=dict.fromkeys(DIMENSIONS, 2) | {"naturalness": None}
    )
    assert ratings_of(episode, "judge") == dict.fromkeys(DIMENSIONS, 2) | {"naturalness": None}
    assert ratings_of(episode, "human") is None


@pytest.mark.django_db
def test_the_sheet_speaks_german_and_remembers_that_it_did(client):
    open_study()
    base = walk(client, "store")
    end_visit()
    page = client.get(f"{base}questionnaire/1/", headers={"accept-language": "de"}).content.decode()
    assert "Wie war Assistent" in page
    assert "Gar nicht" in page
    client.post(f"{base}questionnaire/1/", FULL, headers={"accept-language": "de"})
    assert Sheet.objects.get().language == "de"
