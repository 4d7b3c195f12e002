"""Scoring a stream of records, and the table that ``score`` prints."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from siturec.metrics import registry
from siturec.metrics.episode import EpisodeScore, score_episode
from siturec.metrics.facts import SceneFacts
from siturec.metrics.ledger import Ledger, Sums
from siturec.metrics.outcome import CURVE_TURNS
from siturec.metrics.registry import HEADLINE, SCORING_VERSION
from siturec.metrics.subsets import PartitionError, over_subsets, partition
from siturec.trajectory_schema import Trajectory

FactsOf = Callable[[str], SceneFacts]

REASONS = {
    "no_episodes": "no episode counts",
    "no_eligible": "no episode or event is eligible",
    "scene_unknown": "the scene's pack is not at hand",
}


def score_episodes(records: Iterable[Trajectory], facts_of: FactsOf) -> Iterator[EpisodeScore]:
    """Score records one by one; ``facts_of`` gives the facts of a scene by its slug."""
    known: dict[str, SceneFacts] = {}
    for record in records:
        scene = record["scene"]
        if scene not in known:
            known[scene] = facts_of(scene)
        yield score_episode(record, known[scene])


def bank_partition(ledger: Ledger, facts_of: FactsOf) -> dict[str, int] | None:
    """The four subsets for a ledger's tasks, or None when they are not a whole task bank.

    The bank is the scene pack's; without one, the tasks at hand, if they are four for each profile.
    A ledger of several scenes has no common bank.
    """
    scenes = ledger.distinct("scene")
    if len(scenes) != 1:
        return None
    tasks: dict[str, set[str]] = {}
    for key in ledger.cells:
        tasks.setdefault(key.profile_id, set()).add(key.task_id)
    own = facts_of(scenes[0]).tasks
    bank = own if own is not None else {profile: tuple(ids) for profile, ids in tasks.items()}
    try:
        subset_of = partition(bank)
    except PartitionError:
        return None
    return subset_of if all(task in subset_of for ids in tasks.values() for task in ids) else None


def score_table(
    ledger: Ledger,
    facts_of: FactsOf,
    subset_of: Mapping[str, int] | None = None,
    *,
    shown: Ledger | None = None,
) -> dict[str, Any]:
    """Every metric of every assistant, as JSON-able data; see ``assistant_row`` for a row's keys.

    The assistants' rows are about the part ``shown`` of the ledger: without it about all of it.

    Where the records mix scenes, conditions, kinds of user or policies, ``by`` holds the headline metrics
    of each apart: the ablation table, for one.
    """
    if subset_of is None:
        subset_of = bank_partition(ledger, facts_of)
    rows = ledger if shown is None else shown
    table: dict[str, Any] = {"scoring_version": SCORING_VERSION}
    table["assistants"] = {
        slug: assistant_row(rows.where(lambda key, slug=slug: key.assistant == slug), subset_of)  # type: ignore[misc]
        for slug in rows.distinct("assistant")
    }
    table["by"] = {
        name: {value: _headlines(ledger, name, value, subset_of) for value in values}
        for name in ("scene", "condition", "user_kind", "policy")
        if len(values := ledger.distinct(name)) > 1
    }
    return table


def _headlines(
    ledger: Ledger, attribute: str, value: str, subset_of: Mapping[str, int] | None
) -> dict[str, dict[str, Any]]:
    """The headline metrics per assistant within one condition, scene, kind of user or policy."""
    part = ledger.where(lambda key: getattr(key, attribute) == value)
    rows: dict[str, dict[str, Any]] = {}
    for slug in part.distinct("assistant"):
        own = part.where(lambda key, slug=slug: key.assistant == slug)  # type: ignore[misc]
        total = own.total()
        rows[slug] = {"n": total.episodes, **{key: total.value(key) for key in HEADLINE}}
        rows[slug]["subsets"] = None if subset_of is None else subset_row(own, subset_of)
    return rows


def assistant_row(ledger: Ledger, subset_of: Mapping[str, int] | None) -> dict[str, Any]:
    """One assistant's metrics in their tables' units; None where there is no value, with the reason."""
    total = ledger.total()
    row: dict[str, Any] = {"n": total.episodes, "excluded": dict(total.excluded)}
    row |= {key: total.value(key) for key in HEADLINE}
    row |= {quantity.key: total.value(quantity.key) for quantity in registry.RATED}
    row["reasons"] = {key: REASONS[reason] for key in HEADLINE if (reason := total.reason(key)) is not None}
    row["eligible"] = {key: int(total.den[registry.INDEX[key]]) for key in HEADLINE}
    row["CGV"] = cgv_row(total)
    row["SR(t)"] = {str(t): total.value(f"SR({t})") for t in CURVE_TURNS}
    row["acts"] = _group(total, registry.ACTS)
    row["user_tools"] = _group(total, registry.USED)
    row["suggested_in_navigate"] = _group(total, registry.SUGGESTED)
    row["same_action_in_navigate"] = _group(total, registry.SAME)
    row["end_reasons"] = _group(total, registry.ENDS)
    row["manner"] = {quantity.key: total.value(quantity.key) for quantity in registry.MANNER}
    row["balanced"] = {key: ledger.balanced(key) for key in HEADLINE}
    row["subsets"] = None if subset_of is None else subset_row(ledger, subset_of)
    return row


def subset_row(ledger: Ledger, subset_of: Mapping[str, int]) -> dict[str, Any]:
    """For each headline metric the four subset means, their mean and their sample SD."""
    totals = ledger.subset_totals(subset_of)
    row: dict[str, Any] = {"n": [sums.episodes for sums in totals]}
    for key in (*HEADLINE, *(quantity.key for quantity in registry.RATED)):
        means = [sums.value(key) for sums in totals]
        found = over_subsets(means)
        row[key] = {"means": means, "mean": found and found.mean, "sd": found and found.sd}
    return row


def cgv_row(total: Sums) -> dict[str, Any]:
    """The number of checkable goals, CGV(0) and the gains CGV(h) - CGV(0) in percentage points."""
    now = total.value("CGV(0)")
    row: dict[str, Any] = {"n": int(total.den[registry.INDEX["CGV(0)"]]), "CGV(0)": now}
    for horizon in registry.HORIZON_NAMES[1:]:
        later = total.value(f"CGV({horizon})")
        row[horizon] = None if now is None or later is None else later - now
    if (reason := total.reason("CGV(0)")) is not None:
        row["reason"] = REASONS[reason]
    return row


def _group(total: Sums, group: tuple[registry.Quantity, ...]) -> dict[str, float | None]:
    return {quantity.key.partition(":")[2]: total.value(quantity.key) for quantity in group}
