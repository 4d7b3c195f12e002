"""The page of public failure reports names tests that are there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "failure-reports.md"
DEFINED = re.compile(r"^(?:async )?def (test_\w+)\(", re.MULTILINE)
NAMED = re.compile(r"`(test_\w+)`")


def test_every_test_the_page_names_is_there():
    files = (ROOT / "tests").rglob("test_*.py")
    defined = {name for path in files for name in DEFINED.findall(path.read_text())}
    named = set(NAMED.findall(PAGE.read_text()))
    assert len(named) > 25
    assert named - defined == set()


def test_every_report_names_a_test():
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")][1:]
    assert rows
    assert [row for row in rows if not NAMED.search(row)] == []
