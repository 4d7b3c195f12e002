"""One's place in line where some worlds show any scene and others one alone."""

import pytest

from simulator_bridge import services
from simulator_bridge.models import WorldServer
from simulator_bridge.selectors import waiting_position

pytestmark = pytest.mark.django_db


def world(name, **fields):
    return WorldServer.objects.create(name=name, **{"capacity": 1, **fields})


def take(holder, scene="market"):
    return services.lease_take(scene=scene, holder=holder)


def test_nobody_is_told_of_people_before_them_who_could_not_have_the_next_place():
    world("any")
    only = world("market only", scene="market")
    own, shared = take("a"), take("b")
    for holder, scene in (("c", "home"), ("d", "home"), ("e", "market"), ("f", "market"), ("g", "home")):
        assert take(holder, scene) is None

    def line():
        home = [waiting_position("home", holder=holder) for holder in "cdg"]
        return home, [waiting_position("market", holder=holder) for holder in "ef"]

    assert line() == ([1, 2, 5], [1, 2]), (
        "who can have only what is for any stands behind all who came earlier"
    )
    services.server_report(server_id=only.pk, fault="no answer")
    assert line() == ([1, 2, 5], [3, 4])
    services.server_report(server_id=only.pk, fault=None)
    services.lease_release(token=own.token)
    assert take("f") is None
    assert take("e").server == only
    assert line() == ([1, 2, 4], [None, 1])
    services.lease_release(token=shared.token)
    assert take("f") is None
    assert take("c", "home") is not None
