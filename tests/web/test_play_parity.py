"""People and simulated users get the same: one task, assistant and seed, the same moves, the same record."""

import pytest
from asgiref.sync import sync_to_async

from play.judging import rated_record
from play.plan import Wanted, run_store, spec_of
from play.simulating import Playing, Reporter, play_run
from sessions.models import Episode
from sessions.services.episodes import episode_goal_read
from siturec.protocol.study import Limits, TaskChoice
from siturec.trajectory import check_record
from tests.web.samples_studies import opened, shopping
from tests.web.tabs import Browser, ended

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.store,
    pytest.mark.usefixtures("no_pauses"),
]
SCENE, TURNS = "pharmacy_corner", 5


@sync_to_async
def prepare():
    """One planned simulated episode, and a person before the same task, assistant and seed."""
    study = opened(
        scene=SCENE, assistants=("expert",), tasks=TaskChoice(sample=1, per_participant=1), quota=1
    )
    person = shopping(study)
    human = person.episodes.get()
    wanted = Wanted(
        scenes=(SCENE,),
        tasks=human.task_id,
        assistants=("expert",),
        judge="",
        limits=Limits(turns=TURNS),
    )
    run = run_store("parity", spec_of(wanted))
    Episode.objects.filter(pk=human.pk).update(
        seed=run.episodes.get().seed, limits=Limits(turns=TURNS).model_dump(mode="json")
    )
    episode_goal_read(episode=human)
    return run, person


@sync_to_async
def record_of(**which):
    episode = Episode.objects.select_related("participant").get(**which)
    return check_record(rated_record(episode))


async def test_a_person_who_makes_the_same_moves_leaves_the_same_record(monkeypatch):
    monkeypatch.setattr("simulator_bridge.blueprint.LONGEST_WALK_S", 0.3)
    run, person = await prepare()
    await play_run(run.pk, Playing(), Reporter())
    simulated = await record_of(run=run)
    async with Browser(person) as tab:
        for turn in simulated["turns"]:
            number, user = turn["turn"], turn["user"]
            await tab.my_turn(number)
            call = user["tool_call"]
            await tab.act(
                frame=number,
                client_id=f"client-{number}",
                reply=user["reply"],
                tool=call["tool"],
                args=call["args"],
            )
        await tab.until("ended")
    await ended(person)
    human = await record_of(participant=person)
    assert [turn["input_digest"] for turn in human["turns"]] == [
        turn["input_digest"] for turn in simulated["turns"]
    ]
    own = {"episode_id", "started_at", "ended_at", "user", "versions"}
    assert {key: human[key] for key in human if key not in own} == {
        key: simulated[key] for key in simulated if key not in own
    }
    assert human["versions"]["assistant"] == simulated["versions"]["assistant"]
    assert human["user"] == {"kind": "human", "policy": None, "participant": person.code}
