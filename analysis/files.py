"""Trajectory files to ledgers, with the scene packs found in a folder; no database."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path

from agents.registry import judge_kind
from siturec.metrics.facts import SceneFacts
from siturec.metrics.ledger import Ledger
from siturec.metrics.scoring import FactsOf, score_episodes
from siturec.metrics.subsets import SUBSETS, PartitionError
from siturec.metrics.versions import Apart
from siturec.scene.load import load_pack
from siturec.strict_json import BadJSON, read_json
from siturec.trajectory import Trajectory, read_file

Keep = Callable[[Trajectory], bool]


def facts_in(folder: Path) -> FactsOf:
    """Facts by scene slug out of a folder of scene packs; a slug without a pack there is an unknown scene.

    The function returned raises SceneError for a pack that is there but broken.
    """

    @lru_cache(maxsize=32)
    def facts_of(slug: str) -> SceneFacts:
        # A slug comes from a record: it must name a folder right here, not a way out of it.
        pack = folder / slug
        if Path(slug).name != slug or not (pack / "scene.json").is_file():
            return SceneFacts.unknown(slug)
        return SceneFacts.of_pack(load_pack(pack))

    return facts_of


def ledger_of_file(path: Path, facts_of: FactsOf, *, keep: Keep | None = None) -> Ledger:
    """Score a whole file in one pass.

    Raises: OSError; TrajectoryError at the first faulty line: a faulty file is not scored in part.
    """
    records = read_file(path)
    chosen = records if keep is None else (record for record in records if keep(record))
    return Ledger.of(score_episodes(chosen, facts_of))


def cautions(human: Ledger, simulated: Ledger) -> list[str]:
    """What a reader must know of two files before reading how far they agree; empty for a plain pair."""
    found: list[str] = []
    for side, kind, ledger in (("human", "people", human), ("simulated", "simulated users", simulated)):
        whole = ledger.total().episodes
        other = whole - ledger.where(lambda key, side=side: key.user_kind == side).total().episodes  # type: ignore[misc]
        if other:
            found.append(f"--{side}: {other} of {whole} episodes are not of {kind}")
    scenes = (human.distinct("scene"), simulated.distinct("scene"))
    if scenes[0] != scenes[1]:
        found.append(f"people were in {', '.join(scenes[0])}, simulated users in {', '.join(scenes[1])}")
    if len({*scenes[0], *scenes[1]}) > 1:
        found.append("several scenes are taken together; --scene takes one")
    if len(policies := simulated.distinct("policy")) > 1:
        found.append(f"several simulated users are taken together: {', '.join(policies)}")
    return found


def read_partition(path: Path) -> dict[str, int]:
    """A stored partition: ``{"subsets": {"17.2": 0, ...}}``, or the inner object alone.

    Raises: OSError; PartitionError naming the task whose subset is none of 0 to 3.
    """
    try:
        raw = read_json(path.read_bytes())
    except BadJSON as error:
        raise PartitionError(f"{path.name}: {error}") from None
    subsets = raw.get("subsets", raw) if isinstance(raw, dict) else None
    if not isinstance(subsets, dict) or not subsets:
        raise PartitionError(f"{path.name}: expected an object of task ids and subsets")
    for task, subset in subsets.items():
        if not isinstance(subset, int) or isinstance(subset, bool) or not 0 <= subset < SUBSETS:
            raise PartitionError(f"{path.name}: task {task}: subset {subset!r} is none of 0, 1, 2, 3")
    return subsets


def require_tasks(subset_of: dict[str, int], ledger: Ledger, source: str) -> None:
    """Raises: PartitionError naming the first task of the ledger that the partition does not hold."""
    for task in ledger.distinct("task_id"):
        if task not in subset_of:
            raise PartitionError(f"{source}: task {task} is in the records but in no subset")


def told_apart(found: Iterable[Apart]) -> list[str]:
    """What a reader must know of rows that are versions of one assistant; empty where there are none."""
    return [
        f"{one.label}: {one.role} {one.version}, {one.people + one.simulated} episodes; --mix-versions takes "
        f"the versions of {one.assistant} together"
        for one in found
    ]


def judges_in(*ledgers: Ledger) -> dict[str, str]:
    """Each judge whose version the records name, and what kind of judge it is."""
    names = {key.judge_version.partition(" ")[0] for ledger in ledgers for key in ledger.cells}
    return {name: judge_kind(name) for name in sorted(names - {""})}
