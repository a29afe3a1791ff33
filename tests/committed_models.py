"""The committed weights and results of the small trained models, for tests that compare them."""

import json
from functools import cache

import pytest

from scripts.experiments import grid, results, weights
from tests import experiment_oracle

FOLDER = results.FOLDER


@cache
def result(question):
    return json.loads((FOLDER / f"{question}.json").read_text("utf-8"))


@cache
def committed(name):
    return weights.unpacked((FOLDER / f"{name}.safetensors").read_bytes())[0]


def oracle_model(name):
    return experiment_oracle.Model(grid.LIVE[name].options(), committed(name))


def row(question, name, task="look_back"):
    (found,) = [
        row
        for row in result(question)["rows"]
        if row["name"] == name and row["options"]["task"] == task
    ]
    return found


def same_share(share, summary):
    """Whether a summary has this share for the first seed, the one with committed weights."""
    return share == pytest.approx(summary["seeds"][0], abs=1e-5)
