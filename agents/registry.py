"""Who there is: scripted minds by name, a model named by the settings, and models added as rows."""

from collections.abc import Iterable

from agents.scripted.agenda import AgendaUser
from agents.scripted.assistant import scripted_assistant
from agents.scripted.judge import RuleJudge
from agents.scripted.moderator import RuleModerator
from agents.scripted.skill import SKILLS
from siturec.protocol.ports import AssistantPolicy, Judge, Moderator, UserPolicy


class UnknownMind(LookupError):
    """No assistant, user, moderator or judge has this name; the message lists those there are."""

    def __init__(self, role: str, slug: str, known: Iterable[str]) -> None:
        super().__init__(f"There is no {role} '{slug}'; there are: {', '.join(known)}.")


def assistant_slugs() -> tuple[str, ...]:
    """Every assistant, the scripted ones first and best first."""
    return tuple(SKILLS)


def user_slugs() -> tuple[str, ...]:
    """Every simulated user."""
    return (AgendaUser.slug,)


def moderator_slugs() -> tuple[str, ...]:
    """Every moderator."""
    return (RuleModerator.slug,)


def judge_slugs() -> tuple[str, ...]:
    """Every judge."""
    return (RuleJudge.slug,)


def make_assistant(slug: str, *, seed: int) -> AssistantPolicy:
    """An assistant by name. Raises: UnknownMind."""
    if slug in SKILLS:
        return scripted_assistant(slug, seed=seed)
    raise UnknownMind("assistant", slug, assistant_slugs())


def make_user(slug: str, *, seed: int) -> UserPolicy:
    """A simulated user by name. Raises: UnknownMind."""
    if slug == AgendaUser.slug:
        return AgendaUser(seed=seed)
    raise UnknownMind("simulated user", slug, user_slugs())


def make_moderator(slug: str, *, seed: int) -> Moderator:
    """A moderator by name. Raises: UnknownMind."""
    if slug == RuleModerator.slug:
        return RuleModerator(seed=seed)
    raise UnknownMind("moderator", slug, moderator_slugs())


def make_judge(slug: str, *, seed: int) -> Judge:
    """A judge by name. Raises: UnknownMind."""
    if slug == RuleJudge.slug:
        return RuleJudge(seed=seed)
    raise UnknownMind("judge", slug, judge_slugs())


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


def describe(slug: str, *, role: str = "assistant") -> str:
    """One line on a mind."""
    return DESCRIPTIONS[slug]
