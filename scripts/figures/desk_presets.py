"""What a model answers to a long text with four presets of the desk, and where its clocks go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from posenc import Rotary
from posenc.rotary import NTK, Linear, YaRN
from scripts.figures import _clocks, _style
from scripts.figures._lines import Line, plot
from scripts.numbers.quantities import desk_right, desk_share

CAPTION = """
**Slow all clocks alike: {{ desk_share("linear") : .0% }} right; spare the fast ones:
{{ desk_share("parts") : .0% }} right.** Shares are of eight texts. Above: the first one's right
answers (green) and wrong ones (red). Below: every second clock, with angles met in training (grey)
and new ones (red).
"""
ALT = """
Four presets, each with a strip for the {{ 256 : d }} letters of a text and a row of
{{ len(frequencies(32)[::2]) : d }} dials. As trained, the strip is mostly green in its first half
and mostly red in its last quarter {{ check: sum(desk_right("trained")[:125]) / 125 > 0.8 and
sum(desk_right("trained")[-64:]) / 64 < 0.2 }}, {{ desk_share("trained") : .0% }} of the answers are
right, and the middle and slow dials have red arcs. Linear: no dial has a red arc, but the strip is
red, {{ desk_share("linear") : .0% }} right. NTK: {{ desk_share("ntk") : .0% }} right, some red
arcs. YaRN: the strip is green almost everywhere, {{ desk_share("parts") : .0% }} right, and none of
these dials has a red arc.
"""
TRAINED, LENGTH, BACK = 32, 256, 3  # letters in training, in this text, and without an answer
PAIRS, FACTOR, STEPS = 16, LENGTH // TRAINED, 15  # a fader divides the speed by 8 ** (step / 15)
LIMITS: dict[str, Any] = {"beta_fast": 4, "beta_slow": 0.5, "truncate": False}
PRESETS = {
    "As trained": ("trained", None),
    "Linear": ("linear", Linear(FACTOR)),
    "NTK": ("ntk", NTK(FACTOR)),
    "YaRN": ("parts", YaRN(FACTOR, original_max_position_embeddings=TRAINED, **LIMITS)),
}
SHOWN = range(0, PAIRS, 2)
ROW, STRIP, COLUMN = -5.4, 1.9, 3.8  # from preset to preset, up to the strip, from dial to dial
WIDE = COLUMN * (len(SHOWN) - 1) + 2
RIGHT, POINTS = 2, 25  # a colour, and the points of an arc


@dataclass(frozen=True)
class Data:
    """One text with each preset: verdicts, and the angles of the clocks."""

    shares: np.ndarray  # (presets,) of right answers, in eight texts
    right: np.ndarray  # (presets, answers)
    met: np.ndarray  # (pairs,) radians within the trained length
    ends: np.ndarray  # (presets, pairs) radians at the end of the text


def data() -> Data:
    """The numbers of the figure: the speeds are those of the nearest steps of the faders."""
    plain = Rotary(2 * PAIRS).frequencies()
    scaled = [Rotary(2 * PAIRS, scaling=one).frequencies() for _, one in PRESETS.values()]
    steps = (STEPS * np.log(plain / np.array(scaled)) / np.log(FACTOR)).round()
    return Data(
        shares=np.array([desk_share(name) for name, _ in PRESETS.values()]),
        right=np.array([desk_right(name) for name, _ in PRESETS.values()]),
        met=plain[SHOWN] * TRAINED,
        ends=(plain * FACTOR ** (-steps / STEPS) * LENGTH)[:, SHOWN],
    )


def lines(data: Data) -> dict[float, list[Line]]:
    """Faces, arcs, hands and verdicts, by the widths of their lines."""
    faces, arcs, hands, strips = [], [], [], []
    for row, name in enumerate(PRESETS):
        drawn: dict[str, list[_clocks.Outline]] = {
            part: [] for part in ("faces", "met", "new", "hands")
        }
        for k, end in enumerate(data.ends[row]):
            place = COLUMN * k, ROW * row
            if data.met[k] < 2 * np.pi:  # the arc would cover it
                drawn["faces"].append(_clocks.arc(*place, 0, 2 * np.pi, points=POINTS))
            for part, arc in _clocks.reached(*place, data.met[k], end, points=POINTS).items():
                drawn[part].append(arc)
            drawn["hands"].append(_clocks.hand(*place, end, length=0.7))
        faces.append(_joined(f"{name}, faces", drawn["faces"], _style.FACE))
        hands.append(_joined(f"{name}, hands", drawn["hands"], _style.PAPER_BASE))
        for part, color in (("met", _style.BEFORE), ("new", _style.NEW)):
            if drawn[part]:
                arcs.append(_joined(f"{name}, {part}", drawn[part], color))
        for kind, color, up in (("right", RIGHT, 0.3), ("wrong", _style.NEW, -0.3)):
            is_kind = np.pad(data.right[row] == (kind == "right"), 1)
            ends = np.flatnonzero(np.diff(is_kind.astype(int))).reshape(-1, 2) + BACK  # of the runs
            y = np.full(2, ROW * row + STRIP + up)
            strips.append(
                _joined(f"{name}, {kind}", [(x / LENGTH * WIDE - 1, y) for x in ends], color)
            )
    return {0.8: faces, 2.4: arcs, 1.1: hands, 4: strips}


def _joined(name: str, outlines: list[_clocks.Outline], color: int) -> Line:
    """One line through all `outlines`, with a gap after each."""
    gap = np.array([np.nan])
    x, y = (np.concatenate([n for o in outlines for n in (o[k], gap)]) for k in (0, 1))
    return Line(name, x, y, color=color)


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each letter that has an answer."""
    verdicts = dict(zip(PRESETS, data.right, strict=True))
    return {"letter": np.arange(BACK, LENGTH) + 1, **verdicts}


def _words(data: Data) -> list[tuple[float, float, str, str]]:
    """Names of the presets, shares and ends: x, y, side, words."""
    shown = [(TRAINED / LENGTH * WIDE - 1, STRIP + 1.1, "right", "trained length ")]
    for row, (name, share) in enumerate(zip(PRESETS, data.shares, strict=True)):
        words = f"{name}: {share:.0%} right"
        shown.append((WIDE - 1, ROW * row + STRIP + 1.1, "right", words))
    low = ROW * (len(PRESETS) - 1) - 1.4
    return [*shown, (-1, low, "left", "fast clocks"), (WIDE - 1, low, "right", "slow clocks")]


def static(data: Data) -> Figure:
    """All strips and dials in one plane."""
    figure, ax = _style.canvas(height=4.7)
    for width, group in lines(data).items():
        for drawn in plot(ax, group, width=width):
            drawn.set_solid_capstyle("butt")
    for x, y, side, words in _words(data):
        ax.text(x, y, words, ha=side, va="bottom" if y > ROW * len(PRESETS) + 6 else "top")
    _clocks.bare(ax)
    ax.set(xlim=(-1.2, WIDE - 0.8), ylim=(ROW * (len(PRESETS) - 1) - 3, STRIP + 2.8))
    return figure
