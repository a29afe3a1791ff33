"""Encodings, grids, caches and answers are values: they have no state that anyone can change."""

import importlib
import pkgutil
from dataclasses import is_dataclass

import pytest

import posenc

CLASSES = {
    thing
    for module in pkgutil.walk_packages(posenc.__path__, "posenc.")
    if module.name != "posenc.__main__"
    for thing in vars(importlib.import_module(module.name)).values()
    if isinstance(thing, type) and is_dataclass(thing)
}


@pytest.mark.parametrize("kind", sorted(CLASSES, key=lambda kind: kind.__qualname__))
def test_no_one_can_change_a_value(kind):
    assert kind.__dataclass_params__.frozen


@pytest.mark.parametrize(
    "name", sorted({kind.__name__ for kind in CLASSES} & {*posenc.__all__} - {"Rotary", "Finding"})
)
def test_the_fields_of_a_class_with_many_have_to_be_named(name):
    kind = getattr(posenc, name)
    assert all(field.kw_only for field in kind.__dataclass_fields__.values())
