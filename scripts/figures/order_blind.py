"""What attention answers to each word of two sentences, without and with the encoding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from scripts.figures import _style
from scripts.figures._lines import Line, plot
from scripts.numbers import quantities

CAPTION = """
**Without positions, each word keeps its answer when the order changes {{ check: max([max(row) for
row in abs(toy_attention("the dog bites the man") - toy_attention("the man bites the dog")[[0, 4, 2,
3, 1]])]) < 1e-12 }}.** The two bars below a word are the two numbers of its answer; grey frames
show its answer in the first sentence. With positions, no answer stays {{ check: min([max(row) for
row in abs(toy_attention("the dog bites the man", encoded=True) - toy_attention("the man bites the
dog", encoded=True)[[0, 4, 2, 3, 1]])]) > 0.7 }}.
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
_STRIPS = [(order, side) for side in SIDES for order in ORDERS]  # one below the other
_ZERO = (0, -3, -6.8, -9.8)  # where the bars of each strip begin
_FIRST = (0, 4, 2, 3, 1)  # where each word of the second sentence stands in the first


@dataclass(frozen=True)
class Data:
    """Answers, and the outlines of what is drawn."""

    answers: np.ndarray  # (strips, places, 2)
    thin_x: np.ndarray  # (outlines, 5) zero lines, cards, and frames of the first answers
    thin_y: np.ndarray
    bar_x: np.ndarray  # (bars, 2) from zero to the tip
    bar_y: np.ndarray


def data() -> Data:
    """The answers, and the places of the drawing."""
    answers = [quantities.toy_attention(o, encoded=s == SIDES[1]) for o, s in _STRIPS]
    thin: list[tuple[Any, Any]] = []
    bars: list[tuple[Any, Any]] = []
    for s, zero in enumerate(_ZERO):
        thin.append(([-0.9, 8.9, 8.9, 8.9, 8.9], [zero] * 5))
        for k, place in enumerate(_FIRST):
            edges = 2 * k + np.array([-0.9, 0.9, 0.9, -0.9, -0.9])
            thin.append((edges, zero + np.array([1.5, 1.5, 2.1, 2.1, 1.5])))
            for j, x in enumerate((2 * k - 0.3, 2 * k + 0.3)):
                bars.append(([x, x], [zero, zero + 0.4 * answers[s][k, j]]))
                before = zero + 0.4 * answers[s - s % 2][place, j]
                if s % 2:
                    frame = [x - 0.17, x - 0.17, x + 0.17, x + 0.17, x + 0.17]
                    thin.append((frame, [zero, before, before, zero, zero]))
    (thin_x, thin_y), (bar_x, bar_y) = (np.array(part).swapaxes(0, 1) for part in (thin, bars))
    return Data(answers=np.array(answers), thin_x=thin_x, thin_y=thin_y, bar_x=bar_x, bar_y=bar_y)


def _outlines() -> list[tuple[str, int]]:
    """Name and colour of each thin outline."""
    named = []
    for order, side in _STRIPS:
        named.append((f"zero, {order}, {side}", _style.FACE))
        for k, word in enumerate(order.split()):
            name = f"{word}, place {k}, {order}, {side}"
            named.append((name, _style.PAPER_BASE))
            if order == ORDERS[1]:
                named += [(f"{name}, {number}, before", _style.BEFORE) for number in NUMBERS]
    return named


def thin(data: Data) -> list[Line]:
    """Cards, the line on which the bars stand, and frames below the second sentences."""
    outlines = zip(_outlines(), data.thin_x, data.thin_y, strict=True)
    return [Line(name, x, y, color=color) for (name, color), x, y in outlines]


def bars(data: Data) -> list[Line]:
    """Two bars for each card."""
    made: list[Line] = []
    for order, side in _STRIPS:
        for k, word in enumerate(order.split()):
            for number in NUMBERS:
                name = f"{word}, place {k}, {order}, {side}, {number}"
                x, y = data.bar_x[len(made)], data.bar_y[len(made)]
                made.append(Line(name, x, y, color=COLORS[word]))
    return made


def _labels(data: Data) -> list[tuple[float, float, str, str]]:
    """Place, words and alignment of what stands in the drawing."""
    labels = []
    for card in thin(data):
        word, _, place = card.label.partition(", place ")
        if card.color == _style.PAPER_BASE:
            labels.append((card.x[:2].mean(), card.y[1:3].mean(), word, "center"))
            if place[0] == "0" and ORDERS[0] in place:
                labels.append((card.x[0], card.y[2], place.rpartition(", ")[2] + ":", "left"))
    return labels


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each place."""
    return {
        f"{number} number, {order}, {side}": data.answers[s, :, j]
        for s, (order, side) in enumerate(_STRIPS)
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
