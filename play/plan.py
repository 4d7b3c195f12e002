"""From a command's words to a stored plan; every name is checked before anything is written."""

from collections.abc import Sequence
from dataclasses import dataclass

from agents.registry import (
    Role,
    assistant_slugs,
    judge_slugs,
    moderator_slugs,
    needs_pictures,
    user_slugs,
)
from catalog.selectors import scene_pack, scene_slugs, scene_version
from catalog.services import scene_freeze
from sessions.models import Run, Study, StudyVersion
from sessions.selectors.runs import run_unfinished
from sessions.selectors.studies import scene_version_of
from sessions.services.runs import run_plan
from siturec.protocol.runs import RunSpec, first_tasks, run_items
from siturec.protocol.seats import chosen_tasks
from siturec.protocol.study import Limits
from siturec.protocol.vocabulary import CONDITIONS
from siturec.scene.schema import ScenePack


class PlanError(Exception):
    """What was asked for cannot be planned; the text names what and lists what there is."""


@dataclass(frozen=True)
class Wanted:
    """A run as named on a command line or by a study, which may name the version of its one scene."""

    scenes: tuple[str, ...]
    tasks: str
    assistants: tuple[str, ...]
    users: tuple[str, ...] = ("agenda",)
    conditions: tuple[str, ...] = ("full",)
    seeds: tuple[int, ...] = (0,)
    moderator: str = "rules"
    judge: str = "rules"
    limits: Limits = Limits()  # noqa: RUF009  (frozen)
    show_user_minimap: bool = False
    max_attempts: int = 2
    pictures: bool = True
    scene_version: str | None = None


def _known(what: str, given: Sequence[str], there: Sequence[str]) -> None:
    unknown = [name for name in given if name not in set(there)]
    if unknown or not given:
        raise PlanError(
            f"{what}: not known: {', '.join(unknown) or '(none named)'}; there are: {', '.join(there)}"
        )
    if len(set(given)) != len(given):
        raise PlanError(f"{what}: one is named twice: {', '.join(given)}")


def _blind(wanted: Wanted) -> None:
    """Refuse minds that look at pictures where there will be none. Raises: PlanError naming them."""
    named: dict[Role, tuple[str, ...]] = {
        "assistant": wanted.assistants,
        "user": wanted.users,
        "judge": (wanted.judge,) if wanted.judge else (),
    }
    for role, slugs in named.items():
        looking = [slug for slug in slugs if needs_pictures(role, slug)]
        if looking:
            raise PlanError(f"no pictures: {role} {', '.join(looking)} looks at them; play it with pictures")


def spec_of(wanted: Wanted) -> RunSpec:
    """The plan's specification. Raises: PlanError."""
    _known("scene", wanted.scenes, scene_slugs())
    _known("assistants", wanted.assistants, assistant_slugs())
    _known("user", wanted.users, user_slugs())
    _known("condition", wanted.conditions, CONDITIONS)
    _known("moderator", [wanted.moderator], moderator_slugs())
    if wanted.judge:
        _known("judge", [wanted.judge], judge_slugs())
    if not wanted.pictures:
        _blind(wanted)
    tasks: dict[str, tuple[str, ...]] = {}
    for slug in wanted.scenes:
        bank = [task.id for task in scene_pack(slug, wanted.scene_version).tasks]
        if not bank:
            raise PlanError(f"scene: '{slug}' has no tasks yet")
        try:
            tasks[slug] = first_tasks(wanted.tasks, bank)
        except ValueError as error:
            raise PlanError(str(error)) from None
    return RunSpec(
        scenes=wanted.scenes,
        tasks=tasks,
        assistants=wanted.assistants,
        users=wanted.users,
        conditions=tuple(name for name in CONDITIONS if name in wanted.conditions),
        seeds=wanted.seeds,
        moderator=wanted.moderator,
        judge=wanted.judge,
        limits=wanted.limits,
        show_user_minimap=wanted.show_user_minimap,
        max_attempts=wanted.max_attempts,
        pictures=wanted.pictures,
    )


def study_tasks(study: Study) -> str:
    """The study's tasks, as an opened version dealt them or as a draft would."""
    version = StudyVersion.objects.filter(study=study, number=study.version).first()
    bank = [task.id for task in scene_pack(study.design.scene, scene_version_of(study)).tasks]
    return ",".join(version.tasks if version is not None else chosen_tasks(study.design.tasks, bank))


def run_packs(spec: RunSpec, *, study: Study | None = None) -> dict[str, ScenePack]:
    """The packs that a new run is planned on: those its study plays, else the current ones."""
    version = scene_version_of(study) if study is not None else None
    return {slug: scene_pack(slug, version) for slug in spec.scenes}


def run_store(name: str, spec: RunSpec, *, study: Study | None = None) -> Run:
    """Store the whole plan; the scenes' versions are frozen, so that it means the same to its last episode.

    Raises: StudyError when the name belongs to another plan.
    """
    packs = run_packs(spec, study=study)
    tasks = {slug: {task.id: task for task in pack.tasks} for slug, pack in packs.items()}
    versions = {slug: pack.info.version for slug, pack in packs.items()}
    run = run_plan(name=name, spec=spec, items=run_items(spec, tasks), scene_versions=versions, study=study)
    for slug, version in versions.items():
        if scene_version(slug, version) is not None:  # a folder's pack is not edited here
            scene_freeze(slug, version)
    return run


def run_to_resume(spec: RunSpec, *, study: Study | None = None) -> Run | None:
    """The unfinished run that a command with this plan goes on with; None when it is a new one."""
    scenes = {(slug, pack.info.version) for slug, pack in run_packs(spec, study=study).items()}
    return run_unfinished(spec.digest, study=study, scenes=scenes)
