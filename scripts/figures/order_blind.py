"""What attention answers to each word of two sentences, without and with the encoding."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

from scripts.figures import _style
from scripts.figures._lines import Line, plot, traces
from scripts.numbers import quantities

CAPTION = """
**Without positions, each word keeps its answer when the order changes**
{{ check: max([max(row) for row in abs(toy_attention("the dog bites the man")
- toy_attention("the man bites the dog")[[0, 4, 2, 3, 1]])]) < 1e-12 }}.
The two bars below a word are the two numbers of its answer. Grey frames show the answer of the same
word in the first sentence. With positions, no answer stays
{{ check: min([max(row) for row in abs(toy_attention("the dog bites the man", encoded=True)
- toy_attention("the man bites the dog", encoded=True)[[0, 4, 2, 3, 1]])]) > 0.7 }}.
"""
ALT = """
Four lines of five word cards with two bars below each card: the dog bites the man, and the man
bites the dog, first without positions and then with them. Without them dog has the bars
{{ toy_attention("the dog bites the man")[1, 0] : .2f }} and
{{ toy_attention("the dog bites the man")[1, 1] : .2f }} in both sentences, and both words the have
equal bars. With them dog has {{ toy_attention("the dog bites the man", encoded=True)[1, 0] : .2f }}
and {{ toy_attention("the dog bites the man", encoded=True)[1, 1] : .2f }} in the first sentence,
{{ toy_attention("the man bites the dog", encoded=True)[4, 0] : .2f }} and
{{ toy_attention("the man bites the dog", encoded=True)[4, 1] : .2f }} in the second.
"""
ORDERS = ("the dog bites the man", "the man bites the dog")
SIDES = ("without positions", "with positions")
COLORS = {"dog": 0, "man": 1, "bites": 2, "the": 3}
NUMBERS = ("first", "second")
_FIRST = [0, 4, 2, 3, 1]  # where each word of the second sentence stands in the first


@dataclass(frozen=True)
class Data:
    """Answers, and outlines of cards, bars and frames; a strip is one sentence on one side."""

    answers: np.ndarray  # (strips, places, 2)
    zero: np.ndarray  # (strips,) height at which the bars begin
    card_x: np.ndarray  # (strips, places, 5) once around
    card_y: np.ndarray
    bar_x: np.ndarray  # (strips, places, 2, 2) from zero to the tip
    bar_y: np.ndarray
    frame_x: np.ndarray  # (strips, places, 2, 4) the answer in the first sentence
    frame_y: np.ndarray


def data() -> Data:
    """The answers, and the places of the drawing."""
    answers = np.array(
        [quantities.toy_attention(o, encoded=e) for e in (False, True) for o in ORDERS]
    )
    first = np.stack([answers[0], answers[0][_FIRST], answers[2], answers[2][_FIRST]])
    zero, place = np.array([0.0, -3, -6.8, -9.8]), 2.0 * np.arange(5)
    middle = np.broadcast_to(place[:, None] + [-0.3, 0.3], answers.shape)
    start = np.broadcast_to(zero[:, None, None], answers.shape)
    tip, before = start + 0.4 * answers, start + 0.4 * first
    left, right = middle - 0.17, middle + 0.17
    return Data(
        answers=answers,
        zero=zero,
        card_x=np.broadcast_to(place[:, None] + [-0.9, 0.9, 0.9, -0.9, -0.9], (4, 5, 5)),
        card_y=np.broadcast_to(zero[:, None, None] + [1.5, 1.5, 2.1, 2.1, 1.5], (4, 5, 5)),
        bar_x=np.stack([middle, middle], axis=-1),
        bar_y=np.stack([start, tip], axis=-1),
        frame_x=np.stack([left, left, right, right], axis=-1),
        frame_y=np.stack([start, before, before, start], axis=-1),
    )


def _strips() -> list[tuple[str, list[str]]]:
    return [(f"{order}, {side}", order.split()) for side in SIDES for order in ORDERS]


def thin(data: Data) -> list[Line]:
    """Cards, the line on which the bars stand, and frames below the second sentences."""
    made = []
    for s, (strip, words) in enumerate(_strips()):
        ends = data.card_x[s, [0, 4], [0, 1]]
        made.append(Line(f"zero, {strip}", ends, data.zero[[s, s]], color=_style.FACE))
        for k, word in enumerate(words):
            name = f"{word}, place {k}, {strip}"
            made.append(Line(name, data.card_x[s, k], data.card_y[s, k], color=_style.PAPER_BASE))
            for j, number in enumerate(NUMBERS if s % 2 else ()):
                x, y = data.frame_x[s, k, j], data.frame_y[s, k, j]
                made.append(Line(f"{name}, {number}, before", x, y, color=_style.BEFORE))
    return made


def bars(data: Data) -> list[Line]:
    """Two bars for each card."""
    made = []
    for s, (strip, words) in enumerate(_strips()):
        for k, word in enumerate(words):
            for j, number in enumerate(NUMBERS):
                name = f"{word}, place {k}, {strip}, {number}"
                value = f"{number} number {data.answers[s, k, j]:.4f}"
                hover = f"<b>{word}</b> at position {k}<br>{strip}<br>{value}"
                x, y = data.bar_x[s, k, j], data.bar_y[s, k, j]
                made.append(Line(name, x, y, hover, color=COLORS[word]))
    return made


def _labels(data: Data) -> list[tuple[float, float, str, str]]:
    """Place, words and alignment of what stands in the drawing."""
    sides = [(-0.9, data.card_y[2 * k, 0, 2], SIDES[k]) for k in range(2)]
    cards = [
        (data.bar_x[s, k].mean(), data.card_y[s, k, 1:3].mean(), word, "center")
        for s, (_, words) in enumerate(_strips())
        for k, word in enumerate(words)
    ]
    return [*[(x, y, f"{side}:", "left") for x, y, side in sides], *cards]


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each place."""
    return {
        f"{number} number, {strip}": data.answers[s, :, j]
        for s, (strip, _) in enumerate(_strips())
        for j, number in enumerate(NUMBERS)
    }


def static(data: Data) -> Figure:
    """Four strips, one below the other."""
    figure, ax = _style.canvas(height=5.4)
    plot(ax, thin(data), width=1)
    for bar in plot(ax, bars(data), width=9):
        bar.set_solid_capstyle("butt")
    for x, y, words, side in _labels(data):
        lift = 6 if side == "left" else 0
        ax.annotate(
            words,
            (x, y),
            (0, lift),
            textcoords="offset points",
            ha=side,
            va="bottom" if lift else "center",
        )
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same strips, with the numbers in the hover text."""
    figure = traces(go.Figure(), thin(data), width=1.2)
    traces(figure, bars(data), width=11)
    for x, y, words, side in _labels(data):
        above = "bottom" if side == "left" else "middle"
        figure.add_annotation(x=x, y=y, text=words, showarrow=False, xanchor=side, yanchor=above)
    margin = {"l": 8, "r": 8, "t": 24, "b": 8}
    _style.layout(figure, x="", y="", showlegend=False, margin=margin)
    figure.update_xaxes(visible=False)
    return figure.update_yaxes(visible=False)
