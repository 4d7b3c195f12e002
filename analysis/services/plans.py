"""Registering an analysis plan."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction

from analysis.models import AnalysisPlan
from sessions.models import Episode, Study
from sessions.services import audit_add
from siturec.metrics.plan import Plan


@transaction.atomic
def plan_register(*, study: Study, plan: Plan, actor: AbstractBaseUser | None) -> AnalysisPlan:
    """Keep a plan under the next number, with how many people's episodes had ended by then.

    A plan that equals the latest one is not kept twice.
    """
    latest = AnalysisPlan.objects.filter(study=study).order_by("-number").first()
    if latest is not None and latest.digest == plan.digest:
        return latest
    row = AnalysisPlan.objects.create(
        study=study,
        number=1 if latest is None else latest.number + 1,
        document=plan.model_dump(mode="json"),
        digest=plan.digest,
        registered_by_id=actor.pk if actor is not None else None,
        episodes_before=Episode.objects.filter(
            study=study, user_kind="human", participant__kind="human", status=Episode.Status.ENDED
        ).count(),
    )
    audit_add(actor=actor, action="analysis plan registered", study=study, subject=plan.digest[:12])
    return row
