"""The arcs that clocks meet in training, and those that a longer text adds."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from matplotlib.figure import Figure

from posenc import Rotary
from posenc.rotary import NTK, Linear, YaRN
from scripts.figures import _clocks, _style
from scripts.figures._lines import Line, plot

CAPTION = """
**In a longer text, the slow clocks leave the arc that they met in training {{ check: 4095 /
wavelengths(96)[35] < 1 < 4095 / wavelengths(96)[29] and all(131040 / wavelengths(96)[i] > 4095 /
wavelengths(96)[i] for i in [35, 41, 47]) }}.** Every sixth of
{{ len(wavelengths(96)) : d }} clocks, at the farthest offset. Grey: met in training. Red: new
in a text {{ 131072 / 4096 : .0f }} times as long. Neighbours: compared with *as trained*.
"""
ALT = """
Four rows of eight dials. In the first row five dials are grey all the way round: they turned
{{ 4095 / wavelengths(96)[5] : .0f }} to {{ 4095 / wavelengths(96)[29] : .1f }} times in training.
The other three have a grey arc, of {{ 4095 / wavelengths(96)[35] : .2f }},
{{ 4095 / wavelengths(96)[41] : .2f }} and {{ 4095 / wavelengths(96)[47] : .2f }} of a turn, and are
red on the rest. With linear scaling no dial has red, but neighbours are only
{{ sqrt((1 - stretched_similarity(1, "linear")) / (1 - stretched_similarity(1, "none"))) : .0% }}
as far apart as before. With NTK two of the three slow dials have red, and neighbours are
{{ sqrt((1 - stretched_similarity(1, "ntk")) / (1 - stretched_similarity(1, "none"))) : .0% }}
as far apart. With YaRN no dial has red, and neighbours are
{{ sqrt((1 - stretched_similarity(1, "yarn")) / (1 - stretched_similarity(1, "none"))) : .0% }}
as far apart.
"""
FARTHEST, FACTOR = 4095, 32  # offsets in training run from 0 to FARTHEST, then FACTOR times as far
SCALINGS = {
    "as trained": None,
    "linear": Linear(FACTOR),
    "NTK": NTK(FACTOR),
    "YaRN": YaRN(FACTOR, original_max_position_embeddings=FARTHEST + 1),
}


PAIRS = range(5, 48, 6)
COLUMNS, ROWS = [2.6 * k for k in range(len(PAIRS))], [0, -4.2, -7.5, -10.8]
TURN = 2 * np.pi


@dataclass(frozen=True)
class Data:
    """One dial for each scaling and pair."""

    trained: np.ndarray  # (pairs,) turns to the farthest offset of the training
    turns: np.ndarray  # (scalings, pairs) turns to the farthest offset of the longer text
    hands: np.ndarray  # (scalings, pairs, 2) sine and cosine there
    apart: np.ndarray  # (scalings,) distance of neighbours, as a share of that before


def data() -> Data:
    """The numbers of the figure."""
    heads = [Rotary(96, scaling=scaling) for scaling in SCALINGS.values()]
    waves = np.array([head.wavelengths()[PAIRS] for head in heads])
    hands = [np.stack(head.cosine_sine(FARTHEST * FACTOR)[::-1], axis=-1) for head in heads]
    steps = np.array([np.sqrt((np.sin(head.frequencies() / 2) ** 2).sum()) for head in heads])
    return Data(
        trained=FARTHEST / waves[0],
        turns=FARTHEST * FACTOR / waves,
        hands=np.array(hands)[:, PAIRS],
        apart=steps / steps[0],
    )


def dials(data: Data) -> dict[float, list[Line]]:
    """Faces, arcs and hands, by the widths of their lines."""
    faces, hands, arcs = [], [], {"met": list[Line](), "new": list[Line]()}
    for (row, name), (k, pair) in product(enumerate(SCALINGS), enumerate(PAIRS)):
        x, y, label = COLUMNS[k], ROWS[row], f"pair {pair}, {name}"
        seen, end = data.trained[k], data.turns[row, k]
        faces.append(Line(f"{label}, face", *_clocks.face(x, y), color=_style.FACE))
        for part, outline in _clocks.reached(x, y, TURN * seen, TURN * end).items():
            color = {"met": _style.BEFORE, "new": _style.NEW}[part]
            arcs[part].append(Line(f"{label}, {part}", *outline, color=color))
        across, up = 0.7 * data.hands[row, k]
        hand = np.array([x, x + across]), np.array([y, y + up])
        hands.append(Line(f"{label}, hand", *hand, color=_style.PAPER_BASE))
    return {0.8: faces, 3.4: [*arcs["met"], *arcs["new"]], 1.1: hands}


def table(data: Data) -> dict[str, np.ndarray]:
    """Turns of each pair, in training and in the longer text."""
    longer = {f"longer, {name}": turns for name, turns in zip(SCALINGS, data.turns, strict=True)}
    return {"pair": np.array(PAIRS), "in training": data.trained, **longer}


def _words(data: Data) -> list[tuple[float, float, str, str]]:
    """Names of the rows, distances of neighbours and turns in training: x, y, side, words."""
    left, right = COLUMNS[0] - 1, COLUMNS[-1] + 1
    apart = [f"neighbours {share:.0%} as far apart" for share in data.apart]
    apart[0] = "below: turns in training"
    shown = []
    for y, name, words in zip(ROWS, SCALINGS, apart, strict=True):
        shown += [(left, y + 1.4, "left", name), (right, y + 1.4, "right", words)]
    for x, turns in zip(COLUMNS, data.trained, strict=True):
        digits = 0 if turns > 10 else 1 if turns > 1 else 2
        shown.append((x, ROWS[0] - 1.75, "center", f"{turns:.{digits}f}"))
    return shown


def static(data: Data) -> Figure:
    """All dials in one plane."""
    figure, ax = _style.canvas(height=4.4)
    drawn = [line for width, each in dials(data).items() for line in plot(ax, each, width=width)]
    words = [ax.text(x, y, words, ha=side) for x, y, side, words in _words(data)]
    _clocks.bare(ax)
    ax.set(xlim=(-1.1, COLUMNS[-1] + 1.1), ylim=(ROWS[-1] - 1.1, 2.1))
    moving = [line for line in drawn if str(line.get_label()).endswith((", new", ", hand"))]
    apart = [text for text in words if text.get_text().startswith("neighbours")]
    _style.mark_for_sliders(ax, *moving, *apart)
    return figure
