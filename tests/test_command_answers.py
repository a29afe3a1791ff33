"""What `python -m posenc identify` prints: which tables it describes, and in how many words."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import posenc
from posenc import (
    AxialCache,
    Convention,
    Finding,
    Identification,
    Match,
    NearMiss,
    Rotary,
    RotaryCache,
)
from posenc.__main__ import main
from posenc._output import code
from posenc.identification._report import Report, reports, title
from posenc.identification._words import listed, rows_in_words, series
from posenc.reading import _files
from posenc.rotary import axes
from tests.test_command import TABLE, run, saved

OWN = Convention(base=500)  # no library's


def match(*libraries, convention=OWN, **options):
    return Match(convention=convention, error=0.25, libraries=libraries, **options)


def lines(*matches, every=False, **options):
    answer = Identification(matches=matches, rows_used=7, **options)
    return list(Report("pe", (7, 4), "float64", answer).lines(every=every))


def test_a_report_of_one_match_has_three_lines():
    assert lines(match("a")) == [
        "pe: 7 x 4, float64: as in a",
        "  Convention(base=500)",
        "  largest difference 2.5e-01 of the amplitude, 7 rows compared",
    ]


def test_a_report_names_the_second_and_third_match_and_every_one_if_all_are_wanted():
    matches = [match(name) for name in "abcd"]
    assert lines(*matches)[3:] == ["  also as in b; as in c"]
    assert lines(*matches[:2])[3:] == ["  also as in b"]
    found = lines(*matches, every=True)
    assert [line for line in found if "as in" in line] == [
        "pe: 7 x 4, float64: as in a",
        *(f"  also as in {name}" for name in "bcd"),
    ]
    assert lines(match(*"abcd"), every=True)[0] == "pe: 7 x 4, float64: as in a, b, c, d"
    assert found.count("  Convention(base=500)") == 4
    assert len(found) == 12


def test_a_report_has_the_findings_of_the_match_then_those_of_the_table():
    slip, found, whole = (Finding(word, word) for word in ("slip", "found", "whole"))
    one = match("a", mistakes=(slip,), findings=(found,))
    assert lines(one, findings=(whole,), rows_ignored=(0, 3))[2:] == [
        "  largest difference 2.5e-01 of the amplitude, 7 rows compared, 2 of zeros left out",
        "  found; whole",
    ]
    assert lines(one)[0] == "pe: 7 x 4, float64: a known mistake: slip"  # before the library


def test_a_table_without_a_match_is_told_by_its_findings_unless_something_is_near():
    said, far = Finding("said", "said"), Finding("far", "far")
    assert lines(findings=(said,))[0] == "pe: 7 x 4, float64: said"
    near = NearMiss(convention=OWN, error=0.5, typical=0.25, findings=(far,))
    for findings in ((said,), ()):
        found = lines(nearest=near, findings=findings, tolerance=0.125)
        assert found[0].endswith(
            "no known encoding makes this table to within 0.125 of its amplitude"
        )
        assert found[1:3] == [
            "  nearest: a convention of none of the libraries that we ran, Convention(base=500);"
            " differs by up to 5.0e-01, typically 2.5e-01",
            "  far",
        ]
        assert len(found) == len(lines(nearest=near, findings=findings, every=True)) == 4


def test_a_title_names_three_libraries_and_of_more_only_two():
    assert title(match("a", "b", "c")) == "as in a, b, c"
    assert title(match("a", "b", "c", "d")) == "as in a, b and 2 others"
    assert title(match("a", "b", "c", "d"), every=True) == "as in a, b, c, d"


def test_the_papers_convention_is_named_whatever_its_start_and_amplitude():
    assert title(match(convention=Convention(start=3, amplitude=2))) == "the paper's"
    assert title(match("a", convention=Convention(start=3))) == "the paper's, as in a"
    assert title(match(convention=Convention(amplitude=2))) == "the paper's"


def test_a_title_without_a_library_says_what_kind_of_table_it_is():
    slip = Finding("swapped", "swapped")
    assert title(match(mistakes=(slip,))) == "a known mistake: swapped"
    assert title(match("a", mistakes=(slip,))) == "a known mistake: swapped"
    assert title(match()) == "a convention of none of the libraries that we ran"
    near = NearMiss(convention=OWN, error=1.0, typical=1.0, findings=(slip,))
    assert title(near) == "a convention of none of the libraries that we ran"


def test_the_first_line_has_the_slip_and_the_rounding():
    rounded = Finding("rounded", "positions rounded to float16, base 100")
    cache = RotaryCache(rotary=Rotary(8))
    what = "a rotary cache: cosines, each pair once"
    assert title(match(convention=cache, findings=(rounded,))) == f"{rounded}; {what}"
    slip = Finding("sine-sign", "every sine has the other sign")
    said = title(match(convention=cache, mistakes=(slip,)))
    assert said == f"a known mistake: every sine has the other sign; {what}, base 10,000"


def test_code_has_only_the_options_that_differ_from_their_defaults():
    assert code(Rotary(8, rotary_dim=4, base=2.5)) == "Rotary(8, base=2.5, rotary_dim=4)"
    assert code(Rotary(8, rotary_dim=8)) == "Rotary(8)"
    kind = Convention(layout="halves", start=-3, amplitude=0.5)
    assert code(kind) == "Convention(layout='halves', start=-3, amplitude=0.5)"


def test_code_of_a_cache_of_points_has_the_call_that_made_its_encoding():
    call = "axes.pixtral(8)"
    cache = AxialCache(
        rotary=axes.pixtral(8), made_by=call, coordinates=((0, 0), (0, 1)), form="halves"
    )
    assert code(cache) == f"AxialCache(rotary={call}, form='halves')"
    assert title(match(convention=cache)) == (
        "a rotary cache of points: cosines, each pair twice, in halves (rotate_half), base 10,000"
    )
    steps = replace(
        cache, rotary=axes.pixels(8, max_freq=9.0), made_by="axes.pixels(8, max_freq=9)"
    )
    assert "base" not in title(match(convention=steps))  # its frequencies are no powers


def test_the_match_is_the_first_of_all():
    first, second = match("a"), match("b")
    assert Identification(matches=(first, second)).match is first
    assert Identification().match is None


# Several arrays


def named(**arrays):
    """The names of the tables that are reported among `arrays`, and their reports."""
    found = reports(iter(arrays.items()), "file", None)
    return [report.name for report in found]


COSINES, SINES = Rotary(16).cosine_sine(np.arange(30))


def test_cosines_without_sines_are_a_table():
    assert named(cos=COSINES) == ["cos"]
    assert named(sin=SINES, pe=TABLE) == ["pe", "sin"]


def test_cosines_and_sines_of_two_shapes_are_two_tables():
    assert named(cos=COSINES, sin=SINES[:20]) == ["cos", "sin"]
    assert named(cos=COSINES, pe=TABLE, sin=SINES) == ["pe", "cos and sin"]


def test_cosines_and_sines_may_be_named_in_full():
    assert named(cosine=COSINES, sine=SINES) == ["cosine and sine"]
    assert named(my_sines=SINES, my_cosines=COSINES) == ["my_sines and my_cosines"]
    (report,) = reports(iter([("sine", SINES), ("cosine", COSINES)]), "file", None)
    assert report.answer.match.convention == RotaryCache(rotary=Rotary(16), part="both")


def test_two_complex_arrays_are_two_tables_whatever_their_names():
    phasors = Rotary(16).phasors(np.arange(30))
    assert named(cos=phasors, sin=phasors[3:]) == ["cos", "sin"]


def test_whole_numbers_beside_a_table_are_skipped_unless_they_are_0_and_1():
    zeros_and_ones = Convention().table(20, 16).astype(int)
    assert named(pe=TABLE, cast=zeros_and_ones) == ["pe", "cast"]
    for other in (2 * zeros_and_ones, -2 * zeros_and_ones, np.arange(20), np.array([0, 1, 1])):
        assert named(pe=TABLE, other=other) == ["pe"]


def test_a_line_of_0_and_1_does_not_hide_a_table_of_whole_numbers():
    quantised = np.rint(127 * TABLE).astype(np.int8)
    assert named(pe=quantised, flags=np.array([0, 1, 1])) == ["pe"]


def test_the_first_array_that_is_no_table_says_why_there_is_none():
    arrays = {
        r"got shape \(3,\)$": np.zeros(3),
        "got nan at row 0, column 0$": np.full((4, 4), np.nan),
        "^table must hold real numbers": np.array([["a"]]),
    }
    for reason, array in arrays.items():
        given = [
            ("first", array),
            *((str(place), one) for place, one in enumerate(arrays.values())),
        ]
        with pytest.raises((ValueError, TypeError), match=reason):
            reports(iter(given), "file", None)
    with pytest.raises(ValueError, match=r"^table must have two axes, got no array$"):
        reports(iter([]), "file", None)


def test_a_report_leaves_axes_of_one_out_unless_the_table_has_a_single_row():
    for shape, shown in (((1, 20, 16), (20, 16)), ((20, 1, 16), (20, 16)), ((20, 16), (20, 16))):
        (report,) = reports(iter([("", TABLE.reshape(shape))]), "file", None)
        assert (report.name, report.shape) == ("file", shown)
    (report,) = reports(iter([("pe", TABLE[:1])]), "file", None)
    assert (report.name, report.shape) == ("pe", (1, 16))


def test_a_tolerance_counts_for_every_table():
    rough = TABLE + 0.05
    (wide,), (narrow,) = (reports(iter([("", rough)]), "file", some) for some in (0.1, 0.01))
    assert wide.answer
    assert not narrow.answer


# The command


def test_the_code_is_0_if_any_table_is_known(tmp_path, capsys):
    noise = np.random.default_rng(0).standard_normal((9, 8))
    assert run(saved(tmp_path / "pe.npz", noise=noise, pe=TABLE)) == 0
    assert capsys.readouterr().out.startswith("pe: ")
    assert run(saved(tmp_path / "pe.npz", noise=noise, more=noise[1:])) == 1
    assert capsys.readouterr().out.count("no known encoding") == 2


def test_of_three_tables_two_are_described_in_two_lines_each(tmp_path, capsys):
    arrays = dict.fromkeys("abc", TABLE)
    run(saved(tmp_path / "pe.npz", **arrays))
    out = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0].strip() for line in out] == [
        *("a", "Convention(layout='halves', freq_shift=1)"),
        *("b", "Convention(layout='halves', freq_shift=1)"),
        "1 more",
    ]
    run(saved(tmp_path / "pe.npz", a=TABLE, b=TABLE))
    assert len(capsys.readouterr().out.splitlines()) == 4


def test_help_explains_the_command_and_each_of_its_options(capsys):
    def shown(*words):
        with pytest.raises(SystemExit) as end:
            main(words)
        assert end.value.code == 0
        return capsys.readouterr().out

    for command in ("identify", "config"):
        assert re.search(rf"\n +{command} {{2,}}[a-z]+ [a-z]+", shown("--help"))
    options = shown("identify", "--help")
    assert "Name the convention that made a table, or " in options
    assert all(ending in options for ending in _files.READERS)
    for option in ("--tolerance TOLERANCE", "--all", "--json"):
        assert re.search(rf"{option}\s+[a-z]+ [a-z]+", options)
    assert re.search(r"--length LENGTH\s+[a-z]+ [a-z]+", shown("config", "--help"))


def test_the_version_is_that_of_the_package(capsys):
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert (end.value.code, capsys.readouterr().out) == (0, f"posenc {posenc.__version__}\n")


def test_an_option_is_written_out(tmp_path, capsys):
    with pytest.raises(SystemExit) as end:
        run(tmp_path / "pe.npy", "--tol", "0.1")
    assert end.value.code == 2
    assert "unrecognized arguments: --tol" in capsys.readouterr().err


def test_ctrl_c_ends_the_command_without_a_traceback(tmp_path, capsys, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("posenc.__main__.reports", interrupted)
    assert run(tmp_path / "pe.npy") == 130
    assert capsys.readouterr() == ("", "")


def test_a_large_number_is_written_with_an_exponent():
    assert code(Convention(base=1e22, start=-3e16)) == "Convention(base=1e+22, start=-3e+16)"
    assert code(Convention(base=1e15)) == "Convention(base=1000000000000000)"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a full device")
def test_a_full_disk_is_reported_and_not_once_more_at_the_end(tmp_path, capsys, monkeypatch):
    path = saved(tmp_path / "pe.npy", table=TABLE)
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr("sys.stdout", full)
        assert run(path) == 2
    said = "posenc: the answer cannot be written: No space left on device\n"
    assert capsys.readouterr().err == said


def test_a_reader_that_has_read_enough_is_no_error(tmp_path, capsys, monkeypatch):
    path = saved(tmp_path / "pe.npy", table=TABLE)
    here, there = os.pipe()
    os.close(here)
    with os.fdopen(there, "w") as pipe:
        monkeypatch.setattr("sys.stdout", pipe)
        assert run(path) == 0
    assert capsys.readouterr().err == ""


def test_lists_in_words_are_cut_where_they_get_long():
    assert [rows_in_words(count) for count in (1, 2)] == ["one row", "2 rows"]
    assert series(["a", "b", "c"]) == "a, b, c"
    assert series(["a", "b", "c", "d"]) == "a, b, c and 1 more"
    assert series(["a", "b", "c", "d", "e"]) == "a, b, c and 2 more"
    assert listed([3, 4]) == "3-4"
    assert listed([0, 4, 5, 6]) == "0, 4-6"
    assert listed([0, 2, 4, 6, 8, 10]) == "0, 2, 4, 6, 8 and 1 more"
    assert listed([0, 2, 4, 6, 8, 10, 11, 12, 20]) == "0, 2, 4, 6, 8 and 4 more"
    assert listed([5]) == "5"
    assert listed([]) == ""
