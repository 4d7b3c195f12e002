"""The scripted assistants: one policy, graded by its ``Skill``, answering from the input alone."""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from agents.scripted import decisions
from agents.scripted.situation import Situation
from agents.scripted.skill import SKILLS, Skill
from siturec.protocol.messages import AssistantInput, AssistantMessage
from siturec.protocol.ports import Answer

_TOP = 10


@lru_cache(maxsize=1)
def scripted_version() -> str:
    """The version of every scripted policy: a hash over this package's files, kept in every record."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return f"scripted/{digest.hexdigest()[:12]}"


class ScriptedAssistant:
    """A deterministic assistant. Equal inputs, seeds and skills give equal answers, whatever its name."""

    needs_pictures = False

    def __init__(self, slug: str, skill: Skill, *, seed: int) -> None:
        self.slug = slug
        self._skill = skill
        self._seed = seed

    async def respond(self, given: AssistantInput) -> Answer[AssistantMessage]:
        """Answer one turn; never fails, never waits."""
        message = self.answer(given)
        return Answer(message, raw=message.model_dump_json(), policy_version=scripted_version())

    def answer(self, given: AssistantInput) -> AssistantMessage:
        """The answer itself, as a plain function of the input."""
        here = Situation.read(given, self._skill, self._seed)
        return decisions.decide(here, self._ranking(here))

    def _ranking(self, here: Situation) -> tuple[str, ...]:
        """The Top-10: by match, or for the aimless an order that has nothing to do with the shopper."""
        if self._skill.aimless:
            ids: Sequence[str] = sorted(here.index.entries, key=lambda p: here.chance.unit("rank", p))
        else:
            ids = [product for product, _ in here.ranked]
        best = list(ids[:_TOP])
        if here.product in best:
            best.remove(here.product)
        return tuple([here.product, *best][:_TOP])


def scripted_assistant(slug: str, *, seed: int) -> ScriptedAssistant:
    """One of the planted assistants by name. Raises: KeyError for an unknown one."""
    return ScriptedAssistant(slug, SKILLS[slug], seed=seed)


def describe(slug: str) -> dict[str, Any]:
    """A planted assistant's abilities, for lists and reports."""
    return dict(vars(SKILLS[slug]))
