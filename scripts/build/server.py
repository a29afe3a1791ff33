"""`make serve`: shows an edited page at once, and builds the whole site behind it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from scripts import files
from scripts.build.stages import rounds
from scripts.files import DOCS, ROOT, SITE, WORK, BuildError

_WATCHED = ("docs", "posenc", "scripts", "mkdocs.yml")
_BUILT = WORK / "built"  # touched after a whole build
_Process = subprocess.Popen[str]


def serve(port: int) -> int:
    """Serve the site, and rebuild it when a page, a figure or the package changes."""
    import mkdocs.livereload

    address = f"http://127.0.0.1:{port}/"
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, True)  # as the server does
        try:
            trial.bind(("127.0.0.1", port))
        except OSError as error:
            why = f"port {port}: {error.strerror}; choose another with --port"
            raise BuildError(why) from error
    builder = Builder({**os.environ, "SITE_URL": address, "LIVE_RELOAD": "1"})
    builder.build()
    files.write(_BUILT, b"")
    server: Any = mkdocs.livereload.LiveReloadServer(
        builder=builder.changed, host="127.0.0.1", port=port, root=str(SITE), mount_path="/"
    )
    for path in (*(ROOT / name for name in _WATCHED), _BUILT):
        server.watch(str(path))
    print(f"serving on {address} (Ctrl+C to stop)")
    try:
        server.serve()
    except KeyboardInterrupt:
        server.shutdown()
    finally:
        builder.stop()
    return 0


class Builder:
    """Builds the site after each change: first the pages that were edited, if nothing else was."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.environment = environment
        self.times: dict[Path, int] = {}
        self.made: set[Path] = set()  # by the build
        self.whole: _Process | None = None  # a build
        self.preview: _Process | None = None  # scripts/pages/preview.py

    def changed(self) -> None:
        """Bring the site up to date; the server then lets browsers load their page again."""
        before, self.times = self.times, self._times()
        known = before.keys() & self.times.keys()
        edited = {path for path in known if before[path] != self.times[path]}
        if len(known) < len(before.keys() | self.times.keys()):
            self.build()
        elif edited:  # otherwise a whole build has ended
            self._end(self.whole)
            if self._shows(edited):
                self.whole = self._started("scripts.build")
                threading.Thread(target=self._tell, args=[self.whole], daemon=True).start()
            else:
                self.build()

    def build(self) -> None:
        """Build the whole site, and then read all pages for the next edit."""
        self.stop()
        times = self._times()
        self.whole = self._started("scripts.build")
        self.whole.wait()
        with suppress(BuildError):  # which the build has told
            self.made = {
                path for stages in rounds() for stage in stages for path in stage.written()
            }
        self.times = {path: time for path, time in times.items() if path not in self.made}
        if hasattr(os, "fork"):
            self.preview = self._started("scripts.pages.preview")

    def stop(self) -> None:
        """End what runs."""
        for process in (self.whole, self.preview):
            self._end(process)
        self.preview = None

    def _shows(self, edited: set[Path]) -> bool:
        """Whether the preview has put the files `edited` into the site: all of them are pages."""
        pages = all(path.suffix == ".md" and DOCS in path.parents for path in edited)
        if not self.preview or not pages:
            return False
        names = [path.relative_to(DOCS).as_posix() for path in sorted(edited)]
        assert self.preview.stdin
        assert self.preview.stdout
        try:
            self.preview.stdin.write(f"{json.dumps(names)}\n")
            self.preview.stdin.flush()
        except BrokenPipeError:  # it could not read all pages
            return False
        return self.preview.stdout.readline() == "true\n"

    def _started(self, module: str) -> _Process:
        # A new process imports the changed modules.
        command = [sys.executable, "-m", module]
        pipe = None if module == "scripts.build" else subprocess.PIPE
        return subprocess.Popen(
            command, cwd=ROOT, env=self.environment, stdin=pipe, stdout=pipe, text=True
        )

    def _tell(self, whole: _Process) -> None:
        if not whole.wait():
            _BUILT.touch()

    def _end(self, process: _Process | None) -> None:
        if process:
            process.terminate()
            process.communicate()

    def _times(self) -> dict[Path, int]:
        """When each watched file was last changed, without those that the build makes."""
        found = {path for name in _WATCHED for path in (ROOT / name, *files.below(ROOT / name))}
        return {path: path.stat().st_mtime_ns for path in found - self.made if path.is_file()}
