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
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest
from django.core.management import CommandError, call_command

from sessions.models import Study
from storefront.render_places import cache_root
from tests.ports import free_port, open_line

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
def running(
    environment: dict[str, str], *arguments: str, errors: IO[str] | int = subprocess.DEVNULL
) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A command that serves, and what it printed until the line on stopping it."""
    with subprocess.Popen(
        manage(*arguments),
        cwd=ROOT,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=errors,
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


class Shopper:
    """Somebody who takes part by plain requests, without a cookie."""

    def __init__(self, base: str) -> None:
        self.base = base

    def ask(self, address: str, sent: bytes | None = None, **headers: str) -> tuple[str, str]:
        """Where that led in the end, and what was answered."""
        asked = urllib.request.Request(address, sent, headers)
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return answer.url, answer.read().decode()

    def post(self, address: str, **fields: str) -> tuple[str, str]:
        return self.ask(address, urllib.parse.urlencode(fields).encode())

    def enter(self) -> None:
        """From the study's link into the first store."""
        consent, page = self.post(f"{self.base}/s/demo/")
        self.way = consent.removesuffix("consent/").removeprefix(self.base)
        shown = re.search(r'name="shown" value="(\w+)"', page)
        assert shown
        self.post(consent, shown=shown[1], agree="yes", choice="agree")
        for step in ("profile", "how", "goal/1"):
            at, _ = self.post(f"{self.base}{self.way}{step}/")
        assert at == f"{self.base}{self.way}store/1/"

    @property
    def token(self) -> str:
        return self.way.split("/")[2]

    def state(self) -> dict[str, Any]:
        return dict(json.loads(self.ask(f"{self.base}{self.way}state/")[1]))

    def at_turn(self, turn: int) -> bool:
        state = self.state()
        return (state["turn"], state["phase"]) == (turn, "user")

    def act(self, frame: int) -> dict[str, Any]:
        """Walk on; the same sending however often."""
        act = {"type": "act", "client_id": "only-once", "frame": frame, "reply": "I walk on."}
        act |= {"tool": "move_forward", "args": {"distance": "long"}}
        kind = {"Content-Type": "application/json"}
        return dict(json.loads(self.ask(f"{self.base}{self.way}act/", json.dumps(act).encode(), **kind)[1]))


def test_the_demo_answers_and_a_visit_under_way_at_ctrl_c_goes_on_after_the_next_start(home, tmp_path):
    port, told = free_port(), tmp_path / "errors.txt"
    one = Shopper(f"http://127.0.0.1:{port}")
    with (
        told.open("w") as errors,
        running(home, "demo", "--port", str(port), errors=errors) as (process, said),
    ):
        links = re.findall(r"http://\S+", said)
        assert [link.removeprefix(one.base) for link in links] == [
            "/s/demo/",
            "/research/studies/demo/results/",
            "/admin/",
        ]
        assert [status(link) for link in links] == [200, 200, 200]
        password = (Path(home["SITUREC_VAR"]) / "admin_password").read_text()
        assert f"user admin, password {password}" in said
        one.enter()
        with open_line(port, one.token):
            assert until(lambda: one.at_turn(0))
            one.act(0)
            assert one.state()["phase"] == "acting"
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: to all that was started, too
            assert process.wait(WITHIN_S) == 0
        assert until(lambda: not family(process.pid)), "something was left running"
    assert "Traceback" not in told.read_text(), told.read_text()
    with running(home, "serve", "--port", str(port)) as (process, said):
        assert one.base in said
        assert one.ask(f"{one.base}{one.way}")[0] == f"{one.base}{one.way}store/1/", "the same step"
        assert until(lambda: one.at_turn(1))
        one.act(0)
        assert [line["text"] for line in one.state()["lines"] if line["speaker"] == "user"] == ["I walk on."]
        assert one.at_turn(1), "it was taken once"
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(WITHIN_S) == 0
        assert until(lambda: not family(process.pid)), "something was left running"


def test_serve_leaves_nothing_running_when_it_is_killed(home):
    port = free_port()
    with running(home, "serve", "--port", str(port)) as (process, _):
        assert status(f"http://127.0.0.1:{port}/") == 200
        assert until(lambda: len(family(process.pid)) > 1), "the store never started"
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait(WITHIN_S) == -signal.SIGKILL
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
