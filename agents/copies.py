"""Whether two assistants are one under two names, as a planted twin must be."""

from dataclasses import replace

from agents.calls import ModelSpec
from agents.scripted.skill import SKILLS, Skill
from agents.selectors import model_spec


def what_answers(slug: str) -> Skill | ModelSpec | None:
    """What stands behind an assistant's name, without the name and what it may cost; None when unknown.

    Two names with equal answers here are copies of one another.
    """
    skill = SKILLS.get(slug)
    if skill is not None:
        return skill
    spec = model_spec(slug)
    if spec is None:
        return None
    return replace(spec, slug="", label="", price_in=None, price_out=None, max_calls=None, max_cost_usd=None)
