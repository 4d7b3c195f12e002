"""What the practice teaches: each thing once, in an order that makes sense, at one's own pace."""

from dataclasses import dataclass, field

from django.utils import timezone
from django.utils.translation import gettext as _

from sessions.models import Participant
from siturec.protocol.events import Goal
from siturec.protocol.messages import Outcome, ResolvedAction
from siturec.protocol.vocabulary import TRANSLATIONAL, SceneKind

STEPS = ("walk", "look", "mark", "take", "talk")
_TURNS = frozenset({"turn", "look_up_down", "turn_and_move", "move_and_turn"})
_GOES = frozenset({"move_to_fixture", "move_to_store", "move_to_area"})
_TAKES = frozenset({"pick_up_item", "check_item"})


@dataclass
class Lesson:
    """What was tried so far. ``words`` is what the guide says next."""

    kind: SceneKind
    done: set[str] = field(default_factory=set)

    def note(self, action: ResolvedAction, outcome: Outcome, reply: str) -> None:
        """Tick off what this turn has tried; an action that did not work ticks nothing."""
        if reply.strip():
            self.done.add("talk")
        if not outcome.ok:
            return
        if action.tool in _TURNS:
            self.done.add("look")
        if action.tool in _GOES:
            self.done |= {"mark", "walk"}
        elif action.tool in TRANSLATIONAL:
            self.done.add("walk")
        if action.tool in _TAKES:
            self.done.add("take")

    @property
    def next(self) -> str | None:
        """The next thing to try, or None when all is done."""
        return next((step for step in STEPS if step not in self.done), None)

    def words(self, *, reachable: bool) -> str:
        """What the guide says now. ``reachable``: whether a product can be taken from here."""
        greeting = (
            "" if self.done else _("Hello! I am your guide for two minutes. Let us try everything once. ")
        )
        match self.next:
            case "walk":
                return greeting + _("First a few steps: choose Ahead, then press the green button below.")
            case "look":
                return greeting + _("Well done. Now turn: choose Turn left or Turn right, and send again.")
            case "mark":
                return _("Now click something marked with a letter in the picture, and choose to walk there.")
            case "take" if not reachable:
                return _("Next you take a product. None is in reach from here: walk closer to one first.")
            case "take" if self.kind == "supermarket":
                return _("Now a product: click one marked with a number that is close, and pick it up.")
            case "take":
                return _(
                    "Now a product: click one marked with a number that is close, and look at it closely."
                )
            case "talk":
                return _("Last, say something to me: write a few words, choose Stay, and send.")
            case _:
                return _("That is all there is to it. Now to the first task!")


def practice_done(*, participant: Participant) -> None:
    """The practice was finished or skipped; the first time stays, and what was kept for a reload goes."""
    fresh = Participant.objects.filter(pk=participant.pk, practised_at=None)
    fresh.update(practised_at=timezone.now(), practice={})


def practice_goal() -> Goal:
    """A goal to look at while practising."""
    return Goal(text=_("Just have a look around. Nothing here counts."), budget=20.0)
