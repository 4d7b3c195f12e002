"""A raw client that walks about in the store, takes things and reads its pictures."""

import json
import re
import time

import numpy as np

from tests.store.wireclient import Address, Raw


class Walker(Raw):
    """A raw client that knows its agent."""

    def __init__(self, store: Address) -> None:
        super().__init__(store)
        self.agent = store.agent

    def call(self, function: str) -> dict[str, str]:
        reply = self.text(f"vbp {self.agent} {function}")
        assert not reply.startswith("error"), reply
        return json.loads(reply)

    def floats(self, command: str) -> list[float]:
        return [float(word) for word in self.text(command).split()]

    def pose(self) -> tuple[float, float, float, float]:
        told = self.call("IsMoving")
        return float(told["X"]), float(told["Y"]), float(told["Yaw"]), float(told["Pitch"])

    def still(self, within: float = 10.0) -> None:
        ending = time.monotonic() + within
        while self.call("IsMoving")["Moving"] == "true":
            assert time.monotonic() < ending
            time.sleep(0.02)

    def stand(self, x: float, y: float, yaw: float, eye: float = 160.0) -> None:
        assert self.text(f"vset /camera/0/pose {x} {y} {eye} 0 {yaw} 0") == "ok"

    def mask(self) -> np.ndarray:
        data = self.ask("vget /camera/0/object_mask bmp")
        return np.frombuffer(data[54:], np.uint8).reshape(540, 960, 4)[..., 2::-1]

    def colour(self, name: str) -> tuple[int, ...]:
        return tuple(map(int, re.findall(r"[RGB]=(\d+)", self.text(f"vget /object/{name}/color"))))

    def pixels(self, name: str) -> int:
        return int((self.mask() == np.array(self.colour(name), np.uint8)).all(-1).sum())
