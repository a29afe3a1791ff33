"""Wavelengths by pair before and after each scaling for long texts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure
from plotly.subplots import make_subplots

from scripts.figures import _style
from scripts.figures._lines import Line, plot, traces
from scripts.numbers import quantities

CAPTION = """
Wavelengths of the {{ len(stretched("none")) : d }} pairs of one head, before (dashed) and after
(solid) each scaling. The head has $m = 96$ and $n = 10{,}000$. It was trained on texts of
$4{,}096$ positions (dotted) and gets texts that are {{ 131072 / 4096 : .0f }} times as long. The
dynamic scaling is drawn for a text of $16{,}384$ positions, an eighth of the full length; at
the full length it is NTK.
"""
ALT = """
Six panels, each with a dashed line that rises straight from {{ stretched("none")[0] : .1f }} to
{{ stretched("none")[-1] : ,.0f }} positions on a logarithmic axis. A solid line shows the scaling.
Linear: the same line, lifted by a factor of
{{ stretched("linear")[0] / stretched("none")[0] : .0f }}
{{ check: all(stretched("linear")[i] / stretched("none")[i] > 31.99 for i in range(48)) }}.
NTK: it leaves the dashed line at the first pair and is
{{ stretched("ntk")[-1] / stretched("none")[-1] : .0f }} times as high at the last. Dynamic NTK: the
same, but {{ stretched("dynamic", 16384)[-1] / stretched("none")[-1] : .0f }} times. YaRN and Llama
{{ 3 : d }}: the solid line covers the dashed one at the left, climbs in the middle, and
runs above it at the right
{{ check: stretched("yarn")[10] == stretched("none")[10] and
stretched("llama3")[20] == stretched("none")[20] }}.
LongRoPE: similar, but the climb begins earlier and ends at
{{ stretched("longrope")[-1] / stretched("none")[-1] : .0f }} times.
"""
PANELS = {  # scaling, title, length of the text
    "linear": ("linear", 131_072),
    "ntk": ("NTK", 131_072),
    "dynamic": ("dynamic NTK", 16_384),
    "yarn": ("YaRN", 131_072),
    "llama3": ("Llama 3", 131_072),
    "longrope": ("LongRoPE", 131_072),
}


@dataclass(frozen=True)
class Data:
    """One line before, and one after each scaling."""

    pairs: np.ndarray  # (pairs,)
    before: np.ndarray  # (pairs,) positions per turn
    after: np.ndarray  # (scalings, pairs) positions per turn
    trained: np.ndarray  # (2,) the trained length at both ends of the axis
    ends: np.ndarray  # (2,) first and last pair


def data() -> Data:
    """The numbers of the figure."""
    after = [quantities.stretched(name, length) for name, (_, length) in PANELS.items()]
    return Data(
        pairs=np.arange(48),
        before=quantities.stretched("none"),
        after=np.array(after),
        trained=np.array([4096, 4096]),
        ends=np.array([0, 47]),
    )


def panels(data: Data) -> list[list[Line]]:
    """For each scaling the lines before and after, and the trained length."""
    return [_panel(data, k, title) for k, (title, _) in enumerate(PANELS.values())]


def _panel(data: Data, k: int, title: str) -> list[Line]:
    hover = "pair %{x}<br>wavelength %{y:,.4~g} positions"
    made = []
    for name, x, y, color, dash in (
        ("before", data.pairs, data.before, 1, 1),
        ("after", data.pairs, data.after[k], 0, 0),
        ("trained length", data.ends, data.trained, 4, 4),
    ):
        label, under = (f"{name}, {title}", name) if k else (name, "")
        about = "" if name == "trained length" else f"{title}, {name}<br>{hover}"
        made.append(Line(label, x, y, about, color=color, dash=dash, under=under))
    return made


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the pair, one before, one for each scaling."""
    after = {title: line for (title, _), line in zip(PANELS.values(), data.after, strict=True)}
    return {"pair": data.pairs, "before": data.before, **after}


def static(data: Data) -> Figure:
    """Three rows of two panels."""
    figure, axes = _style.canvas(height=6.2, rows=3, columns=2, sharex=True, sharey=True)
    titles = [title for title, _ in PANELS.values()]
    for ax, title, panel in zip(axes.ravel(), titles, panels(data), strict=True):
        _style.mark_for_sliders(ax, *plot(ax, panel))
        _style.logarithmic(ax.yaxis)
        ax.set_title(title, loc="left")
        ax.set(xlim=(0, 47), xticks=[0, 16, 32, 47], ylim=(3, 5e8))
    for ax in axes[-1]:
        ax.set_xlabel("pair")
    for ax in axes[:, 0]:
        ax.set_ylabel("wavelength")
    return figure


def interactive(data: Data) -> go.Figure:
    """The same panels, with pair and wavelength in the hover text."""
    titles = [title for title, _ in PANELS.values()]
    figure = make_subplots(
        rows=3,
        cols=2,
        subplot_titles=titles,
        shared_xaxes=True,
        shared_yaxes=True,
        vertical_spacing=0.12,
    )
    for k, panel in enumerate(panels(data)):
        traces(figure, panel, row=k // 2 + 1, col=k % 2 + 1)
    margin = {"l": 60, "r": 16, "t": 56, "b": 48}
    _style.layout(figure, x="pair", y="wavelength", log="y", margin=margin)
    return figure.update_layout(legend_y=1.06)
