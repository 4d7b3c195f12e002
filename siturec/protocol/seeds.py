"""Seeds made of names: the same parts give the same seed on every machine and in every run."""

import hashlib


def derive_seed(*parts: str | int) -> int:
    """A seed in [0, 2**53) from the parts' text; different parts give unrelated seeds."""
    joined = "\x1f".join(str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(joined.encode()).digest()[:8]) >> 11
