"""A real site for a real browser: Daphne and its embedded store as processes of their own."""

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from django.conf import settings

from tests.ports import free_port

ROOT = Path(__file__).resolve().parents[2]

SCENE = "pharmacy_corner"
"""The smallest scene there is: a store like any other, with shelves a few steps away."""


def await_answer(url: str, process: subprocess.Popen[bytes], log: Path, within_s: float = 60.0) -> None:
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        if process.poll() is not None:
            pytest.fail(f"the site ended at once:\n{log.read_text()[-4000:]}")
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except urllib.error.HTTPError:
            break
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    pytest.fail(f"the site did not come up:\n{log.read_text()[-4000:]}")


class Site:
    """The running site; ``log`` holds everything it printed."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = Path(settings.TEST_DIR) / "site.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [
            sys.executable,
            "-m",
            "daphne",
            "-b",
            "127.0.0.1",
            "-p",
            str(self.port),
            "siturec_web.asgi:application",
        ]
        environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "siturec_web.settings.test",
            # Walks are seen, but not waited for; tests of the bridge hold them to a person's pace.
            "SITUREC_LONGEST_WALK_S": "0.5",
        }
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True
            )
        await_answer(f"{self.url}/p/words.js", self.process, self.log)

    def stop(self, how: int = signal.SIGTERM) -> None:
        if self.process is None or self.process.poll() is not None:
            return
        os.killpg(self.process.pid, how)
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(15)


def bake_store(scene: str) -> None:
    """Start the store once as the site will, so that its light is in the cache and nobody waits for it."""
    from catalog.selectors import scene_pack
    from simulator_bridge.pool import scene_folder

    folder = str(scene_folder(scene_pack(scene)))
    command = [sys.executable, "-m", "storefront", "--scene", folder, "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as store:
        assert store.stdout is not None
        ready = store.stdout.readline()
        store.terminate()
    assert b"listening" in ready
