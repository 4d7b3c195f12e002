"""What else stands beside every result: versions kept apart, who judged, and reply times."""

import csv
import io
import re

import pytest
from django.core.management import call_command

from play.judging import judge_episode
from questionnaire.services import judgement_save
from sessions.models import Episode
from sessions.selectors.conduct import study_conduct, told_apart
from siturec.protocol.vocabulary import DIMENSIONS
from tests.core.episode_maker import episode, person, turn
from tests.web.conduct_samples import HOME, reported, results_of, text_of, two_and_two
from tests.web.recorded_study import record_into

pytestmark = pytest.mark.django_db

OLD, NEW = "openai/m#1 assistant@1:a", "openai/m#1 assistant@2:b"


@pytest.fixture
def study():
    return two_and_two()


@pytest.fixture
def client(admin_client):
    return admin_client


def test_two_versions_of_an_assistant_are_rows_of_their_own_and_together_only_when_asked(study, client):
    mine = Episode.objects.filter(assistant="expert")
    mine.filter(public_id__endswith="-1").update(versions={"assistant": OLD})
    mine.filter(public_id__endswith="-2").update(versions={"assistant": NEW})
    Episode.objects.filter(public_id="simulated-expert-1").update(versions={"assistant": NEW})
    apart, together = results_of(study), results_of(study, versions="together")
    assert {slug: row["n"] for slug, row in apart["people"]["assistants"].items()} == {
        "expert": 1,
        "expert, version 2": 1,
        "plain": 2,
    }
    assert {slug: row["n"] for slug, row in together["people"]["assistants"].items()} == {
        "expert": 2,
        "plain": 2,
    }
    page = client.get(f"{HOME}/results/").content.decode()
    assert "Versions kept apart" in page
    assert OLD in page
    assert "Count all versions together" in page
    assert (
        "counted together, as asked for" in client.get(f"{HOME}/results/?versions=together").content.decode()
    )


def test_a_number_of_one_version_leads_to_its_own_episodes(study, client):
    for number, version in ((1, OLD), (2, NEW)):
        Episode.objects.filter(public_id=f"human-expert-{number}").update(versions={"assistant": version})
    Episode.objects.filter(public_id="simulated-expert-1").update(versions={"assistant": NEW})
    behind = {
        label: set(
            re.findall(
                r"(?:human|simulated)-\w+-\d",
                client.get(
                    f"{HOME}/results/episodes/", {"assistant": label, "users": "people"}
                ).content.decode(),
            )
        )
        for label in ("expert", "expert, version 2")
    }
    assert behind == {"expert": {"human-expert-2"}, "expert, version 2": {"human-expert-1"}}


def test_a_bundle_of_several_versions_verifies(study, tmp_path):
    for number, version in ((1, OLD), (2, NEW)):
        Episode.objects.filter(public_id__endswith=f"-{number}").update(versions={"assistant": version})
    out = io.StringIO()
    call_command("export", "market", "--out", str(tmp_path / "b"), "--bundle", stdout=io.StringIO())
    call_command("verify", str(tmp_path / "b"), stdout=out)
    assert "equal" in out.getvalue()


def test_scores_of_the_rule_based_judge_are_marked_wherever_they_stand(study, client, tmp_path):
    for row in Episode.objects.all():
        judgement_save(episode=row, judge="rules", scores=dict.fromkeys(DIMENSIONS, 3))
    mark = "rules (rule-based, no language model)"
    for page in ("results", "agreement"):
        assert mark in client.get(f"{HOME}/{page}/").content.decode()
    table = client.get(f"{HOME}/results/").content.decode()
    assert mark in table.partition("Dialogue quality, simulated users")[2].partition("</figure>")[0]
    assert mark in reported(tmp_path / "r")
    for name in ("dialogue-quality", "questionnaire-and-judge", "scatter-naturalness"):
        for form in ("svg", "json"):
            assert mark in client.get(f"{HOME}/figures/{name}.{form}").content.decode()
    assert mark not in client.get(f"{HOME}/figures/scatter-sr.svg").content.decode()
    assert mark in client.get(f"{HOME}/tables/dialogue-simulated.tex").content.decode()
    rows = list(csv.DictReader(io.StringIO(client.get(f"{HOME}/tables/agreement.csv").content.decode())))
    assert {row["Judge"] for row in rows} == {f"Judge: {mark}."}
    assert b"Judge" not in client.get(f"{HOME}/tables/task-people.csv").content
    scores = client.get("/api/studies/market/scores/").json()["results"]
    assert {row["judged_by"] for row in scores} == {mark}
    (judge,) = client.get("/api/studies/market/agreement/").json()["judges"]
    assert judge["kind"] == "rule-based, no language model"
    call_command("export", "market", "--out", str(tmp_path / "e"), stdout=io.StringIO())
    assert {row["judge"] for row in csv.DictReader((tmp_path / "e" / "wide.csv").open())} == {mark}
    long = csv.DictReader((tmp_path / "e" / "long.csv").open())
    assert {(row["source"] == "judge", row["judge"]) for row in long} == {(True, mark), (False, "")}
    replay = client.get("/research/episodes/human-expert-1/").content.decode()
    assert "rule-based, no language model" in replay


def test_of_two_judges_the_last_counts_alone_and_their_episodes_are_kept_apart(study):
    one, other = Episode.objects.filter(public_id__startswith="simulated-expert").order_by("pk")
    full = dict.fromkeys(DIMENSIONS, 5)
    judgement_save(episode=one, judge="rules", scores=full, version="rules scripted@1")
    judgement_save(episode=other, judge="rules", scores=full, version="rules scripted@1")
    judgement_save(
        episode=other, judge="m", scores=full | {"naturalness": None}, version="m openai/m#1 judge@1:a"
    )
    found = results_of(study)
    rows = found["simulated"]["assistants"]
    values = sorted((row["n"], row["naturalness"] or 0) for slug, row in rows.items() if "expert" in slug)
    assert values == [(1, 0), (1, 5.0)]
    assert {row["judge"]: row["kind"] for row in found["judges"]} == {
        "m": "language model",
        "rules": "rule-based, no language model",
    }


@pytest.mark.django_db(transaction=True)
async def test_every_score_of_a_judgement_leads_to_the_words_and_turns_it_was_read_from():
    from asgiref.sync import sync_to_async

    from analysis.replay.document import replay_document
    from tests.web.samples_studies import opened, rate_all, shopping

    def played():
        person_ = shopping(opened(assistants=("expert",)))
        rate_all(person_)
        found = person_.episodes.first()
        for number in range(2):
            made = turn(number, utterance=f"The cooler is ahead of you, number {number}.")
            found.turns.create(
                index=number,
                observation={"pose": made["observation"], "visible": []},
                assistant=made["assistant"],
                user=made["user"] | {"tool_call": {"tool": "idle", "args": {}, "resolved": None}},
                moderator=made["moderator"],
            )
        return found.pk

    episode_id = await sync_to_async(played)()
    assert await judge_episode(episode_id, judge="rules")
    row = await Episode.objects.aget(pk=episode_id)
    (given,) = (await sync_to_async(replay_document)(row))["judgements"]
    scored = [name for name, score in given["scores"].items() if score is not None]
    assert scored
    assert all(given["evidence"][name].startswith("rule-based: ") for name in scored)
    assert any("T0" in given["evidence"][name] for name in scored)
    assert row.versions["judge"].startswith("rules ")


def timed(study, **seconds):
    """Give every turn of these assistants with people its time."""
    for slug, taken in seconds.items():
        rows = [t for e in study.episodes.filter(assistant=slug, user_kind="human") for t in e.turns.all()]
        for at, row in enumerate(rows):
            row.timings = {"assistant": taken[at % len(taken)]}
            row.save()


def test_an_assistant_slower_than_the_shortest_reply_time_is_named_on_results_and_in_the_report(
    study, client, tmp_path
):
    record_into(study, [episode([turn(), turn(1)], episode_id=f"more-{slug}", assistant=slug, user=person(3))
                        for slug in ("expert", "plain")])  # fmt: skip
    timed(study, expert=[0.02, 0.05], plain=[0.9, 4.0])
    said = "Assistants can be told apart by how long they take."
    rows = {row["assistant"]: row for row in results_of(study)["conduct"]["people"]["rows"]}
    assert (rows["plain"]["late_share"], rows["expert"]["late_share"]) == (0.5, 0.0)
    page = text_of(client.get(f"{HOME}/results/").content.decode())
    assert f"{said} Replies later than the shortest reply time of 1 s: plain 50 %. plain gives" in page
    assert said in reported(tmp_path)


def test_replies_hidden_by_the_shortest_reply_time_tell_nobody_apart(study):
    timed(study, expert=[0.02], plain=[0.9])
    assert study_conduct(study, study.episodes.filter(user_kind="human"))["told_apart"] == ""


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [((1.2, 1.4), (1.2, 1.6), False), ((3.0, 5.0), (3.1, 5.2), False), ((0.1, 0.2), (1.0, 2.0), True)],
)
def test_only_times_that_can_be_noticed_tell_letters_apart(one, other, apart):
    rows = [
        {"assistant": name, "timed": 9, "median_s": median, "p95_s": p95, "late": 5, "late_share": 0.5}
        for name, (median, p95) in (("a", one), ("b", other))
    ]
    assert bool(told_apart(rows, mask_s=1.0)) is apart
