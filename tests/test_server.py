"""`make serve`: an edited page is there at once, and a whole build follows."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from functools import partial
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests import small_project
from tests.builds import build, environment


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    root = tmp_path_factory.mktemp("server") / "project"
    small_project.write(root)
    assert build(root).returncode == 0
    return root


@pytest.mark.thorough
def test_an_edited_page_is_the_same_as_after_the_next_build(project):
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


@pytest.mark.thorough
def test_the_server_shows_edits_of_pages_and_of_figures_and_ends_at_ctrl_c(project):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "scripts.build", "serve", "--port", str(port)]
    # A shell lets what runs in the background ignore Ctrl+C.
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    server = subprocess.Popen(command, cwd=project, env=environment(project), preexec_fn=heard)

    def until_it_shows(text, path=""):
        while True:
            assert server.poll() is None, "the server has ended"
            try:
                with urlopen(f"http://127.0.0.1:{port}/{path}") as answer:
                    if text in answer.read().decode("utf-8"):
                        return
            except URLError:  # the first build is not done, or this one has just begun
                pass
            time.sleep(0.2)

    try:
        page, figure = project / "docs" / "index.md", project / "scripts" / "figures" / "square.py"
        until_it_shows(f'href="http://127.0.0.1:{port}/')
        page.write_text(page.read_text("utf-8") + "\n\nAnother edit.\n", "utf-8")
        until_it_shows("<p>Another edit.</p>")
        code = figure.read_text("utf-8")
        figure.write_text(code.replace("A square of", "A large square of"), "utf-8")
        until_it_shows("A large square of")
        server.send_signal(signal.SIGINT)
        assert server.wait(60) == 0
    finally:
        server.kill()
