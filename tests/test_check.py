"""Tests of `check`: right programs are right, and wrong ones are named."""

from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np
import pytest

from posenc import CONVENTIONS, Convention, Rotary, check
from posenc.checking import _judge
from posenc.checking._inputs import coordinates
from posenc.checking.recipes import Recipe
from posenc.checking.slips import ROTARY_SLIPS
from posenc.rotary import (
    NTK,
    DynamicNTK,
    Given,
    Linear,
    Llama3,
    LongRoPE,
    Plan,
    Proportional,
    SteppedNTK,
    YaRN,
    axes,
)
from tests import reference, rotary_reference
from tests.checked_functions import KINDS, LENGTH, encoding, program, right, rounded, wrong
from tests.identify_cases import BACKWARDS, NOT_ROW_BY_ROW

COUNT = 500  # functions of each kind; `make bench` looks at all of them
PLACES = np.random.default_rng(5).permutation(300)
FAR = np.array([[1500, 7, 6], [3001, 1, 5], [6001, 2, 0], [9001, 5, 3]])


def not_named(seeds):
    """The wrong functions of these seeds whose kind no explanation names, or that seem right."""
    found = {}
    for kind, made in map(wrong, seeds):
        verdict = check(made, made.encoding, length=LENGTH)
        assert len(repr(verdict)) < 240
        assert "\n" not in repr(verdict)
        if verdict or not any(kind in one for one in verdict.slips):
            found[kind] = str(verdict)
    return found


def called_wrong(seeds):
    """The right functions of these seeds that `check` calls wrong."""
    verdicts = {seed: check(right(seed), right(seed).encoding, length=LENGTH) for seed in seeds}
    return {seed: str(verdict) for seed, verdict in verdicts.items() if not verdict}


@pytest.mark.parametrize("seed", range(len(KINDS)))
def test_a_wrong_function_of_each_kind_is_named_and_a_right_one_is_right(seed):
    assert (not_named([seed]), called_wrong([seed])) == ({}, {})


def test_every_slip_has_a_wrong_function_and_changes_a_rotation_in_words_of_its_own():
    assert {slip.kind for slip in ROTARY_SLIPS} <= KINDS.keys()
    made = [encoding(np.random.default_rng(0), kind) for kind in ("", "llama3", "yarn", "longrope")]
    for one in (*made, encoding(np.random.default_rng(0), "", part=2), WIDE):
        recipe, q = Recipe.of(one, length=LENGTH), np.ones((4, one.head_dim))
        for slip in ROTARY_SLIPS:
            recipes = [recipe, *(other.recipe for other in slip.of(recipe))]
            turned = {own.rotate(q, FAR[:, : coordinates(recipe)]).tobytes() for own in recipes}
            # Exponents of a width that is a power of 2 have few digits.
            assert len(turned) == len(recipes) or slip.kind == "frequencies rounded", slip.kind
        words = [other.words for slip in ROTARY_SLIPS for other in slip.of(recipe)]
        assert len(words) == len(set(words))


@pytest.mark.parametrize("head_dim", [8, 96, 128])
def test_each_way_to_compute_frequencies_makes_others(head_dim):
    (slip,) = (slip for slip in ROTARY_SLIPS if slip.kind == "frequencies rounded")
    recipes = slip.of(Recipe.of(Rotary(head_dim), length=LENGTH))
    made = [one.recipe.rotary.frequencies() for one in recipes if "computed" in one.words]
    assert len(made) > 4
    for one, other in combinations(made, 2):
        assert (np.abs(one / other - 1) > 1e-9).any()


def outputs():
    """What libraries computed, and the encoding that it is: rotations, caches and frequencies."""
    for name in rotary_reference.ROTARY:
        record, array = rotary_reference.RECORDS[name], rotary_reference.ARRAYS[name]
        spec, kind = record["spec"], record["spec_kind"]
        changed = "xpos" in spec or spec.get("out") == "halves" or spec.get("rule") == "ltx"
        if changed or kind == "scores" or spec.get("attention"):
            continue
        made, options = rotary_reference.rotary, {"length": rotary_reference.length(spec)}
        places = np.array(spec.get("coords", spec.get("positions")))
        if kind == "rotated":
            x = rotary_reference.features(spec, spec["which"])
            yield name, (x, array, places), made(spec), options
        elif kind == "inv":
            yield name, array, made(spec), options
        elif not spec.get("pad") and spec["part"] in ("stack", "cos|sin"):
            yield name, array, made(spec), {**options, "positions": places}


@pytest.mark.filterwarnings("ignore:length must be given")  # some turn far positions as near ones
def test_what_libraries_compute_is_right():
    found = list(outputs())
    wrong = [name for name, *given, options in found if not check(*given, **options)]
    assert len(found) > 200
    assert wrong == []


def test_the_tables_of_libraries_are_right():
    counted = 0
    for name in set(reference.ONE_DIMENSIONAL) - NOT_ROW_BY_ROW.keys() - BACKWARDS:
        convention, table = CONVENTIONS[reference.library(name)], reference.ARRAYS[name]
        if np.sum(~table.any(axis=1)) > 1:  # the tokens of a text that was filled up
            continue
        first = float(reference.positions(name)[0])
        assert check(table, replace(convention, start=first)), name
        counted += 1
    assert counted > 50


# Caches, frequencies and features

FAST, SLOW = Rotary(64), Rotary(64, base=500_000)
IN_TURN = partial(np.repeat, repeats=2, axis=1)


def cached(rotary):
    """The cache of `rotary` in every form."""
    cosine, sine = rotary.cosine_sine(np.arange(300), dtype=np.float32)
    rates = rotary.frequencies()
    twice = partial(np.tile, reps=2) if rotary.layout == "halves" else IN_TURN
    return {
        "two": (cosine, sine),
        "complex": (cosine + 1j * sine).astype(np.complex64),
        "side by side": np.concatenate([cosine, sine], axis=1),
        "first axis": np.stack([cosine, sine]),
        "last axis": np.stack([cosine, sine], axis=-1)[np.newaxis],
        "twice": (twice(cosine), twice(sine)),
        "dict": {"COS_cached": cosine, "sin_cached": sine, "inv_freq": rates, 3: rates},
        "one row of frequencies": rates[np.newaxis, :, np.newaxis],
        "frequencies": rates.astype(np.float32),
    }


@pytest.mark.parametrize("layout", ["halves", "interleaved"])
def test_a_cache_of_any_form_is_right_or_its_base_is_named(layout):
    what = replace(SLOW, layout=layout)
    for made, slips in ((what, ()), (replace(FAST, layout=layout), (("base",),))):
        for form, given in cached(made).items():
            verdict = check(given, what)
            assert (verdict.slips, bool(verdict)) == (slips, not slips), (form, str(verdict))
    if layout == "interleaved":  # repeated for the other layout
        assert check(cached(made)["twice"], FAST).slips == (("layout",),)


@pytest.mark.parametrize(
    ("positions", "words"),
    [
        ([1] * 5 + [*range(35)], "padding, 5 times position 1, stands before position 0"),
        ([0] * 5 + [*range(35)], "padding, 5 times position 0, stands before position 0"),
        ([*range(100, 140)], "positions are 100 too large"),
        ([*range(20_000, 20_040)], "the frequencies agree"),
    ],
)
def test_rows_at_other_positions_are_wrong_until_positions_say_so(positions, words):
    pair = Rotary(64).cosine_sine(positions, dtype=np.float32)
    verdict = check(pair, Rotary(64))
    assert not verdict
    assert words in str(verdict)
    assert "rows were read as positions 0 to 39: if not, give positions=" in str(verdict)
    assert check(pair, Rotary(64), positions=positions)
    assert check(pair, Rotary(64), positions=[positions] * 2)
    with pytest.raises(ValueError, match=r"^positions must be those of one text: give "):
        check(pair, Rotary(64), positions=[positions, positions[::-1]])


@pytest.mark.parametrize("rows", [128, 256, 512, 1024, 2048, 4096, 8192])
def test_a_table_that_ends_is_named_by_its_rows_if_no_position_is_near_its_end(rows):
    places, what = np.append(np.arange(9), rows + np.arange(9) * 37), Rotary(8)
    for taken, words in (
        (np.minimum(places, rows - 1), f"all have position {rows - 1:,}"),
        (places % rows, "positions begin at 0 again"),
    ):
        verdict = check(what.cosine_sine(taken), what, positions=places)
        assert f"from position {rows:,} on, {words}" in str(verdict), str(verdict)


def test_of_very_many_rows_the_verdict_says_which_were_compared(monkeypatch):
    cosine, sine = Rotary(8).cosine_sine(np.arange(20_480), dtype=np.float32)
    assert " of 20,480 rows: the first 4,096," in str(check((cosine, sine), Rotary(8)))
    cosine[17_408:] = 0
    words = "positions up to 17,407 agree, and from 17,408 on none does"
    assert words in str(check((cosine, sine), Rotary(8)))
    monkeypatch.setattr(_judge, "explanations", lambda *_: [])  # a search would take seconds
    sine[9216] = 0
    assert "at position 9216" in str(check((cosine[:17_000], sine[:17_000]), Rotary(8)))
    sine[16_555] = np.nan
    assert str(check((cosine, sine), Rotary(8))).startswith("wrong: nan at position 16555")


def test_values_of_any_size_get_a_verdict():
    q, what = np.random.default_rng(4).standard_normal((3, 4)), Rotary(4, base=1.5)
    assert not check((q, q * 1e300, [7, 11, 900]), what)
    assert not check(q * 1e300, Convention())
    assert not check([0.0, 0.0], what)


ORDERS, LAYOUTS = ["sin_first", "cos_first"], ["interleaved", "halves"]


def other(both, one):
    return both[1 - both.index(one)]


@pytest.mark.parametrize("name", ["tensor2tensor", "trax", "x_transformers"])
def test_a_table_of_a_convention_is_right_under_its_name_only(name):
    convention = CONVENTIONS[name]
    assert check(partial(convention.table, dtype=np.float32), name)
    wrongs = {
        "start": replace(convention, start=convention.start + 1),
        "base": replace(convention, base=1000.0),
        "exponent": replace(convention, freq_shift=1 - convention.freq_shift),
        "exchanged": replace(convention, order=other(ORDERS, convention.order)),
        "layout": replace(convention, layout=other(LAYOUTS, convention.layout)),
        "sign": replace(convention, angle_scale=-convention.angle_scale, start=-convention.start),
        "cycles": replace(convention, angle_scale=2 * np.pi),
    }
    rules = ["is i / (d/2) instead of i / (d/2 - 1)", "is i / (d/2 - 1) instead of i / (d/2)"]
    assert rules[convention.freq_shift == 0] in str(check(wrongs["exponent"].table, name))
    for power, words in ((0.5, "multiplied"), (-0.5, "divided")):
        made = replace(convention, amplitude_power=convention.amplitude_power + power)
        assert f"values are {words} by the root of d_model;" in str(check(made.table, name))
    for kind, made in wrongs.items():
        verdict = check(made.table, name)
        assert (kind,) in verdict.slips, (kind, str(verdict))
    low = rounded(convention.table(512, 64), "bfloat16")
    assert check(low[:, np.newaxis], convention)
    assert check(low[np.newaxis], convention, dtype="float32").slips == (("table rounded",),)


@pytest.mark.parametrize(
    "scaling",
    [
        *(Linear(4), NTK(4), DynamicNTK(2, 2048), SteppedNTK(2048), Llama3(8), Proportional(0.5)),
        YaRN(8, original_max_position_embeddings=2048),
    ],
)
def test_a_scaling_that_is_left_out_is_named(scaling):
    verdict = check(Rotary(64).rotate, Rotary(64, scaling=scaling), length=6000)
    assert ("scaling ignored",) in verdict.slips


def test_two_slips_of_the_same_encoding_are_named():
    what = Rotary(64, scaling=YaRN(8, original_max_position_embeddings=2048))
    verdict = check(Rotary(64, base=500_000).rotate, what, length=100)
    assert verdict.slips == (("base", "scaling ignored"),)


WIDE, FLAT = axes.blocks([16, 24, 24]), axes.blocks([8, 8])
TALL = Rotary(4, scaling=DynamicNTK(2, 2048))
POINTS = np.stack([PLACES, PLACES[::-1], PLACES // 2], axis=1)
LONG = replace(FAST, scaling=YaRN(8, original_max_position_embeddings=64))
WARM = replace(FAST, scaling=Given(FAST.frequencies(), attention_factor=LONG.attention_factor()))
# As DeepSeek has it: two factors that cancel each other.
MIXED = replace(LONG, scaling=replace(LONG.scaling, mscale=0.7, mscale_all_dim=0.7))
HALF = replace(LONG, scaling=replace(LONG.scaling, attention_factor=0.07 * np.log(8) + 1))
OTHERWISE = replace(FAST, layout="interleaved")
LOW = replace(program(Rotary(64), np.random.default_rng(0)), dtype="bfloat16")


def turned(layout, shape):
    """Features of this shape, and what a rotation at PLACES makes of them."""
    q = np.random.default_rng(2).standard_normal(shape).astype(np.float32)
    return q, Rotary(64, layout=layout).rotate(q, PLACES, axis=shape.index(300)), PLACES


def of_two_parts(short, long):
    """A cache whose first rows are for short texts, and the others for long ones."""
    parts = ((100, short), (400, long))
    made = [LONGROPE.cosine_sine(np.arange(n), of, attention=True) for n, of in parts]
    return np.concatenate([np.concatenate(part, axis=1) for part in made])


def changing(change):
    """A rotation of which `change` makes another, from features, right answers and positions."""
    return lambda q, p: change(q, SMALL.rotate(q, p), p)


SMALL = Rotary(16)
STEADY = Rotary(16, frequencies=SMALL.frequencies() * np.r_[1.0, np.full(7, 1 - 1e-3)])
TWO_LISTS = LongRoPE([1.5] * 8, [9.0] * 8, original_max_position_embeddings=100, factor=4)
LONGROPE = Rotary(16, scaling=TWO_LISTS)
IN_BFLOAT16 = rounded(SLOW.frequencies(), "bfloat16").astype(np.float32)
NOISE = 1 + np.random.default_rng(0).uniform(-1, 1, 32) / 300
NOISY_LOW = rounded(FAST.frequencies() * NOISE, "bfloat16")
PROBABLY = "frequencies are off by up to 2^-7: probably computed in bfloat16"
CONFIG = {"model_type": "llama", "head_dim": 64, "rope_theta": 500_000.0}
UNKNOWN = "no slip that posenc knows explains it"
VERDICTS = [  # a function or its arrays, what it should be, options, slips if wrong, and words
    (lambda q, p: OTHERWISE.rotate(q, -p), SLOW, {}, {"base", "layout", "sign"}, ""),
    (replace(SLOW, scaling=Llama3(8)).rotate, SLOW, {}, {"another scaling"}, ""),
    (WARM.rotate, LONG, {}, {"scaling ignored"}, "the attention factor counts"),
    (HALF.rotate, MIXED, {}, {"attention rule"}, "1.1456 (0.1 m ln 8 + 1 with m = 0.7)"),
    (WIDE.rotate, WIDE, {"positions": POINTS}, None, ""),
    (lambda q, p: FLAT.rotate(q, p[:, ::-1]), FLAT, {"positions": POINTS[:, :2]}, {"coordinates"},
     "in the order 1, 0"),
    (lambda q, p: TALL.rotate(q, p, 8192), TALL, {"length": 8192}, None, ""),
    (lambda q, p: FAST.rotate(q, p).astype(np.float64), FAST, {}, None, "(float32 allows"),
    (LOW, FAST, {}, None, "(bfloat16 allows"),
    *((turned("halves", (*shape, 64)), FAST, {}, None, "")
      for shape in ((2, 300), (2, 300, 4), (300, 4))),
    (turned("interleaved", (2, 300, 64)), FAST, {}, {"layout"}, ""),
    (SLOW.rotate, Plan.from_dict(CONFIG).groups[0], {}, None, ""),
    (FAST.rotate, CONFIG, {}, {"base"}, "wrong: the base is 10,000 instead of 500,000"),
    # Tables
    (lambda n, d: Convention().table(n, d) + 1e-8, Convention(), {}, None, "float32, not float64"),
    (lambda n, d: Convention().table(n, d) + 1e-8, Convention(), {"dtype": "float64"}, set(), ""),
    (lambda n, d: Convention().encode(rounded(np.arange(float(n)), "bfloat16"), d),
     Convention(), {}, {"positions rounded"}, ""),
    (Convention(angle_scale=0.3, start=5).table, Convention(), {}, set(),
     "it is the table of Convention(angle_scale=0.3, start=5)"),
    (Convention().encode(np.log1p(np.arange(99)), 64), Convention(), {}, set(),
     "its rows are positions or times that "),
    (np.where(np.eye(64) > 0, np.nan, np.hstack(FAST.cosine_sine(np.arange(64)))), FAST, {}, set(),
     "nan at position 0, column 0"),
    (of_two_parts(100, 400), LONGROPE, {}, None,
     "both of two parts: 100 rows with short_factor, then"),
    (of_two_parts(100, 100), LONGROPE, {}, {"text"}, "the part with long_factor of two parts"),
    # Frequencies, whose number may be another, and which half precision does not allow
    (Rotary(128).frequencies(), Rotary(128, rotary_dim=64), {}, {"whole head"},
     "64 columns instead of 32"),
    (1e4 ** -(np.arange(32) / 31), FAST, {}, {"exponent"},
     "the exponent is 2i/(d - 2) instead of 2i/d"),
    ({"inv_freq": IN_BFLOAT16}, SLOW, {"dtype": "bfloat16"}, {"frequencies rounded"},
     "trained with such frequencies needs them"),
    (NOISY_LOW, FAST, {}, set(), PROBABLY),
    (Rotary(64, frequencies=NOISY_LOW).rotate, FAST, {"positions": range(200)}, set(), PROBABLY),
    # Errors without a known cause
    (changing(lambda _, y, p: np.where((p == 77)[:, np.newaxis], y[:, np.r_[1, 0, 2:16]], y)),
     SMALL, {}, set(), "features that agree everywhere: 2 to 15; positions that agree: 0 to 76, "),
    (changing(lambda q, y, p: np.where(p[:, np.newaxis] % 2, q, y)), SMALL, {}, set(),
     "at a steady pace: 0 to"),
    (changing(lambda _, y, p: y + 1e-2 * np.sin(np.outer(p, np.arange(16)))), SMALL, {}, set(),
     "differs by 0.01"),
    (changing(lambda _, y, __: y * np.float32(1.0005)), SMALL, {}, set(),
     "multiplied by 1.0005 instead of 1"),
    # An error that grows is no end of rows.
    (lambda q, p: rounded(STEADY.rotate(q, p), "bfloat16"), SMALL, {}, set(), "differs by "),
    *((STEADY.rotate, SMALL, {"positions": near}, set(), "pair 1 turns by 0.31591 instead")
      for near in ([0, 1], [0, 1, 100, 101])),
]  # fmt: skip


@pytest.mark.parametrize(("mine", "what", "given", "slips", "words"), VERDICTS)
def test_a_verdict_names_the_slips_and_says_what_was_measured(mine, what, given, slips, words):
    verdict = check(mine, what, **given)
    assert bool(verdict) == (slips is None)
    assert slips in [set(one) for one in verdict.slips] or not slips
    assert bool(verdict.slips) == bool(slips)
    assert words in str(verdict)
    assert (UNKNOWN in str(verdict)) == (slips == set()), str(verdict)
    assert ("probably" in str(verdict)) == (words == PROBABLY)
    assert "inf" not in str(verdict)


LN = np.log(1e4)
LOW_FORMULAS = {  # n has the numbers 2i; JAX makes constants beside bfloat16 a `low`, too
    "1 / base ** (2i/d), with its constants": lambda n, low: 1 / low(1e4) ** (n / low(80)),
    "base ** (-2i/d), with its constants": lambda n, low: low(1e4) ** (-n / low(80)),
    "exp(-ln base * (2i/d)), with its constants": lambda n, low: np.exp(low(-LN) * (n / low(80))),
    "exp(2i * (-ln base / d)), with its constants": lambda n, low: np.exp(n * low(-LN / 80)),
    "only the exponent of base ** (-2i/d)": lambda n, low: 1e4 ** -(n / low(80)).astype(float),
}


@pytest.mark.parametrize("formula", LOW_FORMULAS)
def test_frequencies_that_are_computed_in_bfloat16_are_named(formula):
    low = pytest.importorskip("ml_dtypes").bfloat16
    made = LOW_FORMULAS[formula](np.arange(0, 80, 2).astype(low), low)
    for given in (made, Rotary(80, frequencies=made.astype(np.float64)).rotate):
        verdict = check(given, Rotary(80))
        assert verdict.words == (f"frequencies are computed in bfloat16: {formula}",), str(verdict)


def test_positions_beyond_the_training_texts_ask_for_the_length():
    far, q = [3000, 4000], np.ones((2, 4))
    mine = lambda q, p: TALL.rotate(q, p, 4001)  # noqa: E731
    for function, given in ((mine, {"positions": far}), ((q, mine(q, far), far), {})):
        with pytest.warns(UserWarning, match="^length must be given in a text of more than 2,048"):
            assert not check(function, TALL, **given)
        assert check(function, TALL, length=4001, **given)


ONE = np.ones((1, 64)), np.ones((1, 64)), [1]
STILL = np.ones((2, 64)), np.ones((2, 64)), [0, 0]
MIXED_LAYERS = {"model_type": "gemma3_text", "head_dim": 64, "num_hidden_layers": 6}
NEAR_ENOUGH = "positions must be near enough for rounded angles to show anything, got up to 1e+"
BAD = [  # a function, what it should be, options and the beginning of the error
    (len, FAST, {}, "function must take q (512, 64) and positions (512,), got TypeErr"),
    (lambda q, _: q[:, :8], FAST, {}, "function must return the shape of q, (512, 64)"),
    (np.eye(64), FAST, {}, "function must give cosines and sines together"),
    (np.ones((3, 2, 9)), FAST, {}, "function must give cosines and sines of one shape"),
    ({"w": np.ones(3), "b": 1}, FAST, {}, "function must hold frequencies"),
    (max, "no_library", {}, "what must be a name in CONVENTIONS, or a config that posenc reads: ["),
    (max, MIXED_LAYERS, {}, "what must have one rotation, or be one group of the plan: "),
    (max, FAST, {"positions": [[[1, 2]]]}, "positions must have shape (n,)"),
    (np.ones(4), Convention(), {}, "function must give a table (length, d_model)"),
    ((np.ones(4), np.ones(4), [1]), FAST, {}, "q and turned q must have one shape"),
    ((np.full((1, 64), np.nan), *ONE[1:]), FAST, {}, "q must be finite, got nan"),
    ("cache.npz", FAST, {}, "function must give numbers, got 'cache.npz' of dtype"),
    ((), FAST, {}, "function must be (cos, sin), or (q, turned_q, positions), if it"),
    (FAST.frequencies() + 0j, FAST, {}, "function must give real numbers, got array("),
    (lambda q, _: q + 0j, FAST, {}, "function must give real numbers, got array("),
    (np.eye(8) + 0j, Convention(), {}, "function must give real numbers, got array("),
    (np.ones((0, 64)), FAST, {}, "function must hold numbers, got shape (0, 64)"),
    ({"inv_freq": FAST.frequencies(), "freqs": np.eye(64)}, FAST, {}, "function['freqs'] must"),
    (np.eye(8), Convention(), {"positions": range(8)}, "positions must be None for a table"),
    (ONE, FAST, {"positions": [1]}, "positions must be None beside (q, turned_q, positions)"),
    (FAST.cosine_sine([0]), FAST, {}, "function must hold rows that turn by more than a"),
    (STILL, FAST, {}, "function must hold features that turn by more than a"),
    (Rotary(8, base=1.5).rotate, Rotary(8, base=1.5), {"positions": [10**9, 9**9]}, NEAR_ENOUGH),
]


@pytest.mark.parametrize(("function", "what", "given", "error"), BAD)
def test_bad_input_gets_an_error_that_names_the_argument(function, what, given, error):
    with pytest.raises((ValueError, TypeError)) as raised:
        check(function, what, **given)
    assert str(raised.value).startswith(error)
