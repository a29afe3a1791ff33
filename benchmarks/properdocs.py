"""The whole site through ProperDocs, the maintained fork of MkDocs, compared with `site/`.

`make properdocs` is the rehearsal of the first step away from MkDocs 1.x, which has no maintainer
(docs/decisions/0014-the-site-can-leave-mkdocs.md). Every file must have the same bytes.
"""

from __future__ import annotations

import os
import shutil
import sys

import properdocs
import properdocs.replacement  # from here on, `import mkdocs` loads ProperDocs

from benchmarks.folders import contents, differing
from scripts.build.__main__ import alone
from scripts.files import ROOT, SITE
from scripts.pages import site


def main() -> int:
    """Build, compare, and name the files that differ; the exit code."""
    os.chdir(ROOT)
    with alone():
        made = site.make()
        try:
            different = differing(contents(SITE), contents(made))
        finally:
            shutil.rmtree(made)
    for name in different:
        print(f"differs with ProperDocs: {name}", file=sys.stderr)
    print(f"ProperDocs {properdocs.__version__}: {len(different)} files differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
