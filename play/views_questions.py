"""The questionnaire after each visit."""

import secrets
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from play.guard import link_is_the_key
from play.steps import Here, here
from play.views import at_step, design, page
from questionnaire.selectors import failed_checks, questions_for
from questionnaire.services import AnswersRefused, answers_save, sheet_draft, sheet_open
from sessions.models import Episode, Participant
from sessions.selectors import participant_by_token
from sessions.services.people import participant_screen_out
from siturec.survey.answers import Fault, wording
from siturec.survey.items import ItemSpec

STRIP = 8


def _language() -> str:
    return get_language() or "en"


def _fault_words(fault: Fault) -> str:
    words = {
        "missing": _("Please choose an answer."),
        "not_a_point": _("Please choose one of the five answers."),
        "too_long": _("This text is too long."),
    }
    return words[fault]


@at_step("questionnaire")
def questionnaire(request: HttpRequest, participant: Participant, now: Here) -> HttpResponse:
    """Seven items about the visit just made; everything stored at once, or what is missing is named."""
    episode = now.place.episode
    assert episode is not None
    faults: dict[str, Fault] = {}
    given = {key: str(value) for key, value in request.POST.items()}
    if request.method == "POST":
        try:
            _save(participant, episode, given)
        except AnswersRefused as refused:
            faults = refused.faults
            sheet_draft(episode=episode, given=given, language=_language())
        else:
            return redirect("play:go", participant.token)
    sheet = sheet_open(episode=episode, language=_language())
    values = given if faults else sheet.draft
    questions = questions_for(episode)
    items = [_shown(item, values, faults) for item in questions.in_order(sheet.order)]
    context = {
        "letter": episode.letter,
        "number": now.place.number,
        "total": now.place.total,
        "items": items,
        "faults": [{"key": item["key"], "label": item["words"].text} for item in items if item["fault"]],
        "frames": _frames(participant, episode, now.place.number),
        "client_id": given.get("client_id") or secrets.token_hex(12),
        "draft_url": reverse("play:questionnaire-draft", args=[participant.token, now.place.number]),
    }
    return page(request, participant, "questionnaire/sheet.html", now=now, **context)


def _shown(item: ItemSpec, values: dict[str, str], faults: dict[str, Fault]) -> dict[str, Any]:
    words = wording(item, _language())
    labels = enumerate(words.anchors or ("1", "2", "3", "4", "5"), start=1)
    return {
        "key": item.key,
        "kind": item.kind,
        "words": words,
        "points": [{"value": str(value), "label": label} for value, label in labels],
        "given": values.get(item.key, ""),
        "fault": _fault_words(faults[item.key]) if item.key in faults else "",
    }


def _frames(participant: Participant, episode: Episode, number: int) -> list[dict[str, Any]]:
    """A handful of what was seen, spread over the visit, as a memory aid."""
    seen = episode.turns.exclude(user_frame="").order_by("index")
    turns = list(seen.values_list("index", flat=True))
    step = max(1, -(-len(turns) // STRIP))
    return [
        {"number": turn + 1, "url": reverse("play:frame", args=[participant.token, number, turn])}
        for turn in turns[::step]
    ]


@transaction.atomic
def _save(participant: Participant, episode: Episode, given: dict[str, str]) -> None:
    """Store answers and what follows from them together: no crash in between passes a failed check."""
    answers_save(episode=episode, given=given, client_id=given.get("client_id", ""), language=_language())
    _screen(participant)


def _screen(participant: Participant) -> None:
    """Too many attention checks missed: participation ends here, and stays ended over any reload."""
    allowed = design(participant).attention_failures_allowed
    if failed_checks(participant.pk) > allowed:
        participant_screen_out(participant=participant, reason="attention check")


@link_is_the_key
@require_POST
def questionnaire_draft(request: HttpRequest, token: str, number: int) -> JsonResponse:
    """Keep what is half filled in. Answers about another visit than the current one change nothing."""
    participant = participant_by_token(token)
    if participant is None:
        return JsonResponse({"kept": False}, status=404)
    now = here(participant)
    if now.page != "questionnaire" or now.place.number != number or now.place.episode is None:
        return JsonResponse({"kept": False}, status=409)
    given = {key: str(value) for key, value in request.POST.items()}
    sheet_draft(episode=now.place.episode, given=given, language=_language())
    return JsonResponse({"kept": True})
