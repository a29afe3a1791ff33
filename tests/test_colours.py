"""What the colours of the figures look like to colour-blind readers, and on the page."""

from __future__ import annotations

from itertools import combinations, pairwise, product

import matplotlib as mpl
import numpy as np
import pytest

from scripts.figures import _style
from scripts.render import palette

PAPER = {palette.LIGHT: "#ffffff", palette.DARK: "#1e2129"}
# Machado, Oliveira and Fernandes 2009, table 1, for those without one kind of cones; linear RGB.
READERS = {
    "usual": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                   [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                     [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                   [0.004733, 0.691367, 0.303900]],
}  # fmt: skip
SRGB = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041]]  # fmt: skip
CLEAR, STEP = 10, 5  # CIEDE2000: different at a glance; neighbours on a ramp that has an order
LINES = ["1", "2", "3", "4", "5", "before", "ink"]
RAMP = [f"p{k}" for k in range(8)]
each_reader = pytest.mark.parametrize(
    ("scheme", "reader"), [*product([palette.LIGHT, palette.DARK], READERS)]
)


def linear(color):
    parts = np.array(mpl.colors.to_rgb(color))
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(color, reader="usual"):
    """CIE L*a*b* of what the reader sees, at D65."""
    seen = np.clip(READERS[reader] @ linear(color), 0, 1)
    x = SRGB @ seen / [0.95047, 1, 1.08883]
    f = np.where(x > 216 / 24389, np.cbrt(x), (24389 / 27 * x + 16) / 116)
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


def difference(one, other):
    """CIEDE2000 of two colours in L*a*b* (Sharma, Wu and Dalal 2005)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    weight = ((np.hypot(a1, b1) + np.hypot(a2, b2)) / 2) ** 7
    stretch = 1 + 0.5 * (1 - np.sqrt(weight / (weight + 25**7)))
    c1, c2 = np.hypot(a1 * stretch, b1), np.hypot(a2 * stretch, b2)
    h1, h2 = np.arctan2(b1, a1 * stretch), np.arctan2(b2, a2 * stretch)
    turn = (h2 - h1 + np.pi) % (2 * np.pi) - np.pi if c1 * c2 else 0
    hue = np.degrees(h1 + turn / 2) % 360
    light, chroma = (l1 + l2) / 2 - 50, (c1 + c2) / 2
    t = 1 + sum(
        factor * np.cos(np.radians(times * hue + shift))
        for factor, times, shift in ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.2, 4, -63))
    )
    dl = (l2 - l1) / (1 + 0.015 * light**2 / np.sqrt(20 + light**2))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * np.sqrt(c1 * c2) * np.sin(turn / 2) / (1 + 0.015 * chroma * t)
    twist = np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2)))
    mixed = 2 * np.sqrt(chroma**7 / (chroma**7 + 25**7)) * np.sin(twist)
    return np.sqrt(dl**2 + dc**2 + dh**2 - mixed * dc * dh)


@each_reader
def test_everyone_can_tell_the_colours_of_a_figure_from_each_other(scheme, reader):
    seen = {name[10:-1]: color for name, color in palette.colors(scheme).items()}
    wanted = dict.fromkeys([*combinations(LINES, 2), *((one, "new") for one in LINES[-2:])], CLEAR)
    wanted |= dict.fromkeys(pairwise(RAMP), STEP)
    wanted |= dict.fromkeys(zip(RAMP, RAMP[2:], strict=False), CLEAR)
    for pair, least in wanted.items():
        found = difference(*(lab(seen[name], reader) for name in pair))
        assert found >= least, (pair, found)


@each_reader
def test_everyone_can_tell_plus_from_minus_and_more_from_less(scheme, reader):
    paper = np.array(mpl.colors.to_rgb(PAPER[scheme]))
    ends = [np.array(mpl.colors.to_rgb(end)) for end in (_style.NEGATIVE, _style.POSITIVE)]
    tints = [[lab(paper + part * (end - paper), reader) for part in (0, 0.5, 1)] for end in ends]
    for minus, plus in zip(*(tint[1:] for tint in tints), strict=True):
        assert difference(minus, plus) >= CLEAR
    shares = [lab(color, reader) for color in mpl.colormaps[_style.COLORMAP](np.linspace(0, 1, 8))]
    for ramp, least in zip((*tints, shares), (CLEAR, CLEAR, STEP), strict=True):
        assert min(difference(*pair) for pair in pairwise(ramp)) >= least


def contrast(one, other):
    dark, bright = sorted(SRGB[1] @ linear(color) + 0.05 for color in (one, other))
    return bright / dark


@pytest.mark.parametrize("scheme", PAPER)
def test_the_palette_contrasts_with_the_page(scheme):
    colors = {k: c for k, c in palette.colors(scheme).items() if k != "var(--fig-grid)"}
    assert len(colors) == 1 + 5 + 3 + 8
    for name, color in colors.items():  # the pairs are lines, dots and hands, no text
        assert contrast(color, PAPER[scheme]) >= (3 if "--fig-p" in name else 4.5), name
