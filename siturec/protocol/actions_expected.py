"""The user action an assistant expects, resolved from its own markers to entity ids.

Source: SituRecBench B.2 (S29, S30, S35) and D.4 (S71): only where the assistant sees neither frame nor
table may ids come from the static index instead of the view, and pick-up be suggested without one.
"""

from typing import Any, Literal

from pydantic import ValidationError

from siturec.protocol.actions import PRODUCT_TOOLS, TARGET_KIND, Refusal, Refused, known_tool, seen_as
from siturec.protocol.actions_tools import ARGUMENTS, DISTANCES_M
from siturec.protocol.messages import ExpectedAction, Observation, StoreKnowledge
from siturec.protocol.vocabulary import Condition, EntityKind, ToolName


def resolve_expected(
    expected: ExpectedAction,
    *,
    observation: Observation | None,
    knowledge: StoreKnowledge,
    condition: Condition = "full",
) -> ExpectedAction | Refusal:
    """The expectation with ``resolved`` filled in, or why it is none a user could act on.

    What was left out (a side, a distance) stays out: only what is said can be compared with what is done.
    ``observation`` is what can truly be seen, with assistant markers; it may be None without a caption.
    """
    try:
        tool = known_tool(expected.tool, knowledge.kind)
        args = {key: value for key, value in expected.args.items() if value is not None}
        _check_given(tool, args)
        resolved: dict[str, Any] = {
            key: args[key] for key in ("direction", "angle", "distance", "approach") if key in args
        }
        if "distance" in resolved:
            resolved["distance"] = DISTANCES_M[str(resolved["distance"])]
        field: Literal["target", "product"] | None = (
            "target" if tool in TARGET_KIND else "product" if tool in PRODUCT_TOOLS else None
        )
        if field is not None:
            entity = _entity(tool, args.get(field), observation, knowledge, condition)
            if entity is not None:
                resolved[field] = entity
        return expected.model_copy(update={"resolved": resolved})
    except Refused as refused:
        return refused.refusal


def _check_given(tool: ToolName, args: dict[str, Any]) -> None:
    try:
        ARGUMENTS[tool].model_validate(args)
    except ValidationError as error:
        wrong = [problem for problem in error.errors() if problem["type"] != "missing"]
        if wrong:
            where = ".".join(str(part) for part in wrong[0]["loc"]) or "arguments"
            raise Refused("bad_arguments", f"'{where}' of {tool}: {wrong[0]['msg']}.") from None


def _entity(
    tool: ToolName,
    marker: Any,
    observation: Observation | None,
    knowledge: StoreKnowledge,
    condition: Condition,
) -> str | None:
    wanted: EntityKind = TARGET_KIND.get(tool, "product")
    if marker is None:
        if condition == "no_ego_view_no_caption" and wanted == "product":
            return None
        raise Refused("bad_arguments", f"{tool} needs a {wanted}.")
    if condition == "no_ego_view_no_caption":
        return _from_index(str(marker), wanted, knowledge, tool)
    if observation is None:
        raise Refused("not_visible", f"No {wanted} is in view.")
    return seen_as(str(marker), wanted, observation, "assistant", tool=tool).entity


def _from_index(marker: str, wanted: EntityKind, knowledge: StoreKnowledge, tool: ToolName) -> str:
    """A target by its fixed marker, its id, or its id with the kind before it; a product by its id."""
    said = marker.strip().casefold()
    if wanted == "product":
        known = {f"product:{entry.id}": {entry.id, f"product:{entry.id}"} for entry in knowledge.catalog}
    else:
        known = {
            target.entity: {
                target.assistant_marker.casefold(),
                target.entity,
                target.entity.partition(":")[2],
            }
            for target in knowledge.targets
            if target.kind == wanted
        }
    for entity, spellings in known.items():
        if said in spellings:
            return entity
    raise Refused("not_visible", f"There is no {wanted} '{marker}' in the store's index for {tool}.")
