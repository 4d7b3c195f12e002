"""Writing answers: once, however often they are sent."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from questionnaire.models import Answer, Instrument, Item, Rating, Sheet
from questionnaire.selectors import Questions, questions_for
from sessions.models import Episode
from sessions.services.episodes import episode_judged, episode_rated
from siturec.protocol.given import storable
from siturec.protocol.vocabulary import DIMENSIONS
from siturec.survey.answers import TEXT_LIMIT, AnswerValue, Fault, item_order, read_answers
from siturec.survey.items import InstrumentSpec


class AnswersRefused(Exception):
    """Some answers cannot be taken; ``faults`` says which and why. Nothing was stored but the draft."""

    def __init__(self, faults: dict[str, Fault]) -> None:
        super().__init__(", ".join(f"{key}: {fault}" for key, fault in faults.items()))
        self.faults = faults


@dataclass(frozen=True)
class Saved:
    """Stored answers. ``first`` is False when they had been stored before."""

    sheet: Sheet
    first: bool
    failed_checks: tuple[str, ...] = ()


@transaction.atomic
def sheet_open(*, episode: Episode, language: str) -> Sheet:
    """The episode's sheet, made on the first look; its order of items then stays."""
    questions = questions_for(episode)
    sheet, _ = Sheet.objects.get_or_create(
        episode=episode,
        defaults={
            "instrument": questions.instrument.slug,
            "instrument_version": questions.instrument.version,
            "digest": questions.digest,
            "language": language,
            "order": _order(questions, episode),
        },
    )
    return sheet


def _order(questions: Questions, episode: Episode) -> list[str]:
    own = list(item_order(questions.instrument, seed=episode.public_id))
    extra = [item.key for item in questions.items if item.key not in own]
    middle = (len(own) + 1) // 2
    return own[:middle] + extra + own[middle:]


def sheet_draft(*, episode: Episode, given: Mapping[str, str], language: str) -> None:
    """Keep a half-filled sheet for a reload or another device; a submitted one is left alone."""
    sheet = sheet_open(episode=episode, language=language)
    keys = set(sheet.order)
    draft = {key: storable(value[:TEXT_LIMIT]) for key, value in given.items() if key in keys}
    Sheet.objects.filter(pk=sheet.pk, submitted_at=None).update(draft=draft)


@transaction.atomic
def answers_save(
    *, episode: Episode, given: Mapping[str, str], client_id: str = "", language: str = "en"
) -> Saved:
    """Store all answers about an episode in one go. A second sending changes nothing and succeeds.

    Raises: AnswersRefused when an answer is missing or is no answer; the sheet then stays open.
    """
    sheet_open(episode=episode, language=language)
    sheet = Sheet.objects.select_for_update().get(episode=episode)
    questions = questions_for(episode)
    reading = read_answers(questions.items, given, missing_allowed=questions.missing_allowed)
    if sheet.submitted_at is not None:
        return Saved(sheet=sheet, first=False)
    if reading.faults:
        raise AnswersRefused(reading.faults)
    Answer.objects.bulk_create(
        Answer(sheet=sheet, key=a.key, dimension=a.dimension, value=a.value, text=a.text)
        for a in reading.answers
    )
    _rate(episode, reading.answers)
    sheet.submitted_at, sheet.client_id, sheet.draft = timezone.now(), storable(client_id[:64]), {}
    sheet.language = language
    sheet.save(update_fields=["submitted_at", "client_id", "draft", "language"])
    episode_rated(episode=episode)
    return Saved(sheet=sheet, first=True, failed_checks=reading.failed_checks)


def _rate(episode: Episode, answers: tuple[AnswerValue, ...]) -> None:
    rater = episode.participant.code if episode.participant is not None else ""
    Rating.objects.bulk_create(
        Rating(
            episode=episode,
            rater_kind=Rating.RaterKind.HUMAN,
            rater=rater,
            dimension=answer.dimension,
            score=answer.value,
        )
        for answer in answers
        if answer.dimension
    )


def ratings_import(*, episode: Episode, scores: Mapping[str, int | None]) -> None:
    """Store what a person said of an episode that was played elsewhere. None stays missing."""
    Rating.objects.bulk_create(
        Rating(
            episode=episode,
            rater_kind=Rating.RaterKind.HUMAN,
            rater="imported",
            dimension=dimension,
            score=scores.get(dimension),
        )
        for dimension in DIMENSIONS
    )
    episode_rated(episode=episode)


@transaction.atomic
def judgement_save(
    *,
    episode: Episode,
    judge: str,
    scores: Mapping[str, int | None],
    raw: str = "",
    version: str = "",
    evidence: Mapping[str, str] | None = None,
) -> None:
    """Store a judge's seven scores, replacing an earlier judgement by the same judge. None stays missing.

    ``evidence`` holds by dimension the words a score rests on; ``version`` names the judge and its prompt.
    From now on this judgement stands for the episode.
    """
    Rating.objects.filter(episode=episode, rater_kind=Rating.RaterKind.JUDGE, rater=judge).delete()
    Rating.objects.bulk_create(
        Rating(
            episode=episode,
            rater_kind=Rating.RaterKind.JUDGE,
            rater=judge,
            dimension=dimension,
            score=scores.get(dimension),
            raw=raw if index == 0 else "",
            evidence=(evidence or {}).get(dimension, ""),
        )
        for index, dimension in enumerate(DIMENSIONS)
    )
    episode_judged(episode_id=episode.pk, judge=judge, version=version)


@transaction.atomic
def instrument_install(*, spec: InstrumentSpec) -> Instrument:
    """Make a shipped or imported instrument editable; an existing one of the slug gets a new version."""
    row, made = Instrument.objects.get_or_create(
        slug=spec.slug, defaults={"title": spec.title, "shuffle": spec.shuffle}
    )
    if not made:
        row.version, row.title, row.shuffle = row.version + 1, spec.title, spec.shuffle
        row.save()
        row.items.all().delete()
    Item.objects.bulk_create(
        Item(
            instrument=row,
            position=index,
            key=item.key,
            kind=item.kind,
            dimension=item.dimension,
            required=item.required,
            expected=item.expected,
            words={language: words.model_dump() for language, words in item.words.items()},
        )
        for index, item in enumerate(spec.items)
    )
    return row
