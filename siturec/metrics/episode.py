"""One episode's scores: a vector of numerators and one of denominators, in the registry's order."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from siturec.metrics import registry
from siturec.metrics.dialogue import RATERS, own_rater, ratings
from siturec.metrics.facts import SceneFacts
from siturec.metrics.navigation import first_calls, navigation_events
from siturec.metrics.outcome import bought, turn_count
from siturec.metrics.recommendation import (
    catalog_entries,
    mean_or_zero,
    ndcg_at_10,
    recall_at_5,
    reciprocal_rank_at_10,
    reference_bought,
    saved_rankings,
)
from siturec.metrics.registry import INDEX, QUANTITIES, SCORING_VERSION
from siturec.metrics.visibility import HORIZONS, NEVER, goal_delays
from siturec.protocol.vocabulary import OUT_OF_METRICS
from siturec.trajectory_schema import Trajectory

Vector = NDArray[np.float64]
_OUT = frozenset(reason.value for reason in OUT_OF_METRICS)
_CURVE = registry.span(registry.CURVE)
_CGV = registry.span(registry.CGV)
_ACTS = registry.span(registry.ACTS)
_USED = registry.span(registry.USED)
_SUGGESTED = registry.span(registry.SUGGESTED)
_ENDS = registry.span(registry.ENDS)


@dataclass(frozen=True)
class EpisodeKey:
    """What an episode is grouped by; a version the record does not name is empty."""

    assistant: str
    scene: str
    condition: str
    user_kind: str
    policy: str | None
    participant: str | None
    profile_id: str
    task_id: str
    assistant_version: str = ""
    user_version: str = ""
    moderator_version: str = ""
    judge_version: str = ""


def version_fields(versions: object) -> dict[str, str]:
    """A key's versions from a record's ``versions`` by role; whatever is no text there counts as unnamed."""
    named = versions if isinstance(versions, Mapping) else {}
    return {
        f"{role}_version": text
        for role in ("assistant", "user", "moderator", "judge")
        if isinstance(text := named.get(role), str)
    }


@dataclass(frozen=True)
class EpisodeScore:
    """One scored episode.

    Attributes:
        num, den: shape (len(QUANTITIES),); an abandoned or failed episode has zeros throughout.
        counted: False for an episode that is kept out of metrics; it is still counted by its end reason.
        unknown: needs (``kind``, ``catalog``, ``places``) the scene's facts could not meet.
    """

    episode_id: str
    key: EpisodeKey
    end_reason: str
    counted: bool
    num: Vector
    den: Vector
    unknown: frozenset[str] = field(default=frozenset())
    version: str = SCORING_VERSION

    def value(self, metric: str) -> float | None:
        """This episode's value in the metric's unit, or None where it has none."""
        at = INDEX[metric]
        return QUANTITIES[at].scale * float(self.num[at] / self.den[at]) if self.den[at] else None


def episode_key(record: Trajectory) -> EpisodeKey:
    """The groups a record belongs to."""
    user = record["user"]
    return EpisodeKey(
        assistant=record["assistant"],
        scene=record["scene"],
        condition=record["condition"],
        user_kind=user["kind"],
        policy=user["policy"],
        participant=user["participant"],
        profile_id=record["profile_id"],
        task_id=record["task_id"],
        **version_fields(record.get("versions")),
    )


def score_episode(record: Trajectory, facts: SceneFacts) -> EpisodeScore:
    """Score one checked record by the rules of ``SCORING_VERSION``."""
    num = np.zeros(len(QUANTITIES))
    den = np.zeros(len(QUANTITIES))
    counted = record["end_reason"] not in _OUT
    unknown: set[str] = set()
    if counted:
        sheet = _Sheet(num, den)
        _outcome(record, sheet)
        _recommendation(record, facts, sheet, unknown)
        _navigation(record, facts, sheet, unknown)
        _visibility(record, facts, sheet, unknown)
        _dialogue(record, sheet)
        _behaviour(record, sheet)
    return EpisodeScore(
        episode_id=record["episode_id"],
        key=episode_key(record),
        end_reason=record["end_reason"],
        counted=counted,
        num=num,
        den=den,
        unknown=frozenset(unknown),
    )


@dataclass(frozen=True)
class _Sheet:
    num: Vector
    den: Vector

    def add(self, key: str, value: float, weight: float = 1.0) -> None:
        at = INDEX[key]
        self.num[at] += value
        self.den[at] += weight


def _outcome(record: Trajectory, sheet: _Sheet) -> None:
    success, turns = bought(record), turn_count(record)
    sheet.add("SR", success)
    sheet.add("Turn", turns)
    sheet.den[_CURVE] = 1
    if success:
        sheet.num[_CURVE.start + max(turns, 1) - 1 : _CURVE.stop] = 1
    sheet.den[_ENDS] = 1
    sheet.add(f"end:{record['end_reason']}", 1, 0)


def _recommendation(record: Trajectory, facts: SceneFacts, sheet: _Sheet, unknown: set[str]) -> None:
    rankings, cart = saved_rankings(record), set(record["final_cart"])
    sheet.add("R@5", mean_or_zero(recall_at_5(ranking, cart) for ranking in rankings))
    sheet.add("NDCG@10", mean_or_zero(ndcg_at_10(ranking, cart) for ranking in rankings))
    reference = reference_bought(record)
    sheet.add("RPR", reference)
    if cart:
        sheet.add("RPR|Cart", reference)
    if rankings:
        items = set(record["reference_items"])
        sheet.add("R-MRR@10", mean_or_zero(reciprocal_rank_at_10(ranking, items) for ranking in rankings))
    if facts.catalog is None:
        unknown.add("catalog")
    else:
        sheet.add("Catalog%", *catalog_entries(rankings, facts.catalog))


def _navigation(record: Trajectory, facts: SceneFacts, sheet: _Sheet, unknown: set[str]) -> None:
    legal = facts.legal_tools
    if legal is None:
        unknown.add("kind")
        return
    events = list(navigation_events(record, legal))
    if events:
        sheet.add("AFR", sum(event.followed for event in events) / len(events))
    aligned = [event.aligned for event in events if event.aligned is not None]
    if aligned:
        sheet.add("LNSR", sum(aligned) / len(aligned))
    for event in events:
        if event.within_navigate:
            sheet.den[_SUGGESTED] += 1
            sheet.add(f"suggested:{event.expected}", 1, 0)
            sheet.add(f"same:{event.expected}", event.followed)


def _visibility(record: Trajectory, facts: SceneFacts, sheet: _Sheet, unknown: set[str]) -> None:
    if facts.kind is None or (facts.kind == "home" and facts.places is None):
        unknown.add("places")
        return
    delays = goal_delays(record, facts)
    sheet.den[_CGV] = len(delays)
    for delay in delays:
        if delay != NEVER:
            sheet.num[_CGV.start + min(delay, len(HORIZONS)) : _CGV.stop] += 1


def _dialogue(record: Trajectory, sheet: _Sheet) -> None:
    own = own_rater(record)
    for rater in RATERS:
        for name, score in ratings(record, rater).items():
            sheet.add(f"{rater}.{name}", score)
            if rater == own:
                sheet.add(name, score)


def _behaviour(record: Trajectory, sheet: _Sheet) -> None:
    walked, acts = 0.0, 0
    for turn in record["turns"]:
        utterance, reply = turn["assistant"]["utterance"].split(), turn["user"]["reply"].split()
        sheet.add("assistant_words", len(utterance))
        sheet.add("silent_replies", not reply)
        if reply:
            sheet.add("user_words", len(reply))
        action, outcome = turn["assistant"]["action"], turn["user"]["outcome"]
        if action is not None:
            acts += 1
            sheet.add(f"act:{action['type']}", 1, 0)
        if outcome is not None:
            sheet.add("refused_calls", not outcome["ok"])
            walked += outcome.get("displacement_m") or 0.0
    sheet.den[_ACTS] = acts
    sheet.add("walked_m", walked)
    tools = [call["tool"] for call in first_calls(record).values()]
    sheet.den[_USED] = len(tools)
    for tool in tools:
        if f"tool:{tool}" in INDEX:
            sheet.add(f"tool:{tool}", 1, 0)
