"""A study's design as one document: what the guided form edits and what a study's file holds.

Everything that could change what a participant meets is here, so that one hash names a version.
"""

import hashlib
from typing import Annotated, Literal, Self

import orjson
from pydantic import Field, model_validator

from siturec.protocol.messages import Shape
from siturec.protocol.study_text import FilledLine, FilledText, Line, Moment, Seed, TaskId, Text
from siturec.protocol.vocabulary import Condition

A_YEAR_S = 31_536_000
Slug = Annotated[str, Field(pattern=r"^[a-z0-9]+([_-][a-z0-9]+)*$", max_length=60)]


class AssistantChoice(Shape):
    """An assistant under evaluation, or a planted control.

    ``twin`` is an exact copy of ``twin_of`` under another letter (how far apart do equals come out?);
    ``floor`` is plainly bad (does the study see it?). Controls are played and rated like any other.
    """

    slug: Slug
    control: Literal["", "twin", "floor"] = ""
    twin_of: str = ""

    @model_validator(mode="after")
    def _names_whom_it_copies(self) -> Self:
        if self.control == "twin" and self.twin_of in ("", self.slug):
            raise ValueError(f"assistants: {self.slug} is a twin and needs another assistant in 'twin_of'")
        if self.control != "twin" and self.twin_of:
            raise ValueError(f"assistants: {self.slug} has 'twin_of' but is no 'control: twin'")
        return self


class TaskChoice(Shape):
    """Which tasks participants get: ``fixed`` ids, or ``sample`` of the scene's bank drawn with ``seed``.

    Participant i gets ``per_participant`` neighbours of the list, taken cyclically (i, i+1 …).
    """

    mode: Literal["fixed", "sampled"] = "sampled"
    ids: tuple[TaskId, ...] = ()
    sample: int = Field(default=5, ge=1, le=400)
    seed: Seed = 42
    per_participant: int = Field(default=2, ge=1, le=20)

    @model_validator(mode="after")
    def _has_tasks(self) -> Self:
        if self.mode == "fixed" and not self.ids:
            raise ValueError("tasks: mode 'fixed' needs at least one id in 'ids'")
        if len(set(self.ids)) != len(self.ids):
            raise ValueError("tasks: an id is named twice")
        return self


class Limits(Shape):
    """Where an episode ends, and how long one waits; ``abandon_after_s`` from the last sign of life."""

    turns: int = Field(default=20, ge=1, le=100)
    recommendations: int = Field(default=3, ge=1, le=100)
    stalls: int = Field(default=3, ge=1, le=100)
    abandon_after_s: int = Field(default=1800, ge=60, le=A_YEAR_S)
    seat_after_s: int = Field(
        default=7200, ge=60, le=A_YEAR_S, description="an unfinished seat is released after this"
    )


class Consent(Shape):
    """The text a participant agrees to. The hash of what was shown is stored with the agreement."""

    text: FilledText
    version: Annotated[FilledLine, Field(max_length=40)] = "1"

    @property
    def digest(self) -> str:
        """SHA-256 of the text as shown."""
        return hashlib.sha256(self.text.encode()).hexdigest()


class CompletionCodes(Shape):
    """What a participant takes back to a recruiting service; empty codes are made when the study opens."""

    done: Line = ""
    screened_out: Line = ""
    returned: Line = ""
    return_url: Line = Field(default="", description="where to go, with {code} in it")


class AttentionCheck(Shape):
    """An extra item after the ``after_episode``-th interaction (from 1) that has one right answer."""

    after_episode: int = Field(ge=1, le=1000)
    text: FilledLine
    expected: int = Field(ge=1, le=5)


class Roles(Shape):
    """Who moderates, and who judges finished episodes (empty: nobody)."""

    moderator: Slug = "rules"
    judge: str = ""


class StudyConfig(Shape):
    """The whole design. Times are UTC; None means open as long as the study is."""

    slug: Slug
    title: Annotated[FilledLine, Field(max_length=120)]
    protocol: Literal["interactive_episode"] = "interactive_episode"
    description: Text = ""
    scene: Slug
    scene_version: Line = ""
    condition: Condition = "full"
    assistants: tuple[AssistantChoice, ...] = Field(min_length=1, max_length=26)
    tasks: TaskChoice = TaskChoice()
    seed: Seed = 42
    quota: int = Field(default=5, ge=1, le=10_000)
    limits: Limits = Limits()
    roles: Roles = Roles()
    consent: Consent
    instrument: Slug = "siturecbench-7"
    missing_allowed: bool = Field(default=False, description="whether single items may be left unanswered")
    attention_checks: tuple[AttentionCheck, ...] = ()
    attention_failures_allowed: int = Field(default=0, ge=0, le=1000)
    min_reply_ms: int = Field(default=1500, ge=0, le=60_000)
    show_user_minimap: bool = False
    reply_required: bool = False
    marker_policy: Literal["warn", "block"] = "warn"
    identity_policy: Literal["mask", "flag"] = Field(
        default="mask", description="a model's own name or vendor in its words: hidden, or only counted"
    )
    codes: CompletionCodes = CompletionCodes()
    opens_at: Moment | None = None
    closes_at: Moment | None = None
    contact: Line = Field(default="", description="whom to write to; shown to participants")

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        slugs = [choice.slug for choice in self.assistants]
        if len(set(slugs)) != len(slugs):
            raise ValueError("assistants: a slug is named twice; a twin needs a slug of its own")
        for choice in self.assistants:
            if choice.control == "twin" and choice.twin_of not in slugs:
                raise ValueError(
                    f"assistants: {choice.slug} is a twin of '{choice.twin_of}', not in the study"
                )
        if self.opens_at and self.closes_at and self.closes_at <= self.opens_at:
            raise ValueError("closes_at: must come after opens_at")
        return self

    @property
    def assistant_slugs(self) -> tuple[str, ...]:
        """The assistants in the order of the document."""
        return tuple(choice.slug for choice in self.assistants)

    @property
    def digest(self) -> str:
        """SHA-256 over the whole document."""
        body = orjson.dumps(self.model_dump(mode="json"), option=orjson.OPT_SORT_KEYS)
        return hashlib.sha256(body).hexdigest()
