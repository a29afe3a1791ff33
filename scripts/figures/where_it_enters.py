"""One attention head as a drawing: where the encoding enters, and where it goes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from matplotlib.figure import Figure
from matplotlib.markers import CARETUP

from scripts.figures import _style
from scripts.figures._lines import Line, plot
from scripts.numbers import quantities

CAPTION = """
**The encoding enters once, in the sum, and reaches everything above it.** The dog at position $1$
in *the dog bites the man*, from the bottom up; thick lines carry the encoding. The dots stand for
the other words.
"""
ALT = """
A drawing of boxes joined by arrows, from the bottom to the top. At the bottom stand two boxes: the
word dog, and the encoding of position {{ 1 : d }}, which is {{ encode(1, 4)[0] : .2f }},
{{ encode(1, 4)[1] : .2f }}, {{ encode(1, 4)[2] : .2f }}, {{ encode(1, 4)[3] : .2f }}. Both lead
into the sum. From the sum {{ 4 : d }} arrows go up. Two lead through the query and the keys into
the weights of the five words, and from there into the weighted mean of the values, which is
{{ toy_attention("the dog bites the man", encoded=True)[1, 0] : .2f }},
{{ toy_attention("the dog bites the man", encoded=True)[1, 1] : .2f }}. One leads through the values
into the same mean. The last one, the residual path, goes round all of these to the box where the
sum and the mean are added.
"""
BOXES = {  # left, right, bottom
    "word": (0.4, 3.1, 0),
    "encoding": (4.2, 7.3, 0),
    "sum": (1.6, 6.5, 1.8),
    "query": (-0.1, 1.9, 3.6),
    "keys": (2.1, 4.3, 3.6),
    "values": (4.5, 6.7, 3.6),
    "weights": (-0.1, 4.3, 5.4),
    "answer": (1.6, 6.7, 7.2),
    "added": (4.5, 7.6, 9),
}
NAMES = {
    "word": "word dog",
    "encoding": "encoding PE(1)",
    "weights": "weights of the five words",
    "answer": "answer: weighted mean of the values",
    "added": "added to the sum",
}
ARROWS = {  # from the first to the last of these points
    "word to sum": ((2, 1.1), (2, 1.8)),
    "encoding to sum": ((5.7, 1.1), (5.7, 1.8)),
    "sum to query": ((1.75, 2.9), (1.75, 3.2), (0.9, 3.2), (0.9, 3.6)),
    "sum to keys": ((3.2, 2.9), (3.2, 3.6)),
    "sum to values": ((5.6, 2.9), (5.6, 3.6)),
    "query to weights": ((0.9, 4.7), (0.9, 5.4)),
    "keys to weights": ((3.2, 4.7), (3.2, 5.4)),
    "weights to answer": ((2.6, 6.5), (2.6, 7.2)),
    "values to answer": ((5.6, 4.7), (5.6, 7.2)),
    "answer to added": ((5.6, 8.3), (5.6, 9)),
    "sum to added": ((6.3, 2.9), (6.3, 3.2), (7.2, 3.2), (7.2, 9)),
}
PLAIN = "word to sum"  # the one arrow that carries no encoding
NOTE = "residual path"  # from the sum to where it is added


@dataclass(frozen=True)
class Data:
    """What stands in the boxes, their outlines, and the points of the arrows."""

    word: np.ndarray  # (4,)
    encoding: np.ndarray  # (4,)
    sum: np.ndarray  # (4,)
    query: np.ndarray  # (2,)
    keys: np.ndarray  # (2,)
    values: np.ndarray  # (2,)
    weights: np.ndarray  # (5,)
    answer: np.ndarray  # (2,)
    outline_x: np.ndarray  # (boxes, 5) once around
    outline_y: np.ndarray
    arrow_x: np.ndarray  # (arrows, 4) the last point repeated where there are fewer
    arrow_y: np.ndarray


def data() -> Data:
    """The numbers of the dog's head, and the places of the drawing."""
    head = quantities.attention.toy_head("the dog bites the man", encoded=True)
    left, right, bottom = np.array(list(BOXES.values()), dtype=float).T
    points = np.array([p + p[-1:] * (4 - len(p)) for p in ARROWS.values()], dtype=float)
    top = bottom + 1.1
    return Data(
        word=head["words"][1],
        encoding=head["sums"][1] - head["words"][1],
        sum=head["sums"][1],
        query=head["queries"][1],
        keys=head["keys"][1],
        values=head["values"][1],
        weights=head["weights"][1],
        answer=head["weights"][1] @ head["values"],
        outline_x=np.stack([left, right, right, left, left], axis=1),
        outline_y=np.stack([bottom, bottom, top, top, bottom], axis=1),
        arrow_x=points[:, :, 0],
        arrow_y=points[:, :, 1],
    )


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each entry of the vectors."""
    return {"word": data.word, "encoding": data.encoding, "sum": data.sum}


def texts(data: Data) -> dict[str, str]:
    """The words of each box and, below them, its numbers."""
    made = {}
    for box in BOXES:
        numbers = getattr(data, box, ())
        shown = "  ".join(f"{value:.{0 if box == 'word' else 2}f}" for value in numbers)
        more = " …" if box in ("keys", "values") else ""
        made[box] = f"{NAMES.get(box, box)}\n{shown}{more}".strip().replace("-", "−")
    return made


def lines(data: Data) -> tuple[list[Line], list[Line]]:
    """The outlines of the boxes, and the arrows."""
    boxes = [
        Line(box, x, y, color=0 if box == "encoding" else _style.PAPER_BASE)
        for box, x, y in zip(BOXES, data.outline_x, data.outline_y, strict=True)
    ]
    arrows = [
        Line(name, x, y, color=_style.PAPER_BASE if name == PLAIN else 0)
        for name, x, y in zip(ARROWS, data.arrow_x, data.arrow_y, strict=True)
    ]
    return boxes, arrows


def static(data: Data) -> Figure:
    """Boxes with their words and numbers, and arrows that end in a head."""
    figure, ax = _style.canvas(height=6)
    boxes, arrows = lines(data)
    for arrow in arrows:
        width = 1.2 if arrow.label == PLAIN else 2.4
        (drawn,) = plot(ax, [replace(arrow, mark="^")], width=width, size=7)
        drawn.set(marker=CARETUP, markevery=[-1], solid_capstyle="butt")  # its tip is the point
    plot(ax, boxes, width=1.2)
    for box, words in zip(boxes, texts(data).values(), strict=True):
        center = (box.x[:2].mean(), box.y[1:3].mean())
        lifts = (0,) if box.label == "added" else (7, -7)
        for line, lift in zip(words.split("\n"), lifts, strict=True):
            place = {"textcoords": "offset points", "ha": "center", "va": "center"}
            ax.annotate(line, center, (0, lift), **place)
    ax.annotate(NOTE, (7.35, 5.6), va="center", rotation=90)
    ax.set_axis_off()
    return figure
