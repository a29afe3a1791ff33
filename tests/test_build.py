"""The build, run on a small copy of the project: whole or not at all, and honest about it."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import html5lib
import markdown
import plotly.offline
import pytest
import yaml

from scripts import build as site_build
from scripts import files
from scripts.browser import known_encodings
from scripts.files import ROOT
from tests import page_text

INDEX = """\
---
description: The start page of a small site.
---

# A small site

Half a turn is {{ pi : .4f }}, the pair $i = 0$ repeats after {{ wavelengths(4)[0] : .2f }}
positions; see [the waves](waves.md#a-section).

![](figures/ramp.svg)

{{ table(positional_encoding(2, 4), rows=["I", "am"]) : .4f }}
"""
OTHER = "---\ndescription: The page {0}.\n---\n\n# The page {0}\n\n## A section\n\nText.\n"
RAMP = '''\
"""A ramp."""

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from scripts.figures import _style

CAPTION = """A ramp to {{ len(range(4)) : d }}."""
ALT = """A line that rises from {{ 0 : d }} to {{ len(range(4)) : d }}."""


@dataclass(frozen=True)
class Data:
    x: np.ndarray


def data():
    return Data(x=np.arange(4.0))


def table(data):
    return {"x": data.x}


def static(data):
    figure, ax = _style.canvas()
    ax.plot(data.x, data.x, label="ramp")
    return figure


def interactive(data):
    return _style.layout(go.Figure(go.Scatter(x=data.x, y=data.x, name="ramp")), x="x", y="y")
'''
NOTEBOOK = json.dumps(
    {
        "cells": [{"cell_type": "markdown", "id": "a", "metadata": {}, "source": ["# A notebook"]}],
        "metadata": {
            "description": "A notebook.",
            "needs": "NumPy",
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
)
FIGURES = ("ramp", site_build.README_FIGURE)
ORACLES = ("__init__.py", "reference.py")  # what the oracle's own modules import


@pytest.fixture(scope="session")
def original(tmp_path_factory):
    """A built copy of the project with small pages and two figures; not to be changed."""
    root = tmp_path_factory.mktemp("original") / "project"
    caches = shutil.ignore_patterns("__pycache__", "figures", "notebooks", "vendor")
    for part in ("docs", "scripts", "posenc"):
        shutil.copytree(ROOT / part, root / part, ignore=caches)
    for path in [*ROOT.glob("package*.json"), ROOT / "mkdocs.yml", ROOT / "pyproject.toml"]:
        shutil.copy2(path, root)
    shutil.copytree(ROOT / "tests" / "data", root / "tests" / "data")
    for path in [*(ROOT / "tests").glob("*oracle.py"), *map((ROOT / "tests").joinpath, ORACLES)]:
        shutil.copy2(path, root / "tests")
    (root / "scripts" / "figures").mkdir()
    for path in (ROOT / "scripts" / "figures").glob("*.py"):
        if path.name.startswith("_") or path.stem in FIGURES:
            shutil.copy2(path, root / "scripts" / "figures")
    (root / "scripts" / "figures" / "ramp.py").write_text(RAMP, "utf-8")
    for page in (root / "docs").rglob("*.md"):
        page.write_text(OTHER.format(page.stem), "utf-8")
    (root / "docs" / "index.md").write_text(INDEX, "utf-8")
    settings = root / "mkdocs.yml"
    settings.write_text(settings.read_text("utf-8").replace("execute: true", "execute: false"))
    (root / "docs" / "notebooks").mkdir()
    for notebook in (ROOT / "docs" / "notebooks").glob("*.ipynb"):
        (root / "docs" / "notebooks" / notebook.name).write_text(NOTEBOOK, "utf-8")
    if (ROOT / "node_modules").is_dir():
        (root / "node_modules").symlink_to(ROOT / "node_modules")
    done = build(root)
    assert done.returncode == 0, done.stderr
    return root


@pytest.fixture
def project(original, tmp_path):
    """A built copy of one's own."""
    return shutil.copytree(original, tmp_path / "project", symlinks=True)


def command(root, *arguments):
    # An empty PATH: no npm that could download anything, no git.
    return {
        "args": [sys.executable, "-m", "scripts.build", *arguments],
        "cwd": root,
        "env": {"PATH": str(root / "nothing"), "HOME": str(root), "LANG": "C.UTF-8"},
    }


def build(root, *arguments):
    return subprocess.run(
        **command(root, *arguments), capture_output=True, text=True, timeout=60, check=False
    )


def content(folder):
    """Every file below `folder` with its bytes."""
    return {path.relative_to(folder): path.read_bytes() for path in files.below(folder)}


def times(folder):
    """Every file below `folder` with the time of its last change."""
    return {path.relative_to(folder): path.stat().st_mtime_ns for path in files.below(folder)}


def edit(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


# Only what changed


def test_a_second_run_writes_nothing_and_says_so(project):
    before = times(project)
    done = build(project)
    assert done.returncode == 0
    assert done.stderr == ""
    assert re.search(
        r"figures  2 up to date\nnumbers  up to date .*\nsite     up to date\n", done.stdout
    )
    assert times(project) == before


def test_only_the_figure_whose_module_changed_is_rendered_again(project):
    module = project / "scripts" / "figures" / "ramp.py"
    module.touch()
    assert "2 up to date" in build(project).stdout  # it is the content that counts
    before = times(project / "docs")
    edit(module, '"""', '"""(revised) ')
    done = build(project)
    assert re.findall(r"figure +(\w+): rendered", done.stdout) == ["ramp"]
    after = times(project / "docs")
    changed = {path.as_posix() for path in after if after[path] != before[path]}
    assert changed == {"figures/ramp.svg", "figures/ramp.py.txt"}
    assert "(revised)" in (project / "site" / "index.html").read_text("utf-8")


def test_pages_that_did_not_change_keep_their_time(project):
    before = times(project / "site")
    edit(project / "docs" / "index.md", "Half a turn", "One half of a turn")
    assert build(project).returncode == 0
    after = times(project / "site")
    changed = {path.as_posix() for path in after if after[path] != before[path]}
    assert "index.html" in changed
    assert changed <= {"index.html", "search/search_index.json"}


def test_a_figure_that_is_gone_leaves_nothing_behind(project):
    edit(project / "docs" / "index.md", "![](figures/ramp.svg)", "")
    (project / "scripts" / "figures" / "ramp.py").unlink()
    assert build(project).returncode == 0
    for folder in ("docs", "site"):
        assert not list((project / folder).rglob("ramp*"))


def test_two_builds_from_nothing_give_the_same_bytes(original, project):
    for made in ("site", ".build", "docs/figures"):
        shutil.rmtree(project / made)
    assert build(project).returncode == 0
    assert content(project / "site") == content(original / "site")


def test_what_the_browser_identifies_tables_by_is_what_the_package_knows(monkeypatch, capsys):
    assert known_encodings.PATH.read_bytes() == known_encodings.module()
    known = {**known_encodings.CONVENTIONS, "of_tomorrow": known_encodings.Convention()}
    monkeypatch.setattr(known_encodings, "CONVENTIONS", known)
    assert site_build.check() == 1
    assert "stale: docs/assets/identify/known.js: differs from posenc" in capsys.readouterr().err


# Killed


def test_a_killed_build_leaves_the_old_site_or_the_new_one_and_the_next_run_succeeds(project):
    page, module = project / "docs" / "index.md", project / "scripts" / "figures" / "ramp.py"
    texts = [(path.read_text("utf-8"), path) for path in (page, module)]
    sites, seconds = [], []
    for version in ("A", "B"):
        for text, path in texts:
            path.write_text(re.sub("Half a turn|A ramp", version, text, count=1), "utf-8")
        sites.append(({path: path.read_bytes() for _, path in texts}, None))
        began = time.perf_counter()
        assert build(project).returncode == 0
        seconds.append(time.perf_counter() - began)
        sites[-1] = (sites[-1][0], content(project / "site"))
    assert sites[0][1] != sites[1][1]

    chance = random.Random(20261121)
    moments, outcomes = [0.15, 0.95, *(chance.uniform(0.1, 1) for _ in range(3))], []
    for moment in moments:
        current = next(k for k in (0, 1) if content(project / "site") == sites[k][1])
        sources, wanted = sites[1 - current]
        for path, source in sources.items():
            path.write_bytes(source)
        victim = subprocess.Popen(
            **command(project),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            victim.wait(moment * max(seconds))
        except subprocess.TimeoutExpired:
            os.killpg(victim.pid, signal.SIGKILL)
        victim.wait()
        left = content(project / "site")
        assert left in (sites[current][1], wanted), f"a mix after {moment:.0%} of a build"
        outcomes.append(left == wanted)
    assert False in outcomes

    assert build(project).returncode == 0
    assert content(project / "site") == wanted
    left = {path.name for path in (project / ".build").iterdir()}
    assert left <= {"notes.json", "notebooks", "ipython", "oracle.json"}, (
        "half-made things are left"
    )
    assert build(project, "--check").returncode == 0


def test_a_build_killed_by_itself_takes_its_workers_along(project):
    for name in FIGURES:
        edit(project / "scripts" / "figures" / f"{name}.py", '"""', '"""(revised) ')
    edit(
        project / "scripts" / "render" / "figure.py",
        "def files(name: str) -> dict[str, bytes]:",
        "import os, pathlib\n"
        "def files(name: str) -> dict[str, bytes]:\n"
        "    pathlib.Path(f'worker-{name}').touch()\n"
        "    import time; time.sleep(1)",
    )
    victim = subprocess.Popen(
        **command(project),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        wait_until(lambda: list(project.glob("worker-*")))
        victim.kill()
        victim.wait()
        wait_until(lambda: not group_lives(victim.pid))
    finally:
        if group_lives(victim.pid):
            os.killpg(victim.pid, signal.SIGKILL)


def wait_until(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def group_lives(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("survived", [0, 1, 2, 3])
def test_a_kill_between_the_two_moves_of_the_swap_is_mended(survived, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "WORK", tmp_path / "work")
    old, new = tmp_path / "site", tmp_path / "work" / "staging-1"
    for folder, text in ((old, "old"), (new, "new")):
        (folder / "deep").mkdir(parents=True)
        (folder / "deep" / "page").write_text(text)
    moves, rename = [], Path.rename

    def killed(self, target):
        if len(moves) == survived:
            raise KeyboardInterrupt
        moves.append(self)
        return rename(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", killed)
        try:
            files.swap(new, old)
        except KeyboardInterrupt:
            assert len(moves) == survived
    files.restore(old)
    files.clear_leftovers()
    assert (old / "deep" / "page").read_text() == ("new" if survived >= 2 else "old")
    assert not list((tmp_path / "work").iterdir())


# Refused

FIGURE, PAGE, SETTINGS = "scripts/figures/ramp.py", "docs/index.md", "mkdocs.yml"
DATA = "return Data(x=np.arange(4.0))"
MISTAKES = {
    # what: the file, what stands there, what the author writes, what the build answers
    "a figure that fails": (FIGURE, DATA, "raise ValueError('one\\ntwo')", r"ValueError: one two"),
    "a figure with a NaN": (FIGURE, DATA, DATA.replace("4.0)", "4.0) * np.nan"), r"Data\.x .*nan"),
    "a figure that takes a wrong logarithm": (FIGURE, DATA, "np.log(-1.0)", r"invalid value"),
    "a figure that is no Python": (FIGURE, DATA, "return (", r"SyntaxError"),
    "an unknown name in an alt text": (FIGURE, "{{ 0 : d }}", "{{ tau : d }}", r"'tau'"),
    "an unknown name in a caption": (FIGURE, "{{ len(range(4))", "{{ tau", r"'tau'"),
    "an unknown name": (PAGE, "{{ pi", "{{ tau", r"unknown name 'tau'"),
    "an expression that is not allowed": (PAGE, "{{ pi", "{{ (lambda: 1)()", r"Lambda"),
    "a NaN": (PAGE, "{{ pi", "{{ log(-1)", r"nan: a number on a page must be finite"),
    "a table with a heading too few": (PAGE, '"I", "am"', '"I"', r"2 rows but 1 headings"),
    "TeX that is unknown": (PAGE, "$i = 0$", r"$\nothing$", r"nothing"),
    "a figure that does not exist": (PAGE, "ramp.svg", "slope.svg", r"'slope' has not been"),
    "a broken link": (PAGE, "waves.md#a-section", "nowhere.md", r"'nowhere\.md'"),
    "a broken anchor": (PAGE, "#a-section", "#nothing", r"#nothing"),
    "a page missing from disk": (
        SETTINGS,
        ": index.md",
        ": index.md\n  - Nowhere: nowhere.md",
        r"nowhere\.md",
    ),
    "a setting that is not known": (SETTINGS, "name: material", "name: nothing", r"nothing"),
    "settings that are no YAML": (SETTINGS, "nav:", "nav: [", r"."),
}


PACKAGE = "posenc/encoding.py"
WRONG = {
    "that shows": ("2.01", r"posenc\.wavelengths\(4\)\[0\] shows 6\.31, the oracle 6\.28"),
    "that does not show": ("2.000001", r"posenc\.wavelengths\(4\)\[0\] is 6\.28\d+, the oracle's "),
}


@pytest.fixture(scope="module")
def mistaken(original, tmp_path_factory):
    """A copy for mistakes; each test mends its own."""
    root = tmp_path_factory.mktemp("mistaken") / "project"
    return shutil.copytree(original, root, symlinks=True)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_stops_the_build_with_one_line_that_says_where(mistake, mistaken, original):
    name, old, new, answer = MISTAKES[mistake]
    path = mistaken / name
    right = path.read_text("utf-8")
    edit(path, old, new)
    try:
        done = build(mistaken)
    finally:
        path.write_text(right, "utf-8")
    line = right[: right.index(old)].count("\n") + 1
    where = name if name == FIGURE else rf"{name}:\d+" if name == SETTINGS else f"{name}:{line}"
    assert done.returncode == 1
    assert re.fullmatch(rf"error: {where}:.*{answer}.*\n", done.stderr), done.stderr
    assert "Traceback" not in done.stdout
    assert "done in" not in done.stdout
    assert content(mistaken / "site") == content(original / "site")


@pytest.mark.parametrize("wrong", WRONG)
def test_a_number_that_is_not_the_oracles_stops_the_build(wrong, project, original):
    factor, answer = WRONG[wrong]
    edit(project / PACKAGE, "2 * np.pi / frequencies", f"{factor} * np.pi / frequencies")
    line = INDEX[: INDEX.index("Half a turn")].count("\n") + 1
    done = build(project)
    assert done.returncode == 1
    assert re.fullmatch(rf"error: {PAGE}:{line}: {answer}.*\n", done.stderr), done.stderr
    assert content(project / "site") == content(original / "site")


def test_the_oracle_is_asked_again_when_it_changes_and_only_then(project):
    notes = project / ".build" / "oracle.json"
    before = notes.stat().st_mtime_ns
    edit(project / "docs" / "index.md", "Half a turn", "One half of a turn")
    assert build(project).returncode == 0
    assert notes.stat().st_mtime_ns == before
    oracle = project / "tests" / "oracle.py"
    edit(oracle, "return 2 * mp.pi / frequencies", "return 2.01 * mp.pi / frequencies")
    done = build(project)
    assert "shows 6.28, the oracle 6.31" in done.stderr


def test_a_page_that_the_navigation_forgets_stops_the_build(mistaken, original):
    page = mistaken / "docs" / "forgotten.md"
    page.write_text(OTHER.format("forgotten"), "utf-8")
    done = build(mistaken)
    page.unlink()
    assert done.returncode == 1
    assert re.fullmatch(r"error: .*forgotten\.md.*\n", done.stderr), done.stderr
    assert content(mistaken / "site") == content(original / "site")


# Checked


def drop_a_figure(root):
    (root / "docs" / "figures" / "ramp.csv").unlink()


def change_a_figure(root):
    edit(root / "docs" / "figures" / "ramp.csv", "3.0", "3.5")


def change_a_figure_module(root):
    edit(root / "scripts" / "figures" / "ramp.py", "A ramp", "A slope")


def change_the_data_of_a_figure(root):
    data = root / "scripts" / "figures" / "data"
    data.mkdir()
    (data / "printed.json").write_text("[0.5]", "utf-8")


def change_a_page(root):
    edit(root / "docs" / "index.md", "small", "little")


def change_the_package(root):
    edit(root / "posenc" / "geometry.py", '"""', '"""(revised) ')


def change_the_readme_picture(root):
    edit(root / "docs" / "assets" / "readme.svg", "<svg", "<svg ")


def change_the_site(root):
    edit(root / "site" / "index.html", "small", "little")


def change_the_numbers(root):
    edit(root / "docs" / "numbers.csv", "6.28", "6.29")


def change_the_oracle(root):
    edit(root / "tests" / "oracle.py", '"""', '"""(revised) ')


def drop_the_site(root):
    shutil.rmtree(root / "site")


def test_check_is_content_after_a_build_and_writes_nothing(project):
    before = times(project)
    done = build(project, "--check")
    assert (done.returncode, done.stderr) == (0, "")
    assert times(project) == before


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (drop_a_figure, "figure ramp"),
        (change_a_figure, "figure ramp"),
        (change_a_figure_module, "figure ramp"),
        (change_the_data_of_a_figure, "figure ramp"),
        (change_a_page, "site"),
        (change_the_package, "figure ramp"),
        (change_the_readme_picture, "docs/assets/readme.svg"),
        (change_the_numbers, "docs/numbers.csv"),
        (change_the_oracle, "docs/numbers.csv"),
        (change_the_site, "site"),
        (drop_the_site, "site"),
    ],
)
def test_check_says_what_is_stale_and_writes_nothing(change, named, project):
    change(project)
    before = times(project)
    done = build(project, "--check")
    assert done.returncode == 1
    assert f"stale: {named}: " in done.stderr
    assert "Traceback" not in done.stderr
    assert times(project) == before


# Front-end parts


def test_without_npm_the_build_takes_all_of_plotly_and_says_so(project):
    (project / "node_modules").unlink(missing_ok=True)
    shutil.rmtree(project / "docs" / "assets" / "vendor")
    done = build(project)
    assert done.returncode == 0
    assert "npm is not on the PATH" in done.stdout
    assert "from the Python package" in done.stdout
    vendor = project / "site" / "assets" / "vendor"
    assert [path.name for path in vendor.iterdir()] == ["plotly.min.js"]
    shipped = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    assert (vendor / "plotly.min.js").read_bytes() == shipped.read_bytes()
    page = (project / "site" / "index.html").read_text("utf-8")
    assert re.findall(r'data-bundle="([^"]+)"', page) == ["plotly.min.js"]
    assert "stix" not in page


def test_npms_plotly_is_the_version_that_pythons_plotly_writes_for():
    wanted = plotly.offline.get_plotlyjs_version()
    asked = json.loads((ROOT / "package.json").read_text("utf-8"))["dependencies"]
    locked = json.loads((ROOT / "package-lock.json").read_text("utf-8"))["packages"]
    bundles = [name for name in asked if name.startswith("plotly.js-")]
    assert len(bundles) == 2
    for name in bundles:
        assert asked[name] == wanted
        assert locked[f"node_modules/{name}"]["version"] == wanted


def test_every_bundle_of_the_site_is_of_that_version():
    bundles = sorted((page_text.SITE / "assets" / "vendor").glob("plotly*.js"))
    assert bundles, "no site: run `make site`"
    for bundle in bundles:
        banner = bundle.read_text("utf-8")[:200]
        assert re.search(r" v([\d.]+)\n", banner).group(1) == plotly.offline.get_plotlyjs_version()


# Other makers of pages


def made_by_the_extension(root):
    """The numbers, formulas and figures of a page or a part of one, without what links add."""
    article = root.find(".//article") if root.find(".//article") is not None else root
    numbers = [(sorted(e.attrib.items()), "".join(e.itertext())) for e in article.iter("data")]
    formulas = ["".join(e.itertext()) for e in article.iter("math")]
    figures = [
        (figure.get("id"), figure.get("data-bundle"), "".join(figure.itertext()))
        for figure in article.iter("figure")
    ]
    return numbers, formulas, figures


def settings():
    class Loader(yaml.SafeLoader):
        pass

    Loader.add_constructor("!ENV", lambda loader, node: loader.construct_sequence(node)[-1])
    return yaml.load((ROOT / "mkdocs.yml").read_text("utf-8"), Loader)


def test_properdocs_makes_the_same_pages(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "properdocs", "build", "-q", "-f", "mkdocs.yml", "-d", tmp_path],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for name, page in page_text.pages().items():
        other = page_text.parsed(tmp_path / name)
        assert made_by_the_extension(other) == made_by_the_extension(page), name


def test_plain_python_markdown_makes_the_same_pages():
    names, options = [], {}
    for entry in settings()["markdown_extensions"]:
        name, given = (entry, {}) if isinstance(entry, str) else next(iter(entry.items()))
        names.append(name)
        options[name] = given
    for name, page in page_text.pages().items():
        source = ROOT / "docs" / (name.removesuffix("/index.html").removesuffix(".html") + ".md")
        if not source.is_file():
            continue  # the page for missing addresses
        text = re.sub(r"\A---\n.*?\n---\n", "", source.read_text("utf-8"), flags=re.S)
        html = markdown.markdown(text, extensions=names, extension_configs=options)
        other = html5lib.parse(html, treebuilder="lxml", namespaceHTMLElements=False).getroot()
        for element in other.iter():
            if isinstance(element.tag, str):
                element.tag = element.tag.rpartition("}")[2]
        assert made_by_the_extension(other) == made_by_the_extension(page), name
