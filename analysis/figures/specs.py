"""The paper's figures in shape, from the data at hand, as Vega-Lite specifications."""

from math import cos, pi, sin

from analysis.figures import rows as data
from analysis.figures.theme import GRID, INK, QUIET, RAMP, TEAL, Rows, Spec, dashes, figure, ordered, shapes
from siturec.agreement.render import metric_name, sentence_size
from siturec.metrics.registry import INDEX, QUANTITIES
from siturec.protocol.vocabulary import DIMENSIONS

STACKED = {
    "field": "users",
    "type": "nominal",
    "header": {
        "title": None,
        "labelAngle": 0,
        "labelAnchor": "start",
        "labelOrient": "top",
        "labelPadding": 2,
    },
}
DARK_FROM = 70
"""From here on white is easier to read on the ramp than ink is: both have a contrast of about 4 there."""
UNITS = {"%": "%", "points": "1 to 5", "turns": "turns"}


def unit_of(metric: str) -> str:
    """A metric's unit as an axis shows it."""
    return UNITS.get(QUANTITIES[INDEX[metric]].unit, "")


def scatter(results: data.Results, metric: str) -> Spec:
    """Assistants' means with people against those with simulated users, each labelled, with the diagonal."""
    rows = data.scatter(results, metric)
    found = results["agreement"]["metrics"][metric]
    ends = [row[side] for row in rows for side in ("people", "simulated users")]
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    pad = 0.12 * (high - low or 1.0)
    domain = [low - pad, high + pad]
    scale = {"domain": domain, "nice": False, "zero": False}
    unit = unit_of(metric)
    axis = {"x": "people", "y": "simulated users"}
    encoding = {
        side: {"field": name, "type": "quantitative", "scale": scale, "axis": {"title": f"{name}, {unit}"}}
        for side, name in axis.items()
    }
    diagonal = [{"people": end, "simulated users": end} for end in domain]
    layers = [
        {
            "data": {"values": diagonal},
            "mark": {"type": "line", "color": GRID, "strokeDash": [4, 4]},
            "encoding": encoding,
        },
        {
            "data": {"values": rows},
            "mark": {"type": "point", "filled": True, "size": 110, "color": TEAL, "opacity": 1},
            "encoding": encoding,
        },
        {
            "data": {"values": rows},
            "mark": {"type": "text", "align": "left", "dx": 9, "dy": -7},
            "encoding": {**encoding, "text": {"field": "assistant"}},
        },
    ]
    title = f"{metric_name(metric)}: people against simulated users"
    left_out = ((found["leave_one_out"] or {}).get("pearson") or {}).get("range") or [None, None]
    subtitle = [sentence_size(found)]
    if None not in left_out:
        subtitle.append(f"r with one assistant left out: {left_out[0]:.2f} to {left_out[1]:.2f}")
    return figure(title, subtitle, {"width": 380, "height": 380, "layer": layers})


def _lines(rows: Rows, slugs: list[str], x: Spec, y: Spec, *, last: object) -> Spec:
    """Lines per assistant, labelled at their right end, one panel per group of users."""
    colour = {"field": "assistant", "type": "nominal", "scale": ordered(slugs), "legend": None}
    dash = {"field": "assistant", "type": "nominal", "scale": dashes(slugs), "legend": None}
    label = {"field": "label at", "type": "quantitative"}
    return {
        "data": {"values": _with_labels(rows, x["field"], y["field"], last)},
        "facet": {"field": "users", "type": "nominal", "header": {"title": None}},
        "spec": {
            "width": 360,
            "height": 260,
            "layer": [
                {
                    "mark": {"type": "line", "strokeWidth": 2},
                    "encoding": {"x": x, "y": y, "color": colour, "strokeDash": dash},
                },
                {
                    "transform": [{"filter": "isValid(datum['label at'])"}],
                    "mark": {"type": "text", "align": "left", "dx": 6},
                    "encoding": {"x": x, "y": label, "text": {"field": "assistant"}, "color": colour},
                },
            ],
        },
    }


def _with_labels(rows: Rows, x: str, y: str, last: object) -> Rows:
    """Rows whose ends carry the height of their label, moved apart so that none hides another."""
    values = [row[y] for row in rows]
    gap = 0.055 * ((max(values) - min(0, *values)) or 1.0) if values else 0.0
    placed: dict[tuple[str, str], float] = {}
    for group in {row["users"] for row in rows}:
        ends = [row for row in rows if row["users"] == group and row[x] == last]
        ends.sort(key=lambda row: (row[y], row["assistant"]))
        heights = spaced([row[y] for row in ends], gap)
        placed |= {(group, row["assistant"]): at for row, at in zip(ends, heights, strict=True)}
    return [
        {**row, "label at": placed[(row["users"], row["assistant"])] if row[x] == last else None}
        for row in rows
    ]


def spaced(heights: list[float], gap: float) -> list[float]:
    """Rising heights moved as little as can be (least squares) so that neighbours are a gap apart."""
    pools: list[tuple[float, int]] = []
    for at, height in enumerate(heights):
        mean, size = height - at * gap, 1
        # Neighbours that would overlap share one place and spread around it.
        while pools and pools[-1][0] > mean:
            other, count = pools.pop()
            mean, size = (other * count + mean * size) / (count + size), size + count
        pools.append((mean, size))
    places = [mean for mean, size in pools for _ in range(size)]
    return [place + at * gap for at, place in enumerate(places)]


def success_curve(results: data.Results) -> Spec:
    """Figure 4: how many had bought by each turn."""
    axis = {"title": "turns", "values": [1, 5, 10, 15, 20], "grid": False}
    x = {"field": "turn", "type": "quantitative", "axis": axis,
         "scale": {"domain": [1, 24], "nice": False}}  # fmt: skip
    y = {"field": "SR", "type": "quantitative", "axis": {"title": "bought by then, %"},
         "scale": {"domain": [0, 100]}}  # fmt: skip
    body = _lines(data.success_curve(results), data.slugs(results), x, y, last=20)
    return figure("Success by turn", "share of episodes that had bought within t turns", body)


def goal_visibility(results: data.Results) -> Spec:
    """Figures 7 and 8: how much sooner navigation goals come into view."""
    horizons = ["1", "2", "3", "4", "5", "End"]
    axis = {"title": "turns after the goal was named", "labelAngle": 0, "values": horizons}
    x = {"field": "horizon", "type": "ordinal", "scale": {"domain": [*horizons, " "]}, "axis": axis}
    y = {"field": "gain", "type": "quantitative", "axis": {"title": "gain over current view, points"}}
    body = _lines(data.goal_visibility(results), data.slugs(results), x, y, last="End")
    return figure("Goals that come into view", "CGV(h) - CGV(0), pooled over navigation goals", body)


def radar(results: data.Results) -> Spec:
    """Figure 3: the seven dimensions per assistant; people answered the questionnaire, models were judged."""
    slugs = data.slugs(results)
    names = [metric_name(dimension) for dimension in DIMENSIONS]
    angles = [2 * pi * at / len(names) for at in range(len(names))]
    spokes = [{"x": 0, "y": 0, "x2": sin(a), "y2": cos(a)} for a in angles]
    rings = [
        {"ring": score, "order": at, "x": (score - 1) / 4 * sin(a), "y": (score - 1) / 4 * cos(a)}
        for score in (2, 3, 4, 5)
        for at, a in enumerate([*angles, angles[0]])
    ]
    marks = [{"x": 0.02, "y": (score - 1) / 4, "text": str(score)} for score in (1, 2, 3, 4, 5)]
    labels = [
        {"x": 1.06 * sin(a), "y": 1.1 * cos(a), "text": name} for a, name in zip(angles, names, strict=True)
    ]
    sides = {"left": "datum.x > 0.2", "right": "datum.x < -0.2", "center": "abs(datum.x) <= 0.2"}
    reach = {"x": [-1.75, 1.75], "y": [-1.1, 1.2]}
    place = {
        side: {
            "field": side,
            "type": "quantitative",
            "axis": None,
            "scale": {"domain": domain, "nice": False},
        }
        for side, domain in reach.items()
    }
    legend = {"title": None, "orient": "bottom", "direction": "horizontal", "symbolSize": 160,
              "symbolStrokeWidth": 0}  # fmt: skip
    by: Spec = {"field": "assistant", "type": "nominal", "legend": legend}
    colour, shape = ({**by, "scale": scale} for scale in (ordered(slugs), shapes(slugs)))
    # In the legend the dashes would fray the marks.
    dash = {**by, "scale": dashes(slugs), "legend": None}
    text: Spec = {"type": "text", "fontSize": 12, "color": QUIET}
    named = {**place, "text": {"field": "text"}}
    words: list[Spec] = [
        {"data": {"values": labels}, "transform": [{"filter": test}], "encoding": named,
         "mark": {"align": align, **text, "color": INK}}
        for align, test in sides.items()
    ]  # fmt: skip
    layers: list[Spec] = [
        *words,
        {"data": {"values": rings}, "mark": {"type": "line", "color": GRID, "strokeWidth": 1},
         "encoding": {**place, "detail": {"field": "ring"}, "order": {"field": "order"}}},
        {"data": {"values": spokes}, "mark": {"type": "rule", "color": GRID},
         "encoding": {**place, "x2": {"field": "x2"}, "y2": {"field": "y2"}}},
        {"data": {"values": marks}, "mark": {**text, "align": "left"}, "encoding": named},
        {"mark": {"type": "line", "strokeWidth": 2}, "encoding": {
            **place, "color": colour, "strokeDash": dash, "order": {"field": "order"}}},
        {"mark": {"type": "point", "filled": True, "size": 60, "opacity": 1}, "encoding": {
            **place, "color": colour, "shape": shape}},
    ]  # fmt: skip
    body = {
        "data": {"values": data.radar(results)},
        "facet": {"field": "users", "type": "nominal", "header": {"title": None}},
        "spec": {"width": 420, "height": 276, "layer": layers},
    }
    return figure("Dialogue quality", "means from 1 (centre) to 5 (rim)", body)


def questionnaire_and_judge(results: data.Results) -> Spec:
    """Figure 5: what participants said and what the judge said of the same episodes."""
    rows = data.questionnaire_and_judge(results)
    x = {
        "field": "mean",
        "type": "quantitative",
        "scale": {"domain": [1, 5]},
        "axis": {"title": None, "values": [1, 2, 3, 4, 5]},
    }
    y = {"field": "assistant", "type": "nominal", "axis": {"title": None}}
    shape = {"field": "rater", "type": "nominal", "legend": {"title": None, "orient": "top"},
             "scale": {"domain": ["questionnaire", "judge"], "range": ["circle", "triangle-up"]}}  # fmt: skip
    colour = {"field": "rater", "type": "nominal", "legend": {"title": None, "orient": "top"},
              "scale": {"domain": ["questionnaire", "judge"], "range": [TEAL, "#b4531f"]}}  # fmt: skip
    body = {
        "data": {"values": rows},
        "facet": {"field": "dimension", "type": "nominal", "sort": list(map(metric_name, DIMENSIONS))},
        "columns": 3,
        "resolve": {"axis": {"x": "independent"}},
        "spec": {
            "width": 200,
            "height": {"step": 24},
            "layer": [
                {"mark": {"type": "line", "color": GRID, "strokeWidth": 3},
                 "encoding": {"x": x, "y": y, "detail": {"field": "assistant"}}},
                {"mark": {"type": "point", "filled": True, "size": 80, "opacity": 1},
                 "encoding": {"x": x, "y": y, "shape": shape, "color": colour}},
            ],
        },
    }  # fmt: skip
    return figure(
        "Questionnaire and judge on the same episodes", "means from 1 to 5, episodes with people", body
    )


def shares(results: data.Results, group: str, title: str, subtitle: str) -> Spec:
    """Figures 9 and 11: a distribution per assistant, every share written in its field."""
    rows = data.shares(results, group)
    x = {"field": "kind", "type": "nominal", "sort": None, "axis": {"title": None, "labelAngle": -35}}
    y = {"field": "assistant", "type": "nominal", "axis": {"title": None}}
    fill = {"field": "share", "type": "quantitative", "legend": None,
            "scale": {"domain": [0, 100], "range": list(RAMP)}}  # fmt: skip
    ink = {"condition": {"test": f"datum.share > {DARK_FROM}", "value": "#ffffff"}, "value": INK}
    body = {
        "data": {"values": rows},
        "facet": {"row": STACKED},
        "spec": {
            "width": {"step": 62},
            "height": {"step": 30},
            "layer": [
                {"mark": {"type": "rect", "stroke": "#ffffff"}, "encoding": {"x": x, "y": y, "color": fill}},
                {"mark": {"type": "text", "fontSize": 12}, "encoding": {
                    "x": x, "y": y, "text": {"field": "share", "format": ".0f"}, "color": ink}},
            ],
        },
    }  # fmt: skip
    return figure(title, subtitle, body)


def suggestions(results: data.Results) -> Spec:
    """Figure 10: what is suggested within Navigate (area) and how often the user does it (shade)."""
    x = {"field": "action", "type": "nominal", "axis": {"title": None, "labelAngle": -35}}
    y = {"field": "assistant", "type": "nominal", "axis": {"title": None}}
    # Legends over equal domains are drawn as one, which here would say something false.
    size = {"field": "share", "type": "quantitative", "scale": {"domain": [0, 101], "range": [0, 1600]},
            "legend": {"title": "suggested, %", "values": [10, 25, 50, 100], "symbolFillColor": "#ffffff",
                       "symbolStrokeColor": INK}}  # fmt: skip
    colour = {"field": "same action", "type": "quantitative",
              "scale": {"domain": [0, 100], "range": ["#cfdedc", TEAL]},
              "legend": {"title": "same action, %", "type": "gradient"}}  # fmt: skip
    body = {
        "data": {"values": data.suggestions(results)},
        "facet": {"row": STACKED},
        "spec": {"width": {"step": 62}, "height": {"step": 46},
                 "mark": {"type": "circle", "opacity": 1, "stroke": INK, "strokeWidth": 0.5},
                 "encoding": {"x": x, "y": y, "size": size, "color": colour}},
    }  # fmt: skip
    return figure(
        "Suggested actions within Navigate", "area: how often suggested; shade: how often done", body
    )
