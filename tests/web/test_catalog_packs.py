"""Scene packs in and out of the catalog: all or nothing, byte for byte, versioned and frozen."""

import json
from io import StringIO
from pathlib import Path

import orjson
import pytest
from django.core.management import CommandError, call_command

from catalog.archive import pack_unzip, pack_zip
from catalog.editing import NotCurrent, row_change
from catalog.models import Product, SceneEdit, SceneVersion, Task
from catalog.selectors import UnknownScene, scene_pack, scene_slugs
from catalog.services import pack_import, scene_freeze, scene_import
from siturec.scene.dump import write_pack
from siturec.scene.load import SceneError, load_pack

SCENES = Path(__file__).resolve().parents[2] / "scenes"
pytestmark = pytest.mark.django_db


@pytest.fixture
def corner(tmp_path):
    """The smallest pack, in a folder that may be spoiled."""
    folder = tmp_path / "pharmacy_corner"
    write_pack(load_pack(SCENES / "pharmacy_corner"), folder)
    return folder


@pytest.fixture
def imported(corner):
    return scene_import(folder=corner).version


def change(folder, file, row, field, value):
    rows = orjson.loads((folder / file).read_bytes())
    rows[row][field] = value
    (folder / file).write_bytes(orjson.dumps(rows))


@pytest.mark.parametrize("slug", ["supermarket", "home_furnishings", "pharmacy_corner"])
def test_a_pack_comes_out_of_the_catalog_as_it_went_in_byte_for_byte(slug, tmp_path):
    call_command("import_scene", slug, stdout=StringIO())
    call_command("export_scene", slug, str(tmp_path), stdout=StringIO())
    for file in (SCENES / slug).glob("*.json"):
        assert (tmp_path / file.name).read_bytes() == file.read_bytes(), file.name


def test_importing_the_same_pack_again_changes_nothing(imported, corner):
    assert scene_import(folder=corner).outcome == "unchanged"
    assert SceneVersion.objects.count() == 1
    assert SceneVersion.objects.get().revision == 1


def test_a_dry_run_tells_the_fields_that_would_change_and_stores_nothing(imported, corner):
    price = scene_pack("pharmacy_corner").products[2].price
    spoken = scene_pack("pharmacy_corner").products[0].name
    change(corner, "products.json", 0, "name", "Thornby Plasters, Wide")
    report = scene_import(folder=corner, dry_run=True)
    first = scene_pack("pharmacy_corner").products[0].id
    told = [str(one) for one in report.changes]
    assert told == [f"products {first}, name: '{spoken}' -> 'Thornby Plasters, Wide'"]
    assert report.outcome == "would be replaced"
    assert scene_pack("pharmacy_corner").products[0].name == spoken
    assert scene_pack("pharmacy_corner").products[2].price == price
    assert not SceneEdit.objects.exists()


def test_an_import_with_faults_changes_nothing_and_lists_every_fault_with_file_row_and_field(
    imported, corner
):
    change(corner, "products.json", 3, "colour", [1, 2, 3])
    change(corner, "instances.json", 5, "product", "nothing-of-ours")
    change(corner, "targets.json", 0, "standing", [])
    before = scene_pack("pharmacy_corner")
    with pytest.raises(SceneError) as caught:
        scene_import(folder=corner)
    faults = "\n".join(caught.value.faults)
    assert "products.json row 4, colour" in faults
    assert "instances.json row 6, product: there is no product nothing-of-ours" in faults
    assert "targets.json row 1, standing: no standing point for front" in faults
    assert scene_pack("pharmacy_corner") == before


def test_wrong_types_are_listed_with_file_row_and_field_too(corner):
    change(corner, "products.json", 1, "price", "dear")
    change(corner, "tasks.json", 0, "tier", "lavish")
    with pytest.raises(CommandError) as caught:
        call_command("import_scene", str(corner), stdout=StringIO())
    assert "products.json row 2, price" in str(caught.value)
    assert "tasks.json row 1, tier" in str(caught.value)
    assert not SceneVersion.objects.exists()


def test_a_frozen_version_is_never_overwritten_and_another_version_goes_beside_it(imported, corner):
    scene_freeze("pharmacy_corner", imported.label)
    change(corner, "products.json", 0, "name", "Thornby Plasters, Wide")
    with pytest.raises(SceneError, match=r"scene\.json, version: 1 is in use"):
        scene_import(folder=corner)
    info = orjson.loads((corner / "scene.json").read_bytes())
    (corner / "scene.json").write_bytes(orjson.dumps({**info, "version": "2"}))
    assert scene_import(folder=corner).outcome == "created"
    assert scene_pack("pharmacy_corner").info.version == "2"
    assert scene_pack("pharmacy_corner", "1").products[0].name != "Thornby Plasters, Wide"


def test_an_edit_is_kept_with_before_and_after_and_seen_at_once(imported):
    row = Product.objects.first()
    old = row.name
    report = row_change(row=row, fields={"name": "Thornby Plasters, Wide"}, editor=None)
    assert report.changed == ("name",)
    assert not report.new_version
    assert scene_pack("pharmacy_corner").products[0].name == "Thornby Plasters, Wide"
    edit = SceneEdit.objects.get()
    assert (edit.table, edit.code, edit.field, edit.before, edit.after) == (
        "products", row.code, "name", old, "Thornby Plasters, Wide",
    )  # fmt: skip


def test_editing_a_pack_in_use_makes_a_new_version_and_leaves_the_old_one_alone(imported):
    scene_freeze("pharmacy_corner")
    row = Product.objects.first()
    old = row.name
    report = row_change(row=row, fields={"name": "Thornby Plasters, Wide"}, editor=None)
    assert report.new_version
    assert scene_pack("pharmacy_corner", "1").products[0].name == old
    assert scene_pack("pharmacy_corner", "2").products[0].name == "Thornby Plasters, Wide"
    assert scene_pack("pharmacy_corner").info.version == "2"
    with pytest.raises(NotCurrent):
        row_change(row=row, fields={"name": "Again"}, editor=None)


def test_an_edit_that_would_break_the_budget_rule_is_refused_with_the_fault(imported):
    row = Task.objects.first()
    with pytest.raises(SceneError) as caught:
        row_change(row=row, fields={"budget": row.budget + 1}, editor=None)
    assert any("tasks.json row 1, budget" in fault for fault in caught.value.faults)
    assert not SceneEdit.objects.exists()


def test_freezing_an_unimported_scene_imports_it_first_and_freezing_twice_is_once():
    first = scene_freeze("pharmacy_corner")
    second = scene_freeze("pharmacy_corner", first.label)
    assert first.frozen
    assert second.pk == first.pk
    assert second.frozen_at == first.frozen_at


def test_scenes_that_are_only_folders_can_be_used_and_unknown_ones_are_named():
    assert {"supermarket", "home_furnishings", "pharmacy_corner"} <= set(scene_slugs())
    assert len(scene_pack("supermarket").products) == 233
    assert scene_pack("supermarket") is scene_pack("supermarket")
    with pytest.raises(UnknownScene, match="bakery"):
        scene_pack("bakery")
    with pytest.raises(UnknownScene, match="no version 9"):
        scene_pack("supermarket", "9")


def test_a_zip_holds_the_pack_and_a_stranger_in_it_is_refused(imported):
    pack = scene_pack("pharmacy_corner")
    content = pack_zip(pack)
    assert pack_unzip(content) == pack
    assert pack_zip(pack) == content
    assert pack_import(pack=pack_unzip(content)).outcome == "unchanged"
    with pytest.raises(SceneError, match="no zip file"):
        pack_unzip(b"surely not")


STORE = {"products": 233, "instances": 1324, "targets": 29, "waypoints": 42, "profiles": 25, "tasks": 100}
FIXTURES = {"shelf": 12, "chest_freezer": 3, "upright_freezer": 8, "open_cooler": 4, "produce_stand": 2}
HOME = {"products": 222, "instances": 244, "targets": 31, "waypoints": 38, "profiles": 25, "tasks": 100}


@pytest.mark.parametrize(
    ("slug", "wanted"),
    [
        ("supermarket", {**STORE, "fixtures": FIXTURES, "faults": []}),
        ("home_furnishings", {**HOME, "stores": 7, "areas": 24, "faults": []}),
    ],
)
def test_check_scene_counts_what_the_paper_counts(slug, wanted):
    out = StringIO()
    call_command("check_scene", slug, format="json", stdout=out)
    assert json.loads(out.getvalue()) == wanted


def test_check_scene_fails_with_the_faults_of_a_folder(corner):
    change(corner, "products.json", 3, "colour", [1, 2, 3])
    out = StringIO()
    with pytest.raises(CommandError, match="faults"):
        call_command("check_scene", str(corner), format="json", stdout=out)
    assert any("products.json row 4, colour" in fault for fault in json.loads(out.getvalue())["faults"])


def test_the_tasks_command_gives_all_that_the_budget_rule_needs():
    out = StringIO()
    call_command("tasks", scene="supermarket", format="jsonl", stdout=out)
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert len(lines) == 100
    for line in lines:
        assert line["target_product"] in line["reference_items"]
        assert line["target_price"] in line["eligible_prices"]
        assert line["budget"] > line["target_price"]


def test_the_boards_command_answers_as_the_guide_shows():
    guide = (SCENES.parent / "docs" / "add-a-scene.md").read_text()
    out = StringIO()
    call_command("boards", "shelf", length=2, depth=0.9, height=1.8, double=True, stdout=out)
    lines = out.getvalue().splitlines()
    assert len(lines) == 6
    assert lines[0] in guide
