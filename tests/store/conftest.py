from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.wireclient import PACK, Address, running_store


@pytest.fixture(scope="session")
def light_cache(request: pytest.FixtureRequest) -> Path:
    """Baked light is kept from one test run to the next."""
    return Path(request.config.cache.mkdir("storefront"))


@pytest.fixture(scope="session")
def lone_store(light_cache: Path) -> Iterator[Address]:
    """The small pack again, in another process with a single painting thread."""
    with running_store(PACK, light_cache, "--threads", "1") as address:
        yield address


@pytest.fixture(scope="session")
def store(light_cache: Path) -> Iterator[Address]:
    """The small pack, served by a process of its own."""
    with running_store(PACK, light_cache) as address:
        yield address
