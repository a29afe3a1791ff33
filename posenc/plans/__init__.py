"""What a model's file says about positions: `Plan`, also as `posenc.rotary.Plan`."""

from posenc.plans import _single as _single  # `Rotary.from_config` uses it
from posenc.plans._groups import Group, Score
from posenc.plans._notes import Difference, Odd
from posenc.plans._plan import Plan

__all__ = ["Difference", "Group", "Odd", "Plan", "Score"]
