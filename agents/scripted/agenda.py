"""The agenda-based shopper: says its needs bit by bit, follows or does not, inspects, buys or turns away.

Its profile's seven interaction settings shape it: ``manner`` decides what they lead to, ``replies`` how it
sounds, and ``substitute_willingness`` comes by way of the task's acceptance policy.
"""

from agents.scripted import manner, replies
from agents.scripted.assistant import scripted_version
from agents.scripted.chance import Chance
from agents.scripted.goal import Goal, Judgement, akin
from agents.scripted.hearing import hear
from agents.scripted.manner import IDLE, Move
from agents.scripted.mind import Mind
from siturec.protocol.messages import Sighting, ToolCall, UserInput, UserMessage
from siturec.protocol.ports import Answer


class AgendaUser:
    """A deterministic simulated user; everything it remembers is in its input."""

    slug = "agenda"

    needs_pictures = False

    def __init__(self, *, seed: int) -> None:
        self._seed = seed

    async def respond(self, given: UserInput) -> Answer[UserMessage]:
        """Answer one turn; never fails, never waits."""
        message = self.answer(given)
        return Answer(message, raw=message.model_dump_json(), policy_version=scripted_version())

    def answer(self, given: UserInput) -> UserMessage:
        """The answer itself, as a plain function of the input."""
        chance = Chance(self._seed, given.seed, "user", given.turn, given.refusal or "")
        mind = Mind(given, Goal.read(given), hear(given), chance)
        reply, call = _decide(mind)
        return UserMessage(reply=reply, tool_call=call)


def _decide(mind: Mind) -> Move:
    given = mind.given
    if given.refusal is not None:
        return replies.stuck(mind.chance), IDLE
    if not mind.goal.opened(given.history):
        return replies.opening(mind.goal, mind.chance), IDLE
    at_hand = given.state.checked if mind.home else given.state.held
    if at_hand is not None:
        return _at_hand(mind, at_hand)
    if mind.frustration() > manner.ENDURES[mind.goal.patience]:
        return replies.farewell(mind.chance), IDLE
    if mind.heard.offers or mind.heard.product is not None:
        move = _offered(mind)
        if move is not None:
            return move
    if mind.heard.call is not None:
        return _led(mind, mind.heard.call)
    if mind.heard.leads:
        return _with_detail(mind, replies.unseen(mind.goal, mind.chance)), manner.look_around(mind)
    detail = replies.next_detail(mind.goal, given.history)
    if detail is not None:
        words = manner.with_small_talk(mind, replies.answer(mind.goal, detail, mind.chance))
        return words, manner.while_talking(mind)
    return replies.nothing_more(mind.goal, mind.chance), manner.while_waiting(mind)


def _at_hand(mind: Mind, product: str) -> Move:
    """Something is in hand or was just checked: buy it, ask about it, or refuse it by the policy."""
    seen = mind.given.observation.by_entity(f"product:{product}")
    known = mind.given.known.get(product) or {}
    name = str(known.get("name") or (seen.name if seen else "this one"))
    opinion = mind.judge(product, name)
    away = ToolCall(tool="do_not_add_to_cart" if mind.home else "drop_item")
    if opinion.verdict == "fails":
        return replies.refusal(mind.goal, name, opinion, mind.chance), away
    question = manner.at_hand(mind, product, name, opinion)
    if question is not None:
        return question
    if opinion.verdict == "unknown" and not akin(mind.goal, name) and mind.goal.substitutes == "none":
        unsure = Judgement("fails", "I can't tell whether it fits")
        return replies.refusal(mind.goal, name, unsure, mind.chance), away
    price = mind.price(product, name)
    return replies.buy(name, mind.goal, price, mind.chance), ToolCall(tool="add_to_cart")


def _offered(mind: Mind) -> Move | None:
    """A product was shown: inspect it if it is near, walk up to it, or turn it down from what is known."""
    opinions = [(seen, mind.judge(seen.entity.partition(":")[2], seen.name)) for seen in mind.heard.products]
    good = [seen for seen, opinion in opinions if opinion.verdict != "fails"]
    if not good and opinions:
        seen, opinion = opinions[0]
        return replies.refusal(mind.goal, seen.name, opinion, mind.chance), IDLE
    if good:
        seen = manner.preferred(mind, good)
        if not seen.reachable:
            return _with_detail(mind, replies.coming(mind.goal, mind.chance)), walk_up(seen)
        question = manner.before_taking(mind, seen)
        if question is not None:
            return question
        tool = "check_item" if mind.home else "pick_up_item"
        call = ToolCall(tool=tool, args={"product": seen.user_marker})
        return replies.inspect(seen.name, mind.goal, mind.chance), call
    if mind.heard.call is None and mind.heard.offers:
        return replies.unseen(mind.goal, mind.chance), manner.look_around(mind)
    return None


def walk_up(seen: Sighting) -> ToolCall:
    """A step towards something in view but out of reach."""
    far = "short" if seen.distance_m < 3.2 else "medium"
    if seen.side == "ahead":
        return ToolCall(tool="move_forward", args={"distance": far})
    return ToolCall(tool="turn_and_move", args={"direction": seen.side, "angle": 30, "distance": far})


def _led(mind: Mind, call: ToolCall) -> Move:
    """Somewhere to go was suggested: follow as often as the profile says, else look around."""
    if manner.follows(mind):
        return _with_detail(mind, replies.follow(mind.goal, mind.chance)), call
    return _with_detail(mind, replies.own_way(mind.goal, mind.chance)), manner.look_around(mind)


def _with_detail(mind: Mind, words: str) -> str:
    """Add the next key detail when it was asked for, or when the shopper is talkative enough."""
    detail = replies.next_detail(mind.goal, mind.given.history)
    if detail is None or not manner.volunteers(mind):
        return manner.with_small_talk(mind, words)
    return f"{words} {replies.answer(mind.goal, detail, mind.chance)}"
