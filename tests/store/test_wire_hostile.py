"""Clients that speak nonsense, vanish, or want what cannot be had, and starts that cannot be."""

import socket
import struct
import time
from pathlib import Path

import pytest

from storefront.__main__ import main
from tests.store.wireclient import MAGIC, PACK, Raw, served_at_once

pytestmark = pytest.mark.store


def is_closed(raw: Raw) -> bool:
    """Whether the server closes the connection without another word."""
    try:
        return raw.sock.recv(1) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize(
    "garbage",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"\xff" * 64,
        struct.pack("<II", MAGIC, 0),
        struct.pack("<II", MAGIC, 0xFFFFFFFF),
        struct.pack("<II", MAGIC, (1 << 28) + 1),
        struct.pack(">II", MAGIC, 4) + b"0:vg",
    ],
)
def test_whoever_sends_no_proper_frame_is_closed_on_without_an_answer(store, garbage):
    with Raw(store) as neighbour, Raw(store) as offender:
        offender.sock.sendall(garbage)
        assert is_closed(offender)
        assert neighbour.ask("vget /unrealcv/echo still_here") == b"still_here"


def test_half_a_frame_and_gone(store):
    offender = Raw(store)
    offender.sock.sendall(struct.pack("<II", MAGIC, 1000) + b"0:vget /unre")
    offender.sock.close()
    served_at_once(store)


def test_a_payload_without_an_id_is_dropped_and_the_connection_kept(store):
    with Raw(store) as raw:
        raw.sock.sendall(Raw.frame(b"no id in here"))
        assert raw.ask("vget /unrealcv/echo after") == b"after"


def test_a_request_in_three_byte_pieces_is_put_together(store):
    with Raw(store) as raw:
        frame = Raw.frame(b"0:vget /unrealcv/echo pieces")
        for start in range(0, len(frame), 3):
            raw.sock.sendall(frame[start : start + 3])
            time.sleep(0.001)
        assert raw.reply() == (0, b"pieces")


@pytest.mark.parametrize(
    "command",
    [
        "frobnicate",
        "",
        " ",
        "vget",
        "vget /camera/9999/location",
        "vget /camera/99999999999999999999999999/location",
        "vget /object/No_Such/location",
        "vset /object/No_Such/color 1 2 3",
        "vset /camera/0/location 1 2",
        "vset /camera/0/location a b c",
        "vset /camera/0/location nan 0 0",
        "vset /camera/0/location " + "9" * 400 + " 0 0",
        "vset /camera/0/location 1e300 0 0",
        "vset /camera/0/fov 0",
        "vset /camera/0/fov 180",
        "vset /camera/0/size 0 10",
        "vset /camera/0/size 100000 100000",
        "vset /object/item_001/color 256 0 0",
        "vset /object/item_001/scale 0 0 0",
        "vget /camera/0/lit gif",
        "vget /camera/0/lit npy",
        "vget /camera/0/depth png",
        "vget /camera/0/lit",
        "vset /viewmode no_such_mode",
        "vbp No_Such_Actor DoIt 1",
        "vbp GEN_BP_Humanoid_0 NoSuchFunction 1",
        "vbp GEN_BP_Humanoid_0 StepForward",
        "vbp GEN_BP_Humanoid_0 StepForward nan 0",
        "vbp GEN_BP_Humanoid_0 MoveBy inf 0",
        "vbp GEN_BP_Humanoid_0 SetMaxSpeed -5",
        "vrun slomo fast",
        "vrun NoAlias",
        "vset /objects/spawn NoSuchClass",
        "vset /action/eyes_distance 20",
        "vbatch many",
        "vbatch 999999",
        "vset /object/item_001/name fixture_shelf-1",
        "vset /object/fixture_shelf-1/location 0 0 0",
    ],
)
def test_a_command_that_cannot_be_carried_out_is_an_error_and_the_connection_lives(store, command):
    with Raw(store) as raw:
        assert raw.text(command).startswith("error ")
        assert raw.ask("vget /unrealcv/echo alive") == b"alive"


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("vget /camera/7/fov", "error Invalid sensor id"),
        ("vget /object/nobody/color", "error Cannot find object"),
        ("vbp nobody Wave", "error Can not find actor with id 'nobody'"),
        ("vbp GEN_BP_Humanoid_0 Fly", "error Argument Invalid"),
        ("vexec GEN_BP_Humanoid_0 Fly", "error Fail to execute the function 'Fly' of GEN_BP_Humanoid_0"),
        ("vget /camera/0/lit jpg", "error Invalid filename type, filename jpg"),
        ("vset /viewmode sepia", "error Can not set ViewMode to sepia"),
        ("vset /camera/1/moveto 0 0 0", "error MoveTo only supports the player camera with id 0"),
        ("vrun Explode", "error Unrecognised alias 'Explode'"),
        ("vset /action/eyes_distance 60", "error Not Implemented"),
        ("vset /objects/spawn Dragon", "error Can not find a class with name 'Dragon'"),
        ("vset /objects/spawn Cube item_001", "error Failed to spawn item_001, object exists."),
        (
            "vset /object/item_001/name item_002",
            "error Renaming an object to overwrite an existing object is not allowed: item_002",
        ),
    ],
)
def test_errors_have_the_plugins_wording(store, command, told):
    with Raw(store) as raw:
        assert raw.text(command) == told


@pytest.mark.parametrize(
    "name",
    ["../test.png", "/etc/test.png", "a/b.png", "..png", ".png", "unrealcv.ini.png/../x.png", "a\x00.png"],
)
def test_captures_are_saved_nowhere_but_in_their_folder(store, name):
    with Raw(store) as raw:
        assert raw.text(f"vget /camera/0/lit {name}").startswith("error Can not save to ")


def test_a_link_planted_in_the_capture_folder_is_not_followed(store, tmp_path):
    with Raw(store) as raw:
        saved = Path(raw.text("vget /camera/0/lit first.png"))
        victim = tmp_path / "victim.png"
        (saved.parent / "link.png").symlink_to(victim)
        assert raw.text("vget /camera/0/lit link.png").startswith("error")
        assert not victim.exists()


def test_a_client_killed_in_the_middle_of_a_reply_is_forgotten(store):
    for _ in range(3):
        raw = Raw(store)
        raw.send(*["vget /camera/0/lit bmp"] * 4)
        raw.sock.recv(64)
        raw.reset()
    served_at_once(store)


def test_requests_sent_before_closing_the_sending_side_are_still_answered(store):
    with Raw(store) as raw:
        raw.send("vget /unrealcv/echo one", "vget /camera/0/lit bmp", "vget /unrealcv/echo two")
        raw.sock.shutdown(socket.SHUT_WR)
        assert raw.reply() == (0, b"one")
        assert raw.reply()[1][:2] == b"BM"
        assert raw.reply() == (2, b"two")
        assert is_closed(raw)


def test_a_port_in_use_is_said_plainly(capsys, light_cache):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["--scene", str(PACK), "--port", str(port), "--cache", str(light_cache)]) == 2
    assert f"port {port} on 127.0.0.1 is in use" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--scene", "no_such_scene"], "no scene 'no_such_scene'"),
        (["--scene", str(PACK), "--port", "70000"], "70000 is not a port"),
        (["--scene", str(PACK), "--threads", "0"], "--threads 0"),
        (["--scene", str(PACK), "--host", "203.0.113.7", "--port", "0"], "can not listen on 203.0.113.7"),
    ],
)
def test_a_start_that_cannot_be_is_said_plainly(capsys, arguments, told):
    assert main(arguments) == 2
    assert told in capsys.readouterr().err


def test_a_faulty_pack_is_refused_with_its_faults(capsys, tmp_path):
    (tmp_path / "scene.json").write_text("{}")
    assert main(["--scene", str(tmp_path), "--port", "0"]) == 2
    told = capsys.readouterr().err
    assert "layout.json: the file is missing" in told
    assert "scene.json, id" in told
