"""What a reader's program gave, beside what a recipe gives in its place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from posenc._phase import ComplexArray, FloatArray
from posenc.checking._tolerances import TABLE, TURN, allowance
from posenc.checking.recipes import Recipe, TableRecipe, members, numbers

Rows = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Turned:
    """Features `x` before and `values` after a turn to `positions`, each with one row per turn."""

    values: FloatArray  # (n, head_dim)
    x: FloatArray
    positions: FloatArray  # (n, coordinates)
    column = "feature"

    def made(self, recipe: Recipe) -> FloatArray:
        """The features that the recipe gives."""
        return recipe.rotate(self.x, self.positions)

    def allowed(self, recipe: Recipe, form: str) -> FloatArray:
        """Largest differences of a program that computes as the recipe does."""
        rotary, pairs = recipe.rotary, len(recipe.rotary.axes)
        one, two = members(rotary.layout, pairs)
        part = self.x[:, recipe.first : recipe.first + 2 * pairs]
        sizes = np.hypot(part[:, one], part[:, two]) * max(rotary.attention, 1.0)
        angles = recipe.angles(self.positions)
        each = allowance(angles, rotary.frequencies(), np.ones_like(angles), form, TURN)
        wide = each[:, numbers(recipe.columns or rotary.layout, pairs)]
        each = np.maximum(wide[:, one], wide[:, two]) * sizes
        still = allowance(0 * self.x, np.ones(self.x.shape[1]), np.abs(self.x), form, TABLE)
        places = numbers(recipe.answer or rotary.layout, pairs)
        still[:, recipe.first : recipe.first + 2 * pairs] = each[:, places]
        return still

    def phasors(self, recipe: Recipe) -> ComplexArray:
        """By what number each pair of the recipe was multiplied, `(n, pairs)`."""
        pairs = len(recipe.rotary.axes)
        part = slice(recipe.first, recipe.first + 2 * pairs)
        one, two = members(recipe.rotary.layout, pairs)
        before, after = self.x[:, part], self.values[:, part]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = after[:, one] + 1j * after[:, two]
            ratio /= before[:, one] + 1j * before[:, two]
        return np.asarray(ratio, np.complex128)

    def at(self, rows: Rows) -> Turned:
        """Only these rows."""
        return Turned(self.values[rows], self.x[rows], self.positions[rows])


@dataclass(frozen=True)
class Cache:
    """Cosines of `positions` beside their sines: each pair once, or twice as a layout needs it."""

    values: FloatArray  # (n, 2 * pairs) or (n, 4 * pairs)
    positions: FloatArray  # (n, coordinates)
    column = "column"

    def made(self, recipe: Recipe) -> FloatArray:
        """The cosines and sines that the recipe gives."""
        both = recipe.cosine_sine(self.positions)
        places = self._places(recipe)
        return np.concatenate([part[:, places] for part in both], axis=1)

    def allowed(self, recipe: Recipe, form: str) -> FloatArray:
        """Largest differences of a program that computes as the recipe does."""
        angles = recipe.angles(self.positions)
        sizes = np.full(angles.shape, max(recipe.rotary.attention, 1.0))
        each = allowance(angles, recipe.rotary.frequencies(), sizes, form, TABLE)
        return np.tile(each[:, self._places(recipe)], 2)

    def phasors(self, recipe: Recipe) -> ComplexArray:
        """Cosine and sine of each pair as a complex number, `(n, pairs)`."""
        cosine, sine = np.split(self.values, 2, axis=1)
        _, first = np.unique(self._places(recipe), return_index=True)
        return np.asarray(cosine[:, first] + 1j * sine[:, first], np.complex128)

    def at(self, rows: Rows) -> Cache:
        """Only these rows."""
        return Cache(self.values[rows], self.positions[rows])

    def _places(self, recipe: Recipe) -> Rows:
        pairs = len(recipe.rotary.axes)
        if self.values.shape[1] != 4 * pairs:
            return np.arange(pairs)
        return numbers(recipe.columns or recipe.rotary.layout, pairs)


@dataclass(frozen=True)
class Vector:
    """The frequencies of all pairs, as one row."""

    values: FloatArray  # (1, pairs)
    column = "pair"

    @property
    def positions(self) -> FloatArray:
        """One row without a position."""
        return np.zeros((1, 1))

    def made(self, recipe: Recipe) -> FloatArray:
        """The frequencies that the recipe gives."""
        return recipe.frequencies()[np.newaxis]

    def allowed(self, recipe: Recipe, form: str) -> FloatArray:
        """Largest differences of a program that computes as the recipe does."""
        made = self.made(recipe)
        return allowance(np.ones_like(made), made[0], np.abs(made), form, TABLE)

    def at(self, rows: Rows) -> Vector:
        """The one row."""
        return Vector(self.values[rows])


@dataclass(frozen=True)
class Tabled:
    """Rows of a sinusoidal table; row 0 has the convention's first position."""

    values: FloatArray  # (n, d_model)
    positions: FloatArray  # (n, 1), the numbers of the rows
    column = "column"

    def made(self, recipe: TableRecipe) -> FloatArray:
        """The rows that the recipe gives."""
        return recipe.rows(self.positions[:, 0], self.values.shape[1])

    def allowed(self, recipe: TableRecipe, form: str) -> FloatArray:
        """Largest differences of a program that computes as the recipe does."""
        convention, width = recipe.convention, self.values.shape[1]
        angles = recipe.angles(self.positions[:, 0], width)
        sizes = np.full(angles.shape, convention._amplitude_at(width))
        each = allowance(angles, convention.frequencies(width), sizes, form, TABLE)
        codes = convention.columns(width)
        return np.where(codes < 0, 0.0, each[:, np.maximum(codes, 0) // 2])

    def at(self, rows: Rows) -> Tabled:
        """Only these rows."""
        return Tabled(self.values[rows], self.positions[rows])


Sample = Turned | Cache | Vector | Tabled
