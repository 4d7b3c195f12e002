"""A participant's way through a study: join, consent, profile, finish, or leave."""

from base64 import urlsafe_b64encode
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from sessions.errors import NotAccepting, WrongStep
from sessions.models import Episode, Participant, Seat, Study
from sessions.models.people import new_token
from sessions.selectors.people import participant_place
from sessions.selectors.studies import design_of, study_accepting
from sessions.services.codes import next_code
from sessions.services.seats import seat_claim, seat_release
from sessions.services.stamps import end_at


@transaction.atomic
def participant_join(
    *,
    study: Study,
    kind: str = Participant.Kind.HUMAN,
    external_id: str = "",
    external: Mapping[str, str] | None = None,
    visit: str = "",
) -> Participant:
    """Let someone in; a recruiting service's id or a ``visit`` that was here gets the same participant back.

    ``visit`` is what one opened page sends with its Start button, however often it is pressed.

    Raises: NotAccepting with the reason in words for the visitor.
    """
    row = Study.objects.select_for_update().get(pk=study.pk)
    if external_id:
        known = Participant.objects.filter(study=row, external_id=external_id).first()
        if known is not None:
            return known
    token = visit_token(row, visit) if visit else new_token()
    begun = Participant.objects.filter(study=row, token=token).first()
    if begun is not None:
        return begun
    if kind == Participant.Kind.HUMAN or row.status == Study.Status.DRAFT:
        reason = study_accepting(row, now=timezone.now())
        if reason:
            raise NotAccepting(reason)
    return Participant.objects.create(
        study=row,
        version=row.version,
        kind=kind,
        code=next_code(row, kind),
        token=token,
        external_id=external_id,
        external=dict(external or {}),
    )


def visit_token(study: Study, visit: str) -> str:
    """The link of whoever starts with this visit: always the same, and none that others can work out."""
    mac = salted_hmac("study_sessions.visit", f"{study.pk}:{visit}", algorithm="sha256").digest()
    return urlsafe_b64encode(mac[:18]).decode()


@transaction.atomic
def participant_consent(*, participant: Participant, shown_hash: str) -> Participant:
    """Store the agreement with the version and hash of what was shown, and claim the seat. Twice is once.

    Raises: WrongStep when another text was shown than the study's; NoSeatFree.
    """
    row = Participant.objects.select_for_update().get(pk=participant.pk)
    if row.consented_at is not None:
        return row
    if participant_place(row).step != "consent":
        raise WrongStep("This link has already been used to the end.")
    consent = design_of(row.study, row.version).consent
    if shown_hash != consent.digest:
        raise WrongStep("The consent text has changed since it was shown. Please read it again.")
    row.consent_version, row.consent_hash, row.consented_at = consent.version, shown_hash, timezone.now()
    row.save(update_fields=["consent_version", "consent_hash", "consented_at"])
    seat_claim(participant=row)
    return row


@transaction.atomic
def participant_profile(*, participant: Participant, profile: Mapping[str, Any]) -> Participant:
    """Store the profile form; sent again, the first stays. Raises: WrongStep before consent."""
    row = Participant.objects.select_for_update().get(pk=participant.pk)
    if row.profiled_at is None:
        if row.consented_at is None:
            raise WrongStep("Please read and accept the consent first.")
        row.profile, row.profiled_at = dict(profile), timezone.now()
        row.save(update_fields=["profile", "profiled_at"])
    return row


def participant_seen(*, participant_id: int) -> None:
    """A sign of life."""
    Participant.objects.filter(pk=participant_id).update(seen_at=timezone.now())


@transaction.atomic
def participant_finish(*, participant: Participant) -> str:
    """Everything asked for is stored: take the completion code. Twice gives the same.

    Raises: WrongStep naming the step that is still open.
    """
    row = Participant.objects.select_for_update().get(pk=participant.pk)
    step = participant_place(row).step
    if step not in ("finish", "done"):
        raise WrongStep(f"Not everything is done yet: next is the step '{step}'.")
    _leave(row, Participant.State.DONE, "")
    Seat.objects.filter(participant=row, status=Seat.Status.CLAIMED).update(status=Seat.Status.FINISHED)
    return design_of(row.study, row.version).codes.done


@transaction.atomic
def participant_screen_out(*, participant: Participant, reason: str) -> str:
    """End participation by a rule of the study and return the code; the seat is dealt again. It stays so."""
    row = Participant.objects.select_for_update().get(pk=participant.pk)
    if row.state == Participant.State.ACTIVE:
        _leave(row, Participant.State.SCREENED_OUT, reason)
        _give_back(row, f"screened out: {reason}")
    return completion_code(row)


@transaction.atomic
def participant_return(*, participant: Participant, reason: str = "left the study") -> str:
    """The participant withdraws: the seat is dealt again, data stay but count nowhere. Returns the code."""
    row = Participant.objects.select_for_update().get(pk=participant.pk)
    if row.state == Participant.State.ACTIVE:
        _leave(row, Participant.State.RETURNED, reason)
        _give_back(row, f"returned: {reason}")
    return completion_code(row)


@transaction.atomic
def participant_exclude(*, participant: Participant, reason: str) -> None:
    """The study's team leaves someone out, also after they finished; the row is dealt again."""
    row = Participant.objects.select_for_update().get(pk=participant.pk)
    _leave(row, Participant.State.EXCLUDED, reason)
    Seat.objects.filter(participant=row, status=Seat.Status.FINISHED).update(status=Seat.Status.CLAIMED)
    _give_back(row, f"excluded: {reason}")


def completion_code(participant: Participant) -> str:
    """The code that fits how participation ended; empty while it goes on or when it was excluded."""
    codes = design_of(participant.study, participant.version).codes
    by_state = {
        Participant.State.DONE: codes.done,
        Participant.State.SCREENED_OUT: codes.screened_out,
        Participant.State.RETURNED: codes.returned,
    }
    return by_state.get(Participant.State(participant.state), "")


def _leave(row: Participant, state: str, reason: str) -> None:
    if row.state == state:
        return
    row.state, row.state_reason, row.finished_at = state, reason[:200], timezone.now()
    row.practice = {}
    row.save(update_fields=["state", "state_reason", "finished_at", "practice"])
    # Without its lease nobody plays on: whatever process has the visit under way stops at its next step.
    Episode.objects.filter(participant=row).update(lease_owner="", lease_until=None)
    Episode.objects.filter(participant=row, status=Episode.Status.RUNNING).update(
        status=Episode.Status.ENDED, end_reason="abandoned", ended_at=end_at(timezone.now())
    )


def _give_back(row: Participant, reason: str) -> None:
    for seat in Seat.objects.filter(participant=row, status=Seat.Status.CLAIMED):
        seat_release(seat=seat, reason=reason)
