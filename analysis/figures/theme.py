"""One look for every figure: readable in grey, labelled in place, numbers beside marks where they fit."""

from textwrap import wrap
from typing import Any

Spec = dict[str, Any]
Rows = list[dict[str, Any]]

INK, QUIET, GRID = "#16211f", "#4a5855", "#d5dbd9"
TEAL, RUST = "#0c5f5a", "#b4531f"
# Distinct in hue and in lightness, so that a grey print still tells neighbours apart.
SERIES = ("#0c5f5a", "#b4531f", "#3d4f9f", "#8a6d00", "#8f2d62", "#2f7d32", "#55606b", "#1f8fb3")
DASHES = ([1, 0], [6, 3], [2, 2], [9, 3, 2, 3], [12, 3], [1, 4], [5, 2, 1, 2, 1, 2], [3, 5])
SHAPES = (
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "cross",
    "triangle-down",
    "triangle-right",
    "triangle-left",
)
LINE = 64
"""How many characters of a subtitle are as wide as the smallest figure."""
RAMP = ("#eef5f4", "#0c5f5a")

CONFIG: Spec = {
    "background": "#ffffff",
    "font": "Liberation Sans, Arial, sans-serif",
    "padding": 12,
    "view": {"stroke": None},
    "title": {"anchor": "start", "fontSize": 15, "fontWeight": 600, "color": INK, "offset": 12,
              "subtitleColor": QUIET, "subtitleFontSize": 12, "subtitlePadding": 4},
    "axis": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "labelColor": INK,
             "titleColor": QUIET, "gridColor": GRID, "domainColor": "#7d8b88", "tickColor": "#7d8b88",
             "labelLimit": 220},
    "header": {"labelFontSize": 13, "labelFontWeight": 600, "labelColor": INK, "title": None},
    "legend": {"labelFontSize": 12, "titleFontSize": 12, "labelColor": INK, "titleColor": QUIET},
    "text": {"fontSize": 12, "color": INK},
    "mark": {"tooltip": True},
}  # fmt: skip


def figure(title: str, subtitle: str | list[str], body: Spec) -> Spec:
    """A whole specification: a title that says what is shown, a line or more under it, the common look."""
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "title": {"text": title, "subtitle": subtitle},
        "config": CONFIG,
        **body,
    }


def with_line(spec: Spec, line: str) -> Spec:
    """The figure with one more line under its title, broken where it would be wider than a small figure."""
    title = spec["title"]
    above = [title["subtitle"]] if isinstance(title["subtitle"], str) else title["subtitle"]
    return {**spec, "title": {**title, "subtitle": [*above, *wrap(line, LINE)]}}


def ordered(slugs: list[str]) -> dict[str, Any]:
    """A colour scale over assistants that stays the same in every figure of a study."""
    return {"domain": slugs, "range": [SERIES[at % len(SERIES)] for at in range(len(slugs))]}


def dashes(slugs: list[str]) -> dict[str, Any]:
    """The matching dash patterns, for print without colour."""
    return {"domain": slugs, "range": [DASHES[at % len(DASHES)] for at in range(len(slugs))]}


def shapes(slugs: list[str]) -> dict[str, Any]:
    """The matching marks."""
    return {"domain": slugs, "range": [SHAPES[at % len(SHAPES)] for at in range(len(slugs))]}
