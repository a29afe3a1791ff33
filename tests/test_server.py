"""`make serve`: an edited page is there at once, and a whole build follows."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests import small_project
from tests.builds import build, environment


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
