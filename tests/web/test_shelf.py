"""What tests find on the shelf is what an import stores."""

import pytest

from catalog.models import SceneVersion
from catalog.selectors import _from_rows, scene_folder, scene_pack
from siturec.scene.load import load_pack
from tests.web.shelf import shelve

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("time", ["first", "again"])
def test_a_scene_from_the_shelf_is_the_shipped_one_and_frozen(time):
    shelve("pharmacy_corner")
    assert SceneVersion.objects.get().frozen
    _from_rows.cache_clear()
    assert scene_pack("pharmacy_corner") == load_pack(scene_folder("pharmacy_corner"))
