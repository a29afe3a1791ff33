"""Embedding plus encoding is what the first layer sees."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

import posenc
from scripts.figures import _colors, _style
from scripts.numbers.quantities import robot_embeddings

CAPTION = """
**What the first layer reads is the sum, cell by cell.** "I am a robot" at $d = 4$ and $n = 100$.
The fast pair, on the left of the encoding, changes from word to word; the slow cosine adds almost
the same.
"""
ALT = """
Three heatmaps side by side, four words by four dimensions: the scaled embeddings, the encoding,
and their sum. In the row of "robot" the first cells are
{{ robot_embeddings()[3, 0] * sqrt(4) : .2f }}, {{ encode(3, 4, base=100)[0] : .2f }} and
{{ robot_embeddings()[3, 0] * sqrt(4) + encode(3, 4, base=100)[0] : .2f }}. The last column of the
encoding stays between {{ encode(3, 4, base=100)[3] : .3f }} and
{{ encode(0, 4, base=100)[3] : .3f }}
{{ check: min(positional_encoding(4, 4, base=100)[:, 3]) == encode(3, 4, base=100)[3] and
max(positional_encoding(4, 4, base=100)[:, 3]) == encode(0, 4, base=100)[3] }}.
"""
WORDS = ("I", "am", "a", "robot")
TITLES = ("word x", "+ encoding PE", "= sum z")
SCALE = _colors.Scale(-2.5, 2.5, ticks=(-2, 0, 2), title="value")


@dataclass(frozen=True)
class Data:
    """The two summands and the sum, each with one row for each word."""

    positions: np.ndarray  # (words,)
    dimensions: np.ndarray  # (d_model,)
    embeddings: np.ndarray  # (words, d_model), scaled by sqrt(d_model)
    encodings: np.ndarray  # (words, d_model)
    inputs: np.ndarray  # (words, d_model)


def data() -> Data:
    """The numbers of the figure."""
    embeddings = robot_embeddings() * np.sqrt(4)
    encodings = posenc.positional_encoding(4, 4, base=100)
    return Data(np.arange(4), np.arange(4), embeddings, encodings, embeddings + encodings)


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the position, one for each dimension of each matrix."""
    parts = {"embedding": data.embeddings, "encoding": data.encodings, "input": data.inputs}
    columns = {f"{name}, dimension {j}": m[:, j] for name, m in parts.items() for j in range(4)}
    return {"position": data.positions, **columns}


def static(data: Data) -> Figure:
    """Three heatmaps that share their colours."""
    figure, axes = _style.canvas(height=2.3, columns=3, sharex=True, sharey=True)
    matrices = (data.embeddings, data.encodings, data.inputs)
    for ax, matrix, title in zip(axes, matrices, TITLES, strict=True):
        image = _colors.image(ax, matrix, SCALE)
        ax.set_title(title, pad=5)
        ax.set_xticks(data.dimensions)
        ax.set_yticks(data.positions, WORDS)
        ax.tick_params(length=0, pad=5)
        ax.spines[:].set_visible(True)
    axes[1].set_xlabel("dimension")
    _colors.bar(figure, image, SCALE, ax=axes, pad=0.02)
    return figure
