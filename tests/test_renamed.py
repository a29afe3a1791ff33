"""Options that have another name now work under the old one, with a warning."""

from __future__ import annotations

from dataclasses import replace

import pytest

from posenc import CONVENTIONS, Convention, grid_encoding, libraries
from posenc.rotary import axes

HALVES = Convention(layout="halves")
AXIAL = axes.AxialRotary(4, axes=[0, 1], frequencies=[1.0, 0.5])
OLD = [  # the warning, a call, and what it gives
    ("espnet_pe is now espnet", lambda: CONVENTIONS["espnet_pe"], Convention()),
    ("arrangement is now layout", lambda: Convention(arrangement="halves"), HALVES),
    ("arrangement is now layout", lambda: replace(Convention(), arrangement="halves"), HALVES),
    ("arrangement is now layout", lambda: HALVES.arrangement, "halves"),
    (
        "exact is now frequencies",
        lambda: axes.AxialRotary(4, axes=[0, 1], exact=[1.0, 0.5]),
        AXIAL,
    ),
    ("exact is now frequencies", lambda: AXIAL.exact, (1, 0.5)),
    (
        "layout is now grid",
        lambda: grid_encoding(1, 2, 4, layout="detr").tolist(),
        grid_encoding(1, 2, 4, grid="detr").tolist(),
    ),
]


@pytest.mark.parametrize(("rule", "call", "wanted"), OLD)
def test_an_old_name_gives_the_same_and_warns(rule, call, wanted):
    with pytest.warns(DeprecationWarning, match=f"^{rule}, and the old name will go$") as caught:
        assert call() == wanted
    assert len(caught) == 1


def test_each_old_name_of_a_library_leads_to_another_that_is_listed():
    assert set(libraries._OLD.values()) < set(CONVENTIONS)
    assert not set(libraries._OLD) & set(CONVENTIONS)


def test_a_name_that_never_was_is_no_attribute():
    with pytest.raises(AttributeError, match="'Convention' object has no attribute 'layouts'"):
        HALVES.layouts  # noqa: B018


def test_other_options_of_an_axial_encoding_change_without_its_frequencies():
    other = replace(AXIAL, layout="interleaved")
    assert other.frequencies().tolist() == [1.0, 0.5]
    assert "0.5" not in repr(other)
