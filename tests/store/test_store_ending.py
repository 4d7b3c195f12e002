"""A store that is being ended, seen by those who ask for one at the same time."""

import threading
from pathlib import Path

import pytest

from simulator_bridge.store import Stores

pytestmark = pytest.mark.store
FOLDER = Path(__file__).parent / "pack"


def test_a_store_that_is_ending_is_given_to_nobody(monkeypatch):
    stores = Stores()
    try:
        old = stores.ready_now(FOLDER)
        ending, kill = threading.Event(), old.process.kill

        def slowly():
            ending.set()
            # As the kernel takes a while to end a large process: it looks alive for so long.
            threading.Event().wait(0.3)
            kill()

        monkeypatch.setattr(old.process, "kill", slowly)
        ends = threading.Thread(target=stores.give_up, args=(FOLDER, old.address))
        ends.start()
        assert ending.wait(5)
        assert stores.ready_now(FOLDER) is not old
        ends.join()
    finally:
        stores.stop()
