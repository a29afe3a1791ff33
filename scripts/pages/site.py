"""Makes the site with MkDocs; turns its complaints into one line that names the file."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import tempfile
from pathlib import Path
from typing import Any

import rjsmin
import tinycss2
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort, MkDocsException

from scripts import files, workers
from scripts.browser.vendor import MATH_FONT
from scripts.files import DOCS, MADE_NOTEBOOKS, ROOT, VENDOR, WORK, BuildError, PageError
from scripts.pages import cards, embed, package_index, repository, twins
from scripts.pages.bundles import BUNDLES, bundled
from scripts.pages.offline import archive
from scripts.pages.theme import dark_css, lighter, theme_css
from scripts.render import card as drawing

_KEPT_THEME = "theme.json"  # the pruned stylesheets of the last build
_PRUNER = [tinycss2.__version__, Path(theme_css.__file__).read_text("utf-8")]


class _Listener(logging.Handler):
    """Keeps the messages of MkDocs."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


def make() -> Path:
    """A new folder with the site; a BuildError for a mistake in a page."""
    target = Path(tempfile.mkdtemp(dir=WORK, prefix="staging-"))
    listener = _Listener()
    said = listener.said
    log = logging.getLogger(build.__module__.partition(".")[0])  # mkdocs, or properdocs
    log.propagate = False
    log.addHandler(listener)
    try:
        config = configured(target)
        with workers.pool(1) as meanwhile:
            plain = meanwhile.submit(twins.pages)
            says = ((card.page, card.title, card.line, card.figure) for card in cards.cards())
            pictures = [meanwhile.submit(drawing.files, *words) for words in says]
            build(config)
            _finish(target, config.site_url or "")
            for name, content in plain.result().items():
                files.write(target / name, content)
            for picture in pictures:
                for name, content in picture.result().items():
                    files.write(target / cards.FOLDER / name, content)
    except PageError as error:
        raise BuildError(f"{_located(_page_at_fault(said), error.text)}: {error}") from error
    except (Abort, MkDocsException) as error:
        raise BuildError(_explained(said[0] if said else str(error))) from error
    finally:
        log.removeHandler(listener)
    target.chmod(0o755)
    return target


def configured(target: Path) -> Any:
    """MkDocs' settings for a site in the folder `target`."""
    os.environ.setdefault("SOURCE_DATE_EPOCH", "0")  # the same bytes on every day
    config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(target), strict=True)
    config.extra["math_font"] = MATH_FONT.is_file()
    config.extra["repository"] = repository.address()
    config.extra["notebooks"] = str(MADE_NOTEBOOKS)
    if os.environ.get("SITE_URL"):  # other sites show a card from an absolute address
        config.extra["cards"] = {card.page: card for card in cards.cards()}
    return config


def _finish(target: Path, site_url: str) -> None:
    """Bring what MkDocs has written into its last form, and add what is made from it."""
    for source in files.matching("docs/assets/**/*.js"):
        path = target / source.relative_to(DOCS)
        if source.parent == VENDOR:
            continue  # npm has compressed these
        is_bundle = source.stem == "worker" or source in BUNDLES
        code = bundled(source) if is_bundle else path.read_text("utf-8")
        files.write(path, rjsmin.jsmin(code).encode())
    for name, content in embed.pages(target).items():
        files.write(target / name, content)
    _prune_theme(target)
    for source in files.matching("docs/assets/*/*.css"):
        sheet = target / source.relative_to(DOCS)
        files.write(sheet, lighter.lighter_css(sheet.read_text("utf-8")).encode())
    _darken(target)
    for name, content in package_index.pages(target).items():
        files.write(target / name, content)
    archive.add(target, site_url=site_url)


def _prune_theme(target: Path) -> None:
    """Take out of the theme's stylesheets what no page and no script of the site needs.

    Reading the stylesheets takes half of the time of a small build, so the result is kept.
    """

    def texts(pattern: str) -> list[str]:
        found = (path for path in target.glob(pattern) if path.parent.name != "vendor")
        return [path.read_text("utf-8") for path in found]

    folder = target / "assets" / "stylesheets"
    theme = {path.name: path.read_text("utf-8") for path in sorted(folder.glob("*.css"))}
    others = texts("assets/**/*.js") + texts("assets/*/style.css")
    needs = theme_css.needs(texts("**/*.html"), others)
    mentioned = [sorted(needs.words), sorted(needs.values), sorted(needs.variables)]
    key = hashlib.sha256(json.dumps([theme, mentioned, _PRUNER]).encode()).hexdigest()
    notes = files.read_notes(WORK / _KEPT_THEME)
    if notes.get("key") != key:
        notes = {"key": key, "sheets": theme_css.pruned(theme, needs)}
        files.write(WORK / _KEPT_THEME, json.dumps(notes).encode())
    for name, text in notes["sheets"].items():
        files.write(folder / name, text.encode())


def _darken(target: Path) -> None:
    """Write the stylesheet of readers without JavaScript whose system is dark."""
    folder = target / "assets" / "stylesheets"
    theme = sorted(folder.glob("*.css"))
    own = [target / source.relative_to(DOCS) for source in files.matching("docs/assets/*/*.css")]
    dark = dark_css.of(*([sheet.read_text("utf-8") for sheet in sheets] for sheets in (theme, own)))
    files.write(folder / dark_css.NAME, dark.encode())


def _page_at_fault(said: list[str]) -> Path | None:
    page = re.search(r"Error reading page '([^']+)'", "\n".join(said))
    return DOCS / page.group(1) if page else None


def _explained(message: str) -> str:
    """A warning of MkDocs, with the line of the page or of the settings that it is about."""
    message = " ".join(message.split())
    settings = ROOT / "mkdocs.yml"
    if match := re.match(r"Doc file '([^']+)' contains .*?link '([^']+)'", message):
        return f"{_located(DOCS / match[1], match[2])}: {message}"
    if match := re.match(r"A reference to '([^']+)' is included in the 'nav'", message):
        return f"{_located(settings, match[1])}: {message}"
    if match := re.search(r"not included in the \"(nav)\"|Config value '(\w+)'", message):
        return f"{_located(settings, f'{match[1] or match[2]}:')}: {message}"
    return message


def _located(page: Path | None, text: str) -> str:
    return files.located(page, text) if page else text
