"""SimWorld's way of setting up, one shopper a connection, and commands sent together."""

import hashlib
import io
import json
import re
import threading
import time

import numpy as np
import pytest

from tests.store.walker import Walker
from tests.store.wireclient import Address

pytestmark = pytest.mark.store


# ---------------------------------------------------------------------------------- SimWorld's way
def test_simworlds_setup_of_a_humanoid_and_its_questions_work(walker):
    base = "/Game/TrafficSystem/Pedestrian/Base_User_Agent.Base_User_Agent_C"
    for command in (
        "vrun setres 960x540w",
        "vrun Editor.AsyncSkinnedAssetCompilation 2",
        f"vset /objects/spawn_bp_asset {base} GEN_BP_Humanoid_0",
        "vset /object/GEN_BP_Humanoid_0/location 700.0 250.0 110",
        "vset /object/GEN_BP_Humanoid_0/rotation 0 90.0 0",
        "vset /object/GEN_BP_Humanoid_0/scale 1 1 1",
        "vset /object/GEN_BP_Humanoid_0/collision True",
        "vset /object/GEN_BP_Humanoid_0/object_mobility True",
        "vset /object/GEN_BP_Humanoid_0/physics True",
        "vset /action/clean_garbage",
    ):
        assert walker.text(command) == "ok", command
    walker.call("EnableController True")
    walker.call("SetMaxSpeed 200")
    walker.call("StepForward 0.2 0")
    time.sleep(0.3)
    assert walker.text("vget /object/GEN_BP_Humanoid_0/location") == "700.000 290.000 110.000"
    walker.call("TurnAround 0.1 -30 -1")
    time.sleep(0.2)
    assert walker.text("vget /object/GEN_BP_Humanoid_0/rotation") == "0.000 60.000 0.000"
    assert walker.text("vget /camera/1/pose") == walker.text("vget /camera/0/pose")
    assert walker.text("vbp GEN_BP_UEManager UpdateObjects") == "{\n}"
    told = json.loads(walker.text("vbp GEN_BP_UEManager GetInformation"))
    assert re.search(r"GEN_BP_Humanoid_0X=(.*?) Y=(.*?) Z=", told["ALocations"]).groups() == (
        "700.000",
        "290.000",
    )
    assert re.search(r"GEN_BP_Humanoid_0P=.*? Y=(.*?) R=", told["ARotations"])[1] == "60.000"
    assert walker.call("SitDown") == {"Success": "false"}
    assert {int(count) for count in walker.call("GetCollisionNum").values()} == {0}


def test_a_second_humanoid_walks_by_itself_with_the_next_camera(walker):
    base = "/Game/Human_Avatar/DefaultCharacter/Blueprint/BP_Default_Character.BP_Default_Character_C"
    assert walker.text(f"vset /objects/spawn_bp_asset {base} GEN_BP_Humanoid_1") == "ok"
    assert len(walker.text("vget /cameras").split()) == 3
    walker.text("vset /object/GEN_BP_Humanoid_1/location 900 250 110")
    walker.text("vset /object/GEN_BP_Humanoid_1/rotation 0 180 0")
    walker.stand(700, 250, 0)
    empty = walker.ask("vget /camera/0/lit bmp")
    assert walker.text("vget /camera/2/location") == "900.000 250.000 160.000"
    assert walker.text("vbp gen_bp_humanoid_1 StepForward 0.2 0") == "{\n}"
    time.sleep(0.3)
    assert walker.text("vget /camera/2/location") == "872.000 250.000 160.000"
    assert walker.pose()[:2] == (700.0, 250.0)
    walker.text("vset /object/GEN_BP_Humanoid_1/destroy")
    assert walker.ask("vget /camera/0/lit bmp") != empty


def test_a_path_is_remembered_and_followed(instant):
    instant.stand(700, 250, 0)
    assert instant.call("SetPath 370,250;370,420;120,420") == {}
    assert instant.call("FollowPath") == {}
    assert instant.pose()[:2] == (120.0, 420.0)


# ----------------------------------------------------------------------- one shopper a connection
def test_what_one_shopper_does_no_other_sees(store, walker):
    with Walker(store) as other:
        here, picture = other.text("vget /camera/0/pose"), other.ask("vget /camera/0/lit bmp")
        walker.stand(200, 700, 10)
        walker.text("vset /camera/0/size 320 200")
        walker.text("vset /object/product_t-001/hide")
        walker.text("vset /object/item_009/color 9 8 7")
        walker.text("vset /objects/spawn_cube Crate")
        walker.text("vset /action/game/pause")
        walker.call("PickUp item_030")
        assert other.text("vget /camera/0/pose") == here
        assert other.ask("vget /camera/0/lit bmp") == picture
        assert other.colour("item_009") != (9, 8, 7)
        assert "Crate" not in other.text("vget /objects").split()
        assert other.text("vget /action/game/is_paused") == "false"
        assert other.call("PickUp item_030") == {"Success": "true"}


def story(store: Address, prints: list[str]) -> None:
    """One fixed visit; a digest of every picture taken on it."""
    with Walker(store) as walker:
        walker.text("vrun slomo 1000000")
        walker.text("vset /camera/0/size 480 270")
        for step in (
            "MoveBy 150 40",
            "TurnBy -35",
            "PickUp item_003",
            "WalkTo 370 420",
            "MoveBy -200 10",
            "DropOff",
            "WalkTo 780 170 270",
        ):
            walker.call(step)
            for mode in ("lit png", "object_mask bmp", "depth npy", "normal bmp"):
                prints.append(hashlib.sha256(walker.ask(f"vget /camera/0/{mode}")).hexdigest())


def test_the_same_visit_gives_the_same_bytes_alone_in_a_crowd_and_in_another_process(store, lone_store):
    alone: list[str] = []
    story(store, alone)
    crowd: list[list[str]] = [[] for _ in range(3)]
    threads = [threading.Thread(target=story, args=(store, prints)) for prints in crowd]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert crowd == [alone] * 3
    elsewhere: list[str] = []
    story(lone_store, elsewhere)
    assert elsewhere == alone


# ------------------------------------------------------------------------------------ batches, order
def test_a_batch_is_held_until_complete_and_shows_one_moment(walker):
    walker.stand(700, 250, 0)
    walker.call("MoveBy 300 0")
    walker.send("vbatch 3", "vget /camera/0/location", "vget /camera/0/lit bmp")
    assert walker.reply()[1] == b"ok"
    walker.sock.settimeout(0.2)
    with pytest.raises(TimeoutError):
        walker.sock.recv(1)
    walker.sock.settimeout(10)
    walker.send("vget /camera/0/location")
    first, picture, last = (walker.reply()[1] for _ in range(3))
    assert first == last
    assert picture[:2] == b"BM"
    assert walker.pose()[0] > float(first.split()[0])


def test_captures_and_commands_sent_together_are_answered_in_order_each_as_of_its_place(walker):
    walker.send(
        "vset /camera/0/size 320 200",
        "vget /camera/0/lit bmp",
        "vget /camera/0/object_mask bmp",
        "vset /camera/0/size 64 48",
        "vget /camera/0/lit bmp",
        "vget /camera/0/depth npy",
        "vset /camera/0/rotation 0 90 0",
        "vget /camera/0/depth npy",
        "vget /unrealcv/echo end",
    )
    replies = [walker.reply() for _ in range(9)]
    assert [number for number, _ in replies] == list(range(9))
    sizes = [len(body) for _, body in replies]
    assert sizes[1] == sizes[2] == 54 + 320 * 200 * 4
    assert sizes[4] == 54 + 64 * 48 * 4
    assert np.load(io.BytesIO(replies[5][1])).shape == (48, 64)
    assert replies[5][1] != replies[7][1]
    assert replies[8][1] == b"end"
