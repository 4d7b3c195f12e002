"""Signing in, and joining a study's team by invitation, with a new account where one is needed."""

from django.contrib.auth import login
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from sessions.errors import StudyError
from sessions.models import Invitation
from sessions.services.members import invitation_accept


class AccountForm(UserCreationForm):  # type: ignore[type-arg]
    """A user name and a password."""

    class Meta:
        model = User
        fields = ("username",)


@never_cache
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Accept an invitation: signed in, by one press; else by making an account or signing in first."""
    row = Invitation.objects.select_related("study").filter(token=token).first()
    if row is None:
        fault = "This invitation does not exist. Please ask for a new one."
        return render(request, "research/invitation.html", {"fault": fault}, status=404)
    signed_in = request.user.is_authenticated
    form = None if signed_in else AccountForm(request.POST or None)
    fault = ""
    if request.method == "POST" and (form is None or (row.used_at is None and form.is_valid())):
        try:
            user = request.user if form is None else form.save()
            study = invitation_accept(token=token, user=user)  # type: ignore[arg-type]
            if form is not None:
                login(request, user, backend="django.contrib.auth.backends.ModelBackend")  # type: ignore[arg-type]
            return redirect("research:overview", study.slug)
        except StudyError as error:
            fault = str(error)
    return render(
        request,
        "research/invitation.html",
        {"invitation": row, "form": form, "fault": fault},
        status=400 if fault else 200,
    )
