"""From an episode's row to the setting it is played in."""

import os
import secrets
import socket
from dataclasses import dataclass

from agents.identity import identity_words
from catalog.selectors import scene_pack
from play.setting import Rules, Setting
from sessions.selectors.play import EpisodeRow, episode_row
from sessions.selectors.studies import design_of
from simulator_bridge.knowledge import store_knowledge
from siturec.protocol.messages import StoreKnowledge
from siturec.protocol.study import Limits
from siturec.scene.schema import Profile, ScenePack, Task

OWNER = f"{socket.gethostname()[:40]}:{os.getpid()}:{secrets.token_hex(4)}"
"""This process, as the holder of leases."""

HUMAN_WORLD_RETRIES = 8
HUMAN_MIND_RETRIES = 3


_known: dict[tuple[str, str], tuple[ScenePack, StoreKnowledge]] = {}


def knowledge_of(pack: ScenePack) -> StoreKnowledge:
    """What every assistant knows of this store; made once per state of each version of the scene."""
    key = pack.info.id, pack.info.version
    kept = _known.get(key)
    if kept is None or kept[0] is not pack:
        kept = _known[key] = (pack, store_knowledge(pack))
    return kept[1]


def shopper_of(pack: ScenePack, *, task_id: str, profile_id: str, whose: str) -> tuple[Task, Profile]:
    """An episode's task and profile. Raises: LookupError naming ``whose`` and what is not there."""
    task = next((task for task in pack.tasks if task.id == task_id), None)
    profile = next((profile for profile in pack.profiles if profile.id == profile_id), None)
    if task is None or profile is None:
        what = f"task {task_id}" if task is None else f"profile {profile_id}"
        raise LookupError(f"{whose}: scene {pack.info.id} {pack.info.version} has no {what}")
    return task, profile


@dataclass(frozen=True)
class Loaded:
    """An episode's row and setting."""

    row: EpisodeRow
    setting: Setting


def hidden_words(*slugs: str) -> tuple[str, ...]:
    """Words that would tell an assistant: only telling ones, for a slug may be an ordinary word."""
    return tuple(
        word for word in identity_words(*slugs) if any(char.isdigit() or char in "-_/." for char in word)
    )


def episode_setting(
    episode_id: int, *, owner: str = OWNER, keep_frames: bool = True, show_user_minimap: bool | None = None
) -> Loaded:
    """Load an episode. Raises: LookupError for an episode, scene, task or profile that is not there."""
    row = episode_row(episode_id)
    pack = scene_pack(row.scene, row.scene_version or None)
    task, profile = shopper_of(pack, task_id=row.task_id, profile_id=row.profile_id, whose=row.public_id)
    human = row.user_kind == "human"
    design = design_of(row.study, row.study_version) if row.study is not None else None
    minimap = design.show_user_minimap if design is not None else False
    rules = Rules(
        limits=Limits.model_validate(row.limits),
        reply_required=design.reply_required if design is not None and human else True,
        show_user_minimap=minimap if show_user_minimap is None else show_user_minimap,
        mind_retries=HUMAN_MIND_RETRIES if human else 0,
        world_retries=HUMAN_WORLD_RETRIES if human else 3,
        keep_frames=keep_frames,
        pictures=row.pictures,
        identity_policy=design.identity_policy if design is not None else None,
    )
    slugs = design.assistant_slugs if design is not None else (row.assistant,)
    setting = Setting(
        episode_id=row.id,
        public_id=row.public_id,
        pack=pack,
        knowledge=knowledge_of(pack),
        task=task,
        profile=profile,
        condition=row.condition,
        user_kind=row.user_kind,
        seed=row.seed,
        rules=rules,
        owner=owner,
        hidden=hidden_words(*slugs),
        start=pack.info.start,
    )
    return Loaded(row=row, setting=setting)
