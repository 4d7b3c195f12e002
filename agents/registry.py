"""Who there is: scripted minds by name, a model named by the settings, and models added as rows.

Names are read from the database, so the ``*_slugs`` functions are synchronous. The ``make_*`` functions are
safe anywhere: a model behind a name is looked up when it is first asked.
"""

from collections.abc import Iterable
from functools import partial
from typing import Literal

from agents import selectors
from agents.llm import LanguageModel
from agents.model_minds import ModelAssistant, ModelJudge, ModelModerator, ModelSource, ModelUser
from agents.scripted.agenda import AgendaUser
from agents.scripted.assistant import scripted_assistant
from agents.scripted.judge import RuleJudge
from agents.scripted.moderator import RuleModerator
from agents.scripted.skill import SKILLS
from agents.services import DatabaseLedger
from sessions.database import database_sync_to_async
from siturec.protocol.ports import AssistantPolicy, Judge, Moderator, UserPolicy

Role = Literal["assistant", "user", "judge"]
FRAMES = "+frames"
SCRIPTED_ASSISTANTS: tuple[str, ...] = tuple(SKILLS)
SCRIPTED_USERS: tuple[str, ...] = (AgendaUser.slug,)
SCRIPTED_MODERATORS: tuple[str, ...] = (RuleModerator.slug,)
SCRIPTED_JUDGES: tuple[str, ...] = (RuleJudge.slug,)
IMPORTED_JUDGE = "imported"
"""Stands for whoever gave the scores of an imported record."""
DESCRIPTIONS = {
    "expert": "scripted: reads every word, asks first, offers what is in reach",
    "capable": "scripted: as the expert, but offers the second best now and then",
    "plain": "scripted: short memory, deaf to dislikes, often second best",
    "hasty": "scripted: offers too early, ignores the budget, loses its way",
    "bad": "scripted: bad on purpose; hawks anything, wanders",
    "expert-twin": "scripted: the expert again under another name, a planted control",
    "agenda": "scripted: discloses by policy, inspects, buys what meets needs within budget",
    "rules": "scripted: plain rules, no model",
}


class UnknownMind(LookupError):
    """No assistant, user, moderator or judge has this name; the message lists those there are."""

    def __init__(self, role: str, slug: str, known: Iterable[str] = ()) -> None:
        there_are = f"; there are: {', '.join(known)}" if known else ""
        super().__init__(f"There is no {role} '{slug}'{there_are}.")


def assistant_slugs() -> tuple[str, ...]:
    """Every assistant: the scripted ones, best first, then models."""
    return (*SCRIPTED_ASSISTANTS, *selectors.model_slugs("assistant"))


def user_slugs() -> tuple[str, ...]:
    """Every simulated user."""
    return (*SCRIPTED_USERS, *selectors.model_slugs("user"))


def moderator_slugs() -> tuple[str, ...]:
    """Every moderator."""
    return (*SCRIPTED_MODERATORS, *selectors.model_slugs("moderator"))


def judge_slugs() -> tuple[str, ...]:
    """Every judge; ``NAME+frames`` is the same model also given what the user saw."""
    named = selectors.model_slugs("judge")
    return (*SCRIPTED_JUDGES, *named, *(f"{slug}{FRAMES}" for slug in named))


def make_assistant(slug: str, *, seed: int) -> AssistantPolicy:
    """An assistant by name; an unknown model raises UnknownMind when it is first asked."""
    if slug in SKILLS:
        return scripted_assistant(slug, seed=seed)
    return ModelAssistant(slug, _source("assistant", slug), seed=seed)


def make_user(slug: str, *, seed: int) -> UserPolicy:
    """A simulated user by name."""
    if slug == AgendaUser.slug:
        return AgendaUser(seed=seed)
    return ModelUser(slug, _source("user", slug), seed=seed)


def make_moderator(slug: str, *, seed: int) -> Moderator:
    """A moderator by name."""
    if slug == RuleModerator.slug:
        return RuleModerator(seed=seed)
    return ModelModerator(slug, _source("moderator", slug), seed=seed)


def make_judge(slug: str, *, seed: int) -> Judge:
    """A judge by name."""
    if slug == RuleJudge.slug:
        return RuleJudge(seed=seed)
    base = slug.removesuffix(FRAMES)
    return ModelJudge(slug, _source("judge", base), seed=seed, frames=slug != base)


def judge_kind(slug: str) -> str:
    """What a judge is, in the words that stand wherever its scores do."""
    if slug in SCRIPTED_JUDGES:
        return "rule-based, no language model"
    if slug == IMPORTED_JUDGE:
        return "from a file, unknown here"
    return "language model"


def needs_pictures(role: Role, slug: str) -> bool:
    """Whether a mind looks at pictures. It may declare it; else a model does, unless it cannot.

    A judge looks only under its name with frames.
    """
    if role == "judge":
        return slug.endswith(FRAMES)
    mind = make_assistant(slug, seed=0) if role == "assistant" else make_user(slug, seed=0)
    declared: bool | None = getattr(mind, "needs_pictures", None)
    if declared is not None:
        return declared
    spec = selectors.model_spec(slug)
    return spec is None or spec.vision


def _source(role: str, slug: str) -> ModelSource:
    return partial(_find, role, slug)


async def _find(role: str, slug: str) -> LanguageModel:
    spec = await database_sync_to_async(selectors.model_spec)(slug)
    if spec is None:
        raise UnknownMind(role, slug)
    return LanguageModel(spec, DatabaseLedger())


def describe(slug: str) -> str:
    """One line on a mind, for lists and reports."""
    return DESCRIPTIONS.get(slug) or f"model: {selectors.model_label(slug.removesuffix(FRAMES))}"
