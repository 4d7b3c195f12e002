"""What the turn loop makes of answers that say too much, too little, or what cannot be done."""

import pytest
from asgiref.sync import sync_to_async

from play.plan import Wanted, run_store, spec_of
from sessions.models import Episode, Turn
from siturec.protocol.vocabulary import EndReason
from tests.web.playing import STOP, Says, planned, play, record_of, reply, rows, spoken
from tests.web.samples_studies import opened

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_pauses")]


async def test_an_assistant_that_says_a_marker_is_asked_once_more_and_then_recorded():
    (episode,) = await sync_to_async(planned)()
    leak = lambda given: spoken(f"Go to the shelf {given.observation.visible[0].assistant_marker} (1).")  # noqa: E731
    assistant = Says(leak)
    await play(episode, cast={"assistant": assistant, "user": Says(reply()), "moderator": Says(STOP)})
    turn = (await rows(Turn, episode))[0]
    assert len(assistant.given) == 2
    assert "Do not say markers" in assistant.given[1].correction
    assert "Do not say markers" in turn.notes["violation"]
    assert turn.input_digest == assistant.given[0].digest()


async def test_a_place_that_is_only_on_the_map_may_not_be_called_by_its_marker_either():
    (episode,) = await sync_to_async(planned)()

    def leak(given):
        seen = {thing.entity for thing in given.observation.visible}
        away = next(target for target in given.store.targets if target.entity not in seen)
        return spoken(f"Walk to fixture {away.assistant_marker}, please.")

    assistant = Says(leak)
    await play(episode, cast={"assistant": assistant, "user": Says(reply()), "moderator": Says(STOP)})
    turn = (await rows(Turn, episode))[0]
    assert "Do not say markers" in assistant.given[1].correction
    assert "Do not say markers" in turn.notes["violation"]


async def test_a_second_answer_without_markers_is_taken_and_the_first_kept_aside():
    (episode,) = await sync_to_async(planned)()
    assistant = Says(spoken("Go to shelf (1)."), spoken("Go to the cereals."))
    await play(episode, cast={"assistant": assistant, "user": Says(reply()), "moderator": Says(STOP)})
    turn = (await rows(Turn, episode))[0]
    assert turn.assistant["utterance"] == "Go to the cereals."
    assert turn.notes["sent_back"]["utterance"] == "Go to shelf (1)."
    assert "violation" not in turn.notes


async def test_an_assistant_that_insists_on_its_name_is_shown_without_it():
    (episode,) = await sync_to_async(planned)()
    user = Says(reply())
    cast = {"assistant": Says(spoken("I am GPT-5 by OpenAI.")), "user": user, "moderator": Says(STOP)}
    await play(episode, cast=cast)
    assert "gpt" not in user.given[0].utterance.lower()
    assert "openai" not in user.given[0].utterance.lower()
    turn = (await rows(Turn, episode))[0]
    assert turn.notes["masked"]["utterance"] == "I am GPT-5 by OpenAI."


@pytest.mark.parametrize("policy", ["mask", "flag"])
async def test_the_studys_policy_says_what_becomes_of_a_models_own_label(policy):
    def planned_in_a_study():
        study = opened("policy", assistants=("expert",), identity_policy=policy)
        wanted = Wanted(scenes=("supermarket",), tasks="1", assistants=("expert",))
        return run_store("policy", spec_of(wanted), study=study).episodes.get()

    episode = await sync_to_async(planned_in_a_study)()
    assistant, user = Says(spoken("Shop Helper Nine is here.")), Says(reply())
    assistant.own_words, assistant.identity_policy = ("shop helper nine",), "mask"
    await play(episode, cast={"assistant": assistant, "user": user, "moderator": Says(STOP)})
    turn = (await rows(Turn, episode))[0]
    if policy == "flag":
        assert user.given[0].utterance == "Shop Helper Nine is here."
        assert turn.notes["named"] == {"names": ["Shop Helper Nine"]}
        assert "sent_back" not in turn.notes
    else:
        assert user.given[0].utterance == "this assistant is here."
        assert turn.notes["masked"]["names"] == ["Shop Helper Nine"]
        assert "sent_back" in turn.notes


async def test_without_a_study_the_models_own_policy_holds():
    (episode,) = await sync_to_async(planned)()
    assistant, user = Says(spoken("Shop Helper Nine is here.")), Says(reply())
    assistant.own_words, assistant.identity_policy = ("shop helper nine",), "flag"
    await play(episode, cast={"assistant": assistant, "user": user, "moderator": Says(STOP)})
    assert user.given[0].utterance == "Shop Helper Nine is here."


async def test_a_model_that_is_refused_twice_idles_with_the_refusal_in_the_record():
    (episode,) = await sync_to_async(planned)()
    user = Says(reply(tool="add_to_cart"))
    await play(episode, cast={"assistant": Says(spoken()), "user": user, "moderator": Says(STOP)})
    turn = (await record_of(episode))["turns"][0]
    assert len(user.given) == 2
    assert "Pick up a product" in user.given[1].refusal
    assert turn["user"]["tool_call"]["tool"] == "idle"
    assert turn["user"]["refused"]["tool"] == "add_to_cart"


async def test_a_model_without_words_is_nudged_once_and_then_fails():
    (episode,) = await sync_to_async(planned)()
    user = Says(reply(""))
    assert (
        await play(episode, cast={"assistant": Says(spoken()), "user": user}) is EndReason.TECHNICAL_FAILURE
    )
    assert len(user.given) == 2
    assert (await Episode.objects.aget(pk=episode.pk)).failure == "user_empty_reply"


async def test_a_person_is_refused_as_often_as_it_takes_at_no_cost():
    (episode,) = await sync_to_async(planned)()
    wrong = reply("", tool="add_to_cart")
    user = Says(wrong, wrong, wrong, reply("", tool="turn", direction="left", angle=30))
    cast = {"assistant": Says(spoken()), "user": user, "moderator": Says(STOP)}
    assert await play(episode, cast=cast, user_kind="human") is EndReason.MODERATOR_STOP
    turn = (await rows(Turn, episode))[0]
    assert turn.user["tool_call"]["tool"] == "turn"
    assert turn.user["reply"] == ""


async def test_a_moderator_that_cannot_be_read_is_asked_once_more_and_then_counts_as_no():
    (episode,) = await sync_to_async(planned)()
    moderator = Says(None, None, STOP)
    cast = {"assistant": Says(spoken()), "user": Says(reply()), "moderator": moderator}
    assert await play(episode, cast=cast) is EndReason.MODERATOR_STOP
    turns = (await record_of(episode))["turns"]
    assert len(turns) == 2
    assert turns[0]["moderator"]["missing"] is True
    assert turns[0]["moderator"]["stop"] is None
