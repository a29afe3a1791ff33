"""Faults of the Makefile and the workflows: tests that do not run, or whose failure is ignored."""

from __future__ import annotations

import re
import tomllib

import pytest
import yaml

from scripts.files import ROOT
from tests.conftest import BY_FILE, BY_PARAMETER, OF_PAGES, group

MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
CI = (ROOT / ".ci" / "run").read_text("utf-8")


CHECKS = (
    *("site", "test", "thorough", "check", "html", "properdocs", "lowest", "lighthouse"),
    "unchanged",
)
WEEKLY = ("planted", "twice", "kills", "growth")
WORKFLOWS = sorted(path.stem for path in (ROOT / ".github" / "workflows").glob("*.yml"))


def recipe(target):
    """The commands of a target of the Makefile."""
    (lines,) = re.findall(rf"^{target}:.*\n((?:\t.*\n)+)", MAKEFILE, re.M)
    return lines.replace("\\\n", " ").replace("\t", "").splitlines()


def workflow(name):
    text = (ROOT / ".github" / "workflows" / f"{name}.yml").read_text("utf-8")
    return {str(key): value for key, value in yaml.safe_load(text).items()}


def commands(job):
    return [step["run"] for step in job["steps"] if "run" in step]


def test_make_test_builds_the_site_and_then_runs_all_tests():
    build, tests = recipe("test")
    assert build == "$(PYTHON) -m scripts.build"
    assert re.fullmatch(r"\$\(PYTHON\) -m pytest( --numprocesses auto| --durations \d+)*", tests)


def test_make_thorough_runs_the_tests_that_make_test_skips():
    build, tests = recipe("thorough")
    assert build == "$(PYTHON) -m scripts.build"
    assert tests.startswith("THOROUGH=1 $(PYTHON) -m pytest ")
    assert tests.endswith(" -m thorough")


def test_tests_of_a_page_of_a_figure_or_of_the_explorer_share_a_process():
    for file in BY_FILE + OF_PAGES + BY_PARAMETER:
        assert (ROOT / "tests" / file).is_file()
    figures = "tests/test_figures.py::test_"
    assert group(f"{figures}a[heatmap]") == group(f"{figures}b[static-heatmap]")
    assert group(f"{figures}a[heatmap]") != group(f"{figures}a[matshow]")
    assert group("tests/test_explorer.py::test_a") == group("tests/test_explorer.py::test_b[1]")
    assert group("tests/test_numbers.py::test_a[1]") == group("tests/test_pages.py::test_b[2]")
    assert group("tests/test_rotary.py::test_a[1]") == group("tests/test_rotary.py::test_a[2]")
    assert group("tests/test_rotary.py::test_a[1]") != group("tests/test_rotary.py::test_b[1]")


@pytest.mark.parametrize("target", ["fuzz", *CHECKS, *WEEKLY])
def test_no_target_hides_a_failure(target):
    for command in recipe(target):
        assert not command.startswith("-")
        assert not re.search(r"\|\| *(true|:|exit 0)|; *(true|:)$", command)


def test_make_unchanged_finds_changed_and_new_files():
    changed, new = recipe("unchanged")
    assert changed == "git diff --exit-code"
    assert "git ls-files --others --exclude-standard" in new


def test_ci_stops_at_the_first_failure_and_ends_with_the_checkout_unchanged():
    lines = CI.splitlines()
    assert "set -euo pipefail" in lines
    assert lines.index("make test") < lines.index("make thorough") < lines.index("make check")
    assert lines[-1] == "make unchanged"
    assert "||" not in CI


def test_the_test_workflow_runs_every_check():
    test = workflow("test")["jobs"]["test"]
    assert commands(test) == [
        "make test",
        "make thorough",
        "make check",
        "make html",
        "make properdocs",
        "make unchanged",
    ]
    assert "continue-on-error" not in str(test)
    assert not any("if" in step for step in test["steps"])


def test_publishing_waits_for_the_tests_and_uploads_the_site():
    jobs = workflow("publish")["jobs"]
    assert jobs["test"]["uses"] == "./.github/workflows/test.yml"
    assert (jobs["build"]["needs"], jobs["deploy"]["needs"]) == ("test", "build")
    assert commands(jobs["build"]) == ["make site"]
    (upload,) = [step for step in jobs["build"]["steps"] if "upload" in step.get("uses", "")]
    assert upload["with"]["path"] == "site"


def test_a_release_waits_for_the_tests_of_its_tag_and_is_off_by_default():
    release = workflow("release")
    assert release["True"] == {"push": {"tags": ["v*"]}}
    jobs = release["jobs"]
    assert jobs["test"]["uses"] == "./.github/workflows/test.yml"
    assert jobs["test"]["if"] == "vars.PUBLISH_TO_PYPI == 'true'"
    assert (jobs["build"]["needs"], jobs["publish"]["needs"]) == ("test", "build")
    assert all("if" not in jobs[name] for name in ("build", "publish"))  # skipped with `test`
    assert any("$GITHUB_REF_NAME" in command for command in commands(jobs["build"]))


def test_only_the_job_that_publishes_the_package_may_speak_for_the_repository_at_pypi():
    release = workflow("release")
    assert release["permissions"] == {"contents": "read"}
    rights = {name: job.get("permissions") for name, job in release["jobs"].items()}
    assert rights == {"test": None, "build": None, "publish": {"id-token": "write"}}
    assert release["jobs"]["publish"]["environment"] == "pypi"
    assert "secrets" not in str(release)


def test_only_the_job_that_deploys_the_site_may_write_pages():
    publish = workflow("publish")
    assert publish["permissions"] == {"contents": "read"}
    assert {name: job.get("permissions") for name, job in publish["jobs"].items()} == {
        "test": None,
        "build": {"contents": "read", "pages": "read"},
        "deploy": {"pages": "write", "id-token": "write"},
    }
    assert commands(publish["jobs"]["deploy"]) == []


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_job_that_hangs_ends(name):
    for job in workflow(name)["jobs"].values():
        if "uses" not in job:  # a job that calls a workflow takes no limit
            assert job["timeout-minutes"] <= 360


def test_hostile_cases_run_weekly_and_on_demand_with_another_seed_each_time():
    fuzz = workflow("fuzz")
    assert fuzz["True"].keys() == {"schedule", "workflow_dispatch"}
    job = fuzz["jobs"]["fuzz"]
    assert commands(job) == ["make fuzz SEED=${{ github.run_number }}"]
    assert "continue-on-error" not in str(job)
    assert recipe("fuzz")[1:] == [
        "$(PYTHON) -m tests.fuzz --seed $(SEED)",
        "FUZZ_EXAMPLES=2500 $(PYTHON) -m pytest --hypothesis-seed $(SEED)"
        " tests/test_hostile_files.py",
    ]


def test_a_push_to_main_publishes_and_a_pull_request_runs_the_tests():
    # YAML reads `on` as true.
    assert workflow("publish")["True"]["push"] == {"branches": ["main"]}
    assert {"pull_request", "workflow_call"} <= workflow("test")["True"].keys()


def test_what_takes_too_long_for_each_change_runs_every_week():
    weekly = workflow("weekly")
    assert weekly["True"].keys() == {"schedule", "workflow_dispatch"}
    assert weekly["jobs"]["long"]["strategy"]["matrix"]["target"] == [
        *(*WEEKLY, "test SITE_URL=https://reader.example/posenc/")
    ]
    turkish, target = [step for step in weekly["jobs"]["long"]["steps"] if "run" in step]
    assert turkish == {"run": "sudo locale-gen tr_TR.UTF-8", "if": "matrix.target == 'twice'"}
    assert target == {"run": "make ${{ matrix.target }}"}
    assert commands(weekly["jobs"]["newest"]) == ["make test PINS=/dev/null"]
    assert "continue-on-error" not in str(weekly)


def test_ci_runs_every_python_from_the_lowest_on_and_the_lowest_numpy():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    jobs = workflow("test")["jobs"]
    pythons = jobs["test"]["strategy"]["matrix"]["python"]
    assert pythons == [f"3.{minor}" for minor in range(11, 15)]
    assert project["requires-python"] == f">={pythons[0]}"
    assert commands(jobs["lowest"]) == ["make lowest"]
    (numpy,) = project["dependencies"]
    assert f"\nLOWEST_NUMPY := {numpy.removeprefix('numpy>=')}.0\n" in MAKEFILE
    pins = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    assert len([pin for pin in pins if pin.startswith("numpy==")]) == 1  # `make lowest` replaces it


def test_the_tests_with_the_lowest_numpy_exist():
    (names,) = re.findall(r"^PACKAGE := (.+)$", MAKEFILE, re.M)
    for name in names.split():
        assert list((ROOT / "tests").glob(f"test_{name}.py")), name


def test_dependabot_looks_after_every_kind_of_package():
    settings = yaml.safe_load((ROOT / ".github" / "dependabot.yml").read_text("utf-8"))
    kinds = {update["package-ecosystem"] for update in settings["updates"]}
    assert kinds == {"pip", "npm", "github-actions"}
    assert all(update["schedule"]["interval"] == "weekly" for update in settings["updates"])
