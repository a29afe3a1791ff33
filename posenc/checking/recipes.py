"""How functions turn features or fill tables, step by step: a slip changes one of the steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from posenc._formats import FORMATS, rounded
from posenc._phase import FloatArray
from posenc.conventions import Convention
from posenc.rotary._axial import AxialRotary
from posenc.rotary._rotary import Rotary
from posenc.rotary._turn import Layout

Move = Callable[[FloatArray], FloatArray]
STEPS = ("position", "frequency", "angle", "table")


@dataclass(frozen=True)
class Steps:
    """What happens to numbers on the way: `moves` change positions, of shape `(n, coordinates)`.

    `formats` has the format to which each of `STEPS` is rounded, None for float64. `double` turns
    by twice the angle, as a function that is called twice does.
    """

    moves: tuple[Move, ...] = ()
    formats: tuple[str | None, str | None, str | None, str | None] = (None,) * 4
    double: bool = False

    @property
    def plain(self) -> bool:
        """Whether positions, frequencies and angles are those of the specification."""
        return not (any(self.formats[:3]) or self.double)

    def moved(self, points: FloatArray) -> FloatArray:
        """The positions at which angles are computed."""
        for move in self.moves:
            points = move(points)
        return points

    def angles(self, points: FloatArray, frequencies: FloatArray) -> FloatArray:
        """Angles of points and frequencies that fit each other, each step rounded."""
        place, rate, angle = self.formats[:3]
        turns = _to(_to(points, place) * _to(frequencies, rate), angle)
        return 2 * turns if self.double else turns

    def tabled(self, values: FloatArray) -> FloatArray:
        """Cosines or sines as the table holds them."""
        return _to(values, self.formats[3])


@dataclass(frozen=True)
class Recipe:
    """One way to turn features: that of `rotary`, or what a slip makes of it.

    `source` is the encoding that the recipe was made from, in a text of `length` positions, and
    `base` its base, if it is known. Feature `first` is the first one that turns. `columns` is the
    layout in which cosines are repeated for the features, and `answer` the one in which turned
    features are returned; None stands for that of `rotary`. A pair (x1, x2) becomes
    (a x1 cos + b x2 sin, c x1 sin + d x2 cos) with the four numbers of `mixing`; `exchanged`
    takes sines for cosines, and `in_place` uses the new x1 for x2.

    >>> from posenc import Rotary
    >>> right = Recipe.of(Rotary(4, base=100))
    >>> right.rotate(np.array([[1.0, 0, 0, 1]]), [1]).round(4)
    array([[ 0.5403, -0.0998,  0.8415,  0.995 ]])
    """

    rotary: AxialRotary
    source: Rotary | AxialRotary
    length: float | None = None
    base: float | None = None
    columns: Layout | None = None
    answer: Layout | None = None
    first: int = 0
    mixing: tuple[float, float, float, float] = (1, -1, 1, 1)
    exchanged: bool = False
    in_place: bool = False
    steps: Steps = Steps()

    @classmethod
    def of(
        cls,
        source: Rotary | AxialRotary,
        *,
        length: float | None = None,
        base: float | None = None,
    ) -> Recipe:
        """The right recipe of an encoding."""
        if isinstance(source, Rotary):
            base = source.base
        return cls(in_coordinates(source, length), source, length, base)

    def angles(self, positions: npt.ArrayLike) -> FloatArray:
        """Angles of shape `(n, pairs)`, as exact as float64 products are."""
        places = self._points(positions)[..., list(self.rotary.axes)]
        return self.steps.angles(places, self.rotary.frequencies())

    def frequencies(self) -> FloatArray:
        """Radians per position of each pair, rounded as the recipe says."""
        return _to(self.rotary.frequencies(), self.steps.formats[1])

    def cosine_sine(self, positions: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Cosines and sines of shape `(n, pairs)`, times the attention factor.

        `positions` have shape `(n,)`, or `(n, coordinates)` where there are several.
        """
        if self.steps.plain:
            count = max(self.rotary.axes) + 1
            cosine, sine = self.rotary.cosine_sine(self._points(positions)[..., :count])
        else:
            angles = self.angles(positions)
            cosine, sine = np.cos(angles), np.sin(angles)
        factor = self.rotary.attention
        both = self.steps.tabled(cosine * factor), self.steps.tabled(sine * factor)
        return both[::-1] if self.exchanged else both

    def rotate(self, x: FloatArray, positions: npt.ArrayLike) -> FloatArray:
        """Features `(..., n, head_dim)`, turned to `n` positions."""
        cosine, sine = self.cosine_sine(positions)
        pairs, layout = cosine.shape[-1], self.rotary.layout
        one, two = members(layout, pairs)
        places = numbers(self.columns or layout, pairs)
        cosines, sines = cosine[..., places], sine[..., places]
        out = np.array(x, np.float64)
        turning = out[..., self.first : self.first + 2 * pairs]  # a view
        x1, x2 = turning[..., one].copy(), turning[..., two].copy()
        a, b, c, d = self.mixing
        y1 = a * x1 * cosines[..., one] + b * x2 * sines[..., one]
        x1 = y1 if self.in_place else x1
        y2 = c * x1 * sines[..., two] + d * x2 * cosines[..., two]
        one, two = members(self.answer or layout, pairs)
        turning[..., one], turning[..., two] = y1, y2
        return out

    def _points(self, positions: npt.ArrayLike) -> FloatArray:
        """Positions of shape `(n, coordinates)`, moved."""
        points = np.asarray(positions, np.float64)
        return self.steps.moved(points if points.ndim > 1 else points[..., np.newaxis])


@dataclass(frozen=True)
class TableRecipe:
    """One way to fill a table: that of a `convention`, or what a slip makes of it.

    `source` is the convention that the recipe was made from.

    >>> TableRecipe.of(Convention()).table(2, 2).round(4)
    array([[0.    , 1.    ],
           [0.8415, 0.5403]])
    """

    convention: Convention
    source: Convention
    steps: Steps = Steps()

    @classmethod
    def of(cls, source: Convention) -> TableRecipe:
        """The right recipe of a convention."""
        return cls(source, source)

    def table(self, length: int, d_model: int) -> FloatArray:
        """The table of shape `(length, d_model)`."""
        return self.rows(np.arange(float(length)), d_model)

    def rows(self, numbers: FloatArray, d_model: int) -> FloatArray:
        """Only the rows of these numbers, shape `(n, d_model)`."""
        made = self.convention
        if self.steps.plain:
            values = made.encode(self._places(numbers)[:, 0], d_model)
        else:
            angles = self.angles(numbers, d_model)
            both = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), -1)
            codes = made.columns(d_model)
            values = np.where(codes < 0, 0.0, both[:, codes]) * made._amplitude_at(d_model)
        return self.steps.tabled(values)

    def angles(self, numbers: FloatArray, d_model: int) -> FloatArray:
        """Angles of these rows, shape `(n, pairs)`, as exact as float64 products are."""
        return self.steps.angles(self._places(numbers), self.convention.frequencies(d_model))

    def _places(self, numbers: FloatArray) -> FloatArray:
        return self.steps.moved(self.convention.start + numbers[:, np.newaxis])


def in_coordinates(source: Rotary | AxialRotary, length: float | None = None) -> AxialRotary:
    """`source` as an encoding whose pairs have coordinates, which may be one."""
    if isinstance(source, AxialRotary):
        return source
    exact = source._decimals(length)
    return AxialRotary(
        source.head_dim,
        axes=[0] * len(exact),
        frequencies=exact,
        layout=source.layout,
        attention=source.attention_factor(length),
    )


def members(layout: Layout, pairs: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """The numbers of the first and of the second feature of each pair."""
    order = np.arange(2 * pairs)
    return (order[:pairs], order[pairs:]) if layout == "halves" else (order[::2], order[1::2])


def numbers(layout: Layout, pairs: int) -> npt.NDArray[np.intp]:
    """The pair of each feature."""
    order = np.arange(2 * pairs)
    return order % pairs if layout == "halves" else order // 2


def through(recipe: Recipe, source: Rotary, length: float | None = None) -> Recipe:
    """`recipe` with another encoding in one coordinate as its source; a changed factor stays so."""
    rotary = in_coordinates(source, length)
    own = in_coordinates(recipe.source, length).attention
    attention = rotary.attention * recipe.rotary.attention / own
    rotary = replace(rotary, attention=attention)
    return replace(recipe, rotary=rotary, source=source, base=source.base)


def _to(values: FloatArray, name: str | None) -> FloatArray:
    return values if name is None else rounded(values, FORMATS[name])
