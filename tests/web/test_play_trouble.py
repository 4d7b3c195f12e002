"""When a store or a model fails while somebody shops: they are told so kindly, and it costs them nothing."""

import json

import pytest
from asgiref.sync import sync_to_async

from play import live
from sessions.models import Episode, Turn
from siturec.protocol.ports import Answer
from tests.web.plainworld import failing_at, plain_source
from tests.web.test_play_waiting import ACT, people, tab, told

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def store_fails(monkeypatch):
    """Stores fail at the n-th of their operations, counted over all; nobody waits for the next try."""
    monkeypatch.setattr("play.runner.PAUSE_S", 0.0)

    def at(*places):
        fail = failing_at(*places)

        def source(scene, setting, **_):
            return plain_source(setting.pack, setting.knowledge, fail)

        monkeypatch.setattr(live, "world_source", source)

    return at


class Silent:
    """A model that answers nothing one could use, however often it is asked."""

    slug = "silent"

    async def respond(self, given):
        return Answer(None, outcome="missing", failure="bad_output", raw="mumble")


async def test_a_store_that_fails_on_the_way_is_apologised_for_and_the_turn_is_taken_once(store_fails):
    store_fails(4)  # lease, reset, observe, and then the turn itself
    (person,) = await people(1)
    async with tab(f"/ws/p/{person.token}/") as one:
        await told(one, "phase", phase="user", turn=0)
        await one.send_to(text_data=json.dumps(ACT))
        trouble = await told(one, "trouble")
        assert (trouble["final"], trouble["text"]) == (
            False,
            "Something on our side needs a moment. Your turn is kept, and we are trying again.",
        )
        await told(one, "phase", phase="user", turn=1)
        await live.session_of(person.pk, person.token).stop()
    turns = await sync_to_async(list)(Turn.objects.filter(executed_at__isnull=False))
    assert [(turn.index, turn.client_id, turn.user["reply"]) for turn in turns] == [
        (0, ACT["client_id"], ACT["reply"])
    ]


async def test_a_model_that_gives_no_answer_ends_the_visit_with_an_apology_and_the_way_on(
    store_fails, monkeypatch
):
    store_fails()
    monkeypatch.setattr(live, "make_assistant", lambda slug, *, seed: Silent())
    (person,) = await people(1)
    async with tab(f"/ws/p/{person.token}/") as one:
        trouble = await told(one, "trouble", final=True)
        assert "through no fault of yours" in trouble["text"]
        over = await told(one, "ended")
        assert (over["end_reason"], over["next_url"]) == ("technical_failure", f"/p/{person.token}/")
        await live.session_of(person.pk, person.token).stop()
    episode = await Episode.objects.order_by("position").afirst()
    assert (episode.status, episode.failure) == ("ended", "assistant_bad_output")
