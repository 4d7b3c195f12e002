"""Who belongs to a study's team, and how they get in."""

from datetime import timedelta

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone

from sessions.errors import StudyError
from sessions.models import Invitation, Study, StudyMember
from sessions.services.audit import audit_add

INVITATION_DAYS = 14


@transaction.atomic
def member_set(*, study: Study, user: AbstractUser, role: str) -> StudyMember:
    """Give a user a role in a study, or change it."""
    member, _ = StudyMember.objects.update_or_create(study=study, user_id=user.pk, defaults={"role": role})
    return member


@transaction.atomic
def member_remove(*, study: Study, user_id: int, actor: AbstractUser) -> None:
    """Take a user's role away; it is written down who did."""
    member = StudyMember.objects.filter(study=study, user_id=user_id).select_related("user").first()
    if member is not None:
        audit_add(actor=actor, action="member removed", study=study, subject=str(member.user))
        member.delete()


@transaction.atomic
def invitation_create(*, study: Study, role: str, actor: AbstractUser) -> Invitation:
    """A link that makes whoever opens it a member, once, within two weeks."""
    if role not in StudyMember.Role.values:
        raise StudyError(f"There is no role '{role}'; choose one of {', '.join(StudyMember.Role.values)}.")
    invitation = Invitation.objects.create(
        study=study, role=role, expires_at=timezone.now() + timedelta(days=INVITATION_DAYS)
    )
    audit_add(actor=actor, action="invitation made", study=study, subject=role)
    return invitation


@transaction.atomic
def invitation_accept(*, token: str, user: AbstractUser) -> Study:
    """Use an invitation. The same user may open it again; a lower role never replaces a higher one.

    Raises: StudyError when it is unknown, used by somebody else, or out of date.
    """
    row = Invitation.objects.select_for_update().select_related("study").filter(token=token).first()
    if row is None:
        raise StudyError("This invitation does not exist. Please ask for a new one.")
    if row.used_at is not None:
        if row.used_by_id == user.pk:
            return row.study
        raise StudyError("This invitation has been used already. Please ask for one of your own.")
    if row.expires_at is not None and row.expires_at < timezone.now():
        raise StudyError("This invitation is out of date. Please ask for a new one.")
    row.used_by_id, row.used_at = user.pk, timezone.now()
    row.save(update_fields=["used_by", "used_at"])
    known = StudyMember.objects.filter(study=row.study, user_id=user.pk).first()
    if known is None or known.role == StudyMember.Role.MONITOR:
        member_set(study=row.study, user=user, role=row.role)
    audit_add(actor=user, action="invitation accepted", study=row.study, subject=row.role)
    return row.study
