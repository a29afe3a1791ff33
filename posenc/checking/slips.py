"""Slips: how a right rotation or table becomes a wrong one, each with a name and a sentence.

A slip gives every wrong recipe that it makes of a right one, with words about it, and none where
it changes nothing: an encoding without a scaling cannot lose it.

>>> from posenc import Rotary
>>> right = Recipe.of(Rotary(4, base=500_000))
>>> wrongs = BY_KIND["base"].of(right)
>>> print(wrongs[0].words)
the base is 10,000 instead of 500,000
>>> wrongs[0].recipe.rotate([[0.0, 1, 0, 0]], [1]).round(4)
array([[0.  , 1.  , 0.  , 0.01]])
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from posenc.checking import (
    _frequency_slips,
    _scaling_slips,
    _step_slips,
    _table_slips,
    _turn_slips,
)
from posenc.checking.recipes import Recipe, TableRecipe


@dataclass(frozen=True)
class Wrong:
    """What a slip of this `kind` makes of a right recipe; `words` say how the two differ."""

    kind: str
    words: str
    recipe: Any


@dataclass(frozen=True)
class Slip:
    """A slip: its `kind`, a sentence, and the function that makes wrong recipes of a right one.

    `rounds` says that the slip only rounds numbers: another program may round a few of them to
    the other neighbour.
    """

    kind: str
    sentence: str
    changes: Callable[[Any], Iterator[tuple[str, Any]]]
    rounds: bool = False

    def of(self, right: Recipe | TableRecipe) -> tuple[Wrong, ...]:
        """Every wrong recipe that this slip makes of the right one."""
        return tuple(Wrong(self.kind, words, recipe) for words, recipe in self.changes(right))


_t, _f, _s, _p, _c = _turn_slips, _frequency_slips, _scaling_slips, _step_slips, _table_slips
_STEPS = (
    Slip("start", "Positions are counted from another number.", _p.start),
    Slip("positions ignored", "Rows are counted, whatever positions they have.", _p.counted),
    Slip("rows end", "A table has fewer rows than positions.", _p.past_the_end),
    Slip("positions rounded", "Half precision skips positions.", _p.rounding("position"), True),
    Slip("frequencies rounded", "Half precision moves waves.", _p.rounding("frequency"), True),
    Slip("angles rounded", "Half precision moves far angles.", _p.rounding("angle"), True),
    Slip("all rounded", "Angles are made in half precision.", _p.roundings, True),
    Slip("table rounded", "Cosines and sines have few digits.", _p.rounding("table"), True),
)
ROTARY_SLIPS = (
    Slip("layout", "Other features are a pair: i and i + d/2, or 2i and 2i + 1.", _t.layout),
    Slip("columns", "The table is repeated for the other layout.", _t.columns),
    Slip("answer", "Turned features come back in the other order.", _t.answer),
    Slip("sign", "Pairs turn backwards.", _t.sign),
    Slip("minus", "A minus sign is missing, or is there twice.", _t.minus),
    Slip("exchanged", "Sine and cosine are exchanged.", _t.exchanged),
    Slip("in place", "A feature is overwritten before the other needs it.", _t.in_place),
    Slip("sines missing", "Features are multiplied by cosines, and no more.", _t.one_of_two),
    Slip("twice", "Queries or keys turn twice.", _t.twice),
    Slip("nothing", "The queries or the keys do not turn.", _t.nothing),
    Slip("part", "The other end of the head turns.", _t.part),
    Slip("whole head", "Features turn, or pair, that should not.", _f.whole_head),
    Slip("attention", "The attention factor is missing, squared or inverted.", _t.attention),
    Slip("attention rule", "The attention factor follows another rule.", _s.attention_rule),
    Slip("base", "The base is that of another model.", _f.base),
    Slip("exponent", "The exponent is i/d, 4i/d or 2i/(d - 2) instead of 2i/d.", _f.exponent),
    Slip("exponent width", "The exponent divides by the whole head.", _f.exponent_width),
    Slip("exponent start", "Exponents are counted from 1.", _f.exponent_start),
    Slip("exponent whole", "A division of integers makes all exponents 0.", _f.exponent_whole),
    Slip("order", "The slowest pair comes first.", _f.order),
    Slip("cycles", "A factor of 2π is missing or too much.", _f.cycles),
    Slip("coordinates", "Pairs turn by the wrong coordinate.", _f.coordinates),
    Slip("scaling ignored", "The scaling for long texts is not read.", _s.ignored),
    Slip("another scaling", "A scaling follows another rule with the same factor.", _s.another),
    Slip("factor", "The scaling has another factor, or multiplies by it.", _s.factor),
    Slip("trained", "The length of the training texts is another.", _s.trained),
    Slip("band", "The ramp between fast and slow pairs has other ends.", _s.band),
    Slip("upside down", "Fast pairs are divided, slow ones kept.", _s.upside_down),
    Slip("text", "The length of the text counts wrongly.", _s.text),
    Slip("proportional", "Proportional frequencies are read as a partial head.", _s.proportional),
    *_STEPS,
)
TABLE_SLIPS = (
    Slip("layout", "Sines and cosines alternate, or stand in halves.", _c.layout),
    Slip("exchanged", "Sine and cosine are exchanged.", _c.exchanged),
    Slip("base", "The base is another.", _c.base),
    Slip("exponent", "The exponent is that of another convention.", _c.exponent),
    Slip("sign", "Sines have the other sign.", _c.sign),
    Slip("cycles", "A factor of 2π is missing or too much.", _c.cycles),
    Slip("amplitude", "Values are larger or smaller by a factor.", _c.amplitude),
    *(slip for slip in _STEPS if slip.kind != "positions ignored"),
)
BY_KIND = {slip.kind: slip for slip in ROTARY_SLIPS}
