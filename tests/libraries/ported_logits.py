"""How far the logits of a small model of transformers move when its weights are ported.

The code of the model is told the other layout by reordering what its rotary function is given
and returns. Then ported weights have to give the same logits, and the others must not.
"""

from __future__ import annotations

import inspect
import sys
from typing import Any

import numpy as np
import torch
from transformers import AutoModel
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from posenc import rotary_row_order
from posenc.rotary import Plan, port_weights

SMALL = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 32}
SMALL |= {"intermediate_size": 64, "max_position_embeddings": 64, "pad_token_id": 0}
SMALL |= {"num_key_value_heads": 2, "moe_intermediate_size": 16, "n_routed_experts": 8}
LATENT = {"q_lora_rank": 24, "kv_lora_rank": 16, "qk_rope_head_dim": 8, "qk_nope_head_dim": 12}
TYPES: dict[str, dict[str, Any]] = {
    **{name: {} for name in ("llama", "phi3", "stablelm", "cohere", "olmo2")},
    **{name: {"head_dim": 16} for name in ("qwen3", "glm4", "gemma3_text")},
    **{name: {"num_key_value_heads": 4} for name in ("gpt_neox", "persimmon")},
    **{name: {**LATENT, "num_key_value_heads": 4} for name in ("deepseek_v3", "sarvam_mla")},
    "falcon": {"new_decoder_architecture": True, "num_kv_heads": 2},
    "qwen3_next": {"head_dim": 16, "layer_types": ["linear_attention", "full_attention"]},
}


def errors(kind: str) -> tuple[float, float]:
    """The largest difference with ported weights and told code, and without telling the code."""
    made = CONFIG_MAPPING[kind](**{**SMALL, **TYPES[kind]}, attn_implementation="eager")
    torch.manual_seed(0)
    model = AutoModel.from_config(made).eval().float()
    with torch.no_grad():
        for weight in model.parameters():
            weight.normal_(float(weight.ndim == 1), 0.3)
    (group,) = {
        (group.layout, group.head_dim, group.rotary_dim)
        for group in Plan.from_dict(made.to_dict())
        if group.turns
    }
    source, head, turned = group
    target = "interleaved" if source == "halves" else "halves"
    ported = port_weights(model.state_dict(), made.to_dict(), source=source, target=target)

    def reordered(x: Any, back: bool) -> Any:
        order = np.arange(x.shape[-1])
        assert len(order) in (head, turned)
        order[:turned] = rotary_row_order(turned, heads=1, source=source, target=target)
        return x[..., np.argsort(order) if back else order]

    def told(turn: Any) -> Any:
        def other(*args: Any, **options: Any) -> Any:
            bound = inspect.signature(turn).bind(*args, **options)
            for name in {"q", "k"} & set(bound.arguments):
                bound.arguments[name] = reordered(bound.arguments[name], back=True)
            return tuple(reordered(x, back=False) for x in turn(*bound.args, **bound.kwargs))

        return other

    library = sys.modules[type(model).__module__]
    functions = {name: f for name, f in vars(library).items() if name.startswith("apply_rotary")}
    tokens = torch.arange(1, 9)[None]
    with torch.no_grad():
        wanted = model(tokens)[0]
        model.load_state_dict(ported.state_dict)
        untold = model(tokens)[0]
        vars(library).update({name: told(f) for name, f in functions.items()})
        found = model(tokens)[0]
    vars(library).update(functions)
    size = wanted.abs().max()
    return float((found - wanted).abs().max() / size), float((untold - wanted).abs().max() / size)
