"""The modules of a page without a browser, in the Node.js that Playwright brings."""

from __future__ import annotations

import atexit
import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from playwright._impl._driver import compute_driver_executable

from tests.page_text import SITE

_HERE = Path(__file__).parent


@cache
def _process() -> subprocess.Popen[str]:
    """The process that answers all questions of this one."""
    node, _ = compute_driver_executable()
    # package.json does not say that the files are modules, and Node.js finds out.
    quiet = "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON"
    program = [node, quiet, str(_HERE / "node.mjs")]
    pipe = subprocess.PIPE
    process = subprocess.Popen(program, stdin=pipe, stdout=pipe, encoding="utf-8")
    atexit.register(process.communicate)  # it ends with its input
    return process


@contextmanager
def modules(file: str, assets: str) -> Iterator[Callable[..., Any]]:
    """A function that calls a function of tests/browser/`file` with the modules in `assets`.

    `assets` is a folder of the built site's assets. The first argument names the function, the
    others are what it is given besides the address of the folder.
    """
    folder = f"{(SITE / 'assets' / assets).as_uri()}/"
    path = (_HERE / "browser" / file).as_uri()

    def call(name: str, /, **given: object) -> Any:
        process = _process()
        question = {"file": path, "name": name, "given": {"folder": folder, **given}}
        process.stdin.write(json.dumps(question) + "\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline(), object_hook=_number)
        if "error" in answer:
            raise AssertionError(answer["error"])
        return answer.get("value")

    yield call


def maths(module: str, name: str, *given: object) -> Any:
    """What a function of docs/assets/maths/ returns for each list of arguments in `given`.

    `module` may lead to another folder, such as `../explorer/state`.
    """
    with modules("vectors.js", "") as call:
        return call("results", module=module, name=name, given=given)


def _number(held: dict[str, Any]) -> Any:
    return float(held["notFinite"]) if held.keys() == {"notFinite"} else held
