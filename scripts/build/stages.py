"""All stages of the build, in their order."""

from __future__ import annotations

import os
import shutil

from scripts import figures, files
from scripts.build.stage import Stage
from scripts.pages import repository

_LOCK, _INSTALLED = "package-lock.json", "node_modules/.posenc-lock"
_STYLESHEET = "docs/assets/site/style.css"  # it has the palette
_DATA = ("scripts/figures/data/*", "scripts/experiments/results/*.json")
_README_FIGURE = "docs/figures/column_waves.svg"
_FROM_FILES = (  # no setting and no condition counts for them
    Stage(
        name="vectors",
        sources=(
            *("tests/data/corpus/configs.json", "tests/data/rotary/published.json"),
            *("posenc/plans/models.json", "scripts/vectors/*.json", "examples/vectors/*"),
        ),
        outputs="docs/vectors/v1/*",
        make=("scripts.vectors.written", "files"),
    ),
    Stage(
        name="encodings",
        sources=(),
        outputs="docs/assets/identify/known.js",
        make=("scripts.browser.known_encodings", "module"),
    ),
    Stage(
        name="configs",
        sources=(
            *("tests/data/rotary/reference.json", "scripts/figures/data/rotary_models.json"),
            "posenc/plans/models.json",
        ),
        outputs="docs/assets/config/known.js",
        make=("scripts.browser.known_configs", "module"),
    ),
    Stage(
        name="models",
        sources=("scripts/experiments/results/*.safetensors",),
        outputs="docs/assets/model/weights/*",
        make=("scripts.browser.models", "weights"),
    ),
    Stage(
        name="wheel",
        sources=(
            *("posenc/**/*.py", "posenc/**/*.json", "posenc/py.typed"),
            *("pyproject.toml", "README.md", "LICENSE"),
        ),
        outputs="docs/dist/*",
        make=("scripts.build.wheel", "wheel"),
    ),
    Stage(
        name="face",
        sources=(),
        outputs="docs/assets/face/*",
        make=("scripts.render.face", "files"),
    ),
)
_README = Stage(
    name="readme",
    sources=(_README_FIGURE,),
    outputs="docs/assets/readme.svg",
    make=("scripts.files", "content", _README_FIGURE),
)


def rounds() -> list[list[Stage]]:
    """The stages; those of one round do not depend on each other.

    The first error in this order stops the build.
    """
    names = [path.stem for path in files.matching("docs/notebooks/*.ipynb")]
    return [
        [
            *map(_notebook, names),
            *(*_FROM_FILES, _assets()),
            *map(_figure, figures.names()),
            _numbers(),  # last, so that the pages find its values: see scripts/workers.py
        ],
        [_README],
        [_site()],
    ]


def _assets() -> Stage:
    # The stamp is no source: the first build writes it, which would make the stage stale at once.
    installed = files.matching(_INSTALLED) and files.content(_INSTALLED) == files.content(_LOCK)
    npm = shutil.which("npm") is not None
    return Stage(
        name="assets",
        sources=(_LOCK,),
        outputs="docs/assets/vendor/*",
        make=("scripts.browser.vendor", "collect"),
        unfinished="npm's parts are not installed" if npm and not installed else "",
    )


def _notebook(name: str) -> Stage:
    return Stage(
        name=f"notebook {name}",
        sources=(
            f"docs/notebooks/{name}.ipynb",
            "scripts/pages/notebook_display.py",  # the kernel imports it
            _STYLESHEET,
        ),
        outputs=f".build/notebooks/{name}.*",
        make=("scripts.pages.notebook_run", "files", name),
    )


def _figure(name: str) -> Stage:
    return Stage(
        name=f"figure {name}",
        sources=(f"scripts/figures/{name}.py", *_DATA, _STYLESHEET),
        outputs=f"docs/figures/{name}.*",
        make=("scripts.render.figure", "files", name),
    )


def _numbers() -> Stage:
    return Stage(
        name="numbers",
        sources=(
            *("docs/**/*.md", "docs/**/*.ipynb", "mkdocs.yml"),
            *("scripts/figures/*.py", *_DATA),  # the captions
            "tests/data/**/*",
        ),
        outputs="docs/numbers.csv",
        make=("scripts.numbers.checked", "table"),
    )


def _site() -> Stage:
    settings = (os.environ.get(name, "") for name in ("SITE_URL", "LIVE_RELOAD"))
    return Stage(
        name="site",
        sources=(
            *("docs/**/*", ".build/notebooks/*.html", "mkdocs.yml", "CITATION.cff"),
            *("scripts/pages/**/*", "scripts/browser/*.py", "scripts/figures/*.py", *_DATA),
            *("tests/data/corpus/*", "tests/data/*/reference.json", "tests/data/rotary/*.json"),
            *("tests/data/divergences/*", "posenc/plans/models.json"),
        ),
        outputs="site/**/*",
        make=("scripts.pages.site", "make"),
        setting=" ".join((*settings, repository.address())),
    )
