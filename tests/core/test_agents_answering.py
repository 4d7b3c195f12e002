"""What the scripted assistants make of what a shopper asks or finds."""

from agents.scripted.assistant import scripted_assistant
from siturec.protocol.messages import Observation, Pose, ShopperState
from tests.core.agent_samples import assistant_input, past, seen


async def test_the_expert_says_honestly_whether_there_is_a_cheaper_one():
    history = [
        past(0, "Hello!", "I'm looking for fish."),
        past(1, "Look!", "$7.50 is a lot for me. Is there a cheaper one than the Cod Fillets?"),
    ]
    said = (
        await scripted_assistant("expert", seed=1).respond(
            assistant_input(history=history, state=ShopperState(held="sm-1"))
        )
    ).value
    assert said.action.type == "AnswerQuestion"
    assert "no cheaper" in said.utterance
    dearer = assistant_input(history=history, state=ShopperState(held="sm-2"))
    said = (await scripted_assistant("expert", seed=1).respond(dearer)).value
    assert said.action.type == "Compare"
    assert "Cod Fillets is cheaper" in said.utterance
    assert "$7.50" in said.utterance


def test_a_fixture_is_looked_at_from_its_other_side_when_one_shows_nothing():
    view = Observation(
        pose=Pose(x_m=0, y_m=-3),
        visible=(
            seen(
                "fixture:shelf-1",
                "fixture",
                "Breakfast Shelf",
                "B",
                "2",
                approaches=("nearest", "front", "back"),
            ),
        ),
    )
    walk = past(1, "Let's go.", "Sure.", "move_to_fixture", target="fixture:shelf-1", approach="front")
    history = [past(0, "Hello!", "I want cereal for the mornings. My budget is $5."), walk]
    given = assistant_input(history=history, view=view, pose=Pose(x_m=0, y_m=-3, yaw_deg=-90))
    said = scripted_assistant("expert", seed=1).answer(given)
    assert said.expected_user_action.args == {"target": "2", "approach": "back"}
