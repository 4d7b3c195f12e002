"""Frames as data URLs, sized for a model; messages without them, for logs and models that cannot see."""

import asyncio
import base64
import hashlib
import io
from typing import Any

from PIL import Image

_QUALITY = 82


def _encode(picture: bytes, longest: int) -> bytes:
    with Image.open(io.BytesIO(picture)) as image:
        if max(image.size) <= longest and image.format == "JPEG":
            return picture
        small = image.convert("RGB")
        small.thumbnail((longest, longest), Image.Resampling.LANCZOS)
        out = io.BytesIO()
        small.save(out, "JPEG", quality=_QUALITY)
        return out.getvalue()


async def image_part(picture: bytes, *, longest: int) -> dict[str, Any]:
    """One picture as a message part, at most ``longest`` pixels on its longer side."""
    data = await asyncio.to_thread(_encode, picture, longest)
    url = "data:image/jpeg;base64," + base64.b64encode(data).decode()
    return {"type": "image_url", "image_url": {"url": url}}


def without_images(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same messages for a model that cannot see: picture parts are left out."""
    return [_mapped(message, lambda url: None) for message in messages]


def redacted(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same messages for the log: each picture is replaced by its hash and size."""
    return [_mapped(message, _named) for message in messages]


def image_count(messages: list[dict[str, Any]]) -> int:
    """How many pictures the messages carry."""
    return sum(part.get("type") == "image_url" for message in messages for part in _parts(message))


def _parts(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content")
    return content if isinstance(content, list) else []


def _named(url: str) -> dict[str, Any] | None:
    data = url.partition(",")[2]
    digest = hashlib.sha256(data.encode()).hexdigest()[:16]
    return {"type": "text", "text": f"[picture sha256:{digest}, {len(data) * 3 // 4} bytes]"}


def _mapped(message: dict[str, Any], replace: Any) -> dict[str, Any]:
    if not _parts(message):
        return message
    kept = []
    for part in _parts(message):
        if part.get("type") == "image_url":
            part = replace(part["image_url"]["url"])
        if part is not None:
            kept.append(part)
    if all(part.get("type") == "text" for part in kept):
        return {**message, "content": "\n".join(part["text"] for part in kept)}
    return {**message, "content": kept}
