"""Walking, looking, taking and changing the store over the wire; SimWorld's way and by metres."""

import hashlib
import io
import json
import math
import re
import threading
import time

import numpy as np
import pytest

from tests.store.wireclient import Address, Raw

pytestmark = pytest.mark.store


class Walker(Raw):
    """A raw client that knows its agent."""

    def __init__(self, store: Address) -> None:
        super().__init__(store)
        self.agent = store.agent

    def call(self, function: str) -> dict[str, str]:
        reply = self.text(f"vbp {self.agent} {function}")
        assert not reply.startswith("error"), reply
        return json.loads(reply)

    def floats(self, command: str) -> list[float]:
        return [float(word) for word in self.text(command).split()]

    def pose(self) -> tuple[float, float, float, float]:
        told = self.call("IsMoving")
        return float(told["X"]), float(told["Y"]), float(told["Yaw"]), float(told["Pitch"])

    def still(self, within: float = 10.0) -> None:
        ending = time.monotonic() + within
        while self.call("IsMoving")["Moving"] == "true":
            assert time.monotonic() < ending
            time.sleep(0.02)

    def stand(self, x: float, y: float, yaw: float, eye: float = 160.0) -> None:
        assert self.text(f"vset /camera/0/pose {x} {y} {eye} 0 {yaw} 0") == "ok"

    def mask(self) -> np.ndarray:
        data = self.ask("vget /camera/0/object_mask bmp")
        return np.frombuffer(data[54:], np.uint8).reshape(540, 960, 4)[..., 2::-1]

    def colour(self, name: str) -> tuple[int, ...]:
        return tuple(map(int, re.findall(r"[RGB]=(\d+)", self.text(f"vget /object/{name}/color"))))

    def pixels(self, name: str) -> int:
        return int((self.mask() == np.array(self.colour(name), np.uint8)).all(-1).sum())


@pytest.fixture
def walker(store):
    with Walker(store) as walker:
        yield walker


@pytest.fixture
def instant(walker):
    assert walker.text("vrun slomo 1000000") == "ok"
    return walker


def test_one_begins_at_the_scenes_start(walker):
    assert walker.text("vget /camera/0/pose") == "720.000 660.000 160.000 -4.000 -110.000 0.000"
    assert walker.text(f"vget /object/{walker.agent}/location") == "720.000 660.000 110.000"


def test_a_camera_that_rolls_right_sees_the_store_turned_left(walker):
    walker.text("vset /camera/0/size 300 300")
    assert walker.text("vset /camera/0/rotation 0 -110 0") == "ok"
    level = np.load(io.BytesIO(walker.ask("vget /camera/0/depth npy")))
    assert walker.text("vset /camera/0/rotation 0 -110 90") == "ok"
    assert walker.text("vget /camera/0/rotation") == "0.000 -110.000 90.000"
    rolled = np.load(io.BytesIO(walker.ask("vget /camera/0/depth npy")))
    same = np.isclose(rolled, np.rot90(level), rtol=0.01)
    assert same.mean() > 0.98
    assert np.isclose(rolled, np.rot90(level, -1), rtol=0.01).mean() < 0.7


# ------------------------------------------------------------------------------------ motion over time
def test_a_step_takes_simulated_time_and_its_reply_comes_at_once(walker):
    walker.stand(700, 250, 0)
    walker.call("SetMaxSpeed 200")
    begin = time.perf_counter()
    assert walker.call("StepForward 0.5 0") == {}
    assert time.perf_counter() - begin < 0.1
    assert walker.call("IsMoving")["Moving"] == "true"
    walker.still()
    took = time.perf_counter() - begin
    assert walker.pose() == (800.0, 250.0, 0.0, 0.0)
    assert 0.45 < took < 1.0


def test_a_function_without_outputs_answers_an_empty_object(walker):
    assert walker.text(f"vbp {walker.agent} StopAgent") == "{\n}"
    assert walker.text(f"vbp {walker.agent} DropOff") == '{\n\t"Success": "false"\n}'


def test_walking_on_goes_until_stopped(walker):
    walker.stand(700, 250, 0)
    walker.call("MoveForward")
    time.sleep(0.2)
    walker.call("StopAgent")
    x, y, *_ = walker.pose()
    assert 705 < x < 760
    assert y == 250.0
    time.sleep(0.1)
    assert walker.pose()[0] == x


def test_ten_times_the_pace_takes_a_tenth_of_the_time(walker):
    walker.stand(700, 250, 0)
    walker.text("vrun slomo 10")
    begin = time.perf_counter()
    walker.call("MoveBy 350 0")
    walker.still()
    assert walker.pose()[0] == 1050.0
    assert 0.2 < time.perf_counter() - begin < 0.8


def test_pausing_holds_the_walk(walker):
    walker.stand(700, 250, 0)
    walker.text("vrun slomo 5")
    walker.call("MoveBy 300 0")
    assert walker.text("vset /action/game/pause") == "ok"
    assert walker.text("vget /action/game/is_paused") == "true"
    x = walker.pose()[0]
    time.sleep(0.15)
    assert walker.pose()[0] == x
    assert walker.text("vset /action/game/resume") == "ok"
    assert walker.text("vget /action/game/is_paused") == "false"
    walker.still()
    assert walker.pose()[0] == 1000.0


def test_turning_while_walking_bends_the_way(walker):
    walker.stand(650, 250, 0)
    walker.text("vrun slomo 5")
    walker.call("MoveForward")
    walker.call("TurnAround 1 90 1")
    time.sleep(0.6)
    walker.call("StopAgent")
    x, y, yaw, _ = walker.pose()
    assert yaw == 90.0
    assert x > 700
    assert y > 320


def test_a_faster_pace_set_on_the_way_counts_from_there(walker):
    walker.stand(650, 250, 0)
    walker.call("SetMaxSpeed 100")
    walker.call("MoveBy 300 0")
    walker.call("SetMaxSpeed 1000")
    begin = time.perf_counter()
    walker.still()
    assert time.perf_counter() - begin < 1.0
    assert walker.pose()[0] == pytest.approx(950.0, abs=0.01)


# ------------------------------------------------------------------------------------------- instant
def test_instant_motion_has_ended_when_its_reply_is_sent(instant):
    instant.stand(700, 200, 0)
    instant.send(
        *[
            f"vbp {instant.agent} {call}"
            for call in ("MoveBy 100 0", "TurnBy 90", "MoveBy 50 -20", "LookBy -15")
        ],
        f"vbp {instant.agent} IsMoving",
    )
    replies = [json.loads(instant.reply()[1]) for _ in range(5)]
    assert replies[-1] == {
        "Moving": "false",
        "X": "820.000",
        "Y": "250.000",
        "Yaw": "90.000",
        "Pitch": "-15.000",
    }


def test_what_is_in_the_way_ends_a_walk_at_the_skin(instant):
    instant.stand(370, 420, 180)
    instant.call("MoveBy 400 0")
    assert instant.pose()[:2] == (315.0, 420.0)
    assert json.loads(instant.text(f"vbp {instant.agent} GetCollisionNum"))["ObjectCollision"] == "1"
    instant.call("MoveBy -100 0")
    assert instant.pose()[:2] == (415.0, 420.0)


def test_walking_on_without_end_ends_at_the_wall_when_instant(instant):
    instant.stand(700, 250, 0)
    instant.call("MoveForward")
    assert instant.pose()[:2] == (1175.0, 250.0)


@pytest.mark.parametrize("yaw", range(0, 360, 30))
def test_nobody_ends_inside_anything_or_gets_stuck(instant, yaw):
    instant.stand(740, 300, yaw)
    instant.call("MoveBy 900 0")
    here = instant.pose()[:2]
    instant.call("MoveBy -30 0")
    assert math.dist(here, instant.pose()[:2]) > 25
    assert 25 <= here[0] <= 1175
    assert 25 <= here[1] <= 775


def test_looking_up_and_down_has_its_limits(instant):
    instant.call("LookBy 400")
    assert instant.pose()[3] == 89.0
    instant.call("LookBy -1000")
    assert instant.pose()[3] == -89.0


def test_walking_to_a_place_goes_round_what_stands_between_and_keeps_the_gaze(instant):
    instant.stand(120, 420, 37)
    assert instant.call("WalkTo 370 420") == {"Success": "true"}
    assert instant.pose() == (370.0, 420.0, 37.0, 0.0)
    assert instant.call("WalkTo 120 420 180") == {"Success": "true"}
    assert instant.pose()[:3] in [(120.0, 420.0, 180.0), (120.0, 420.0, -180.0)]


def test_walking_to_a_place_one_cannot_stand_at_goes_next_to_it(instant):
    assert instant.call("WalkTo 245 420") == {"Success": "true"}
    x, y, *_ = instant.pose()
    assert math.dist((x, y), (245, 420)) < 45 + 25 + 5


def test_the_way_round_takes_as_long_as_it_is_long(walker):
    walker.stand(120, 420, 0)
    walker.text("vrun slomo 20")
    begin = time.perf_counter()
    walker.call("WalkTo 370 420")
    longest = 0.0
    while walker.call("IsMoving")["Moving"] == "true":
        longest = max(longest, abs(walker.pose()[1] - 420))
        time.sleep(0.005)
    assert longest > 100
    assert 0.15 < time.perf_counter() - begin < 0.8


# ------------------------------------------------------------------------------------------- taking
def test_taking_hides_the_object_shows_it_in_hand_and_dropping_puts_it_back(walker):
    walker.stand(400, 476, 180, eye=80)
    before, place = walker.mask(), walker.text("vget /object/item_003/location")
    assert walker.call("PickUp ITEM_003") == {"Success": "true"}
    assert walker.call("Held") == {"Object": "item_003"}
    held = walker.mask()
    shown = (held != before).any(-1)
    assert shown[300:, 500:].any()
    hand = walker.floats("vget /object/item_003/location")
    assert math.dist(hand, walker.floats("vget /camera/0/location")) < 100
    assert walker.call("PickUp item_004") == {"Success": "false"}
    walker.stand(900, 250, 0)
    assert walker.pixels("item_003") > 0
    walker.stand(400, 476, 180, eye=80)
    assert walker.call("DropOff") == {"Success": "true"}
    assert walker.call("Held") == {"Object": ""}
    assert walker.text("vget /object/item_003/location") == place
    assert (walker.mask() == before).all()
    assert walker.call("DropOff") == {"Success": "false"}


@pytest.mark.parametrize("name", ["No_Such_Object__", "fixture_shelf-1", "GEN_BP_Humanoid_0"])
def test_taking_what_cannot_be_taken_fails_in_words(walker, name):
    assert walker.call(f"PickUp {name}") == {"Success": "false"}


def test_taking_a_product_by_its_listed_name_takes_the_nearest_of_it(walker):
    walker.stand(400, 520, 180, eye=20)
    assert walker.call("PickUp product_t-001") == {"Success": "true"}
    assert walker.call("Held") == {"Object": "item_001"}


# ------------------------------------------------------------------------------- changing the store
def test_hiding_and_destroying_take_things_out_of_all_pictures(walker):
    walker.stand(470, 450, 180, eye=80)
    before = walker.pixels("product_t-001")
    assert walker.text("vset /object/item_002/hide") == "ok"
    hidden = walker.pixels("product_t-001")
    assert hidden < before
    assert walker.text("vset /object/item_002/show") == "ok"
    assert walker.pixels("product_t-001") == before
    assert walker.text("vset /object/product_t-001/destroy") == "ok"
    assert walker.text("vget /object/item_002/location") == "error Cannot find object"
    assert "product_t-001" not in walker.text("vget /objects").split()


def test_moving_an_object_moves_it_in_reply_bounds_and_picture(walker):
    walker.stand(470, 450, 180, eye=80)
    before, bounds = walker.mask(), np.array(walker.floats("vget /object/item_003/bounds"))
    x, y, z = walker.floats("vget /object/item_003/location")
    rotation = walker.text("vget /object/item_003/rotation")
    assert walker.text(f"vset /object/item_003/location {x + 60} {y} {z + 40}") == "ok"
    assert walker.floats("vget /object/item_003/location") == [x + 60, y, z + 40]
    moved = np.array(walker.floats("vget /object/item_003/bounds"))
    assert moved - bounds == pytest.approx([60, 0, 40, 60, 0, 40], abs=0.02)
    assert (walker.mask() != before).any()
    assert walker.text("vset /object/item_003/rotation 0 90 0") == "ok"
    assert walker.text("vget /object/item_003/rotation") == "0.000 90.000 0.000"
    assert walker.text(f"vset /object/item_003/location {x} {y} {z}") == "ok"
    assert walker.text(f"vset /object/item_003/rotation {rotation}") == "ok"
    assert (walker.mask() == before).all()


def test_a_group_moves_as_one(walker):
    name = "product_t-001"
    one = walker.floats("vget /object/item_001/location")
    x, y, z = walker.floats(f"vget /object/{name}/location")
    assert walker.text(f"vset /object/{name}/location {x + 10} {y - 5} {z}") == "ok"
    assert walker.floats(f"vget /object/{name}/location") == pytest.approx([x + 10, y - 5, z])
    assert walker.floats("vget /object/item_001/location") == pytest.approx([one[0] + 10, one[1] - 5, one[2]])
    assert walker.text(f"vset /object/{name}/rotation 0 90 0") == "ok"
    turned = walker.floats("vget /object/item_001/location")
    assert turned == pytest.approx([x + 10 - (one[1] - y), y - 5 + one[0] - x, one[2]], abs=0.01)


def test_a_colour_set_shows_in_the_mask_and_lists_the_object_by_itself(walker):
    walker.stand(470, 450, 180, eye=80)
    lit = walker.ask("vget /camera/0/lit bmp")
    assert walker.text("vset /object/item_003/color 1 2 3") == "ok"
    assert walker.text("vget /object/item_003/color") == "(R=1,G=2,B=3,A=255)"
    assert walker.pixels("item_003") > 100
    assert {"item_003", "product_t-001"} <= set(walker.text("vget /objects").split())
    assert walker.ask("vget /camera/0/lit bmp") == lit
    assert walker.text("vset /object/product_t-001/color 9 9 9") == "ok"
    assert walker.colour("item_001") == (9, 9, 9)
    assert walker.colour("item_003") == (1, 2, 3)


def test_a_spawned_cube_is_seen_and_gets_into_the_mask_with_its_colour(walker):
    walker.stand(700, 250, 0)
    assert walker.text("vset /objects/spawn_cube Crate") == "Crate"
    assert walker.text("vset /object/Crate/scale 0.5 0.5 0.5") == "ok"
    assert walker.text("vset /object/crate/location 900 250 100") == "ok"
    assert walker.text("vget /object/Crate/bounds") == "875.00 225.00 100.00 925.00 275.00 150.00"
    black = int((walker.mask() == 0).all(-1).sum())
    assert black > 5000
    walker.text("vset /object/Crate/color 250 1 1")
    assert walker.pixels("Crate") == black
    assert walker.text("vget /object/Crate/mobility") == "Movable"
    assert walker.text("vset /object/Crate/name Box") == "ok"
    assert walker.text("vget /object/Box/uclass_name") == "Cube"
    assert walker.text("vset /object/Box/destroy") == "ok"
    assert "Box" not in walker.text("vget /objects").split()


def test_opening_the_level_again_puts_everything_back(walker):
    before = hashlib.sha256(walker.ask("vget /camera/0/lit bmp")).digest()
    walker.call("PickUp item_001")
    walker.text("vset /object/item_009/destroy")
    walker.stand(300, 300, 12)
    assert walker.text("vset /action/game/level tiny_market") == "ok"
    assert hashlib.sha256(walker.ask("vget /camera/0/lit bmp")).digest() == before
    assert walker.call("Held") == {"Object": ""}


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
