"""Builds the site in two clones whose surroundings differ, and compares every byte.

`make twice` clones the last commit into two folders. The second build has another path, locale,
time zone, hash seed, umask, and a date 400 days earlier.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.folders import contents, differing
from scripts.files import ROOT

SITE_URL = "https://example.org/posenc/"
# Python imports a module of this name when it starts, in workers and in notebooks too.
EARLIER = """\
import datetime
import time

SECONDS = -400 * 24 * 60 * 60


def moved(function):
    def shifted(*arguments):
        return function(*(arguments or (now(),)))

    return shifted


real, real_ns, now_there = time.time, time.time_ns, datetime.datetime.now


def now():
    return real() + SECONDS


class Datetime(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(now(), tz)

    @classmethod
    def today(cls):
        return cls.fromtimestamp(now())

    @classmethod
    def utcnow(cls):
        return cls.fromtimestamp(now(), datetime.UTC).replace(tzinfo=None)


class Date(datetime.date):
    @classmethod
    def today(cls):
        return cls.fromtimestamp(now())


time.time, time.time_ns = now, lambda: real_ns() + SECONDS * 10**9
for name in ("localtime", "gmtime", "ctime"):
    setattr(time, name, moved(getattr(time, name)))
format_time, local = time.strftime, time.localtime
time.strftime = lambda form, *moment: format_time(form, *(moment or (local(),)))
datetime.datetime, datetime.date = Datetime, Date
"""


def main() -> int:
    """Run the command line and return the exit code."""
    argparse.ArgumentParser(prog="python -m benchmarks.twice", description=__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        first = Path(folder) / "a"
        second = Path(folder) / "another clone" / "with-a-much-longer-name"
        for clone in (first, second):
            _clone(clone)
        clock = Path(folder) / "clock"
        clock.mkdir()
        (clock / "sitecustomize.py").write_text(EARLIER, "utf-8")
        _build(first, _plain(), umask=0o022)
        _build(second, _other(clock), umask=0o077)
        return _compared(first / "site", second / "site")


def _plain() -> dict[str, str]:
    return {"LC_ALL": "C", "TZ": "UTC", "PYTHONHASHSEED": "0"}


def _other(clock: Path) -> dict[str, str]:
    """Surroundings that differ from the plain ones as much as this machine allows."""
    listed = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False)
    wanted = ("tr_TR.utf8", "de_DE.utf8", "C.utf8")
    locale = next((name for name in wanted if name in listed.stdout.split()), "C")
    print(f"locales: C and {locale}")
    if locale.startswith("C"):  # Python reads and writes UTF-8 in both
        print("only C locales: this run does not show whether the build depends on the locale")
    return {
        "LC_ALL": locale,
        "TZ": "Pacific/Chatham",
        "PYTHONHASHSEED": "12345",
        "PYTHONPATH": str(clock),
    }


def _clone(root: Path) -> None:
    subprocess.run(["git", "clone", "--quiet", ROOT, root], check=True)
    if (ROOT / "node_modules").is_dir():
        (root / "node_modules").symlink_to((ROOT / "node_modules").resolve())


def _build(root: Path, surroundings: dict[str, str], *, umask: int) -> None:
    known = {"SITE_URL": SITE_URL, "REPO_URL": "https://github.com/example/posenc"}
    environment = {**os.environ, **known, **surroundings}
    command = [sys.executable, "-m", "scripts.build"]
    done = subprocess.run(
        command, cwd=root, env=environment, umask=umask, stdout=subprocess.DEVNULL, check=False
    )
    if done.returncode:
        sys.exit(done.returncode)


def _compared(first: Path, second: Path) -> int:
    """Name the files that differ; 1 if there are any."""
    one, other = contents(first), contents(second)
    different = differing(one, other)
    for name in different:
        print(f"differs: {name}{_where(one.get(name), other.get(name))}")
    total = sum(map(len, one.values()))
    print(f"{len(one)} files, {total / 1e6:.1f} MB, {len(different)} differ")
    return 1 if different else 0


def _where(one: bytes | None, other: bytes | None) -> str:
    if one is None or other is None:
        return ", which only one of the two has"
    pairs = zip(one, other, strict=False)
    place = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
    around = slice(max(place - 30, 0), place + 30)
    return f" at byte {place}: {one[around]!r} or {other[around]!r}"


if __name__ == "__main__":
    sys.exit(main())
