"""Encoders of images and sounds: pairs that several coordinates turn, or no pairs at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from posenc import _arguments
from posenc.plans import _data
from posenc.plans._groups import Group, Score
from posenc.plans._reading import Config
from posenc.rotary._config_names import NAMES

TYPES = _data.AXIAL_TYPES


def encodes(part: Mapping[str, Any]) -> bool:
    """Whether an inner config is that of an encoder that posenc may know."""
    return bool(part.get("model_type")) or "rope_parameters" in part


def groups(name: str, part: Config) -> list[Group]:
    """The groups of one encoder."""
    model = part.get("model_type")
    if model in _data.ENCODING_OF:
        return [Group(name, _data.ENCODING_OF[str(model)])]
    if model not in TYPES:
        raise ValueError(f"posenc does not know how {model} encodes positions")
    return [_axial(name, part, TYPES[str(model)])]


def _axial(name: str, part: Config, how: _data.Axial) -> Group:
    head = _head(part, how)
    parameters = part.get("rope_parameters") or {}
    if not isinstance(parameters, Mapping):
        got = _arguments.shown(parameters)
        raise ValueError(f"rope_parameters must be a dict, got {got}")
    base = parameters.get("rope_theta", part.get("rope_theta", how.base))
    sections = tuple(head // 2 // len(how.axes) for _ in how.axes)
    return Group(
        name,
        head_dim=head,
        rotary_dim=2 * sum(sections),
        base=_arguments.positive("rope_theta", base),
        layout=how.layout,
        axes=how.axes,
        sections=sections,
        rule=how.rule,
        note=how.note,
        score=Score(1.0, head**-0.5, f"1/√{head}") if how.rule != "unknown" else None,
    )


def _head(part: Config, how: _data.Axial) -> int:
    if part.get("head_dim"):
        return _arguments.integer("head_dim", part["head_dim"], least=4)
    width = _first(part, ("embed_dim", *_names("hidden_size")), how.width)
    heads = _first(part, _names("num_attention_heads"), how.heads)
    return _arguments.integer("hidden_size", width, least=heads) // heads


def _names(name: str) -> tuple[str, ...]:
    return (name, *NAMES[name])


def _first(part: Config, names: tuple[str, ...], default: int) -> int:
    value = next((part[name] for name in names if part.get(name) is not None), default)
    return _arguments.integer(names[-1], value, least=1)
