"""`make serve`: an edited page is there at once, and a whole build follows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from unittest.mock import Mock, call

import pytest

from scripts.build import server
from tests import small_project
from tests.builds import build, environment

BUILD, PREVIEW = "scripts.build", "scripts.pages.preview"
EDITS = {  # a changed file, and the programs that start
    "docs/a.md": [BUILD],
    "docs/a.css": [BUILD, PREVIEW],
    "posenc/a.py": [BUILD, PREVIEW],
    "docs/new.md": [BUILD, PREVIEW],
    "docs/figures/a.svg": [],
}


@pytest.mark.parametrize("name", EDITS)
def test_only_an_edited_page_is_shown_before_the_whole_build(name, tmp_path, monkeypatch):
    for known, place in (("ROOT", ""), ("DOCS", "docs"), ("_BUILT", "built")):
        monkeypatch.setattr(server, known, tmp_path / place)
    stage = Mock(**{"written.return_value": [tmp_path / "docs" / "figures" / "a.svg"]})
    monkeypatch.setattr(server, "rounds", lambda: [[stage]])
    process = Mock(**{"wait.return_value": 0, "stdout.readline.return_value": "true\n"})
    started = Mock(return_value=process)
    monkeypatch.setattr(subprocess, "Popen", started)
    for file in ("mkdocs.yml", *EDITS, "scripts/a.py"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        if "new" not in file:
            (tmp_path / file).touch()
    builder = server.Builder({})
    builder.build()
    started.reset_mock()
    builder.changed()
    assert not started.called, "nothing has changed"
    (tmp_path / name).touch()
    os.utime(tmp_path / name, ns=(1, 1))
    builder.changed()
    assert [one.args[0][-1] for one in started.call_args_list] == EDITS[name]
    edited = [call('["a.md"]\n')] if name == "docs/a.md" else []
    assert process.stdin.write.mock_calls == edited


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
