"""The official `unrealcv` client, unmodified, and what the protocol's public tests ask of a server."""

import io
import math
import re
import struct
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import PIL.Image
import pytest
import unrealcv
from unrealcv.api import UnrealCv_API

from tests.store.wireclient import Address

pytestmark = pytest.mark.store


@pytest.fixture
def client(store: Address) -> Iterator[unrealcv.Client]:
    client = unrealcv.Client(store[:2])
    assert client.connect()
    yield client
    client.disconnect()


def picture(client: unrealcv.Client, mode: str, camera: int = 0) -> np.ndarray:
    data = client.request(f"vget /camera/{camera}/{mode} png")
    decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    assert decoded.shape[2] == 4
    assert (decoded[..., 3] == 255).all()
    return decoded[..., 2::-1]


def depth(client: unrealcv.Client) -> np.ndarray:
    return np.load(io.BytesIO(client.request("vget /camera/0/depth npy")), allow_pickle=False)


def floats(client: unrealcv.Client, command: str) -> list[float]:
    return [float(word) for word in client.request(command).split()]


def colour(client: unrealcv.Client, name: str) -> tuple[int, ...]:
    found = re.fullmatch(r"\(R=(\d+),G=(\d+),B=(\d+),A=(\d+)\)", client.request(f"vget /object/{name}/color"))
    assert found, name
    return tuple(map(int, found.groups()[:3]))


def test_the_first_request_of_the_client_itself_is_answered_at_once(client):
    assert (client.send_message_id, client.recv_message_id) == (1, 1)


def test_status_has_its_eleven_lines(client, store):
    lines = client.request("vget /unrealcv/status").split("\n")
    assert len(lines) == 11
    assert lines[:4] == ["Is Listening", "Client Connected", str(store.port), "Configuration"]
    assert lines[5:9] == [f"Port: {store.port}", "Width: 960", "Height: 540", "FOV: 80.0"]
    assert Path(lines[4].removeprefix("Config file: ")).is_absolute()


def test_version_is_one_the_client_does_not_take_for_the_closed_server(client):
    assert re.fullmatch(r"1\.\d+\.\d+", client.request("vget /unrealcv/version"))


def test_help_and_the_list_of_commands_name_themselves_and_no_shared_memory(client):
    told = client.request("vget /unrealcv/help")
    assert "vget /unrealcv/status\n" in told
    assert "vget /unrealcv/version\n" in told
    listed = client.request("vget /unrealcv/commands").split("\n")
    assert "vget /unrealcv/commands" in listed
    assert not any("_shared" in template for template in listed)


@pytest.mark.parametrize("word", ["test", "contract_check", "héllo_世界", "x" * 65536])
def test_echo_gives_one_word_back(client, word):
    assert client.request(f"vget /unrealcv/echo {word}") == word


@pytest.mark.parametrize("mode", ["lit", "depth", "object_mask", "normal"])
def test_view_modes_can_be_set(client, mode):
    assert client.request(f"vset /viewmode {mode}") == "ok"
    assert client.request("vget /viewmode") == mode


def test_an_unknown_command_is_an_error_in_both_wordings(client):
    with pytest.warns(UserWarning, match="may not support"):
        reply = client.request("vget /no/such/thing")
    assert reply.startswith("error No handler found")
    assert "Can not find a handler" in reply


@pytest.mark.parametrize("mode", ["lit", "object_mask", "normal"])
def test_png_captures_are_rgba_pictures_of_the_cameras_size(client, mode):
    image = PIL.Image.open(io.BytesIO(client.request(f"vget /camera/0/{mode} png")))
    assert (image.mode, image.size) == ("RGBA", (960, 540))


def test_depth_is_float32_centimetres_of_the_cameras_size(client):
    got = depth(client)
    assert (got.shape, got.dtype) == ((540, 960), np.float32)
    assert np.isfinite(got).all()
    assert got.min() > 0


def test_bmp_is_32_bit_top_down_and_both_ways_of_reading_it_agree_with_png(client):
    data = client.request("vget /camera/0/lit bmp")
    assert len(data) == 54 + 960 * 540 * 4
    assert struct.unpack_from("<i", data, 22) == (-540,)
    tail = np.frombuffer(data[-960 * 540 * 4 :], np.uint8).reshape(540, 960, 4)
    decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    assert (tail[..., 2::-1] == picture(client, "lit")).all()
    assert (decoded[..., :3] == tail[..., :3]).all()


@pytest.mark.parametrize(
    "name", ["lit/test.png", "object_mask/test.png", "normal/test.bmp", "depth/test.npy"]
)
def test_captures_are_saved_beside_the_config_file(client, name):
    mode, file = name.split("/")
    reply = client.request(f"vget /camera/0/{mode} {file}")
    config = next(
        line
        for line in client.request("vget /unrealcv/status").split("\n")
        if line.startswith("Config file:")
    )
    path = Path(config.removeprefix("Config file: ")).parent / reply
    assert path.is_file()
    if file.endswith("npy"):
        assert np.load(path).shape == (540, 960)
    else:
        assert PIL.Image.open(path).size == (960, 540)


def test_every_listed_object_has_a_colour_of_its_own(client):
    names = client.request("vget /objects").split(" ")
    assert all(names)
    assert len({name.casefold() for name in names}) == len(names)
    colours = [colour(client, name) for name in names]
    assert len(set(colours)) == len(colours)


def test_the_mask_shows_listed_colours_only_and_agrees_with_depth(client):
    listed = {colour(client, name) for name in client.request("vget /objects").split()}
    mask = picture(client, "object_mask")
    seen = {tuple(map(int, row)) for row in np.unique(mask.reshape(-1, 3), axis=0)}
    assert seen - {(0, 0, 0)} <= listed
    assert len(seen) > 5
    assert (depth(client)[mask.any(axis=-1)] < 65504).all()


def test_camera_pose_fov_and_size_come_back_as_set(client):
    assert client.request("vset /camera/0/location 512.345 -6.789 163.25") == "ok"
    assert client.request("vset /camera/0/rotation -7.5 33.25 0") == "ok"
    assert floats(client, "vget /camera/0/location") == [512.345, -6.789, 163.25]
    assert floats(client, "vget /camera/0/rotation") == [-7.5, 33.25, 0.0]
    assert client.request("vset /camera/0/fov 61.5") == "ok"
    assert client.request("vget /camera/0/fov") == "61.500000"
    assert client.request("vset /camera/0/size 320 200") == "ok"
    assert client.request("vget /camera/0/size") == "320 200"
    assert depth(client).shape == (200, 320)


def test_moving_ahead_shortens_the_depth_at_the_centre_by_as_much(client):
    client.request("vset /camera/0/rotation 0 -90 0")
    x, y, z = floats(client, "vget /camera/0/location")
    before = depth(client)[270, 480]
    client.request(f"vset /camera/0/location {x} {y - 50} {z}")
    assert before - depth(client)[270, 480] == pytest.approx(50, abs=0.1)


@pytest.mark.parametrize("name", ["item_001", "item_003", "item_005"])
def test_bounds_and_pose_predict_where_mask_and_depth_show_a_product(client, name):
    client.request("vset /camera/0/location 470 450 80")
    client.request("vset /camera/0/rotation 0 180 0")
    low, high = np.array(floats(client, f"vget /object/{name}/bounds")).reshape(2, 3)
    middle = (low + high) / 2
    ahead, right, up = 470 - middle[0], 450 - middle[1], middle[2] - 80
    focal = 480 / math.tan(math.radians(40))
    column, row = round(480 + focal * right / ahead), round(270 - focal * up / ahead)
    assert tuple(picture(client, "object_mask")[row, column]) == colour(client, name)
    assert 470 - high[0] - 0.1 <= depth(client)[row, column] <= 470 - low[0] + 0.1


def test_two_hundred_requests_sent_together_are_answered_in_order(client):
    words = [f"b{n}" for n in range(200)]
    assert client.request([f"vget /unrealcv/echo {word}" for word in words]) == words


def test_replies_the_client_throws_away_keep_it_in_step(client):
    for n in range(50):
        client.request(f"vset /camera/0/rotation 0 {n}.25 0", -1)
    assert client.request("vget /unrealcv/echo after") == "after"
    assert floats(client, "vget /camera/0/rotation")[1] == 49.25


def test_a_reply_of_eight_megabytes_arrives_whole(client):
    client.request("vset /camera/0/size 1920 1080")
    assert len(client.request("vget /camera/0/lit bmp")) == 54 + 1920 * 1080 * 4
    assert client.request("vget /unrealcv/echo after") == "after"


def test_the_same_client_object_can_leave_and_come_back(client):
    client.disconnect()
    assert client.connect()
    assert client.request("vget /unrealcv/echo back") == "back"


def test_the_high_level_api_works_from_end_to_end(store):
    api = UnrealCv_API(store.port, store.host, (960, 540))
    try:
        for mode in ("lit", "object_mask", "normal"):
            for form in ("png", "bmp"):
                assert api.get_image(0, mode, form).shape == (540, 960, 3)
        assert api.get_depth(0).shape == (540, 960, 1)
        assert len(api.get_cam_pose(0)) == 6
        assert len(api.cam) == 2
        api.set_cam_location(0, [300, 250, 150])
        assert api.get_cam_location(0) == [300, 250, 150]
        assert api.set_new_obj("Cube_C", "Crate") == "Crate"
        assert colour(api.client, "Crate") == tuple(api.obj_dict["Crate"])
        api.set_obj_location("Crate", [400, 250, 50])
        assert api.get_obj_pose("Crate")[:3] == [400, 250, 50]
    finally:
        api.client.disconnect()
