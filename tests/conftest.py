"""What holds for the whole suite."""

from pathlib import Path

import pytest

BROWSER = Path(__file__).parent / "browser"
LONGEST = ("test_take_part.py", "test_accessibility.py")
"""These begin first among the browser's, so that of two workers neither waits long for the other."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: the browser's driver keeps an event loop in this thread until the end."""

    def place(item: pytest.Item) -> tuple[bool, bool]:
        in_browser = BROWSER in item.path.parents
        return in_browser, in_browser and item.path.name not in LONGEST

    items.sort(key=place)
