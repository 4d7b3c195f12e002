"""Repeatable choices: every draw is a hash of a key, so that a draw never depends on how many came before."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """Draws keyed by a seed and by what is being decided; equal keys give equal draws on every machine."""

    def __init__(self, *keys: object) -> None:
        self._key = "|".join(str(key) for key in keys)

    def unit(self, *what: object) -> float:
        """A number in [0, 1)."""
        text = f"{self._key}#{'|'.join(str(part) for part in what)}"
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest()) / 2**56

    def happens(self, probability: float, *what: object) -> bool:
        """True with the given probability."""
        return self.unit(*what) < probability

    def pick(self, options: Sequence[T], *what: object) -> T:
        """One of a non-empty sequence, all equally likely."""
        return options[int(self.unit(*what) * len(options))]
