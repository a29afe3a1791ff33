"""Ways to get posenc: the wheel that the site serves, and the links to the repository."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

import posenc
from scripts.build.wheel import wheel
from scripts.files import ROOT
from scripts.pages import repository
from tests import page_text, site_files
from tests.page_text import SITE

DOCTESTS = """
import doctest, importlib, json, pkgutil, posenc
found = {"from": posenc.__file__, "tried": 0, "failed": 0}
for info in pkgutil.walk_packages(posenc.__path__, "posenc."):
    if not info.name.endswith("__main__"):
        result = doctest.testmod(importlib.import_module(info.name))
        found["tried"] += result.attempted
        found["failed"] += result.failed
print(json.dumps(found))
"""


PIP = [sys.executable, "-m", "pip", "--isolated", "--quiet", "--disable-pip-version-check"]


def commands(monkeypatch, *, site):
    """What the commands that pages print install if the site has this address."""
    monkeypatch.setenv("SITE_URL", site)
    return re.findall(r"python -m pip install ([^&\n]+)", repository.install())


def served_package(monkeypatch, address):
    """The last of the printed commands, as words after `pip install`."""
    numpy, package = commands(monkeypatch, site=address)
    assert numpy.strip() == "numpy"
    # The environment of the tests has the package, which must stay there.
    return ["install", "--no-deps", "--no-cache-dir", "--ignore-installed", *package.split()]


@pytest.fixture(autouse=True)
def no_address_is_kept():
    yield
    repository.address.cache_clear()


def test_the_line_of_the_site_installs_its_wheel_whose_doctests_pass(monkeypatch, tmp_path):
    with site_files.served(SITE) as address:
        words = served_package(monkeypatch, address)
        subprocess.run([*PIP, *words, "--target", str(tmp_path)], check=True)
    (about,) = tmp_path.glob("posenc-*.dist-info/METADATA")
    assert f"Version: {posenc.__version__}" in about.read_text("utf-8").splitlines()
    done = subprocess.run(
        [sys.executable, "-c", DOCTESTS],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    assert Path(found["from"]).is_relative_to(tmp_path)
    assert found["tried"] > 100
    assert found["failed"] == 0


def test_two_wheels_have_the_same_bytes_and_hold_only_the_package():
    ((name, content),) = wheel().items()
    assert wheel() == {name: content}
    assert not (ROOT / "dist").exists(), "a build leaves nothing beside the sources"
    assert name == f"posenc-{posenc.__version__}-py3-none-any.whl"
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        packed = {path for path in file.namelist() if ".dist-info/" not in path}
        about = file.read(f"posenc-{posenc.__version__}.dist-info/METADATA").decode()
    sources = {path.relative_to(ROOT).as_posix() for path in (ROOT / "posenc").rglob("*.py")}
    assert packed == {*sources, "posenc/py.typed", "posenc/plans/models.json"}
    assert "Requires-Dist: numpy" in about


def test_pip_refuses_a_wheel_that_is_not_the_one_of_the_index(monkeypatch, tmp_path):
    site = tmp_path / "site"
    for name in ("simple", "dist"):
        shutil.copytree(SITE / name, site / name)
    (wheel,) = site.glob("dist/*.whl")
    wheel.write_bytes(wheel.read_bytes() + b"\0")
    with site_files.served(site) as address:
        words = [*served_package(monkeypatch, address), "--target", str(tmp_path / "packages")]
        done = subprocess.run([*PIP, *words], capture_output=True, text=True, check=False)
    assert done.returncode
    assert "DO NOT MATCH THE HASHES" in done.stderr


@pytest.mark.parametrize("name", ["api/index.html", "faq/index.html"])
def test_pages_that_name_the_package_link_to_the_wheel_itself(name):
    (link,) = page_text.pages()[name].xpath("//a[contains(@href, '.whl')]/@href")
    assert (SITE / name).parent.joinpath(link).resolve() == next((SITE / "dist").glob("*.whl"))


def test_gits_remote_is_the_address_if_it_is_on_github(monkeypatch, tmp_path):
    known = "https://github.com/a/b"
    monkeypatch.delenv("REPO_URL", raising=False)
    monkeypatch.setattr(repository, "ROOT", tmp_path)
    for remote, expected in {
        "https://github.com/a/b.git": known,
        "git@github.com:a/b.git": known,
        "https://github.com/a/b": known,
        "/srv/git/b.git": "",
        "https://git.example/a/b.git": "",
    }.items():
        subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
        subprocess.run(["git", "remote", "add", "origin", remote], cwd=tmp_path, check=True)
        repository.address.cache_clear()
        assert repository.address() == expected, remote
        shutil.rmtree(tmp_path / ".git")
    monkeypatch.setenv("PATH", str(tmp_path))
    repository.address.cache_clear()
    assert repository.address() == "", "without git"


def test_the_citation_names_the_version_of_the_package():
    said = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert said["version"] == posenc.__version__
    assert said["license"] == "MIT"
