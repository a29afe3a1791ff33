"""The build of a small project: complete or without effect, and clear about mistakes."""

import contextlib
import json
import re
import resource
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
from tests import page_text, small_project
from tests.builds import build, environment, run


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """A small project, built without npm, which no test changes."""
    root = tmp_path_factory.mktemp("small") / "project"
    small_project.write(root)
    (root / "node_modules").unlink(missing_ok=True)
    shutil.rmtree(root / "docs" / "assets" / "vendor", ignore_errors=True)
    done = build(root)
    assert done.returncode == 0, done.stderr
    assert "from the Python package; the reader's own maths fonts (npm is not" in done.stdout
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


def test_a_check_and_a_run_write_nothing_though_a_file_has_a_new_time(project):
    (project / "scripts" / "figures" / "square.py").touch()
    before = times(project)
    done = build(project, "--check")
    assert (done.returncode, done.stderr) == (0, "")
    done = build(project)
    assert done.returncode == 0, done.stderr
    for line in ("2 figures: up to date", "site: up to date"):
        assert f"\n{line}\n" in f"\n{done.stdout}"
    assert ": made" not in done.stdout
    assert times(project) == before


def test_only_what_changed_is_made_again_and_all_else_keeps_its_time(project):
    module = project / "scripts" / "figures" / "square.py"
    before = times(project)
    edit(module, "A square.", "A square (revised).")
    edit(project / "docs" / "index.md", "Half a turn", "One half of a turn")
    done = build(project)
    made = re.findall(r"^(\w+ ?\w*): made", done.stdout, re.MULTILINE)
    assert made == ["figure square", "numbers", "site"]
    after = times(project)
    changed = {path.as_posix() for path in before if after.get(path) != before[path]}
    figure = {f"figures/square.{kind}" for kind in ("svg", "py.txt")}
    whole = {"search/search_index.json", "dist/posenc-site.zip", "embed/square/index.html"}
    made = {"index.html", "index.md", *figure, *whole}  # the drawing has the module's title
    edited = {"docs/index.md", "scripts/figures/square.py"}
    notes = {".build/notes.json", ".build/imports.json"}  # not the oracle's, nor the templates
    wanted = {f"site/{name}" for name in made} | {f"docs/{name}" for name in figure} | edited
    assert {name for name in changed if "__pycache__" not in name} - notes == wanted
    assert "(revised)" in (project / "site" / "index.html").read_text("utf-8")


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


def test_only_a_site_with_an_address_has_cards(original, tmp_path):
    code = f"""if True:
        from scripts.pages.site import configured
        print(*configured({str(tmp_path)!r}).extra["cards"])
        os.environ["SITE_URL"] = ""
        print("cards" in configured({str(tmp_path)!r}).extra)
    """
    assert run(code, original).stdout.split() == ["index", "waves", "notebooks/small", "False"]


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


@pytest.mark.parametrize("moves", range(4))
def test_a_kill_between_the_two_moves_of_the_swap_is_repaired(moves, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "WORK", tmp_path / "work")
    old, new = tmp_path / "site", tmp_path / "work" / "staging-1"
    for folder, text in ((old, "old"), (new, "new")):
        (folder / "deep").mkdir(parents=True)
        (folder / "deep" / "page").write_text(text)
    left, rename = iter(range(moves)), Path.rename

    def killed(self, target):
        if next(left, None) is None:
            raise KeyboardInterrupt
        return rename(self, target)

    with monkeypatch.context() as patch, contextlib.suppress(KeyboardInterrupt):
        patch.setattr(Path, "rename", killed)
        files.swap(new, old)
    files.restore(old)
    files.clear_leftovers()
    assert (old / "deep" / "page").read_text() == ("new" if moves >= 2 else "old")
    assert not list((tmp_path / "work").iterdir())


def test_a_full_disk_is_named_with_the_file_which_stays_as_it_was(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "WORK", tmp_path / "work")
    page = tmp_path / "page"
    assert files.write(page, b"old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2, hard))
    try:
        with pytest.raises(OSError, match=rf"File too large: '{page}'$"):
            files.write(page, b"new")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert page.read_bytes() == b"old"
    assert not list((tmp_path / "work").iterdir())


# Mistakes

FIGURE, PAGE, SETTINGS = "scripts/figures/square.py", "docs/index.md", "mkdocs.yml"
DATA = "return _matrix.data(4, 4)"
# What may go wrong in each part of a build: the file, its text, the author's text, the answer.
MISTAKES = {
    "a figure that fails": (FIGURE, DATA, "raise ValueError('one\\ntwo')", r"ValueError: one two"),
    "a false claim in a caption": (FIGURE, "{{ len(", "{{ check: pi > 4 }} {{ len(", r"is false"),
    "an unknown name": (PAGE, "{{ pi", "{{ tau", r"unknown name 'tau'"),
    "a broken link": (PAGE, "waves.md#a-section", "nowhere.md", r"'nowhere\.md'"),
    "a setting that is wrong": (SETTINGS, "nav:\n", "theme: 3\nnav:\n", r"'theme'"),
    "settings that are no YAML": (SETTINGS, "nav:\n", "nav: [\n", r"expected the node"),
    "a page that is missing": (SETTINGS, ": index.md", ": index.md\n  - No: no.md", r"no\.md"),
    "a page that is forgotten": (SETTINGS, "  - Waves: waves.md\n", "", r"waves\.md"),
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
def test_a_mistake_stops_the_build_with_one_line_that_says_where(mistake, mistaken):
    name, old, new, answer = MISTAKES[mistake]
    path = mistaken / name
    right = path.read_text("utf-8")
    before = times(mistaken / "site")
    (mistaken / "site").rename(mistaken / ".build" / "site-before")  # as a killed build leaves it
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


# Checked


def test_check_names_what_is_stale_and_writes_nothing(project):
    (project / "docs" / "figures" / "square.csv").unlink()
    edit(project / "docs" / "numbers.csv", "6.28", "6.29")
    edit(project / "docs" / "assets" / "readme.svg", "<svg", "<svg ")
    shutil.rmtree(project / "site")
    before = times(project)
    done = build(project, "--check")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "stale: figure square: its files have changed; run `make site`",
        "stale: numbers: its files have changed; run `make site`",
        "stale: readme: its files have changed; run `make site`",
        "stale: site: its files are missing; run `make site`",
    ]
    assert times(project) == before


# Front-end parts


def test_without_npm_a_site_has_all_of_plotly_and_no_font(original):
    vendor = original / "site" / "assets" / "vendor"
    assert [path.name for path in vendor.iterdir()] == ["plotly.min.js"]
    shipped = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    assert (vendor / "plotly.min.js").read_bytes() == shipped.read_bytes()
    page = (original / "site" / "index.html").read_text("utf-8")
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
