"""`python -m scripts.build` beside another build, and with a port that is taken."""

import errno
import os
import signal
import socket
import threading
from functools import partial
from pathlib import Path

import pytest
from filelock import FileLock, Timeout

from scripts import files, workers
from scripts.build import __main__ as command
from scripts.build import server
from scripts.files import ROOT, SITE, BuildError


@pytest.fixture
def builds(tmp_path, monkeypatch):
    """The builds that begin; each only notes itself. No server starts, which would never end."""
    begun = threading.Event()
    monkeypatch.setattr(command, "serve", lambda _: pytest.fail("a server starts"))
    monkeypatch.setattr(files, "WORK", tmp_path / ".build")
    monkeypatch.setattr(command, "build", lambda **_: begun.set())
    return begun


def test_a_build_waits_for_another_one_and_says_so(builds, tmp_path, monkeypatch):
    said, spoke = [], threading.Event()
    monkeypatch.setattr(
        "builtins.print", lambda text, **how: (said.append((text, how)), spoke.set())
    )
    (tmp_path / ".build").mkdir()
    second = threading.Thread(target=command.main, args=([],))
    with FileLock(tmp_path / ".build" / "lock"):
        second.start()
        assert spoke.wait(60)
        assert not builds.wait(0.2)
    second.join(60)
    assert builds.is_set()
    told = "another build is running in this folder: waiting for it"
    assert said == [(told, {"flush": True})], "a reader of a pipe must see it at once"


def test_a_build_releases_the_folder_even_if_it_fails(builds, tmp_path):
    for _ in range(2):
        with pytest.raises(BuildError, match="no"), command.alone():
            raise BuildError("no")
    with command.alone() as held, pytest.raises(Timeout):
        FileLock(tmp_path / ".build" / "lock").acquire(blocking=False)
    assert held is None
    FileLock(tmp_path / ".build" / "lock").acquire(blocking=False).lock.release()
    assert not builds.is_set()


@pytest.mark.parametrize(("arguments", "kind"), [([], ""), (["all"], ""), (["figures"], "figure")])
def test_the_command_builds_everything_or_only_figures_and_waits_for_no_one(
    arguments, kind, monkeypatch, tmp_path, capsys
):
    made = []
    monkeypatch.setattr(files, "WORK", tmp_path)
    monkeypatch.setattr(command, "build", lambda *, only="": made.append(only))
    monkeypatch.setattr(command, "serve", lambda _: pytest.fail("a server starts"))
    monkeypatch.delenv("NO_MKDOCS_2_WARNING", raising=False)
    assert command.main(arguments) == command.main(arguments) == 0
    assert made == [kind] * 2
    assert capsys.readouterr().out == ""
    assert os.environ["NO_MKDOCS_2_WARNING"] == "1", "no advertisement in the output"


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


def test_a_port_in_use_is_named_before_anything_is_built(monkeypatch, capsys):
    monkeypatch.setattr("subprocess.Popen", lambda *_, **__: pytest.fail("a build starts"))
    monkeypatch.setattr("mkdocs.livereload.LiveReloadServer", lambda **_: pytest.fail("it serves"))
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert command.main(["serve", "--port", str(port)]) == 1
    assert capsys.readouterr().err == f"error: port {port} is in use; choose another with --port\n"


def test_a_port_that_may_not_be_used_is_not_called_in_use(monkeypatch, capsys):
    def refuse(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("subprocess.Popen", lambda *_, **__: pytest.fail("a build starts"))
    monkeypatch.setattr("socket.socket.bind", refuse)
    assert command.main(["serve", "--port", "80"]) == 1
    told = "error: port 80 fails (Permission denied); choose another with --port\n"
    assert capsys.readouterr().err == told


def test_the_process_of_the_build_makes_the_last_call_of_a_round():
    (first, _), (last, _) = workers.results([("os", "getpid"), ("os", "getpid")])
    assert first != last == os.getpid()


def test_a_worker_that_dies_stops_the_build_with_one_line():
    calls = [("signal", "raise_signal", signal.SIGKILL), ("os", "getpid")]
    with pytest.raises(BuildError, match=r"^a worker process died, perhaps for lack of memory$"):
        list(workers.results(calls))
    with pytest.raises(BuildError, match=r"^a worker process died"), workers.pool(2) as pool:
        list(pool.map(signal.raise_signal, [signal.SIGKILL]))


def test_a_server_has_the_port_8000_or_another_that_is_a_port(monkeypatch, capsys):
    monkeypatch.setattr(command, "serve", lambda port: port)
    assert command.main(["serve"]) == 8000
    assert command.main(["serve", "--port", "65535"]) == 65535
    for port in ("65536", "0", "http"):
        with pytest.raises(SystemExit):
            command.main(["serve", f"--port={port}"])
        told = f"must be a whole number from 1 to 65535, got '{port}'"
        assert told in capsys.readouterr().err


@pytest.fixture
def port():
    """A port that is free, although a server has just closed a connection on it."""
    with socket.socket() as server, socket.socket() as reader:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, True)
        server.bind(("127.0.0.1", 0))
        server.listen()
        reader.connect(server.getsockname())
        answer, _ = server.accept()
        answer.close()
        assert reader.recv(1) == b""
        return server.getsockname()[1]


def test_a_server_builds_again_after_a_change_and_ends_at_ctrl_c(port, monkeypatch, capsys):
    address, runs = f"http://127.0.0.1:{port}/", []

    class Builder:
        def __init__(self, environment):
            assert environment == {**os.environ, "SITE_URL": address, "LIVE_RELOAD": "1"}
            for name in ("build", "changed", "stop"):
                setattr(self, name, partial(runs.append, name))

    class Server:
        def __init__(self, *, builder, **settings):
            self.builder, self.watched = builder, []
            place = {"host": "127.0.0.1", "port": port, "root": str(SITE), "mount_path": "/"}
            assert settings == place
            assert runs == ["build"]

        def watch(self, path):
            self.watched.append(path)

        def serve(self):
            self.builder()
            raise KeyboardInterrupt

        def shutdown(self):
            names = ("docs", "posenc", "scripts", "mkdocs.yml", ".build/built")
            assert self.watched == [str(ROOT / name) for name in names]
            print("shut down")

    monkeypatch.setattr("mkdocs.livereload.LiveReloadServer", Server)
    monkeypatch.setattr(server, "Builder", Builder)
    monkeypatch.setenv("SITE_URL", "https://elsewhere.example/")
    assert command.main(["serve", "--port", str(port)]) == 0
    assert runs == ["build", "changed", "stop"]
    assert capsys.readouterr().out == f"serving on {address} (Ctrl+C to stop)\nshut down\n"
