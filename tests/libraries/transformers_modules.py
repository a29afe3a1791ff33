"""What the modules of transformers hold for the default config of each type of model.

A rotary module is made with the config, and an attention module on the meta device, without
weights: their frequencies and the scale of their scores are read off, not the options.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn
from transformers.models.auto.configuration_auto import CONFIG_MAPPING, CONFIG_MAPPING_NAMES

SCALES = ("scaling", "softmax_scale", "scale")


class Modules(NamedTuple):
    """A default config as a dict, and what the modules of its type hold."""

    config: dict[str, Any]
    parts: bool  # whether the config holds others
    frequencies: list[np.ndarray[Any, Any]]
    scales: set[float]


def modules() -> Iterator[tuple[str, Modules]]:
    """Each type of model whose default config can be made."""
    for name in CONFIG_MAPPING_NAMES:
        try:
            made = CONFIG_MAPPING[name]()
        except Exception:  # two types have no valid defaults
            continue
        config = {**made.to_dict(), "model_type": name}
        frequencies, scales = [], set()
        for kind in _classes(made):
            if re.search("Rotary|RoPE|Rope|PositionEmbedding", kind.__name__):
                frequencies += _frequencies(kind, made)
            elif "Attention" in kind.__name__:
                scales |= _scales(kind, made)
        yield name, Modules(config, bool(made.sub_configs), frequencies, scales)


def _classes(made: Any) -> list[type]:
    """The modules of the config's library file that take such a config."""
    path = type(made).__module__.replace("configuration", "modeling")
    try:
        library = importlib.import_module(path)
    except ImportError:
        return []
    found = []
    for kind in vars(library).values():
        if inspect.isclass(kind) and issubclass(kind, nn.Module) and kind.__module__ == path:
            given = inspect.signature(kind.__init__).parameters.get("config")
            if given and re.search(rf"\b{type(made).__name__}\b", str(given.annotation)):
                found.append(kind)
    return found


def _frequencies(kind: type, made: Any) -> list[np.ndarray[Any, Any]]:
    try:
        module = kind(made)
    except Exception:  # it needs more than a config
        return []
    return [
        buffer.double().flatten().numpy()
        for name, buffer in module.named_buffers()
        if "inv_freq" in name and "original" not in name
    ]


def _scales(kind: type, made: Any) -> set[float]:
    found = set()
    for layer in range(8) if "layer_idx" in inspect.signature(kind.__init__).parameters else [None]:
        try:
            with torch.device("meta"):
                module = kind(made) if layer is None else kind(made, layer_idx=layer)
        except Exception:  # it needs more than a config
            continue
        given = next((getattr(module, name) for name in SCALES if hasattr(module, name)), None)
        if isinstance(given, int | float):
            found.add(float(given))
    return found


POSITIONS = re.compile("pos_emb$|position(al)?_embeddings?$|embed_positions$")
KINDS = {"pos_conv_embed": "convolution", "encode_positions": "convolution"}


def kept(name: str) -> set[str]:
    """What the modules of a type keep about positions: fixed or trained rows, or else.

    `distances` are weights for distances, `convolution` one over the inputs.
    """
    made = CONFIG_MAPPING[name]()
    found: set[str] = set()
    for kind in _classes(made):
        if not re.search("(Encoder|Model|Decoder)$", kind.__name__):
            continue
        try:
            with torch.device("meta"):
                model = kind(made)
        except Exception:  # it needs more than a config
            continue
        found |= {_kept(path.split(".")[-1], part) for path, part in model.named_modules()}
        whole = [path for path, _ in model.named_parameters()]
        found |= {"trained" for path in whole if path.endswith("position_embeddings")}
        found |= {"distances" for path in whole if path.endswith("relative_position_bias_table")}
    return found - {""}


def _kept(name: str, part: nn.Module) -> str:
    if name in KINDS:
        return KINDS[name]
    if re.search("distance_embedding|rel_attn_embed|linear_pos$|relative_position_bias", name):
        return "distances"
    if not POSITIONS.search(name):
        return ""
    weights = list(part.parameters(recurse=False))
    if not weights:
        return "fixed" if list(part.buffers(recurse=False)) else ""
    return "trained" if any(weight.requires_grad for weight in weights) else "fixed"
