"""Positions of tokens as transformers and diffusers number them; writes the committed answers."""

from __future__ import annotations

import json
import random
from pathlib import Path
from types import MethodType, SimpleNamespace
from typing import Any

import torch
from diffusers import Flux2Pipeline, FluxPipeline, ZImageTransformer2DModel
from diffusers.models.embeddings import get_3d_rotary_pos_embed
from diffusers.models.transformers import (
    transformer_hunyuan_video,
    transformer_ltx,
    transformer_lumina2,
    transformer_qwenimage,
    transformer_wan,
)
from diffusers.pipelines.cogvideo.pipeline_cogvideox import get_resize_crop_region_for_grid
from transformers.models.glm4v.modeling_glm4v import Glm4vModel
from transformers.models.qwen2_5_omni.modeling_qwen2_5_omni import (
    Qwen2_5OmniPreTrainedModelForConditionalGeneration as Qwen2_5Omni,
)
from transformers.models.qwen2_5_vl.modeling_qwen2_5_vl import Qwen2_5_VLModel
from transformers.models.qwen2_vl.modeling_qwen2_vl import Qwen2VLModel
from transformers.models.qwen3_vl.modeling_qwen3_vl import Qwen3VLModel

from tests.libraries.axial_models import of_models

Case = dict[str, Any]
ANSWERS = Path(__file__).parents[1] / "data" / "positions" / "answers.json"
MODELS = {
    "Qwen2-VL": Qwen2VLModel,
    "Qwen2.5-VL": Qwen2_5_VLModel,
    "Qwen3-VL": Qwen3VLModel,
    "GLM-4V": Glm4vModel,
}
PER_SECOND = 2  # tokens_per_second of Qwen2.5-VL
DIMS = [4, 6, 6]


def texts(model: str, seed: int) -> list[list[list[Any]]]:
    """Texts of words and patches: kind (0 words, 1 image, 2 video), then its size."""
    draw = random.Random(f"{model} {seed}")
    found = []
    for _ in range(draw.randint(1, 3)):
        parts: list[list[Any]] = [[0, draw.randint(1, 5)]]
        for _ in range(draw.randint(0, 3)):
            kind = draw.choice((1, 2))
            frames = draw.randint(2, 6) if kind == 2 else 1
            rows, columns = 2 * draw.randint(1, 3), 2 * draw.randint(1, 3)
            seconds = draw.choice((0.5, 1.0, 1.3)) if model == "Qwen2.5-VL" else 1.0
            split = kind == 2 and model in ("Qwen3-VL", "GLM-4V")  # a time before each frame
            for _ in range(frames if split else 1):
                parts.append([kind, 1 if split else frames, rows, columns, seconds])
                parts.append([0, draw.randint(1, 4)])
        found.append(parts)
    return found


def mrope(model: str, given: list[list[list[Any]]], padding: str) -> tuple[Any, Any]:
    lengths = [sum(_tokens(part) for part in text) for text in given]
    kinds = torch.zeros(len(given), max(lengths), dtype=torch.int)
    mask = torch.zeros_like(kinds)
    for row, (text, length) in enumerate(zip(given, lengths, strict=True)):
        own = [part[0] for part in text for _ in range(_tokens(part))]
        place = slice(0, length) if padding == "right" else slice(max(lengths) - length, None)
        kinds[row, place], mask[row, place] = torch.tensor(own, dtype=torch.int), 1
    grids: dict[int, list[Any]] = {1: [], 2: []}
    seconds = []
    for part in (part for text in given for part in text if part[0]):
        grids[part[0]].append(part[1:4])
        seconds += [part[4]] if part[0] == 2 else []
    if model in ("Qwen3-VL", "GLM-4V"):  # they get whole videos, and repeat each frame
        seconds = []
    vision = SimpleNamespace(spatial_merge_size=2, tokens_per_second=PER_SECOND)
    self = SimpleNamespace(config=SimpleNamespace(vision_config=vision))
    library = MODELS[model]
    self.get_vision_position_ids = MethodType(library.get_vision_position_ids, self)
    options = {"second_per_grid_ts": torch.tensor(seconds)} if model == "Qwen2.5-VL" else {}
    return library.get_rope_index(
        self,
        input_ids=kinds.long(),
        mm_token_type_ids=kinds,
        image_grid_thw=torch.tensor(grids[1]) if grids[1] else None,
        video_grid_thw=torch.tensor(grids[2]) if grids[2] else None,
        attention_mask=mask,
        **options,
    )


def _tokens(part: list[Any]) -> int:
    return part[1] if part[0] == 0 else part[1] * part[2] * part[3] // 4


def of_transformers() -> list[Case]:
    cases = []
    for model in MODELS:
        for seed in range(6):
            given, padding = texts(model, seed), ("right", "left")[seed % 2]
            ids, deltas = mrope(model, given, padding)
            found = {"ids": ids.tolist(), "deltas": deltas.tolist()}
            cases.append({"model": model, "texts": given, "padding": padding, **found})
    return cases + [omni(seed) for seed in range(6)]


def omni(seed: int) -> Case:
    """A text of Qwen2.5-Omni; the marks before and after an image or a sound are words."""
    draw = random.Random(f"Qwen2.5-Omni {seed}")
    tokens: list[int] = []
    parts: list[list[Any]] = [[0, 0]]
    grids: dict[int, list[Any]] = {1: [], 2: []}
    seconds, sounds = [], []
    for kind in [draw.choice((1, 2, 3)) for _ in range(3)] + [1]:
        words = draw.randint(1, 4)
        parts[-1][1] += words + 1
        if kind == 3:
            frames = draw.randint(8, 30)  # of the sound, which the encoder halves twice
            count = ((frames - 1) // 2 - 1) // 2 + 1
            sounds.append(frames)
            parts[-1][1] += count + 1
            tokens += [9] * words + [5] + [3] * count + [7]
            continue
        size = [1 if kind == 1 else draw.randint(2, 4), 2 * draw.randint(1, 3), 4]
        step = draw.choice((0.5, 1.0, 1.3)) if kind == 2 else 1.0
        grids[kind].append(size)
        seconds += [step] if kind == 2 else []
        tokens += [9] * words + [4] + [kind] * (size[0] * size[1] * size[2] // 4) + [6]
        parts += [[kind, *size, step], [0, 1]]
    names = ("image_token_id", "video_token_id", "audio_token_id", "vision_start_token_id")
    numbers = {name: n for n, name in enumerate((*names, "audio_start_token_id"), 1)}
    rates = {"position_id_per_seconds": PER_SECOND, "seconds_per_chunk": 2}
    self = SimpleNamespace(config=SimpleNamespace(**numbers, **rates), spatial_merge_size=2)
    self.get_llm_pos_ids_for_vision = MethodType(Qwen2_5Omni.get_llm_pos_ids_for_vision, self)
    ids, deltas = Qwen2_5Omni.get_rope_index(
        self,
        torch.tensor([tokens]),
        torch.tensor(grids[1]),
        torch.tensor(grids[2]) if grids[2] else None,
        audio_seqlens=torch.tensor(sounds),
        second_per_grids=torch.tensor(seconds),
    )
    given = {"model": "Qwen2.5-Omni", "texts": [parts], "padding": "right"}
    return given | {"ids": ids.long().tolist(), "deltas": deltas.long().tolist()}


def of_diffusers() -> list[Case]:
    latents = torch.zeros(1, 8, 3, 5)
    ids = FluxPipeline._prepare_latent_image_ids(1, 3, 5, "cpu", torch.float32)
    flux = torch.cat([torch.zeros(4, 3), ids])
    other = [torch.zeros(1, 8, 2, 3), torch.zeros(1, 8, 1, 4)]
    flux2 = torch.cat(
        [
            Flux2Pipeline._prepare_text_ids(torch.zeros(1, 4, 8))[0],
            Flux2Pipeline._prepare_latent_ids(latents)[0],
            Flux2Pipeline._prepare_image_ids(other)[0],
        ]
    )
    with torch.device("meta"):
        model = ZImageTransformer2DModel(n_layers=1, n_refiner_layers=1)
    parts = model.patchify_and_embed([torch.zeros(16, 1, 6, 10)], [torch.zeros(37, 8)], 2, 1)
    words = parts[4][0][: len(parts[1][0])]  # the model cuts off what is beyond the fillers
    z_image = torch.cat([parts[3][0], words])
    references = [[2, 3], [1, 4]]
    return [
        _case("flux", [3, 5], {"text": 4}, ids=flux),
        _case("flux2", [3, 5], {"text": 4, "references": references}, ids=flux2),
        _case("z_image", [3, 5], {"text": 37}, ids=z_image),
        *_tables(),
    ]


def _tables() -> list[Case]:
    lumina = transformer_lumina2.Lumina2RotaryPosEmbed(10_000, DIMS)
    table = lumina(torch.zeros(1, 4, 6, 10), torch.ones(1, 4, dtype=torch.long))[3][0]
    cases = [_case("lumina2", [3, 5], {"text": 4}, table=table)]
    for centred in (True, False):
        qwen = transformer_qwenimage.QwenEmbedRope(10_000, DIMS, scale_rope=centred)
        image, words = qwen([[(1, 3, 5), (1, 4, 2)]], max_txt_seq_len=4)
        options = {"text": 4, "centred": centred}
        table = torch.cat([words, image])
        cases.append(_case("qwen_image", [[[3, 5], [4, 2]]], options, table=table))
    wan = transformer_wan.WanRotaryPosEmbed(16, (1, 2, 2), 16)
    cosine, sine = (part[0, :, 0] for part in wan(torch.zeros(1, 4, 3, 4, 6)))
    table = torch.complex(cosine, sine)[:, ::2]
    cases.append(_case("video", [3, 2, 3], {}, table=table, dims=[wan.t_dim, wan.h_dim, wan.w_dim]))
    hunyuan = transformer_hunyuan_video.HunyuanVideoRotaryPosEmbed(2, 1, DIMS, 256.0)
    cosine, sine = hunyuan(torch.zeros(1, 4, 3, 4, 6))
    table = torch.complex(cosine, sine)[:, ::2]
    cases.append(_case("video", [3, 2, 3], {}, table=table, base=256))
    for rows, columns in ((4, 6), (6, 6), (3, 7)):
        crop = get_resize_crop_region_for_grid((rows, columns), 6, 4)
        cosine, sine = get_3d_rotary_pos_embed(16, crop, (rows, columns), 2)
        table = torch.complex(cosine, sine)[:, ::2]
        arguments = [2, rows, columns]
        options = {"trained": [4, 6]}
        cases.append(_case("cogvideox", arguments, options, table=table, dims=[4, 6, 6]))
    ltx = transformer_ltx.LTXVideoRotaryPosEmbed(12)
    cosine, sine = ltx(
        torch.zeros(1, 18, 4), 3, 2, 3, rope_interpolation_scale=(8 / 24, 32.0, 32.0)
    )
    table = torch.complex(cosine[0], sine[0])[:, ::2]
    cases.append(_case("ltx", [3, 2, 3], {"fps": 24}, table=table, rule="ltx"))
    return cases


def _case(name: str, arguments: list[Any], options: Case, **found: Any) -> Case:
    case: Case = {"function": name, "arguments": arguments, "options": options}
    if "ids" in found:
        return case | {"ids": found["ids"].tolist()}
    table = found.pop("table").to(torch.complex128)
    parts = {"cosine": table.real, "sine": table.imag}
    rows = {
        key: [[round(x, 7) for x in row] for row in part.tolist()] for key, part in parts.items()
    }
    return case | {"dims": DIMS, "base": 10_000, **found} | rows


if __name__ == "__main__":
    ANSWERS.parent.mkdir(exist_ok=True)
    cases = {"transformers": of_transformers(), "diffusers": of_diffusers(), "axial": of_models()}
    lines = [
        f'"{library}": [\n' + ",\n".join(json.dumps(case) for case in held) + "\n]"
        for library, held in cases.items()
    ]
    ANSWERS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
