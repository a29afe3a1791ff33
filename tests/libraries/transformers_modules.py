"""What the modules of transformers keep about positions, and what those of encoders turn."""

from __future__ import annotations

import importlib
import inspect
import re
from typing import Any

import torch
from torch import nn
from transformers.models.auto.configuration_auto import CONFIG_MAPPING


def classes(made: Any) -> list[type]:
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


POSITIONS = re.compile("pos_emb$|position(al)?_embeddings?$|embed_positions$")
KINDS = {"pos_conv_embed": "convolution", "encode_positions": "convolution"}


def kept(name: str) -> set[str]:
    """What the modules of a type keep about positions: fixed or trained rows, or else.

    `distances` are weights for distances, `convolution` one over the inputs.
    """
    made = CONFIG_MAPPING[name]()
    found: set[str] = set()
    for kind in classes(made):
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


def turned(config: Any, count: int) -> Any:
    """What the module of an encoder turns by one step along each of `count` coordinates."""
    points = torch.eye(count, dtype=torch.long)
    for module in (made for made in classes(config) if "VisionRotary" in made.__name__):
        try:
            cosine, sine = module(config)(torch.zeros(1, 3, 8), points)
        except (AttributeError, IndexError, TypeError, ValueError):
            continue  # it takes the size of a grid
        if cosine.shape[0] == count and not cosine.is_complex():
            return torch.atan2(sine, cosine).numpy()
    return None
