"""The shapes models must answer in: pydantic models to check with, closed JSON schemas to send.

Sent schemas follow the strictest provider's rules: every object closed, every key required, optional
values nullable. Bounds on strings are kept only where a provider takes them.
"""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator

from siturec.protocol.actions import tool_schema
from siturec.protocol.messages import (
    AssistantAction,
    AssistantMessage,
    ExpectedAction,
    ToolCall,
    UserMessage,
)
from siturec.protocol.vocabulary import DIALOGUE_ACTS, DIMENSIONS, TOOLS, SceneKind

UTTERANCE_CHARS, REASON_CHARS, EVIDENCE_CHARS = 480, 160, 160
_BOUNDS = ("minLength", "maxLength", "pattern", "format")


def _blank_is_none(value: object) -> object:
    return None if value in ("", "null", "none", "None") else value


Maybe = Annotated[str | None, BeforeValidator(_blank_is_none)]


class Lenient(BaseModel):
    """Base of what is read back: unknown keys are ignored, since nothing is taken from them."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class CallGiven(Lenient):
    """A tool call as a model writes it."""

    tool: str
    args: dict[str, Any] = Field(default_factory=dict)

    @field_validator("args", mode="before")
    @classmethod
    def _none_is_empty(cls, value: object) -> object:
        return {} if value is None else value

    def plain_args(self) -> dict[str, Any]:
        """The arguments that were given; null counts as left out."""
        return {key: value for key, value in self.args.items() if value is not None}


class ActionGiven(Lenient):
    """An annotated dialogue act as a model writes it."""

    type: str
    display_name: Maybe = None
    visible_now: bool | None = None
    reason: Maybe = None
    navigation_goal: Maybe = None
    next_waypoint: Maybe = None
    target_approach: Maybe = None

    @field_validator("type")
    @classmethod
    def _known(cls, value: str) -> str:
        if value not in DIALOGUE_ACTS:
            raise ValueError(f"'{value}' is no action type; there are: {', '.join(DIALOGUE_ACTS)}")
        return value


class AssistantGiven(Lenient):
    """An assistant's answer as a model writes it."""

    utterance: str = Field(min_length=1)
    assistant_actions: list[ActionGiven] = Field(min_length=1, max_length=1)
    ranking: list[str]
    expected_user_action: CallGiven | None = None

    def message(self) -> AssistantMessage:
        """As the protocol's message; the ranking is kept as given, repeats and unknown ids too."""
        expected = self.expected_user_action
        return AssistantMessage(
            utterance=self.utterance.strip(),
            assistant_actions=(AssistantAction.model_validate(self.assistant_actions[0].model_dump()),),
            ranking=tuple(self.ranking),
            expected_user_action=expected and ExpectedAction(tool=expected.tool, args=expected.plain_args()),
        )


class UserGiven(Lenient):
    """A simulated user's answer as a model writes it."""

    reply: str = Field(min_length=1)
    tool_call: CallGiven

    def message(self) -> UserMessage:
        """As the protocol's message."""
        call = ToolCall(tool=self.tool_call.tool, args=self.tool_call.plain_args())
        return UserMessage(reply=self.reply.strip(), tool_call=call)


class ScoreGiven(Lenient):
    """One score with the words of the record it rests on."""

    score: int = Field(ge=1, le=5)
    evidence: str = ""


def strict(schema: dict[str, Any], *, bounds: bool) -> dict[str, Any]:
    """A copy in which every object is closed and requires all its keys, without defaults."""
    if isinstance(schema.get("anyOf"), list):
        schema = {**schema, "anyOf": [strict(part, bounds=bounds) for part in schema["anyOf"]]}
    if isinstance(schema.get("items"), dict):
        schema = {**schema, "items": strict(schema["items"], bounds=bounds)}
    if schema.get("type") == "object":
        fields = {k: strict(v, bounds=bounds) for k, v in schema.get("properties", {}).items()}
        schema = {**schema, "properties": fields, "required": list(fields), "additionalProperties": False}
    dropped = ("default",) if bounds else ("default", *_BOUNDS)
    return {key: value for key, value in schema.items() if key not in dropped}


def _text(chars: int, *, nullable: bool = False) -> dict[str, Any]:
    text = {"type": "string", "maxLength": chars}
    return {"anyOf": [text, {"type": "null"}]} if nullable else {**text, "minLength": 1}


def _object(title: str, fields: dict[str, Any], *, bounds: bool) -> dict[str, Any]:
    return {"title": title, **strict({"type": "object", "properties": fields}, bounds=bounds)}


def _expected(kind: SceneKind, *, markers: bool) -> dict[str, Any]:
    schema = tool_schema(kind)
    if not markers:
        for part in schema["anyOf"]:
            if part["properties"]["tool"]["const"] == "pick_up_item":
                part["properties"]["args"] = {"type": "object", "properties": {}}
    return schema


def assistant_schema(
    kind: SceneKind, products: Sequence[str], *, bounds: bool, markers: bool = True
) -> dict[str, Any]:
    """What an assistant's model must answer; ``products`` are the ids its ranking may hold."""
    home = (
        {}
        if kind == "supermarket"
        else {
            "next_waypoint": _text(16, nullable=True),
            "target_approach": _text(20, nullable=True),
        }
    )
    action = {
        "type": "object",
        "properties": {
            "type": {"type": "string", "enum": list(DIALOGUE_ACTS)},
            "display_name": _text(80, nullable=True),
            "visible_now": {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
            "navigation_goal": _text(16, nullable=True),
            **home,
            "reason": _text(REASON_CHARS, nullable=True),
        },
    }
    fields = {
        "utterance": _text(UTTERANCE_CHARS),
        "assistant_actions": {"type": "array", "items": action, "minItems": 1, "maxItems": 1},
        "ranking": {
            "type": "array",
            "items": {"type": "string", "enum": list(products)},
            "minItems": min(10, len(products)),
            "maxItems": 10,
        },
        "expected_user_action": _expected(kind, markers=markers),
    }
    return _object("assistant_turn", fields, bounds=bounds)


def user_schema(kind: SceneKind, *, bounds: bool) -> dict[str, Any]:
    """What a simulated user's model must answer."""
    return _object("user_turn", {"reply": _text(320), "tool_call": tool_schema(kind)}, bounds=bounds)


def judge_schema(*, bounds: bool) -> dict[str, Any]:
    """What a judge's model must answer: per dimension a score and the words it rests on."""
    one = {
        "type": "object",
        "properties": {
            "evidence": _text(EVIDENCE_CHARS),
            "score": {"type": "integer", "minimum": 1, "maximum": 5},
        },
    }
    return _object("judge_scores", dict.fromkeys(DIMENSIONS, one), bounds=bounds)


def tool_names(kind: SceneKind) -> str:
    """The tools of a kind of scene, for a complaint."""
    return ", ".join(TOOLS[kind])
