"""The workers are shared by time spent, and simulated time passes as it is told."""

import asyncio
import time
from collections import Counter

import pytest

from storefront.server_pool import FairPool, Share
from storefront.shopper_clock import SimulatedClock


async def test_everybody_gets_the_same_time_whatever_the_size_of_their_jobs():
    pool = FairPool(2)
    spent: Counter[int] = Counter()
    ending = time.perf_counter() + 1.2

    async def keep_asking(who: int, seconds: float) -> None:
        share = Share()
        while time.perf_counter() < ending:
            await pool.run(share, lambda: time.sleep(seconds))
            spent[who] += 1

    costs = [0.004] * 6 + [0.02] * 2
    await asyncio.gather(*(keep_asking(who, cost) for who, cost in enumerate(costs)))
    pool.close()
    seconds = [spent[who] * cost for who, cost in enumerate(costs)]
    assert min(seconds) > 0.5 * max(seconds), seconds


async def test_a_newcomer_does_not_wait_behind_those_who_asked_much():
    pool = FairPool(1)
    greedy = [Share() for _ in range(20)]

    async def keep_asking(share: Share) -> None:
        for _ in range(5):
            await pool.run(share, lambda: time.sleep(0.005))

    crowd = [asyncio.create_task(keep_asking(share)) for share in greedy]
    await asyncio.sleep(0.2)
    begin = time.perf_counter()
    await pool.run(Share(), lambda: None)
    assert time.perf_counter() - begin < 0.15
    await asyncio.gather(*crowd)
    pool.close()


async def test_a_job_that_fails_fails_its_asker_and_nobody_else():
    pool = FairPool(1)

    def broken() -> None:
        raise ValueError("no such view")

    with pytest.raises(ValueError, match="no such view"):
        await pool.run(Share(), broken)
    assert await pool.run(Share(), lambda: 7) == 7
    pool.close()


async def test_a_job_nobody_waits_for_any_more_is_not_done():
    pool = FairPool(1)
    done: list[str] = []
    first = asyncio.create_task(pool.run(Share(), lambda: time.sleep(0.05)))
    await asyncio.sleep(0.01)
    second = asyncio.create_task(pool.run(Share(), lambda: done.append("second")))
    await asyncio.sleep(0)
    second.cancel()
    await first
    await pool.run(Share(), lambda: done.append("third"))
    pool.close()
    assert done == ["third"]


class Wall:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_simulated_time_follows_its_rate_its_pauses_and_never_jumps():
    wall = Wall()
    clock = SimulatedClock(wall)
    wall.now += 2.0
    assert clock.now() == pytest.approx(2.0)
    clock.set_rate(10.0)
    assert clock.now() == pytest.approx(2.0)
    wall.now += 1.0
    assert clock.now() == pytest.approx(12.0)
    clock.pause(True)
    wall.now += 50.0
    assert clock.now() == pytest.approx(12.0)
    clock.pause(False)
    wall.now += 0.5
    assert clock.now() == pytest.approx(17.0)


def test_time_held_still_for_a_batch_is_not_lost():
    wall = Wall()
    clock = SimulatedClock(wall)
    with clock.still():
        before = clock.now()
        wall.now += 3.0
        assert clock.now() == before
    assert clock.now() == pytest.approx(before + 3.0)
