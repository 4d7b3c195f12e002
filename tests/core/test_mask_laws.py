"""Laws of finding: whatever a mask shows, each thing's pixels, box and outlines are those of its regions."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from siturec.markers.camera import Camera
from siturec.markers.colours import TOLERANCE, ColourTable
from siturec.markers.regions import REGION_PIXELS, find
from siturec.markers.scene import marker_scene
from siturec.protocol.messages import Pose, Sighting
from siturec.scene.load import load_pack

SCENES = sorted(path.parent for path in (Path(__file__).parents[2] / "scenes").glob("*/scene.json"))
W, H = 96, 54
SEEDS = st.integers(0, 2**32 - 1)
UNHURRIED = settings(max_examples=60, deadline=None)


def blobs(seed, count=6):
    """A mask of ``count`` things as patches over one another, and the depth of each patch."""
    chance = np.random.default_rng(seed)
    numbers, depth = np.full((H, W), -1, np.int16), np.full((H, W), 2.0, np.float32)
    for _ in range(chance.integers(1, 25)):
        x, y = chance.integers(0, W - 4), chance.integers(0, H - 4)
        wide, high = chance.integers(1, 30), chance.integers(1, 20)
        numbers[y : y + high, x : x + wide] = chance.integers(-1, count)
        depth[y : y + high, x : x + wide] = chance.choice((1.0, 2.0, 9.0))
    return numbers, depth


def found_in(numbers, depth, *, limit_m=100.0, min_pixels=1, kind="product"):
    camera = Camera(Pose(x_m=0, y_m=0), W, H, 80, 1.6)
    return find(
        numbers,
        depth,
        camera=camera,
        limits_m=np.full(6, limit_m, np.float32),
        kinds=(kind,) * 6,
        min_pixels=min_pixels,
    )


@given(SEEDS)
@UNHURRIED
def test_pixels_and_boxes_are_those_of_the_mask(seed):
    numbers, depth = blobs(seed)
    found = found_in(numbers, depth)
    assert sorted(one.number for one in found) == [n for n in np.unique(numbers).tolist() if n >= 0]
    for one in found:
        rows, columns = np.nonzero(numbers == one.number)
        assert one.pixels == len(rows)
        assert one.box == (columns.min(), rows.min(), columns.max(), rows.max())
        assert one.column == pytest.approx(columns.mean())


@given(SEEDS)
@UNHURRIED
def test_every_separate_part_gets_one_outline_and_touching_parts_share_one(seed):
    numbers, depth = blobs(seed)
    for one in found_in(numbers, depth):
        shape = (numbers == one.number).astype(np.uint8)
        count, parts = cv2.connectedComponents(shape, connectivity=8)
        outlined = set()
        for contour in one.contours:
            inside = {int(parts[y, x]) for x, y in contour[:, 0].tolist()}
            assert len(inside) == 1
            outlined |= inside
            alone = np.zeros((H, W), np.uint8)
            cv2.drawContours(alone, [contour], -1, 1, cv2.FILLED)
            assert alone[parts == next(iter(inside))].all()
        assert 0 not in outlined
        assert len(outlined) == len(one.contours)
        large = {part for part in range(1, count) if (parts == part).sum() >= REGION_PIXELS}
        assert large <= outlined


@given(SEEDS)
@UNHURRIED
def test_a_label_is_wished_for_on_the_thing_itself(seed):
    numbers, depth = blobs(seed)
    for one in found_in(numbers, depth):
        column, row = one.anchor
        assert numbers[row, column] == one.number


@given(SEEDS)
@UNHURRIED
def test_a_region_counts_whole_or_not_at_all_and_counts_where_some_of_it_is_near(seed):
    numbers, depth = blobs(seed)
    got = {one.number: one for one in found_in(numbers, depth, limit_m=5.0)}
    for number in range(6):
        count, parts = cv2.connectedComponents((numbers == number).astype(np.uint8), connectivity=8)
        # Three pixels tell how far a run is, so a region is surely near where all of it is.
        surely = [part for part in range(1, count) if (depth[parts == part] < 5.0).all()]
        maybe = [part for part in range(1, count) if (depth[parts == part] < 5.0).any()]
        if number not in got:
            assert not surely
            continue
        one = got[number]
        assert one.distance_m <= 5.0
        sizes = {part: int((parts == part).sum()) for part in maybe}
        assert sum(sizes[part] for part in surely) <= one.pixels <= sum(sizes.values())
        for contour in one.contours:
            part = int(parts[contour[0, 0, 1], contour[0, 0, 0]])
            rows, columns = np.nonzero(parts == part)
            assert part in maybe
            assert cv2.boundingRect(contour) == (
                columns.min(),
                rows.min(),
                np.ptp(columns) + 1,
                np.ptp(rows) + 1,
            )


@given(SEEDS, st.integers(1, 200))
@UNHURRIED
def test_what_is_far_or_small_is_as_if_it_were_not_there(seed, least):
    numbers, depth = blobs(seed)
    for one in found_in(numbers, depth, limit_m=5.0, min_pixels=least):
        assert one.pixels >= least
        assert one.distance_m <= 5.0
        assert one.pixels <= (numbers == one.number).sum()
    nothing = found_in(numbers, np.full_like(depth, np.inf), limit_m=5.0)
    assert nothing == []


@given(st.integers(24, W), st.integers(4, H), st.floats(1.0, 8.0), st.floats(1.0, 8.0), st.integers(1, 400))
@example(wide=87, high=4, left_m=4.0, right_m=7.0, least=1)
@example(wide=92, high=4, left_m=2.0, right_m=1.125, least=1)
@UNHURRIED
def test_a_wall_that_runs_away_is_as_near_and_as_visible_as_its_pixels(wide, high, left_m, right_m, least):
    numbers, depth = np.full((H, W), -1, np.int16), np.full((H, W), np.inf, np.float32)
    top, left = (H - high) // 2, (W - wide) // 2
    numbers[top : top + high, left : left + wide] = 0
    # Along a picture's row it is one over depth that changes evenly on a plane.
    depth[top : top + high, left : left + wide] = 1 / np.linspace(1 / left_m, 1 / right_m, wide)
    rows, columns = np.nonzero(numbers == 0)
    camera = Camera(Pose(x_m=0, y_m=0), W, H, 80, 1.6)
    away = camera.floor_distance(columns.astype(float), rows.astype(float), depth[rows, columns])
    within = int((away <= 5.0).sum())
    found = found_in(numbers, depth, limit_m=5.0, min_pixels=least)
    if not np.isclose(away, 5.0, atol=1e-4).any():
        assert len(found) == (within >= least)
    pixel_m = float(np.abs(np.diff(away.reshape(high, wide), axis=1)).max())
    for one in found:
        assert one.distance_m == pytest.approx(away.min(), rel=0.01, abs=pixel_m + 0.01)


@given(SEEDS)
@UNHURRIED
def test_a_building_has_one_box_around_all_its_parts(seed):
    numbers, depth = blobs(seed)
    for one in found_in(numbers, depth, kind="fixture"):
        rows, columns = np.nonzero(numbers == one.number)
        assert one.contours == ()
        assert one.box == (columns.min(), rows.min(), columns.max(), rows.max())


@given(SEEDS, st.integers(0, TOLERANCE), st.booleans())
@UNHURRIED
def test_a_mask_resolves_alike_pixel_by_pixel_and_run_by_run(seed, off, spotty):
    """``spotty``: every pixel is off by another amount, as after a lossy copy; else whole things are."""
    chance = np.random.default_rng(seed)
    colours = np.array([(20 + 36 * (n % 6), 60 + 40 * (n // 6), 200) for n in range(18)], np.uint8)
    table = ColourTable.build(colours)
    numbers, _ = blobs(seed, count=18)
    shape = (H, W, 3) if spotty else (19, 3)
    shift = chance.integers(-off, off + 1, shape)
    shown = np.vstack([colours, np.zeros((1, 3), np.uint8)]).astype(int)
    mask = shown[numbers] + shift if spotty else (shown + shift)[numbers]
    rgb = mask.clip(0, 255).astype(np.uint8)
    bgra = np.dstack([rgb[..., ::-1], chance.integers(0, 256, (H, W), np.uint8)])
    for found in (
        table.numbers(rgb),
        table.numbers(rgb[..., ::-1], bgr=True),
        table.numbers(np.ascontiguousarray(bgra), bgr=True),
        table.numbers(np.ascontiguousarray(bgra[::-1]), bgr=True)[::-1],
        table.numbers(bgra[::-1], bgr=True)[::-1],
    ):
        assert np.array_equal(found, numbers)


@pytest.mark.parametrize("folder", SCENES, ids=lambda folder: folder.name)
def test_no_two_colours_of_a_shipped_scene_can_be_mistaken_for_each_other(folder):
    """Both off by as much as is forgiven, in opposite directions, and still apart; and apart from black."""
    colours = marker_scene(load_pack(folder)).colours.astype(int)
    colours = np.vstack([colours, np.zeros((1, 3), int)])
    apart = np.abs(colours[:, None] - colours[None]).max(axis=2)
    np.fill_diagonal(apart, 255)
    assert apart.min() > 2 * TOLERANCE


def test_a_sighting_made_unchecked_is_one_that_would_pass_the_checks():
    fields = {
        "entity": "product:x",
        "kind": "product",
        "name": "X",
        "user_marker": "1",
        "assistant_marker": "A",
        "distance_m": 1.25,
        "side": "left",
        "reachable": True,
        "approaches": (),
        "outlines": (((0, 0), (4, 0), (4, 4)),),
        "labelled": False,
    }
    made, checked = Sighting.trusted(**fields), Sighting(**fields)
    assert made == checked
    assert hash(made) == hash(checked)
    assert made.model_dump_json() == checked.model_dump_json()
    assert made.model_copy(update={"name": "Y"}) == checked.model_copy(update={"name": "Y"})
    assert made.model_fields_set == set(Sighting.model_fields)
