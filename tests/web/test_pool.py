"""Places in worlds: taken once, kept while used, run out otherwise, and waited for in order."""

import asyncio
import contextlib
import random
import threading
import time
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.utils import timezone

from simulator_bridge import services
from simulator_bridge.models import WorldLease, WorldServer, WorldWait
from simulator_bridge.pool import _take
from simulator_bridge.selectors import servers_with_load, waiting_position
from siturec.protocol.ports import WorldUnavailable

pytestmark = pytest.mark.django_db


def world(name="w", **fields):
    return WorldServer.objects.create(name=name, **{"capacity": 1, **fields})


def take(holder, scene="market"):
    return services.lease_take(scene=scene, holder=holder)


def test_a_place_is_given_once():
    world()
    assert take("a") is not None
    assert take("b") is None


def test_a_place_given_back_is_free_again():
    world()
    services.lease_release(token=take("a").token)
    assert take("b") is not None


def test_a_place_that_is_not_kept_up_runs_out():
    world()
    taken = take("a")
    WorldLease.objects.update(until=timezone.now() - timedelta(seconds=1))
    with pytest.raises(services.LeaseLost):
        services.lease_renew(token=taken.token)
    assert take("b") is not None


def test_a_place_kept_up_stays():
    world()
    taken = take("a")
    WorldLease.objects.update(until=timezone.now() + timedelta(seconds=1))
    services.lease_renew(token=taken.token)
    assert WorldLease.objects.get().until > timezone.now() + timedelta(seconds=30)


def test_the_emptiest_world_comes_first_and_others_show_another_scene():
    world("full", capacity=5)
    empty = world("empty", capacity=5)
    world("other", scene="home", capacity=5)
    WorldLease.objects.create(
        server=WorldServer.objects.get(name="full"),
        token="11111111-1111-1111-1111-111111111111",
        holder="x",
        until=timezone.now() + timedelta(minutes=1),
    )
    assert take("a").server == empty
    assert {take(f"h{n}", "home").server.name for n in range(3)} <= {"empty", "other", "full"}


def test_a_disabled_or_dead_world_takes_nobody_until_it_may_be_tried_again():
    world("off", enabled=False)
    dead = world("dead")
    services.server_report(server_id=dead.pk, fault="no answer")
    assert take("a") is None
    WorldServer.objects.filter(pk=dead.pk).update(checked_at=timezone.now() - timedelta(minutes=1))
    assert take("a").server == dead


def test_the_queue_is_first_come_first_served_and_its_position_is_true():
    world()
    taken = take("a")
    for holder in ("b", "c", "d"):
        assert take(holder) is None
    assert [waiting_position("market", holder=h) for h in ("b", "c", "d", "z")] == [1, 2, 3, None]
    services.lease_release(token=taken.token)
    assert take("e") is None
    assert take("c") is None
    assert take("b") is not None
    assert waiting_position("market", holder="c") == 1


def test_of_two_who_came_at_the_same_moment_one_is_first():
    world()
    taken, moment = take("a"), timezone.now()
    for holder in ("b", "c"):
        take(holder)
    WorldWait.objects.update(since=moment)
    services.lease_release(token=taken.token)
    assert [waiting_position("market", holder=h) for h in ("b", "c")] == [1, 2]
    assert take("c") is None
    assert take("b") is not None


def test_who_waits_for_another_scene_of_the_same_worlds_is_in_the_same_queue():
    world()
    taken = take("a")
    assert take("b", "home") is None
    assert take("c") is None
    assert (waiting_position("home", holder="b"), waiting_position("market", holder="c")) == (1, 2)
    services.lease_release(token=taken.token)
    assert take("c") is None
    assert take("b", "home") is not None


def test_nobody_waits_for_someone_who_could_not_have_the_place():
    world("any")
    world("market only", scene="market")
    own, shared = take("a"), take("b")
    assert (own.server.name, shared.server.name) == ("market only", "any"), "others can have only the latter"
    assert take("c", "home") is None
    assert take("d") is None
    services.lease_release(token=own.token)
    assert take("c", "home") is None
    assert take("d") is not None


def test_who_stops_asking_loses_the_place_in_the_queue():
    world()
    taken = take("a")
    take("b")
    take("c")
    WorldWait.objects.filter(holder="b").update(until=timezone.now() - timedelta(seconds=1))
    services.lease_release(token=taken.token)
    assert take("c") is not None


def test_settings_name_worlds_per_scene(settings):
    settings.SITUREC_WORLD = "market=10.0.0.1:9000, home=10.0.0.2:9000"
    services.servers_ensure()
    services.servers_ensure()
    assert list(WorldServer.objects.values_list("scene", "address", "kind").order_by("scene")) == [
        ("home", "10.0.0.2:9000", "store"),
        ("market", "10.0.0.1:9000", "store"),
    ]


def test_without_settings_there_is_the_embedded_store(settings):
    settings.SITUREC_WORLD = ""
    services.servers_ensure()
    assert WorldServer.objects.get().kind == "embedded"
    assert servers_with_load().get().taken == 0


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"kind": "store", "address": "nowhere"}, "address"),
        ({"kind": "embedded", "address": "a:1"}, "address"),
        ({"kind": "unreal", "address": "a:1", "capacity": 3}, "capacity"),
        ({"kind": "unreal", "address": "a:1", "capacity": 1}, "scene"),
        (
            {"kind": "unreal", "address": "a:1", "capacity": 1, "scene": "x", "world_map": {"x": 1}},
            "world_map",
        ),
    ],
)
def test_a_world_that_cannot_work_is_refused_at_its_field(fields, field):
    with pytest.raises(ValidationError) as refused:
        WorldServer(name="w", **fields).full_clean()
    assert field in refused.value.message_dict


@pytest.mark.django_db(transaction=True)
def test_a_hundred_at_once_take_no_place_twice():
    world(capacity=20)
    got, lock = [], threading.Lock()

    def run(number):
        for holder in range(10):
            taken = take(f"{number}-{holder}")
            with lock:
                got.append(taken)
        connection.close()

    threads = [threading.Thread(target=run, args=(n,)) for n in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(taken is not None for taken in got) == 20
    assert WorldLease.objects.count() == 20


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("places", [1, 0], ids=["a place", "the queue"])
@pytest.mark.parametrize("after_s", [0.0, 0.05, 0.2])
async def test_who_is_called_off_while_asking_leaves_no_place_taken_and_no_one_in_the_queue(
    monkeypatch, places, after_s
):
    def slow_take(**how):
        time.sleep(0.1)
        return taken_at_once(**how)

    def left():
        return WorldLease.objects.count(), WorldWait.objects.count()

    taken_at_once = services.lease_take
    monkeypatch.setattr(services, "lease_take", slow_take)
    await asyncio.to_thread(world, capacity=1, enabled=bool(places))
    asking = asyncio.create_task(_take("market", "b", 9.0, None))
    if not places:
        monkeypatch.setattr(services, "wait_standing", lambda **who: (1, ""))
    await asyncio.sleep(0.03 + after_s)
    asking.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        taken = await asking
        await asyncio.to_thread(services.lease_release, token=taken.token)
    assert await asyncio.to_thread(left) == (0, 0)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", range(3))
async def test_a_queue_in_which_people_give_up_only_moves_forward_and_serves_everyone_left(monkeypatch, seed):
    monkeypatch.setattr("simulator_bridge.pool.WAIT_POLL_S", 0.02)
    chance, told, served = random.Random(seed), {}, []

    async def come(holder):
        async def on_waiting(position):
            told.setdefault(holder, []).append(position)

        taken = await _take("market", holder, 30.0, on_waiting)
        served.append(holder)
        try:
            await asyncio.sleep(0.05)
        finally:
            await asyncio.to_thread(services.lease_release, token=taken.token)

    await asyncio.to_thread(world, capacity=1)
    people = {}
    for number in range(10):
        people[f"h{number}"] = asyncio.create_task(come(f"h{number}"))
        await asyncio.sleep(0.05)
    given_up = chance.sample(sorted(people), 4)
    for holder in given_up:
        people[holder].cancel()
        await asyncio.sleep(0.05)
    ended = await asyncio.gather(*people.values(), return_exceptions=True)
    assert [e for e in ended if isinstance(e, Exception)] == []
    assert set(people) - set(given_up) <= set(served)
    for positions in told.values():
        assert positions == sorted(positions, reverse=True)
    assert await asyncio.to_thread(WorldLease.objects.count) == 0
    assert await asyncio.to_thread(WorldWait.objects.count) == 0


@pytest.mark.django_db(transaction=True)
async def test_waiting_ends_with_an_honest_reason():
    def full():
        world(capacity=1)
        take("a")

    await asyncio.to_thread(full)
    told = []

    async def on_waiting(position):
        told.append(position)

    with pytest.raises(WorldUnavailable, match="taken"):
        await _take("market", "b", 0.0, on_waiting)
    with pytest.raises(WorldUnavailable, match="taken"):
        await _take("market", "c", 1.5, on_waiting)
    assert told == [1]
