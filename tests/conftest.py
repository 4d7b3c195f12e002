"""What holds for the whole suite."""

from pathlib import Path

import pytest

BROWSER = Path(__file__).parent / "browser"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: the browser's driver keeps an event loop in this thread until the end."""
    items.sort(key=lambda item: BROWSER in item.path.parents)
