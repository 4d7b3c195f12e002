"""A bot in the store: over the participant's own socket, one reply and one action a turn."""

import asyncio
import json
import random
import secrets
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from play.bots.report import BotStuck, Report
from siturec.protocol.events import MAX_REPLY

REPLIES = ("All right.", "Let me look.", "What about this one?", "Is there something cheaper?", "")
PATIENCE_S = 120.0
MOST_TURNS = 25


class Shopper:
    """Plays one visit to its end."""

    def __init__(self, base: str, token: str, cookies: str, rng: random.Random, report: Report) -> None:
        self._address = f"{base.replace('http', 'ws', 1)}/ws/play/{token}/"
        self._headers = {"Cookie": cookies, "Origin": base}
        self._rng, self._report = rng, report

    async def shop(self) -> None:
        """Until the visit is over. Raises: BotStuck."""
        for _ in range(MOST_TURNS):
            try:
                async with connect(
                    self._address, additional_headers=self._headers, max_size=None, open_timeout=PATIENCE_S
                ) as socket:
                    if await self._visit(socket):
                        return
            except (ConnectionClosed, OSError):
                self._report.held["connection lost and taken up again"] += 1
        raise BotStuck("the visit never ended")

    async def _visit(self, socket: ClientConnection) -> bool:
        probed = False
        for _ in range(MOST_TURNS):
            with self._report.timed("turn, until one can act again"):
                snapshot = await self._until_my_turn(socket)
            if snapshot.get("end_reason"):
                return True
            if not probed:
                await self._probe(socket, snapshot)
                probed = True
            tool, args = self._choose(snapshot)
            if await self._act(socket, snapshot, tool, args, self._rng.choice(REPLIES)):
                return True
        return False

    async def _until_my_turn(self, socket: ClientConnection) -> dict[str, Any]:
        """Ask for the snapshot until it is the bot's turn or the visit is over."""
        while True:
            await _tell(socket, {"type": "resume", "have_seq": 0})
            found = await self._hear(socket, {"snapshot", "ended", "refused"})
            if found["type"] == "ended" or found.get("code") == "ended":
                return {"end_reason": found.get("end_reason", "over")}
            if found["type"] == "snapshot" and (found["phase"] == "user" or found.get("end_reason")):
                return found
            await self._hear(socket, {"phase", "ended", "snapshot"})

    async def _hear(self, socket: ClientConnection, kinds: set[str]) -> dict[str, Any]:
        """The next message of one of these kinds; pictures are counted and let go."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                raw = await socket.recv()
                if isinstance(raw, bytes):
                    continue
                message: dict[str, Any] = json.loads(raw)
                if message["type"] in kinds:
                    return message

    async def _probe(self, socket: ClientConnection, snapshot: dict[str, Any]) -> None:
        """What must be refused, and must change nothing."""
        frame = snapshot["frame"]
        wrong = {
            "too_long": {"frame": frame, "tool": "idle", "reply": "x" * (MAX_REPLY + 1)},
            "stale": {"frame": frame + 1000, "tool": "idle", "reply": "I chose this long ago."},
            "not_allowed": {"frame": frame, "tool": "move_forward", "args": {"distance": "far away"}},
        }
        for code, fields in wrong.items():
            await _tell(socket, {"type": "act", "client_id": secrets.token_hex(8), **fields})
            answer = await self._hear(socket, {"refused", "accepted"})
            self._report.expect(f"store refuses: {code}", answer.get("code") == code, str(answer))
        await _tell(socket, {"type": "nonsense"})
        answer = await self._hear(socket, {"refused", "accepted"})
        self._report.expect("store refuses: invalid", answer.get("code") == "invalid", str(answer))

    async def _act(
        self, socket: ClientConnection, snapshot: dict[str, Any], tool: str, args: dict[str, Any], reply: str
    ) -> bool:
        """Send twice with one id, which must count once. Returns whether the visit is over."""
        act = {
            "type": "act",
            "client_id": secrets.token_hex(8),
            "frame": snapshot["frame"],
            "reply": reply,
            "tool": tool,
            "args": args,
            "confirmed": True,
        }
        await _tell(socket, act)
        answer = await self._hear(socket, {"accepted", "refused", "ended"})
        accepted = bool(answer["type"] != "refused")
        self._report.expect("store accepts an action it offers", accepted, f"{tool} {args}: {answer}")
        if accepted and self._rng.random() < 0.3:
            await _tell(socket, act)
            again = await self._hear(socket, {"accepted", "refused", "ended"})
            self._report.expect("sending twice counts once", again["type"] != "refused", str(again))
        return bool(answer["type"] == "ended")

    def _choose(self, snapshot: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """Buy what is in hand, else take what is in reach, else walk to a place, else turn."""
        free = {tool["tool"] for tool in snapshot["tools"] if tool["enabled"]}
        things = snapshot["things"]
        if "add_to_cart" in free and self._rng.random() < 0.8:
            return "add_to_cart", {}
        take = "pick_up_item" if snapshot["kind"] == "supermarket" else "check_item"
        near = [thing["marker"] for thing in things if thing["kind"] == "product" and thing.get("reachable")]
        if near and take in free and self._rng.random() < 0.8:
            return take, {"product": self._rng.choice(near)}
        for kind, tool in (
            ("fixture", "move_to_fixture"),
            ("area", "move_to_area"),
            ("store", "move_to_store"),
        ):
            places = [thing["marker"] for thing in things if thing["kind"] == kind]
            if places and tool in free and self._rng.random() < 0.8:
                return tool, {"target": self._rng.choice(places)}
        return "turn", {"direction": self._rng.choice(("left", "right")), "angle": 90}


async def _tell(socket: ClientConnection, message: dict[str, Any]) -> None:
    await socket.send(json.dumps(message))
