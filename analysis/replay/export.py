"""An episode's pictures as a zip of numbered images, or as a film with the words under each frame."""

import io
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np
import orjson
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from analysis.replay.document import replay_document
from sessions.models import Episode, Turn
from sessions.selectors.record import frame_bytes

Role = Literal["user", "assistant"]
SECONDS_A_TURN = 3
FILM_FPS = 5
CAPTION_LINES, LINE_PX, CAPTION_PX = 4, 26, 124


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
            image = captioned(picture, caption_lines(turn))
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


def caption_lines(turn: Turn) -> list[str]:
    """What was said and done in a turn, in up to four lines."""
    assistant: dict[str, Any] = turn.assistant or {}
    user: dict[str, Any] = turn.user or {}
    call = user.get("tool_call") or {}
    outcome = user.get("outcome") or {}
    act = (assistant.get("action") or {}).get("type", "")
    lines = [f"Turn {turn.index}   {act}"]
    if assistant.get("utterance"):
        lines.append(f"Assistant: {assistant['utterance']}")
    if user.get("reply"):
        lines.append(f"User: {user['reply']}")
    if call:
        lines.append(f"> {call.get('tool', '')}: {outcome.get('message', '')}".rstrip(": "))
    return lines[:CAPTION_LINES]


def captioned(picture: bytes, lines: list[str]) -> NDArray[np.uint8]:
    """The frame over a dark band with the lines; BGR, shape (height + 124, width, 3)."""
    with Image.open(io.BytesIO(picture)) as frame:
        canvas = Image.new("RGB", (frame.width, frame.height + CAPTION_PX), (16, 23, 22))
        canvas.paste(frame, (0, 0))
    draw, font = ImageDraw.Draw(canvas), ImageFont.load_default(size=18)
    for place, line in enumerate(lines):
        spot = (14, canvas.height - CAPTION_PX + 10 + place * LINE_PX)
        draw.text(spot, _cut(line, draw, font, canvas.width - 28), font=font, fill=(242, 247, 246))
    return np.ascontiguousarray(np.asarray(canvas)[..., ::-1])


def _cut(line: str, draw: ImageDraw.ImageDraw, font: Any, width: int) -> str:
    line = " ".join(line.split())
    while line and draw.textlength(line, font=font) > width:
        line = line[:-2].rstrip() + "…" if len(line) > 2 else ""
    return line
