"""The rule-based judge: seven scores from plain counts over the textual record, each with what it read.

It is a stand-in for a model and marked as rule-based wherever its scores appear; every score names the
turns and words it was counted from. A dimension for which the record holds nothing to count is missing.
"""

from agents.scripted import judge_rules as rules
from agents.scripted.assistant import scripted_version
from agents.scripted.judge_rules import Case, Reading
from siturec.protocol.messages import JudgeInput, JudgeScores
from siturec.protocol.ports import Answer
from siturec.protocol.vocabulary import DIMENSIONS

_RULES = {
    "informativeness": rules.informativeness,
    "naturalness": rules.naturalness,
    "groundedness": rules.groundedness,
    "preference_alignment": rules.preference_alignment,
    "proactiveness": rules.proactiveness,
    "non_repetition": rules.non_repetition,
}


class RuleJudge:
    """Scores a finished episode by counting; the same for people's and simulated episodes."""

    slug = "rules"

    def __init__(self, *, seed: int) -> None:
        self._seed = seed

    async def score(self, given: JudgeInput) -> Answer[JudgeScores]:
        """Score one episode; missing when the record holds no turn."""
        scores = judge(given)
        if scores is None:
            return Answer(None, "missing", raw="no turns", policy_version=scripted_version())
        return Answer(scores, raw=scores.model_dump_json(), policy_version=scripted_version())


def judge(given: JudgeInput) -> JudgeScores | None:
    """The scores as a plain function of the record; None without any turn."""
    case = Case.read(given)
    if not case.turns:
        return None
    readings: dict[str, Reading | None] = {name: rule(case) for name, rule in _RULES.items()}
    readings["overall_satisfaction"] = rules.overall(case, [r for r in readings.values() if r is not None])
    return JudgeScores(
        scores={name: None if (r := readings[name]) is None else r.score for name in DIMENSIONS},
        evidence={
            name: f"rule-based: {r.evidence}" for name in DIMENSIONS if (r := readings[name]) is not None
        },
    )
