"""`python -m scripts.build` beside another build, and with a port that is taken."""

from __future__ import annotations

import errno
import socket
import threading
from pathlib import Path

import pytest
from filelock import FileLock

from scripts import files
from scripts.build import __main__ as command


@pytest.fixture
def builds(tmp_path, monkeypatch):
    """The builds that begin; each only notes itself."""
    begun = threading.Event()
    monkeypatch.setattr(files, "WORK", tmp_path / ".build")
    monkeypatch.setattr(command, "build", lambda **_: begun.set())
    return begun


def test_a_build_waits_for_another_one_and_says_so(builds, tmp_path, monkeypatch):
    said, spoke = [], threading.Event()
    monkeypatch.setattr(
        "builtins.print", lambda *texts, **_: (said.append(" ".join(texts)), spoke.set())
    )
    (tmp_path / ".build").mkdir()
    second = threading.Thread(target=command.main, args=([],))
    with FileLock(tmp_path / ".build" / "lock"):
        second.start()
        assert spoke.wait(60)
        assert not builds.is_set()
    second.join(60)
    assert builds.is_set()
    assert said == ["another build is running in this folder: waiting for it"]


@pytest.mark.usefixtures("builds")
def test_a_build_after_another_one_does_not_wait(capsys):
    assert command.main([]) == command.main([]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("builds")
def test_the_folder_in_which_the_command_runs_does_not_matter(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert command.main([]) == 0
    assert Path.cwd() == files.ROOT


@pytest.mark.parametrize(
    ("number", "file", "told"),
    [
        (errno.ENOSPC, None, "No space left on device"),
        (errno.ENOSPC, files.FIGURES / "a.svg", "docs/figures/a.svg: No space left on device"),
        (errno.EACCES, files.SITE, "site: Permission denied"),
        (errno.EROFS, files.WORK / "lock", ".build/lock: Read-only file system"),
    ],
)
@pytest.mark.usefixtures("builds")
def test_an_error_of_the_system_is_one_line(number, file, told, monkeypatch, capsys):
    def fails(**_):
        raise OSError(number, told.rpartition(": ")[2], file and str(file))

    monkeypatch.setattr(command, "build", fails)
    assert command.main([]) == 1
    assert capsys.readouterr().err == f"error: {told}\n"


def test_a_port_in_use_is_named_before_anything_is_built(builds, monkeypatch, capsys):
    monkeypatch.setattr("subprocess.run", lambda *_, **__: builds.set())
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert command.main(["serve", "--port", str(port)]) == 1
    assert not builds.is_set()
    assert capsys.readouterr().err == f"error: port {port} is in use; choose another with --port\n"


def test_ctrl_c_ends_the_server_without_an_error(builds, monkeypatch, capsys):
    class Server:
        def __init__(self, **_):
            self.watched = []

        def watch(self, path):
            self.watched.append(path)

        def serve(self):
            raise KeyboardInterrupt

        def shutdown(self):
            print("shut down, after watching", len(self.watched))

    monkeypatch.setattr("mkdocs.livereload.LiveReloadServer", Server)
    monkeypatch.setattr("subprocess.run", lambda *_, **__: builds.set())
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert command.main(["serve", "--port", str(port)]) == 0
    assert builds.is_set()
    assert capsys.readouterr().out.endswith("(Ctrl+C to stop)\nshut down, after watching 4\n")
