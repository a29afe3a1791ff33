"""How similar every position is to three chosen ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style
from scripts.figures._lines import Line, columns, plot

CAPTION = """
**One curve, moved along: the dot product does not ask where the two positions stand.** Rows $0$,
$25$ and $49$ against all rows at $d = 128$, as a share of the largest dot product, which stands
where the positions meet {{ check: max(similarity(range(1, 50), 128)) < similarity(0, 128) }}. The
curve is symmetric.
"""
ALT = """
Three curves over {{ len(positional_encoding(50, 128)) : d }} positions at width
{{ len(encode(0, 128)) : d }}: the similarity to positions {{ 0 : d }}, {{ 25 : d }} and
{{ 49 : d }}. Each has a peak of {{ similarity(0, 128) / 64 : .0f }} at its own position and falls
from there in small waves, that of position {{ 25 : d }} alike on both sides
{{ check: max(abs(similarity(range(-25, 0), 128)[::-1] - similarity(range(1, 26), 128))) < 1e-9
}},
to {{ similarity(10, 128) / 64 : .2f }} at
{{ 10 : d }} positions off and {{ similarity(25, 128) / 64 : .2f }} at {{ 25 : d }}.
"""


@dataclass(frozen=True)
class Data:
    """One line for each position that the others are compared with."""

    positions: np.ndarray  # (length,)
    references: np.ndarray  # (references,)
    shares: np.ndarray  # (references, length) dot product over that of a row with itself


def data() -> Data:
    """The numbers of the figure."""
    positions, references = np.arange(50), np.array([0, 25, 49])
    return Data(
        positions=positions,
        references=references,
        shares=np.array([posenc.similarity(positions - q, 128) / 64 for q in references]),
    )


def lines(data: Data) -> list[Line]:
    """One line for each position that the others are compared with."""
    made = []
    for k, (q, share) in enumerate(zip(data.references, data.shares, strict=True)):
        made.append(Line(f"to position {q}", data.positions, share, color=k, dash=k))
    return made


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the position, one for each that it is compared with."""
    return columns("position", lines(data))


def static(data: Data) -> Figure:
    """Three lines in one panel, named at their peaks."""
    figure, ax = _style.canvas(height=3.1)
    drawn = lines(data)
    plot(ax, drawn)
    for line, q, side in zip(drawn, data.references, ("left", "center", "right"), strict=True):
        place = {"textcoords": "offset points", "ha": side, "color": _style.SERIES[line.color]}
        ax.annotate(line.label, (q, line.y[q]), (0, 5), **place)
    ax.set(xlabel="position", xticks=[0, 10, 25, 40, 49], yticks=[0, 0.5, 1], ylim=(0, 1))
    ax.margins(x=0.01)
    ax.set_title("share of the largest dot product", loc="left", pad=20)
    return figure
