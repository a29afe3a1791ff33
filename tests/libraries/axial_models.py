"""Cosines and sines of vision towers and diffusion models, at the widths that they have."""

from __future__ import annotations

import importlib
from typing import Any

import torch
from diffusers import Flux2Transformer2DModel, QwenImageTransformer2DModel, WanTransformer3DModel
from diffusers.models.transformers.transformer_flux2 import Flux2PosEmbed
from diffusers.models.transformers.transformer_qwenimage import QwenEmbedRope
from diffusers.models.transformers.transformer_wan import WanRotaryPosEmbed
from transformers import DINOv3ViTConfig, VJEPA2Config
from transformers.models.dinov3_vit.modeling_dinov3_vit import DINOv3ViTRopePositionEmbedding
from transformers.models.vjepa2.modeling_vjepa2 import VJEPA2RopeAttention

sam3 = importlib.import_module("transformers.models.sam3.modeling_sam3")  # without torchvision
sam3_config = importlib.import_module("transformers.models.sam3.configuration_sam3")
Case = dict[str, Any]


def of_models() -> list[Case]:
    """For each model some positions, in its coordinates, with the cosine and sine of its pairs."""
    return [_dinov3(), *_sam3(), _flux2(), _qwen_image(), _wan(), _vjepa2()]


def _dinov3() -> Case:
    config = DINOv3ViTConfig(patch_size=16)
    turn = DINOv3ViTRopePositionEmbedding(config).eval()  # training moves the places
    cosine, sine = turn(torch.zeros(1, 3, 32, 48))
    places = [[y, x] for y in (-1 / 2, 1 / 2) for x in (-2 / 3, 0.0, 2 / 3)]
    half = turn.head_dim // 2
    return _case("DINOv3", places, cosine[:, :half], sine[:, :half])


def _sam3() -> list[Case]:
    """A layer that sees the whole image, and one that sees a window."""
    config = sam3_config.Sam3ViTConfig()
    cases = []
    for window in (0, config.window_size):
        places = sam3.Sam3ViTLayer.precompute_positions(config, window)
        cosine, sine = (part[0] for part in sam3.Sam3ViTRotaryEmbedding(config)(places, places))
        own = [0, 1, 73 if window == 0 else 25, len(places) - 1]
        options = {"window": window, "rows": own, "tokens": len(places)}
        cases.append(_case("SAM 3", places[own], cosine[own, ::2], sine[own, ::2]) | options)
    return cases


def _flux2() -> Case:
    with torch.device("meta"):
        model = Flux2Transformer2DModel(num_layers=1, num_single_layers=1)
    turn = Flux2PosEmbed(model.pos_embed.theta, model.pos_embed.axes_dim)
    places = torch.tensor([[0, 0, 0, 511], [0, 3, 5, 0], [10, 63, 2, 0]])
    cosine, sine = turn(places)
    return _case("FLUX.2", places, cosine[:, ::2], sine[:, ::2])


def _qwen_image() -> Case:
    with torch.device("meta"):
        model = QwenImageTransformer2DModel(num_layers=1)
    turn = QwenEmbedRope(10_000, model.pos_embed.axes_dim, model.pos_embed.scale_rope)
    image, words = turn([[(1, 3, 5)]], max_txt_seq_len=2)
    places = [[0, y, x] for y in (-2, -1, 0) for x in (-3, -2, -1, 0, 1)]
    table = torch.cat([image, words])[[0, 7, 14, 15, 16]]
    own = [places[0], places[7], places[14], [2, 2, 2], [3, 3, 3]]
    return _case("Qwen-Image", own, table.real, table.imag)


def _wan() -> Case:
    with torch.device("meta"):
        model = WanTransformer3DModel(num_layers=1)
    turn = WanRotaryPosEmbed(model.rope.attention_head_dim, model.rope.patch_size, 1024)
    cosine, sine = (part[0, :, 0, ::2] for part in turn(torch.zeros(1, 16, 2, 4, 6)))
    places = [[t, y, x] for t in (0, 1) for y in (0, 1) for x in (0, 1, 2)]
    own = [0, 5, 11]
    return _case("Wan", [places[i] for i in own], cosine[own], sine[own])


def _vjepa2() -> Case:
    """A head of rising features, turned; the class keeps no cosines."""
    config = VJEPA2Config()
    attention = VJEPA2RopeAttention(config, config.hidden_size, config.num_attention_heads)
    width, side = attention.attention_head_size, attention.grid_size
    x = (torch.arange(width) / width).expand(1, config.num_attention_heads, 1, -1)
    place = torch.tensor([[2 * side**2 + 3 * side + 1]])  # frame 2, row 3, column 1
    turned = attention.apply_rotary_embeddings(x, attention.get_position_ids(x[0], place))
    return {"model": "V-JEPA 2", "positions": [2, 3, 1], "turned": _rounded(turned[0, 0])[0]}


def _case(model: str, places: Any, cosine: torch.Tensor, sine: torch.Tensor) -> Case:
    found = {"cosine": _rounded(cosine), "sine": _rounded(sine)}
    return {"model": model, "positions": torch.as_tensor(places).tolist(), **found}


def _rounded(table: torch.Tensor) -> list[list[float]]:
    return [[round(x, 7) for x in row] for row in table.double().tolist()]
