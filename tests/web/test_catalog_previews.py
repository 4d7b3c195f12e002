"""Pictures for the admin: where the camera stands, and that a taken picture replaces a drawn one."""

import math
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from catalog.editing import row_change
from catalog.models import Preview, Product, Target
from catalog.services import previews_store, scene_fork, scene_import
from siturec.scene.load import load_pack
from siturec_web.previews import shots

SCENES = Path(__file__).resolve().parents[2] / "scenes"


@pytest.mark.parametrize("slug", ["supermarket", "home_furnishings", "pharmacy_corner"])
def test_every_product_and_every_target_has_a_shot_that_looks_at_it(slug):
    pack = load_pack(SCENES / slug)
    taken = list(shots(pack))
    assert [s.code for s in taken if s.kind == "product"] == [product.id for product in pack.products]
    assert [s.code for s in taken if s.kind == "target"] == [target.id for target in pack.targets]
    instances = {}
    for instance in pack.instances:
        instances.setdefault(instance.product, []).append(instance)
    for shot in taken:
        x, y, z = shot.eye
        assert 0 < x < pack.layout.width_m
        assert 0 < y < pack.layout.depth_m
        assert 0 < z < pack.layout.height_m + 0.5
        if shot.kind == "product":
            bearings = [
                math.degrees(math.atan2(one.y_m - y, one.x_m - x)) - shot.yaw_deg
                for one in instances[shot.code]
            ]
            assert min(abs((bearing + 180) % 360 - 180) for bearing in bearings) < 1.0


@pytest.mark.django_db
def test_a_taken_picture_takes_the_place_of_the_drawn_one(client):
    version = scene_import(folder=SCENES / "pharmacy_corner").version
    client.force_login(User.objects.create_superuser("boss", "boss@example.org", "secret"))
    product, target = Product.objects.first(), Target.objects.first()
    drawn = client.get(reverse("admin:catalog_product_picture", args=[product.pk]))
    assert drawn["Content-Type"] == "image/png"
    assert client.get(reverse("admin:catalog_target_view", args=[target.pk])).status_code == 404
    kept = [("product", product.code, b"jpeg one"), ("target", target.code, b"jpeg two")]
    assert previews_store(version=version, pictures=kept) == 2
    assert previews_store(version=version, pictures=kept) == 2
    assert Preview.objects.count() == 2
    shown = client.get(reverse("admin:catalog_product_picture", args=[product.pk]))
    assert (shown["Content-Type"], shown.content) == ("image/jpeg", b"jpeg one")
    view = client.get(reverse("admin:catalog_target_view", args=[target.pk]))
    assert view.content == b"jpeg two"
    page = client.get(reverse("admin:catalog_target_change", args=[target.pk])).content.decode()
    assert reverse("admin:catalog_target_view", args=[target.pk]) in page


@pytest.mark.django_db
def test_pictures_go_along_to_a_new_version_and_go_when_they_show_something_else():
    version = scene_import(folder=SCENES / "pharmacy_corner").version
    first, second = Product.objects.order_by("position")[:2]
    previews_store(version=version, pictures=[("product", p.code, b"jpeg") for p in (first, second)])
    made = scene_fork(version=version)
    assert {one.code for one in made.previews.all()} == {first.code, second.code}
    moved = Product.objects.get(version=made, code=first.code)
    row_change(row=moved, fields={"look": {**moved.look, "primary": "#112233"}}, editor=None)
    assert {one.code for one in made.previews.all()} == {second.code}
    assert version.previews.count() == 2
