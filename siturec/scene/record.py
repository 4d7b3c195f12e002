"""The base of every record of a scene pack."""

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """Base of every pack record: immutable, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")
