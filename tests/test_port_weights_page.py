"""docs/port-weights.md: what `convert` does, and what PyTorch says about checkpoints."""

import re
from dataclasses import replace
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from posenc import CONVENTIONS, Rotary, convert, rotary_row_order

PAGE = Path(__file__).parent.parent / "docs" / "port-weights.md"
SOURCES = ("annotated_transformer", "tensor2tensor")  # in the order of the columns
ROW = re.compile(r"^\| (`\w+`(?:, `\w+`)*) \| ([a-z ]+) \| ([a-z ]+) \|$", re.M)
ROWS = {
    name: answers
    for names, *answers in ROW.findall(PAGE.read_text("utf-8"))
    for name in re.findall(r"\w+", names)
}


def answer(source, target, d_model=64):
    """The changes that a port from `source` to `target` needs, in the words of the page."""
    here, there = CONVENTIONS[source], CONVENTIONS[target]
    table = here.table(16, d_model)
    try:
        moved = convert(table, replace(here, start=there.start), there)
    except ValueError as error:
        if "must have the same frequencies" not in str(error):
            raise
        return "carry"
    assert np.allclose(moved, there.encode(here.start + np.arange(16), d_model))
    words = []
    if not np.array_equal(here.columns(d_model), there.columns(d_model)):
        words.append("reorder")
    if (here.amplitude, here.amplitude_power) != (there.amplitude, there.amplitude_power):
        words.append("rescale")
    if here.start != there.start:
        words.append("other rows")
    return " and ".join(words) or "equal"


def test_the_table_of_pairs_says_what_convert_does_and_has_a_row_like_every_library():
    assert len(ROWS) > 15
    for target, answers in ROWS.items():
        assert answers == [answer(source, target) for source in SOURCES], target
    others = CONVENTIONS.keys() - ROWS.keys() - set(SOURCES)
    for name in others:
        assert [answer(source, name) for source in SOURCES] in ROWS.values(), name


@pytest.mark.torch
def test_pytorch_raises_the_messages_that_the_page_quotes():
    torch = pytest.importorskip("torch")
    if not torch.__version__.startswith("2.13"):
        pytest.skip(f"the page quotes PyTorch 2.13, installed is {torch.__version__}")

    def model(length, *, persistent=True, device="cpu"):
        encoder, table = torch.nn.Module(), torch.zeros(length, 1, 512, device=device)
        encoder.register_buffer("pe", table, persistent=persistent)
        return torch.nn.ModuleDict({"pos_encoder": encoder})

    short, long = model(512), model(5000)
    page = PAGE.read_text("utf-8")
    unexpected, mismatch, no_data = re.findall(r"^```text\n(.+?)\n```$", page, re.M | re.S)
    with pytest.raises(RuntimeError, match=re.escape(unexpected)):
        model(512, persistent=False).load_state_dict(short.state_dict())
    with pytest.raises(RuntimeError, match=re.escape(mismatch)):
        short.load_state_dict(long.state_dict(), strict=False)
    with pytest.raises(NotImplementedError, match=re.escape(no_data)):
        model(512, device="meta").to("cpu")
    (remedy,) = re.findall(r'`(state\["pos_encoder\.pe"\] = .+?)`', page)
    state = long.state_dict()
    exec(remedy, {"state": state, "model": short})
    short.load_state_dict(state)


def test_a_cast_to_bfloat16_and_back_rounds_frequencies_as_the_page_says():
    frequencies = Rotary(128, base=500_000).frequencies().astype(np.float32)
    error = np.abs(frequencies.astype(ml_dtypes.bfloat16).astype(np.float32) / frequencies - 1)
    assert f"#> relative error {error.max():.4f}" in PAGE.read_text("utf-8")


def test_the_rotary_order_undoes_itself_only_in_the_narrowest_heads():
    for width in (4, 6, 8, 128):
        order = rotary_row_order(width, heads=1)
        assert np.array_equal(order[order], np.arange(width)) == (width == 4)
