"""Where programs compute something else from the same config.json."""

from __future__ import annotations

import math
from collections.abc import Iterator

from posenc.plans._groups import Group
from posenc.plans._notes import Difference
from posenc.plans._reading import Config
from posenc.rotary._bands import YaRN
from posenc.rotary._config import Understood
from posenc.rotary._config_scalings import kind_of

_VLLM = "vllm-project/vllm, vllm/model_executor/layers/rotary_embedding/__init__.py, 07b12f1b"


def differences(
    read: Understood, parameters: Config, kind: str | None, group: Group
) -> Iterator[Difference]:
    """The numbers of one group that programs do not agree on."""
    scaling = group.scaling
    latent = "qk_rope_head_dim" in read.full  # vLLM reads these sets with DeepSeek's code
    if isinstance(scaling, YaRN) and kind_of(parameters) == "yarn" and not latent:
        here = scaling.attention(None)
        plain = 1.0 if scaling.factor <= 1 else 0.1 * math.log(scaling.factor) + 1
        if abs(here - plain) > 1e-9:
            others = (("vLLM", plain, _VLLM),)
            yield Difference("attention factor", here, others, kind)
