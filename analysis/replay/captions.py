"""The words under a film's frames, drawn in any script that a font of this machine has."""

import io
import unicodedata
from functools import lru_cache
from typing import Any
from xml.sax.saxutils import escape

import vl_convert
from PIL import Image

from sessions.models import Turn

CAPTION_LINES, LINE_PX, CAPTION_PX, MARGIN_PX, FONT_PX = 4, 26, 124, 14, 18
FONTS = "DejaVu Sans, Noto Sans, sans-serif"
"""What is in none of them is looked for in every font there is."""
UNDRAWN = "[?]"
NOTE = f"   ({UNDRAWN}: no font here has it; see the subtitles)"
LONGEST = 400
FIRST_STRONG, POP = "\u2068", "\u2069"
_IN_NO_FONT = "\U0010ffff"


def caption_lines(turn: Turn) -> list[str]:
    """What was said and done in a turn, in up to four lines; what somebody said keeps its own direction."""
    assistant: dict[str, Any] = turn.assistant or {}
    user: dict[str, Any] = turn.user or {}
    call = user.get("tool_call") or {}
    outcome = user.get("outcome") or {}
    act = (assistant.get("action") or {}).get("type", "")
    lines = [f"Turn {turn.index}   {act}".rstrip()]
    if assistant.get("utterance"):
        lines.append(f"Assistant: {_said(assistant['utterance'])}")
    if user.get("reply"):
        lines.append(f"User: {_said(user['reply'])}")
    if call:
        lines.append(f"> {call.get('tool', '')}: {outcome.get('message', '')}".rstrip(": "))
    return lines[:CAPTION_LINES]


def _said(words: str) -> str:
    return f"{FIRST_STRONG}{' '.join(words.split())}{POP}"


def captioned(picture: bytes, lines: list[str]) -> Image.Image:
    """The frame over a dark band with the lines; RGB, 124 pixels higher than the frame.

    Characters that no font has are told as missing, and where they can be read: empty boxes would look like
    somebody's words.
    """
    with Image.open(io.BytesIO(picture)) as frame:
        canvas = Image.new("RGB", (frame.width, frame.height + CAPTION_PX), (16, 23, 22))
        canvas.paste(frame, (0, 0))
    shown = [drawable(line) for line in lines]
    if shown != lines:
        shown[0] += NOTE
    for place, line in enumerate(shown):
        words = _fitted(line, canvas.width - 2 * MARGIN_PX)
        canvas.paste(words, (MARGIN_PX, canvas.height - CAPTION_PX + 6 + place * LINE_PX), words)
    return canvas


def drawable(line: str) -> str:
    """The line with ``[?]`` in the place of every run of characters that cannot be drawn."""
    kept = ""
    for character in line:
        if _has_font(character):
            kept += character
        elif not kept.endswith(UNDRAWN):
            kept += UNDRAWN
    return kept


@lru_cache(maxsize=8192)
def _has_font(character: str) -> bool:
    kind = unicodedata.category(character)
    if kind in ("Cc", "Cs", "Cn"):  # no character of a text, and none that an SVG may hold
        return False
    if character.isascii() or kind[0] in "MZ" or kind == "Cf":  # marks and spaces are nothing to see alone
        return True
    return _drawn(character).tobytes() != _drawn(_IN_NO_FONT).tobytes()


def _drawn(words: str) -> Image.Image:
    """The words on nothing, cut off at their right. The library shapes them and puts them in order."""
    size = f'width="{FONT_PX * (len(words) + 1)}" height="{LINE_PX}"'
    look = f'x="0" y="19" font-size="{FONT_PX}" font-family="{FONTS}" fill="#f2f7f6" xml:space="preserve"'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {size}><text {look}>{escape(words)}</text></svg>'
    image = Image.open(io.BytesIO(vl_convert.svg_to_png(svg)))
    box = image.getbbox()
    return image.crop((0, 0, box[2] if box else 1, LINE_PX))


def _fitted(line: str, width: int) -> Image.Image:
    """The line no wider than this, shortened where it must be."""
    line = line[:LONGEST]
    words = _drawn(line)
    while words.width > width and len(line) > 1:
        room = min(len(line) - 1, len(line) * width // words.width)
        line = line[: max(room - 1, 0)].rstrip() + "…"
        words = _drawn(line)
    return words
