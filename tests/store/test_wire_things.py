"""Taking, hiding, moving, colouring and making things over the wire."""

import hashlib
import math

import numpy as np
import pytest

pytestmark = pytest.mark.store


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
