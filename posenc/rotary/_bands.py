"""Scalings that treat fast and slow pairs differently: Llama 3, YaRN, LongRoPE."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from typing import ClassVar

from posenc import _arguments
from posenc.rotary._exact import EXACT, PI, clipped, progression
from posenc.rotary._scalings import Scaling

NUDGE = Decimal("0.001")  # the length of YaRN's ramp where its ends meet, as in its code


@dataclass(frozen=True)
class Llama3(Scaling):
    """Pairs that turn often are kept, those that turn rarely divided by `factor`.

    A pair that turns at least `high_freq_factor` times in `original_max_position_embeddings`
    positions keeps its frequency, one that turns at most `low_freq_factor` times has it
    divided, and those between have a mixture, linear in the number of turns (the
    defaults are those of the config.json of Llama 3.1; 3.2 has `factor` 32).
    Raises ValueError if a number is not finite and positive or the high factor is below the low.

    >>> from posenc import Rotary
    >>> Rotary(8, base=500_000, scaling=Llama3(8)).frequencies().round(6)
    array([1.0000e+00, 3.7606e-02, 5.2500e-04, 7.0000e-06])
    """

    factor: float = 8.0
    _: KW_ONLY
    low_freq_factor: float = 1.0
    high_freq_factor: float = 4.0
    original_max_position_embeddings: float = 8192.0

    def __post_init__(self) -> None:
        self._keep_positive("factor", "low_freq_factor", "high_freq_factor")
        self._keep_positive("original_max_position_embeddings")
        if self.high_freq_factor < self.low_freq_factor:
            rule = f"at least low_freq_factor = {self.low_freq_factor}"
            raise ValueError(f"high_freq_factor must be {rule}, got {self.high_freq_factor}")

    def _decimals(self, base: float, width: int, _length: float | None, /) -> list[Decimal]:
        low, high = Decimal(self.low_freq_factor), Decimal(self.high_freq_factor)
        scaled = []
        for frequency in progression(base, width):
            turns = Decimal(self.original_max_position_embeddings) * frequency / (2 * PI)
            kept = clipped((turns - low) / (high - low))
            scaled.append(frequency * (kept + (1 - kept) / Decimal(self.factor)))
        return scaled


@dataclass(frozen=True)
class YaRN(Scaling):
    """Fast pairs kept, slow ones divided by `factor`, a ramp between, and larger scores.

    The ramp runs over the pair's number, from the pair that turns `beta_fast` times in
    `original_max_position_embeddings` positions to the one that turns `beta_slow` times;
    `truncate` rounds its ends outwards to whole numbers (gpt-oss does not truncate). This is
    the ramp of the libraries; the one of Peng et al. 2023, YaRN, section 3.2, runs over the
    number of turns. Cosine and sine are multiplied by `attention_factor`, or if that is None
    by `g(mscale) / g(mscale_all_dim)` with `g(m) = 0.1 m ln(factor) + 1` (section 3.4
    of version 2; DeepSeek-V3 sets both). For a `factor` below 1, `g` is 1. With a `beta_fast` below
    `beta_slow` the ramp is reversed and divides fast pairs, as in transformers, which warns.

    Raises ValueError if a number is not finite and positive (`mscale` and `mscale_all_dim`
    only have to be finite) or the base is not above 1.

    >>> from posenc import Rotary
    >>> rotary = Rotary(8, scaling=YaRN(4, original_max_position_embeddings=2048))
    >>> rotary.frequencies()
    array([1.00e+00, 1.00e-01, 6.25e-03, 2.50e-04])
    >>> round(rotary.attention_factor(), 4)
    1.1386
    """

    factor: float
    _: KW_ONLY
    original_max_position_embeddings: float
    beta_fast: float = 32.0
    beta_slow: float = 1.0
    truncate: bool = True
    mscale: float = 1.0
    mscale_all_dim: float = 0.0
    attention_factor: float | None = None

    def __post_init__(self) -> None:
        self._keep_positive("factor", "original_max_position_embeddings", "beta_fast", "beta_slow")
        for name in ("mscale", "mscale_all_dim"):
            object.__setattr__(self, name, _arguments.finite(name, getattr(self, name)))
        if self.attention_factor is not None:
            self._keep_positive("attention_factor")
        _arguments.flag("truncate", self.truncate)

    def _decimals(self, base: float, width: int, _length: float | None, /) -> list[Decimal]:
        if base <= 1:
            raise ValueError(f"base must be greater than 1 with YaRN, got {base}")
        first, last = self._ramp(base, width)
        scaled = []
        for i, frequency in enumerate(progression(base, width)):
            divided = clipped((i - first) / (last - first))
            scaled.append(frequency * (divided / Decimal(self.factor) + 1 - divided))
        return scaled

    def _ramp(self, base: float, width: int) -> tuple[Decimal, Decimal]:
        """The pairs' numbers at which the ramp begins and ends, inside `EXACT`."""
        ends = []
        for beta in (self.beta_fast, self.beta_slow):
            positions_per_radian = Decimal(self.original_max_position_embeddings) / (
                2 * PI * Decimal(beta)
            )
            ends.append(width * positions_per_radian.ln() / (2 * Decimal(base).ln()))
        if self.truncate:
            ends[0] = ends[0].to_integral_value(ROUND_FLOOR)
            ends[1] = ends[1].to_integral_value(ROUND_CEILING)
        first, last = max(ends[0], Decimal(0)), min(ends[1], Decimal(width - 1))
        return first, last + NUDGE if first == last else last

    def attention(self, _length: float | None, /) -> float:
        """The number that multiplies cosine and sine."""
        if self.attention_factor is not None:
            return self.attention_factor
        with localcontext(EXACT):
            warmth = max(Decimal(self.factor).ln(), Decimal(0)) / 10
            above, below = Decimal(self.mscale), Decimal(self.mscale_all_dim)
            return float((above * warmth + 1) / (below * warmth + 1))


@dataclass(frozen=True)
class LongRoPE(Scaling):
    """Each pair's frequency divided by a number found by search, one list for long texts.

    A text longer than `original_max_position_embeddings` takes `long_factor`, any other
    `short_factor`; each has one number per pair. Cosine and sine are multiplied by
    `long_mscale` or `short_mscale` if given (Phi-3.5-MoE), else by `attention_factor`, or
    if that is None by `sqrt(1 + ln(factor) / ln(original_max_position_embeddings))`
    (Ding et al. 2024, LongRoPE; transformers 5.23 for Phi-3), or 1 for a `factor` below 1.
    `factor` is the longest length over the original one. Raises ValueError if a number is not
    finite and positive, or a list has another length than the pairs.

    >>> from posenc import Rotary
    >>> longrope = LongRoPE([1, 1], [1, 20], original_max_position_embeddings=4096, factor=32)
    >>> rotary = Rotary(4, base=100, scaling=longrope)
    >>> rotary.frequencies(), rotary.frequencies(length=4097)
    (array([1. , 0.1]), array([1.   , 0.005]))
    >>> round(rotary.attention_factor(), 4)
    1.1902
    """

    short_factor: Sequence[float]
    long_factor: Sequence[float]
    _: KW_ONLY
    original_max_position_embeddings: float
    factor: float = 1.0
    attention_factor: float | None = None
    short_mscale: float | None = None
    long_mscale: float | None = None
    _limit: ClassVar[str] = "original_max_position_embeddings"

    def __post_init__(self) -> None:
        self._keep_positive("original_max_position_embeddings", "factor")
        for name in ("short_factor", "long_factor"):
            values = _arguments.entries(name, getattr(self, name))
            numbers = tuple(_arguments.positive(name, value) for value in values)
            object.__setattr__(self, name, numbers)
        for name in ("attention_factor", "short_mscale", "long_mscale"):
            if getattr(self, name) is not None:
                self._keep_positive(name)

    def _decimals(self, base: float, width: int, length: float | None, /) -> list[Decimal]:
        for name in ("short_factor", "long_factor"):
            count = len(getattr(self, name))
            if 2 * count != width:
                raise ValueError(f"{name} must have {width // 2} numbers, got {count}")
        factors = self.long_factor if self._is_long(length) else self.short_factor
        pairs = zip(progression(base, width), factors, strict=True)
        return [frequency / Decimal(factor) for frequency, factor in pairs]

    def _is_long(self, length: float | None) -> bool:
        return length is not None and length > self.original_max_position_embeddings

    def attention(self, length: float | None, /) -> float:
        """The number that multiplies cosine and sine."""
        mscale = self.long_mscale if self._is_long(length) else self.short_mscale
        given = self.attention_factor if mscale is None else mscale
        if given is not None:
            return given
        if self.factor <= 1:
            return 1.0
        with localcontext(EXACT):
            original = Decimal(self.original_max_position_embeddings)
            return float((1 + Decimal(self.factor).ln() / original.ln()).sqrt())
