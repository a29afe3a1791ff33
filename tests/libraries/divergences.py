"""What programs compute from published files, for tests/data/divergences.

A file is one of a model's config.json. Each program makes its own module or table from it, and the
angles at positions 1, 2, 4, ... tell the frequencies. Nothing is read from names of options. The
files are those that have answers already. What transformers answers stands in tests/data/corpus.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import importlib.metadata
import json
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from posenc.plans import Group, Plan
from tests.libraries.stand_ins import SGLANG, VLLM, stand_ins

DATA = Path(__file__).parents[1] / "data" / "divergences" / "answers.json"
PLACES = 2 ** np.arange(17)
NAMES: dict[str, tuple[str, str | None]] = {  # of the models in litgpt and torchtune
    "Mixtral-8x7B-v0.1": ("Mixtral-8x7B-v0.1", None),
    "published Mistral-7B-Instruct-v0.3": ("Mistral-7B-Instruct-v0.3", None),
    "published Meta-Llama-3-8B": ("Llama-3-8B", "llama3.llama3_8b"),
    "Meta-Llama-3.1-8B": ("Llama-3.1-8B", "llama3_1.llama3_1_8b"),
    "published Llama-3.2-1B-Instruct": ("Llama-3.2-1B-Instruct", "llama3_2.llama3_2_1b"),
    "LLM-Prof Qwen2.5-7B": ("Qwen2.5-7B", "qwen2_5.qwen2_5_7b_base"),
    "Qwen3-8B": ("Qwen3-8B", None),
    "executorch gemma2_2b_it": ("Gemma-2-2b-it", "gemma2.gemma2_2b"),
    "published phi-2": ("phi-2", None),
    "published phi-4": ("phi-4", "phi4.phi4_14b"),
    "executorch phi3.5-mini-instruct": ("Phi-3.5-mini-instruct", None),
}
REST: dict[str, Any] = {  # what a model needs and the stored files leave out, as positions do not
    **{"vocab_size": 8, "intermediate_size": 8, "intermediate_size_mlp": 8, "rms_norm_eps": 1e-6},
    **{"tie_word_embeddings": False, "attention_bias": False, "mlp_only_layers": []},
    **{"interleave_moe_layer_step": 1, "num_local_experts": 8, "num_experts_per_tok": 1},
    **{"topk_method": "noaux_tc", "hidden_act": "silu", "use_qk_norm": True},
}
ENDS = ("rope", "rotary_emb")  # of the modules' names in mlx-lm
Table = Callable[[int], np.ndarray[Any, Any]]  # phasors of a position, one for each pair
Answer = dict[str, Any]


def measured(phasors: Table, longest: int = int(PLACES[-1])) -> Answer:
    """The frequencies, and the factor of cosines and sines, of pairs that turn by less than pi."""
    rates = np.zeros(0)
    for place in (int(p) for p in PLACES if p <= longest):
        turned = phasors(place)
        angles = np.angle(turned)
        if place > 1:
            angles += 2 * np.pi * np.rint((rates * place - angles) / (2 * np.pi))
        rates = angles / place
    factor = float(np.abs(phasors(1)).mean())
    return {"rates": [float(f"{rate:.6g}") for rate in rates], "factor": float(f"{factor:.6g}")}


def probed(turn: Callable[[Any, int], Any], head: int, width: int) -> Table:
    """The phasors of the pairs that `turn`, of an array of one head and its position, turns."""

    def turned(features: slice, place: int) -> np.ndarray[Any, Any]:
        x = np.zeros((1, 1, 1, head), np.float32)
        x[..., features] = 1
        return np.array(turn(x, place)).astype(np.float64).ravel()

    apart = int(np.flatnonzero(turned(slice(0, 1), 1))[1])
    pairs = slice(0, width, 2) if apart == 1 else slice(0, apart)
    others = slice(pairs.start + apart, pairs.stop + apart, pairs.step)
    return lambda place: turned(pairs, place)[pairs] + 1j * turned(pairs, place)[others]


def of_mlx(config: dict[str, Any], groups: list[Group], _names: Any) -> dict[str, Answer]:
    """The modules of mlx-lm's own class, made without weights."""
    import mlx.core as mx
    from mlx_lm.utils import _get_classes

    config = json.loads(json.dumps(config))
    inner = config.get("text_config", config)
    for part in (config, inner):
        for name, value in REST.items():
            part.setdefault(name, value)
    kind, options = _get_classes(config)
    for field in dataclasses.fields(options):
        needed = field.default is dataclasses.MISSING is field.default_factory
        if needed and field.name not in config:
            number = 8 if "int" in str(field.type) else 1e-6
            several = "List" in str(field.type)
            config[field.name] = [0] * config["num_hidden_layers"] if several else number
    model = kind(options.from_dict(config))

    def answer(group: Group) -> Answer:
        first = (group.layers or [0])[0]
        named = [pair for layer in list(model.layers)[first:] for pair in layer.named_modules()]
        ropes = [(len(name), i) for i, (name, _) in enumerate(named) if name.endswith(ENDS)]
        rope, width = named[min(ropes)[1]][1], int(group.rotary_dim or group.head_dim or 0)

        turned = probed(lambda x, at: rope(mx.array(x), offset=at), int(group.head_dim or 0), width)
        return measured(turned)

    return {group.name: answer(group) for group in groups}


def _rows(cosine: Any, sine: Any) -> Table:
    def phasors(place: int) -> np.ndarray[Any, Any]:
        return cosine[place].double().numpy() + 1j * sine[place].double().numpy()

    return phasors


def of_vllm(config: dict[str, Any], _groups: Any, _names: Any) -> dict[str, Answer]:
    """The answer of vLLM's get_rope for the rope_parameters that transformers reads."""
    import torch
    from vllm.model_executor.layers.rotary_embedding import get_rope

    def made(head: int, length: int, given: dict[str, Any]) -> Any:
        rope = get_rope(head, length, rope_parameters=given, dtype=torch.float32)
        if not hasattr(rope, "long_short_cos_sin_cache"):
            return rope.cos_sin_cache
        original = rope.original_max_position_embeddings
        rows = slice(original, None) if rope.use_long_rope else slice(original)
        return rope.long_short_cos_sin_cache[rows]

    return _of_each_set(config, made)


def of_sglang(config: dict[str, Any], _groups: Any, _names: Any) -> dict[str, Answer]:
    """The answer of SGLang's get_rope for the rope_parameters that transformers reads."""
    import torch
    from sglang.srt.layers.rotary_embedding.factory import get_rope

    def made(head: int, length: int, given: dict[str, Any]) -> Any:
        part = given.get("partial_rotary_factor", 1.0)
        numbers = (head, head, length, given["rope_theta"])
        rope = get_rope(
            *numbers, rope_scaling=given, dtype=torch.float32, partial_rotary_factor=part
        )
        if hasattr(rope, "long_short_cos_sin_cache"):
            short = rope.original_max_position_embeddings  # a pass decides; this one is short
            return rope.long_short_cos_sin_cache[:short]
        return rope.cos_sin_cache

    return _of_each_set(config, made)


def _of_each_set(
    config: dict[str, Any], made: Callable[[int, int, dict[str, Any]], Any]
) -> dict[str, Answer]:
    """The answers for the set of parameters of each kind of layers, from its cache."""
    import transformers

    kind_of_config = type(transformers.AutoConfig.for_model(config["model_type"]))
    text = kind_of_config.from_dict(dict(config)).get_text_config(decoder=True)
    sets = text.rope_parameters
    if "rope_theta" in sets or "rope_type" in sets:
        sets = {"": sets}
    found = {}
    for kind, given in sets.items():
        parameters = dict(given)
        latent = getattr(text, "qk_rope_head_dim", None)
        if latent and parameters.get("rope_type", "default") != "default":
            parameters["rope_type"] = "deepseek_yarn"  # as the classes for DeepSeek do
        own = text
        if config["model_type"].startswith("gemma4"):  # the width of a head depends on the layer
            own = text.per_layer_config[kind]
        head = latent or getattr(own, "head_dim", None)
        head = head or text.hidden_size // text.num_attention_heads
        length = min(text.max_position_embeddings, 2 * int(PLACES[-1]))  # the table has its rows
        cache = made(head, length, parameters)
        found[kind] = measured(_rows(*cache.chunk(2, -1)), min(len(cache), length) - 1)
    return found


def of_litgpt(_config: Any, _groups: Any, names: tuple[str | None, ...]) -> dict[str, Answer]:
    """The answer of litgpt's own entry for the model, which is no file."""
    import torch
    from litgpt import GPT, Config

    if names[0] is None:
        raise KeyError
    with torch.device("meta"):
        model = GPT(Config.from_name(names[0], n_layer=1, padded_vocab_size=8))
    cosine, sine = model.rope_cache(device=torch.device("cpu"))
    half = cosine.shape[-1] // 2
    return {"": measured(_rows(cosine[:, :half], sine[:, :half]), len(cosine) - 1)}


def of_torchtune(_config: Any, _groups: Any, names: tuple[str | None, ...]) -> dict[str, Answer]:
    """The encoding in the model that torchtune's builder makes."""
    import torch

    if names[1] is None:
        raise KeyError
    module, name = names[1].split(".")
    with torch.device("meta"):
        model = getattr(importlib.import_module(f"torchtune.models.{module}"), name)()
    rope = model.layers[0].attn.pos_embeddings
    rope.rope_init()

    def turn(x: np.ndarray[Any, Any], place: int) -> Any:
        return rope(torch.tensor(x), input_pos=torch.tensor([[place]]))

    return {"": measured(probed(turn, rope.dim, rope.dim), rope.max_seq_len - 1)}


KERAS = {  # the converter of a file, and the class that it makes
    **{"llama": ("llama3", "Llama3Backbone"), "mistral": ("mistral", "MistralBackbone")},
    **{"mixtral": ("mixtral", "MixtralBackbone"), "qwen2": ("qwen", "QwenBackbone")},
    **{"qwen3": ("qwen3", "Qwen3Backbone"), "gpt_oss": ("gpt_oss", "GptOssBackbone")},
    **{"gemma2": ("gemma", "GemmaBackbone")},
}


def of_keras(config: dict[str, Any], groups: list[Group], _names: Any) -> dict[str, Answer]:
    """The layer that keras-hub makes for the model, as its converter reads the file."""
    import keras_hub
    import transformers

    converter, name = KERAS[config["model_type"]]
    path = f"keras_hub.src.utils.transformers.convert_{converter}"
    whole = type(transformers.AutoConfig.for_model(config["model_type"]))().to_dict()
    whole.pop("rope_parameters", None)  # the file has the older keys
    options = importlib.import_module(path).convert_backbone_config({**whole, **config})
    options |= {"num_layers": 1, "vocabulary_size": 8, "intermediate_dim": 8}
    backbone = getattr(keras_hub.models, name)(**options)
    parts = [part for layer in backbone.layers for part in layer._flatten_layers()]
    rope = next(part for part in parts if "RotaryEmbedding" in type(part).__name__)
    head = int(groups[0].head_dim or 0)

    turned = probed(lambda x, place: rope(x, start_index=place), head, head)
    return {group.name: measured(turned) for group in groups}


PROGRAMS = {
    "vLLM": ("vllm", of_vllm),
    "SGLang": ("sglang", of_sglang),
    "mlx-lm": ("mlx-lm", of_mlx),
    "keras-hub": ("keras-hub", of_keras),
    "litgpt": ("litgpt", of_litgpt),
    "torchtune": ("torchtune", of_torchtune),
}


def answers(files: dict[str, Any]) -> Iterator[tuple[str, str, str, Answer]]:
    """The file, the program, the layers and the answer or the error."""
    for file, held in files.items():
        config = held["config"] | ({"model_type": held["as"]} if "as" in held else {})
        groups = [
            group for group in Plan.from_dict(config) if group.turns and group.name != "vision"
        ]
        for program, (_, run) in PROGRAMS.items():
            try:
                found = run(config, groups, NAMES.get(file, (None, None)))
            except KeyError as error:
                if program in ("keras-hub", "litgpt", "torchtune"):
                    continue
                found = {"": {"refuses": f"KeyError: {error}"}}
            except Exception as error:
                found = {"": {"refuses": f"{type(error).__name__}: {error}"[:200]}}
            for name in (group.name for group in groups):
                key = next((k for k in found if k and k in name), "")
                if name in found or key in found:
                    yield file, program, name, found.get(name) or found[key]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--vllm", required=True, help="the folder of vLLM's wheel, unpacked")
    parser.add_argument("--sglang", required=True, help="the folder of SGLang's wheel, unpacked")
    folders = parser.parse_args()
    importlib.import_module("keras_hub")  # TensorFlow looks for other packages
    stand_ins(folders.vllm, *VLLM)
    stand_ins(folders.sglang, *SGLANG)
    corpus = json.loads((DATA.parents[1] / "corpus" / "configs.json").read_text("utf-8"))
    older = json.loads((DATA.parents[1] / "rotary" / "published.json").read_text("utf-8"))
    corpus |= {f"published {name}": held for name, held in older.items()}
    told: dict[str, Any] = {}
    files = {file: corpus[file] for file in json.loads(DATA.read_text("utf-8"))["answers"]}
    for file, program, name, answer in answers(files):
        told.setdefault(file, {}).setdefault(name, {})[program] = answer
    versions = {}
    for program, (package, _) in PROGRAMS.items():
        known = {"vllm": "0.33.0", "sglang": "0.5.23"}  # wheels that are unpacked, not installed
        versions[program] = known.get(package) or importlib.metadata.version(package)
    lines = [f"{json.dumps(file)}: {json.dumps(held)}" for file, held in told.items()]
    head = f'{{"read": "{date.today()}", "versions": {json.dumps(versions)}, "answers": {{\n'
    DATA.write_text(head + ",\n".join(lines) + "\n}}\n", "utf-8")


if __name__ == "__main__":
    main()
