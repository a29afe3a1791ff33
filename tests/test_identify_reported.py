"""What the command says of tables and vectors that people have, and of some once misread."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from posenc import Convention, Rotary, RotaryCache, identify
from posenc import __main__ as command
from posenc._output import code
from posenc.rotary import NTK, Llama3, Proportional, YaRN
from tests.identification_tables import powers, rounded
from tests.identify_cases import LONG, bfloat16, changed, text_with_image

NARROW, PAPER, LLAMA = powers(10_000.0, 16), powers(10_000.0, 32), powers(500_000.0, 64)
LLAMA3 = Rotary(128, base=500_000, scaling=Llama3(32))
HALF = ("bfloat16", "float16")
RANDOM = np.random.default_rng(0)


def told(held):
    """What the command prints about the arrays; each match makes its table again."""
    found = []
    for one in command.reports(iter(held.items()), "", None):
        found += one.lines()
        given = np.stack([*held.values()]) if len(held) == 2 else next(iter(held.values()))
        for match in one.answer.matches:
            off = np.abs(match.table() - given).max() / np.abs(given).max()
            assert off <= 1.01 * match.error + 1e-6
    return "\n".join([*found, ""])


def vector(values):
    return {"rotary_emb.inv_freq": np.asarray(values, np.float32)}


def cache(frequencies, places=200, form="float64", size=1.0):
    """Cosines and sines of each pair, or of all angles, at these rows or the first ones."""
    rows = np.arange(places) if isinstance(places, int) else places
    angles = np.outer(rows, frequencies) if np.ndim(frequencies) == 1 else frequencies
    parts = {"cos": size * np.cos(angles), "sin": size * np.sin(angles)}
    return parts if form == "float64" else {k: rounded(v, form) for k, v in parts.items()}


def cosines(frequencies, places=200, repeat=2):
    return {"file": np.tile(cache(frequencies, places)["cos"], repeat)}


def pe(frequencies, places=160, *, halves=True, **options):
    """All sines, then all cosines, or those of each pair in turn."""
    cosine, sine = cache(frequencies, places, **options).values()
    both = np.hstack([sine, cosine]) if halves else np.dstack([sine, cosine])
    return {"pe": both.reshape(len(sine), -1)}


def own(speeds, places):
    """Sines in even columns, cosines in odd ones, each with the speed of its column."""
    angles = np.outer(np.arange(places), speeds)
    return {"pe": np.where(np.arange(len(speeds)) % 2, np.cos(angles), np.sin(angles))}


def phasors(frequencies, places):
    return {"file": np.exp(1j * np.outer(np.arange(places), frequencies)).astype(np.complex64)}


def formula(heads):
    return 2.0 ** (-8 * np.arange(1, heads + 1) / heads)


def slopes(heads):
    """ALiBi's authors' slopes: those of a power of two, then every second one of the next."""
    whole = 2 ** int(np.log2(heads))
    return np.concatenate([formula(whole), formula(2 * whole)[::2][: heads - whole]])


# Vectors

SAID = [  # words, and the arrays that they are about
    *(
        (f": {n}, float64: ALiBi's slopes for {n} heads\n", {"slopes": slopes(n)})
        for n in (4, 12, 40)
    ),
    ("its authors' code has others", {"slopes": formula(12)}),
    ("ALiBi's slopes look the same if head 0 counts as h = 0", {"slopes": 2.0 ** -np.arange(8)}),
    (
        f"of base 500,000 are divided in {code(LLAMA3)}",
        {"rope_freqs.weight": LLAMA / LLAMA3.frequencies()},
    ),
    ("the sign of the exponent is lost", vector(1 / PAPER)),
    (
        "numbers that grow by no known rule, as wavelengths or divisors do",
        {"freqs": np.linspace(1, 5, 16) * np.pi},
    ),
    ("perhaps never filled: nan, nan", vector(np.full(32, np.nan))),
    ("no known rule, perhaps never filled", vector(np.sin(np.arange(32.0)))),
    ("every frequency is zero", vector(np.zeros(32))),
    ("the inverse frequencies of a rotary encoding, base 10,000\n  Rotary(64)", {"decay": PAPER}),
    ("a doubled exponent gives such frequencies too", vector(PAPER**2)),
    ("bases from 29.1019 to 29.1262 make the same", vector(bfloat16(0.9 ** np.arange(32)))),
    ("scaling=Linear(3)", vector(bfloat16(powers(1e6, 16) / 3))),
    ("by one that rounding to bfloat16 hides: 3.156", vector(bfloat16(np.logspace(0.5, -2, 30)))),
    ("as 32 pairs of frequencies 10000 ** (-2i / 62)", vector(np.logspace(0, -4, 32))),
    ("NTK(1000)", {"inv_freq": powers(10_000.0 * 1000 ** (128 / 126), 64)}),
    ("64 features turn by base 500,000, beside 64 that", vector(np.r_[LLAMA[::2], 0 * PAPER])),
]

# Rotary caches, whose rows may jump, and what rounding leaves

Y, X = np.indices((6, 8)).reshape(2, -1)
HIGH, WIDE = np.outer(Y, NARROW), np.outer(X, NARROW)
ROWS, BESIDE = np.arange(300), RANDOM.standard_normal((200, 1))
ROTARY = Rotary(32, base=500_000)
COSINES, SINES = cache(np.tile(ROTARY.frequencies(), 2)).values()
TIMES = RANDOM.uniform(0, 1000, 50)
JUMPS = np.r_[:30, 1000 + 7 * np.arange(60)]
AXES = text_with_image(20, (3, 9, 11), 8)[:, np.repeat([0, 1, 2], [16, 24, 24])]
SIDE = "interleaved"
IMAGES = "Rotary(128, base={}), [16, 24, 24]".format
OF_3000 = 10_000.0 * (4 * 3000 / 2048 - 3) ** (128 / 126)  # what a long text leaves
OF_5000 = 10_000.0 * (2 * 5000 / 4096 - 1) ** (128 / 126)
ONE_OF_4 = powers(10_000.0, 128)
FEW, PROPORTIONAL = Rotary(8, scaling=NTK(5.0)), Rotary(8, scaling=Proportional(0.5))
SCALED = LLAMA3, Rotary(128, base=1e6, scaling=YaRN(4, original_max_position_embeddings=32_768))
ATTENTION = YaRN(40, original_max_position_embeddings=4096, attention_factor=1.25)
OF_40 = Rotary(64, base=5e5, scaling=replace(ATTENTION, attention_factor=None), layout=SIDE)
FOUND = [  # caches that no table of the generated ones is like
    # A usual factor is found where slow pairs do not show it.
    (RotaryCache(rotary=OF_40, form=SIDE, start=100), 128),
    *((RotaryCache(rotary=Rotary(2), part=part, form="halves"), 30) for part in ("cos", "both")),
    *(
        (RotaryCache(rotary=Rotary(128, base=5e5, scaling=kind)), 3000)
        for kind in (Llama3(3.7), YaRN(25, original_max_position_embeddings=4096))
    ),
    (RotaryCache(rotary=Rotary(64, base=98_765, scaling=Proportional(0.25)), part="both"), 200),
    (RotaryCache(rotary=Rotary(64, scaling=ATTENTION), form="halves"), 2048),
]
SAID += [
    *((code(made), {"file": made.table(n).astype(np.float32)}) for made, n in FOUND),
    *(
        (code(kind), cache(kind.frequencies(), places, size=kind.attention_factor()))
        for kind, places in zip(SCALED, (RANDOM.permutation(200), 10 * ROWS[:200]), strict=True)
    ),
    *(
        (words, cosines(Rotary(width, base=base, scaling=kind).frequencies(), 128))
        for words, width, base, kind in (
            ("Rotary(32, scaling=YaRN(4, ", 32, 10_000, replace(ATTENTION, factor=4)),
            (": near a rotary cache", 32, 10_001, Llama3(8)),
            ("Llama3(factor=16, high_freq_factor=1)", 128, 5e5, Llama3(16, high_freq_factor=1)),
        )
    ),
    ("transpose the table", {"file": np.stack([COSINES.T, SINES.T])}),
    ("columns left out, which the others do not explain: 0\n",
     {"file": np.hstack([BESIDE, COSINES])}),
    ("explain: 16-63", cache(np.r_[np.tile(powers(10_000.0, 8), 2), np.zeros(48)], 100)),
    ("Rotary(64, base=1000000, scaling=Linear(4))",
     phasors(np.append(powers(1e6, 32) / 4, np.zeros(64)), 1500)),
    ("equal steps of 6.28, from 0 to 621.7", cosines(PAPER, 6.28 * ROWS[:100])),
    ("start=5)", cosines(PAPER, 5 + 1.5 * ROWS[:100])),  # the last row is at 153.5
    ("steps of 1, from -80 to 79", cache(NARROW, np.arange(-80, 80))),
    ("32 features turn by base 10,000, beside 96 that stay or hardly turn; a rotary cache",
     {"file": cache(np.append(NARROW, np.zeros(48)))["cos"].repeat(2, axis=1)}),
    ("base 100,000,000, or 32 features turn by base 10,000, beside 32", cache(PAPER**2, 180)),
    *((f"base {base:,}", {"cos_sin_cache": np.hstack([*cache(powers(base, 32)).values()])})
      for base in (1000, 100_000_000)),
    ("  Convention(layout='halves', freq_shift=1)",
     {"cos_sin_cache": Convention(layout="halves", freq_shift=1).table(50, 16)}),
    *(
        ("the sines stand in the place of the cosines", held)
        for cosine, sine in (cache(PAPER, np.r_[:20, 30, 31, 32, 77]).values(),)
        for held in ({"cos": sine, "sin": cosine}, {"file": sine + 1j * cosine})
    ),
    (code(Rotary(4)), {"file": Rotary(4).cosine_sine(np.arange(1, 30))[0]}),
    (code(FEW), cosines(FEW.frequencies().astype("f4"), np.r_[:12, 4095])),
    ("its rows jump: rows 0-39 are positions 0-39, rows 40-59 are positions 100-119",
     cache(PROPORTIONAL.frequencies(), np.r_[:40, 100:120])),
    ("jump: row 30 is position 1000, row 31 is position 1007, row 32 is position 1014 and 57 more",
     cache(PAPER, JUMPS)),
    ("row 29 is position 1400", cache(PAPER, changed(JUMPS, slice(29, 32), [1400, 1300, 1200]))),
    ("  Convention(layout='halves', freq_shift=1)\n", pe(powers(10_000.0, 32, 31), TIMES)),
    ("angle_scale=0.25", pe(rounded(powers(50_000, 32) / 4, "bfloat16"), 500)),
    (
        "rows 0-19 lie at position 0, as padding does",
        cache(powers(12_345.0, 64), np.maximum(np.arange(-20, 280), 0)),
    ),
    ("row 0 lies at position 0, as padding does; the others are c", cache(NARROW, np.r_[0, 0:90])),
    ("factor 2, 5,000 positions", cache(powers(OF_5000, 64), 600)),
    ("factor 2, 3,952 positions, trained on 2,048", cache(powers(OF_3000, 64))),
    *(
        (f"{part} of frequencies {of}", cache(frequencies))
        for part, of, frequencies in (
            # As of a cache that ranks of tensor parallelism share.
            *(
                (f"pairs {k}-{k + 31} of 128 pairs", "10000 ** (-2i / 256)", ONE_OF_4[k : k + 32])
                for k in (32, 96)
            ),
            ("the first 24 of 64 pairs", "500000 ** (-2i / 128)", LLAMA[:24]),
            ("the same as 32 pairs", "10000 ** (-2i / 62)", powers(10_000.0, 32, 31)),
        )
    ),
    *(
        (f"frequencies rounded to {form}, base 500,000", cache(rounded(LLAMA, form), places))
        for form, places in zip(HALF, (np.r_[64:128, 384:448], np.r_[0:90, 0:70]), strict=True)
    ),
    ("its positions, from 5000 on, are rounded to float16",
     cache(LLAMA, rounded(5000 + np.arange(400.0), "float16"))),
    (IMAGES(1_000_000), cache(AXES * rounded(powers(1e6, 64), "bfloat16"))),
    # At 2π * 2 ** 24, all frequencies that are rounded to float16 have turned fully.
    (IMAGES(8_000_000), cache(AXES * powers(8e6, 64), form="float16")),
]  # fmt: skip

# Points, and tables of sines and cosines

LINES = np.linspace(0, 1, 128)[:, np.newaxis]
HYENA = np.outer(np.arange(128), 2 * np.pi / 128 * np.linspace(1e-4, 15, 16))
BY_X = np.hstack([pe(NARROW[::2], axis, halves=False)["pe"] for axis in (X, Y)])
SAID += [
    ("from (5, 0) in steps of (-1, 1)", cache(np.hstack([HIGH[::-1], WIDE]))),
    # As of SAM 2, where x comes first; if height and width are exchanged, it is a fault.
    ("its first coordinate changes faster than its second", cache(np.hstack([WIDE, HIGH]))),
    ("3 times 6 x 8 points, from (0, 0)", cache(np.tile(np.hstack([WIDE, HIGH]), (3, 1)))),
    # As of wzlxjtu/PositionalEncoding2D: channels first, half of them for the width.
    ("a grid\n  Grid(axis=Convention())\n", {"pe": np.moveaxis(BY_X.reshape(6, 8, 32), 2, 0)}),
    # Hyena's positions: the time, then cosines and sines of evenly spaced frequencies.
    ("the frequencies of the others are 0.0006234, 6.235, 12.47, 18.7, 24.94 and 11 more",
     {"pe": np.hstack([LINES, np.cos(HYENA), -np.sin(HYENA)])}),
    # As a code leaves it whose exponents are whole numbers: only the first pair turns.
    ("radians per row are 1, 0", pe(np.r_[1.0, np.zeros(31)], halves=False)),
    ("Convention(base=1000)", pe(powers(1000.0, 32), halves=False)),  # of U-TAE and L-TAE
    ("the sign of the exponent is lost: frequencies grow from pair to pair\n"
     "  Convention(layout='halves', base=500000)\n", pe(500_000 ** (np.arange(8) / 8))),
    *(
        (words, pe(turns, 110, halves=False))
        for i in [np.arange(64)]
        for words, turns in (
            ("the sign of the exponent is lost", 1000.0 ** (i / 64)),
            ("the exponent is doubled", 10_000.0 ** (-2 * i / 64)),
            (" evenly spaced", 0.03 * i),
            ("integer division makes every exponent 0 or 1", 10_000.0 ** -(2 * i // 64)),
        )
    ),
    ("integer division makes each column's own exponent 0 or 1",
     own(10_000.0 ** -((2 * np.arange(18)) // 18), 60)),
    ("no pair turns: every frequency is zero", cache(np.zeros(16), 60)),
    ("no pair turns: every frequency is zero", {"cos_cached": np.ones((60, 32))}),
    ("all rows are equal: each is row 60 of", pe(60 * NARROW, np.ones(60), halves=False)),
    ("cosines and sines stand in different layouts",
     {"cos": COSINES[:, :32], "sin": SINES[:, :16].repeat(2, axis=1)}),
    ("each cosine's exponent differs", own(10_000.0 ** (-np.arange(64) / 64), 90)),
    ("its frequencies grow, to ", pe(2.0 ** np.linspace(0, 6, 6), np.linspace(-np.pi, np.pi, 64))),
    ("no octaves", pe(0.01 * 2.0 ** np.linspace(0, 5, 5), 40)),
    ("any two frequencies fit some base and scale", pe(2 * np.pi / np.array([24, 168]), 60)),
    ("a rotary cache that holds", pe([0.5, 0.25, 0.125], 60)),
    ("it holds one row in 113, from row 0", pe(NARROW[::2], 113 * np.arange(20), halves=False)),
    ("9 of 60 rows do not fit: 0, 2, 4, 6, 8 and 4 more",
     {"pe": changed(LONG[:60, :16], [0, 2, 4, 6, 8, 10, 11, 12, 20], 0.3)}),
    ("  Convention(base=30000)\n", pe(powers(30_000, 4), np.r_[:33, :33], halves=False)),
    *(
        (f"{words} base 777.77", {"pe": np.hstack([np.sin(angles), np.cos(angles)])})
        for sign, words in ((-1, "they fall as those of"), (1, "the exponent was lost,"))
        for turns in [777.77 ** (sign * np.arange(16) / 16)]
        for angles in [np.outer(np.arange(200), turns) + 4 * np.arange(16)]
    ),
]  # fmt: skip


@pytest.mark.parametrize(("words", "held"), SAID)
def test_an_answer_says_what_the_arrays_are(words, held):
    assert words in told(held)


NOT_SAID = [
    ("its authors' code has others", {"slopes": formula(64)}),
    ("doubled", vector(np.r_[NARROW, np.zeros(16)])),
    ("never filled", vector(np.exp(-np.arange(20.0)).astype(np.float16))),  # rounded to zero
    ("dynamic", cache(powers(10_000.0 * 1000 ** (128 / 126), 64), 180)),  # as Hunyuan's alpha
    ("rounded", phasors(Rotary(32, base=123_456, scaling=NTK(4)).frequencies(), 512)),
    ("changes faster", cache(np.hstack([HIGH, WIDE]))),
    ("mistake", pe(powers(1000.0, 32), halves=False)),
    ("no octaves", pe(0.01 * 2.0 ** np.arange(5), 40)),
    ("rotary", cosines(np.pi / 64 * 2.0 ** np.arange(5), 64, 1)),  # later pairs are faster
]


@pytest.mark.parametrize(("words", "held"), NOT_SAID)
def test_an_answer_does_not_say_what_is_not_so(words, held):
    assert words not in told(held)


def test_a_vector_of_another_name_that_falls_by_an_odd_base_is_no_encoding():
    for values in (0.1 * 0.95 ** np.arange(50), bfloat16(0.9 ** np.arange(32))):
        with pytest.raises(ValueError, match="two axes"):
            told({"weight": values})


def test_nothing_is_near_that_differs_by_half_the_amplitude():
    angles = np.outer(np.arange(100), PAPER)
    within = np.dstack([np.sin(angles % 1), np.cos(angles % 1)]).reshape(100, 64)
    assert identify(within).nearest is None
    noisy = pe(PAPER, 100, halves=False)["pe"] + 0.1 * RANDOM.standard_normal((100, 64))
    assert identify(noisy).nearest is not None


@pytest.mark.parametrize("form", HALF)
def test_no_base_has_more_digits_than_rounded_values_show(form):
    """As of code that takes log10(10000), which makes the base e**4."""
    for given in (pe, cache):
        digits = re.search(r"base=([\d.]+)", told(given(powers(np.exp(4), 32), 160, form=form)))[1]
        assert float(digits) == pytest.approx(np.exp(4), abs=0.6 * 10.0 ** (3 - len(digits)))


@pytest.mark.parametrize("form", ["float16", "bfloat16", "3 decimals"])
@pytest.mark.parametrize(
    "kind",
    [
        Convention(base=12_225),
        Convention(base=37_609, start=1),
        Convention(base=579.75, start=4),
        Convention(base=9110, freq_shift=1),
        Convention(base=746_190, layout="halves"),
    ],
)
def test_a_base_of_many_digits_is_found_in_rounded_values(form, kind):
    table = kind.table(200, 64)
    table = table.round(3) if form == "3 decimals" else rounded(table, form)
    found = identify(table).match.convention
    assert found == kind


def test_a_vector_is_named_among_the_other_arrays_of_a_checkpoint():
    alphas = np.cumprod(1 - np.linspace(1e-4, 0.02, 1000))
    held = {"bias": np.zeros(64), "inv_freq": LLAMA, "alphas": alphas, "w": BESIDE * NARROW}
    found = command.reports(iter(held.items()), "", None)
    assert [one.name for one in found] == ["inv_freq", "w"]
    assert found[0].answer.match.rotary == Rotary(128, base=500_000)
