"""Tables of models.json, which scripts also give to the page: what a type of model decides.

The types and their code are those of transformers 5.24.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from posenc.rotary._turn import Layout

VERSION = "5.24"
TABLES: dict[str, Any] = json.loads(Path(__file__).with_name("models.json").read_text("utf-8"))

# Encodings by their names in a plan, for readers.
ENCODINGS: dict[str, str] = {
    "rotary": "queries and keys that turn",
    "none": "no encoding of positions",
    "recurrent": "no attention: recurrence or convolution keeps the order",
    "learned": "a learned table of positions",
    "sinusoidal": "the sinusoidal encoding, added to the inputs",
    "sinusoidal and learned": "the sinusoidal encoding for sounds, a learned table for texts",
    "alibi": "ALiBi: a bias that falls with the distance",
    "t5": "T5's learned biases of distances, in buckets",
    "biases": "learned biases of distances",
    "learned and biases": "a learned table of positions, and learned biases of distances",
    "convolution and biases": "a convolution over the inputs, and learned biases of distances",
    "relative": "products with embeddings of distances",
    "convolution": "a convolution over the inputs",
}


def _spread(table: dict[str, str]) -> dict[str, str]:
    """Each of the names, with the key that holds it."""
    return {name: key for key, names in table.items() for name in names.split()}


def _names(key: str) -> frozenset[str]:
    return frozenset(TABLES[key].split())


ENCODING_OF = _spread(TABLES["encodings"])
TURN_IF_ROTARY = _spread(TABLES["turn if rotary"])
HALVES = _names("halves")
IGNORES_A_FLAT_SET = _names("a flat set is not read")
KEYS_NOT_READ = _spread(TABLES["keys not read"])
WANTS_ROPE_TYPE, OWN_CODE = _names("wants rope_type"), _names("code of their own")
ANOTHER_NTK = _names("another ntk")
OTHER_FILES: dict[str, str] = TABLES["other files"]
OTHER_FILES_OF_KNOWN: dict[str, str] = TABLES["other files of known types"]
ROPE_KEYS = _names("rope keys")
READS = {key: frozenset(names.split()) for key, names in TABLES["reads"].items()}
WITHOUT_WINDOWS, LAST_IS_FULL = _names("without windows"), _names("last layer is full")
QUERIES, QUERIES_THAT_STAY = _spread(TABLES["queries"]), _spread(TABLES["queries that stay"])
READS_FLAT = _names("reads flat files")
READS_SETS, FLAT = _names("reads sets of layers"), _spread(TABLES["flat"])
FULL_LAYERS_STAY, INTERVALS = _names("full layers stay"), _names("intervals")
BOTH_SIDES, BACKWARDS = _names("windows on both sides"), _names("turns the other way")
WITHOUT_ATTENTION = _names("without attention")
# The base that mlx-lm 0.32.2 takes where a file has it in rope_parameters, which these do not read.
MLX_BASES = _spread(TABLES["mlx-lm bases"])
LAYER_RULES = _spread(TABLES["layer types"])
WINDOWS = {name: int(number) for name, number in _spread(TABLES["windows"]).items()}
WINDOWS_MAY_BE_NULL = _names("windows may be null")
WINDOWS_EVERYWHERE, WINDOWS_IF_USED = _names("windows in every layer"), _names("windows if used")
SCORES = _spread(TABLES["scores"])
MULTIPLIERS: dict[str, float] = TABLES["multipliers"]
SCALARS: dict[str, float] = TABLES["scalars"]
PASSING: dict[str, int] = TABLES["passing"]
READ_IN_EVERY_SET: list[str] = TABLES["read in every set"]
READ_BY_TYPE: dict[str, list[str]] = TABLES["read by type"]
READS_INTERLEAVE = _names("reads rope_interleave")
FAILS_WITH_ONE_SET, FAILS_WITH_SETS = _names("fails with one set"), _names("fails with sets")
SCALED, LAYER_NAMES = TABLES["rope types"].split(), _names("names of layers")
FAILS_WITH_NULL = {key: frozenset(one.split()) for key, one in TABLES["fails with null"].items()}
TAKES_NULL_AS_BASE, WANTS = _names("takes null as base"), _spread(TABLES["wants in a set"])
ROPE_TYPES = _spread(TABLES["other rope types"])
DIFFUSERS_ENCODINGS = _spread(TABLES["diffusers encodings"])
DIFFUSERS_REFUSED = _spread(TABLES["diffusers refused"])
DIFFUSERS_ADD_OR_TURN = _names("diffusers adds or turns")
SENTENCES: dict[str, str] = TABLES["sentences"]
LEFT_OUT: dict[str, str] = TABLES["left out"]
GGUF = _spread(TABLES["gguf"])
GGUF_ENCODINGS = _spread(TABLES["gguf encodings"])
GGUF_SEPARATE, GGUF_OWN_SCORES = _names("gguf separate"), _names("gguf own scores")
GGUF_INTERVALS, GGUF_FULL_STAY = _names("gguf intervals"), _names("gguf full layers stay")
GGUF_ATTENTION = _spread(TABLES["gguf intervals of attention"])
GGUF_WINDOWS = _spread(TABLES["gguf windows"])
GGUF_SCALED = _names("gguf windows scaled")
GGUF_WINDOW_BASES: dict[str, float] = TABLES["gguf bases of windows"]


def _part_types() -> dict[str, dict[str, str]]:
    """For each outer type the types of its parts, by their keys."""
    found: dict[str, dict[str, str]] = {}
    for part, types in TABLES["parts"].items():
        for outer, inner in _spread(types).items():
            found.setdefault(outer, {})[part] = inner
    return found


def _mrope() -> dict[str, tuple[tuple[int, ...], str]]:
    """For each type with M-RoPE its sections by default, and their rule."""
    found = {}
    for name, how in _spread(TABLES["mrope"]).items():
        words = how.split()
        numbers = tuple(int(word) for word in words if word.isdecimal())
        found[name] = numbers, " ".join(word for word in words if not word.isdecimal())
    return found


PART_TYPES = _part_types()
MROPE = _mrope()


@dataclass(frozen=True)
class Axial:
    """How an encoder of images turns: its rule, and its sizes by default."""

    rule: str
    layout: Layout
    axes: tuple[str, ...]
    base: float
    width: int
    heads: int
    note: str | None = None


def _axial() -> dict[str, Axial]:
    found = {}
    for entry in TABLES["axial"]:
        fields = {key: value for key, value in entry.items() if key != "types"}
        how = Axial(**{**fields, "axes": tuple(fields["axes"])})
        found.update(dict.fromkeys(entry["types"].split(), how))
    return found


AXIAL_TYPES = _axial()
