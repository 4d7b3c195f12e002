"""What every message is made on: frozen, strict, and where it goes into many others, hashed once."""

import hashlib
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal, Self

import orjson
from pydantic import BaseModel, ConfigDict

Approach = Literal["nearest", "front", "back", "outside_doorway", "inside_doorway"]
Side = Literal["left", "ahead", "right"]


class Shape(BaseModel):
    """Base of every message: immutable, and strict about keys nobody asked for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @classmethod
    def trusted(cls, **fields: Any) -> Self:
        """As ``model_construct``, where hundreds are made at a time: every field is given, none is checked.

        ``model_construct`` looks for defaults and aliases field by field, which takes five times as long.
        """
        made = cls.__new__(cls)
        for slot, value in (
            ("__dict__", fields),
            ("__pydantic_fields_set__", set(fields)),
            ("__pydantic_extra__", None),
            ("__pydantic_private__", None),
        ):
            object.__setattr__(made, slot, value)
        return made


class Hashed(Shape):
    """A message whose hash is kept with it, for it goes into many others."""

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the whole of it; the same object is hashed once."""
        body = orjson.dumps(self.model_dump(mode="python"), option=orjson.OPT_SORT_KEYS)
        return hashlib.sha256(body).hexdigest()

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy, with other values, and then another hash."""
        copied = super().model_copy(update=update, deep=deep)
        copied.__dict__.pop("digest", None)
        return copied
