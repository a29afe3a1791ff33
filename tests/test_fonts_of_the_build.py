"""A build says in one line why it has no packages of npm, or no maths font."""

from __future__ import annotations

import os
import re

import pytest

from scripts import files
from scripts.browser import vendor
from scripts.build import __main__ as command


def test_a_missing_or_damaged_font_is_named(tmp_path, monkeypatch, capsys):
    for part in vendor._BUNDLES:
        folder = tmp_path / f"plotly.js-{part}-dist-min"
        folder.mkdir()
        (folder / f"plotly-{part}.min.js").touch()
    font = tmp_path / vendor._FONT_SOURCE
    font.parent.mkdir(parents=True)
    monkeypatch.setattr(vendor, "_MODULES", tmp_path)
    monkeypatch.setattr(vendor, "are_installed", lambda: True)
    monkeypatch.setattr(files, "WORK", tmp_path / ".build")
    monkeypatch.setattr(command, "build", lambda **_: vendor.collect())
    assert command.main([]) == 1
    assert capsys.readouterr().err == f"error: {font}: No such file or directory\n"
    font.write_bytes(b"no font")
    assert command.main([]) == 1
    said = rf"error: {re.escape(str(font))}: .*; remove node_modules\n"
    assert re.fullmatch(said, capsys.readouterr().err)


NPM = """\
#!/bin/sh
echo npm error code ENOTFOUND >&2
echo npm error network request to https://registry.npmjs.org/plotly failed >&2
echo npm error A complete log of this run can be found in: /root/.npm/_logs/debug-0.log >&2
exit 1
"""


def test_where_npm_fails_ci_stops_and_any_other_build_takes_all_of_plotly(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(vendor, "are_installed", lambda: False)
    for script, reason in (
        (NPM, "network request to https://registry.npmjs.org/plotly failed"),
        ("#!/bin/sh\nexit 1\n", "no message"),
    ):
        (tmp_path / "npm").write_text(script)
        (tmp_path / "npm").chmod(0o755)
        monkeypatch.delenv("CI", raising=False)
        made, line = vendor.collect()
        assert list(made) == ["plotly.min.js"]
        told = f"npm ci failed: {reason}"
        assert (
            line == f"all of Plotly, from the Python package; the reader's own maths fonts ({told})"
        )
        monkeypatch.setenv("CI", "true")
        with pytest.raises(files.BuildError, match=f"^{re.escape(told)}$"):
            vendor.collect()
