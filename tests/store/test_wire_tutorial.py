"""The tutorial in the docs does what it says."""

import re
import subprocess
import sys

import PIL.Image
import pytest

from tests.store.wireclient import ROOT

pytestmark = pytest.mark.store


def test_the_ten_lines_of_the_tutorial_run_as_they_stand(store, tmp_path):
    text = (ROOT / "docs" / "drive-the-store.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(code.splitlines()) <= 12
    code = code.replace("9000", str(store.port))
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
    ).stdout.splitlines()
    positions = [line.split() for line in told if re.fullmatch(r"[-\d. ]+", line)]
    assert positions[0] == ["720.000", "660.000", "160.000", "-4.000", "-110.000", "0.000"]
    assert positions[1] != positions[0][:3]
    assert PIL.Image.open(tmp_path / "first-look.png").size == (960, 540)
