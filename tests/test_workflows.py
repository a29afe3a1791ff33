"""Faults of the Makefile and the workflows: tests that do not run, or whose failure is ignored."""

import re
import tomllib

import yaml

from scripts.files import ROOT

MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
FOLDER = ROOT / ".github" / "workflows"
# YAML reads `on` as true.
WORKFLOWS = {
    path.stem: {str(key): one for key, one in yaml.safe_load(path.read_text("utf-8")).items()}
    for path in FOLDER.glob("*.yml")
}


def recipe(target):
    """The commands of a target of the Makefile."""
    (lines,) = re.findall(rf"^{target}:.*\n((?:\t.*\n)+)", MAKEFILE, re.M)
    return lines.replace("\\\n", " ").replace("\t", "").splitlines()


def commands(job):
    return [step["run"] for step in job["steps"] if "run" in step]


def test_make_test_runs_all_tests_and_make_thorough_also_those_that_it_skips():
    build, tests = recipe("test")
    assert build == "$(PYTHON) -m scripts.build"
    assert re.fullmatch(r"\$\(PYTHON\) -m pytest( --numprocesses auto| --durations \d+)*", tests)
    assert recipe("thorough") == [build, f"THOROUGH=1 {tests}"]


def test_nothing_hides_a_failure_or_hangs():
    assert not re.search(r"^\t@?-|\|\| *(true|:|exit 0)|; *(true|:)$", MAKEFILE, re.M)
    for workflow in WORKFLOWS.values():
        assert "continue-on-error" not in str(workflow)
        for job in workflow["jobs"].values():
            if "uses" not in job:  # a job that calls a workflow takes no limit
                assert job["timeout-minutes"] <= 360


def test_ci_stops_at_the_first_failure_and_ends_with_the_checkout_unchanged():
    lines = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    assert "set -euo pipefail" in lines
    tests = next(line for line in lines if line.startswith("THOROUGH=1 make test"))
    assert lines.index(tests) < lines.index("make check")
    assert lines[-1] == "make unchanged"
    assert not any("||" in line for line in lines)
    changed, new = recipe("unchanged")
    assert changed == "git diff --exit-code"
    assert "git ls-files --others --exclude-standard" in new


def test_the_test_workflow_runs_every_check_for_each_pull_request():
    assert {"pull_request", "workflow_call"} <= WORKFLOWS["test"]["True"].keys()
    test = WORKFLOWS["test"]["jobs"]["test"]
    checks = ("thorough", "check", "html", "properdocs", "unchanged")
    assert commands(test) == [f"make {target}" for target in checks]
    assert not any("if" in step for step in test["steps"])


def test_a_push_to_main_publishes_the_site_once_its_tests_have_passed():
    publish = WORKFLOWS["publish"]
    assert publish["True"]["push"] == {"branches": ["main"]}
    jobs = publish["jobs"]
    assert jobs["test"]["uses"] == "./.github/workflows/test.yml"
    assert (jobs["build"]["needs"], jobs["deploy"]["needs"]) == ("test", "build")
    assert (commands(jobs["build"]), commands(jobs["deploy"])) == (["make site"], [])
    (upload,) = [step for step in jobs["build"]["steps"] if "upload" in step.get("uses", "")]
    assert upload["with"]["path"] == "site"


def test_a_release_waits_for_the_tests_of_its_tag_and_is_off_by_default():
    release = WORKFLOWS["release"]
    assert release["True"] == {"push": {"tags": ["v*"]}}
    jobs = release["jobs"]
    assert jobs["test"]["uses"] == "./.github/workflows/test.yml"
    assert jobs["test"]["if"] == "vars.PUBLISH_TO_PYPI == 'true'"
    assert (jobs["build"]["needs"], jobs["publish"]["needs"]) == ("test", "build")
    assert all("if" not in jobs[name] for name in ("build", "publish"))  # skipped with `test`
    assert any("$GITHUB_REF_NAME" in command for command in commands(jobs["build"]))


def test_only_the_jobs_that_publish_may_write():
    rights = {  # what a job may do besides reading the repository
        ("publish", "build"): {"contents": "read", "pages": "read"},
        ("publish", "deploy"): {"pages": "write", "id-token": "write"},
        ("release", "publish"): {"id-token": "write"},
    }
    for name, workflow in WORKFLOWS.items():
        assert workflow["permissions"] == {"contents": "read"}
        assert "secrets" not in str(workflow)
        for job, content in workflow["jobs"].items():
            assert content.get("permissions") == rights.get((name, job))


def test_every_week_brings_other_errors_other_hostile_cases_and_the_newest_libraries():
    long, newest = WORKFLOWS["weekly"]["jobs"].values()
    planted, *_ = long["strategy"]["matrix"]["target"]
    assert planted == 'planted PLANTED="--sample 40 --seed ${{ github.run_number }}"'
    assert recipe("planted")[-1].endswith("$(PLANTED)")
    assert commands(newest) == ["make test PINS=/dev/null"]
    fuzz = "make fuzz SEED=${{ github.run_number }}"
    assert commands(WORKFLOWS["fuzz"]["jobs"]["fuzz"]) == [fuzz]
    assert all("$(SEED)" in command for command in recipe("fuzz")[1:])


def test_ci_runs_every_python_from_the_lowest_on_and_the_lowest_numpy():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    jobs = WORKFLOWS["test"]["jobs"]
    pythons = jobs["test"]["strategy"]["matrix"]["python"]
    assert pythons == [f"3.{minor}" for minor in range(11, 15)]
    assert project["requires-python"] == f">={pythons[0]}"
    assert commands(jobs["lowest"]) == ["make lowest"]
    (numpy,) = project["dependencies"]
    assert f"\nLOWEST_NUMPY := {numpy.removeprefix('numpy>=')}.0\n" in MAKEFILE
    pins = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    assert len([pin for pin in pins if pin.startswith("numpy==")]) == 1  # `make lowest` replaces it
    (names,) = re.findall(r"^PACKAGE := (.+)$", MAKEFILE, re.M)
    for name in names.split():
        assert list((ROOT / "tests").glob(f"test_{name}.py")), name
