"""Settings for all tests, a summary of what is skipped, and a browser."""

import gc
import os
import re
from collections import Counter, defaultdict
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path

# NumPy reads this when it is first imported. The tests use every core already, and threads that
# wait for a busy core take its time too.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from hypothesis import HealthCheck, settings

# pytest shows the values of a failed assertion in these modules, as it does in test files.
pytest.register_assert_rewrite("tests.page_actions", "tests.page_text")

from tests import browsing  # noqa: E402
from tests.browsing import Visit, missing  # noqa: E402
from tests.examples import examples  # noqa: E402

repeats = "FUZZ_EXAMPLES" not in os.environ  # `make fuzz` has another seed each week
busy = [HealthCheck.too_slow]  # a check by the clock, which fails on a busy machine
settings.register_profile(
    "posenc",
    examples(100),
    derandomize=repeats,
    deadline=None,
    suppress_health_check=busy,
)
settings.load_profile("posenc")  # in CI too, where Hypothesis would choose another


# Garbage collection took an eighth of the tests' time, most of it among the thousands of objects
# that pytest needs until the end.
gc.set_threshold(20_000, 20, 50)

collect_ignore = ["libraries"]  # these modules import transformers and diffusers


def pytest_collection_finish():
    gc.freeze()


# Slow fixtures and caches belong to a file, or to the page or figure that is a test's last
# parameter. (`xdist_group` has no effect with pytest 9.2: pytest-dev/pytest-xdist#1386.)
# The slowest come first.
OF_BUILDS = ("test_build.py", "test_stages.py")  # one process imports the libraries for both
BY_FILE = ("test_explorer.py", "test_reader_figures.py", "test_which_encoding.py", "test_search.py")
BY_PARAMETER = (
    *("test_browser.py", "test_figures.py", "test_figure_renderings.py"),
    *("test_svg.py", "test_pngs.py"),
)
# html5lib needs three seconds to parse the built pages: one process does it for all these files,
# except the exercises, which take long themselves.
FILES = {path.name: path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py")}
ASK_PAGES = {name for name, text in FILES.items() if "page_text.pages()" in text}
OF_PAGES = tuple(sorted(ASK_PAGES - {"test_exercises.py"}))


def group(nodeid):
    """The tests of a group run in the same process, one after the other."""
    path, _, test = nodeid.partition("::")
    file = Path(path).name
    if file in OF_BUILDS:
        return "builds"
    if file in BY_FILE:
        return path
    if file in OF_PAGES:
        return "built pages"
    if file in BY_PARAMETER and test.endswith("]"):
        return re.split(r"[\[-]", test)[-1]
    return nodeid.partition("[")[0]


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items):
    """Leave out tests that cannot run; put large groups first, so that processes end together."""
    skipped = pytest.mark.skip(reason="`make thorough` runs it")
    for item in items:
        if not os.environ.get("THOROUGH") and item.get_closest_marker("thorough"):
            item.add_marker(skipped)
    result = yield  # pytest keeps the tests that the command line asks for
    if not (browsing.MUST or browsing.has_browser()):
        # A skipped test costs as much as a quick one, and there are more than a thousand.
        items[:] = [one for one in items if "browser" not in getattr(one, "fixturenames", ())]
    files = (*OF_BUILDS, *BY_FILE, *OF_PAGES, *BY_PARAMETER)
    order = {file: number for number, file in enumerate(files)}
    items.sort(key=lambda item: order.get(item.path.name, len(order)))
    return result


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """One process more than cores if there is a browser, where a test waits a fifth of its time."""
    return (os.cpu_count() or 1) + browsing.has_browser()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give each process a group at a time, in the order of the tests."""
    from xdist.scheduler import LoadScopeScheduling

    config.option.loadscopereorder = False  # by their number of tests

    class Groups(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return group(nodeid)

    return Groups(config, log)


def pytest_terminal_summary(terminalreporter):
    """Say each reason for skipping once."""
    skipped = terminalreporter.getreports("skipped")
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    for reason, count in sorted(reasons.items()):
        terminalreporter.write_line(f"{count} skipped: {reason}")
    if not (browsing.MUST or browsing.has_browser()):
        terminalreporter.write_line("no tests in a browser: there is no Chromium (set CHROMIUM)")


@pytest.fixture(scope="session")
def browser():
    """Chromium or Chrome, from the system or from Playwright."""
    with browsing.browser() as started:
        if isinstance(started, str):
            missing(f"no Chromium or Chrome (set CHROMIUM to its path): {started}")
        yield started


@pytest.fixture(scope="session")
def visiting(browser, request):
    """A context manager that visits a page, and fails if the page complains.

    A new browser context costs more than a page: one visit after the other uses the same.
    """
    free = defaultdict(list)

    @contextmanager
    def visited(name, **options):
        failures, known = request.session.testsfailed, free[str(options)]
        visit = known.pop() if known else Visit(browser, **options)
        yield visit.go(name)
        if visit.complaints or visit.is_spent or request.session.testsfailed > failures:
            visit.context.close()
        else:
            visit.renew()
            known.append(visit)
        assert visit.complaints == []

    yield visited
    for one in chain(*free.values()):
        one.context.close()


@pytest.fixture
def visit(visiting):
    """A function that visits a page for one test."""
    with ExitStack() as stack:
        yield lambda name, **options: stack.enter_context(visiting(name, **options))
