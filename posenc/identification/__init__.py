"""Find the convention that made a table of positions."""

from posenc.identification._identify import Match, identify

__all__ = ["Match", "identify"]
