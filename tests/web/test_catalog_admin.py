"""The catalog's admin, as an admin uses it: find, look, edit, bring in and out."""

import csv
import io
import zipfile
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from catalog.archive import pack_zip
from catalog.models import Instance, Product, Profile, SceneEdit, SceneVersion, Target, Task, Waypoint
from catalog.selectors import scene_pack
from catalog.services import scene_freeze, scene_import

SCENES = Path(__file__).resolve().parents[2] / "scenes"
pytestmark = pytest.mark.django_db


@pytest.fixture
def version():
    return scene_import(folder=SCENES / "pharmacy_corner").version


@pytest.fixture
def boss(client, version):
    client.force_login(User.objects.create_superuser("boss", "boss@example.org", "secret"))
    return client


def form_of(page):
    """The admin form's fields as a browser would send them back."""
    form = page.context["adminform"].form
    sent = {}
    for bound in form:
        value = bound.value()
        sent[bound.html_name] = "" if value is None else value
    return sent


@pytest.mark.parametrize("row", [Product, Target, Waypoint, Instance, Profile, Task])
def test_every_table_can_be_listed_searched_and_opened(boss, row):
    name = row._meta.model_name
    listing = reverse(f"admin:catalog_{name}_changelist")
    first = row.objects.order_by("position").first()
    assert first.code in boss.get(listing).content.decode()
    found = boss.get(listing, {"q": first.code})
    assert found.context["cl"].result_count >= 1
    assert boss.get(listing, {"q": "no such thing anywhere"}).context["cl"].result_count == 0
    assert boss.get(reverse(f"admin:catalog_{name}_change", args=[first.pk])).status_code == 200


def test_lists_show_current_versions_only_unless_asked(boss, version):
    scene_freeze("pharmacy_corner")
    page = boss.get(reverse("admin:catalog_product_changelist"))
    assert page.context["cl"].result_count == 30
    boss.get(reverse("admin:catalog_sceneversion_fork", args=[version.pk]), follow=True)
    assert SceneVersion.objects.count() == 2
    assert boss.get(reverse("admin:catalog_product_changelist")).context["cl"].result_count == 30
    every = boss.get(reverse("admin:catalog_product_changelist"), {"version": "all"})
    assert every.context["cl"].result_count == 60


def test_products_have_a_picture_and_targets_a_plan_with_them_picked_out(boss, version):
    product = Product.objects.first()
    picture = boss.get(reverse("admin:catalog_product_picture", args=[product.pk]))
    assert picture["Content-Type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")
    plain = boss.get(reverse("admin:catalog_sceneversion_plan", args=[version.pk])).content
    lit = boss.get(
        reverse("admin:catalog_sceneversion_plan", args=[version.pk]), {"lit": Target.objects.first().code}
    ).content
    assert plain.startswith(b"<svg")
    assert plain != lit


def test_a_task_shows_the_card_a_participant_reads(boss):
    task = Task.objects.first()
    card = boss.get(reverse("admin:catalog_task_card", args=[task.pk]))
    assert card["X-Frame-Options"] == "SAMEORIGIN"
    assert card.context["goal"]["text"] == task.goal
    assert task.target_product not in card.content.decode()


def test_a_price_that_breaks_the_budgets_is_refused_with_the_faults_in_the_form(boss):
    task = Task.objects.first()
    product = Product.objects.get(code=task.target_product)
    address = reverse("admin:catalog_product_change", args=[product.pk])
    sent = {**form_of(boss.get(address)), "price": "9999"}
    page = boss.post(address, sent)
    assert page.status_code == 200
    assert "tasks.json row" in page.content.decode()
    product.refresh_from_db()
    assert product.price != 9999


def test_a_name_can_be_changed_and_the_change_is_kept_with_its_editor(boss):
    product = Product.objects.first()
    address = reverse("admin:catalog_product_change", args=[product.pk])
    page = boss.post(address, {**form_of(boss.get(address)), "name": "Thornby Plasters, Wide"})
    assert page.status_code == 302, page.context["adminform"].form.errors
    assert scene_pack("pharmacy_corner").products[0].name == "Thornby Plasters, Wide"
    edit = SceneEdit.objects.get()
    assert edit.editor.username == "boss"
    assert edit.field == "name"


def test_changing_a_frozen_pack_leads_to_the_row_of_a_new_version(boss):
    scene_freeze("pharmacy_corner")
    product = Product.objects.first()
    address = reverse("admin:catalog_product_change", args=[product.pk])
    page = boss.post(address, {**form_of(boss.get(address)), "name": "Thornby Plasters, Wide"}, follow=True)
    moved = Product.objects.get(name="Thornby Plasters, Wide")
    assert page.redirect_chain[-1][0].endswith(reverse("admin:catalog_product_change", args=[moved.pk]))
    assert moved.version.label == "2"
    assert "new one" in page.content.decode()
    product.refresh_from_db()
    assert product.name != "Thornby Plasters, Wide"
    old = boss.get(address)
    assert "adminform" in old.context
    assert not old.context["has_change_permission"]


def test_a_whole_pack_is_compared_first_and_stored_on_the_second_step(boss):
    pack = scene_pack("pharmacy_corner")
    renamed = pack.products[0].model_copy(update={"name": "Thornby Plasters, Wide"})
    content = pack_zip(pack.model_copy(update={"products": (renamed, *pack.products[1:])}))
    address = reverse("admin:catalog_scene_import_pack")
    page = boss.post(address, {"file": SimpleUploadedFile("pack.zip", content), "step": "compare"})
    assert "would be replaced" in page.content.decode()
    assert "products: 1 changed" in page.content.decode()
    assert scene_pack("pharmacy_corner").products[0].name != "Thornby Plasters, Wide"
    page = boss.post(address, {"file": SimpleUploadedFile("pack.zip", content), "step": "store"})
    assert page.status_code == 302
    assert scene_pack("pharmacy_corner").products[0].name == "Thornby Plasters, Wide"


def test_a_faulty_zip_lists_its_faults(boss):
    page = boss.post(
        reverse("admin:catalog_scene_import_pack"),
        {"file": SimpleUploadedFile("pack.zip", b"no"), "step": "store"},
    )
    assert "no zip file" in page.content.decode()


def test_a_version_can_be_downloaded_checked_and_frozen(boss, version):
    got = boss.get(reverse("admin:catalog_sceneversion_download", args=[version.pk]))
    names = zipfile.ZipFile(io.BytesIO(got.content)).namelist()
    assert "pharmacy_corner/products.json" in names
    checked = boss.get(reverse("admin:catalog_sceneversion_prove", args=[version.pk]), follow=True)
    assert "No faults." in checked.content.decode()
    boss.get(reverse("admin:catalog_sceneversion_freeze", args=[version.pk]), follow=True)
    version.refresh_from_db()
    assert version.frozen


def table(client, row, kind="0"):
    """A table as its export gives it."""
    address = reverse(f"admin:catalog_{row._meta.model_name}_export")
    names = list(client.get(address).context["form"].fields)
    sent = {name: "on" for name in names if name not in {"format", "resource", "export_items"}}
    got = client.post(address, {**sent, "format": kind, "resource": ""})
    assert got.status_code == 200
    return got.content.decode()


def send(client, row, text, kind="0", name="table.csv"):
    """The first step of an import: what would change."""
    return client.post(
        reverse(f"admin:catalog_{row._meta.model_name}_import"),
        {"format": kind, "resource": "", "import_file": SimpleUploadedFile(name, text.encode())},
    )


def written(rows):
    """Rows as CSV."""
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def confirm(client, row, page):
    """The second step."""
    form = page.context["confirm_form"]
    sent = {name: form.initial.get(name, "") for name in form.fields}
    return client.post(reverse(f"admin:catalog_{row._meta.model_name}_process_import"), sent)


def test_a_table_goes_out_as_csv_is_changed_and_comes_in_after_a_dry_run(boss):
    text = table(boss, Product)
    old = scene_pack("pharmacy_corner").products[0].name
    page = send(boss, Product, text.replace(old, "Thornby Wide Plasters"))
    assert not page.context["result"].has_errors()
    assert scene_pack("pharmacy_corner").products[0].name == old
    confirm(boss, Product, page)
    assert scene_pack("pharmacy_corner").products[0].name == "Thornby Wide Plasters"
    assert SceneEdit.objects.get().after == "Thornby Wide Plasters"


def test_an_unchanged_table_changes_nothing_as_json_either(boss):
    before = scene_pack("pharmacy_corner")
    for row in (Product, Target, Profile, Task, Instance, Waypoint):
        page = send(boss, row, table(boss, row, "1"), "1", "table.json")
        assert not page.context["result"].has_errors(), [e.error for e in page.context["result"].base_errors]
        confirm(boss, row, page)
    assert scene_pack("pharmacy_corner") == before
    assert not SceneEdit.objects.exists()


def test_a_table_that_would_make_the_pack_faulty_is_refused_as_a_whole(boss):
    rows = list(csv.DictReader(io.StringIO(table(boss, Task))))
    before = scene_pack("pharmacy_corner")
    rows[0]["goal"] = "This alone would be fine."
    rows[2]["budget"] = "77"
    page = send(boss, Task, written(rows))
    faults = " ".join(str(error.error) for error in page.context["result"].base_errors)
    assert "tasks.json row 3, budget" in faults
    assert "confirm_form" not in page.context
    assert scene_pack("pharmacy_corner") == before


def test_a_cell_of_the_wrong_kind_is_told_by_row_and_field(boss):
    rows = list(csv.DictReader(io.StringIO(table(boss, Product))))
    rows[4]["storage"] = "the attic"
    page = send(boss, Product, written(rows))
    invalid = page.context["result"].invalid_rows
    assert [row.number for row in invalid] == [5]
    assert "storage" in str(invalid[0].error)


def test_a_table_of_an_unknown_scene_or_of_two_is_refused(boss):
    rows = list(csv.DictReader(io.StringIO(table(boss, Product))))
    two = [{**rows[0], "scene": "bakery"}, rows[1]]
    for sent, told in (([{**rows[0], "scene": "bakery"}], "no imported scene bakery"), (two, "2 scenes")):
        page = send(boss, Product, written(sent))
        assert told in " ".join(str(error.error) for error in page.context["result"].base_errors)


def test_importing_a_table_of_a_frozen_scene_makes_a_new_version_unless_it_is_a_dry_run(boss):
    scene_freeze("pharmacy_corner")
    old = scene_pack("pharmacy_corner").products[0].name
    page = send(boss, Product, table(boss, Product).replace(old, "Thornby Wide Plasters"))
    assert SceneVersion.objects.count() == 1
    confirm(boss, Product, page)
    assert scene_pack("pharmacy_corner", "1").products[0].name == old
    assert scene_pack("pharmacy_corner", "2").products[0].name == "Thornby Wide Plasters"


def test_the_catalog_is_closed_to_those_who_are_not_staff(client, version):
    for address in (
        reverse("admin:catalog_product_changelist"),
        reverse("admin:catalog_product_picture", args=[Product.objects.first().pk]),
        reverse("admin:catalog_sceneversion_plan", args=[version.pk]),
        reverse("admin:catalog_task_card", args=[Task.objects.first().pk]),
    ):
        assert client.get(address).status_code == 302
