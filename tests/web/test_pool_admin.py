"""Admins watch, switch off, delete and add worlds while people come and go."""

import pytest

from simulator_bridge import services
from simulator_bridge.models import WorldLease, WorldServer

pytestmark = pytest.mark.django_db


def world(name="w", **fields):
    return WorldServer.objects.create(name=name, **{"capacity": 1, **fields})


def take(holder):
    return services.lease_take(scene="market", holder=holder)


def test_an_admin_sees_how_full_worlds_are_and_whether_they_answer(admin_client):
    server = world("here", kind="store", address="127.0.0.1:9", capacity=3)
    take("a")
    listed = admin_client.get("/admin/simulator_bridge/worldserver/").content.decode()
    assert "1 of 3" in listed
    assert admin_client.get(f"/admin/simulator_bridge/worldserver/{server.pk}/change/").status_code == 200
    assert admin_client.get("/admin/simulator_bridge/worldserver/add/").status_code == 200
    checked = admin_client.post(
        "/admin/simulator_bridge/worldserver/",
        {"action": "check_now", "_selected_action": [server.pk]},
        follow=True,
    )
    assert "cannot connect to 127.0.0.1:9" in checked.content.decode()
    server.refresh_from_db()
    assert server.health == "down"


def test_a_world_added_while_someone_asks_is_given_to_the_next_who_asks(monkeypatch):
    look_up = services.servers_for

    def added_meanwhile(scene, *, now):
        world("late")
        monkeypatch.setattr(services, "servers_for", look_up)
        return look_up(scene, now=now)

    world(enabled=False)
    monkeypatch.setattr(services, "servers_for", added_meanwhile)
    assert take("a") is None  # nobody holds its row, so another could be taking the same place
    assert take("a").server.name == "late"


def opened(admin_client, server):
    """A world's page as a browser has it: where it is sent, what with, and the rows of who is in there."""
    page = f"/admin/simulator_bridge/worldserver/{server.pk}/change/"
    shown = admin_client.get(page).context["inline_admin_formsets"][0].formset
    sent = {name: getattr(server, name) for name in ("name", "kind", "address", "capacity", "agent")}
    sent |= {"world_map": "{}"}
    sent |= {f"{shown.prefix}-{name}": value for name, value in shown.management_form.initial.items()}
    for row in shown.forms:
        sent |= {f"{row.prefix}-id": row.instance.pk, f"{row.prefix}-server": server.pk}
    return page, sent, {row.instance.holder: row.prefix for row in shown.forms}


@pytest.mark.parametrize("comes", [False, True], ids=["one left", "one left and one came"])
def test_a_busy_world_can_be_switched_off_however_people_come_and_go_meanwhile(admin_client, comes):
    server = world("busy", kind="store", address="127.0.0.1:9", capacity=5)
    taken = [take("a"), take("b")]
    page, sent, _ = opened(admin_client, server)
    services.lease_release(token=taken[0].token)
    if comes:
        take("c")
    assert admin_client.post(page, sent).status_code == 302
    server.refresh_from_db()
    assert not server.enabled
    assert WorldLease.objects.count() == 1 + comes


def test_an_admin_can_take_a_place_away_and_delete_worlds_with_people_in_them(admin_client):
    server = world("busy", kind="store", address="127.0.0.1:9", capacity=5)
    taken = take("a")
    take("b")
    page, sent, rows = opened(admin_client, server)
    sent[f"{rows['a']}-DELETE"] = "on"
    assert admin_client.post(page, sent | {"enabled": "on"}).status_code == 302
    with pytest.raises(services.LeaseLost):
        services.lease_renew(token=taken.token)
    assert WorldLease.objects.get().holder == "b"
    admin_client.post(
        "/admin/simulator_bridge/worldserver/",
        {"action": "delete_selected", "_selected_action": [server.pk], "post": "yes"},
    )
    assert not WorldServer.objects.exists()
    assert not WorldLease.objects.exists()
