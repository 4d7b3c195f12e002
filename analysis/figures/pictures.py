"""Every figure of a study by name, as SVG, PNG or PDF, made without a browser or a network."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.metadata import version

import orjson
import vl_convert

from analysis.figures import rows as data
from analysis.figures import specs
from analysis.figures.theme import Rows, Spec, with_line
from analysis.selectors.raters import judges_sentence
from siturec.agreement.build import COMPARED, JUDGED
from siturec.agreement.render import metric_name
from siturec.protocol.vocabulary import DIMENSIONS

CONTENT_TYPES = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "pdf": "application/pdf",
    "json": "application/json",
}
FILES = ("svg", "png", "pdf")
PIXELS_PER_POINT = 2.0


@dataclass(frozen=True)
class Figure:
    """A figure: its name in addresses, what it shows in a sentence, its specification and its rows."""

    name: str
    shows: str
    spec: Callable[[data.Results], Spec]
    rows: Callable[[data.Results], Rows]
    judged: bool = False
    """Whether scores of a judge are in it."""

    def drawn(self, results: data.Results) -> Spec:
        """The specification; where a judge's scores are in it, the picture itself names the judge."""
        spec, said = self.spec(results), judges_sentence(results["judges"]) if self.judged else ""
        return with_line(spec, said) if said else spec


FIGURES: dict[str, Figure] = {
    figure.name: figure
    for figure in (
        Figure("success-by-turn", "Success by turn, per assistant", specs.success_curve, data.success_curve),
        Figure(
            "dialogue-quality", "The seven ratings, per assistant", specs.radar, data.ratings, judged=True
        ),
        Figure(
            "questionnaire-and-judge",
            "What participants and the judge said of the same episodes",
            specs.questionnaire_and_judge,
            data.questionnaire_and_judge,
            judged=True,
        ),
        Figure(
            "goal-visibility",
            "How many navigation goals come into view within some turns",
            specs.goal_visibility,
            data.goal_visibility,
        ),
        Figure(
            "assistant-acts",
            "What kinds of turns assistants take",
            partial(specs.shares, group="acts", title="Assistant acts", subtitle="share of turns, %"),
            partial(data.shares, group="acts"),
        ),
        Figure(
            "suggested-actions",
            "What assistants suggest within Navigate, and how often users do it",
            specs.suggestions,
            data.suggestions,
        ),
        Figure(
            "user-actions",
            "What users do",
            partial(specs.shares, group="user_tools", title="User actions", subtitle="share of turns, %"),
            partial(data.shares, group="user_tools"),
        ),
        Figure(
            "endings",
            "How episodes end",
            partial(specs.shares, group="end_reasons", title="Endings", subtitle="share of episodes, %"),
            partial(data.shares, group="end_reasons"),
        ),
        *(
            Figure(
                f"scatter-{re.sub('[^a-z0-9]+', '-', metric.lower()).strip('-')}",
                f"{metric_name(metric)}: people against simulated users",
                partial(specs.scatter, metric=metric),
                partial(data.scatter, metric=metric),
                judged=metric in DIMENSIONS or metric in JUDGED,
            )
            for metric in COMPARED
        ),
    )
}
SCATTER_OF = {
    metric: f"scatter-{re.sub('[^a-z0-9]+', '-', metric.lower()).strip('-')}" for metric in COMPARED
}


@lru_cache(maxsize=1)
def chart_runtime() -> bytes:
    """Vega, Vega-Lite and Vega-Embed as one script, out of the library that also draws the pictures."""
    return str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")).encode()


RUNTIME_VERSION = version("vl-convert-python")


def drawing(spec: Spec, form: str) -> bytes:
    """A specification as ``svg`` or as its own ``json``."""
    text = orjson.dumps(spec).decode()
    return text.encode() if form == "json" else str(vl_convert.vegalite_to_svg(text)).encode()


def converted(svg: bytes, form: str) -> bytes:
    """A drawing as ``png`` (two pixels a point) or ``pdf``; much quicker than drawing it again.

    Raises: KeyError for any other form.
    """
    if form == "png":
        return bytes(vl_convert.svg_to_png(svg.decode(), scale=PIXELS_PER_POINT))
    if form == "pdf":
        return bytes(vl_convert.svg_to_pdf(svg.decode()))
    raise KeyError(form)
