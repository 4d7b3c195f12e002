"""Who may do what in which study."""

from typing import Literal

from django.contrib.auth.models import AbstractUser, AnonymousUser
from django.db.models import QuerySet

from sessions.models import Study, StudyMember

Role = Literal["", "monitor", "researcher", "admin"]
RANK: dict[Role, int] = {"": 0, "monitor": 1, "researcher": 2, "admin": 3}
"""A role includes what those below it may do: a monitor sees and helps, a researcher changes and exports."""


def study_role(user: AbstractUser | AnonymousUser, study: Study) -> Role:
    """The user's role in a study; superusers are admin everywhere, strangers have none."""
    if not user.is_authenticated or not user.is_active:
        return ""
    if user.is_superuser:
        return "admin"
    member = StudyMember.objects.filter(study=study, user_id=user.pk).first()
    if member is None:
        return ""
    return "researcher" if member.role == StudyMember.Role.RESEARCHER else "monitor"


def may(user: AbstractUser | AnonymousUser, study: Study, wanted: Role) -> bool:
    """Whether the user's role in the study includes ``wanted``."""
    return RANK[study_role(user, study)] >= RANK[wanted]


def may_create(user: AbstractUser | AnonymousUser) -> bool:
    """Whether the user may make studies: superusers, and whoever has the permission to add one."""
    return user.is_authenticated and user.has_perm("study_sessions.add_study")


def studies_visible(user: AbstractUser | AnonymousUser) -> QuerySet[Study]:
    """The studies a user has any role in."""
    if not user.is_authenticated:
        return Study.objects.none()
    if user.is_superuser:
        return Study.objects.all()
    return Study.objects.filter(members__user_id=user.pk).distinct()
