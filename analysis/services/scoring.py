"""Scoring the record: each episode once per version of the rules; old scores stay."""

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from django.db import transaction
from django.db.models import QuerySet

from analysis.models import EpisodeScore
from catalog.selectors import UnknownScene, scene_pack
from sessions.models import Episode
from sessions.selectors import episode_record, with_turns
from siturec.metrics import registry
from siturec.metrics.episode import EpisodeScore as Scored
from siturec.metrics.episode import score_episode
from siturec.metrics.facts import SceneFacts
from siturec.metrics.registry import QUANTITIES, SCORING_VERSION
from siturec.scene.schema import ScenePack
from siturec.trajectory import TrajectoryError, check_record

BATCH = 200
UNREADABLE = "record"
"""Stands in a score's ``unknown`` when the record itself could not be read."""
log = logging.getLogger(__name__)
_LATER = {quantity.key for quantity in (*registry.RATED, *registry.OWN_RATED)}


def scores_missing(episodes: QuerySet[Episode], version: str = SCORING_VERSION) -> QuerySet[Episode]:
    """The finished episodes among these that have no score of these rules yet."""
    return episodes.filter(status=Episode.Status.ENDED).exclude(scores__version=version)


def scores_complete(
    *,
    episodes: QuerySet[Episode],
    version: str = SCORING_VERSION,
    scored: Callable[[int], None] = lambda count: None,
) -> int:
    """Score the finished episodes that have no score of the current rules yet; return how many there were.

    ``scored`` is told after each batch how many it held.
    Raises: ValueError for any version but the current one: old rules are kept as scores, not as code.
    """
    if version != SCORING_VERSION:
        raise ValueError(f"episodes can be scored by rules {SCORING_VERSION} only, not {version}")
    ids = list(scores_missing(episodes, version).values_list("pk", flat=True))
    for start in range(0, len(ids), BATCH):
        part = ids[start : start + BATCH]
        _score_batch(part)
        scored(len(part))
    return len(ids)


@transaction.atomic
def _score_batch(ids: list[int]) -> None:
    rows = Episode.objects.filter(pk__in=ids).select_related("participant").order_by("pk")
    EpisodeScore.objects.bulk_create(_scored(list(rows)), ignore_conflicts=True)


def _scored(episodes: Sequence[Episode]) -> Iterator[EpisodeScore]:
    # Looking a scene's version up asks the database, which once a batch is enough.
    facts_of = lru_cache(facts_for)
    for episode, turns in with_turns(episodes):
        try:
            record = check_record(episode_record(episode, turns=turns))
        except TrajectoryError as error:
            # One faulty record must not hide all others; it is counted and named instead.
            log.error("episode %s cannot be scored: %s", episode.public_id, error)
            yield EpisodeScore(episode=episode, version=SCORING_VERSION, counted=False, unknown=[UNREADABLE])
            continue
        found = score_episode(record, facts_of(episode.scene, episode.scene_version))
        yield EpisodeScore(
            episode=episode,
            version=found.version,
            counted=found.counted,
            sums=sums_of(found),
            unknown=sorted(found.unknown),
        )


def sums_of(found: Scored) -> dict[str, list[float]]:
    """The quantities that an episode adds to, ratings left out."""
    return {
        quantity.key: [float(found.num[at]), float(found.den[at])]
        for at, quantity in enumerate(QUANTITIES)
        if (found.den[at] or found.num[at]) and quantity.key not in _LATER
    }


def facts_for(scene: str, version: str) -> SceneFacts:
    """What scoring needs to know of the scene's version an episode was played in."""
    try:
        pack = scene_pack(scene, version or None)
    except UnknownScene:
        return SceneFacts.unknown(scene)
    # The catalog keeps a pack in memory until it changes, so its identity stands for its content.
    kept = _FACTS.get(id(pack))
    if kept is None or kept[0] is not pack:
        if len(_FACTS) > MAX_FACTS:
            _FACTS.clear()
        kept = _FACTS[id(pack)] = (pack, SceneFacts.of_pack(pack))
    return kept[1]


MAX_FACTS = 8
_FACTS: dict[int, tuple[ScenePack, SceneFacts]] = {}
