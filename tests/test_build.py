"""The build of a small project: complete or without effect, and clear about mistakes."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import plotly.offline
import pytest
from lxml import html

from scripts import files
from scripts.browser import known_encodings
from scripts.files import ROOT
from scripts.pages import site
from tests import page_text, small_project
from tests.small_project import OTHER
from tests.warm_builds import environment


@pytest.fixture(scope="module")
def original(build, tmp_path_factory):
    """A built small project, which no test changes."""
    root = tmp_path_factory.mktemp("small") / "project"
    small_project.write(root)
    done = build(root)
    assert done.returncode == 0, done.stderr
    assert (root / "site").stat().st_mode & 0o777 == 0o755, "a server may read it too"
    return root


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


def test_a_second_run_and_a_check_write_nothing(build, project):
    before = times(project)
    done = build(project, "--check")
    assert (done.returncode, done.stderr) == (0, "")
    done = build(project)
    assert done.returncode == 0, done.stderr
    for line in ("2 figures: up to date", "site: up to date"):
        assert f"\n{line}\n" in f"\n{done.stdout}"
    assert ": made" not in done.stdout
    assert times(project) == before


def test_only_the_figure_whose_module_changed_is_made_again(build, project):
    module = project / "scripts" / "figures" / "ramp.py"
    module.touch()
    assert ": made" not in build(project).stdout  # a new time is no change
    before = times(project / "docs")
    edit(module, '"""', '"""(revised) ')
    done = build(project)
    made = re.findall(r"^(\w+ ?\w*): made", done.stdout, re.MULTILINE)
    assert made == ["figure ramp", "numbers", "site"]
    after = times(project / "docs")
    changed = {path.as_posix() for path in after if after[path] != before[path]}
    assert changed == {"figures/ramp.svg", "figures/ramp.py.txt"}
    assert "(revised)" in (project / "site" / "index.html").read_text("utf-8")


def test_pages_that_did_not_change_keep_their_time_and_templates_are_compiled_once(build, project):
    before = times(project)
    edit(project / "docs" / "index.md", "Half a turn", "One half of a turn")
    assert build(project).returncode == 0
    after = times(project)
    changed = {path.as_posix() for path in after if after[path] != before.get(path)}
    assert "site/index.html" in changed
    whole = {"site/search/search_index.json", "site/dist/posenc-site.zip"}  # all pages are in them
    assert {name for name in changed if name.startswith("site/")} <= {
        *("site/index.html", "site/index.md", *whole)
    }
    kept = [path for path in before if path.is_relative_to(".build/templates")]
    assert kept
    assert not changed & {*map(Path.as_posix, kept), ".build/oracle.json"}


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


def test_only_a_site_with_an_address_has_cards(monkeypatch, tmp_path):
    monkeypatch.setattr(os, "environ", os.environ | {"SITE_URL": ""})
    assert "cards" not in site.configured(tmp_path).extra
    os.environ["SITE_URL"] = "https://site.example/"
    assert site.configured(tmp_path).extra["cards"]["waves"].page == "waves"


def test_a_page_links_to_its_source_and_a_report_of_mistakes_names_it(original):
    known = "https://github.com/a/b"
    pages = {"": "index.md", "waves/": "waves.md", "notebooks/small/": "notebooks/small.ipynb"}
    for page, source in pages.items():
        shown = html.parse(original / "site" / page / "index.html")
        links = {link.text: link.get("href") for link in shown.iter("a")}
        assert links["Edit this page"] == f"{known}/edit/main/docs/{source}"
        where = f"https%3A//site.example/{page}"
        report = f"{known}/issues/new?template=mistake.yml&page={where}"
        assert links["Report a mistake"] == report
        colab = f"https://colab.research.google.com/github/a/b/blob/main/docs/{source}"
        assert links.get("Open in Colab") == (colab if source.endswith("ipynb") else None)


# Killed (`make kills` kills whole builds)


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
# What may go wrong in each part of a build: the file, its text, the author's text, the answer.
MISTAKES = {
    "a figure that fails": (FIGURE, DATA, "raise ValueError('one\\ntwo')", r"ValueError: one two"),
    "a figure that is no Python": (FIGURE, DATA, "return (", r"SyntaxError"),
    "a false claim in a caption": (FIGURE, "{{ len(", "{{ check: pi > 4 }} {{ len(", r"is false"),
    "an unknown name": (PAGE, "{{ pi", "{{ tau", r"unknown name 'tau'"),
    "TeX that is unknown": (PAGE, "$i = 0$", r"$\nothing$", r"nothing"),
    "a figure that does not exist": (PAGE, "ramp.svg", "slope.svg", r"no figure 'slope'"),
    "a broken anchor": (PAGE, "#a-section", "#nothing", r"#nothing"),
    "a broken link": (PAGE, "waves.md#a-section", "nowhere.md", r"'nowhere\.md'"),
    "a setting that is wrong": (SETTINGS, "nav:\n", "theme: 3\nnav:\n", r"'theme'"),
    "settings that are no YAML": (SETTINGS, "nav:\n", "nav: [\n", r"expected the node"),
    "a page that is missing": (SETTINGS, ": index.md", ": index.md\n  - No: no.md", r"no\.md"),
    "a number that is not the oracle's": (
        *("tests/oracle.py", "return 2 * balls.pi / freq", "return 2.000001 * balls.pi / freq"),
        r"posenc\.wavelengths\(4\)\[0\] is 6\.28\d+, the oracle's ",
    ),
}


@pytest.fixture(scope="module")
def mistaken(original, tmp_path_factory):
    """A copy for mistakes; each test takes its mistake back."""
    root = tmp_path_factory.mktemp("mistaken") / "project"
    return shutil.copytree(original, root, symlinks=True)


@pytest.mark.parametrize("mistake", MISTAKES)
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
    where = {FIGURE: FIGURE, SETTINGS: rf"{SETTINGS}:\d+"}.get(name, f"{name}:{line}")
    where = rf"{PAGE}:\d+" if name.startswith("tests") else where
    assert done.returncode == 1
    assert re.fullmatch(rf"error: {where}:.*{answer}.*\n", done.stderr), done.stderr
    assert "Traceback" not in done.stdout
    assert "done in" not in done.stdout
    assert times(mistaken / "site") == before


def test_a_page_that_the_navigation_forgets_stops_the_build(mistaken, build):
    page = mistaken / "docs" / "forgotten.md"
    page.write_text(OTHER.format("forgotten"), "utf-8")
    done = build(mistaken)
    page.unlink()
    assert done.returncode == 1
    assert re.fullmatch(r"error: .*forgotten\.md.*\n", done.stderr), done.stderr


# Checked


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
    names = [name for name in asked if name.startswith("plotly.js-")]
    versions = {asked[name] for name in names}
    versions |= {locked[f"node_modules/{name}"]["version"] for name in names}
    for bundle in (page_text.SITE / "assets" / "vendor").glob("plotly*.js"):
        versions |= set(re.findall(r" v([\d.]+)\n", bundle.read_text("utf-8")[:200]))
    assert (len(names), versions) == (2, {wanted})
