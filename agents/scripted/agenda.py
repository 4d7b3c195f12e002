"""The agenda-based shopper: says its needs bit by bit, follows or does not, inspects, buys or turns away."""

from dataclasses import dataclass

from agents.scripted import replies
from agents.scripted.assistant import scripted_version
from agents.scripted.chance import Chance
from agents.scripted.goal import Goal, Judgement, akin, heard
from agents.scripted.hearing import Heard, hear
from siturec.protocol.messages import Sighting, ToolCall, UserInput, UserMessage
from siturec.protocol.ports import Answer

FOLLOWS = (0.75, 0.88, 0.97)
ENDURES = (5.0, 8.0, 12.0)
IDLE = ToolCall(tool="idle")


@dataclass(frozen=True)
class Mind:
    """One turn as the shopper understands it."""

    given: UserInput
    goal: Goal
    heard: Heard
    chance: Chance

    @property
    def home(self) -> bool:
        """Whether products are checked on the spot (home furnishings) rather than picked up."""
        return self.given.kind == "home"

    def judge(self, product: str, name: str) -> Judgement:
        """What the shopper thinks of a product, from inspection and from what was said."""
        known = self.given.known.get(product)
        lenient = self.goal.substitutes == "open" and self.refusals() >= 1
        if known:
            return self.goal.judge(known, lenient=lenient)
        price = heard(self.given, name).get("price")
        if price is not None and price > self.goal.budget + 0.005:
            return Judgement("fails", f"it is more than my ${self.goal.budget:,.0f}", dear=True)
        return Judgement("unknown", "the details")

    def refusals(self) -> int:
        """How many products were put back or decided against."""
        tools = ("drop_item", "do_not_add_to_cart")
        return sum(past.action is not None and past.action.tool in tools for past in self.given.history)


class AgendaUser:
    """A deterministic simulated user; everything it remembers is in its input."""

    slug = "agenda"

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


def frustration(mind: Mind) -> float:
    """How much has gone wrong: repeats, failed actions, unsuitable offers, turns that led nowhere."""
    history = mind.given.history
    said = [past.utterance for past in history] + [mind.given.utterance]
    repeats = sum(text in said[:n] for n, text in enumerate(said))
    failed = sum(past.outcome is not None and not past.outcome.ok for past in history)
    still = sum(past.action is None or past.action.tool == "idle" for past in history[2:])
    return 1.5 * repeats + 1.0 * failed + 1.5 * mind.refusals() + 0.5 * still + 0.12 * len(history)


def _decide(mind: Mind) -> tuple[str, ToolCall]:
    given = mind.given
    if given.refusal is not None:
        return replies.stuck(mind.chance), IDLE
    if not mind.goal.opened(given.history):
        return replies.opening(mind.goal, mind.chance), IDLE
    at_hand = given.state.checked if mind.home else given.state.held
    if at_hand is not None:
        return _at_hand(mind, at_hand)
    if frustration(mind) > ENDURES[mind.goal.patience]:
        return replies.farewell(mind.chance), IDLE
    if mind.heard.offers or mind.heard.product is not None:
        move = _offered(mind)
        if move is not None:
            return move
    if mind.heard.call is not None:
        return _led(mind, mind.heard.call)
    if mind.heard.leads:
        return _with_detail(mind, replies.unseen(mind.chance)), _look_around(mind)
    detail = replies.next_detail(mind.goal, given.history)
    if detail is not None:
        return replies.answer(mind.goal, detail, mind.chance), IDLE
    return replies.nothing_more(mind.chance), _look_around(mind)


def _at_hand(mind: Mind, product: str) -> tuple[str, ToolCall]:
    """Something is in hand or was just checked: buy it, ask about it, or refuse it by the policy."""
    seen = mind.given.observation.by_entity(f"product:{product}")
    known = mind.given.known.get(product) or {}
    name = str(known.get("name") or (seen.name if seen else "this one"))
    opinion = mind.judge(product, name)
    away = ToolCall(tool="do_not_add_to_cart" if mind.home else "drop_item")
    if opinion.verdict == "fails":
        return replies.refusal(mind.goal, name, opinion, mind.chance), away
    asked = any("?" in past.reply and _held(past.action) for past in mind.given.history[-2:])
    curious = mind.goal.explanation == "much" or (
        mind.goal.explanation == "some" and mind.goal.explanation_seeking == 2
    )
    if (
        curious
        and not asked
        and len(mind.heard.products) == 0
        and name.lower() not in mind.given.utterance.lower()
    ):
        return replies.ask_why(name, mind.chance), IDLE
    if opinion.verdict == "unknown" and not asked and mind.goal.explanation_seeking > 0:
        return replies.ask_about(name, opinion.why, mind.chance), IDLE
    if opinion.verdict == "unknown" and not akin(mind.goal, name) and mind.goal.substitutes == "none":
        return replies.refusal(
            mind.goal, name, Judgement("fails", "I can't tell whether it fits"), mind.chance
        ), away
    return replies.buy(name, mind.goal, mind.chance), ToolCall(tool="add_to_cart")


def _held(action: object) -> bool:
    return action is None or getattr(action, "tool", "") in ("idle", "pick_up_item", "check_item")


def _offered(mind: Mind) -> tuple[str, ToolCall] | None:
    """A product was shown: inspect it if it is near, walk up to it, or turn it down from what is known."""
    opinions = [(seen, mind.judge(seen.entity.partition(":")[2], seen.name)) for seen in mind.heard.products]
    good = [seen for seen, opinion in opinions if opinion.verdict != "fails"]
    if not good and opinions:
        seen, opinion = opinions[0]
        return replies.refusal(mind.goal, seen.name, opinion, mind.chance), IDLE
    if good:
        seen = good[0]
        if seen.reachable:
            tool = "check_item" if mind.home else "pick_up_item"
            return replies.inspect(seen.name, mind.goal, mind.chance), ToolCall(
                tool=tool, args={"product": seen.user_marker}
            )
        return _with_detail(mind, replies.coming(mind.chance)), walk_up(seen)
    if mind.heard.call is None and mind.heard.offers:
        return replies.unseen(mind.chance), _look_around(mind)
    return None


def walk_up(seen: Sighting) -> ToolCall:
    """A step towards something in view but out of reach."""
    far = "short" if seen.distance_m < 3.2 else "medium"
    if seen.side == "ahead":
        return ToolCall(tool="move_forward", args={"distance": far})
    return ToolCall(tool="turn_and_move", args={"direction": seen.side, "angle": 25, "distance": far})


def _led(mind: Mind, call: ToolCall) -> tuple[str, ToolCall]:
    """Somewhere to go was suggested: follow as often as the profile says, else look around."""
    strayed = bool(mind.given.history) and mind.given.history[-1].reply.startswith(replies.OWN_WAY)
    if strayed or mind.chance.happens(FOLLOWS[mind.goal.navigation_following], "follow"):
        return _with_detail(mind, replies.follow(mind.chance)), call
    return _with_detail(mind, replies.own_way(mind.chance)), _look_around(mind)


def _with_detail(mind: Mind, words: str) -> str:
    """Add the next key detail when it was asked for, or when the shopper is talkative enough."""
    detail = replies.next_detail(mind.goal, mind.given.history)
    willing = (mind.heard.asks and "?" in mind.given.utterance) or mind.chance.happens(
        (0.3, 0.55, 0.85)[mind.goal.talkativeness], "volunteer"
    )
    return f"{words} {replies.answer(mind.goal, detail, mind.chance)}" if detail and willing else words


def _look_around(mind: Mind) -> ToolCall:
    """A look to one side; the exploring kind walks to some place in view instead."""
    places = [seen for seen in mind.given.observation.visible if seen.kind == "fixture"]
    if mind.goal.style == "exploratory" and places and mind.chance.happens(0.4, "stroll"):
        seen = mind.chance.pick(places, "stroll to")
        return ToolCall(tool="move_to_fixture", args={"target": seen.user_marker})
    direction = mind.chance.pick(("left", "right"), "look")
    return ToolCall(tool="turn", args={"direction": direction, "angle": 60})
