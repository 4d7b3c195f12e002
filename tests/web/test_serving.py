"""`manage.py serve` and `manage.py demo` as somebody runs them: what they print, answer, and leave behind."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from sessions.models import Study
from storefront.render_places import cache_root
from tests.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
WITHIN_S = 90.0

pytestmark = [pytest.mark.store, pytest.mark.daphne, pytest.mark.timeout(1200)]


def manage(*arguments: str) -> list[str]:
    return [sys.executable, "manage.py", *arguments]


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> dict[str, str]:
    """The environment of a machine of its own, on which the demo was prepared: its store is a small one."""
    folder = tmp_path_factory.mktemp("home")
    scene = folder / "scenes" / "supermarket"
    shutil.copytree(ROOT / "scenes" / "pharmacy_corner", scene)
    info = json.loads((scene / "scene.json").read_text())
    (scene / "scene.json").write_text(json.dumps(info | {"id": "supermarket"}))
    (folder / "var").mkdir()
    # Compiled kernels and baked light are those of the other tests: what they cost is not what is tested.
    (folder / "var" / "storefront").symlink_to(cache_root())
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "siturec_web.settings.dev",
        "SITUREC_VAR": str(folder / "var"),
        "SITUREC_SCENES": str(folder / "scenes"),
        "COLUMNS": "200",
    }
    for name in ("SITUREC_TEST_DIR", "DATABASE_URL", "REDIS_URL", "SITUREC_MODEL", "SITUREC_WORLD"):
        environment.pop(name, None)
    done = subprocess.run(
        manage("demo", "--no-serve"), cwd=ROOT, env=environment, capture_output=True, text=True, timeout=1000
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "manage.py serve" in done.stdout
    return environment


def heed_ctrl_c() -> None:
    """A test run in the background of a shell ignores Ctrl-C, and so would what it starts."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def running(environment: dict[str, str], *arguments: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A command that serves, and what it printed until the line on stopping it."""
    with subprocess.Popen(
        manage(*arguments),
        cwd=ROOT,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=heed_ctrl_c,
    ) as process:
        try:
            assert process.stdout is not None
            said = ""
            for line in process.stdout:
                said += line
                if "Ctrl-C" in line:
                    break
            yield process, said
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def family(session: int) -> set[int]:
    """Every process of a session that lives, by what the kernel says."""
    members = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, its_session = stat.read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(its_session) == session and state != "Z":
            members.add(int(stat.parent.name))
    return members


def until(holds) -> bool:
    end = time.monotonic() + WITHIN_S
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.1)
    return False


def status(address: str) -> int:
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_the_demo_prints_three_links_that_answer_and_ends_on_ctrl_c_with_all_it_started(home):
    port = free_port()
    with running(home, "demo", "--port", str(port)) as (process, said):
        links = re.findall(r"http://\S+", said)
        assert [link.removeprefix(f"http://127.0.0.1:{port}") for link in links] == [
            "/s/demo/",
            "/research/studies/demo/results/",
            "/admin/",
        ]
        assert [status(link) for link in links] == [200, 200, 200]
        password = (Path(home["SITUREC_VAR"]) / "admin_password").read_text()
        assert f"user admin, password {password}" in said
        assert until(lambda: len(family(process.pid)) > 1), "the store never started"
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(WITHIN_S) == 0
        assert until(lambda: not family(process.pid)), "something was left running"


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_serve_says_where_it_is_and_leaves_nothing_running_however_it_is_ended(home, how):
    port = free_port()
    with running(home, "serve", "--port", str(port)) as (process, said):
        assert f"http://127.0.0.1:{port}/" in said
        assert status(f"http://127.0.0.1:{port}/") == 200
        assert until(lambda: len(family(process.pid)) > 1), "the store never started"
        os.kill(process.pid, how)
        assert process.wait(WITHIN_S) == (0 if how == signal.SIGTERM else -how)
        assert until(lambda: not family(process.pid)), "something was left running"


@pytest.mark.django_db
@pytest.mark.parametrize("command", ["serve", "demo"])
def test_a_port_that_is_taken_is_said_before_anything_is_done(command):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        with pytest.raises(CommandError) as refused:
            call_command(command, "--port", port)
    assert str(refused.value) == f"Port {port} on 127.0.0.1 is taken. Choose another, or leave --port out."
    assert not Study.objects.exists()


def test_serve_without_tables_says_what_to_run(home, tmp_path):
    done = subprocess.run(
        manage("serve"),
        cwd=ROOT,
        env=home | {"SITUREC_VAR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1] == (
        "CommandError: The database is not up to date: run `manage.py migrate` first."
    )
    assert "Traceback" not in done.stderr
