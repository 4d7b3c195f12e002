"""A world behind our own port that needs no process: the floor plan's view, no pixels, failures on demand."""

import contextlib
from collections.abc import Sequence

from siturec.protocol.messages import Pose, ShopperState, View
from siturec.protocol.ports import WorldUnavailable
from tests.core.textworld import TextWorld

JPEG = b"\xff\xd8 not a picture, but bytes of one \xff\xd9"


class PlainWorld:
    """One shopper; ``fail`` is called with the name of each operation first, and may raise."""

    instant = True

    def __init__(self, pack, knowledge, fail=lambda operation: None):
        self.text = TextWorld(pack, knowledge)
        self.fail = fail

    @property
    def pose(self):
        return self.text.pose

    @property
    def state(self):
        return self.text.state

    async def reset(self, *, pose: Pose, state: ShopperState | None = None, picked_at: Sequence[Pose] = ()):
        self.fail("reset")
        self.text.pose, self.text.state = pose, state or ShopperState()

    async def observe(self, *, number: int, pictures: bool = True) -> View:
        self.fail("observe")
        seen = self.text.observe()
        if not pictures:
            return View(observation=seen, width=960, height=540, user_frame=b"", assistant_frame=b"")
        picture = JPEG + repr((number, self.pose)).encode()
        return View(
            observation=seen,
            width=960,
            height=540,
            user_frame=picture + b"user",
            assistant_frame=picture + b"assistant",
            minimap_user=picture + b"map",
            minimap_assistant=picture + b"assistant's map",
            minimap_text="",
        )

    async def execute(self, action, *, moving=None):
        self.fail("execute")
        if moving is not None:
            await moving(JPEG)
        return self.text.execute(action)

    async def close(self):
        pass


def plain_source(pack, knowledge, fail=lambda operation: None):
    """A world source of such worlds, a new one each time."""

    @contextlib.asynccontextmanager
    async def lease():
        fail("lease")
        yield PlainWorld(pack, knowledge, fail)

    return lease


def failing_at(*places, error=WorldUnavailable):
    """Raises at the n-th operation for each n of ``places`` (from 1)."""
    count = 0

    def fail(operation):
        nonlocal count
        count += 1
        if count in places:
            raise error(f"{operation} number {count}")

    return fail
