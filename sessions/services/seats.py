"""Seats: laid out when a study opens, claimed in one atomic step, released with a reason, dealt again."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from catalog.selectors import scene_pack
from sessions.errors import NoSeatFree
from sessions.models import Episode, Participant, Seat, Study, StudyVersion
from sessions.services.stamps import end_at
from siturec.protocol.seats import letter, seat_plans
from siturec.protocol.seeds import derive_seed
from siturec.protocol.study import StudyConfig


def seats_lay_out(*, study: Study, config: StudyConfig, tasks: Sequence[str], count: int) -> None:
    """Make the free seats of a version that has just been opened."""
    plans = seat_plans(config, tasks, count)
    Seat.objects.bulk_create(
        Seat(
            study=study,
            version=study.version,
            number=number,
            plan=[part.as_json() for part in plan],
        )
        for number, plan in enumerate(plans, start=1)
    )


@transaction.atomic
def seat_claim(*, participant: Participant) -> Seat:
    """Give the participant the lowest free seat of their version and plan their episodes. It stays theirs.

    Bots and tests get rehearsal seats of their own, in the same orders, without end.
    Raises: NoSeatFree.
    """
    mine = participant.seats.filter(status__in=[Seat.Status.CLAIMED, Seat.Status.FINISHED]).first()
    if mine is not None:
        return mine
    seat = _take_free(participant) if participant.kind == Participant.Kind.HUMAN else _rehearse(participant)
    _plan_episodes(participant, seat)
    return seat


def _locked(rows: QuerySet[Seat]) -> QuerySet[Seat]:
    # SQLite has no row locks: there a transaction that writes is alone from its first statement.
    if connection.features.has_select_for_update_skip_locked:
        return rows.select_for_update(skip_locked=True)
    return rows


def _take_free(participant: Participant) -> Seat:
    free = Seat.objects.filter(
        study_id=participant.study_id,
        version=participant.version,
        rehearsal=False,
        status=Seat.Status.FREE,
    ).order_by("number", "deal")
    seat = _locked(free).first()
    if seat is None:
        raise NoSeatFree("All places in this study are taken.")
    seat.participant = participant
    seat.status = Seat.Status.CLAIMED
    seat.claimed_at = timezone.now()
    seat.save(update_fields=["participant", "status", "claimed_at"])
    return seat


def _rehearse(participant: Participant) -> Seat:
    study = Study.objects.select_for_update().get(pk=participant.study_id)
    version = StudyVersion.objects.get(study=study, number=participant.version)
    number = Seat.objects.filter(study=study, version=version.number, rehearsal=True).count() + 1
    plan = seat_plans(version.design, version.tasks, number)[-1]
    return Seat.objects.create(
        study=study,
        version=version.number,
        rehearsal=True,
        number=number,
        plan=[part.as_json() for part in plan],
        status=Seat.Status.CLAIMED,
        participant=participant,
        claimed_at=timezone.now(),
    )


def _plan_episodes(participant: Participant, seat: Seat) -> None:
    version = StudyVersion.objects.get(study_id=participant.study_id, number=seat.version)
    config = version.design
    tasks = {task.id: task for task in scene_pack(config.scene, version.scene_version).tasks}
    episodes: list[Episode] = []
    for part in seat.plan:
        task = tasks[part["task"]]
        for place, slug in enumerate(part["order"]):
            episodes.append(
                Episode(
                    study_id=participant.study_id,
                    study_version=seat.version,
                    participant=participant,
                    letter=letter(place),
                    assistant=slug,
                    task_id=task.id,
                    profile_id=task.profile_id,
                    reference_items=list(task.reference_items),
                    position=len(episodes),
                    seed=derive_seed(config.seed, participant.study.slug, seat.number, task.id, slug),
                    **_settings(config, version.scene_version),
                )
            )
    Episode.objects.bulk_create(episodes)


def _settings(config: StudyConfig, scene_version: str) -> Mapping[str, Any]:
    return {
        "scene": config.scene,
        "scene_version": scene_version,
        "condition": config.condition,
        "user_kind": "human",
        "moderator": config.roles.moderator,
        "judge": config.roles.judge,
        "limits": config.limits.model_dump(mode="json"),
    }


@transaction.atomic
def seat_release(*, seat: Seat, reason: str) -> Seat | None:
    """Take a seat back and deal its row again, as a new free seat, which is returned.

    A finished or already released seat, and one of a rehearsal, is not dealt again (None).
    """
    freed = Seat.objects.filter(pk=seat.pk, status=Seat.Status.CLAIMED).update(
        status=Seat.Status.RELEASED, released_at=timezone.now(), reason=reason[:200]
    )
    if not freed or seat.rehearsal:
        return None
    return Seat.objects.create(
        study_id=seat.study_id,
        version=seat.version,
        number=seat.number,
        deal=seat.deal + 1,
        plan=seat.plan,
    )


@transaction.atomic
def seats_release_stale(*, study: Study, now: datetime) -> list[Seat]:
    """Release the seats of people who were not seen for the study's limit; their episodes are abandoned."""
    limit = timedelta(seconds=study.design.limits.seat_after_s)
    gone = Seat.objects.select_related("participant").filter(
        study=study, status=Seat.Status.CLAIMED, participant__seen_at__lt=now - limit
    )
    released: list[Seat] = []
    for seat in gone:
        if seat.participant is not None:
            _abandon(seat.participant, f"not seen for {limit.total_seconds() / 60:.0f} minutes")
        seat_release(seat=seat, reason="abandoned: not seen within the study's limit")
        released.append(seat)
    return released


@transaction.atomic
def episodes_abandon_stale(*, study: Study, now: datetime) -> int:
    """End running interactions of people who were not seen for the study's limit; how many those were."""
    limit = timedelta(seconds=study.design.limits.abandon_after_s)
    gone = Episode.objects.filter(
        study=study,
        user_kind="human",
        status=Episode.Status.RUNNING,
        participant__seen_at__lt=now - limit,
    )
    return gone.update(
        status=Episode.Status.ENDED,
        end_reason="abandoned",
        ended_at=end_at(now),
        lease_owner="",
        lease_until=None,
    )


def _abandon(participant: Participant, reason: str) -> None:
    Participant.objects.filter(pk=participant.pk).update(
        state=Participant.State.ABANDONED, state_reason=reason, finished_at=timezone.now(), practice={}
    )
    Episode.objects.filter(participant=participant, status=Episode.Status.RUNNING).update(
        status=Episode.Status.ENDED,
        end_reason="abandoned",
        ended_at=end_at(timezone.now()),
        lease_owner="",
        lease_until=None,
    )
