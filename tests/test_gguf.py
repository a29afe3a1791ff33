"""The header of a GGUF file is read as it was written, and a damaged one gives one error."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from posenc import _memory
from posenc._gguf import read_header, read_tensor
from posenc.reading._files import tables

WRITTEN = {
    "general.architecture": (8, "llama"),
    "llama.rope.freq_base": (6, 500_000.0),
    "llama.rope.dimension_count": (4, 128),
    "llama.rope.scaling.finetuned": (7, True),
    "llama.rope.dimension_sections": (9, (5, [24, 20, 20, 0])),
    "tokenizer.ggml.tokens": (9, (8, ["a", "b"])),
    "tokenizer.ggml.scores": (9, (6, [0.5] * 5000)),
    "nested": (9, (9, [(4, [1]), (8, ["c"])])),
    "negative": (11, -(2**40)),
    "double": (12, 0.1),
}
DEEP = (9, (9, [(9, [(9, [(9, [(9, [(4, [1])])])])])]))
FORMS = {4: "I", 5: "i", 6: "f", 7: "?", 11: "q", 12: "d"}
KEPT = ("tokenizer.ggml.tokens", "tokenizer.ggml.scores", "nested")  # all but these
FACTORS = np.linspace(1, 8, 6, dtype=np.float32).reshape(2, 3)


def gguf(*, version=3, order="<", metadata=WRITTEN, tensors=None, alignment=32, data=True):
    """A file with these tensors: from a name to an array, and the number of its type."""
    wide = "I" if version == 1 else "Q"
    tensors = {"rope_freqs.weight": (FACTORS, 0)} if tensors is None else tensors

    def text(value):
        return struct.pack(order + wide, len(value.encode())) + value.encode()

    def packed(kind, value):
        if kind == 8:
            return text(value)
        if kind == 9:
            inner, values = value
            entries = b"".join(packed(inner, one) for one in values)
            return struct.pack(order + "I" + wide, inner, len(values)) + entries
        return struct.pack(order + FORMS[kind], value)

    out = b"GGUF" + struct.pack(f"{order}I{wide}{wide}", version, len(tensors), len(metadata))
    for key, (kind, value) in metadata.items():
        out += text(key) + struct.pack(order + "I", kind) + packed(kind, value)
    place = 0
    for name, (array, kind) in tensors.items():
        shape = array.shape[::-1]
        out += text(name) + struct.pack(f"{order}I{len(shape)}{wide}", len(shape), *shape)
        out += struct.pack(order + "IQ", kind, place)
        place += -(-array.nbytes // alignment) * alignment
    if data:
        for array, _ in tensors.values():
            out += bytes(-len(out) % alignment)
            out += array.astype(array.dtype.newbyteorder(order)).tobytes()
    return out


def header(tmp_path, content):
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    return path, read_header(path)


@pytest.mark.parametrize(("version", "order"), [(1, "<"), (2, "<"), (3, "<"), (3, ">")])
def test_metadata_and_tensors_are_read_in_each_version_and_order_of_bytes(tmp_path, version, order):
    path, found = header(tmp_path, gguf(version=version, order=order))
    expected = {name: value for name, (_, value) in WRITTEN.items() if name not in KEPT}
    expected["llama.rope.dimension_sections"] = [24, 20, 20, 0]
    assert found.metadata == expected
    assert found.tensors["rope_freqs.weight"].shape == (2, 3)
    np.testing.assert_array_equal(read_tensor(path, found, "rope_freqs.weight"), FACTORS)


def test_tensors_begin_at_multiples_of_the_alignment_and_keep_their_types(tmp_path):
    halves = FACTORS.view(np.uint32) >> 16
    tensors = {
        "half": (halves.astype(np.uint16), 30),
        "double": (FACTORS.astype(np.float64).reshape(1, 1, 1, 1, 1, 1, 2, 3), 28),
        "quantized": (np.zeros(18, np.uint8), 2),
    }
    written = {**WRITTEN, "general.alignment": (4, 64)}
    path, found = header(tmp_path, gguf(metadata=written, tensors=tensors, alignment=64))
    assert [one.place % 64 for one in found.tensors.values()] == [0, 0, 0]
    np.testing.assert_array_equal(read_tensor(path, found, "double")[0, 0, 0, 0, 0, 0], FACTORS)
    assert np.abs(read_tensor(path, found, "half") / FACTORS - 1).max() < 2**-7
    with pytest.raises(ValueError, match=r"^quantized must not be quantized$"):
        read_tensor(path, found, "quantized")


def test_a_file_that_is_cut_off_anywhere_is_refused(tmp_path):
    written = {name: value for name, value in WRITTEN.items() if name != "tokenizer.ggml.scores"}
    whole = gguf(metadata=written, data=False)
    assert header(tmp_path, whole)
    for end in (*range(0, len(whole), 3), len(whole) - 1):
        with pytest.raises(ValueError, match=r"not a (whole )?GGUF file"):
            header(tmp_path, whole[:end])
    path, found = header(tmp_path, gguf()[:-1])
    with pytest.raises(ValueError, match=r"rope_freqs.weight holds 23 of 24 bytes$"):
        read_tensor(path, found, "rope_freqs.weight")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"GGUF" + struct.pack("<IQQ", 4, 0, 0), "version 1, 2 or 3, got version 4"),
        (b"GGUF" + struct.pack("<IQQ", 3, 2**63, 0), "at most 1,000,000 entries, got 9,"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 2**62), "cut off"),
        (gguf(tensors={"w": (np.zeros((1,) * 9), 28)}), "w has 9 axes"),
        (gguf(metadata={"a": DEEP}), "a value of the unknown type 9"),
        (gguf(metadata={"general.alignment": (4, 0)}), "alignment must be positive, got 0"),
        (
            gguf(metadata={"a": (5, 3)}).replace(struct.pack("<I", 5), struct.pack("<I", 77), 1),
            "77",
        ),
    ],
)
def test_a_header_that_no_program_writes_is_refused(tmp_path, content, reason):
    with pytest.raises(ValueError, match=reason):
        header(tmp_path, content)


def test_identify_reads_the_frequencies_that_divisors_give_from_a_model_of_any_size(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(_memory, "_memory", lambda: 4 * 8 * 6)
    path, _ = header(tmp_path, gguf())
    ((name, found),) = tables(path)
    assert name == "rope_freqs.weight with base 500000"
    plain = 500_000.0 ** (-np.arange(6) / 6)
    np.testing.assert_allclose(found, plain / FACTORS.ravel(), rtol=1e-6)
    path, _ = header(tmp_path, gguf(tensors={"w": (FACTORS, 0)}))
    with pytest.raises(ValueError, match=r"^must have one of the tensors rope_freqs, .* 1 others$"):
        list(tables(path))
