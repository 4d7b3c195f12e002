"""Reading instruments, sheets and ratings."""

import hashlib
from dataclasses import dataclass
from typing import Any

import orjson
from django.db.models import QuerySet

from questionnaire.models import Instrument, Rating, Sheet
from sessions.models import Episode
from sessions.selectors import design_of
from siturec.protocol.study import AttentionCheck, StudyConfig
from siturec.protocol.vocabulary import DIMENSIONS
from siturec.survey.items import INSTRUMENTS, InstrumentSpec, ItemSpec, Wording


class UnknownInstrument(Exception):
    """A study names an instrument that does not exist."""


@dataclass(frozen=True)
class Questions:
    """What is asked about one episode: the instrument's items and the checks that fall on this episode."""

    instrument: InstrumentSpec
    items: tuple[ItemSpec, ...]
    missing_allowed: bool

    @property
    def digest(self) -> str:
        """SHA-256 over the items as data."""
        body = [item.model_dump(mode="json") for item in self.items]
        return hashlib.sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS)).hexdigest()

    def in_order(self, keys: list[str]) -> tuple[ItemSpec, ...]:
        """The items in the order of a sheet; one the sheet does not know comes last."""
        place = {key: index for index, key in enumerate(keys)}
        return tuple(sorted(self.items, key=lambda item: place.get(item.key, len(place))))


def instrument_spec(slug: str) -> InstrumentSpec:
    """The instrument of this slug: an edited one first, else the one that ships.

    Raises: UnknownInstrument.
    """
    row = Instrument.objects.prefetch_related("items").filter(slug=slug).first()
    if row is not None and row.items.exists():
        return row.spec
    if slug in INSTRUMENTS:
        return INSTRUMENTS[slug]
    raise UnknownInstrument(f"no instrument '{slug}'; there are: {', '.join(instrument_slugs())}")


def instrument_slugs() -> list[str]:
    """Every instrument a study can name."""
    return sorted(set(INSTRUMENTS) | set(Instrument.objects.values_list("slug", flat=True)))


def questions_for(episode: Episode) -> Questions:
    """What is asked after this episode; the default instrument where it belongs to no study."""
    design = design_of(episode.study, episode.study_version) if episode.study is not None else None
    slug = design.instrument if design is not None else next(iter(INSTRUMENTS))
    instrument = instrument_spec(slug)
    return Questions(
        instrument=instrument,
        items=_with_checks(instrument.items, _checks(design, _number(episode))),
        missing_allowed=design.missing_allowed if design is not None else False,
    )


def _number(episode: Episode) -> int:
    """Which of the participant's interactions this is, from 1."""
    return Episode.objects.filter(participant=episode.participant, position__lte=episode.position).count()


def _checks(design: StudyConfig | None, number: int) -> list[ItemSpec]:
    if design is None:
        return []
    return [
        _check(index, check)
        for index, check in enumerate(design.attention_checks, start=1)
        if check.after_episode == number
    ]


def _check(index: int, check: AttentionCheck) -> ItemSpec:
    words = Wording(title="", text=check.text, anchors=("1", "2", "3", "4", "5"))
    return ItemSpec(key=f"check-{index}", kind="check", expected=check.expected, words={"en": words})


def _with_checks(items: tuple[ItemSpec, ...], checks: list[ItemSpec]) -> tuple[ItemSpec, ...]:
    """Checks stand among the items, not at an edge where they are noticed at once."""
    middle = (len(items) + 1) // 2
    return (*items[:middle], *checks, *items[middle:])


def sheet_of(episode: Episode) -> Sheet | None:
    """The episode's sheet with its answers, or None when it was never opened."""
    return Sheet.objects.prefetch_related("answers").filter(episode=episode).first()


def failed_checks(participant_id: int) -> int:
    """How many attention checks a participant has answered wrongly so far."""
    count = 0
    sheets = Sheet.objects.filter(episode__participant_id=participant_id).exclude(submitted_at=None)
    for sheet in sheets.select_related("episode__study", "episode__participant").prefetch_related("answers"):
        expected = {i.key: i.expected for i in questions_for(sheet.episode).items if i.kind == "check"}
        count += sum(1 for a in sheet.answers.all() if a.key in expected and a.value != expected[a.key])
    return count


def ratings_of(episode: Episode, rater_kind: str) -> dict[str, int | None] | None:
    """Scores by dimension as the trajectory holds them, or None when this kind of rater gave none.

    Of several judges the one who came last speaks alone.
    """
    rows = list(Rating.objects.filter(episode=episode, rater_kind=rater_kind).order_by("pk"))
    if not rows:
        return None
    found = {row.dimension: row.score for row in rows if row.rater == rows[-1].rater}
    return {dimension: found.get(dimension) for dimension in DIMENSIONS}


def judges_by_episode(episodes: QuerySet[Episode]) -> dict[int, str]:
    """The judge whose scores count for each judged episode: the one who scored it last."""
    rows = Rating.objects.filter(episode__in=episodes, rater_kind=Rating.RaterKind.JUDGE).order_by("pk")
    return dict(rows.values_list("episode_id", "rater"))


def judgements_of(episode: Episode) -> list[dict[str, Any]]:
    """Every judge's scores of an episode with the words each rests on, the judgement that counts last."""
    found: dict[str, dict[str, Any]] = {}
    for row in Rating.objects.filter(episode=episode, rater_kind=Rating.RaterKind.JUDGE).order_by("pk"):
        own = found.setdefault(row.rater, {"judge": row.rater, "scores": {}, "evidence": {}, "raw": ""})
        own["scores"][row.dimension] = row.score
        own["evidence"][row.dimension] = row.evidence
        own["raw"] = own["raw"] or row.raw
    return list(found.values())
