"""Scalings that change all rotary frequencies by one rule: linear, NTK, proportional.

A scaling makes the frequencies from the base and the rotated width, in decimals of 60
digits, and gives the factor that multiplies cosine and sine. Its options have the names
that a Hugging Face config.json gives them.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

from posenc import _arguments
from posenc.rotary._exact import progression


class Scaling:
    """A rule that changes rotary frequencies for texts longer than the training texts."""

    _limit: ClassVar[str] = ""  # the option with the number that `longest` gives

    def _decimals(self, base: float, width: int, length: float | None, /) -> list[Decimal]:
        """Radians per position of each of the `width // 2` pairs, for a call inside `EXACT`."""
        raise NotImplementedError

    def exact_frequencies(self, base: float, width: int, length: float | None, /) -> list[Decimal]:
        """The old name of what `Rotary.frequencies` rounds; it will go."""
        rule = "exact_frequencies will go: Rotary(...).frequencies() has them in float64"
        warnings.warn(rule, DeprecationWarning, stacklevel=2)
        return self._decimals(base, width, length)

    def attention(self, _length: float | None, /) -> float:
        """The number that multiplies cosine and sine."""
        return 1.0

    def longest(self) -> float:
        """Positions of the longest text whose frequencies do not depend on its length."""
        return float(getattr(self, self._limit, math.inf))

    def _keep_positive(self, *names: str) -> None:
        for name in names:
            object.__setattr__(self, name, _arguments.positive(name, getattr(self, name)))


@dataclass(frozen=True)
class Linear(Scaling):
    """Every frequency divided by `factor`, as if positions were divided (position interpolation).

    Chen et al. 2023, "Extending Context Window of Large Language Models via Positional
    Interpolation", section 2.3. Raises ValueError if `factor` is not finite and positive.

    >>> from posenc import Rotary
    >>> Rotary(4, base=100, scaling=Linear(4)).frequencies()
    array([0.25 , 0.025])
    """

    factor: float

    def __post_init__(self) -> None:
        self._keep_positive("factor")

    def _decimals(self, base: float, width: int, _length: float | None, /) -> list[Decimal]:
        return [frequency / Decimal(self.factor) for frequency in progression(base, width)]


@dataclass(frozen=True)
class NTK(Scaling):
    """Base times `factor ** (d / (d - 2))`, where d is the rotated width (NTK-aware scaling).

    The first pair keeps its frequency and the last one has its divided by `factor`
    (Peng et al. 2023, YaRN, section 3.1). Raises ValueError if `factor` is not finite and
    positive, or if fewer than four features rotate.

    >>> from posenc import Rotary
    >>> Rotary(4, base=100, scaling=NTK(4)).frequencies()
    array([1.   , 0.025])
    """

    factor: float

    def __post_init__(self) -> None:
        self._keep_positive("factor")

    def _decimals(self, base: float, width: int, _length: float | None, /) -> list[Decimal]:
        return _with_larger_base(base, width, Decimal(self.factor))


@dataclass(frozen=True)
class DynamicNTK(Scaling):
    """NTK scaling by `factor * L / M - (factor - 1)`, which grows with the text.

    L is `length`, or M = `max_position_embeddings` if that is more, so that a text no longer than M
    keeps its frequencies (transformers 5.23, rope type `dynamic`). Raises as `NTK`, also for M.

    >>> from posenc import Rotary
    >>> rotary = Rotary(4, base=100, scaling=DynamicNTK(2, max_position_embeddings=2048))
    >>> rotary.frequencies()
    array([1. , 0.1])
    >>> rotary.frequencies(length=4096).round(4)
    array([1.    , 0.0333])
    """

    factor: float
    max_position_embeddings: float
    _limit: ClassVar[str] = "max_position_embeddings"

    def __post_init__(self) -> None:
        self._keep_positive("factor", "max_position_embeddings")

    def _decimals(self, base: float, width: int, length: float | None, /) -> list[Decimal]:
        trained, factor = Decimal(self.max_position_embeddings), Decimal(self.factor)
        longest = trained if length is None else max(trained, Decimal(length))
        return _with_larger_base(base, width, factor * longest / trained - (factor - 1))


@dataclass(frozen=True)
class SteppedNTK(Scaling):
    """NTK scaling whose factor grows in steps with the text: 1, 3, 7, 15, ...

    The factor is `2 ** n - 1` with the smallest n from 1 for which `2 ** n` is at least
    `2 L / M`, where L is `length` and M `max_position_embeddings` (the code that was published
    with Qwen 1, if its config.json sets `use_dynamic_ntk`). Raises as `NTK`.

    >>> from posenc import Rotary
    >>> rotary = Rotary(4, base=100, scaling=SteppedNTK(2048))
    >>> rotary.frequencies(length=2049).round(4)
    array([1.    , 0.0333])
    """

    max_position_embeddings: float
    _limit: ClassVar[str] = "max_position_embeddings"

    def __post_init__(self) -> None:
        self._keep_positive("max_position_embeddings")

    def _decimals(self, base: float, width: int, length: float | None, /) -> list[Decimal]:
        trained = Decimal(self.max_position_embeddings)
        longest = trained if length is None else Decimal(length)
        power = Decimal(2)
        while power * trained < 2 * longest:
            power *= 2
        return _with_larger_base(base, width, power - 1)


@dataclass(frozen=True)
class Proportional(Scaling):
    """Frequencies over the whole head, of which only the first part is kept (Gemma 4).

    The first `int(partial_rotary_factor * d // 2)` pairs turn by
    `base ** (-2 i / d) / factor`, the others not at all: unlike a smaller `rotary_dim`, which
    spreads the exponents over the part that rotates and does not turn the last features.
    Raises ValueError if `factor` is not finite and positive or `partial_rotary_factor` is
    not between 0 and 1.

    >>> from posenc import Rotary
    >>> Rotary(8, base=10_000, scaling=Proportional(0.5)).frequencies()
    array([1. , 0.1, 0. , 0. ])
    """

    partial_rotary_factor: float
    factor: float = 1.0

    def __post_init__(self) -> None:
        self._keep_positive("factor")
        part = _arguments.finite("partial_rotary_factor", self.partial_rotary_factor)
        if not 0 <= part <= 1:
            raise ValueError(f"partial_rotary_factor must be between 0 and 1, got {part}")
        object.__setattr__(self, "partial_rotary_factor", part)

    def _decimals(self, base: float, width: int, _length: float | None, /) -> list[Decimal]:
        turning = int(self.partial_rotary_factor * width / 2)
        kept = [w / Decimal(self.factor) for w in progression(base, width)[:turning]]
        return kept + [Decimal(0)] * (width // 2 - turning)


def _with_larger_base(base: float, width: int, stretch: Decimal) -> list[Decimal]:
    if width == 2:  # every width is even
        raise ValueError(f"rotary_dim must be at least 4 with NTK scaling, got {width}")
    return progression(Decimal(base) * stretch ** (Decimal(width) / (width - 2)), width)
