"""The demo: a small study one can take part in at once, with simulated results beside it."""

import asyncio
import secrets
from math import inf
from pathlib import Path

from asgiref.sync import async_to_sync
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from rich.console import Console

from agents.health import models_try, trial_fault
from agents.registry import assistant_slugs
from agents.selectors import SETTINGS_SLUG, rates_of
from catalog.selectors import scene_folder, scene_pack, scene_slugs
from catalog.services import scene_import
from play.plan import Wanted, run_store, spec_of, study_tasks
from play.reporting import Bar
from play.simulating import Playing, play_run
from play.worlds import stores_start
from sessions.models import Study
from sessions.selectors.runs import run_progress
from sessions.selectors.studies import scene_version_of, study_by_slug
from sessions.services.runs import run_finish
from sessions.services.studies import study_create, study_open
from siturec.protocol.study import AssistantChoice, Consent, Limits, StudyConfig, TaskChoice
from siturec.scene.load import SceneError
from siturec_web.serving import CannotServe

SLUG, SCENE = "demo", "supermarket"
MODEL_SLUG = "demo-model"
"""The demo study with the model the settings name among its assistants; a study's design never changes."""
MODEL_TURNS = 4
CONSENT = """\
This is a demonstration of a study.

You will shop in a virtual 3D store. In each visit an assistant, known to you by a letter only, talks \
with you. What you do in the store, what you write and how you rate the visits is stored on this computer \
only.

You may stop at any time by closing the page. Nothing here is sent anywhere else."""


def demo_config(*, model: bool) -> StudyConfig:
    """A study of two tasks and three assistants, and with ``model`` a language model as the fourth."""
    scripted = (
        AssistantChoice(slug="expert"),
        AssistantChoice(slug="plain"),
        AssistantChoice(slug="bad", control="floor"),
    )
    return StudyConfig(
        slug=MODEL_SLUG if model else SLUG,
        title=f"Shopping with an assistant (demo{', with a language model' if model else ''})",
        description="Two shopping goals in a 3D supermarket, each with every assistant behind a letter.",
        scene=SCENE,
        assistants=(*scripted, AssistantChoice(slug=SETTINGS_SLUG)) if model else scripted,
        tasks=TaskChoice(mode="sampled", sample=3, per_participant=2),
        quota=100,
        min_reply_ms=800,
        consent=Consent(text=CONSENT, version="demo-1"),
    )


def model_must_answer(console: Console) -> None:
    """Ask the model the settings name for one sentence. Raises: CannotServe with what is wrong."""
    if not settings.SITUREC_MODEL:
        return
    where = f" at {settings.SITUREC_MODEL_API_BASE}" if settings.SITUREC_MODEL_API_BASE else ""
    with console.status(f"Asking {settings.SITUREC_MODEL}{where} for one sentence ..."):
        trial = async_to_sync(models_try)([SETTINGS_SLUG], fresh=True, patience_s=inf)[SETTINGS_SLUG]
    if trial.failure:
        raise CannotServe(
            f"{trial_fault(SETTINGS_SLUG, trial)}\n{settings.SITUREC_MODEL}{where} would be one of the "
            "assistants, and whoever meets it would see it fail. Start its server or mend the settings "
            "(docs/guides/models.md); `make demo` without SITUREC_MODEL takes the scripted assistants alone."
        )
    seconds = trial.call.duration_s if trial.call is not None else 0.0
    console.print(f"{settings.SITUREC_MODEL} answers after {seconds:.1f} s: {trial.text.strip()[:120]}")


def import_scenes(console: Console) -> None:
    """Import every scene whose folder is there. Raises: CannotServe naming what is wrong with one."""
    for slug in scene_slugs():
        try:
            report = scene_import(folder=scene_folder(slug))
        except (SceneError, LookupError) as error:
            raise CannotServe(f"The scene '{slug}' cannot be used:\n{error}") from error
        console.print(f"Scene {slug} {report.label}: {report.outcome}")
    if SCENE not in scene_slugs():
        raise CannotServe(f"The scene '{SCENE}' is missing from {settings.SCENES_DIR}.")
    if not scene_pack(SCENE).tasks:
        raise CannotServe(f"The scene '{SCENE}' has no tasks, so there is nothing to shop for.")


def demo_study() -> Study:
    """The demo study, open; made on the first call."""
    config = demo_config(model=bool(settings.SITUREC_MODEL))
    study = study_by_slug(config.slug) or study_create(config=config)
    if study.status == Study.Status.DRAFT:
        study = study_open(study=study, known_assistants=assistant_slugs())
    return study


def admin_password() -> str:
    """The password of the user ``admin``, made on the first call and kept where only this account reads it.

    Empty when there was an ``admin`` before, whose password nobody can tell.
    """
    kept = Path(settings.VAR_DIR) / "admin_password"
    users = get_user_model()._default_manager
    if users.filter(username="admin").exists():
        return kept.read_text() if kept.exists() else ""
    password = secrets.token_urlsafe(9)
    kept.touch(mode=0o600)
    kept.write_text(password)
    get_user_model().objects.create_superuser("admin", password=password)
    return password


def simulate(study: Study, console: Console) -> None:
    """A few simulated episodes on the study's tasks, so that there are results to look at.

    A language model, which may be slow or cost money, plays a few turns of the first task only.
    """
    with console.status("Starting the store; the first start builds it, which takes a while."):
        stores_start([(study.design.scene, scene_version_of(study))])
    scripted = tuple(slug for slug in study.design.assistant_slugs if slug != SETTINGS_SLUG)
    tasks = study_tasks(study)
    play(study, study.slug, scripted, tasks, console, limits=study.design.limits)
    if SETTINGS_SLUG in study.design.assistant_slugs:
        console.print(f"{settings.SITUREC_MODEL} plays {MODEL_TURNS} turns; each answer may take its time:")
        short = Limits(turns=MODEL_TURNS)
        play(study, f"{study.slug}-sample", (SETTINGS_SLUG,), tasks.split(",")[0], console, limits=short)
        console.print(f"Its answers so far: {rates_of(SETTINGS_SLUG)}. Admin, Model calls, has every one.")


def play(
    study: Study, name: str, assistants: tuple[str, ...], tasks: str, console: Console, *, limits: Limits
) -> None:
    """Play one run of the study to its end, or go on with it."""
    wanted = Wanted(
        scenes=(study.design.scene,),
        scene_version=scene_version_of(study),
        tasks=tasks,
        assistants=assistants,
        limits=limits,
    )
    spec = spec_of(wanted)
    run = run_store(name, spec, study=study)
    progress = run_progress(run, max_attempts=spec.max_attempts)
    if progress.left:
        with Bar(progress, console=console) as bar:
            asyncio.run(play_run(run.pk, Playing(jobs=2, judge=spec.judge), bar))
        run_finish(run=run)


def prepare(console: Console) -> tuple[Study, str]:
    """Everything the demo needs before it serves; returns the study and the admin's password.

    Raises: CannotServe.
    """
    Path(settings.VAR_DIR).mkdir(parents=True, exist_ok=True)
    call_command("migrate", verbosity=0, interactive=False)
    model_must_answer(console)
    import_scenes(console)
    study = demo_study()
    password = admin_password()
    console.print("A few simulated shoppers take the same tasks first:")
    simulate(study, console)
    return study, password
