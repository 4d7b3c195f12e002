"""What holds for the whole suite: which tests run in one process, and which begin first."""

import gc
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parent
FAMILIES = {
    "service/test_runs_": "service/postgresql",
    "service/test_world_pool_": "service/postgresql",
    "store/test_render_": "store/render",
    "store/test_wire_": "store/wire",
    "store/test_bridge_world": "store/bridge",
    "store/test_bridge_recovery": "store/bridge",
    "store/test_bridge_maps": "store/bridge",
    "store/test_bridge_laws": "store/bridge",
    "web/test_agents_": "web/agents",
    "web/test_analysis_": "web/analysis",
}
"""Files that share what is costly to start (a store, a database, litellm, a drawing engine) go together."""
FIRST = ("service", "web/analysis", "store/bridge", "web/agents", "store/wire", "web/test_serving")
LAST = "browser"
FIRST_OF_THE_LAST = ("browser/test_accessibility", "browser/test_never_lost", "browser/test_take_part")
"""What takes longest begins first, so that of two workers neither waits long for the other."""


def family(path: Path) -> str:
    """The family of a test's file, or the file itself where it is alone."""
    place = path.relative_to(TESTS).with_suffix("").as_posix()
    return next((name for start, name in FAMILIES.items() if place.startswith(start)), place)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: the browser's driver keeps an event loop in this thread until the end."""

    def rank(name: str, order: tuple[str, ...]) -> int:
        return next((at for at, start in enumerate(order) if name.startswith(start)), len(order))

    def place(item: pytest.Item) -> tuple[bool, int]:
        name = family(item.path)
        return name.startswith(LAST), rank(name, FIRST_OF_THE_LAST if name.startswith(LAST) else FIRST)

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """What was imported stays to the end: looking through it for garbage again and again takes a tenth."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With ``--dist loadfile`` families stay together, as files do."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class ByFamily(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return family(config.rootpath / nodeid.partition("::")[0])

    return ByFamily(config, log)
