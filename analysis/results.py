"""The results of a study or of two files, computed from ledgers; what pages, reports and the API show."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from siturec.agreement.build import humans_and_simulated, questionnaire_and_judge
from siturec.agreement.controls import Controls, planted_controls
from siturec.agreement.raters import rater_reliability
from siturec.agreement.realism import RealismPanel, realism_panel
from siturec.agreement.render import as_json, reliability_json, sentence
from siturec.agreement.report import WANTED_WIDTH, AgreementReport
from siturec.agreement.simulators import Rivals
from siturec.metrics.ledger import Ledger

CONTROL_METRICS = ("SR", "RPR", "overall_satisfaction", "judge.overall_satisfaction")


@dataclass(frozen=True)
class BothReports:
    """The paper's two comparisons."""

    simulated: AgreementReport
    judge: AgreementReport


def both_reports(
    human: Ledger,
    simulated: Ledger,
    subset_of: Mapping[str, int] | None,
    *,
    wanted_width: float = WANTED_WIDTH,
) -> BothReports:
    """People against simulated users, and questionnaire against judge on the people's episodes."""
    return BothReports(
        simulated=humans_and_simulated(human, simulated, subset_of, wanted_width=wanted_width),
        judge=questionnaire_and_judge(human, wanted_width=wanted_width),
    )


def agreement_json(
    reports: BothReports,
    human: Ledger,
    simulated: Ledger,
    *,
    bad: tuple[str, ...] = (),
    twins: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Both comparisons, rater reliability, behaviour and planted controls as JSON-able data."""
    data = as_json(reports.simulated)
    data["sentences"] = {metric: sentence(found) for metric, found in reports.simulated.metrics.items()}
    data["questionnaire_vs_judge"] = as_json(reports.judge)
    data["reliability"] = reliability_json(rater_reliability(human))
    data["realism"] = realism_json(realism_panel(human, simulated))
    sides = (reports.simulated.left, reports.simulated.right)
    data["controls"] = controls_json(planted_controls(sides, CONTROL_METRICS, bad=bad, twins=twins))
    return data


def rivals_json(rivals: Mapping[str, Rivals]) -> dict[str, Any]:
    """Two simulated users against the same people as JSON-able data."""
    return {
        metric: {
            "n": found.systems,
            "tasks": found.tasks,
            "first": found.found and found.found.first,
            "second": found.found and found.found.second,
            "difference": found.found and found.found.difference,
            "p": found.found and found.found.p,
            "williams": found.williams and found.williams._asdict(),
        }
        for metric, found in rivals.items()
    }


def realism_json(panel: RealismPanel) -> dict[str, Any]:
    """The behaviour panel as JSON-able data."""
    return {
        "assistants": list(panel.assistants),
        "measures": [{**asdict(gap), "difference": gap.difference} for gap in panel.measures],
        "mixes": [asdict(gap) for gap in panel.mixes],
    }


def controls_json(controls: Controls) -> dict[str, Any]:
    """The planted controls as JSON-able data."""
    return {"bad": [asdict(found) for found in controls.bad], "twins": [asdict(f) for f in controls.twins]}
