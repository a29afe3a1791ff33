"""The command line of the build, its workers, and the packages of npm."""

import errno
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from unittest.mock import Mock

import pytest
from filelock import FileLock

from scripts import files, workers
from scripts.browser import vendor
from scripts.build import __main__ as command
from scripts.files import ROOT, BuildError


@pytest.fixture
def builds(tmp_path, monkeypatch):
    """The builds that begin; each only notes itself. No server starts, which would never end."""
    begun = threading.Event()
    monkeypatch.setattr(command, "serve", lambda _: pytest.fail("a server starts"))
    monkeypatch.setattr(files, "WORK", tmp_path / ".build")
    monkeypatch.setattr(command, "build", begun.set)
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


def test_the_folder_in_which_the_command_runs_does_not_matter(builds, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert command.main([]) == 0
    assert Path.cwd() == files.ROOT
    assert builds.is_set()


@pytest.mark.usefixtures("builds")
def test_an_error_of_the_system_is_one_line(monkeypatch, capsys):
    full = Mock(side_effect=OSError(errno.ENOSPC, "No space left on device"))
    monkeypatch.setattr(command, "build", full)
    assert command.main([]) == 1
    assert capsys.readouterr().err == "error: No space left on device\n"


def test_a_port_in_use_is_named_before_anything_is_built(monkeypatch, capsys):
    monkeypatch.setattr("subprocess.Popen", lambda *_, **__: pytest.fail("a build starts"))
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert command.main(["serve", "--port", str(port)]) == 1
    why = os.strerror(errno.EADDRINUSE)
    told = f"error: port {port}: {why}; choose another with --port\n"
    assert capsys.readouterr().err == told


def test_a_server_has_the_port_8000_or_another_that_is_a_port(monkeypatch, capsys):
    monkeypatch.setattr(command, "serve", lambda port: port)
    assert command.main(["serve"]) == 8000
    assert command.main(["serve", "--port", "65535"]) == 65535
    for port in ("65536", "0", "http"):
        with pytest.raises(SystemExit):
            command.main(["serve", f"--port={port}"])
        told = f"must be a whole number from 1 to 65535, got '{port}'"
        assert told in capsys.readouterr().err


def test_the_process_of_the_build_makes_the_last_call_of_a_round():
    (first, _), (last, _) = workers.results([("os", "getpid"), ("os", "getpid")])
    assert first != last == os.getpid()


def test_a_worker_that_dies_stops_the_build_with_one_line():
    calls = [("signal", "raise_signal", signal.SIGKILL), ("os", "getpid")]
    with pytest.raises(BuildError, match=r"^a worker process died, perhaps for lack of memory$"):
        list(workers.results(calls))
    with pytest.raises(BuildError, match=r"^a worker process died"), workers.pool(2) as pool:
        list(pool.map(signal.raise_signal, [signal.SIGKILL]))


def test_a_build_that_is_killed_takes_its_workers_along():
    program = """if True:
        import os, signal
        from scripts import workers
        with workers.pool(2) as pool:
            pool.submit(os.getpid).result()
            pool.submit(signal.pause)
            os.kill(os.getpid(), signal.SIGKILL)
    """
    # It ends when nobody can write to the pipe any more: all workers have it.
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, stdout=-1, timeout=300)
    assert done.returncode == -signal.SIGKILL


# The packages of npm


def test_a_missing_or_damaged_font_is_named(tmp_path, monkeypatch, capsys):
    font = tmp_path / "font.woff2"
    monkeypatch.setattr(files, "WORK", tmp_path / ".build")
    monkeypatch.setattr(command, "build", lambda: vendor._math_font(font))
    assert command.main([]) == 1
    assert capsys.readouterr().err == f"error: {font}: No such file or directory\n"
    font.write_bytes(b"no font")
    assert command.main([]) == 1
    said = rf"error: {re.escape(str(font))}: .*; remove node_modules\n"
    assert re.fullmatch(said, capsys.readouterr().err)


NPM = """#!/bin/sh
echo npm error code ENOTFOUND >&2
echo npm error network request to https://registry.npmjs.org/plotly failed >&2
exit 1
"""


def test_where_npm_fails_ci_stops_and_any_other_build_takes_all_of_plotly(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(vendor, "are_installed", lambda: False)
    (tmp_path / "npm").write_text(NPM)
    (tmp_path / "npm").chmod(0o755)
    monkeypatch.delenv("CI", raising=False)
    told = "npm ci failed: network request to https://registry.npmjs.org/plotly failed"
    made, line = vendor.collect()
    assert list(made) == ["plotly.min.js"]
    where = "all of Plotly, from the Python package; the reader's own maths fonts"
    assert line == f"{where} ({told})"
    monkeypatch.setenv("CI", "true")
    with pytest.raises(BuildError, match=f"^{re.escape(told)}$"):
        vendor.collect()
