"""From what a form sends to answers, by an instrument's rules. Pure: the same for a page and an import."""

import random
from collections.abc import Mapping, Sequence
from typing import Literal

from siturec.protocol.given import storable
from siturec.protocol.messages import Shape
from siturec.survey.items import POINTS, InstrumentSpec, ItemSpec, Wording

TEXT_LIMIT = 4000
Fault = Literal["missing", "not_a_point", "too_long"]


class AnswerValue(Shape):
    """One answer. Both ``value`` and ``text`` empty means the item was left out, which is never a score."""

    key: str
    dimension: str = ""
    value: int | None = None
    text: str = ""


class Reading(Shape):
    """What a form's fields mean; ``faults`` by item key, empty when all is in order."""

    answers: tuple[AnswerValue, ...]
    faults: dict[str, Fault]
    failed_checks: tuple[str, ...] = ()


def read_answers(
    items: Sequence[ItemSpec], given: Mapping[str, str], *, missing_allowed: bool = False
) -> Reading:
    """Read a form: scales are whole points 1 to 5; a check must be answered even where others may not."""
    answers: list[AnswerValue] = []
    faults: dict[str, Fault] = {}
    failed: list[str] = []
    for item in items:
        raw = storable(given.get(item.key, "")).strip()
        answer, fault = _read(item, raw)
        needed = item.kind == "check" or (item.required and not missing_allowed)
        if not raw and needed:
            fault = "missing"
        if fault is not None:
            faults[item.key] = fault
        elif item.kind == "check" and answer.value != item.expected:
            failed.append(item.key)
        answers.append(answer)
    return Reading(answers=tuple(answers), faults=faults, failed_checks=tuple(failed))


def _read(item: ItemSpec, raw: str) -> tuple[AnswerValue, Fault | None]:
    empty = AnswerValue(key=item.key, dimension=item.dimension)
    if not raw:
        return empty, None
    if item.kind == "text":
        return (
            (empty, "too_long") if len(raw) > TEXT_LIMIT else (empty.model_copy(update={"text": raw}), None)
        )
    if raw not in {str(point) for point in POINTS}:
        return empty, "not_a_point"
    return empty.model_copy(update={"value": int(raw)}), None


def item_order(instrument: InstrumentSpec, *, seed: str) -> tuple[str, ...]:
    """The keys in the order to be shown: the instrument's own, or a deal that ``seed`` alone decides."""
    keys = [item.key for item in instrument.items]
    if instrument.shuffle:
        random.Random(f"{instrument.slug}:{seed}").shuffle(keys)  # noqa: S311
    return tuple(keys)


def wording(item: ItemSpec, language: str) -> Wording:
    """An item's words in a language: that one, its base, English, or the first there is."""
    for name in (language, language.split("-")[0], "en"):
        if name in item.words:
            return item.words[name]
    return next(iter(item.words.values()))
