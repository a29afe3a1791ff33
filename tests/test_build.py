"""The build of a small project: complete or without effect, and clear about mistakes."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import plotly.offline
import pytest

from scripts import files
from scripts.browser import known_encodings
from scripts.files import ROOT
from tests import page_text, small_project
from tests.small_project import FIGURES, INDEX, OTHER
from tests.warm_builds import environment


@pytest.fixture(scope="module")
def first_build(build, tmp_path_factory):
    """A new small project, and how its build ended."""
    root = tmp_path_factory.mktemp("small") / "project"
    small_project.write(root)
    done = build(root)
    assert done.returncode == 0, done.stderr
    return root, done


@pytest.fixture(scope="module")
def original(first_build):
    """A built small project, which no test changes."""
    return first_build[0]


@pytest.fixture
def project(original, tmp_path):
    """A copy of the built small project that the test may change."""
    return shutil.copytree(original, tmp_path / "project", symlinks=True)


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


def test_a_build_says_how_to_read_the_site_which_a_server_may_read_too(first_build):
    project, done = first_build
    address = (
        "python3 -m http.server 8000 --directory site\n       then open http://127.0.0.1:8000/"
    )
    assert f"to read it: {address}\n" in done.stdout
    assert (project / "site").stat().st_mode & 0o777 == 0o755


def test_a_second_run_writes_nothing_and_says_so(build, project):
    before = times(project)
    done = build(project)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^2 figures: up to date$", done.stdout, re.MULTILINE)
    assert re.search(r"^site: up to date$", done.stdout, re.MULTILINE)
    assert ": made" not in done.stdout
    assert times(project) == before


def test_only_the_figure_whose_module_changed_is_made_again(build, project):
    module = project / "scripts" / "figures" / "ramp.py"
    module.touch()
    assert ": made" not in build(project).stdout  # a new time is no change
    before = times(project / "docs")
    edit(module, '"""', '"""(revised) ')
    done = build(project)
    assert re.findall(r"^(\w+ ?\w*): made", done.stdout, re.MULTILINE) == [
        *("figure ramp", "card index", "numbers", "site")
    ]
    after = times(project / "docs")
    changed = {path.as_posix() for path in after if after[path] != before[path]}
    assert changed == {"figures/ramp.svg", "figures/ramp.py.txt"}
    assert "(revised)" in (project / "site" / "index.html").read_text("utf-8")


@pytest.fixture(scope="module")
def reworded(original, build, tmp_path_factory):
    """The times of all files before and after a build with an edited page."""
    root = shutil.copytree(original, tmp_path_factory.mktemp("reworded") / "p", symlinks=True)
    before = times(root)
    edit(root / "docs" / "index.md", "Half a turn", "One half of a turn")
    assert build(root).returncode == 0
    return before, times(root)


def below(folder, times):
    return {path: time for path, time in times.items() if path.is_relative_to(folder)}


def test_pages_that_did_not_change_keep_their_time(reworded):
    before, after = (below("site", times) for times in reworded)
    changed = {path.as_posix() for path in after if after[path] != before[path]}
    assert "site/index.html" in changed
    whole = {"site/search/search_index.json", "site/dist/posenc-site.zip"}  # all pages are in them
    assert changed <= {"site/index.html", "site/index.md", *whole}


def test_templates_are_compiled_once(reworded):
    before, after = (below(".build/templates", times) for times in reworded)
    assert before
    assert before.items() <= after.items()


def test_a_figure_that_is_gone_leaves_nothing_behind(build, project):
    edit(project / "docs" / "index.md", "![](figures/ramp.svg)", "")
    (project / "scripts" / "figures" / "ramp.py").unlink()
    assert build(project).returncode == 0
    for folder in ("docs", "site"):
        assert not list((project / folder).rglob("ramp*"))


@pytest.mark.thorough
def test_two_builds_from_nothing_in_two_processes_give_the_same_bytes(original, project):
    for made in ("site", ".build", "docs/figures"):
        shutil.rmtree(project / made)
    done = subprocess.run(
        [sys.executable, "-m", "scripts.build"],
        cwd=project,
        env={**environment(project), "PYTHONHASHSEED": "1"},
        stdout=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == 0
    assert content(project / "site") == content(original / "site")


def test_the_page_that_identifies_tables_knows_what_the_package_knows():
    assert known_encodings.PATH.read_bytes() == known_encodings.module()


# Killed


@pytest.mark.thorough
def test_a_killed_build_leaves_the_old_site_or_the_new_one_and_the_next_run_goes_on(build, project):
    old = content(project / "site")
    new_texts = {"docs/index.md": "Half a turn", "scripts/figures/ramp.py": "A ramp"}
    for name, text in new_texts.items():
        edit(project / name, text, f"{text} (new)")
    done, moves, sites = build(project, die_at=1), 1, []
    while done.returncode == -signal.SIGKILL:
        sites.append(content(project / "site"))
        moves *= 2
        done = build(project, die_at=moves)
    assert done.returncode == 0, done.stderr
    wanted = content(project / "site")
    assert wanted != old
    assert all(left in (old, wanted) for left in sites)
    assert len(sites) > 3, "the build was hardly killed"
    rest = {path.name for path in (project / ".build").iterdir()}
    folders = {"ipython", "notebooks", "templates"}
    known = {"imports.json", "lock", "notes.json", "oracle.json", "theme.json", *folders}
    assert rest <= known, "unfinished files"
    assert build(project, "--check").returncode == 0


@pytest.mark.thorough
def test_a_build_that_is_killed_takes_its_workers_along(build, project):
    for name in FIGURES:
        edit(project / "scripts" / "figures" / f"{name}.py", '"""', '"""(revised) ')
    edit(
        project / "scripts" / "render" / "figure.py",
        "def files(name: str) -> dict[str, bytes]:",
        "import multiprocessing, os, signal, time\n"
        "def files(name: str) -> dict[str, bytes]:\n"
        "    os.kill(multiprocessing.parent_process().pid, signal.SIGKILL)\n"
        "    time.sleep(600)",
    )
    done = build(project)
    try:
        assert done.returncode == -signal.SIGKILL
        wait_until(lambda: not group_lives(build.group))
    finally:
        if group_lives(build.group):
            os.killpg(build.group, signal.SIGKILL)


def wait_until(condition, seconds=300):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "the condition did not hold in time"
        time.sleep(0.02)


def group_lives(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("survived", [0, 1, 2, 3])
def test_a_kill_between_the_two_moves_of_the_swap_is_repaired(survived, tmp_path, monkeypatch):
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


def test_the_site_of_a_killed_build_is_back_even_if_the_next_one_fails(project, build):
    old = content(project / "site")
    (project / "site").rename(project / ".build" / "site-before")  # between the two moves
    edit(project / "docs/index.md", "{{ pi", "{{ tau")
    assert build(project).returncode == 1
    assert content(project / "site") == old


@pytest.mark.thorough
def test_a_full_disk_leaves_the_old_site_and_the_next_run_goes_on(build, project):
    old = content(project / "site")
    edit(project / "docs/index.md", "Half a turn", "Half a turn (new)")
    edit(project / "scripts/figures/ramp.py", "A ramp", "A new ramp")
    for room in (2**8, 2**12, 2**14, 2**16):  # each run starts with what the last one left
        done = build(project, room=room)
        assert done.returncode == 1, room
        assert re.fullmatch(r"error: \S+: File too large\n", done.stderr), done.stderr
        assert content(project / "site") == old, room
    done = build(project)
    assert done.returncode == 0, done.stderr
    assert b"(new)" in (project / "site/index.html").read_bytes()


# Mistakes

FIGURE, PAGE, SETTINGS = "scripts/figures/ramp.py", "docs/index.md", "mkdocs.yml"
DATA = "return Data(x=np.arange(4.0))"
MISTAKES = {
    # the file, its text, the author's text, the answer of the build
    "a figure that fails": (FIGURE, DATA, "raise ValueError('one\\ntwo')", r"ValueError: one two"),
    "a figure with a NaN": (FIGURE, DATA, DATA.replace("4.0)", "4.0) * np.nan"), r"Data\.x .*nan"),
    "a figure that takes a wrong logarithm": (FIGURE, DATA, "np.log(-1.0)", r"invalid value"),
    "a figure that is no Python": (FIGURE, DATA, "return (", r"SyntaxError"),
    "an unknown name in an alt text": (FIGURE, "{{ 0 : d }}", "{{ tau : d }}", r"'tau'"),
    "an unknown name in a caption": (FIGURE, "{{ len(range(4))", "{{ tau", r"'tau'"),
    "an unknown name": (PAGE, "{{ pi", "{{ tau", r"unknown name 'tau'"),
    "an expression that is not allowed": (PAGE, "{{ pi", "{{ (lambda: 1)()", r"Lambda"),
    "a false claim": (PAGE, "{{ pi", "{{ check: pi > 4 }} {{ pi", r"is false: 3\.14\d+ > 4"),
    "a false claim in a caption": (
        FIGURE,
        "{{ len(range(4))",
        "{{ check: pi > 4 }} {{ len(range(4))",
        r"the claim np\.pi > 4 is false",
    ),
    "a false claim in an alt text": (
        FIGURE,
        "{{ 0 : d }}",
        "{{ 0 : d }} {{ check: pi > 4 }}",
        r"the claim np\.pi > 4 is false",
    ),
    "a NaN": (PAGE, "{{ pi", "{{ log(-1)", r"nan: a number on a page must be finite"),
    "a table with a heading too few": (PAGE, '"I", "am"', '"I"', r"2 rows but 1 headings"),
    "TeX that is unknown": (PAGE, "$i = 0$", r"$\nothing$", r"nothing"),
    "a formula that does not end": (
        PAGE,
        "$i = 0$ repeats",
        "$i = 0 repeats",
        r"a \$ without its partner",
    ),
    "a formula of its own that does not end": (
        PAGE,
        "![](figures/ramp.svg)",
        "$$\nx + 1\n\n![](figures/ramp.svg)",
        r"a \$ without its partner",
    ),
    "a figure that does not exist": (PAGE, "ramp.svg", "slope.svg", r"no figure 'slope'"),
    "a card with a figure that does not exist": (
        PAGE,
        "description: The start",
        "card: slope\ndescription: The start",
        r"no figure 'slope'",
    ),
    "a description that is a list": (
        PAGE,
        "description: The start page of a small site.",
        "description: [a, b]",
        r"description must be a text",
    ),
    "sliders without names": (
        PAGE,
        "![](figures/ramp.svg)",
        '<div class="sliders" data-live="sliders/x" markdown>\n\n![](figures/ramp.svg)\n\n</div>',
        r"sliders need a figure, and a list with a name for each",
    ),
    "a broken link": (PAGE, "waves.md#a-section", "nowhere.md", r"'nowhere\.md'"),
    "a broken anchor": (PAGE, "#a-section", "#nothing", r"#nothing"),
    "words for a section that is not there": (
        PAGE,
        "description: The start",
        "words: {nothing: half precision}\ndescription: The start",
        r"#nothing",
    ),
    "a page missing from disk": (
        SETTINGS,
        ": index.md",
        ": index.md\n  - Nowhere: nowhere.md",
        r"nowhere\.md",
    ),
    "a setting that is not known": (SETTINGS, "name: material", "name: nothing", r"nothing"),
    "settings that are no YAML": (SETTINGS, "nav:", "nav: [", r"."),
}
ALSO = {  # each fails in the same place of the build as one of the others
    *("a figure with a NaN", "a figure that takes a wrong logarithm", "a NaN"),
    *("an unknown name in a caption", "a false claim in a caption", "a false claim in an alt text"),
    *("an expression that is not allowed", "a table with a heading too few"),
    *("a page missing from disk", "a setting that is not known"),
    *("a broken link", "words for a section that is not there", "an unknown name in an alt text"),
}


ORACLE = {  # another factor in the oracle, and the answer of the build
    "that shows": ("2.01", r"posenc\.wavelengths\(4\)\[0\] shows 6\.28, the oracle 6\.31"),
    "that does not show": ("2.000001", r"posenc\.wavelengths\(4\)\[0\] is 6\.28\d+, the oracle's "),
}


@pytest.fixture(scope="module")
def mistaken(original, tmp_path_factory):
    """A copy for mistakes; each test takes its mistake back."""
    root = tmp_path_factory.mktemp("mistaken") / "project"
    return shutil.copytree(original, root, symlinks=True)


@pytest.mark.parametrize(
    "mistake",
    [pytest.param(m, marks=pytest.mark.thorough) if m in ALSO else m for m in MISTAKES],
)
def test_a_mistake_stops_the_build_with_one_line_that_says_where(mistake, mistaken, build):
    name, old, new, answer = MISTAKES[mistake]
    path = mistaken / name
    right = path.read_text("utf-8")
    before = times(mistaken / "site")
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
    assert times(mistaken / "site") == before


@pytest.mark.parametrize("difference", ORACLE)
def test_a_number_that_is_not_the_oracles_stops_the_build(difference, mistaken, build):
    factor, answer = ORACLE[difference]
    before = times(mistaken / "site")
    oracle = mistaken / "tests" / "oracle.py"
    right = oracle.read_text("utf-8")
    edit(oracle, "return 2 * balls.pi / frequencies", f"return {factor} * balls.pi / frequencies")
    line = INDEX[: INDEX.index("Half a turn")].count("\n") + 1
    done = build(mistaken)
    oracle.write_text(right, "utf-8")
    assert done.returncode == 1
    assert re.fullmatch(rf"error: {PAGE}:{line}: {answer}.*\n", done.stderr), done.stderr
    assert times(mistaken / "site") == before


def test_the_oracle_computes_again_only_when_its_files_change(reworded, project, build):
    notes = project / ".build" / "oracle.json"
    before = notes.stat().st_mtime_ns
    asked, still = (below(".build/oracle.json", times) for times in reworded)
    assert asked == still != {}
    with (project / "tests" / "oracle.py").open("a") as oracle:
        oracle.write("# changed\n")
    assert build(project).returncode == 0
    assert notes.stat().st_mtime_ns != before


@pytest.mark.thorough  # test_notebooks.py runs such a cell without a build
def test_a_mistake_in_a_notebook_stops_the_build_with_the_line_of_its_cell(mistaken, build):
    path = mistaken / "docs" / "notebooks" / "small.ipynb"
    right = path.read_text("utf-8")
    notebook = json.loads(right)
    notebook["cells"][1] |= {"source": ['print("ä", 1 / 0)'], "outputs": []}  # so the build runs it
    path.write_text(json.dumps(notebook, indent=1), "utf-8")
    line = path.read_text("utf-8").partition("print(")[0].count("\n") + 1
    done = build(mistaken)
    path.write_text(right, "utf-8")
    assert done.returncode == 1
    where = f"docs/notebooks/small.ipynb:{line}"
    assert done.stderr == f"error: {where}: ZeroDivisionError: division by zero\n"


def test_a_page_that_the_navigation_forgets_stops_the_build(mistaken, build):
    before = times(mistaken / "site")
    page = mistaken / "docs" / "forgotten.md"
    page.write_text(OTHER.format("forgotten"), "utf-8")
    done = build(mistaken)
    page.unlink()
    assert done.returncode == 1
    assert re.fullmatch(r"error: .*forgotten\.md.*\n", done.stderr), done.stderr
    assert times(mistaken / "site") == before


# Checked


def test_check_finds_nothing_after_a_build_and_writes_nothing(project, build):
    before = times(project)
    done = build(project, "--check")
    assert (done.returncode, done.stderr) == (0, "")
    assert times(project) == before


def test_check_names_what_is_stale_and_writes_nothing(project, build):
    (project / "docs" / "figures" / "ramp.csv").unlink()
    edit(project / "docs" / "numbers.csv", "6.28", "6.29")
    edit(project / "docs" / "assets" / "readme.svg", "<svg", "<svg ")
    shutil.rmtree(project / "site")
    before = times(project)
    done = build(project, "--check")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "stale: figure ramp: its files have changed; run `make site`",
        "stale: numbers: its files have changed; run `make site`",
        "stale: readme: its files have changed; run `make site`",
        "stale: site: its files are missing; run `make site`",
    ]
    assert times(project) == before


# Front-end parts


def test_without_npm_the_build_takes_all_of_plotly_and_says_so(project, build):
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
