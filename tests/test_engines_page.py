"""docs/engines.md: the numbers under the name of transformers are those of `from_config`."""

from __future__ import annotations

import pytest

from posenc import Rotary
from tests import page_text

CONFIGS = {  # the rows of the table of YaRN's factors
    "f 4": {"factor": 4},
    "f 40, both mscale 1": {"factor": 40, "mscale": 1, "mscale_all_dim": 1},
    "f 40, mscale 0.707, all_dim 0": {"factor": 40, "mscale": 0.707, "mscale_all_dim": 0},
    "f 40, mscale 0.707 only": {"factor": 40, "mscale": 0.707},
    "f 4, attention_factor 1": {"factor": 4, "attention_factor": 1},
    "f 4, attn_factor 0.878": {"factor": 4, "attn_factor": 0.8782488562869419},
}


def test_the_first_column_of_the_table_is_the_attention_factor_of_the_config():
    article = page_text.article(page_text.pages()["engines/index.html"])
    (table,) = article.xpath(".//table[@class='numbers']")
    lines = table.xpath("./tbody/tr")
    assert [line.xpath("string(./th)") for line in lines] == list(CONFIGS)
    for line, own in zip(lines, CONFIGS.values(), strict=True):
        scaling = {"rope_type": "yarn", "original_max_position_embeddings": 4096, **own}
        config = {"model_type": "llama", "head_dim": 64, "rope_theta": 10_000}
        rotary = Rotary.from_config({**config, "rope_scaling": scaling})
        shown = float(line.xpath(".//data/@value")[0])
        assert shown == pytest.approx(rotary.attention_factor(), rel=1e-9)
