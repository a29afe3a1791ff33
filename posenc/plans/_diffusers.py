"""The config.json of a transformer in diffusers: axes of images and videos.

The classes, their keys and their defaults are those of diffusers 0.42.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from posenc import _arguments
from posenc.plans import _data
from posenc.plans._groups import Group
from posenc.plans._notes import Odd
from posenc.plans._numerals import numeral
from posenc.plans._reading import Config, Read
from posenc.rotary._turn import Layout

_WIDEST = _arguments.WIDEST
_KEYS: list[str] = _data.TABLES["diffusers keys"].split()


@dataclass(frozen=True)
class Family:
    """How a class turns: `widths` are features of each axis, or a rule that makes them of a head.

    `key` and `base_key` are the names under which a config may say otherwise.
    """

    axes: tuple[str, ...]
    widths: tuple[int, ...] | str
    key: str | None = None
    base: float = 10_000.0
    base_key: str | None = None
    layout: Layout = "interleaved"
    rule: str = "blocks"
    head_dim: int | None = None
    note: str | None = None


def _families() -> dict[str, Family]:
    found = {}
    for entry in _data.TABLES["diffusers"]:
        fields = {key: value for key, value in entry.items() if key != "classes"}
        widths = fields["widths"]
        if isinstance(widths, list):
            fields["widths"] = tuple(widths)
        family = Family(**{**fields, "axes": tuple(fields["axes"])})
        found.update(dict.fromkeys(entry["classes"].split(), family))
    return found


FAMILIES = _families()


def claims(config: Mapping[str, Any]) -> bool:
    """Whether the config is of diffusers."""
    lists = (config.get(key) for key in _KEYS)
    return "_class_name" in config or any(isinstance(value, list | tuple) for value in lists)


def read(config: Config) -> Read:
    """The plan of a transformer of diffusers."""
    name = config.get("_class_name")
    if name is None:
        odd = Odd("no class", _data.SENTENCES["nameless"])
        return Read("diffusers", None, (_unnamed(config),), (odd,))
    if not isinstance(name, str):
        raise ValueError(f"_class_name must be a string, got {_arguments.shown(name)}")
    if name in _data.DIFFUSERS_REFUSED:
        rule = "_class_name must be one whose pairs turn by known frequencies"
        raise ValueError(f"{rule}, got {name!r}: {_data.DIFFUSERS_REFUSED[name]}")
    encoding = _data.DIFFUSERS_ENCODINGS.get(name)
    rotary = config.get("use_rotary_positional_embeddings", False)
    if name in _data.DIFFUSERS_ADD_OR_TURN and not rotary:
        encoding = "sinusoidal"
    if encoding is not None:
        return Read("diffusers", name, (Group("all layers", encoding),))
    if name not in FAMILIES:
        rule = "_class_name must be a class of diffusers 0.42 whose axes are known here"
        raise ValueError(f"{rule}, got {_arguments.shown(name)}")
    group, found = _group(FAMILIES[name], config)
    return Read("diffusers", name, (group,), found)


def _unnamed(config: Config) -> Group:
    """Axes of a config without a class: their widths only."""
    key = next((key for key in _KEYS if isinstance(config.get(key), list | tuple)), None)
    if key is None:
        raise ValueError("_class_name must be a class of diffusers, got None")
    widths = _widths(key, config[key])
    names = tuple(f"axis {number}" for number in range(len(widths)))
    base = config.get("rope_theta", config.get("theta"))
    return Group(
        "all layers",
        head_dim=sum(widths),
        rotary_dim=sum(widths),
        base=None if base is None else _arguments.positive("rope_theta", base),
        axes=names,
        sections=tuple(width // 2 for width in widths),
        rule="unknown",
    )


def _widths(key: str, given: Any) -> tuple[int, ...]:
    widths = _arguments.entries(key, given)
    numbers = tuple(_arguments.integer(key, one, least=0, most=_WIDEST) for one in widths)
    if not any(numbers) or any(one % 2 for one in numbers):
        raise ValueError(f"{key} must hold even numbers, got {_arguments.shown(given)}")
    return numbers


def _group(family: Family, config: Config) -> tuple[Group, tuple[Odd, ...]]:
    odd: list[Odd] = []
    head = _head(family, config)
    if isinstance(family.widths, str):
        widths = _RULES[family.widths](head or 0)
    elif family.key in config:
        widths = _widths(str(family.key), config[str(family.key)])
    else:
        widths = family.widths
        odd.append(Odd("default", f"{family.key} is missing. The class's default is used."))
    if family.rule == "ltx":
        heads = config.get("num_attention_heads", 32)
        inner = _arguments.integer("num_attention_heads", heads, least=1) * (head or 0)
        inner = _arguments.integer("num_attention_heads * head", inner, least=6, most=_WIDEST)
        widths = (inner // 6 * 2,) * 3
        head = inner - inner % 6
    if any(width % 2 for width in widths):
        raise ValueError(f"heads must give axes even numbers of features, got {list(widths)}")
    if len(widths) != len(family.axes):
        axes = tuple(f"axis {number}" for number in range(len(widths)))
    else:
        axes = family.axes
    axes = tuple(axis for axis, width in zip(axes, widths, strict=True) if width)
    widths = tuple(width for width in widths if width)  # Bria 3.2 has an axis without pairs
    turning = sum(widths)
    if head is not None and turning != head and family.rule != "ltx":
        odd.append(Odd("width", f"{turning} features turn, while a head has {head}."))
    base = config.get(family.base_key or "", family.base)
    ignored = [key for key in ("rope_theta", "theta") if key in config and key != family.base_key]
    odd += [Odd("not read", f"{key} is not read: the class has a fixed base.") for key in ignored]
    group = Group(
        "all layers",
        head_dim=turning if head is None or turning > head else head,
        rotary_dim=turning,
        base=_arguments.positive(family.base_key or "base", base),
        layout=family.layout,
        axes=axes,
        sections=tuple(width // 2 for width in widths),
        rule=family.rule,
        note=family.note,
    )
    return _cosmos(_ltx2(group, config), config), tuple(odd)


def _ltx2(group: Group, config: Config) -> Group:
    """LTX-2 can keep its one list of frequencies in halves of each head: no rule of posenc."""
    if config.get("rope_type", "interleaved") != "split" or group.rule != "ltx":
        return group
    note = f"{group.note}; {_data.SENTENCES['heads']}"
    return replace(group, rule="unknown", layout="halves", note=note)


def _cosmos(group: Group, config: Config) -> Group:
    """Cosmos stretches the base of each axis: `rope_scale ** (width / (width - 2))` times."""
    if group.rule != "cosmos":
        return group
    scales = _arguments.entries("rope_scale", config.get("rope_scale", [2.0, 1.0, 1.0]))
    numbers = [_arguments.positive("rope_scale", one) for one in scales]
    if all(one == 1 for one in numbers):
        return replace(group, rule="blocks")
    widths = [2 * count for count in group.sections]
    if min(widths) < 4:
        raise ValueError(f"attention_head_dim must be at least 12, got {sum(widths)}")
    powers = [one ** (width / (width - 2)) for one, width in zip(numbers, widths, strict=False)]
    bases = ", ".join(numeral((group.base or 0.0) * power, 5) for power in powers)
    return replace(group, rule="unknown", note=f"each axis has its own base: {bases}")


def _head(family: Family, config: Config) -> int | None:
    for key in ("attention_head_dim", "head_dim"):
        if key in config:
            return _arguments.integer(key, config[key], least=2, most=_WIDEST)
    if "dim" in config and "n_heads" in config:
        heads = _arguments.integer("n_heads", config["n_heads"], least=1)
        return _arguments.integer("dim", config["dim"], least=heads) // heads
    return family.head_dim


def _wan(head: int) -> tuple[int, ...]:
    plane = 2 * (head // 6)
    return (head - 2 * plane, plane, plane)


_RULES: dict[str, Callable[[int], tuple[int, ...]]] = {
    "wan": _wan,
    "cogvideox": lambda head: (head // 4, head // 8 * 3, head // 8 * 3),
    "equal": lambda head: (head // 2, head // 2),
    "ltx": lambda head: (head,),
}
