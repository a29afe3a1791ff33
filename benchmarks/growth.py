"""Builds sites of several sizes, and says how time and memory grow with the number of pages.

`make growth` writes a project with 50, 100 and 200 pages, each with three figures of its own,
numbers, claims, formulas, a table and code. It builds each from nothing, and then again without
a change.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests import small_project
from tests.builds import environment

FIGURES_ON_A_PAGE = 3
SECTION = """
## Section {section}

The width of this section is $d = {width}$. Its wavelengths go from
{{{{ wavelengths({width})[0] : .3f }}}} to {{{{ wavelengths({width})[-1] : ,.1f }}}} positions.
Neighbours are more alike than positions ten apart
{{{{ check: similarity(1, {width}) > similarity(10, {width}) }}}}. At position ${page}$,

$$
w_i = 10000^{{-2i / {width}}}, \\qquad \\mathrm{{PE}}(p, 2i) = \\sin(w_i\\, p).
$$

![](figures/{figure}.svg)

```python
from posenc import wavelengths

print(len(wavelengths({width})))
#> {pairs}
```
"""
PAGE = """\
---
description: Page {page} of a large site, with figures, numbers and formulas.
---

# Page {page}

{sections}
## A table

{{{{ table(positional_encoding(4, 6, base={base}), rows=range(4), columns=range(6)) : .4f }}}}

See [the first page](page-0.md#section-0).
"""


@dataclass(frozen=True)
class Build:
    """The cost of one build."""

    elapsed: float
    work: float  # seconds of all cores
    memory: float  # MiB of the largest process
    kinds: Counter[str]  # seconds by kind of stage


def main() -> int:
    """Run the command line and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--pages", type=int, nargs="+", default=[50, 100, 200])
    sizes = parser.parse_args().pages
    print("pages figures   build    work  memory  unchanged rebuild")
    builds = []
    for pages in sizes:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "project"
            write(root, pages=pages)
            first = _built(root)
            again = min((_built(root) for _ in range(3)), key=lambda build: build.elapsed)
        builds.append(first)
        print(
            f"{pages:5} {FIGURES_ON_A_PAGE * pages:7} {first.elapsed:5.0f} s {first.work:5.0f} s"
            f" {first.memory:4.0f} MB {again.elapsed:6.2f} s, {again.work:.2f} s of work",
            flush=True,
        )
    _print_growth(sizes, builds)
    return 0


def write(root: Path, *, pages: int) -> None:
    """Write a project with `pages` pages into the new folder `root`."""
    small_project.write(root)
    shutil.rmtree(root / ".build")  # what the project has built would count as up to date
    names = []
    for page in range(pages):
        sections = [_section(root, page, number) for number in range(FIGURES_ON_A_PAGE)]
        text = PAGE.format(page=page, base=100 + page, sections="".join(sections))
        names.append(f"page-{page}.md")
        (root / "docs" / names[-1]).write_text(text, "utf-8")
    settings = root / "mkdocs.yml"
    lines = "".join(f"      - Page {number}: {name}\n" for number, name in enumerate(names))
    text = settings.read_text("utf-8")
    settings.write_text(text.replace("nav:\n", f"nav:\n  - Pages:\n{lines}", 1), "utf-8")


def _section(root: Path, page: int, section: int) -> str:
    figure, width = f"square_{page}_{section}", 4 * (page + section + 1)
    steps = 8 + page % 50 + section
    module = small_project.SQUARE.replace("A square.", f"The square {section} of page {page}.")
    module = module.replace("data(4, 4)", f"data({steps}, 4)")
    module = module.replace("range(4)", f"range({steps})")
    (root / "scripts" / "figures" / f"{figure}.py").write_text(module, "utf-8")
    return SECTION.format(section=section, page=page, width=width, pairs=width // 2, figure=figure)


def _built(root: Path) -> Build:
    began = time.perf_counter()
    with (root.parent / "output").open("w+") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "scripts.build"],
            cwd=root,
            env=environment(root),
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        elapsed = time.perf_counter() - began
        output.seek(0)
        text = output.read()
    assert process.returncode == 0, text
    kinds: Counter[str] = Counter()
    for kind, seconds in re.findall(r"^(\w+).*: made \(([\d.]+) s\)$", text, re.MULTILINE):
        kinds[kind] += float(seconds)
    return Build(elapsed, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, kinds)


def _print_growth(sizes: list[int], builds: list[Build]) -> None:
    """Print the exponent of growth between the first size and the last: 1 is proportional."""
    if len(sizes) < 2:
        return
    first, last = builds[0], builds[-1]
    between = math.log(sizes[-1] / sizes[0])
    slope = (last.work - first.work) / (sizes[-1] - sizes[0])
    exponent = math.log(last.work / first.work) / between
    print(f"slope: {slope:.2f} s of work for each page; work grows as pages^{exponent:.2f}")
    print(f"memory: {last.memory / first.memory:.2f} times as much at {sizes[-1]} pages")
    for kind, seconds in last.kinds.most_common(5):
        growth = math.log(seconds / first.kinds[kind]) / between
        print(f"  stages {kind}: {seconds:.1f} s, as pages^{growth:.2f}")


if __name__ == "__main__":
    sys.exit(main())
