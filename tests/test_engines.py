"""Engines round as programs do: arrays that the programs made are reproduced, bit for bit.

tests/data/engines has the arrays. In float32 the last bit of a power, a cosine or a sine is the
program's own, so there the tests allow it, and nothing else.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

from posenc import Rotary, rotary
from posenc.rotary import ENGINES, Engine, Given
from scripts.files import ROOT

FOLDER = ROOT / "tests" / "data" / "engines"
REFERENCE = json.loads((FOLDER / "reference.json").read_text("utf-8"))
POSITIONS = REFERENCE["positions"]
with np.load(FOLDER / "reference.npz") as stored:
    ARRAYS = dict(stored)
RUNS = sorted({key.rpartition("/")[0] for key in ARRAYS})
HALF = [run for run in RUNS if not run.endswith("/float32")]
LAST_BIT = 2.0**-24  # of a float32 cosine or sine


def encoding(case):
    model = "gpt_neox" if "partial_rotary_factor" in case else "llama"
    numbers = {"rope_type": "default"} | case
    return Rotary.from_config({"model_type": model, "rope_parameters": numbers} | case)


def made(run):
    """The engine, the encoding, queries and precision of a run, and the program's arrays."""
    program, name, precision = run.split("/")
    rotary = encoding(REFERENCE["cases"][name])
    shape = (len(POSITIONS), rotary.head_dim)
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    own = {
        key.rpartition("/")[2]: array for key, array in ARRAYS.items() if key.startswith(f"{run}/")
    }
    return ENGINES[program], rotary, x, precision, own


@pytest.mark.parametrize("run", HALF)
def test_in_half_precision_tables_and_turned_queries_have_the_programs_own_bits(run):
    engine, rotary, x, precision, own = made(run)
    shown = engine.rotate(x, rotary, POSITIONS, precision=precision)
    assert np.array_equal(shown, own["turned"])
    if engine.table == "queries":
        table = engine.cosine_sine(rotary, POSITIONS, precision=precision)
        assert np.array_equal(table, (own["cosine"], own["sine"]))


@pytest.mark.parametrize("run", sorted(set(RUNS) - set(HALF)))
def test_in_float32_they_miss_at_most_the_last_bit_of_a_cosine_or_sine(run):
    engine, encoded, x, precision, own = made(run)
    if "yarn" in run:  # one of PyTorch's 64 powers differs in the last bit: its own are given
        rates = ARRAYS["transformers/yarn/float32/frequencies"]
        scaling = Given(rates, attention_factor=encoded.attention_factor())
        encoded = Rotary(128, scaling=scaling)
    table = np.array(engine.cosine_sine(encoded, POSITIONS))
    last = LAST_BIT if encoded.attention_factor() == 1 else 2 * LAST_BIT  # beyond 1 it is twice
    assert np.abs(table - (own["cosine"], own["sine"])).max() <= last
    shown = engine.rotate(x, encoded, POSITIONS, precision=precision)
    assert np.abs(shown - own["turned"]).max() <= 4 * LAST_BIT * np.abs(x).max()


def test_the_programs_that_were_run_are_those_that_say_so():
    run = {name for name, engine in ENGINES.items() if engine.source.endswith("; run on a CPU")}
    assert run == {name.partition("/")[0] for name in RUNS}
    assert all("; run" in engine.source or "; read" in engine.source for engine in ENGINES.values())


@pytest.mark.parametrize("layout", ["halves", "interleaved"])
@pytest.mark.parametrize("precision", ["float16", "bfloat16", "float32"])
def test_an_engine_in_float32_is_the_exact_turn_rounded_once(layout, precision):
    rng = np.random.default_rng(1)
    encoded = Rotary(20, rotary_dim=16, layout=layout, scaling=Given(rng.uniform(size=8)))
    x, near = rng.standard_normal((3, 5, 20)), [0, 1, 2, 5, 9]
    shown = Engine().rotate(x, encoded, near, precision=precision)
    rounded = Engine().rotate(x, encoded, np.zeros(5), precision=precision)
    exact = encoded.rotate(rounded.astype(np.float64), near)
    unit = {"float16": 2.0**-11, "bfloat16": 2.0**-8, "float32": 2.0**-24}[precision]
    assert shown.dtype == np.float32
    assert np.abs(shown - exact).max() <= (unit + 2.0**-20) * np.abs(x).max() * 2


def test_scalings_whose_steps_are_not_known_are_refused():
    dynamic = Rotary(8, scaling=rotary.DynamicNTK(2.0, max_position_embeddings=4))
    llama3 = Rotary(8, scaling=rotary.Llama3())
    with pytest.raises(ValueError, match=r"^rotary must have no scaling, Linear, .* got Dynamic"):
        ENGINES["transformers"].cosine_sine(dynamic, 0)
    with pytest.raises(ValueError, match=r"^rotary must have no scaling but Linear .* got Llama3"):
        ENGINES["llama_cpp"].cosine_sine(llama3, 0)
    with pytest.raises(TypeError, match=r"^rotary must be a Rotary, got 8$"):
        Engine().rotate([1.0] * 8, 8, 0)
