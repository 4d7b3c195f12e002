"""The log of who changed or saw what."""

from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser

from sessions.models import AuditLog, Study


def audit_add(
    *,
    actor: AbstractBaseUser | None,
    action: str,
    study: Study | None = None,
    subject: str = "",
    details: dict[str, Any] | None = None,
) -> AuditLog:
    """Write one line of the log; without an actor it was the command line."""
    return AuditLog.objects.create(
        actor_id=actor.pk if actor is not None else None,
        actor_name=actor.get_username() if actor is not None else "command line",
        action=action,
        study=study,
        subject=subject,
        details=details or {},
    )
