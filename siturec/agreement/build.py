"""The two comparisons of the paper, from ledgers of scored episodes."""

from collections.abc import Mapping

from siturec.agreement.report import WANTED_WIDTH, AgreementReport, compare
from siturec.agreement.sides import people_side, simulated_side
from siturec.metrics.ledger import Ledger
from siturec.metrics.registry import HEADLINE
from siturec.protocol.vocabulary import DIMENSIONS

JUDGED = tuple(f"judge.{name}" for name in DIMENSIONS)
COMPARED: Mapping[str, str] = {key: key for key in (*HEADLINE, *JUDGED)}
"""People against simulated users: every headline metric, and the seven dimensions by the same judge on both
sides (the paper's Table 4) beside each side's own rater."""


def humans_and_simulated(
    human: Ledger,
    simulated: Ledger,
    subset_of: Mapping[str, int] | None,
    *,
    wanted_width: float = WANTED_WIDTH,
) -> AgreementReport:
    """Assistants as people experienced them against assistants as simulated users did."""
    with_people, with_models = set(human.distinct("assistant")), set(simulated.distinct("assistant"))
    systems = sorted(with_people | with_models)
    absent = dict.fromkeys(sorted(with_models - with_people), "no episodes with people")
    absent |= dict.fromkeys(sorted(with_people - with_models), "no simulated episodes")
    return compare(
        people_side("human", human, systems, COMPARED),
        simulated_side("simulated", simulated, systems, COMPARED, subset_of),
        absent=absent,
        families=(DIMENSIONS, JUDGED),
        wanted_width=wanted_width,
    )


def questionnaire_and_judge(human: Ledger, *, wanted_width: float = WANTED_WIDTH) -> AgreementReport:
    """The questionnaire against the judge on the same episodes with people, resampled together."""
    systems = human.distinct("assistant")
    sides = [
        people_side(rater, human, systems, {name: f"{rater}.{name}" for name in DIMENSIONS})
        for rater in ("questionnaire", "judge")
    ]
    return compare(*sides, families=(DIMENSIONS,), resample_both=True, wanted_width=wanted_width)
