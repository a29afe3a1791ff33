"""How the transformers of diffusers turn: measured with points that move in one coordinate.

The model is built without weights. Its module of rotary tables is made anew, and asked for the
origin's neighbour in each coordinate: the angle there is a pair's frequency.
"""

from __future__ import annotations

import inspect
import json
from typing import Any

import diffusers
import torch
from diffusers.models.embeddings import apply_rotary_emb, get_2d_rotary_pos_embed

from tests.libraries.transformers_groups import CORPUS, Group, written

PLACES = ("pos_embed", "rope", "rope_embedder", "rotary_emb", "rope_embedding")
STEP = 2.0**-15  # of LTX: its fastest pairs turn by 15,708 radians per unit


def groups(config: dict[str, Any]) -> list[Group]:
    """The one group of all layers."""
    if config["_class_name"] == "HunyuanDiT2DModel":  # its pipeline makes the tables
        grid = get_2d_rotary_pos_embed(config["attention_head_dim"], ((0, 0), (2, 2)), (2, 2))
        return [_group(_of(grid)[[1, 2]])]
    kind = getattr(diffusers, config["_class_name"])
    given = {name: value for name, value in config.items() if not name.startswith("_")}
    if config["_class_name"].startswith("EasyAnimate"):
        given = {
            "in_channels": 16,
            "out_channels": 16,
            **given,
        }  # without defaults, and of no effect
    with torch.device("meta"):
        model = kind.from_config(given)
    found = [getattr(model, place) for place in PLACES if hasattr(model, place)]
    rope = next((part for part in found if "PatchEmbed" not in type(part).__name__), None)
    if rope is None:
        return [{"layers": [], "turn": None}]
    names = list(inspect.signature(type(rope)).parameters)
    rope = type(rope)(**{name: getattr(rope, name) for name in names if hasattr(rope, name)})
    return [_group(_angles(rope))]


def _group(angles: torch.Tensor) -> Group:
    """The group of angles at the origin's neighbours, of shape (coordinate, pair)."""
    still = int((angles != 0).any(0).int().argmax())  # LTX leaves the first features as they are
    angles = angles[:, still:]
    axes = angles.abs().argmax(0)
    frequencies = angles.gather(0, axes[None])[0]
    turn = {
        **({"first": 2 * still} if still else {}),
        "span": 2 * len(frequencies),
        "layout": _layout(),
        "factor": 1.0,
        "frequencies": [float(f"{value:.7g}") for value in frequencies.tolist()],
        "axes": axes.tolist(),
    }
    return {"layers": [], "turn": turn}


def _angles(rope: Any) -> torch.Tensor:
    name = type(rope).__name__
    if name.startswith(("Flux", "RopeEmbedder")):
        count = len(getattr(rope, "axes_dim", getattr(rope, "axes_dims", [])))
        return torch.stack([_of(rope(point[None]))[0] for point in torch.eye(count).long()])
    if name == "QwenEmbedRope":  # without centring
        rope = type(rope)(rope.theta, rope.axes_dim)
        return _at_neighbours(rope([[(2, 2, 2)]], max_txt_seq_len=1)[0])
    if name == "LTXVideoRotaryPosEmbed":
        base = (rope.base_num_frames, rope.base_height, rope.base_width)
        points = (0.5 + STEP * torch.eye(3)) * torch.tensor(base)  # (point, coordinate)
        return _of(rope(torch.zeros(1, 3, 1), video_coords=points.T[None]))[0] / (2 * STEP)
    if "LTX2" in name:
        raise NotImplementedError("its points are means of what a token covers")
    if name.startswith("EasyAnimate"):  # it spreads positions over 30 x 45 tokens
        return _of(rope(torch.zeros(1, 1, 2, 60, 90)))[[30 * 45, 45, 1]]
    size = [2 * n for n in _patch(rope)]
    return _at_neighbours(rope(torch.zeros(1, 1, *size)))


def _at_neighbours(table: Any) -> torch.Tensor:
    """Angles at (1, 0, 0), (0, 1, 0) and (0, 0, 1) of a cube of two tokens a side."""
    angles = _of(table)
    return angles.reshape(8, -1)[[4, 2, 1]]


def _of(table: Any) -> torch.Tensor:
    """The angles of complex numbers, or of cosines and sines that stand twice each."""
    if isinstance(table, tuple):
        return torch.atan2(table[1], table[0]).double()[..., ::2]
    return table.angle().double()


def _patch(rope: Any) -> list[int]:
    patch = rope.patch_size
    return [rope.patch_size_t, patch, patch] if isinstance(patch, int) else list(patch)


def _layout() -> str:
    """The pairs of the function that most models call."""
    first = torch.zeros(1, 1, 1, 8)
    first[..., 0] = 1
    turned = apply_rotary_emb(first, (torch.zeros(1, 8), torch.ones(1, 8)))
    return "interleaved" if turned[..., 1].item() else "halves"


def main() -> None:
    corpus = json.loads((CORPUS / "configs.json").read_text("utf-8"))
    told = json.loads((CORPUS / "answers.json").read_text("utf-8"))
    for name, held in corpus.items():
        if name not in told and hasattr(diffusers, held["config"].get("_class_name", " ")):
            try:
                found = groups(held["config"])
            except (TypeError, ValueError, AttributeError, NotImplementedError) as error:
                print(f"{name}: {type(error).__name__}: {error}")
                continue
            told[name] = {"by": f"diffusers {diffusers.__version__}", "groups": found}
    written(CORPUS / "answers.json", told)


if __name__ == "__main__":
    main()
