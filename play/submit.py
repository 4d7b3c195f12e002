"""Whether what a person sent can be taken: checked at once, without waiting for a world or a mind."""

from typing import Literal

from play.exchange import scene_names
from play.human import HumanPolicy
from play.screen import Screen
from siturec.markers.leaks import leaked_markers
from siturec.protocol.actions import Refusal, validate_call
from siturec.protocol.events import MAX_REPLY, Accepted, Act, Refused
from siturec.protocol.given import is_blank
from siturec.protocol.messages import ToolCall

RefusedCode = Literal[
    "invalid",
    "stale",
    "not_allowed",
    "too_long",
    "empty",
    "busy",
    "ended",
    "superseded",
    "sign_in",
    "says_marker",
]


def judge_act(act: Act, screen: Screen, human: HumanPolicy) -> Refused | Accepted | None:
    """None when the act is to be taken; an acceptance again for one taken before; else why not."""
    if act.client_id in screen.client_ids:
        return Accepted(seq=screen.seq, client_id=act.client_id)
    if screen.end_reason is not None:
        return refusal(act, screen, "ended", "This interaction is over.")
    if screen.paused:
        return refusal(act, screen, "busy", "The study is paused. Your text is kept; please wait a moment.")
    if not human.is_waiting or screen.observation is None:
        return refusal(act, screen, "busy", "It is not your turn yet. Your text is kept.")
    if act.frame != screen.frame:
        return refusal(act, screen, "stale", "The view has changed since. Please look again and choose anew.")
    if len(act.reply) > MAX_REPLY:
        reason = f"Your reply has {len(act.reply)} characters; at most {MAX_REPLY} can be sent."
        return refusal(act, screen, "too_long", reason)
    if screen.loaded.setting.rules.reply_required and is_blank(act.reply):
        return refusal(act, screen, "empty", "Please write a reply before you send.")
    return _allowed(act, screen)


def _allowed(act: Act, screen: Screen) -> Refused | None:
    """The tool's rules, and no markers in what is said."""
    setting, seen = screen.loaded.setting, screen.observation
    if seen is None:
        return refusal(act, screen, "busy", "The view is not there yet.")
    call = ToolCall(tool=act.tool, args=act.args)
    resolved = validate_call(call, kind=setting.pack.info.kind, observation=seen, state=screen.state)
    if isinstance(resolved, Refusal):
        refused = refusal(act, screen, "not_allowed", resolved.reason)
        return refused.model_copy(update={"rule": resolved.code, "values": resolved.values})
    said = leaked_markers(
        act.reply, seen.visible, roles=("user",), names=scene_names(setting), places=setting.mapped["user"]
    )
    study = screen.loaded.row.study
    may_confirm = study is None or study.design.marker_policy == "warn"
    if said and not (act.confirmed and may_confirm):
        markers = ", ".join(said)
        reason = f"Your reply says a label ({markers}). The assistant does not see your labels; use names."
        return refusal(act, screen, "says_marker", reason)
    return None


def refusal(act: Act, screen: Screen, code: RefusedCode, reason: str) -> Refused:
    """A refusal costs nothing, not even a number: the page draws it and goes on."""
    return Refused(seq=screen.seq, code=code, reason=reason, client_id=act.client_id)
