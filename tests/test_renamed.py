"""Options that have another name now work under the old one, with a warning."""

from __future__ import annotations

from dataclasses import replace

import pytest

import posenc
from posenc import CONVENTIONS, Convention, Rotary, grid_encoding, libraries, relative
from posenc.rotary import Linear, axes

HALVES = Convention(layout="halves")
AXIAL = axes.AxialRotary(4, axes=[0, 1], frequencies=[1.0, 0.5])
GOES = ", and the old name will go$"
OLD = [  # the warning, a call, and what it gives
    (f"espnet_pe is now espnet{GOES}", lambda: CONVENTIONS["espnet_pe"], Convention()),
    (f"arrangement is now layout{GOES}", lambda: replace(HALVES, arrangement="halves"), HALVES),
    (f"arrangement is now layout{GOES}", lambda: HALVES.arrangement, "halves"),
    (
        f"exact is now frequencies{GOES}",
        lambda: axes.AxialRotary(4, axes=[0, 1], exact=[1.0, 0.5]),
        AXIAL,
    ),
    (f"exact is now frequencies{GOES}", lambda: AXIAL.exact, (1, 0.5)),
    (
        f"layout is now grid{GOES}",
        lambda: grid_encoding(1, 2, 4, layout="detr").tolist(),
        grid_encoding(1, 2, 4, grid="detr").tolist(),
    ),
    (".* is now posenc.time_steps", lambda: relative.time_steps, posenc.time_steps),
    (
        "exact_frequencies will go",
        lambda: [float(one) for one in Linear(4).exact_frequencies(100.0, 4, None)],
        Rotary(4, base=100, scaling=Linear(4)).frequencies().tolist(),
    ),
]


@pytest.mark.parametrize(("rule", "call", "wanted"), OLD)
def test_an_old_name_gives_the_same_and_warns(rule, call, wanted):
    with pytest.warns(DeprecationWarning, match=f"^{rule}") as caught:
        assert call() == wanted
    assert len(caught) == 1


def test_a_name_leads_to_one_that_is_listed_or_is_no_name():
    assert set(libraries._OLD.values()) < set(CONVENTIONS)
    for module, name in ((HALVES, "layouts"), (relative, "other")):
        with pytest.raises(AttributeError, match=f"no attribute '{name}'"):
            getattr(module, name)
    other = replace(AXIAL, layout="interleaved")  # its frequencies stay
    assert other.frequencies().tolist() == [1.0, 0.5]
    assert "0.5" not in repr(other)
