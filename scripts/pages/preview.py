"""A page of the site seconds after its author has edited it: `make serve` starts this program.

It reads all pages, and then waits for lines with the names of edited ones, as JSON. A forked
process puts each such page into the site, in its final form. The numbers are not yet checked, and
the search and other pages not yet changed: a whole build follows.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
from collections.abc import Callable

from mkdocs.commands import build
from mkdocs.structure.files import get_files, set_exclusions
from mkdocs.structure.nav import get_navigation
from mkdocs.structure.pages import Page

from scripts.files import ROOT, SITE
from scripts.pages import site


def main() -> None:
    """Answer each line with whether its pages are in the site."""
    os.chdir(ROOT)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends with its input
    logging.getLogger("mkdocs").setLevel(logging.CRITICAL)
    try:
        write = writer()
    except Exception:  # a page has a mistake, which the whole build names
        return
    for line in sys.stdin:
        child = os.fork()  # so that nothing of an edit stays
        if not child:
            try:
                write(json.loads(line))
            except BaseException:  # as above
                os._exit(1)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(json.dumps(status == 0), flush=True)


def writer() -> Callable[[list[str]], None]:
    """A function that writes the pages of these names into the site, as MkDocs' build does."""
    config = site.configured(SITE)
    config = config.plugins.on_config(config)
    config.plugins.on_pre_build(config=config)
    files = get_files(config)
    env = config.theme.get_env()
    files.add_files_from_theme(env, config)
    files = config.plugins.on_files(files, config=config)
    set_exclusions(files, config)
    nav = config.plugins.on_nav(get_navigation(files, config), config=config, files=files)
    pages = files.documentation_pages()
    for file in pages:  # the navigation has what they say, and expressions keep their values
        build._populate_page(file.page or Page(None, file, config), config, files)
    env = config.plugins.on_env(env, config=config, files=files)

    def write(names: list[str]) -> None:
        for name in names:
            file = files.src_uris[name]
            assert file.page
            build._populate_page(file.page, config, files)
            build._build_page(file.page, config, pages, nav, env)

    return write


if __name__ == "__main__":
    main()
