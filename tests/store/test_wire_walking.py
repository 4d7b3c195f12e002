"""Walking and looking over the wire: over time, at once, and round what stands in the way."""

import io
import json
import math
import time

import numpy as np
import pytest

pytestmark = pytest.mark.store


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
        "Left": "0.000",
        "X": "820.000",
        "Y": "250.000",
        "Yaw": "90.000",
        "Pitch": "-15.000",
    }


def test_an_actor_says_for_how_long_it_will_still_be_moving(walker):
    walker.stand(700, 200, 0)
    walker.call("SetMaxSpeed 100")
    walker.call("MoveBy 200 0")
    assert 1.0 < float(walker.call("IsMoving")["Left"]) <= 2.0
    walker.call("TurnBy 360")
    assert 2.0 < float(walker.call("IsMoving")["Left"]) <= 3.0


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
    walker.text("vrun slomo 5")
    begin = time.perf_counter()
    walker.call("WalkTo 370 420")
    longest = 0.0
    while walker.call("IsMoving")["Moving"] == "true":
        longest = max(longest, abs(walker.pose()[1] - 420))
        time.sleep(0.005)
    assert longest > 100
    assert 0.6 < time.perf_counter() - begin < 20
