"""Meshes, textures, solids, and the store kept on disk."""

import os
import shutil
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from siturec.markers.colours import TOLERANCE
from siturec.scene.load import load_pack
from siturec.scene.schema import Look, Product, ShapeKind
from storefront import world_cache
from storefront.mesh import MeshBuilder
from storefront.mesh_goods import goods_meshes
from storefront.mesh_produce import CROPS, crop_of
from storefront.mesh_solids import box
from storefront.render import Painter, StoreWorld
from storefront.texture import TextureStore, mip_chain
from storefront.texture_floors import FLOORS, floor
from storefront.texture_labels import lines_of
from storefront.world_objects import Palette
from storefront.world_solids import solids

HERE = Path(__file__).parent
SIZES = {
    "lamp_pendant": (0.42, 0.42, 1.3),
    "rug": (1.2, 0.8, 0.02),
    "bottle": (0.08, 0.08, 0.3),
    "mirror": (0.5, 0.05, 0.5),
    "frame": (0.5, 0.04, 0.4),
}
BIG = {"chair", "sofa", "table", "desk", "bed", "cabinet", "bookcase", "lamp_floor", "plant"}


def product(shape: str, style: int = 0, name: str = "Alba Oak Thing") -> Product:
    size = SIZES.get(shape, (0.8, 0.6, 0.9) if shape in BIG else (0.2, 0.16, 0.12))
    look = Look(shape=shape, size_m=size, primary="#b98d5a", accent="#3b7266", label="Alba", style=style)
    return Product(
        id="p-1", name=name, category="meat", price=3, colour=(20, 30, 40), storage="display", look=look
    )


@pytest.mark.parametrize("style", [0, 2])
@pytest.mark.parametrize("shape", get_args(ShapeKind))
def test_every_shape_fills_its_box_and_stands_on_its_base(shape, style):
    thing = product(shape, style)
    w, d, h = thing.look.size_m
    fine, coarse = goods_meshes(thing, TextureStore())
    assert len(coarse.triangle) <= len(fine.triangle)
    for mesh in (fine, coarse):
        extent = mesh.high - mesh.low
        assert mesh.low[2] >= -0.012
        assert extent[2] >= 0.55 * h
        assert mesh.high[2] <= 1.45 * h + 0.02
        assert extent[0] <= 1.35 * w + 0.03
        assert extent[1] <= 1.35 * d + 0.06
        assert np.isfinite(mesh.position).all()
        assert np.allclose(np.linalg.norm(mesh.normal, axis=1), 1, atol=0.05) or shape == "plant"
        assert mesh.triangle.max() < len(mesh.position)


@pytest.mark.parametrize(
    "shape",
    [
        s
        for s in get_args(ShapeKind)
        if s not in ("plant", "planter", "basket", "vase", "lamp_floor", "lamp_table", "lamp_pendant")
    ],
)
def test_faces_turn_the_way_their_normals_point(shape):
    """Else a side would be dropped as seen from behind. (Open shapes show their inner sides too.)"""
    mesh, _ = goods_meshes(product(shape), TextureStore())
    a, b, c = (mesh.position[mesh.triangle[:, k]] for k in range(3))
    across = np.cross(b - a, c - a)
    agree = (across * mesh.normal[mesh.triangle].sum(axis=1)).sum(axis=1) > 0
    assert agree.mean() > 0.95


@pytest.mark.parametrize("words", [words for words, _ in CROPS])
def test_every_crop_is_known_by_its_name_and_makes_a_heap(words):
    name = f"Larkmead {words.title()}s"
    thing = product("produce", name=name)
    crop = crop_of(thing)
    assert crop.size[0] > 0.01
    fine, coarse = goods_meshes(thing, TextureStore())
    assert 50 < len(fine.triangle) < 12000
    assert len(coarse.triangle) < len(fine.triangle)


def test_a_box_turns_outwards_on_all_six_sides():
    builder = MeshBuilder()
    box(builder, (-1, -1, -1), (2, 2, 2), 0)
    mesh = builder.build()
    middle = mesh.position[mesh.triangle].mean(axis=1)
    a, b, c = (mesh.position[mesh.triangle[:, k]] for k in range(3))
    assert ((np.cross(b - a, c - a) * middle).sum(axis=1) > 0).all()


def test_mip_chains_keep_the_mean_light_and_end_in_one_texel():
    image = np.random.default_rng(3).integers(0, 256, (64, 16, 3)).astype(np.uint8)
    chain = mip_chain(image)
    assert [level.shape for level in chain[:3]] == [(64, 16), (32, 8), (16, 4)]
    assert chain[-1].shape == (1, 1)
    last = np.array([chain[-1][0, 0] >> np.uint32(8 * k) & np.uint32(255) for k in range(3)])
    assert np.allclose((last / 255.0) ** 2, ((image / 255.0) ** 2).mean((0, 1)), atol=0.01)


@pytest.mark.parametrize("kind", FLOORS)
def test_floors_repeat_without_a_seam_and_are_glossy(kind):
    textures = TextureStore()
    number = floor(textures, kind)
    texels = textures.texels()
    assert texels.bits[number, 3] > 0


def test_a_texture_must_be_made_of_powers_of_two():
    with pytest.raises(ValueError, match="powers of two"):
        TextureStore().number("odd", lambda: np.zeros((3, 4, 3), np.uint8))


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Milk", ["Milk"]),
        ("Medium Roast Ground Coffee", ["Medium", "Roast", "Ground Coffee"]),
        ("Olive Oil", ["Olive Oil"]),
    ],
)
def test_names_break_into_lines_between_words(name, lines):
    broken = lines_of(name)
    assert " ".join(broken) == name
    assert len(broken) == len(lines)


def test_one_walks_into_fixtures_and_furniture_but_not_under_lintels_or_onto_rugs():
    market = solids(load_pack(HERE / "pack"))
    assert (2.0, 3.0, 2.9, 5.4) in market
    home = load_pack(HERE / "pack_home")
    found = solids(home)

    def blocked(x, y):
        return any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in found)

    assert blocked(0.7, 3.0)  # the sofa
    assert blocked(5.5, 1.0)  # the shop front
    assert not blocked(5.5, 3.0)  # its doorway, under the lintel
    assert not blocked(2.9, 3.6)  # the rug


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A folder with one built store in it, the pack, and what the store painted before it was kept."""
    folder, pack = tmp_path_factory.mktemp("kept"), load_pack(HERE / "pack_home")
    built = StoreWorld.load(pack, folder)
    return folder, pack, built, Painter(built, 160, 90, 80).paint(*POSE)


POSE = ((8.0, 3.0, 1.6), 180.0, -3.0)


def test_a_store_read_from_disk_paints_what_the_built_one_painted(kept):
    folder, pack, built, painted = kept
    assert [p.name for p in folder.iterdir()] == [world_cache.digest(pack)]
    read = StoreWorld.load(pack, folder)
    assert read.objects == built.objects
    again = Painter(read, 160, 90, 80).paint(*POSE)
    assert np.array_equal(painted.rgb, again.rgb)
    assert np.array_equal(painted.ids, again.ids)
    assert not read.tables.position.flags.writeable


def test_a_damaged_entry_counts_as_none(kept, tmp_path, caplog):
    folder, pack, _, _ = kept
    entry = tmp_path / "entry"
    shutil.copytree(folder / world_cache.digest(pack), entry)
    assert world_cache.read(entry) is not None
    (entry / "light.npy").write_bytes(b"not an array")
    assert world_cache.read(entry) is None
    assert "built anew" in caplog.text
    assert world_cache.read(tmp_path / "absent") is None


def test_a_changed_pack_has_an_entry_of_its_own():
    pack = load_pack(HERE / "pack_home")
    moved = pack.instances[0].model_copy(update={"x_m": pack.instances[0].x_m + 0.1})
    other = pack.model_copy(update={"instances": (moved, *pack.instances[1:])})
    assert world_cache.digest(other) != world_cache.digest(pack)


def test_only_the_stores_used_last_stay_on_disk(tmp_path):
    for n in range(world_cache.KEPT + 3):
        entry = tmp_path / f"{n:032x}"
        world_cache.write(entry, {"a": np.zeros(3)}, [], {})
        os.utime(entry, (n, n))
    assert world_cache.read(tmp_path / f"{2:032x}") is None
    assert world_cache.read(tmp_path / f"{5:032x}") is not None
    assert len(list(tmp_path.iterdir())) <= world_cache.KEPT + 1


def test_a_folder_that_cannot_be_written_only_costs_the_next_start(tmp_path, caplog):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    world_cache.write(blocked / "entry", {"a": np.zeros(3)}, [], {})
    assert "could not be kept" in caplog.text


def test_no_mask_can_take_a_wall_for_a_product_though_colours_are_off_by_as_much_as_is_forgiven():
    rng = np.random.default_rng(4)
    taken = {tuple(colour) for colour in rng.integers(20, 256, (900, 3)).tolist()}
    palette = Palette(taken)
    dealt = [palette.deal() for _ in range(60)]
    colours = np.array([*dealt, *taken, (0, 0, 0)])
    apart = np.abs(colours[: len(dealt), None] - colours[None]).max(axis=2)
    np.fill_diagonal(apart, 255)
    assert apart.min() > 2 * TOLERANCE
