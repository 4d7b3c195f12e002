"""An episode's pictures as a zip of images, or as a film with its words under the frames and as subtitles."""

import io
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from xml.sax.saxutils import escape

import cv2
import numpy as np
import orjson
from numpy.typing import NDArray
from PIL import Image

from analysis.replay.captions import caption_lines, captioned
from analysis.replay.document import replay_document
from sessions.models import Episode, Turn
from sessions.selectors.record import frame_bytes

Role = Literal["user", "assistant"]
SECONDS_A_TURN = 3
FILM_FPS = 5


class NoPictures(Exception):
    """None of the episode's frames were kept, so there is nothing to show."""


def pictures_of(episode: Episode, role: Role) -> Iterator[tuple[Turn, bytes]]:
    """The turns whose frame for ``role`` was kept, with the JPEG bytes, in order."""
    for turn in episode.turns.order_by("index"):
        digest = turn.user_frame if role == "user" else turn.assistant_frame
        picture = frame_bytes(digest) if digest else None
        if picture is not None:
            yield turn, picture


def images_zip(episode: Episode, role: Role) -> bytes:
    """A zip with one JPEG a turn, byte for byte as shown, and the episode as ``replay.json``.

    Raises: NoPictures.
    """
    buffer = io.BytesIO()
    count = 0
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for turn, picture in pictures_of(episode, role):
            archive.writestr(f"turn-{turn.index:02d}-{role}.jpg", picture)
            count += 1
        document = orjson.dumps(replay_document(episode), option=orjson.OPT_INDENT_2)
        archive.writestr("replay.json", document)
    if not count:
        raise NoPictures(f"No frames of {episode.public_id} were kept.")
    return buffer.getvalue()


def film(episode: Episode, role: Role) -> bytes:
    """A WebM film (VP8), three seconds a turn, with what was said and done under the frame.

    Raises: NoPictures; OSError when OpenCV was built without a WebM encoder.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "replay.webm"
        writer: cv2.VideoWriter | None = None
        for turn, picture in pictures_of(episode, role):
            image = _bgr(captioned(picture, caption_lines(turn)))
            if writer is None:
                size = (image.shape[1], image.shape[0])
                writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"VP80"), FILM_FPS, size)
                if not writer.isOpened():
                    raise OSError("this build of OpenCV cannot write WebM; take the images instead")
            for _ in range(SECONDS_A_TURN * FILM_FPS):
                writer.write(image)
        if writer is None:
            raise NoPictures(f"No frames of {episode.public_id} were kept.")
        writer.release()
        return path.read_bytes()


def _bgr(image: Image.Image) -> NDArray[np.uint8]:
    return np.ascontiguousarray(np.asarray(image)[..., ::-1])


def subtitles(episode: Episode, role: Role) -> bytes:
    """All words of the film whole, as WebVTT: a caption has little room, and not every machine every font.

    Raises: NoPictures.
    """
    parts = ["WEBVTT"]
    for place, (turn, _) in enumerate(pictures_of(episode, role)):
        begin, end = (_clock(SECONDS_A_TURN * at) for at in (place, place + 1))
        parts.append("\n".join([f"{begin} --> {end}", *(escape(line) for line in caption_lines(turn))]))
    if len(parts) == 1:
        raise NoPictures(f"No frames of {episode.public_id} were kept.")
    return "\n\n".join([*parts, ""]).encode()


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.000"
