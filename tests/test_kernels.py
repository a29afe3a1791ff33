"""Notebooks on a busy machine, where a kernel needs minutes to start."""

from __future__ import annotations

import os

import pytest

from scripts import files
from scripts.pages import notebook_run


@pytest.mark.parametrize("before", ["", "/own/modules"])
def test_a_kernel_has_ten_minutes_to_start_finds_this_project_and_no_settings_of_the_author(
    before, tmp_path, monkeypatch
):
    from mkdocs_jupyter import nbconvert2
    from nbconvert.preprocessors import ExecutePreprocessor
    from traitlets.config import PyFileConfigLoader

    (tmp_path / "jupyter_nbconvert_config.json").write_text('{"NbConvertBase": {"author": 1}}')
    own = {"JUPYTER_CONFIG_DIR": str(tmp_path), "PYTHONPATH": before}
    monkeypatch.setattr(os, "environ", os.environ | own)
    assert "NbConvertBase" in nbconvert2.get_nbconvert_app().config
    for module in (files, notebook_run):
        monkeypatch.setattr(module, "WORK", tmp_path / "work")
    notebook_run.prepare_kernels()
    settings = nbconvert2.get_nbconvert_app(execute=True, allow_errors=False).config
    assert ExecutePreprocessor(config=settings).startup_timeout == 600
    assert "NbConvertBase" not in settings
    home = tmp_path / "work" / "ipython"
    assert os.environ["PYTHONPATH"] == f"{files.ROOT}{os.pathsep}{before}"
    assert os.environ["IPYTHONDIR"] == os.environ["JUPYTER_CONFIG_DIR"] == str(home)
    assert os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] == "1"  # or it warns of frozen modules
    settings = PyFileConfigLoader("ipython_kernel_config.py", str(home / "profile_default"))
    lines = settings.load_config().IPKernelApp.exec_lines
    assert "notebook_display.install(get_ipython())" in lines


def test_a_kernel_that_stops_or_does_not_start_is_one_line():
    from jupyter_client.kernelspec import NoSuchKernel
    from nbclient.exceptions import CellExecutionError, DeadKernelError

    late = "Kernel didn't respond in 600 seconds"
    for error, told in (
        (DeadKernelError("out of memory"), "DeadKernelError: out of memory"),
        (NoSuchKernel("julia"), "no Jupyter kernel named 'julia' is installed"),
        (CellExecutionError("no arrow", "ValueError", "bad"), "ValueError: bad"),
        (RuntimeError(late), f"the notebook did not start: {late}"),
    ):
        trouble = notebook_run.trouble(error)
        assert (str(trouble), trouble.text) == (told, "")
    assert notebook_run.trouble(ValueError("Kernel of a convolution")) is None
