"""Keeping versions apart: one assistant under two prompt versions is two systems, unless mixing is asked for.

A version is whatever the record names by role under ``versions``: for a model its name, a hash of its
settings, and its prompt's version; for scripted minds a hash of their rules.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from siturec.metrics.episode import EpisodeKey
from siturec.metrics.ledger import Ledger

Group = tuple[str, ...]
ROLES = {
    "assistant": "version",
    "user": "user version",
    "moderator": "moderator version",
    "judge": "judge version",
}


@dataclass(frozen=True)
class Apart:
    """One version that is kept apart: how tables call it, and in which role it differs.

    ``people`` and ``simulated`` count all its episodes, those kept out of metrics too.
    """

    label: str
    assistant: str
    role: str
    version: str
    people: int
    simulated: int


def kept_apart(human: Ledger, simulated: Ledger) -> tuple[Ledger, Ledger, list[Apart]]:
    """Both sides with a name of its own for each version, and what was named; see :func:`all_kept_apart`."""
    (human, simulated), found = all_kept_apart(human, simulated)
    return human, simulated, found


def all_kept_apart(human: Ledger, *simulated: Ledger) -> tuple[list[Ledger], list[Apart]]:
    """People's ledger and those of simulated users, in the order given, with a name for each version.

    Of several versions the one with the most episodes keeps the plain name (of equals the first by text), on
    all sides alike, so that only like is compared with like. Without several versions nothing changes.
    """
    found: list[Apart] = []
    sides = [human, *simulated]
    for role in ROLES:
        names, legend = _names(sides, role)
        found += legend
        sides = [_renamed(side, role, names) for side in sides]
    return sides, sorted(found, key=lambda one: (one.assistant, one.role, one.label))


def apart_json(found: Iterable[Apart]) -> list[dict[str, Any]]:
    """The legend as JSON-able data."""
    return [asdict(one) for one in found]


def _version(key: EpisodeKey, role: str) -> str:
    found: str = getattr(key, f"{role}_version")
    return found


def _group(key: EpisodeKey, role: str) -> Group:
    """Whose versions are compared: simulated users of another name are no other version of this one."""
    return (key.assistant,) if role == "assistant" else (key.assistant, key.user_kind, key.policy or "")


def _names(sides: Sequence[Ledger], role: str) -> tuple[dict[tuple[Group, str], str], list[Apart]]:
    """A name for every version of every group that has several, and the legend."""
    counts: dict[Group, dict[str, Counter[int]]] = {}
    for side, ledger in enumerate(sides):
        for key, sums in ledger.cells.items():
            if version := _version(key, role):
                own = counts.setdefault(_group(key, role), {}).setdefault(version, Counter())
                own[min(side, 1)] += sums.episodes + sums.excluded.total()
    names: dict[tuple[Group, str], str] = {}
    legend: list[Apart] = []
    for group, versions in counts.items():
        if len(versions) < 2:
            continue
        ordered = sorted(versions, key=lambda version: (-versions[version].total(), version))
        for number, version in enumerate(ordered, start=1):
            name = group[0] if number == 1 else f"{group[0]}, {ROLES[role]} {number}"
            names[group, version] = name
            own = versions[version]
            legend.append(Apart(name, group[0], role, version, own[0], own[1]))
    return names, legend


def _renamed(ledger: Ledger, role: str, names: dict[tuple[Group, str], str]) -> Ledger:
    if not names:
        return ledger
    return Ledger(
        {
            replace(key, assistant=names.get((_group(key, role), _version(key, role)), key.assistant)): sums
            for key, sums in ledger.cells.items()
        }
    )
