"""Every measured quantity, as a numerator and a denominator that episodes add to.

A mean over eligible episodes has value/1 per eligible episode and 0/0 otherwise; an event-pooled share has
its event counts. Sums of such pairs over any set of episodes give that set's value, so that one pass over
a stream serves cohorts, subsets, cells and resampling alike. A zero denominator is "no value", never 0.
"""

from dataclasses import dataclass
from typing import Literal

from siturec.metrics.outcome import CURVE_TURNS
from siturec.metrics.visibility import HORIZONS
from siturec.protocol.vocabulary import DIALOGUE_ACTS, DIMENSIONS, OUT_OF_METRICS, EndReason, ToolName
from siturec.protocol.vocabulary import TOOLS as TOOLS_BY_KIND

SCORING_VERSION = "1"
"""Names the rules below. A changed rule is a new version; stored scores name the version that made them."""

Unit = Literal["%", "turns", "points", "words", "m", "share"]
Need = Literal["nothing", "kind", "catalog", "places"]


@dataclass(frozen=True)
class Quantity:
    """One measured quantity: value = scale x sum(numerator) / sum(denominator).

    ``pooled``: the denominator counts events, not episodes.
    """

    key: str
    scale: float
    unit: Unit
    meaning: str
    needs: Need = "nothing"
    pooled: bool = False


TOOLS: tuple[ToolName, ...] = tuple(dict.fromkeys(tool for tools in TOOLS_BY_KIND.values() for tool in tools))
END_REASONS: tuple[str, ...] = tuple(reason.value for reason in EndReason if reason not in OUT_OF_METRICS)
HORIZON_NAMES: tuple[str, ...] = (*(str(h) for h in HORIZONS), "End")

OUTCOME = (
    Quantity("SR", 100, "%", "episodes whose final cart is not empty"),
    Quantity("Turn", 1, "turns", "distinct recorded turns per episode"),
    Quantity("AFR", 100, "%", "expected tools that the user used", needs="kind"),
    Quantity("LNSR", 100, "%", "expected tools and local parameters that the user used", needs="kind"),
    Quantity("R@5", 100, "%", "final-cart products among the first five ranked"),
    Quantity("NDCG@10", 100, "%", "rank-discounted gain of final-cart products in the first ten"),
    Quantity("RPR", 100, "%", "episodes whose purchase is a reference item"),
    Quantity("RPR|Cart", 100, "%", "purchases that are a reference item"),
    Quantity("R-MRR@10", 100, "%", "reciprocal rank of the first reference item in the first ten"),
    Quantity("Catalog%", 100, "%", "ranked entries that are in the catalog", needs="catalog", pooled=True),
)
RATED = tuple(
    Quantity(f"{rater}.{name}", 1, "points", f"{name.replace('_', ' ')}, 1 to 5, by the {rater}")
    for rater in ("questionnaire", "judge")
    for name in DIMENSIONS
)
OWN_RATED = tuple(
    Quantity(name, 1, "points", f"{name.replace('_', ' ')}, 1 to 5: questionnaire of people, judge of models")
    for name in DIMENSIONS
)
CURVE = tuple(Quantity(f"SR({t})", 100, "%", f"bought within {t} turns") for t in CURVE_TURNS)
CGV = tuple(
    Quantity(f"CGV({h})", 100, "%", f"navigation goals seen by horizon {h}", needs="places", pooled=True)
    for h in HORIZON_NAMES
)
ACTS = tuple(
    Quantity(f"act:{act}", 100, "%", f"assistant turns annotated {act}", pooled=True) for act in DIALOGUE_ACTS
)
USED = tuple(Quantity(f"tool:{tool}", 100, "%", f"user turns with {tool}", pooled=True) for tool in TOOLS)
SUGGESTED = tuple(
    Quantity(f"suggested:{tool}", 100, "%", f"Navigate turns that expect {tool}", needs="kind", pooled=True)
    for tool in TOOLS
)
SAME = tuple(
    Quantity(
        f"same:{tool}",
        100,
        "%",
        f"Navigate turns expecting {tool} where the user did so",
        needs="kind",
        pooled=True,
    )
    for tool in TOOLS
)
ENDS = tuple(Quantity(f"end:{reason}", 100, "%", f"episodes ended by {reason}") for reason in END_REASONS)
MANNER = (
    Quantity("user_words", 1, "words", "words per non-empty reply", pooled=True),
    Quantity("assistant_words", 1, "words", "words per utterance", pooled=True),
    Quantity("silent_replies", 100, "%", "turns with an empty reply", pooled=True),
    Quantity("refused_calls", 100, "%", "tool calls that were refused or failed", pooled=True),
    Quantity("walked_m", 1, "m", "metres walked per episode"),
)

QUANTITIES: tuple[Quantity, ...] = (
    *OUTCOME, *OWN_RATED, *RATED, *CURVE, *CGV, *ACTS, *USED, *SUGGESTED, *SAME, *ENDS, *MANNER,
)  # fmt: skip
INDEX: dict[str, int] = {quantity.key: at for at, quantity in enumerate(QUANTITIES)}
HEADLINE: tuple[str, ...] = (*(quantity.key for quantity in OUTCOME), *DIMENSIONS)
"""The metrics of tables and of agreement, in their order."""


def span(group: tuple[Quantity, ...]) -> slice:
    """Where a group stands in the vectors."""
    start = INDEX[group[0].key]
    return slice(start, start + len(group))
