"""The shipped packs are what their seeds build, and any seed builds a valid pack of the paper's size."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scenes.generator.recipes import RECIPES, Order
from siturec.scene.check import check_pack
from siturec.scene.dump import dump_pack
from siturec.scene.fixtures import Form, boards, form_of, parts
from siturec.scene.geometry import Geometry
from siturec.scene.index import location_index
from siturec.scene.load import load_pack
from siturec.scene.schema import Rect

SCENES = Path(__file__).resolve().parents[2] / "scenes"
SLUGS = ("supermarket", "home_furnishings")


@pytest.fixture(scope="module")
def packs():
    return {slug: load_pack(SCENES / slug) for slug in (*SLUGS, "pharmacy_corner")}


@pytest.mark.parametrize("slug", SLUGS)
def test_a_pack_is_rebuilt_from_its_seed_byte_for_byte(slug, packs):
    built = dump_pack(RECIPES[slug](Order(seed=packs[slug].info.seed)))
    assert set(built) == {file.name for file in (SCENES / slug).glob("*.json")}
    for name, content in built.items():
        assert (SCENES / slug / name).read_bytes() == content, name


@pytest.mark.parametrize("slug", [*SLUGS, "pharmacy_corner"])
def test_a_shipped_pack_has_no_faults_and_is_written_one_record_per_line(slug, packs):
    pack = packs[slug]
    assert check_pack(pack) == []
    for name, content in dump_pack(pack).items():
        assert (SCENES / slug / name).read_bytes() == content
    lines = (SCENES / slug / "products.json").read_text().splitlines()
    assert len(lines) == len(pack.products) + 2


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**31), slug=st.sampled_from(SLUGS))
def test_another_seed_gives_another_valid_pack_of_the_same_size(seed, slug):
    pack = RECIPES[slug](Order(seed=seed))
    assert check_pack(pack) == []
    home = slug == "home_furnishings"
    assert len(pack.products) == (222 if home else 233)
    assert len(pack.instances) == (244 if home else 1324)
    assert len(pack.waypoints) == (38 if home else 42)
    assert len(pack.targets) == (31 if home else 29)
    assert Counter(task.profile_id for task in pack.tasks) == {str(n): 4 for n in range(1, 26)}
    assert dump_pack(pack)["products.json"] != (SCENES / slug / "products.json").read_bytes()


def test_sizes_are_arguments():
    pack = RECIPES["supermarket"](Order(seed=3, scale=2, products=300, instances=1500, profiles=6))
    assert (len(pack.products), len(pack.instances), len(pack.targets)) == (300, 1500, 58)
    assert (len(pack.profiles), len(pack.tasks)) == (6, 24)
    assert check_pack(pack) == []


def test_the_supermarket_keeps_goods_as_they_must_be_kept(packs):
    pack = packs["supermarket"]
    targets = {target.id: target for target in pack.targets}
    products = {product.id: product for product in pack.products}
    for instance in pack.instances:
        assert products[instance.product].storage == targets[instance.target].type


def test_some_goods_of_a_product_touch_and_some_stand_apart(packs):
    pack = packs["supermarket"]
    products = {product.id: product for product in pack.products}
    spots = Counter()
    touching = 0
    for first, second in zip(pack.instances, pack.instances[1:], strict=False):
        if first.product == second.product and first.z_m == second.z_m and first.target == second.target:
            away = abs(first.x_m - second.x_m) + abs(first.y_m - second.y_m)
            touching += away <= products[first.product].look.size_m[0] + 0.005
        else:
            spots[first.product] += 1
    assert touching > 600
    assert sum(count > 1 for count in spots.values()) >= 10


def test_the_seven_stores_are_the_papers(packs):
    names = [target.name for target in packs["home_furnishings"].targets if target.kind == "store"]
    assert sorted(names) == sorted(
        ["Atelier Prime", "Leather and Ink", "Light Logic", "Nordic Nest", "Play-cation", "The Plant",
         "Vicotian Curio Collection"]
    )  # fmt: skip


@pytest.mark.parametrize("slug", SLUGS)
def test_segmentation_colours_can_be_told_apart(slug, packs):
    pack = packs[slug]
    colours = [product.colour for product in pack.products]
    colours += [target.colour for target in pack.targets if target.colour]
    assert min(min(colour) for colour in colours) >= 20
    for number, one in enumerate(colours):
        assert all(
            max(abs(a - b) for a, b in zip(one, other, strict=True)) >= 30 for other in colours[:number]
        )


def test_every_product_record_says_what_inspection_reveals(packs):
    wanted = {"flavour", "packaging", "allergens", "nutrition", "size"}
    assert all(wanted <= set(product.details) for product in packs["supermarket"].products)
    wanted = {"material", "color", "size_category", "style"}
    assert all(wanted <= set(product.details) for product in packs["home_furnishings"].products)


@pytest.mark.parametrize("slug", SLUGS)
def test_the_location_index_agrees_both_ways(slug, packs):
    index = location_index(packs[slug])
    for product in packs[slug].products:
        assert index.places_of(product.id)
        for entity in index.places_of(product.id):
            assert product.id in index.products_at(entity)
    for target in packs[slug].targets:
        assert set(index.products_at(target.entity)) == set(target.products)
        for product in index.products_at(target.entity):
            assert target.entity in index.places_of(product)
    with pytest.raises(KeyError):
        index.products_at("fixture:nowhere")


def test_an_index_is_made_once_per_pack(packs):
    assert location_index(packs["supermarket"]) is location_index(packs["supermarket"])


@settings(max_examples=40, deadline=None)
@given(
    kind=st.sampled_from(["shelf", "chest_freezer", "upright_freezer", "open_cooler", "produce_stand"]),
    yaw=st.sampled_from([0.0, 90.0, 180.0, 270.0]),
    double=st.booleans(),
    length=st.floats(1.0, 4.0),
    depth=st.floats(0.9, 1.6),
)
def test_boards_lie_within_their_fixture_and_nothing_of_it_fills_the_space_above_them(
    kind, yaw, double, length, depth
):
    height = {"shelf": 1.8, "chest_freezer": 0.9, "produce_stand": 0.9}.get(kind, 2.0)
    double = double and kind not in {"upright_freezer", "open_cooler"}
    wide, deep = (depth, length) if yaw % 180 == 0 else (length, depth)
    form = Form(kind, Rect(x0=1, y0=2, x1=1 + wide, y1=2 + deep), height, yaw, double)
    for board in boards(form):
        rect = board.rect
        assert form.footprint.x0 <= rect.x0 < rect.x1 <= form.footprint.x1
        assert form.footprint.y0 <= rect.y0 < rect.y1 <= form.footprint.y1
        for part in parts(form):
            low = (rect.x0, rect.y0, board.z_m)
            high = (rect.x1, rect.y1, board.z_m + board.clear_m)
            assert not all(part.low[n] < high[n] - 1e-6 and low[n] + 1e-6 < part.high[n] for n in range(3))


def test_left_on_a_board_is_the_shoppers_left(packs):
    for target in packs["supermarket"].targets:
        for board in boards(form_of(target)):
            waypoint = next(
                point
                for standing in target.standing
                if standing.approach == board.side
                for point in packs["supermarket"].waypoints
                if point.id == standing.waypoint
            )
            x0, y0 = board.place(0.1, 0.0)
            x1, y1 = board.place(board.across_m - 0.1, 0.0)
            # From the standing point, the right end lies clockwise of the left end.
            ax, ay = x0 - waypoint.x_m, y0 - waypoint.y_m
            bx, by = x1 - waypoint.x_m, y1 - waypoint.y_m
            assert ax * by - ay * bx > 0


def test_sight_is_blocked_by_a_shelf_and_free_along_an_aisle(packs):
    geometry = Geometry(packs["supermarket"])
    shelf = next(target for target in packs["supermarket"].targets if target.id == "shelf-7")
    middle = (shelf.footprint.y0 + shelf.footprint.y1) / 2
    before, behind = shelf.footprint.x0 - 1.0, shelf.footprint.x1 + 1.0
    assert not geometry.visible((before, middle, 1.6), [(behind, middle, 1.0)])
    assert geometry.visible((before, middle, 1.6), [(before, middle + 1.0, 1.0)])
    assert not geometry.free((shelf.x_m, shelf.y_m))
    assert geometry.can_walk_to((before, middle))
