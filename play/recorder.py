"""The runner's way into the record: one crossing to the database per step."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from play.clock import EpisodeClock
from play.progress import Progress, RecordedTurn, rebuild
from play.setting import Setting
from sessions import selectors, services
from sessions.database import database_sync_to_async
from sessions.services.frames import frame_digest, frames_store
from sessions.services.leases import lease_check
from siturec.protocol.messages import ModeratorDecision, Pose, ShopperState, View
from siturec.protocol.vocabulary import EndReason

FRAMES = {
    "user_frame": "user_frame",
    "assistant_frame": "assistant_frame",
    "user_minimap": "minimap_user",
    "assistant_minimap": "minimap_assistant",
}
"""Columns of a turn, and the picture of a view that each keeps the digest of."""


class Recorder:
    """Writes the steps of one episode; every method has written when it returns."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._id = setting.episode_id
        self._owner = setting.owner
        self._clock = EpisodeClock()

    async def load(self) -> Progress:
        """Where the record says the episode stands."""
        rows = await database_sync_to_async(selectors.turns_of)(self._id)
        written = [moment for row in rows for moment in (row.observed_at, row.executed_at) if moment]
        if written:
            self._clock.go_on_after(max(written))
        turns = [
            RecordedTurn(
                index=row.index,
                observation=row.observation,
                assistant=row.assistant,
                user=row.user,
                moderator=row.moderator,
                pose_after=row.pose_after,
                state_after=row.state_after,
                user_frame=row.user_frame,
                client_id=row.client_id,
                notes=row.notes,
                timings=row.timings,
            )
            for row in rows
        ]
        return rebuild(turns, limits=self._setting.rules.limits, start=self._setting.start)

    async def began(self) -> None:
        """The episode is being played."""
        await database_sync_to_async(services.episode_begin)(
            episode_id=self._id, scene_version=self._setting.pack.info.version, at=self._clock.now()
        )

    async def observed(
        self, index: int, view: View, stored: Mapping[str, Any], timings: Mapping[str, float]
    ) -> None:
        """Store the view's pictures (or only their digests) and what was seen."""
        await database_sync_to_async(self._observed)(index, view, stored, timings)

    @transaction.atomic
    def _observed(
        self, index: int, view: View, stored: Mapping[str, Any], timings: Mapping[str, float]
    ) -> None:
        # A picture of somebody who was erased a moment ago must not outlive them: asking and writing are one.
        lease_check(episode_id=self._id, owner=self._owner)
        pictures: dict[str, bytes] = {}
        for column, name in FRAMES.items():
            picture: bytes | None = getattr(view, name)
            # The record holds what was shown: a plan that the study keeps from users was not.
            if picture and (name != "minimap_user" or self._setting.rules.show_user_minimap):
                pictures[column] = picture
        if self._setting.rules.keep_frames:
            digests = frames_store(pictures=list(pictures.values()))
        else:
            digests = [frame_digest(picture) for picture in pictures.values()]
        services.turn_observed(
            episode_id=self._id,
            index=index,
            observation=stored,
            frames=dict(zip(pictures, digests, strict=True)),
            timings=timings,
            owner=self._owner,
            at=self._clock.now(),
        )

    async def answered(
        self,
        index: int,
        *,
        assistant: Mapping[str, Any],
        digest: str,
        notes: Mapping[str, Any],
        timings: Mapping[str, float],
    ) -> None:
        """The assistant's answer."""
        await database_sync_to_async(services.turn_answered)(
            episode_id=self._id,
            index=index,
            assistant=assistant,
            digest=digest,
            notes=notes,
            timings=timings,
            owner=self._owner,
        )

    async def replied(
        self,
        index: int,
        *,
        user: Mapping[str, Any],
        client_id: str,
        notes: Mapping[str, Any],
        timings: Mapping[str, float],
    ) -> None:
        """The user's reply and valid call."""
        await database_sync_to_async(services.turn_replied)(
            episode_id=self._id,
            index=index,
            user=user,
            client_id=client_id,
            notes=notes,
            timings=timings,
            owner=self._owner,
        )

    async def executed(
        self,
        index: int,
        *,
        user: Mapping[str, Any],
        pose: Pose,
        state: ShopperState,
        timings: Mapping[str, float],
    ) -> None:
        """The action's outcome and where it left the shopper."""
        await database_sync_to_async(services.turn_executed)(
            episode_id=self._id,
            index=index,
            user=user,
            pose=pose,
            state=state,
            timings=timings,
            owner=self._owner,
            at=self._clock.now(),
        )

    async def moderated(self, index: int, decision: ModeratorDecision, timings: Mapping[str, float]) -> None:
        """The moderator's decision."""
        await database_sync_to_async(services.turn_moderated)(
            episode_id=self._id, index=index, decision=decision, timings=timings, owner=self._owner
        )

    async def version(self, role: str, version: str) -> None:
        """Which version of a mind answers in this role."""
        await database_sync_to_async(services.episode_version)(
            episode_id=self._id, role=role, version=version
        )

    async def ended(self, reason: EndReason, cart: tuple[str, ...]) -> None:
        """The end reason and what was bought."""
        await database_sync_to_async(services.episode_end)(
            episode_id=self._id, reason=reason, cart=cart, owner=self._owner, at=self._clock.now()
        )

    async def failed(self, kind: str, detail: str, cart: tuple[str, ...]) -> None:
        """A technical failure past all retries."""
        await database_sync_to_async(services.episode_fail)(
            episode_id=self._id,
            kind=kind,
            detail=detail,
            cart=cart,
            owner=self._owner,
            at=self._clock.now(),
        )

    async def event(self, kind: str, *, turn: int | None = None, **payload: Any) -> None:
        """Something worth keeping that is no step."""
        await database_sync_to_async(services.event_add)(
            kind=kind, episode_id=self._id, turn=turn, payload=payload
        )
