"""Where somebody waits, the next view is taken while the turn is still being written."""

import asyncio

import pytest
from asgiref.sync import sync_to_async

from play import recorder as recording
from play.watcher import Watcher
from sessions.models import Event, Turn
from siturec.protocol.ports import WorldTimeout
from tests.web.playing import GO_ON, STOP, Says, planned, play, record_of, rows

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_pauses")]


class Waiting(Watcher):
    """Somebody in front of a page."""

    waits = True


async def test_looking_ahead_changes_nothing_in_the_record():
    (one,), (other,) = await sync_to_async(planned)("simulated"), await sync_to_async(planned)("waited for")
    await play(one)
    await play(other, watcher=Waiting())
    assert await record_of(one) == await record_of(other)


async def test_the_next_view_is_begun_before_the_outcome_is_written_and_recorded_after_it(monkeypatch):
    (episode,) = await sync_to_async(planned)()
    told, original = [], recording.Recorder.executed

    async def slowly(self, index, **fields):
        told.append(f"writing outcome {index}")
        await asyncio.sleep(0.05)
        await original(self, index, **fields)
        told.append(f"written outcome {index}")

    monkeypatch.setattr(recording.Recorder, "executed", slowly)

    def noting(operation):
        told.append(operation)

    await play(episode, watcher=Waiting(), fail=noting, cast={"moderator": Says(GO_ON, STOP)})
    assert "observe" in told[told.index("execute") : told.index("written outcome 0")]
    assert len(await rows(Turn, episode)) == 2


async def test_a_view_taken_ahead_of_an_end_is_in_no_record():
    (episode,) = await sync_to_async(planned)()
    looks = []
    await play(
        episode,
        watcher=Waiting(),
        fail=lambda operation: looks.append(operation) if operation == "observe" else None,
        cast={"moderator": Says(GO_ON, STOP)},
    )
    turns = await rows(Turn, episode)
    assert [turn.index for turn in turns] == [0, 1]
    assert len(looks) == 3


async def test_a_world_that_fails_while_looking_ahead_costs_no_turn():
    (whole,), (broken,) = await sync_to_async(planned)("whole"), await sync_to_async(planned)("broken")
    await play(whole)
    looks = []

    def fail(operation):
        looks.extend([operation] * (operation == "observe"))
        if operation == "observe" and len(looks) in (2, 4, 7):
            raise WorldTimeout("too late")

    await play(broken, watcher=Waiting(), fail=fail)
    assert await record_of(broken) == await record_of(whole)
    assert [event.kind for event in await rows(Event, broken)].count("failure") == 3
    assert asyncio.all_tasks() == {asyncio.current_task()}
