"""The stages of the build: each finds its sources, and is stale when one of them changes."""

import os
import re
import shutil
import sys
from dataclasses import replace

import pytest

from scripts import figures, files, workers
from scripts.build import __main__ as command
from scripts.build import loop, stages
from scripts.build.stage import Stage
from scripts.files import ROOT, BuildError
from tests.builds import run

CODE = {
    path.relative_to(ROOT).as_posix()
    for folder in ("scripts", "posenc", "tests")
    for path in files.below(ROOT / folder)
    if path.suffix == ".py" and not path.name.startswith("test_")
}
PAGES = [
    f"scripts.{folder}.{path.stem}"
    for folder in ("pages", "pages.theme", "browser")
    for path in (ROOT / "scripts" / folder.replace(".", "/")).glob("[!_]*.py")
]
ALL_FIGURES = [f"scripts.figures.{name}" for name in figures.names()]
SOME_FIGURES = ("heatmap", "published_line")  # others have sources like these
RUN = {  # the modules that the build imports when it makes a stage
    "assets": ["scripts.browser.vendor"],
    "encodings": ["scripts.browser.known_encodings"],
    "configs": ["scripts.browser.known_configs"],
    "models": ["scripts.browser.models"],
    "wheel": ["scripts.build.wheel"],
    "face": ["scripts.render.face"],
    "vectors": ["scripts.vectors.written"],
    "readme": ["scripts.files"],
    "notebook numpy": ["scripts.pages.notebook_run", "scripts.pages.notebook_display"],
    "numbers": ["scripts.numbers.checked", *ALL_FIGURES],
    "site": [*PAGES, *ALL_FIGURES],
    **{
        f"figure {one}": ["scripts.render.figure", f"scripts.figures.{one}"] for one in SOME_FIGURES
    },
}
FIGURES = {name for name in RUN if name.startswith("figure")}
OTHER_SOURCES = {  # besides code, and the stages that read them
    "constraints.txt": set(RUN),
    "pyproject.toml": {"wheel"},
    "CITATION.cff": {"site"},
    "README.md": {"wheel"},
    "docs/assets/site/style.css": {*FIGURES, "notebook numpy", "site"},
    "docs/figures/column_waves.svg": {"readme", "site"},
    "docs/conventions.md": {"numbers", "site"},
    "docs/notebooks/numpy.ipynb": {"notebook numpy", "numbers", "site"},
    "docs/numbers.csv": {"site"},
    "mkdocs.yml": {"numbers", "site"},
    "package-lock.json": {"assets"},
    "scripts/experiments/results/lengths.json": {*FIGURES, "numbers", "site"},
    "scripts/experiments/results/rope.safetensors": {"models"},
    "scripts/pages/theme/templates/main.html": {"site"},
    "scripts/vectors/schema.json": {"vectors"},
    "tests/data/conventions/reference.npz": {"numbers"},
    "tests/data/corpus/configs.json": {"numbers", "site", "vectors"},
    ".build/notebooks/numpy.html": {"site"},
}


def by_name():
    return {stage.name: stage for group in stages.rounds() for stage in group}


@pytest.fixture(scope="module")
def read():
    """The files that each stage reads, as paths in the project."""
    found = by_name()
    assert {one.split()[0] for one in found} == {one.split()[0] for one in RUN}
    assert all(found[name].make[0] in modules for name, modules in RUN.items())
    return {name: {files.relative(path) for path in found[name].read()} for name in RUN}


LOADER = """if True:
    from importlib import import_module
    for name in sys.argv[1:]:
        import_module(name)
    found = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    print(*(os.path.relpath(path) for path in found if path), sep="\\n")
"""


def test_a_stage_reads_the_modules_that_python_loads_for_it_and_no_others(read):
    packed = {name for name in CODE if name.startswith("posenc/")}  # without loading some of them
    for name, modules in RUN.items():
        loaded = {*run(LOADER, ROOT, *modules).stdout.splitlines()} & CODE
        assert read[name] & CODE == loaded | (packed if name == "wheel" else set()), name


def test_a_file_that_is_no_module_belongs_to_exactly_its_stages(read):
    for path, wanted in OTHER_SOURCES.items():
        assert {name for name in RUN if path in read[name]} == wanted, path


def test_the_site_is_stale_if_its_address_changes(monkeypatch):
    before = {name: stage.sources_hash() for name, stage in by_name().items() if name in RUN}
    monkeypatch.setenv("SITE_URL", "https://elsewhere.example/")
    after = by_name()
    assert {name for name, old in before.items() if after[name].sources_hash() != old} == {"site"}


def test_missing_npm_parts_are_tried_again_while_npm_is_there(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "ROOT", tmp_path)
    lock, stamp = tmp_path / "package-lock.json", tmp_path / "node_modules" / ".posenc-lock"
    lock.write_text("new")
    stamp.parent.mkdir()
    for npm in (None, "/bin/npm"):
        monkeypatch.setattr(stages.shutil, "which", lambda _, npm=npm: npm)
        for installed in (None, "old", "new"):
            stamp.unlink(missing_ok=True)
            if installed:
                stamp.write_text(installed)
            told = "npm's parts are not installed" if npm and installed != "new" else ""
            assert by_name()["assets"].unfinished == told, (npm, installed)


# The loop, over stages made up for the test

MAKERS = """
from pathlib import Path

def double(name):
    from helper import twice
    return twice(Path(name).read_bytes())

def parts():
    return {"a.txt": b"a", "b.txt": Path("in.txt").read_bytes()}, "two parts"

def folder():
    made = Path(".build/staging-1")
    made.mkdir(parents=True)
    (made / "page.html").write_bytes(Path("out.txt").read_bytes())
    return made

def fail():
    raise ValueError("no")
"""


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """A project of three stages: a file, two files in a folder, and a folder."""
    monkeypatch.setattr(files, "ROOT", tmp_path)
    monkeypatch.setattr(files, "WORK", tmp_path / ".build")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    for name, text in {
        "makers.py": MAKERS,
        "helper.py": "def twice(content):\n    return 2 * content\n",
        "in.txt": "word ",
        "constraints.txt": "",
    }.items():
        (tmp_path / name).write_text(text, "utf-8")
    shutil.copy2(ROOT / "pyproject.toml", tmp_path)
    yield [
        [
            Stage("doubled", ("in.txt",), "out.txt", ("makers", "double", "in.txt")),
            Stage("parts", ("in.txt",), "parts/*", ("makers", "parts")),
        ],
        [Stage("pages", ("out.txt",), "pages/**/*", ("makers", "folder"))],
    ]
    for name in ("makers", "helper"):
        sys.modules.pop(name, None)


def names(found):
    return [stage.name for stage, _ in found]


def contents(folder):
    """Every file below `folder` with its content."""
    return {path: path.read_bytes() for path in files.below(folder)}


def test_the_loop_makes_what_is_stale_in_order_and_then_nothing(toy, tmp_path, capsys):
    assert names(loop.run(toy)) == ["doubled", "parts", "pages"]
    made = {"out.txt": "word word ", "parts/b.txt": "word ", "pages/page.html": "word word "}
    assert {name: (tmp_path / name).read_text() for name in made} == made
    said = re.sub(r"\d+\.\d\d s", "T", capsys.readouterr().out)
    assert said == "doubled: made (T)\nparts: two parts (T)\npages: made (T)\n"
    assert loop.run(toy) == []
    current = "doubled: up to date\nparts: up to date\npages: up to date\n"
    assert capsys.readouterr().out == current


def test_the_command_tidies_up_makes_all_and_says_how_to_read_the_site(
    toy, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(command, "rounds", lambda: toy)
    monkeypatch.setattr(command, "SITE", tmp_path / "site")
    monkeypatch.delenv("SITE_URL", raising=False)
    for left in (".build/site-before", ".build/staging-2", "pages", "parts"):
        (tmp_path / left).mkdir(parents=True)  # as builds leave them that are killed
    (tmp_path / "parts" / "old.png").touch()
    toy[0][1] = replace(toy[0][1], outputs="parts/*.txt")
    command.build()
    assert (tmp_path / "site").is_dir()
    assert {path.name for path in (tmp_path / ".build").iterdir()} == {"imports.json", "notes.json"}
    assert {path.name for path in (tmp_path / "parts").iterdir()} == {"a.txt", "b.txt"}
    *_, done, first, second = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"done in \d+\.\d s", done)
    assert first == "to read it: python3 -m http.server 8000 --directory site"
    assert second == "       then open http://127.0.0.1:8000/"
    monkeypatch.setenv("SITE_URL", "https://site.example/")  # for a server
    command.build()
    assert "to read it" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "content", "stale", "reason"),
    [
        ("in.txt", "other ", ["doubled", "parts"], "its sources have changed"),
        ("helper.py", "twice = bytes.upper", ["doubled", "parts", "pages"], "its sources"),
        ("out.txt", None, ["doubled", "pages"], "its files are missing"),
        ("parts/a.txt", "by hand", ["parts"], "its files have changed"),
        ("parts/c.txt", "more", ["parts"], "its files have changed"),
        (".build/notes.json", "{", ["doubled", "parts", "pages"], "its sources"),
        (".build/notes.json", '{"parts": 3}', ["doubled", "parts", "pages"], "its sources"),
    ],
)
def test_a_change_is_found_and_repaired(name, content, stale, reason, toy, tmp_path):
    loop.run(toy)
    right = contents(tmp_path)
    path = tmp_path / name
    path.write_text(content, "utf-8") if content is not None else path.unlink()
    changed = contents(tmp_path)
    found = loop.run(toy, making=False)
    assert names(found) == stale
    assert found[0][1].startswith(reason)
    assert contents(tmp_path) == changed
    loop.run(toy)
    assert loop.run(toy, making=False) == []
    if not name.endswith((".py", "in.txt")):
        assert contents(tmp_path) == right


def test_a_stage_that_fails_leaves_the_stages_before_it_done(toy):
    failing = [toy[0], [Stage("wrong", ("in.txt",), "never.txt", ("makers", "fail"))], toy[1]]
    with pytest.raises(ValueError, match="no"):
        loop.run(failing)
    assert names(loop.run(failing, making=False)) == ["wrong", "pages"]


def test_an_unfinished_stage_is_made_again_and_says_why(toy):
    loop.run(toy)
    waiting = replace(toy[0][0], unfinished="npm is missing")
    for making in (False, True, False):
        assert loop.run([[waiting]], making=making) == [(waiting, "npm is missing")]


def test_a_change_while_a_stage_is_made_leaves_it_stale(toy, tmp_path, monkeypatch):
    results = workers.results

    def meanwhile(calls):
        made = list(results(calls))
        (tmp_path / "in.txt").write_text("edited during the build", "utf-8")
        yield from made

    with monkeypatch.context() as patch:
        patch.setattr(workers, "results", meanwhile)
        loop.run(toy)
    assert names(loop.run(toy, making=False))[:2] == ["doubled", "parts"]


def test_a_source_that_is_not_python_is_named_with_its_line(toy, tmp_path):
    loop.run(toy)
    (tmp_path / "helper.py").write_text("one = 1\ntwo = (\n", "utf-8")
    with pytest.raises(BuildError, match=r"^helper\.py:2: SyntaxError: "):
        loop.run(toy, making=False)


# The names in a folder, which files.matching keeps


def test_the_sources_and_outputs_of_all_stages_are_those_that_pathlib_finds():
    every = [stage for group in stages.rounds() for stage in group]
    patterns = {pattern for stage in every for pattern in (*stage.sources, stage.outputs)}
    assert len(patterns) > 100
    for pattern in patterns:
        found = {path for path in files.ROOT.glob(pattern) if path.is_file()}
        found = {path for path in found if "__pycache__" not in path.parts}
        assert files.matching(pattern) == sorted(found, key=lambda path: path.parts), pattern


def test_new_files_are_found_after_the_names_were_kept_and_lost_ones_are_not(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "ROOT", tmp_path)
    changed = tmp_path.stat().st_mtime_ns

    def found(*, seconds):
        """The files, in a folder that seems to have changed `seconds` after its making."""
        os.utime(tmp_path, ns=(changed, changed + int(seconds * 1e9)))
        return [path.name for path in files.matching("wave.*")]

    monkeypatch.setattr("time.time_ns", lambda: changed + 10**10)
    (tmp_path / "wave.d").mkdir()
    (tmp_path / "wave.svg").touch()
    assert found(seconds=0) == ["wave.svg"]
    (tmp_path / "wave.csv").touch()
    assert found(seconds=1) == ["wave.csv", "wave.svg"]
    (tmp_path / "wave.svg").unlink()
    assert found(seconds=1) == ["wave.csv"], "the name is kept, and the file is not there"
    assert found(seconds=9.99) == ["wave.csv"]
    (tmp_path / "wave.svg").touch()
    assert found(seconds=9.99) == ["wave.csv", "wave.svg"], "the clock has not moved"
    assert files.matching("nothing/wave.*") == []
