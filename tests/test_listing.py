"""`files.matching` keeps the names in a folder, and still finds every change."""

from __future__ import annotations

import os

import pytest

from scripts import files
from scripts.build.stages import rounds

PATTERNS = {
    pattern
    for stages in rounds()
    for stage in stages
    for pattern in (*stage.sources, stage.outputs)
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of a project, with one file, that nobody has changed for two hours."""
    monkeypatch.setattr(files, "ROOT", tmp_path)
    made = tmp_path / "docs" / "figures"
    made.mkdir(parents=True)
    (made / "wave.svg").touch()
    age(made, hours=2)
    return made


def age(folder, *, hours):
    before = folder.stat().st_mtime_ns - hours * 3600 * 10**9
    os.utime(folder, ns=(before, before))


def test_the_sources_and_outputs_of_all_stages_are_those_that_pathlib_finds():
    assert len(PATTERNS) > 100
    for pattern in PATTERNS:
        found = {path for path in files.ROOT.glob(pattern) if path.is_file()}
        found = {path for path in found if "__pycache__" not in path.parts}
        assert files.matching(pattern) == sorted(found, key=lambda path: path.parts), pattern


def test_new_files_are_found_after_the_names_were_kept_and_lost_ones_are_not(folder):
    wave, of_wave = folder / "wave.svg", "docs/figures/wave.*"
    (folder / "wave_2.svg").touch()
    (folder / "wave.d").mkdir()
    age(folder, hours=2)
    assert files.matching(of_wave) == files.matching("docs/figures/wave.svg") == [wave]
    (folder / "wave.csv").touch()
    age(folder, hours=1)
    assert files.matching(of_wave) == [folder / "wave.csv", wave]
    for lost in (folder / "wave.csv", wave):
        lost.unlink()
    assert files.matching(of_wave) == files.matching("docs/nothing/wave.*") == []


def test_names_in_a_folder_that_has_just_changed_are_not_kept(folder, monkeypatch):
    (folder / "wave.csv").touch()
    changed = folder.stat().st_mtime_ns
    monkeypatch.setattr("time.time_ns", lambda: changed + 1)
    assert len(files.matching("docs/figures/wave.*")) == 2
    (folder / "wave.json").touch()
    os.utime(folder, ns=(changed, changed))  # as if the clock had not moved
    assert len(files.matching("docs/figures/wave.*")) == 3
