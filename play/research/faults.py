"""Why a design could not be run on this server: what a study's record can tell, and who is known here."""

from collections.abc import Iterable

from agents.copies import what_answers
from agents.registry import assistant_slugs, judge_slugs, moderator_slugs
from questionnaire.selectors import instrument_slugs
from sessions.errors import StudyError
from sessions.services.studies import study_faults
from siturec.protocol.study import StudyConfig


def design_faults(config: StudyConfig) -> list[str]:
    """Each fault in one sentence that names its key; empty when the design can be run here."""
    faults = study_faults(config=config, known_assistants=assistant_slugs())
    named: list[tuple[str, str, Iterable[str]]] = [
        ("roles.moderator", config.roles.moderator, moderator_slugs()),
        ("instrument", config.instrument, instrument_slugs()),
    ]
    if config.roles.judge:
        named.append(("roles.judge", config.roles.judge, judge_slugs()))
    for key, slug, known in named:
        if slug not in known:
            faults.append(f"{key}: there is no '{slug}' here; there are: {', '.join(known)}")
    faults += [
        f"assistants: {choice.slug} is planted as a twin, but is no copy of {choice.twin_of}"
        for choice in config.assistants
        if choice.control == "twin" and what_answers(choice.slug) != what_answers(choice.twin_of)
    ]
    visits = len(config.assistants) * config.tasks.per_participant
    faults += [
        f"attention_checks: one comes after interaction {check.after_episode}, but there are {visits} only"
        for check in config.attention_checks
        if check.after_episode > visits
    ]
    return faults


def check_design(config: StudyConfig) -> None:
    """Raises: StudyError naming every fault."""
    faults = design_faults(config)
    if faults:
        raise StudyError("; ".join(faults))
