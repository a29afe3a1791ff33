"""The four terms of an attention score, for a sentence of four words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from scripts.figures import _colors, _style
from scripts.numbers import quantities

CAPTION = """
**Only *place asks place* has the pattern for which the head was built: one word back.** "I am a
robot": a row for each word that asks, a column for each that answers. Frames mark each row's
highest place score; no word stands before the first.
"""
ALT = """
Four small heatmaps of four words by four words. Word asks word: the largest
value, {{ score_terms("word", "word")[3, 3] : .2f }}, is robot with itself
{{ check: all(score_terms("word", "word")[3, 3] >= score for row in score_terms("word", "word")
for score in row) }}.
Word asks place and
place asks word: no clear pattern, between
{{ min([score for k in range(2) for row in score_terms(["word", "place"][k], ["place", "word"][k])
for score in row]) : .2f }} and
{{ max([score for k in range(2) for row in score_terms(["word", "place"][k], ["place", "word"][k])
for score in row]) : .2f }}. Place asks place: the highest score of each row is framed. In the first
row it stands on the diagonal, in the others one column to its left, as
{{ score_terms("place", "place")[1, 0] : .2f }} in the row of am under I
{{ check: all(argmax(score_terms("place", "place")[p]) == max(p - 1, 0) for p in range(4)) }}.
"""
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


def _plain(title: str) -> str:
    return title.replace("\n", " ")
