"""The whole site through ProperDocs, the maintained fork of MkDocs, compared with `site/`.

`make properdocs` is the rehearsal of the first step away from MkDocs 1.x, which has no maintainer
(docs/decisions/0014-the-site-can-leave-mkdocs.md). Every file must have the same bytes.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import properdocs
import properdocs.replacement  # from here on, `import mkdocs` loads ProperDocs

from scripts import files
from scripts.build.__main__ import alone
from scripts.files import ROOT, SITE
from scripts.pages import site


def main() -> int:
    """Build, compare, and name the files that differ; the exit code."""
    os.chdir(ROOT)
    with alone():
        made = site.make()
        try:
            different = differences(SITE, made)
        finally:
            shutil.rmtree(made)
    for name in different:
        print(f"differs with ProperDocs: {name}", file=sys.stderr)
    print(f"ProperDocs {properdocs.__version__}: {len(different)} files differ")
    return 1 if different else 0


def differences(one: Path, other: Path) -> list[str]:
    """The files below the folders `one` and `other` that are not the same."""
    contents = [
        {path.relative_to(folder).as_posix(): path.read_bytes() for path in files.below(folder)}
        for folder in (one, other)
    ]
    names = contents[0].keys() | contents[1].keys()
    return sorted(name for name in names if contents[0].get(name) != contents[1].get(name))


if __name__ == "__main__":
    sys.exit(main())
