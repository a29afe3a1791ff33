"""Sines, cosines and the encoding matrix as three surfaces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
import plotly.graph_objects as go
from matplotlib.figure import Figure

import posenc
from scripts.figures import _style

BUNDLE = "gl3d"
CAPTION = """
**The sines and the cosines settle into plains; the encoding, which takes columns from both in turn,
into a comb.** Three surfaces over {{ len(positional_encoding(64, 128)) : d }} positions and
{{ len(encode(0, 128)) : d }} dimensions. The plains lie at height {{ encode(0, 128)[-2] : .0f }}
and {{ encode(0, 128)[-1] : .0f }}. In the interactive figure, turning one surface turns all.
"""
ALT = """
Three surfaces in perspective, {{ len(positional_encoding(64, 128)) : d }} positions by
{{ len(encode(0, 128)) : d }} dimensions, heights from {{ -1 : d }} to {{ 1 : d }}. All ripple at
the low dimensions. Towards the high ones the sines settle at {{ encode(0, 128)[-2] : .0f }}, the
cosines at {{ encode(0, 128)[-1] : .0f }}
{{ check: max(max(abs(row)) for row in positional_encoding(64, 128)[:, 96:] - encode(0,
128)[96:]) < 0.1 }};
the combined surface alternates between the two.
"""
NAMES = ("sine", "cosine", "combined")


# Which column of the encoding stands in each column of a surface.
COLUMNS = {
    "sine": np.arange(128) // 2 * 2,
    "cosine": np.arange(128) // 2 * 2 + 1,
    "combined": np.arange(128),
}


@dataclass(frozen=True)
class Data:
    """Three matrices of one shape, `(positions, dimensions)`."""

    positions: np.ndarray  # (length,)
    dimensions: np.ndarray  # (d_model,)
    pairs: np.ndarray  # (d_model,)
    wavelengths: np.ndarray  # (d_model,) positions per turn
    sine: np.ndarray  # (length, d_model) sine of each column's angle
    cosine: np.ndarray  # (length, d_model)
    combined: np.ndarray  # (length, d_model) the encoding


def data() -> Data:
    """The numbers of the figure."""
    combined = posenc.positional_encoding(64, 128)
    return Data(
        positions=np.arange(64),
        dimensions=np.arange(128),
        pairs=np.arange(128) // 2,
        wavelengths=np.repeat(posenc.wavelengths(128), 2),
        sine=np.repeat(combined[:, 0::2], 2, axis=1),
        cosine=np.repeat(combined[:, 1::2], 2, axis=1),
        combined=combined,
    )


def table(data: Data) -> dict[str, np.ndarray]:
    """One column for the position, then each surface's columns."""
    columns = {f"{name} {j}": getattr(data, name)[:, j] for name in NAMES for j in data.dimensions}
    return {"position": data.positions, **columns}


def static(data: Data) -> Figure:
    """Three panels of mplot3d from one point of view, with the faces as an image."""
    figure, axes = _style.canvas(height=2.2, columns=3, subplot_kw={"projection": "3d"})
    figure.set_layout_engine("none")
    figure.set_dpi(200)
    dimensions, positions = np.meshgrid(data.dimensions, data.positions)
    for ax, name, left in zip(axes, NAMES, (0.05, 0.37, 0.69), strict=True):
        heights = getattr(data, name)
        faces = ax.plot_surface(
            dimensions,
            positions,
            heights,
            rstride=1,
            cstride=1,
            cmap=mpl.colormaps[_style.COLORMAP].resampled(12),
            vmin=-1,
            vmax=1,
            linewidth=0,
            antialiased=False,
            rasterized=True,
        )
        faces.set_array(heights[:-1, 1:].ravel())  # the means of corners hide the comb
        ax.set_title(name, y=0.98)
        _perspective(ax, left)
    axes[0].set_xlabel("dimension", labelpad=-6)
    axes[0].set_ylabel("position", labelpad=-6)
    return figure


def _perspective(ax: Any, left: float) -> None:
    ax.set_position((left, 0.0, 0.3, 0.92))
    ax.view_init(elev=32, azim=-118)
    ax.set_box_aspect((1, 1, 0.6), zoom=0.95)
    ax.set_xticks([0, 127])
    ax.set_yticks([0, 63])
    ax.set_zticks([0, 1])
    for axis in (ax.xaxis, ax.yaxis, ax.zaxis):
        axis.set_pane_color((1, 1, 1, 0))
        axis.set_tick_params(pad=-3)


def interactive(data: Data) -> go.Figure:
    """Three scenes in a row with one camera; each takes its columns from the encoding."""
    figure = go.Figure()
    about = np.stack([data.pairs, data.wavelengths], axis=-1).astype(np.float32)
    # A surface looks its custom data up as [x, y], unlike z.
    columns_first = np.broadcast_to(about[:, None], (*data.combined.T.shape, 2))
    for name, scene in zip(NAMES, ("scene", "scene2", "scene3"), strict=True):
        figure.add_surface(
            x=data.dimensions,
            y=data.positions,
            z=getattr(data, name).astype(np.float32),
            meta=_style.computed(*data.combined.shape, columns=COLUMNS[name].tolist()),
            customdata=columns_first,
            name=name,
            scene=scene,
            colorscale="Viridis",
            cmin=-1,
            cmax=1,
            showscale=False,
            hovertemplate=(
                f"{name}<br>position %{{y}}<br>dimension %{{x}}, pair %{{customdata[0]:d}}<br>"
                "wavelength %{customdata[1]:,.4~g} positions<br>value %{z:.4f}<extra></extra>"
            ),
        )
    corner = (data.dimensions[-1], data.positions[-1], 1)
    return _scenes(figure, x="dimension", y="position", corner=corner)


def _scenes(figure: go.Figure, *, x: str, y: str, corner: tuple[float, ...]) -> go.Figure:
    """`figure` with a row of scenes, one for each surface, its name above the point `corner`.

    The page's script keeps the cameras alike, and puts the scenes below one another on a phone.
    """
    color = "var(--fig-grid)"
    axis = {"gridcolor": color, "zerolinecolor": color, "spikecolor": _style.PLOTLY_SERIES[0]}
    title = {**dict(zip("xyz", corner, strict=True)), "showarrow": False, "yshift": 14}
    small = {"tickfont": {"size": 10}, "showbackground": False, "nticks": 4, **axis}
    for k, name in enumerate(NAMES):
        figure.layout[f"scene{k + 1 if k else ''}"] = {
            "domain": {"x": [k / len(NAMES), (k + 1) / len(NAMES)], "y": [0.1, 0.85]},
            "xaxis": {"title": {"text": x, "font": {"size": 11}}, **small},
            "yaxis": {"title": {"text": y, "font": {"size": 11}}, **small},
            "zaxis": {"title": {"text": ""}, **small, "tickvals": [0, 1]},
            "annotations": [{"text": name, **title}],
            "aspectmode": "manual",
            "aspectratio": {"x": 1, "y": 1, "z": 0.6},
            "camera": {"eye": {"x": -1.5, "y": -2.75, "z": 1.85}},
        }
    figure.update_layout(
        template="none",
        paper_bgcolor="rgba(0,0,0,0)",
        margin={"l": 0, "r": 0, "t": 24, "b": 0},
        meta={"sharedCamera": True},
    )
    return figure
