"""Prompts as versioned files, and the inputs of each role put into words."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from string import Template
from typing import Any

import orjson

from siturec.protocol.actions import tool_list
from siturec.protocol.actions_text import describe_action, describe_outcome
from siturec.protocol.messages import CatalogEntry, PastTurn, Sighting, StoreKnowledge, TargetEntry
from siturec.protocol.vocabulary import Role, SceneKind

FOLDER = Path(__file__).resolve().parent / "prompts"


class PromptError(Exception):
    """A prompt file is not what it must be; the message names the file."""


@dataclass(frozen=True)
class Prompt:
    """Prompt files joined; ``version`` names the files, their versions, and a hash of the whole text."""

    template: Template
    version: str

    def fill(self, **values: str) -> str:
        """The prompt with its places filled in. Raises: KeyError for a place left empty."""
        return self.template.substitute(values)


def _split(name: str) -> tuple[str, str]:
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    head, found, body = text.removeprefix("---\n").partition("\n---\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
    if not found or "version" not in fields:
        raise PromptError(f"{name}.md: does not begin with '---', 'version: N', '---'")
    return fields["version"], body.strip()


@lru_cache(maxsize=32)
def load_prompt(name: str, *parts: str) -> Prompt:
    """A prompt, with parts put in at ``$navigation`` and the like: a part's name before its underscore."""
    version, body = _split(name)
    versions = [f"{name}@{version}"]
    inner: dict[str, str] = {}
    for part in parts:
        part_version, inner[part.partition("_")[0]] = _split(part)
        versions.append(f"{part}@{part_version}")
    text = Template(body).safe_substitute(inner)
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    return Prompt(Template(text), f"{'+'.join(versions)}:{digest}")


def tools_text(kind: SceneKind) -> str:
    """The user's tools, one a line with their arguments."""
    lines = []
    for tool in tool_list(kind):
        fields = tool["parameters"].get("properties", {})
        args = ", ".join(f"{name}: {_values(field)}" for name, field in fields.items())
        lines.append(f"- {tool['name']}({args}): {tool['description']}")
    return "\n".join(lines)


def _values(field: Mapping[str, Any]) -> str:
    if "enum" in field:
        return " or ".join(str(value) for value in field["enum"])
    if "minimum" in field:
        return f"{field['minimum']:g} to {field['maximum']:g} degrees"
    return "a label in view"


def places_text(store: StoreKnowledge) -> str:
    """The store's targets with the assistant's fixed labels."""
    return "\n".join(_place(target, store) for target in store.targets)


def _place(target: TargetEntry, store: StoreKnowledge) -> str:
    within = next((f" in {t.name}" for t in store.targets if t.entity == target.store), "")
    ways = ", ".join(target.approaches)
    return f"{target.assistant_marker} | {target.name} | {target.kind}{within} | {ways}"


def catalog_text(store: StoreKnowledge, entries: tuple[CatalogEntry, ...]) -> str:
    """The catalog, or the given part of it, one product a line."""
    labels = {target.entity: target.assistant_marker for target in store.targets}
    lines = []
    for entry in entries:
        where = ", ".join(labels[place] for place in entry.locations if place in labels)
        details = "; ".join(f"{key} {_plain(value)}" for key, value in entry.details.items())
        tags = ", ".join(entry.tags)
        lines.append(
            f"{entry.id} | {entry.name} | {entry.category} | ${entry.price:.2f} | {tags} | "
            f"{details} | {where}"
        )
    return "\n".join(lines)


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def view_text(visible: tuple[Sighting, ...], role: Role) -> str:
    """What is in view, in one role's labels, one thing a line."""
    if not visible:
        return "(nothing that has a label)"
    lines = ["label | name | kind | metres away | side | within reach | ways to approach"]
    for seen in visible:
        label = seen.user_marker if role == "user" else seen.assistant_marker
        reach = {None: "-", True: "yes", False: "no"}[seen.reachable]
        ways = ", ".join(seen.approaches) or "-"
        lines.append(
            f"{label} | {seen.name} | {seen.kind} | {seen.distance_m:.1f} | {seen.side} | {reach} | {ways}"
        )
    return "\n".join(lines)


def history_text(history: tuple[PastTurn, ...], names: Mapping[str, str], *, me: Role) -> str:
    """The dialogue so far with what was done and what came of it; no labels."""
    if not history:
        return "(nothing was said yet)"
    you, other = ("You", "Customer") if me == "assistant" else ("Assistant", "You")
    lines = []
    for past in history:
        lines.append(f"T{past.turn} {you}: {past.utterance}")
        lines.append(f"T{past.turn} {other}: {past.reply or '(says nothing)'}")
        if past.action is not None:
            done = describe_action(past.action, names=names)
            result = describe_outcome(past.action, past.outcome) if past.outcome is not None else ""
            lines.append(f"T{past.turn} {other} did: {done}. {result}".rstrip())
    return "\n".join(lines)


def record_text(record: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """A finished episode's record in words, for a judge: dialogue, actions by name, outcomes, the end."""
    lines = []
    for turn in record.get("turns") or ():
        told, did = turn.get("assistant") or {}, turn.get("user") or {}
        number = turn["turn"]
        lines.append(f"T{number} Assistant: {told.get('utterance', '')}")
        lines.append(f"T{number} Customer: {did.get('reply') or '(says nothing)'}")
        call = did.get("tool_call")
        if call:
            lines.append(f"T{number} Customer did: {_call_text(call, did.get('outcome') or {}, names)}")
    bought = ", ".join(names.get(f"product:{p}", str(p)) for p in record.get("final_cart") or ())
    lines.append(f"End: {record.get('end_reason', 'unknown')}. In the cart: {bought or 'nothing'}.")
    return "\n".join(lines)


def _call_text(call: Mapping[str, Any], outcome: Mapping[str, Any], names: Mapping[str, str]) -> str:
    resolved = call.get("resolved") or {}
    args = {**(call.get("args") or {}), **resolved}
    shown = ", ".join(
        names.get(str(value), str(value))
        for key, value in args.items()
        if value is not None and (key in resolved or key not in ("target", "product"))
    )
    if not outcome.get("ok", True):
        return f"{call['tool']} ({shown}): not possible. {outcome.get('message', '')}".rstrip()
    moved = outcome.get("displacement_m") or 0
    return f"{call['tool']} ({shown})" + (f": moved {moved:.1f} m" if moved else "")


def names_of(store: StoreKnowledge) -> dict[str, str]:
    """Entity to display name, for the whole store."""
    names = {f"product:{entry.id}": entry.name for entry in store.catalog}
    return names | {target.entity: target.name for target in store.targets}
