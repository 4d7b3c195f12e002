"""A study's language models: tried before people meet them, and watched while they do."""

from asgiref.sync import async_to_sync

from agents.health import Health, model_health, models_among, models_try, trial_fault
from sessions.errors import StudyError
from sessions.models import Study
from sessions.selectors.conduct import study_conduct
from siturec.protocol.study import StudyConfig

ENOUGH = 5
"""So many calls say something about how long a model takes."""


def study_models(design: StudyConfig) -> list[str]:
    """The language models a design names, in any role."""
    return models_among((*design.assistant_slugs, design.roles.moderator, design.roles.judge))


def check_models(design: StudyConfig, *, fresh: bool = False) -> int:
    """Have every model of a design answer; how many were asked.

    Raises: StudyError with what is wrong with each that does not.
    """
    slugs = study_models(design)
    trials = async_to_sync(models_try)(slugs, fresh=fresh) if slugs else {}
    faults = [fault for slug, trial in trials.items() if (fault := trial_fault(slug, trial))]
    if faults:
        raise StudyError(" ".join(faults))
    return len(trials)


def model_notices(study: Study) -> list[str]:
    """What a study's team must know of its models now, each in one sentence; empty when all is well."""
    design = study.design
    health = [model_health(slug) for slug in study_models(design)]
    failing = [_failing(one) for one in health if one.failing]
    people = study.episodes.filter(user_kind="human", participant__kind="human")
    seen = study_conduct(study, people)
    if any(row["timed"] for row in seen["rows"]):
        return [*failing, *([seen["told_apart"]] if seen["told_apart"] else [])]
    mask_s = design.min_reply_ms / 1000
    slow = [one for one in health if one.slug in design.assistant_slugs]
    return [*failing, *(said for one in slow if (said := _slow(one, mask_s)))]


def _failing(one: Health) -> str:
    often = "Its last call failed" if one.in_a_row == 1 else f"Its last {one.in_a_row} calls failed"
    return f"The model '{one.slug}' is not answering. {often} ({one.failing.replace('_', ' ')})."


def _slow(one: Health, mask_s: float) -> str:
    """The warning before anybody has met it: other assistants' replies come no later than the mask."""
    if one.p95_s is None or one.asked < ENOUGH or one.p95_s <= mask_s:
        return ""
    return (
        f"The model '{one.slug}' can be told from faster assistants by how long it takes: by the log of its "
        f"last {one.asked} answers it gives 19 of 20 within {one.p95_s:.1f} s; the shortest reply time is "
        f"{mask_s:g} s. A shortest reply time as long hides who answers."
    )
