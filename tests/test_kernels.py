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


@pytest.mark.parametrize(("before", "after"), [(None, ""), ("/own/modules", "/own/modules")])
def test_a_kernel_finds_this_project_and_says_nothing_of_its_own(
    before, after, tmp_path, monkeypatch
):
    from traitlets.config import PyFileConfigLoader

    monkeypatch.setattr(os, "environ", os.environ.copy())
    for module in (files, notebook_run):
        monkeypatch.setattr(module, "WORK", tmp_path)
    os.environ.pop("PYTHONPATH", None)
    if before:
        os.environ["PYTHONPATH"] = before
    notebook_run.prepare_kernels()
    home = tmp_path / "ipython"
    assert os.environ["PYTHONPATH"] == f"{files.ROOT}{os.pathsep}{after}"
    assert os.environ["IPYTHONDIR"] == os.environ["JUPYTER_CONFIG_DIR"] == str(home)
    assert os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] == "1"  # or it warns of frozen modules
    settings = PyFileConfigLoader("ipython_kernel_config.py", str(home / "profile_default"))
    lines = settings.load_config().IPKernelApp.exec_lines
    assert "notebook_display.install(get_ipython())" in lines


def test_a_kernel_that_stops_or_does_not_start_is_one_line():
    from jupyter_client.kernelspec import NoSuchKernel
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    for error, told in (
        (CellTimeoutError("too slow"), "CellTimeoutError: too slow"),
        (DeadKernelError("out of memory"), "DeadKernelError: out of memory"),
        (NoSuchKernel("julia"), "no Jupyter kernel named 'julia' is installed"),
        (CellExecutionError("no arrow", "ValueError", "bad"), "ValueError: bad"),
        (
            RuntimeError("Kernel didn't respond in 600 seconds"),
            "the notebook did not start: Kernel didn't respond in 600 seconds",
        ),
    ):
        trouble = notebook_run.trouble(error)
        assert (str(trouble), trouble.text) == (told, "")


def test_an_error_of_something_else_is_no_trouble_of_a_notebook():
    assert notebook_run.trouble(ValueError("Kernel of a convolution")) is None
    assert notebook_run.trouble(RuntimeError("of something else")) is None
