"""A build says in one line why it has no packages of npm, or no maths font."""

from __future__ import annotations

import os
import re

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


def test_a_missing_or_damaged_font_is_named(font, capsys):
    assert command.main([]) == 1
    assert capsys.readouterr().err == f"error: {font}: No such file or directory\n"
    font.write_bytes(b"no font")
    assert command.main([]) == 1
    said = rf"error: {re.escape(str(font))}: .*; remove node_modules\n"
    assert re.fullmatch(said, capsys.readouterr().err)


NPM = """\
#!/bin/sh
cat >&2 <<END
npm error code ENOTFOUND
npm error syscall getaddrinfo
npm error errno ENOTFOUND
npm error network request to https://registry.npmjs.org/plotly failed
npm error A complete log of this run can be found in: /root/.npm/_logs/debug-0.log
END
exit 1
"""
FAILED = "npm ci failed: network request to https://registry.npmjs.org/plotly failed"


@pytest.fixture
def npm(tmp_path, monkeypatch):
    """A function that puts an npm with this script on the PATH; nothing is installed yet."""

    def put(script):
        (tmp_path / "npm").write_text(script)
        (tmp_path / "npm").chmod(0o755)

    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(vendor, "are_installed", lambda: False)
    return put


def test_where_npm_fails_the_build_takes_all_of_plotly_and_says_why(npm, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    npm(NPM)
    made, line = vendor.collect()
    assert list(made) == ["plotly.min.js"]
    assert (
        line == f"all of Plotly, from the Python package; the reader's own maths fonts ({FAILED})"
    )


def test_in_ci_a_failure_of_npm_stops_the_build(npm, monkeypatch):
    monkeypatch.setenv("CI", "true")
    npm(NPM)
    with pytest.raises(files.BuildError, match=f"^{re.escape(FAILED)}$"):
        vendor.collect()
    npm("#!/bin/sh\nexit 1\n")
    with pytest.raises(files.BuildError, match=r"^npm ci failed: no message$"):
        vendor.collect()
