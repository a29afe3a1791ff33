"""A picture as a PNG of as few bytes as Pillow can make it."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image


def png(picture: Image.Image, **options: Any) -> bytes:
    """The PNG of `picture`, with its own pixels and colours."""
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", optimize=True, **options)
    return buffer.getvalue()
