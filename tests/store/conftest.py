"""What tests of the store and of the bridge to it share: its processes, its worlds, and who walks in them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator_bridge.store import STORES
from siturec.scene.load import load_pack
from storefront.render import Painter, StoreWorld
from tests.store.tiny import WAYS, Tiny
from tests.store.walker import Walker
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


@pytest.fixture
def walker(store: Address) -> Iterator[Walker]:
    with Walker(store) as walker:
        yield walker


@pytest.fixture
def instant(walker: Walker) -> Walker:
    """A walker whose motion has ended when its reply is sent."""
    assert walker.text("vrun slomo 1000000") == "ok"
    return walker


@pytest.fixture(scope="session")
def world(light_cache: Path) -> StoreWorld:
    """The small pack, to be painted."""
    return StoreWorld.load(load_pack(PACK), light_cache)


@pytest.fixture(scope="session")
def furnished(light_cache: Path) -> StoreWorld:
    """The small pack of a home store, to be painted."""
    return StoreWorld.load(load_pack(PACK.with_name("pack_home")), light_cache)


@pytest.fixture
def painter(world: StoreWorld) -> Painter:
    return Painter(world, 320, 180, 80)


@pytest.fixture(scope="session")
def market() -> Iterator[Tiny]:
    """The small pack as the bridge has it run."""
    yield Tiny("pack")
    STORES.stop()


@pytest.fixture(scope="session")
def home(market: Tiny) -> Tiny:
    """The small pack of a home store as the bridge has it run."""
    return Tiny("pack_home")


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> dict[str, object]:
    """A way to act in a world: the changes to its map."""
    return WAYS[request.param]
