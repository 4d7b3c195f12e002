"""Moving pictures on a line to a page: ten a second where it can carry them, never a heap where it cannot."""

import asyncio

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from play.moving import MOST, MovingPictures
from siturec.protocol.events import MOVING, STILL, unpack_picture
from tests.web.plainworld import JPEG, PlainWorld
from tests.web.tabs import Browser, ended, shopper

PERIOD_S, PICTURE = 0.07, b"x" * 26_000
WALKS, WALK_S = 8, 2.5


class Line:
    """A line of ``bytes_per_s`` and ``far_s`` there and back, in simulated time."""

    def __init__(self, bytes_per_s, far_s):
        self.bytes_per_s, self.far_s = bytes_per_s, far_s
        self.now, self.free_at, self.arrivals, self.sent = 0.0, 0.0, [], []
        self.pictures = MovingPictures(self.take, clock=lambda: self.now)

    async def take(self, message):
        kind, number, _ = unpack_picture(message)
        assert kind == MOVING
        self.free_at = max(self.free_at, self.now) + len(message) / self.bytes_per_s
        self.arrivals.append((self.free_at + self.far_s, number))
        self.sent.append(self.now)

    def until(self, moment):
        self.now = moment
        while self.arrivals and self.arrivals[0][0] <= moment:
            came, number = self.arrivals.pop(0)
            self.now = came
            self.pictures.confirmed(number)
        self.now = moment

    def walk(self):
        """One walk's pictures; how long what comes after it has to wait for the line."""

        async def pictures():
            began, count = self.now, 0
            while count * PERIOD_S < WALK_S:
                self.until(began + count * PERIOD_S)
                await self.pictures(PICTURE)
                count += 1

        asyncio.run(pictures())
        return max(0.0, self.free_at - self.now)

    def rest(self):
        self.until(self.now + 30.0)


@given(st.floats(400_000, 1e9), st.floats(0.0, 0.25))
def test_a_good_line_carries_ten_a_second_from_the_second_walk_on(bytes_per_s, far_s):
    line = Line(bytes_per_s, far_s)
    line.walk()
    line.rest()
    before = len(line.sent)
    line.walk()
    assert (len(line.sent) - before) / WALK_S >= 10


@given(st.one_of(st.floats(5_000, 400_000), st.floats(400_000, 1e8)), st.floats(0.0, 2.0))
@example(70_000.0, 0.0)
@example(100_000.0, 0.05)
@example(160_000.0, 0.0)
def test_what_comes_after_a_walk_waits_for_two_pictures_or_less_than_a_second(bytes_per_s, far_s):
    line = Line(bytes_per_s, far_s)
    one_s = len(PICTURE) / bytes_per_s
    for _ in range(WALKS):
        assert line.walk() <= max(2.1 * one_s, 0.65)
        line.rest()


def test_a_page_that_shows_none_is_sent_one():
    line = Line(1e6, 0.05)
    line.until = lambda moment: setattr(line, "now", moment)
    for _ in range(WALKS):
        line.walk()
    assert len(line.sent) == 1


def test_confirming_what_was_never_sent_makes_no_room():
    sent = []

    async def take(message):
        sent.append(message)

    async def pictures():
        one = MovingPictures(take)
        for number in (0, 5, 2**32 - 1):
            one.confirmed(number)
            await one(PICTURE)
            await one(PICTURE)
        assert len(sent) == 1
        for _ in range(20):
            one.confirmed(len(sent))
            before = len(sent)
            for _ in range(20):
                await one(PICTURE)
            assert 1 <= len(sent) - before <= MOST

    asyncio.run(pictures())


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("plain_store")
async def test_on_a_persons_line_a_walk_waits_for_no_picture_and_the_view_for_few(monkeypatch):
    original = PlainWorld.execute

    async def walking(self, action, *, moving=None):
        for _ in range(12):
            await moving(JPEG)
        return await original(self, action)

    monkeypatch.setattr(PlainWorld, "execute", walking)
    person = await shopper()
    async with Browser(person) as tab:
        await tab.my_turn()
        await tab.act()
        await tab.my_turn(1)
        assert [number for kind, number, _ in tab.pictures if kind == MOVING] == [1]
        await tab.act(frame=1, client_id="client-2")
        await tab.my_turn(2)
        assert [number for kind, number, _ in tab.pictures if kind == MOVING] == [1], "not confirmed yet"
        await tab.send(type="shown", number=1)
        await tab.act(frame=2, client_id="client-3")
        await tab.my_turn(3)
        assert [number for kind, number, _ in tab.pictures if kind == MOVING] in ([1, 2], [1, 2, 3])
        assert [number for kind, number, _ in tab.pictures if kind == STILL] == [0, 1, 2, 3]
        await ended(person)
