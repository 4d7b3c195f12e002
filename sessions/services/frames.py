"""Pictures, stored once by the hash of their bytes."""

import hashlib
import os
import tempfile
from collections.abc import Sequence

from sessions.models import Frame


def frame_digest(picture: bytes) -> str:
    """SHA-256 of a picture's bytes: its name."""
    return hashlib.sha256(picture).hexdigest()


def frame_store(*, picture: bytes) -> str:
    """Keep a picture and return its digest. Again, or from two processes at once, changes nothing."""
    return frames_store(pictures=[picture])[0]


def frames_store(*, pictures: Sequence[bytes]) -> list[str]:
    """Keep pictures and return their digests, in order."""
    digests = [frame_digest(picture) for picture in pictures]
    fresh: list[Frame] = []
    for digest, picture in zip(digests, pictures, strict=True):
        frame = Frame(digest=digest, size=len(picture))
        path = frame.path
        if path.exists():
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
        with os.fdopen(handle, "wb") as stream:
            stream.write(picture)
        os.replace(name, path)
        fresh.append(frame)
    if fresh:
        Frame.objects.bulk_create(fresh, ignore_conflicts=True)
    return digests
