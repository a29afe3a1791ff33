"""A build whose maths font is missing or damaged says so in one line."""

from __future__ import annotations

import pytest

from scripts import files
from scripts.browser import vendor
from scripts.build import __main__ as command


@pytest.fixture
def font(tmp_path, monkeypatch):
    """The place of the font in an installation from npm that has all the rest."""
    for part in vendor._BUNDLES:
        folder = tmp_path / f"plotly.js-{part}-dist-min"
        folder.mkdir()
        (folder / f"plotly-{part}.min.js").touch()
    place = tmp_path / vendor._FONT_SOURCE
    place.parent.mkdir(parents=True)
    monkeypatch.setattr(vendor, "_MODULES", tmp_path)
    monkeypatch.setattr(vendor, "are_installed", lambda: True)
    monkeypatch.setattr(files, "WORK", tmp_path / ".build")
    monkeypatch.setattr(command, "build", lambda **_: vendor.collect())
    return place


def test_a_missing_font_is_named(font, capsys):
    assert command.main([]) == 1
    assert capsys.readouterr().err == f"error: {font}: No such file or directory\n"


def test_a_damaged_font_is_named(font, capsys):
    font.write_bytes(b"no font")
    assert command.main([]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"error: {font}: ")
    assert said.endswith("; remove node_modules\n")
    assert said.count("\n") == 1
