"""An agreement report as JSON-able data, as flat rows, as LaTeX, and as one sentence."""

from collections.abc import Mapping
from typing import Any

from siturec.agreement.raters import RaterReliability
from siturec.agreement.report import AgreementReport, Coefficients, MetricAgreement
from siturec.agreement.sides import Side
from siturec.metrics.registry import SCORING_VERSION
from siturec.protocol.vocabulary import DIMENSIONS

RHO = "\N{GREEK SMALL LETTER RHO}"
UNDEFINED_WORDS = {
    "too_few_systems": "fewer than 3 assistants have both values",
    "constant_human": "all assistants have the same human mean",
    "constant_simulated": "all assistants have the same simulated mean",
    "missing_side": "one side has no values at all",
    "all_tied": "neither side tells the assistants apart",
}
CSV_COLUMNS = (
    "metric", "n", "pearson", "pearson_p", "pearson_holm", "pearson_low", "pearson_high", "spearman",
    "spearman_p", "spearman_holm", "spearman_low", "spearman_high", "kendall", "kendall_p", "kendall_holm",
    "pairwise_accuracy", "soft_pairwise_accuracy",
    "bias", "mae", "rmse", "ccc", "icc_a1", "loo_pearson_low", "loo_pearson_high", "rests_on", "outliers",
    "reliability_human", "reliability_simulated", "ceiling", "more_participants", "undefined", "dropped",
    "participants", "episodes_human", "episodes_simulated",
)  # fmt: skip


def as_json(report: AgreementReport) -> dict[str, Any]:
    """The whole report; ``metrics`` maps each metric to its values, absent ones null with ``undefined``."""
    return {
        "scoring_version": SCORING_VERSION,
        "assistants": list(report.left.systems),
        "absent": dict(report.absent),
        report.left.name: _side(report.left),
        report.right.name: _side(report.right),
        "metrics": {
            metric: metric_json(found, report.left, report.right) for metric, found in report.metrics.items()
        },
    }


def metric_json(found: MetricAgreement, left_side: Side, right_side: Side) -> dict[str, Any]:
    """One metric's agreement as JSON-able data, and how many participants and episodes it rests on."""
    left, right = left_side.name, right_side.name
    row: dict[str, Any] = {"n": found.n, "participants": found.participants}
    row["episodes"] = dict(zip((left, right), found.episodes, strict=True))
    row["undefined"] = found.undefined
    row |= _coefficients(found.coefficients)
    row["holm"] = dict(found.holm)
    row["intervals"] = {
        name: {
            "low": interval.low,
            "high": interval.high,
            "resamples": interval.resamples,
            "undefined_share": interval.undefined_share,
        }
        for name, interval in found.intervals.items()
    }
    row["no_interval"] = found.no_interval
    row["pairwise_accuracy"] = None if found.pairs is None else found.pairs.accuracy
    row["tau23"] = None if found.pairs is None else found.pairs.tau23
    row["soft_pairwise_accuracy"] = found.soft_pairwise_accuracy
    for name in ("bias", "mae", "rmse", "ccc", "icc_a1"):
        row[name] = None if found.level is None else getattr(found.level, name)
    row["reliability"] = {left: found.reliability[0], right: found.reliability[1]}
    row["ceiling"] = found.ceiling
    row["more_participants"] = found.more_participants
    row["means"] = {left: dict(found.left), right: dict(found.right)}
    row["balanced_means"] = {left: dict(found.left_balanced)}
    row["mean_of"] = {left: "episodes", right: found.right_mean_of}
    row["dropped"] = dict(found.dropped)
    return row


def _coefficients(found: Coefficients | None) -> dict[str, Any]:
    if found is None:
        empty: dict[str, Any] = dict.fromkeys(
            ("pearson", "spearman", "kendall", "p", "fisher", "leave_one_out", "rests_on")
        )
        return {**empty, "outliers": []}
    left_out = found.left_out
    return {
        "pearson": found.pearson,
        "spearman": found.spearman,
        "kendall": found.kendall,
        "p": None
        if found.p is None
        else {
            "pearson": found.p.pearson,
            "spearman": found.p.spearman,
            "kendall": found.p.kendall,
            "method": found.p.method,
            "pairings": found.p.pairings,
        },
        "fisher": None if found.fisher is None else list(found.fisher),
        "leave_one_out": {
            name: {
                "range": _listed(left_out.range_of(name)),
                "without": dict(zip(left_out.without, getattr(left_out, name), strict=True)),
            }
            for name in ("pearson", "spearman")
        },
        "rests_on": found.rests_on,
        "outliers": list(found.outliers),
    }


def _listed(pair: tuple[float, float] | None) -> list[float] | None:
    return None if pair is None else list(pair)


def _side(side: Side) -> dict[str, Any]:
    return {
        "episodes": dict(zip(side.systems, side.episodes, strict=True)),
        "excluded": {
            system: dict(reasons)
            for system, reasons in zip(side.systems, side.excluded, strict=True)
            if reasons
        },
        "participants": side.participants,
    }


def reliability_json(found: RaterReliability) -> dict[str, Any]:
    """Inter-rater reliability as JSON-able data."""
    return {
        "krippendorff_ordinal": dict(found.alpha),
        "icc": {name: None if icc is None else icc._asdict() for name, icc in found.icc.items()},
        "cronbach": found.cronbach,
        "units_rated_twice": found.units,
        "complete_questionnaires": found.questionnaires,
    }


def as_rows(report: AgreementReport) -> list[dict[str, Any]]:
    """One flat row per metric, keyed by ``CSV_COLUMNS``; None where undefined."""
    return [_row(found) for found in report.metrics.values()]


def _row(found: MetricAgreement) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(CSV_COLUMNS)
    row |= {"metric": found.metric, "n": found.n, "undefined": found.undefined}
    row["participants"] = found.participants
    row["episodes_human"], row["episodes_simulated"] = found.episodes
    coefficients = found.coefficients
    if coefficients is not None:
        for name in ("pearson", "spearman", "kendall"):
            row[name] = getattr(coefficients, name)
            if coefficients.p is not None:
                row[f"{name}_p"] = getattr(coefficients.p, name)
                row[f"{name}_holm"] = found.holm.get(name)
        for name, interval in found.intervals.items():
            if name != "kendall":
                row[f"{name}_low"], row[f"{name}_high"] = interval.low, interval.high
        if (reach := coefficients.left_out.range_of("pearson")) is not None:
            row["loo_pearson_low"], row["loo_pearson_high"] = reach
        row["rests_on"] = coefficients.rests_on
        row["outliers"] = " ".join(coefficients.outliers) or None
    if found.level is not None:
        row |= {name: getattr(found.level, name) for name in ("bias", "mae", "rmse", "ccc", "icc_a1")}
    row["pairwise_accuracy"] = None if found.pairs is None else found.pairs.accuracy
    row["soft_pairwise_accuracy"] = found.soft_pairwise_accuracy
    row["reliability_human"], row["reliability_simulated"] = found.reliability
    row["ceiling"] = found.ceiling
    row["more_participants"] = found.more_participants
    row["dropped"] = "; ".join(f"{system}: {why}" for system, why in found.dropped.items()) or None
    return row


def metric_name(metric: str) -> str:
    """A metric's name for people: ``preference_alignment`` becomes ``Preference alignment``."""
    rater, _, dimension = metric.rpartition(".")
    if dimension not in DIMENSIONS:
        return metric
    words = dimension.replace("non_repetition", "non-repetition").replace("_", " ").capitalize()
    return f"{words} ({rater})" if rater else words


def sentence(found: MetricAgreement, left: str = "people", right: str = "simulated users") -> str:
    """The agreement on one metric in plain words, with rho, exact p and n."""
    name = metric_name(found.metric)
    if found.coefficients is None:
        why = UNDEFINED_WORDS[str(found.undefined)]
        return f"{name}: agreement between {left} and {right} is not defined, because {why}."
    rho, p = found.coefficients.spearman, found.coefficients.p
    size = f"n = {found.n} assistants"
    if p is None:
        return (
            f"{name}: {right} rank the {found.n} assistants {_likeness(rho)} {left} do "
            f"({RHO} = {rho:.2f}, {size}): a description only, {found.n} are too few for a test."
        )
    kind = "exact p" if p.method == "exact" else "p"
    if p.spearman < 0.05:
        verdict = "more than chance would give"
    else:
        verdict = "too few assistants to be sure" if abs(rho) >= 0.3 else "chance would do as well"
    tail = ""
    if found.coefficients.rests_on is not None:
        tail = (
            f" Pearson's r ({found.coefficients.pearson:.2f}) rests on {found.coefficients.rests_on} alone."
        )
    return (
        f"{name}: {right} rank the {found.n} assistants {_likeness(rho)} {left} do "
        f"({RHO} = {rho:.2f}, {kind} = {p.spearman:.3g}, {size}): {verdict}.{tail}"
    )


def sentence_size(found: Mapping[str, Any]) -> str:
    """The coefficients of one metric (as ``metric_json`` gives it) with p and n, in a line."""
    if found["undefined"] is not None:
        return f"n = {found['n']}: not defined, {UNDEFINED_WORDS[found['undefined']]}"
    p = found["p"]
    shown = [f"r = {found['pearson']:.2f}", f"{RHO} = {found['spearman']:.2f}", f"n = {found['n']}"]
    if p is not None:
        shown[0] += f" (p = {p['pearson']:.3g})"
        shown[1] += f" (p = {p['spearman']:.3g})"
    return ", ".join(shown)


def _likeness(rho: float) -> str:
    for bound, words in ((0.9, "almost exactly as"), (0.6, "much as"), (0.3, "somewhat as")):
        if rho >= bound:
            return words
    return "in no clear relation to how" if rho > -0.3 else "in the opposite order to how"


def as_latex(report: AgreementReport, *, caption: str = "") -> str:
    """A booktabs table: metric, n, r, rho, tau with exact p, pairwise accuracy, bias."""
    head = r"Metric & $n$ & $r$ & $p_r$ & $\rho$ & $p_\rho$ & $\tau_b$ & PA & SPA & Bias \\"
    lines = [r"\begin{table}", r"\centering"]
    if caption:
        lines.append(rf"\caption{{{latex_text(caption)}}}")
    lines += [r"\begin{tabular}{lrrrrrrrrr}", r"\toprule", head, r"\midrule"]
    for row, found in zip(as_rows(report), report.metrics.values(), strict=True):
        cells = [latex_text(metric_name(found.metric)), str(found.n)]
        if found.undefined is not None:
            cells.append(rf"\multicolumn{{5}}{{l}}{{{latex_text(UNDEFINED_WORDS[found.undefined])}}}")
        else:
            names = ("pearson", "pearson_p", "spearman", "spearman_p", "kendall")
            cells += [latex_number(row[name]) for name in names]
        cells += [latex_number(row[name]) for name in ("pairwise_accuracy", "soft_pairwise_accuracy", "bias")]
        lines.append(" & ".join(cells) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}", r"\end{table}", ""]
    return "\n".join(lines)


_LATEX: Mapping[str, str] = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "|": r"\textbar{}",
    "<": r"\textless{}", ">": r"\textgreater{}",
    "\N{GREEK SMALL LETTER RHO}": r"$\rho$", "\N{GREEK SMALL LETTER TAU}": r"$\tau$", "\N{MINUS SIGN}": "$-$",
    "\N{PLUS-MINUS SIGN}": r"$\pm$", "\N{MULTIPLICATION SIGN}": r"$\times$",
}  # fmt: skip


def latex_text(text: str) -> str:
    """Text with every character that LaTeX would act on made literal; signs pdfLaTeX lacks in maths mode."""
    return "".join(_LATEX.get(character, character) for character in text)


def latex_number(value: float | None, digits: int = 3) -> str:
    """A number in maths mode (so that a minus is a minus), or a dash for a missing one."""
    return "--" if value is None else f"${value:.{digits}f}$"
