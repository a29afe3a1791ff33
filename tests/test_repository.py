"""Ways to get posenc: the wheel that the site serves, and the links to the repository."""

import hashlib
import io
import os
import re
import subprocess
import sys
import zipfile

import pytest
import yaml

import posenc
from scripts.build.wheel import wheel
from scripts.files import ROOT
from scripts.pages import repository
from tests import site_files
from tests.page_text import SITE

PIP = [sys.executable, "-m", "pip", "--isolated", "--quiet", "--disable-pip-version-check"]


@pytest.fixture(autouse=True)
def no_address_is_kept():
    yield
    repository.address.cache_clear()


def test_the_line_of_the_site_installs_its_wheel_whose_hash_the_page_gives(monkeypatch, tmp_path):
    target = tmp_path / "packages"
    with site_files.served(SITE) as address:
        monkeypatch.setenv("SITE_URL", address)
        printed = re.findall(r"python -m pip install ([^&\n]+)", repository.install())
        numpy, package = map(str.split, printed)
        assert numpy == ["numpy"]
        # The environment of the tests has the package, which must stay there.
        kept = ["--no-deps", "--no-cache-dir", "--ignore-installed", "--target", str(target)]
        subprocess.run([*PIP, "install", *kept, *package], check=True)
    (wheel,) = SITE.glob("dist/*.whl")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    page = (SITE / "simple" / "posenc" / "index.html").read_text("utf-8")
    assert f'href="../../dist/{wheel.name}#sha256={digest}"' in page, "pip compares it"
    environment = {**os.environ, "PYTHONPATH": str(target)}
    code = "import posenc.plans; print(posenc.__version__, posenc.__file__)"
    said = subprocess.check_output(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, text=True
    )
    assert said.split() == [posenc.__version__, str(target / "posenc" / "__init__.py")]


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


def test_gits_remote_is_the_address_if_it_is_on_github(monkeypatch, tmp_path):
    monkeypatch.delenv("REPO_URL", raising=False)
    monkeypatch.setattr(repository, "ROOT", tmp_path)
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    for remote, expected in {
        "https://github.com/a/b.git": "https://github.com/a/b",
        "git@github.com:a/b.git": "https://github.com/a/b",
        "https://git.example/a/b.git": "",
    }.items():
        subprocess.run(["git", "config", "remote.origin.url", remote], cwd=tmp_path, check=True)
        repository.address.cache_clear()
        assert repository.address() == expected, remote
    monkeypatch.setenv("PATH", str(tmp_path))
    repository.address.cache_clear()
    assert repository.address() == "", "without git"


def test_the_citation_names_the_version_of_the_package():
    said = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert said["version"] == posenc.__version__
    assert said["license"] == "MIT"
