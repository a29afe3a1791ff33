"""One group of a model's layers: how they treat positions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, asdict, dataclass, replace
from typing import Any

from posenc import _arguments
from posenc.plans._data import ENCODINGS
from posenc.rotary import axes as axial
from posenc.rotary._axial import AxialRotary
from posenc.rotary._rotary import Rotary
from posenc.rotary._scalings import Scaling
from posenc.rotary._turn import Layout

_OF_HEADS: dict[str | None, Callable[..., AxialRotary]] = {
    "pixtral": axial.pixtral,
    "dinov3": axial.dinov3,
    "ltx": axial.ltx,
}


@dataclass(frozen=True)
class Score:
    """What the product of a query and a key is multiplied by, before the softmax.

    `factor` is what remains of it beside the usual `1 / sqrt(width)`; `scale` is both together,
    None if the file does not say how wide queries are. `why` names the rule.
    """

    factor: float
    scale: float | None
    why: str


@dataclass(frozen=True)
class Group:
    """Layers of one kind: what turns in them, or what stands in place of turning.

    `layers` holds their numbers from 0, None if the file does not say. `encoding` is `"rotary"`,
    or one of `posenc.plans._data.ENCODINGS`; the fields from `head_dim` on are None without
    turning. `layout` is None if the type of the model is not known. `axes` names the coordinates,
    and `sections` says how many pairs each has, by a `rule` that is a function of
    `posenc.rotary.axes`. `window` and `chunk` are numbers of positions. `query` says in words
    what else multiplies a query, and `note` what else a reader has to know.
    """

    name: str
    encoding: str = "rotary"
    _: KW_ONLY
    layers: tuple[int, ...] | None = None
    head_dim: int | None = None
    rotary_dim: int | None = None
    base: float | None = None
    layout: Layout | None = None
    scaling: Scaling | None = None
    axes: tuple[str, ...] = ()
    sections: tuple[int, ...] = ()
    rule: str | None = None
    window: int | None = None
    chunk: int | None = None
    score: Score | None = None
    query: str | None = None
    note: str | None = None

    @property
    def turns(self) -> bool:
        """Whether queries and keys turn."""
        return self.encoding == "rotary"

    @property
    def rotary(self) -> Rotary | AxialRotary:
        """The encoding of these layers, in one coordinate or several.

        Raises ValueError if nothing turns, or if the layout or the rule is not known.
        """
        if not self.turns:
            raise ValueError(f"layers must turn, got {ENCODINGS[self.encoding]}")
        if self.layout is None:
            rule = "layout must be known: give the model_type, or Rotary the layout"
            raise ValueError(f"{rule}, got a group without one")
        if self.rule == "unknown":
            raise ValueError(f"rule must be one that posenc knows, got: {self.note}")
        rotary = self._of_text()
        if self.rule == "blocks":
            dims = [2 * pairs for pairs in self.sections]
            whole = axial.blocks(dims, base=rotary.base, layout=self.layout)
            return replace(whole, head_dim=rotary.head_dim)
        if self.rule in _OF_HEADS:
            return _OF_HEADS[self.rule](rotary.head_dim, base=rotary.base)
        if self.rule == "alternate":
            return axial.alternate(rotary.head_dim, base=rotary.base, layout=self.layout)
        if not self.axes:
            return rotary
        if self.rule == "ernie":
            return _ernie(rotary, self.sections)
        return axial.sections(rotary, self.sections, interleaved=self.rule == "sections in turn")

    def _of_text(self) -> Rotary:
        """The encoding of words, which have one coordinate, in any layout if none is known."""
        if self.head_dim is None or self.base is None:
            raise ValueError("head_dim and base must be known, got a group without them")
        return Rotary(
            self.head_dim,
            base=self.base,
            rotary_dim=self.rotary_dim,
            layout=self.layout or "halves",
            scaling=self.scaling,
        )

    def attention_factor(self, length: float | None = None) -> float | None:
        """What multiplies cosine and sine in a text of `length` positions; None if none turn."""
        if not self.turns:
            return None
        given = None if length is None else _arguments.positive("length", length)
        return 1.0 if self.scaling is None else self.scaling.attention(given)

    def to_dict(self, length: float | None = None) -> dict[str, Any]:
        """The group as values of JSON, with the attention factor for `length`."""
        fields = {name: value for name, value in vars(self).items() if name != "_"}
        scaling = self.scaling and {"type": type(self.scaling).__name__, **vars(self.scaling)}
        score = self.score and asdict(self.score)
        own = {"scaling": scaling, "score": score}
        return {**fields, **own, "attention_factor": self.attention_factor(length)}


def _ernie(rotary: Rotary, counts: tuple[int, ...]) -> AxialRotary:
    """Ernie 4.5 VL: y and x take turns, each with the frequency of its pair, then time."""
    time, height, width = counts
    if height != width:
        raise ValueError(f"sections of y and x must be equal, got {height} and {width}")
    axes = [1, 2] * height + [0] * time
    return AxialRotary(
        rotary.head_dim, axes=axes, frequencies=rotary._decimals(None), layout=rotary.layout
    )
