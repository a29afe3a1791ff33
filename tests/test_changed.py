"""`make changed` finds the tests that guard what has changed."""

import pytest

from scripts.files import ROOT
from tests import changed


def found(choices):
    """The tests by their files, in the order in which they run."""
    by_file = {}
    for test, names in choices:
        by_file.setdefault(test.name, set()).update(names)
    return {file: names for file, names in by_file.items() if names}


def test_the_nearest_tests_of_a_function_come_first_and_those_of_its_callers_later():
    tests = found(changed.of_module(ROOT / "posenc/geometry.py", {"similarity"}))
    assert list(tests).index("test_geometry.py") < list(tests).index("test_api_page.py")
    assert "test_similarity_is_accurate" in tests["test_geometry.py"]
    assert "test_distance_is_accurate" not in tests["test_geometry.py"]
    tests = found(changed.of_module(ROOT / "posenc/rotary/_turn.py", {"aligned"}))
    assert "test_positions_broadcast_over_batch_and_heads" in tests["test_rotary.py"]


@pytest.mark.parametrize(
    ("path", "file", "words"),
    [
        ("docs/wavelengths.md", "test_browser.py", "[wavelengths/index.html"),
        ("docs/wavelengths.md", "test_pages.py", "[wavelengths.md"),
        ("docs/assets/maths/encoding.js", "test_browser.py", "[explorer/index.html"),
        ("scripts/figures/heatmap.py", "test_figures.py", "[heatmap"),
        ("mkdocs.yml", "test_course.py", "test_"),
        ("tests/test_geometry.py", "test_geometry.py", "test_"),
    ],
)
def test_a_file_is_tested_where_its_name_stands(path, file, words):
    tests = found(changed.choice(ROOT / path, since="HEAD"))
    assert any(name.startswith(words) for name in tests.get(file, ())), tests.keys()
