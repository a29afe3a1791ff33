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
**Only *place asks place* has the pattern for which the head was built: one word back.** "I am a
robot", in the same colours, a row for each word that asks, a column for each that answers. Frames
mark the highest place score of each row; the first row has no word before it.
"""
ALT = """
Four small heatmaps of four words by four words. Word asks word: the largest
value, {{ score_terms("word", "word")[3, 3] : .2f }}, is robot with itself
{{ check: all(score_terms("word", "word")[3, 3] >= score for row in score_terms("word", "word")
for score in row) }}.
Word asks place and
place asks word: no clear pattern, between
{{ min([min(row) for row in score_terms("word", "place")]) : .2f }} and
{{ max([max(row) for row in score_terms("word", "place")]) : .2f }}. Place asks place: the highest
score of each row is framed. It stands one column left of the diagonal, as
{{ score_terms("place", "place")[1, 0] : .2f }} in the row of am under I
{{ check: all(argmax(score_terms("place", "place")[p]) == max(p - 1, 0) for p in range(4)) }}.
"""
WORDS = ("I", "am", "a", "robot")
TERMS = (("word", "word"), ("word", "place"), ("place", "word"), ("place", "place"))
SCALE = _colors.Scale(-2, 2, ticks=(-2, 0, 2), title="score")
TITLES = tuple(f"{query}\nasks {key}" for query, key in TERMS)


@dataclass(frozen=True)
class Data:
    """Four score matrices, and where each row of the last has its maximum."""

    positions: np.ndarray  # (words,)
    word_word: np.ndarray  # (words, words)
    word_place: np.ndarray
    place_word: np.ndarray
    place_place: np.ndarray
    best: np.ndarray  # (words,) column of the largest place-place score of each row


def data() -> Data:
    """The numbers of the figure."""
    terms = np.stack([quantities.score_terms(*term) for term in TERMS])
    names = ("word_word", "word_place", "place_word", "place_place")
    return Data(
        positions=np.arange(4),
        **dict(zip(names, terms, strict=True)),
        best=terms[3].argmax(axis=1),
    )


def _matrices(data: Data) -> tuple[np.ndarray, ...]:
    return data.word_word, data.word_place, data.place_word, data.place_place


def table(data: Data) -> dict[str, np.ndarray]:
    """One row for each word that asks."""
    columns = {"position": data.positions}
    for title, matrix in zip(TITLES, _matrices(data), strict=True):
        columns |= {f"{_plain(title)}, {q}": matrix[:, q] for q in range(4)}
    return columns


def static(data: Data) -> Figure:
    """Four heatmaps in a row."""
    figure, axes = _style.canvas(height=1.9, columns=4, sharex=True, sharey=True)
    for ax, matrix, title in zip(axes, _matrices(data), TITLES, strict=True):
        image = _colors.image(ax, matrix, SCALE, aspect="equal")
        ax.set_title(title.replace(" asks ", "\nasks "), loc="left")
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(True)
    for p, q in zip(data.positions, data.best, strict=True):
        corner = (q - 0.46, p - 0.46)
        frame = Rectangle(corner, 0.92, 0.92, fill=False, edgecolor=_style.INK, linewidth=1.5)
        axes[3].add_patch(frame)
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
            hovertemplate=f"{_plain(TITLES[k])}<br>{about}<extra></extra>",
            row=k // 2 + 1,
            col=k % 2 + 1,
        )
    for p, q in zip(data.positions, data.best, strict=True):
        sides = {"x0": q - 0.46, "x1": q + 0.46, "y0": p - 0.46, "y1": p + 0.46}
        figure.add_shape(
            type="rect", line={"color": "var(--fig-ink)", "width": 2}, **sides, row=2, col=2
        )
    _style.layout(figure, x="", y="")
    figure.update_xaxes(showgrid=False, zeroline=False, ticks="")
    figure.update_yaxes(autorange="reversed", showgrid=False, zeroline=False, ticks="")
    return figure.update_layout(coloraxis=_colors.plotly(SCALE, "c"))


def _plain(title: str) -> str:
    return title.replace("\n", " ")
