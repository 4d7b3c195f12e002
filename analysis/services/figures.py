"""Drawing figures once per state of the data, for pages and reports alike."""

from collections.abc import Mapping
from typing import Any

from analysis.figures.pictures import CONTENT_TYPES, Figure, converted, drawing
from analysis.filters import Filters
from analysis.services.computing import FIGURES, Body, computed_body
from sessions.models import Study


def figure_body(
    *, study: Study, figure: Figure, form: str, filters: Filters, results: Mapping[str, Any]
) -> Body:
    """A figure's bytes and content type, kept for this state of the data. Raises: KeyError for the form."""
    content_type = CONTENT_TYPES[form]

    def make() -> Body:
        if form in ("svg", "json"):
            return drawing(figure.drawn(results), form), content_type
        svg, _ = figure_body(study=study, figure=figure, form="svg", filters=filters, results=results)
        return converted(svg, form), content_type

    return computed_body(
        study=study,
        key=f"{FIGURES}{figure.name}.{form}?{filters.query}",
        version=results["data_version"],
        make=make,
    )
