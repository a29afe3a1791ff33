"""How the site is made around MkDocs, and what the build makes of MkDocs' complaints."""

import logging
import os
from logging.handlers import BufferingHandler
from pathlib import Path
from types import SimpleNamespace

import pytest
from mkdocs.exceptions import Abort, ConfigurationError

from scripts import files
from scripts.files import BuildError, PageError
from scripts.pages import cards, repository, site

SOURCES = {
    "docs/waves.md": "# Waves\n\nSee [that](nowhere.md).\n\n{{ tau }}\n",
    "docs/assets/part/plain.js": "let plain = 1; // a remark\n",
    "docs/assets/part/style.css": "a { color: red } /* a remark */\n",
    "docs/assets/part/worker.js": "let worker = 1;\n",
    "docs/assets/part/late.js": "let late = 1;\n",
    "docs/assets/vendor/library.js": "let library = 1; // npm's\n",
    "mkdocs.yml": "site_name: small\ntheme:\n  name: material\nnav:\n  - Waves: waves.md\n",
}
MKDOCS = logging.getLogger("mkdocs.anything")


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project in whose place MkDocs is not run: `build` copies the files of `docs`."""
    for name, text in SOURCES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    work, docs = tmp_path / ".build", tmp_path / "docs"
    work.mkdir()
    places = {"ROOT": tmp_path, "DOCS": docs, "VENDOR": docs / "assets/vendor", "WORK": work}
    for module in (files, site):
        for name, path in places.items():
            monkeypatch.setattr(module, name, path)
    monkeypatch.setattr(os, "environ", os.environ.copy())
    os.environ.pop("SOURCE_DATE_EPOCH", None)
    os.environ.pop("SITE_URL", None)
    seen = SimpleNamespace(root=tmp_path, config=None, dates=[], zipped=[], pruned=[])

    def load_config(path, *, site_dir, strict):
        assert (path, strict) == (str(tmp_path / "mkdocs.yml"), True)
        seen.config = SimpleNamespace(extra={}, site_dir=site_dir, site_url=None)
        return seen.config

    def build(config):
        seen.dates.append(os.environ["SOURCE_DATE_EPOCH"])
        config.site_url = os.environ.get("SITE_URL", "")
        for path in files.below(docs):
            files.write(Path(config.site_dir) / path.relative_to(docs), path.read_bytes())

    seen.build = build
    monkeypatch.setattr(site, "load_config", load_config)
    monkeypatch.setattr(site, "BUNDLES", {docs / "assets/part/late.js"})
    monkeypatch.setattr(site, "bundled", lambda path: f"let bundle = '{path.stem}';\n")
    monkeypatch.setattr(site.embed, "pages", lambda _: {"embed/waves/index.html": b"<p>"})
    monkeypatch.setattr(site.package_index, "pages", lambda _: {"simple/index.html": b"<a>"})
    monkeypatch.setattr(site, "_prune_theme", seen.pruned.append)
    monkeypatch.setattr(
        site.archive, "add", lambda made, *, site_url: seen.zipped.append((made, site_url))
    )
    monkeypatch.setattr(site, "build", mkdocs(build))
    return seen


def mkdocs(build):
    """The function `build` as if it were MkDocs' own."""
    build.__module__ = "mkdocs.commands.build"
    return build


def failing(error, *messages):
    """A build that logs the messages, and fails."""

    def build(_):
        for message in messages:
            MKDOCS.warning("%s", message)
        raise error

    return mkdocs(build)


def test_the_site_is_what_mkdocs_makes_with_lighter_scripts_and_stylesheets(project):
    made = site.make()
    found = {
        path.relative_to(made).as_posix(): path.read_text("utf-8") for path in files.below(made)
    }
    assert found == {
        "waves.md": SOURCES["docs/waves.md"],
        "assets/part/plain.js": "let plain=1;",
        "assets/part/style.css": "a{color:red}",
        "assets/stylesheets/dark.css": "@media screen{}",
        "assets/part/worker.js": "let bundle='worker';",
        "assets/part/late.js": "let bundle='late';",
        "assets/vendor/library.js": SOURCES["docs/assets/vendor/library.js"],
        "embed/waves/index.html": "<p>",
        "simple/index.html": "<a>",
    }
    assert made.stat().st_mode & 0o777 == 0o755, "a server may read it too"
    assert project.pruned == [made]
    assert project.zipped == [(made, "")]
    assert project.dates == ["0"], "the same bytes on every day"


def test_the_theme_learns_of_the_font_the_repository_and_the_notebooks(project, monkeypatch):
    expected = {
        "math_font": site.MATH_FONT.is_file(),
        "repository": repository.address(),
        "notebooks": str(site.MADE_NOTEBOOKS),
    }
    site.make()
    assert project.config.extra == expected
    listed = [SimpleNamespace(page="waves"), SimpleNamespace(page="formula")]
    monkeypatch.setattr(cards, "cards", lambda: listed)
    os.environ |= {"SITE_URL": "https://site.example/", "SOURCE_DATE_EPOCH": "86400"}
    site.make()
    shown = {"waves": listed[0], "formula": listed[1]}
    assert project.config.extra == {**expected, "cards": shown}
    assert project.dates == ["0", "86400"], "the author's date comes first"
    assert [address for _, address in project.zipped] == ["", "https://site.example/"]


COMPLAINTS = {
    # what MkDocs raises and says, and the answer of the build
    "a broken link": (
        Abort("Aborted with 2 warnings"),
        ("Doc file 'waves.md' contains a link 'nowhere.md',\n but there is no such file", "more"),
        "docs/waves.md:3: Doc file 'waves.md' contains a link 'nowhere.md', "
        "but there is no such file",
    ),
    "a page that is missing": (
        Abort("Aborted with 1 warnings"),
        ("A reference to 'waves.md' is included in the 'nav' configuration, but not found",),
        "mkdocs.yml:5: A reference to 'waves.md' is included in the 'nav' configuration, "
        "but not found",
    ),
    "a page that the navigation forgets": (
        Abort("Aborted with 1 warnings"),
        ('These pages are not included in the "nav" configuration: more.md',),
        'mkdocs.yml:4: These pages are not included in the "nav" configuration: more.md',
    ),
    "a wrong setting": (
        Abort("Aborted with 1 warnings"),
        ("Config value 'theme': unrecognised",),
        "mkdocs.yml:2: Config value 'theme': unrecognised",
    ),
    "settings that are no YAML": (
        ConfigurationError('did not find "]" in "mkdocs.yml", line 7, column 1'),
        (),
        'mkdocs.yml:7: did not find "]" in "mkdocs.yml", line 7, column 1',
    ),
    "anything else": (ConfigurationError("no\n  such"), (), "no such"),
    "an unknown name": (
        PageError("unknown name 'tau'", "{{ tau", 5),
        ("Error reading page 'waves.md': unknown name 'tau'",),
        "docs/waves.md:5: unknown name 'tau'",
    ),
    "a mistake of a page that MkDocs does not name": (
        PageError("no figure 'slope'", "slope"),
        (),
        "slope: no figure 'slope'",
    ),
}


@pytest.mark.parametrize("complaint", COMPLAINTS)
def test_a_complaint_of_mkdocs_is_one_line_with_its_place(complaint, project, monkeypatch):
    error, messages, told = COMPLAINTS[complaint]
    others = BufferingHandler(capacity=9)
    monkeypatch.setattr(logging.getLogger(), "handlers", [others])
    monkeypatch.setattr(logging.getLogger("mkdocs"), "propagate", True)
    monkeypatch.setattr(site, "build", failing(error, *messages))
    handlers = list(logging.getLogger("mkdocs").handlers)
    with pytest.raises(BuildError) as raised:
        site.make()
    assert str(raised.value) == told
    assert not others.buffer, "the build says it, and nobody else"
    assert logging.getLogger("mkdocs").handlers == handlers
    assert list((project.root / ".build").iterdir()), "half of a site"
    files.clear_leftovers()
    assert not list((project.root / ".build").iterdir()), "the next build deletes it"


def test_an_error_of_the_program_stays_as_it_is(project, monkeypatch):
    monkeypatch.setattr(site, "build", failing(ZeroDivisionError("one")))
    with pytest.raises(ZeroDivisionError, match="one"):
        site.make()
    assert project.zipped == []
