"""The four terms of an attention score, for a sentence of four words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from plotly.subplots import make_subplots

from scripts.figures import _colors, _style
from scripts.numbers import quantities

CAPTION = """
The scores of "I am a robot", taken apart. Each term is divided by $\\sqrt{m} = 2$. Each row is the
word that asks, each column the word that answers. The title says what asks and what answers. Only
the last panel has the pattern that the head was built for: its highest score in each row, framed,
is one word back (for *I*, itself). The sum of all four has its highest scores on the diagonal.
"""
ALT = """
Four heatmaps of four words by four words, each cell with its value. Word asks word: the largest
value, {{ score_terms("word", "word")[3, 3] : .2f }}, is robot with itself
{{ check: all(score_terms("word", "word")[3, 3] >= score for row in score_terms("word", "word")
for score in row) }}.
Word asks place and
place asks word: no clear pattern, between
{{ min([min(row) for row in score_terms("word", "place")]) : .2f }} and
{{ max([max(row) for row in score_terms("word", "place")]) : .2f }}. Place asks place: the value
{{ score_terms("place", "place")[1, 0] : .2f }} stands in the row of am under I, of a under am, and
of robot under a, and falls to both sides
{{ check: all(argmax(score_terms("place", "place")[p]) == max(p - 1, 0) for p in range(4)) and
all(argmax(score_terms("both", "both")[p]) == p for p in range(4)) }}.
"""
WORDS = ("I", "am", "a", "robot")
TERMS = (("word", "word"), ("word", "place"), ("place", "word"), ("place", "place"))
SCALE = _colors.Scale(-2, 2, ticks=(-2, 0, 2), title="score")
TITLES = tuple(f"{query} asks {key}" for query, key in TERMS)


@dataclass(frozen=True)
class Data:
    """Four score matrices, and where each row of the last has its maximum."""

    positions: np.ndarray  # (words,)
    word_word: np.ndarray  # (words, words)
    word_place: np.ndarray
    place_word: np.ndarray
    place_place: np.ndarray
    light: np.ndarray  # (terms, cells) cells that need dark letters
    best: np.ndarray  # (words,) column of the largest place-place score of each row


def data() -> Data:
    """The numbers of the figure."""
    terms = np.stack([quantities.score_terms(*term) for term in TERMS])
    names = ("word_word", "word_place", "place_word", "place_place")
    return Data(
        positions=np.arange(4),
        **dict(zip(names, terms, strict=True)),
        light=terms.reshape(4, 16) > 0.3,
        best=terms[3].argmax(axis=1),
    )


def _matrices(data: Data) -> tuple[np.ndarray, ...]:
    return data.word_word, data.word_place, data.place_word, data.place_place


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each word that asks."""
    columns = {"position": data.positions}
    for title, matrix in zip(TITLES, _matrices(data), strict=True):
        columns |= {f"{title}, {q}": matrix[:, q] for q in range(4)}
    return columns


def static(data: Data) -> Figure:
    """Two by two heatmaps with their values."""
    figure, axes = _style.canvas(height=4.8, rows=2, columns=2, sharex=True, sharey=True)
    for k, (ax, matrix) in enumerate(zip(axes.flat, _matrices(data), strict=True)):
        image = _colors.image(ax, matrix, SCALE)
        for (p, q), value in np.ndenumerate(matrix):
            ink = "black" if data.light[k, 4 * p + q] else "white"
            ax.text(q, p, f"{value:.2f}".replace("-", "−"), color=ink, ha="center", va="center")
        ax.set_title(TITLES[k], loc="left")
        ax.set_xticks(data.positions, WORDS)
        ax.set_yticks(data.positions, WORDS)
        ax.tick_params(length=0, pad=5)
        ax.spines[:].set_visible(False)
    for p, q in zip(data.positions, data.best, strict=True):
        corner = (q - 0.46, p - 0.46)
        frame = Rectangle(corner, 0.92, 0.92, fill=False, edgecolor="white", linewidth=2)
        axes[1, 1].add_patch(frame)
    _colors.bar(figure, image, SCALE, ax=axes, pad=0.02)
    return figure


def interactive(data: Data) -> go.Figure:
    """The same heatmaps and frames, with both words and the score in the hover text."""
    figure = make_subplots(
        rows=2, cols=2, subplot_titles=TITLES, shared_xaxes=True, shared_yaxes=True
    )
    about = '"%{y}" asks "%{x}"<br>score %{z:.4f}'
    for k, matrix in enumerate(_matrices(data)):
        figure.add_heatmap(
            x=WORDS,
            y=WORDS,
            z=matrix.astype(np.float32),
            coloraxis="coloraxis",
            hovertemplate=f"{TITLES[k]}<br>{about}<extra></extra>",
            row=k // 2 + 1,
            col=k % 2 + 1,
        )
    for p, q in zip(data.positions, data.best, strict=True):
        sides = {"x0": q - 0.46, "x1": q + 0.46, "y0": p - 0.46, "y1": p + 0.46}
        figure.add_shape(type="rect", line={"color": "white", "width": 2}, **sides, row=2, col=2)
    _style.layout(figure, x="", y="")
    figure.update_xaxes(showgrid=False, zeroline=False, ticks="")
    figure.update_yaxes(autorange="reversed", showgrid=False, zeroline=False, ticks="")
    return figure.update_layout(coloraxis=_colors.plotly(SCALE, "c"))
