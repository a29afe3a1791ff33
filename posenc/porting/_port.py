"""Port a state dict between the two layouts of rotary pairs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from math import prod
from typing import Any, get_args

from posenc import _arguments
from posenc.porting._heads import Fused, Model, Order
from posenc.porting._keys import place
from posenc.rotary._foreign import reordered
from posenc.rotary._turn import Layout


@dataclass(frozen=True)
class Ported:
    """What `port_weights` returns: the new `state_dict`, and what it did.

    `moved` has the names of the arrays that were reordered, with what stands in their rows, and
    `kept` the names of the others. `print` it to read both.
    """

    state_dict: dict[str, Any] = field(repr=False)
    source: Layout
    target: Layout
    moved: dict[str, str]
    kept: tuple[str, ...]

    def __str__(self) -> str:
        moved = [f"{name}: {words}" for name, words in self.moved.items()]
        return "\n".join(
            [
                f"{self.source} to {self.target}: {len(moved)} of {len(self.state_dict)} arrays",
                *_listed(moved),
                "left as they are",
                *_listed(self.kept),
            ]
        )


def port_weights(
    state_dict: Mapping[str, Any],
    config: Any,
    *,
    source: Layout,
    target: Layout,
    fused: Fused | None = None,
    keep: Sequence[str] = (),
) -> Ported:
    """The weights of a model whose heads are in the layout `source`, for code that pairs `target`.

    It reorders what makes queries and keys, in every layer: weights, biases, norms inside heads,
    fused projections, and LoRA's matrices B. Rows of a weight are its outputs, as in PyTorch's
    `nn.Linear`. `config` is one that `Plan` reads. It gives the
    numbers of heads (grouped queries, one head of keys), their widths, the part of a head that
    turns, the layers that turn, and the separate part of latent attention (DeepSeek). Arrays are
    those of NumPy, PyTorch, JAX or MLX; those that stay are not copied.

    `fused` says how queries, keys and values stand in one matrix where the type of the model does
    not: `"blocks"` has all queries, all keys, all values; `"groups"` has the queries that share a
    key, that key, its value. `keep` has patterns such as `"visual.*"` for names of arrays to leave.

    Raises TypeError or ValueError if an argument is none of these, if `source` is `target`, if
    nothing is to be moved, and if an array looks like a part of attention that posenc does not
    know, or does not fit the config; as `Plan.from_dict` does for `config`.

    >>> import numpy as np
    >>> state = {"q_proj.weight": np.arange(8.0), "o_proj.weight": np.eye(8)}
    >>> config = {"model_type": "llama", "hidden_size": 8, "num_attention_heads": 2}
    >>> ported = port_weights(state, config, source="interleaved", target="halves")
    >>> ported.state_dict["q_proj.weight"]
    array([0., 2., 1., 3., 4., 6., 5., 7.])
    >>> print(ported)
    interleaved to halves: 1 of 2 arrays
      q_proj.weight: queries, 2 heads of 4 features
    left as they are
      o_proj.weight
    """
    if not isinstance(state_dict, Mapping) or not all(isinstance(key, str) for key in state_dict):
        rule = "state_dict must map names to arrays"
        raise TypeError(f"{rule}, got {_arguments.shown(state_dict)}")
    for name, layout in (("source", source), ("target", target)):
        _arguments.choice(name, layout, get_args(Layout))
    if source == target:
        raise ValueError(f"target must be another layout than source, got {target!r} for both")
    if fused is not None:
        _arguments.choice("fused", fused, get_args(Fused))
    patterns = _arguments.entries("keep", keep, of="patterns")
    for pattern in patterns:
        if not isinstance(pattern, str):
            raise TypeError(f"keep must hold strings, got {_arguments.shown(pattern)}")
    model = Model.of(config, source, target, fused)
    orders = dict(_orders(state_dict, model, patterns))
    new = {
        key: reordered(value, *orders[key][:2]) if key in orders else value
        for key, value in state_dict.items()
    }
    moved = {key: order.words for key, order in orders.items()}
    return Ported(new, source, target, moved, tuple(key for key in new if key not in orders))


def _orders(
    state_dict: Mapping[str, Any], model: Model, patterns: Sequence[str]
) -> Iterator[tuple[str, Order]]:
    """The arrays that move, with their orders; ValueError if one cannot be placed."""
    found = {key: at for key in state_dict if (at := place(key)) is not None}
    found = {key: at for key, at in found.items() if at.role and model.turns(at.layer)}
    left = {key for key in found if any(fnmatchcase(key, pattern) for pattern in patterns)}
    shapes = {key: _shape(key, state_dict[key]) for key in found.keys() - left}
    found = {key: at for key, at in found.items() if key not in left and prod(shapes[key]) > 1}
    unknown = [key for key, at in found.items() if at.role == "unknown"]
    if unknown:
        rule = "state_dict must hold parts of attention that posenc knows"
        others = f" and {len(unknown) - 1} others" if unknown[1:] else ""
        got = f"{unknown[0]}{others}: name in keep what is to stay"
        raise ValueError(f"{rule}, got {got}")
    stacks = sorted({at.stack for at in found.values()})
    if len(stacks) > 1:
        rule = "state_dict must have one stack of layers, which config is about"
        got = f"{' and '.join(stacks)}: name in keep what is to stay"
        raise ValueError(f"{rule}, got {got}")
    if not found:
        names = _arguments.shown(list(state_dict))
        raise ValueError(f"state_dict must hold queries or keys that turn, got {names}")
    for key, at in found.items():
        yield key, model.order(key, at, shapes[key], model.group(key, at))


def _shape(key: str, value: Any) -> tuple[int, ...]:
    shape = getattr(value, "shape", None)
    if not isinstance(shape, Sequence):
        rule = "state_dict must have an array where the name is that of a part of attention"
        raise TypeError(f"{rule}, got {_arguments.shown(value)} for {key}")
    return tuple(shape)


def _listed(lines: Iterable[str]) -> list[str]:
    """The lines that differ in more than numbers of layers, with how many there are."""
    counts = Counter(re.sub(r"\.\d+\.", ".*.", line) for line in lines)
    return [f"  {line}" if n == 1 else f"  {line} ({n} times)" for line, n in counts.items()]
