"""Notebooks on a busy machine, where a kernel needs minutes to start."""

from __future__ import annotations

import os

import pytest

from scripts import files
from scripts.pages import notebook_run


@pytest.fixture
def convert():
    """How mkdocs-jupyter converts notebooks. It loads for half a second, in one process only."""
    from mkdocs_jupyter import nbconvert2

    return nbconvert2


@pytest.fixture
def settings(convert, tmp_path, monkeypatch):
    """The settings with which mkdocs-jupyter runs a notebook in a build."""
    monkeypatch.setattr(os, "environ", os.environ.copy())
    monkeypatch.setattr(notebook_run, "WORK", tmp_path)
    monkeypatch.setattr(files, "WORK", tmp_path)
    notebook_run.prepare_kernels()
    return convert.get_nbconvert_app(execute=True, allow_errors=False).config


def test_a_kernel_has_ten_minutes_to_start(settings):
    from nbconvert.preprocessors import ExecutePreprocessor

    assert ExecutePreprocessor(config=settings).startup_timeout == 600


def test_the_authors_own_settings_of_nbconvert_do_not_count(convert, tmp_path, monkeypatch):
    (tmp_path / "jupyter_nbconvert_config.json").write_text('{"NbConvertBase": {"author": 1}}')
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path))
    assert "NbConvertBase" in convert.get_nbconvert_app().config
    monkeypatch.setattr(os, "environ", os.environ.copy())
    monkeypatch.setattr(notebook_run, "WORK", tmp_path / "work")
    monkeypatch.setattr(files, "WORK", tmp_path / "work")
    notebook_run.prepare_kernels()
    assert "NbConvertBase" not in convert.get_nbconvert_app().config


def test_a_kernel_that_does_not_start_is_one_line():
    trouble = notebook_run.trouble(RuntimeError("Kernel didn't respond in 600 seconds"))
    assert str(trouble) == "the notebook did not start: Kernel didn't respond in 600 seconds"
    assert notebook_run.trouble(RuntimeError("of something else")) is None
