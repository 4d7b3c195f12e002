"""The rule-based moderator: stops when the shopper clearly gives up or both sides have closed."""

import re

from agents.scripted.assistant import scripted_version
from siturec.protocol.messages import ModeratorDecision, ModeratorInput
from siturec.protocol.ports import Answer

GIVES_UP = re.compile(
    r"\b(i give up|i'm giving up|give up for today|never mind|i'll leave it for today|i'll stop here|"
    r"no more help|"
    r"don't need (any )?(more |further )?help|i'm leaving|i'll leave now|i'm done|forget it|"
    r"stop (it )?here|i'll go home|"
    r"not buying anything|i'll come back another (day|time))\b"
)
CLOSES = re.compile(
    r"\b(goodbye|bye|farewell|have a (nice|good|great|lovely) (day|evening|one)|take care|see you)\b"
)
EXPLORES = re.compile(r"\?")


class RuleModerator:
    """Yes when the shopper gives up, or when both latest messages close; no while anything is still asked."""

    slug = "rules"

    def __init__(self, *, seed: int) -> None:
        self._seed = seed

    async def decide(self, given: ModeratorInput) -> Answer[ModeratorDecision]:
        """Decide from the latest two messages; never fails."""
        reply = given.reply.lower().replace("\u2019", "'")
        utterance = given.utterance.lower()
        gives_up = GIVES_UP.search(reply) is not None and EXPLORES.search(reply) is None
        both_close = CLOSES.search(reply) is not None and CLOSES.search(utterance) is not None
        stop = gives_up or both_close
        return Answer(
            ModeratorDecision(stop=stop, raw="yes" if stop else "no"),
            raw="yes" if stop else "no",
            policy_version=scripted_version(),
        )
