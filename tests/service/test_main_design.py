"""The one command of a design, stopped by real signals in its middle, in processes of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent

pytestmark = [pytest.mark.service, pytest.mark.store, pytest.mark.timeout(300)]


def test_a_design_that_is_interrupted_and_killed_ends_as_one_that_was_not():
    """Nothing twice, nothing lost, nothing played again, every record checked and equal, the same scores."""
    environment = {name: value for name, value in os.environ.items() if name != "SITUREC_TEST_DIR"}
    environment |= {"DJANGO_SETTINGS_MODULE": "siturec_web.settings.dev", "PYTHONPATH": str(ROOT)}
    shape = ["--small", "--no-pictures", "--stops", "int:0.2,kill:0.6"]
    command = [sys.executable, str(ROOT / "benchmarks" / "main_design.py"), *shape]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stdout + done.stderr
    for held in ("SIGINT with", "SIGKILL with", "equal apart from ids and times", "scores: the same"):
        assert held in done.stdout
