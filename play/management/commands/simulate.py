"""Simulate users through the same turn loop as people; the plan is stored first, and resumes anywhere."""

import asyncio
import secrets
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from rich.console import Console

from agents.call_summary import call_summary, summary_lines
from catalog.selectors import UnknownScene
from catalog.services import scene_settle
from play.exporting import export_file, latest
from play.plan import PlanError, Wanted, run_store, run_to_resume, spec_of, study_tasks
from play.reporting import Bar
from play.simulating import Playing, play_run, run_cost
from play.spreading import spread_run
from play.worlds import scenes_check, stores_start
from sessions.errors import StudyError
from sessions.models import Run, Study
from sessions.selectors.runs import RunProgress, run_by_name, run_progress, run_scenes, run_unjudged
from sessions.selectors.studies import scene_version_of, study_by_slug
from sessions.services.runs import run_finish
from siturec.protocol.ports import WorldUnavailable
from siturec.protocol.runs import RunSpec
from siturec.scene.load import SceneError
from siturec.trajectory import TrajectoryError


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


class Command(BaseCommand):
    """``manage.py simulate --scene S --assistants a,b --tasks N|all|ids --seed K --out FILE.jsonl``"""

    help = __doc__
    requires_system_checks = []  # they load every page of the site, and take as long as the rest of the start

    def add_arguments(self, parser: ArgumentParser) -> None:
        plan = parser.add_argument_group("what to play (lists are parted by commas)")
        plan.add_argument("--scene", help="scenes")
        plan.add_argument("--assistants", help="assistants under evaluation")
        plan.add_argument("--user", default="agenda", help="simulated users")
        plan.add_argument("--tasks", default="all", help="all, how many, or ids")
        plan.add_argument("--seed", default="0", help="seeds; each plays the whole plan")
        plan.add_argument("--condition", default="full", help="full, no_ego_view, no_ego_view_no_caption")
        plan.add_argument("--moderator", default="rules")
        plan.add_argument("--judge", default="rules", help="who scores ended episodes; none: nobody")
        plan.add_argument("--study", help="play a study's scene, tasks, assistants, condition and limits")
        plan.add_argument("--show-user-minimap", action="store_true")
        plan.add_argument(
            "--no-pictures", action="store_true", help="paint no frames: for minds that look at none"
        )
        plan.add_argument("--attempts", type=int, default=2, help="how often an item is played at most")
        how = parser.add_argument_group("how to play it")
        how.add_argument("--run", help="the run's name; an existing one is resumed")
        how.add_argument(
            "--new", action="store_true", help="plan anew, also where this very plan is stored and unfinished"
        )
        how.add_argument("--jobs", type=int, default=4, help="episodes at once")
        how.add_argument("--backend", choices=["local", "celery"], default="local")
        how.add_argument("--no-frames", action="store_true", help="keep the frames' hashes only")
        how.add_argument("--out", type=Path, help="write the records to this file (JSON Lines)")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["jobs"] < 1 or options["attempts"] < 1:
            raise CommandError("--jobs and --attempts: at least 1")
        run = self._run(options)
        spec = RunSpec.model_validate(run.spec)
        progress = run_progress(run, max_attempts=spec.max_attempts)
        console = Console(stderr=True)
        if progress.left or (spec.judge and run_unjudged(run.pk)):
            console.print(f"Run [bold]{run.name}[/bold]: {progress.total} episodes, {progress.left} to play.")
            self._play(run, spec, progress, options, console)
        self._report(run, spec, options, console)

    def _run(self, options: dict[str, Any]) -> Run:
        """The run to play: a stored one by name, or a new plan."""
        stored = run_by_name(options["run"]) if options["run"] else None
        if stored is not None and not options["scene"] and not options["study"]:
            return stored
        try:
            study, wanted = self._wanted(options)
            spec = spec_of(wanted)
            for note in filter(None, map(scene_settle, () if study is not None else spec.scenes)):
                self.stderr.write(f"{note}.")
            if not options["run"] and not options["new"]:
                unfinished = run_to_resume(spec, study=study)
                if unfinished is not None:
                    return unfinished
            name = options["run"] or f"run-{timezone.now():%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
            return run_store(name, spec, study=study)
        except (PlanError, StudyError, UnknownScene, SceneError) as error:
            raise CommandError(str(error)) from error

    def _wanted(self, options: dict[str, Any]) -> tuple[Study | None, Wanted]:
        judge = "" if options["judge"] == "none" else options["judge"]
        common = {
            "users": _names(options["user"]),
            "seeds": _seeds(options["seed"]),
            "judge": judge,
            "max_attempts": options["attempts"],
            "pictures": not options["no_pictures"],
        }
        if options["study"]:
            study = study_by_slug(options["study"])
            if study is None:
                raise PlanError(f"study: there is no study '{options['study']}'")
            design = study.design
            return study, Wanted(
                scenes=(design.scene,),
                scene_version=scene_version_of(study),
                tasks=study_tasks(study),
                assistants=design.assistant_slugs,
                conditions=(design.condition,),
                moderator=design.roles.moderator,
                limits=design.limits,
                show_user_minimap=design.show_user_minimap,
                **common,
            )
        if not options["scene"] or not options["assistants"]:
            raise PlanError("give --scene and --assistants, or --study, or --run with a stored run's name")
        return None, Wanted(
            scenes=_names(options["scene"]),
            tasks=options["tasks"],
            assistants=_names(options["assistants"]),
            conditions=_names(options["condition"]),
            moderator=options["moderator"],
            show_user_minimap=options["show_user_minimap"],
            **common,
        )

    def _play(
        self, run: Run, spec: RunSpec, progress: RunProgress, options: dict[str, Any], console: Console
    ) -> None:
        playing = Playing(
            jobs=options["jobs"],
            keep_frames=not options["no_frames"],
            max_attempts=spec.max_attempts,
            judge=spec.judge,
            show_user_minimap=spec.show_user_minimap,
        )
        try:
            scenes_check(run_scenes(run))
            if options["backend"] == "local":
                with console.status("Starting the stores; the first start builds them, which takes a while."):
                    stores_start(run_scenes(run))
            with Bar(progress, cost_usd=run_cost(run.pk), console=console) as bar:
                if options["backend"] == "celery":
                    spread_run(run, spec, playing, bar)
                else:
                    asyncio.run(play_run(run.pk, playing, bar))
        except UnknownScene as error:
            raise CommandError(f"{run.name} was planned on another version: {error}") from error
        except WorldUnavailable as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            console.print(f"Stopped. Go on with: manage.py simulate --run {run.name}")
            raise SystemExit(130) from None

    def _report(self, run: Run, spec: RunSpec, options: dict[str, Any], console: Console) -> None:
        progress = run_progress(run, max_attempts=spec.max_attempts)
        if not progress.left:
            run_finish(run=run)
        cost = run_cost(run.pk)
        failures = ", ".join(f"{count} {kind}" for kind, count in sorted(progress.failures.items()))
        spent = f", ${cost:.2f}" if cost else ""
        console.print(
            f"Run {run.name}: {progress.done} of {progress.total} done, {progress.failed} failed for good, "
            f"{progress.rerolled} re-rolled" + (f" ({failures})" if failures else "") + spent + "."
        )
        for line in summary_lines(call_summary(run.episodes.values_list("public_id", flat=True))):
            console.print(f"Calls to {line}.", highlight=False)
        if options["out"]:
            try:
                count = export_file(options["out"], latest(run.episodes.order_by("position", "attempt")))
            except (OSError, TrajectoryError) as error:
                raise CommandError(f"{options['out']}: {error}") from error
            self.stdout.write(f"{options['out']}: {count} episodes")


def _seeds(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in _names(text))
    except ValueError:
        raise PlanError(f"seed: whole numbers are wanted, not '{text}'") from None
