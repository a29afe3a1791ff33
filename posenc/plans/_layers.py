"""Which layers a group has: by their types, and those that do not turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from posenc import _arguments
from posenc.plans import _data, _queries, _types
from posenc.plans._groups import Group
from posenc.plans._reading import Config
from posenc.rotary._config import Understood


def every(own: Config) -> tuple[int, ...] | None:
    """The numbers of all layers, if the config says how many there are."""
    types = _types.types_of(own)
    if types:
        return tuple(range(len(types)))
    with_attention = own.get("attn_layer_indices")  # Bamba
    if isinstance(with_attention, list):
        return tuple(i for i in with_attention if isinstance(i, int))
    number = _types.count(own)
    return None if number is None else tuple(range(number))


def split(read: Understood, kind: str | None, group: Group) -> Iterator[Group]:
    """The group for each type of layers that shares its set, without the layers that stay."""
    own, types = read.own, _types.types_of(read.own)
    kinds = _types.kinds_of(own)
    present = [one for one in kinds if _belongs(one, kind, read)]
    named = "compress" in read.sets or set(types) & set(read.sets)
    if not present and types and named:
        return  # no layer of this model has the set
    if not present:
        window, chunk = _types.window_of(own, kind or ""), _types.chunk_of(own, kind or "")
        whole = group if kind else replace(group, layers=every(own))
        note = group.note or _types.both_sides(own, kind or "")
        yield from _staying(read, kind, replace(whole, window=window, chunk=chunk, note=note))
        return
    for one in present:
        numbers = tuple(i for i, other in enumerate(types) if other == one) if types else None
        name = one if kind is None or kind == one else f"{one} ({kind})"
        window, chunk = _types.window_of(own, one), _types.chunk_of(own, one)
        note = group.note or _types.both_sides(own, one)
        mine = replace(group, name=name, layers=numbers, window=window, chunk=chunk, note=note)
        yield from _staying(read, one, mine)


def _belongs(one: str, kind: str | None, read: Understood) -> bool:
    """Whether layers of type `one` have the set of rope parameters that `kind` names."""
    if one in _data.WITHOUT_ATTENTION:
        return False
    if one in read.sets or kind is None:
        return one == kind or (kind is None and one not in read.sets)
    if "compress" in read.sets:  # DeepSeek-V4
        return kind == ("main" if one == "sliding_attention" else "compress")
    return False


def others(read: Understood, groups: list[Group]) -> Iterator[Group]:
    """Layers of types that no set belongs to."""
    types = _types.types_of(read.own)
    taken = {i for group in groups for i in group.layers or ()}
    for one in dict.fromkeys(types):
        numbers = tuple(i for i, other in enumerate(types) if other == one and i not in taken)
        if numbers:
            bare = one in _data.WITHOUT_ATTENTION
            query = None if bare else _queries.temperature(read.own)
            yield Group(one, "recurrent" if bare else "none", layers=numbers, query=query)


def _staying(read: Understood, kind: str | None, group: Group) -> Iterator[Group]:
    """The group, and those of its layers whose code does not turn them."""
    own = read.own
    model = own.get("model_type")
    query = _queries.temperature(own) or group.query
    still = Group(group.name, "none", layers=group.layers, score=group.score, query=query)
    if model in _data.FULL_LAYERS_STAY and _types.window(own) is not None:
        if kind is None:
            yield replace(group, name="layers with a window", layers=None)
            yield replace(still, name="layers with full attention", layers=None)
        elif kind == "full_attention":
            yield still
        else:
            yield group
        return
    turning = _turning(read)
    if turning is not None and group.layers is None:
        group = replace(group, layers=tuple(range(len(turning))))
    if turning is None or group.layers is None:
        yield group
        if turning is None and model in _data.INTERVALS:
            yield replace(still, name="one layer in 4", layers=None)
        return
    kept = tuple(i for i in group.layers if i >= len(turning) or turning[i])
    stays = tuple(i for i in group.layers if i < len(turning) and not turning[i])
    if kept:
        yield replace(group, layers=kept)
    if stays:
        yield replace(still, name=f"{group.name}, some", layers=stays)


def _turning(read: Understood) -> list[bool] | None:
    """For each layer whether it turns; None if the config and the type do not say."""
    own = read.own
    for key in ("layer_rope_theta", "no_rope_layers"):  # a base, or 1 for a layer that turns
        flags: Any = own.get(key)
        if isinstance(flags, list) and flags:
            return [bool(flag) for flag in flags]
    numbers = every(own)
    across = own.get("cross_attention_layers")  # Llama 3.2 with vision: they look at an image
    if own.get("model_type") == "mllama_text_model" and isinstance(across, list) and numbers:
        return [i not in across for i in numbers]
    if own.get("model_type") not in _data.INTERVALS or numbers is None:
        return None
    given = own.get("no_rope_layer_interval", 4)
    step = _arguments.integer("no_rope_layer_interval", given, least=1)
    return [(i + 1) % step != 0 for i in numbers]
