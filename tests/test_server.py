"""`make serve`: an edited page is there at once, and a whole build follows."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from scripts.build import server
from scripts.files import ROOT, SITE
from tests import small_project
from tests.builds import build, environment

FAKES = {  # in the place of a build, and of the preview, which says of each edit that it is shown
    "scripts.build": "pass",
    "scripts.pages.preview": "import sys; [print('true', flush=True) for _ in sys.stdin]",
}
CALLS = ("build", "changed", "stop")
EDITS = {  # a changed file, and the programs that start
    "docs/a.md": ["scripts.build"],
    "docs/a.css": list(FAKES),
    "posenc/a.py": list(FAKES),
    "docs/new.md": list(FAKES),
    "docs/figures/a.svg": [],
}


@pytest.fixture
def builder(tmp_path, monkeypatch):
    """A builder for a project of five files, which starts FAKES; `started` has their names."""
    for name, place in (("ROOT", ""), ("DOCS", "docs"), ("_BUILT", "built")):
        monkeypatch.setattr(server, name, tmp_path / place)
    figure = tmp_path / "docs" / "figures" / "a.svg"
    stage = type("Stage", (), {"written": lambda _: [figure]})()
    monkeypatch.setattr(server, "rounds", lambda: [[stage]])
    for name in ("mkdocs.yml", *EDITS, "scripts/a.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        if "new" not in name:
            (tmp_path / name).touch()
    made = server.Builder(dict(os.environ))
    made.started = []

    def start(module):
        made.started.append(module)
        command = [sys.executable, "-c", FAKES[module]]
        pipe = subprocess.PIPE if "preview" in module else None
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    monkeypatch.setattr(made, "_started", start)
    yield made
    made.stop()


@pytest.mark.parametrize("name", EDITS)
def test_only_an_edited_page_is_shown_before_the_whole_build(name, builder, tmp_path):
    builder.build()
    builder.started.clear()
    builder.changed()
    assert builder.started == [], "nothing has changed"
    path = tmp_path / name
    path.touch()
    os.utime(path, ns=(1, 1))
    builder.changed()
    assert builder.started == EDITS[name]


@pytest.mark.thorough
def test_an_edited_page_is_the_same_as_after_the_next_build(tmp_path):
    project = tmp_path / "project"
    small_project.write(project)
    assert build(project).returncode == 0
    source, made = project / "docs" / "index.md", project / "site" / "index.html"
    preview = subprocess.Popen(
        [sys.executable, "-m", "scripts.pages.preview"],
        cwd=project,
        env=environment(project),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def shows(text):
        source.write_text(text, "utf-8")
        print(json.dumps(["index.md"]), file=preview.stdin, flush=True)
        return json.loads(preview.stdout.readline())

    text = source.read_text("utf-8")
    assert shows(f"{text}\n\nAn edit.\n")
    shown = made.read_text("utf-8")
    assert "<p>An edit.</p>" in shown
    assert not shows(f"{text}\n\n{{{{ nothing : d }}}}\n")
    assert made.read_text("utf-8") == shown
    assert shows(f"{text}\n\nAn edit.\n")
    preview.communicate()
    assert build(project).returncode == 0
    assert made.read_text("utf-8") == shown


def test_a_server_builds_again_after_a_change_and_ends_at_ctrl_c(monkeypatch):
    seen = []

    class Server:
        def __init__(self, *, builder, root, mount_path, **address):
            seen.append((Path(root), mount_path, address))
            self.builder, self.watch = builder, seen.append

        def serve(self):
            self.builder()
            raise KeyboardInterrupt

        def shutdown(self):
            seen.append("shut down")

    def builder(environment):
        assert environment["SITE_URL"] == f"http://127.0.0.1:{port}/"
        assert environment["LIVE_RELOAD"]
        return SimpleNamespace(**{name: partial(seen.append, name) for name in CALLS})

    monkeypatch.setattr("mkdocs.livereload.LiveReloadServer", Server)
    monkeypatch.setattr(server, "Builder", builder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert server.serve(port) == 0
    built, made, *watched, changed, down, stopped = seen
    assert [built, changed, down, stopped] == ["build", "changed", "shut down", "stop"]
    assert made == (SITE, "/", {"host": "127.0.0.1", "port": port})
    names = ("docs", "posenc", "scripts", "mkdocs.yml", ".build/built")
    assert watched == [str(ROOT / name) for name in names]
