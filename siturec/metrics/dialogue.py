"""The seven dialogue ratings, 1 to 5, from the questionnaire and from the judge.

Source: SituRecBench C.1 (S53). A missing rating is left out of every mean; it is never the lowest score.
"""

from collections.abc import Iterable

from siturec.protocol.vocabulary import DIMENSIONS
from siturec.trajectory_schema import ScoresRecord, Trajectory

RATERS = ("questionnaire", "judge")


def ratings(record: Trajectory, rater: str) -> dict[str, int]:
    """What one rater (``questionnaire`` or ``judge``) gave, by dimension; only what was given."""
    scores: ScoresRecord | None = record["questionnaire"] if rater == "questionnaire" else record["judge"]
    if scores is None:
        return {}
    given: dict[str, int | None] = {name: scores.get(name) for name in DIMENSIONS}  # type: ignore[misc]
    return {name: score for name, score in given.items() if score is not None}


def own_rater(record: Trajectory) -> str:
    """The rater a cohort's plain dimensions come from: people answer the questionnaire, models are judged."""
    return "questionnaire" if record["user"]["kind"] == "human" else "judge"


def mean_answered(scores: Iterable[int | None]) -> float | None:
    """Mean of the answered items of one questionnaire; None when none was answered."""
    answered = [score for score in scores if score is not None]
    return sum(answered) / len(answered) if answered else None
