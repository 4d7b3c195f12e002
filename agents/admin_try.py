"""The *Try it* page: one sentence from a model, with time, cost, and in plain words what went wrong."""

from typing import Any

from asgiref.sync import sync_to_async
from django.contrib import admin
from django.contrib.auth.models import AbstractBaseUser, AbstractUser, AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from agents.health import ADVICE
from agents.models import LanguageModel
from agents.selectors import row_spec
from agents.services import TRIAL, Trial, model_try
from sessions.database import database_sync_to_async


async def try_view(request: HttpRequest, pk: str) -> HttpResponse:
    """GET shows what will be asked; POST asks, and shows what came. For staff who may change models."""
    user = await request.auser()
    if not user.is_authenticated:
        return redirect_to_login(request.get_full_path(), "/admin/login/")
    if not await database_sync_to_async(_may)(user):
        raise PermissionDenied
    row = await LanguageModel.objects.select_related("fallback").filter(pk=pk if pk.isdigit() else 0).afirst()
    if row is None:
        raise Http404("There is no such model.")
    trial: Trial | None = None
    if request.method == "POST":
        trial = await model_try(spec=await database_sync_to_async(row_spec)(row))
    return await sync_to_async(_page)(request, row, trial)


def _may(user: AbstractBaseUser | AnonymousUser) -> bool:
    return isinstance(user, AbstractUser) and user.is_staff and user.has_perm("agents.change_languagemodel")


def _page(request: HttpRequest, row: LanguageModel, trial: Trial | None) -> HttpResponse:
    context: dict[str, Any] = {
        **admin.site.each_context(request),
        "title": f"Try {row.label}",
        "row": row,
        "question": TRIAL,
        "trial": trial,
        "advice": ADVICE.get(trial.failure, "") if trial else "",
        "opts": LanguageModel._meta,
    }
    return render(request, "admin/agents/try_it.html", context)
