"""The validator finds every kind of fault, and says where: a right pack is spoiled in one place at a time."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from siturec.scene.check import check_pack
from siturec.scene.load import SceneError, load_pack
from siturec.scene.schema import Prop, Rect, Sight

SCENES = Path(__file__).resolve().parents[2] / "scenes"


@pytest.fixture(scope="module")
def corner():
    return load_pack(SCENES / "pharmacy_corner")


@pytest.fixture(scope="module")
def home():
    return load_pack(SCENES / "home_furnishings")


def spoiled(pack, table, row, **fields):
    """The pack with fields of one row (counted from 1) changed."""
    rows = list(getattr(pack, table))
    rows[row - 1] = rows[row - 1].model_copy(update=fields)
    return pack.model_copy(update={table: tuple(rows)})


def faults(pack):
    return "\n".join(check_pack(pack))


def moved(pack, row, **by):
    """The pack with one instance moved by so much."""
    instance = pack.instances[row - 1]
    return spoiled(
        pack, "instances", row, **{key: getattr(instance, key) + value for key, value in by.items()}
    )


def test_ids_and_names_are_unique_and_instances_even_ignoring_case(corner):
    other = corner.products[0]
    assert "products.json row 2, id: ph-0101 is already the id of row 1" in faults(
        spoiled(corner, "products", 2, id=other.id)
    )
    assert "products.json row 2, name" in faults(spoiled(corner, "products", 2, name=other.name.upper()))
    first = corner.instances[0].id
    assert "instances.json row 2, id" in faults(spoiled(corner, "instances", 2, id=first.upper()))


def test_references_must_lead_somewhere(corner):
    assert "instances.json row 3, target: there is no fixture or area attic" in faults(
        spoiled(corner, "instances", 3, target="attic")
    )
    standing = corner.targets[0].standing[0].model_copy(update={"waypoint": "roof"})
    assert "targets.json row 1, standing: there is no waypoint roof" in faults(
        spoiled(corner, "targets", 1, standing=(standing,))
    )
    assert "targets.json row 1, products" in faults(
        spoiled(corner, "targets", 1, products=corner.targets[0].products[1:])
    )


def test_goods_must_be_kept_as_they_need(corner):
    assert "is kept in open_cooler, not in shelf" in faults(
        spoiled(corner, "products", 1, storage="open_cooler")
    )


@pytest.mark.parametrize(
    ("colour", "told"),
    [((19, 200, 200), "has a channel outside"), (None, "is too near that of products.json row 2")],
)
def test_colours_are_high_enough_and_far_enough_apart(corner, colour, told):
    red, green, blue = corner.products[1].colour
    near = (red, green, blue + 7 if blue < 200 else blue - 7)
    found = faults(spoiled(corner, "products", 5, colour=colour or near))
    assert "products.json row 5, colour" in found
    assert told in found


def test_nothing_stands_inside_something_else(corner):
    width = corner.products[0].look.size_m[0]
    first, second = corner.instances[0], corner.instances[1]
    assert first.product == second.product
    along = "y_m" if abs(first.y_m - second.y_m) > 0.01 else "x_m"
    toward = getattr(first, along) - getattr(second, along)
    found = faults(moved(corner, 2, **{along: toward / 2}))
    assert f"{second.id} stands inside {first.id}" in found
    assert "instances.json row 2, x_m" in found
    assert width > 0.01
    prop = Prop(kind="column", footprint=Rect(x0=3.8, y0=3.0, x1=4.2, y1=3.4), height_m=3.0)
    layout = corner.layout.model_copy(update={"props": (*corner.layout.props, prop)})
    assert "stands inside fixture:shelf-3" in faults(corner.model_copy(update={"layout": layout}))


def test_goods_stand_on_boards_and_in_the_building(corner):
    assert "instances.json row 4, z_m" in faults(moved(corner, 4, z_m=0.1))
    assert "outside the building" in faults(moved(corner, 4, x_m=-3.0))


def test_standing_points_are_free_and_can_be_walked_to(corner):
    inside = corner.targets[2]
    point = next(
        n for n, waypoint in enumerate(corner.waypoints, 1) if waypoint.id == inside.standing[0].waypoint
    )
    found = faults(spoiled(corner, "waypoints", point, x_m=inside.x_m, y_m=inside.y_m))
    assert f"waypoints.json row {point}, x_m: a body cannot stand at" in found


def test_a_walled_off_corner_is_told(corner):
    fence = Prop(kind="wall_panel", footprint=Rect(x0=0.0, y0=5.5, x1=8.0, y1=5.55), height_m=2.5)
    layout = corner.layout.model_copy(update={"props": (corner.layout.props[1], fence)})
    found = faults(corner.model_copy(update={"layout": layout}))
    assert "cannot be walked to from the start" in found
    assert "is nowhere in sight within 2.5 m" in found


def test_goods_hidden_behind_a_wall_are_told_though_they_are_near(corner):
    shelf = corner.targets[0].footprint
    board = Prop(
        kind="wall_panel",
        footprint=Rect(x0=shelf.x1 + 0.02, y0=shelf.y0 - 1.1, x1=shelf.x1 + 0.04, y1=shelf.y1 + 1.2),
        height_m=2.8,
    )
    layout = corner.layout.model_copy(update={"props": (*corner.layout.props, board)})
    found = faults(corner.model_copy(update={"layout": layout}))
    for product in corner.targets[0].products:
        assert f"{product} is nowhere in sight" in found


def test_doorway_points_lie_on_their_own_side_of_the_door(home):
    store = home.targets[0]
    outside = next(n for n, w in enumerate(home.waypoints, 1) if w.id == f"{store.id}-outside")
    inside = next(w for w in home.waypoints if w.id == f"{store.id}-inside")
    found = faults(spoiled(home, "waypoints", outside, x_m=inside.x_m, y_m=inside.y_m))
    assert "is on the wrong side of the door" in found


def test_stores_have_fronts_and_entrances_and_areas_have_stores(home):
    assert "targets.json row 1, entrances" in faults(spoiled(home, "targets", 1, entrances=()))
    walls = tuple(wall for wall in home.layout.walls if wall.owner != home.targets[0].id)
    layout = home.layout.model_copy(update={"walls": walls})
    assert "is the front of atelier-prime" in faults(home.model_copy(update={"layout": layout}))
    area = next(n for n, target in enumerate(home.targets, 1) if target.kind == "area")
    assert f"targets.json row {area}, store" in faults(spoiled(home, "targets", area, store="elsewhere"))


def test_tasks_are_recomputed_from_the_catalog(corner):
    task = corner.tasks[0]
    assert "tasks.json row 1, budget" in faults(spoiled(corner, "tasks", 1, budget=task.budget + 1))
    assert "tasks.json row 1, reference_items" in faults(spoiled(corner, "tasks", 1, reference_items=()))
    assert "tasks.json row 1, eligible_prices" in faults(
        spoiled(corner, "tasks", 1, eligible_prices=(*task.eligible_prices, 99.0))
    )
    assert "tasks.json row 1, target_product: there is no product moon" in faults(
        spoiled(corner, "tasks", 1, target_product="moon")
    )
    wrong = task.needs[0].model_copy(update={"values": ("sun care",)})
    assert "tasks.json row 1, needs: the target" in faults(
        spoiled(corner, "tasks", 1, needs=(wrong, *task.needs[1:]))
    )
    assert "reads like row 1 of the same profile" in faults(
        spoiled(corner, "tasks", 2, goal=task.goal + " Soon.")
    )
    assert "profiles.json row 1, id: 3 tasks instead of 4" in faults(
        corner.model_copy(update={"tasks": corner.tasks[1:]})
    )


def test_unreadable_files_and_wrong_types_are_all_listed_at_once(tmp_path, corner):
    for file in (SCENES / "pharmacy_corner").glob("*.json"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "waypoints.json").unlink()
    (tmp_path / "layout.json").write_text("{")
    text = (tmp_path / "products.json").read_text()
    (tmp_path / "products.json").write_text(text.replace('"price":', '"prize":', 1))
    with pytest.raises(SceneError) as caught:
        load_pack(tmp_path)
    found = "\n".join(caught.value.faults)
    assert "waypoints.json: the file is missing" in found
    assert "layout.json: not valid JSON at character 2" in found
    assert "products.json row 1, price: Field required" in found
    assert "products.json row 1, prize: Extra inputs are not permitted" in found


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("eye_m", 160), ("eye_m", 5.2), ("walk_mps", 140), ("walk_mps", 0), ("body_radius_m", 25)),
        *(("reach_m", 250), ("product_m", 0), ("fixture_m", -15), ("fov_deg", 180), ("fov_deg", 1.4)),
        *(("frame_width", 0), ("frame_height", -540), ("min_pixels", 0)),
    ],
)
def test_what_counts_as_seen_is_in_metres_degrees_and_pixels_of_a_person(field, value):
    with pytest.raises(ValidationError, match=field):
        Sight.model_validate({field: value})
