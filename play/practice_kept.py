"""How far a practice is, kept for a reload and given up when it is done or somebody leaves: no record."""

import logging
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sessions.models import Participant
from siturec.protocol.events import Line
from siturec.protocol.messages import Pose, ShopperState

log = logging.getLogger(__name__)


class KeptPractice(BaseModel):
    """A practice between two turns, with what stands in the reply box; no pose before the first look."""

    model_config = ConfigDict(frozen=True)

    turn: int = 0
    pose: Pose | None = None
    state: ShopperState = ShopperState()
    picked_at: tuple[Pose, ...] = ()
    lines: tuple[Line, ...] = ()
    done: frozenset[str] = frozenset()
    last_client_id: str | None = None
    draft: dict[str, Any] = Field(default_factory=dict)


def practice_keep(*, participant_id: int, kept: KeptPractice) -> None:
    """Keep this instead of what was kept before; nothing once the practice is over or somebody has left."""
    people = Participant.objects.filter(pk=participant_id, practised_at=None, state=Participant.State.ACTIVE)
    people.update(practice=kept.model_dump(mode="json"))


def practice_kept(participant_id: int) -> KeptPractice:
    """Where the practice goes on: at its beginning, where nothing that can be read is kept."""
    found = Participant.objects.filter(pk=participant_id).values_list("practice", flat=True).first()
    try:
        return KeptPractice.model_validate(found or {})
    except ValidationError as error:
        # The places only: what somebody has typed does not belong into a log.
        places = sorted({".".join(map(str, fault["loc"])) for fault in error.errors()})
        log.warning("a practice begins anew, for what was kept of it cannot be read: %s", ", ".join(places))
        return KeptPractice()
