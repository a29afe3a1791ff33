"""What `python -m posenc identify` reads from files at the edges of its rules."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

from posenc import _memory
from posenc.reading import _files, _texts, _weights
from tests.test_command import header, upper_halves, weights


def text(tmp_path, content):
    """The table in a text of this content."""
    path = tmp_path / "pe.csv"
    path.write_text(content, "utf-8")
    return _texts.read_text(path).tolist()


def reason(tmp_path, content):
    """Why a text of this content is no table."""
    with pytest.raises(ValueError, match="not a table of numbers") as refusal:
        text(tmp_path, content)
    return str(refusal.value).partition("(")[2].removesuffix(")")


def test_a_first_column_that_counts_is_kept_where_no_line_names_the_columns(tmp_path):
    assert text(tmp_path, "0,5\n1,6\n2,8\n") == [[0, 5], [1, 6], [2, 8]]


def test_a_first_column_that_counts_three_rows_is_an_index_if_the_columns_have_names(tmp_path):
    assert text(tmp_path, "i,a,b\n0,5,6\n1,6,7\n2,8,9\n") == [[5, 6], [6, 7], [8, 9]]
    assert text(tmp_path, "i,a,b\n1,5,6\n2,6,7\n3,8,9\n") == [[5, 6], [6, 7], [8, 9]]
    for first in ("2,5\n3,6\n4,8", "0,5\n1,6\n3,8", "-1,5\n0,6\n1,8"):
        assert len(text(tmp_path, f"i,a\n{first}\n")[0]) == 2


def test_three_numbers_that_count_are_names_and_two_are_values(tmp_path):
    assert text(tmp_path, "0,1,2\n5,6,7\n") == [[5, 6, 7]]
    assert text(tmp_path, "0,1\n5,6\n") == [[0, 1], [5, 6]]


def test_behind_an_empty_corner_two_numbers_that_count_are_names_and_one_is_not(tmp_path):
    assert text(tmp_path, ",0,1\n5,6,7\n") == [[5, 6, 7]]
    assert reason(tmp_path, ",0\n5,6\n") == "line 1 holds '', which is no number"


def test_the_second_line_shows_what_separates_the_values(tmp_path):
    assert text(tmp_path, "a,b\n1;2\n3;4\n") == [[1, 2], [3, 4]]
    assert reason(tmp_path, "1;2\n3;4\n5,6\n") == (
        "line 3 has 1 value, line 1 has 2: the file is cut off"
    )
    assert text(tmp_path, "1;2\n") == [[1, 2]]


def test_between_semicolons_a_comma_is_a_decimal_point_also_in_what_is_quoted(tmp_path):
    assert text(tmp_path, "0,5;1,25\n") == [[0.5, 1.25]]
    assert reason(tmp_path, "0,5;1,25\n0,5;1,2,5\n") == "line 2 holds '1.2.5', which is no number"
    assert text(tmp_path, "1;0,5\n2;0,25\n") == [[1, 0.5], [2, 0.25]]


def test_a_file_is_cut_off_only_if_its_last_line_is_too_short(tmp_path):
    assert reason(tmp_path, "1,2\n3,4\n5\n6,7\n") == "line 3 has 1 value, line 1 has 2"
    assert reason(tmp_path, "1,2\n3,4,5\n") == "line 2 has 3 values, line 1 has 2"
    assert reason(tmp_path, "1,2,3\n4,5,6\n7,8\n") == (
        "line 3 has 2 values, line 1 has 3: the file is cut off"
    )


def test_a_mark_of_the_order_of_bytes_is_no_part_of_the_first_number(tmp_path):
    assert text(tmp_path, "\ufeff1,2\n3,4\n") == [[1, 2], [3, 4]]


def test_what_follows_a_number_sign_is_no_part_of_a_line(tmp_path):
    assert text(tmp_path, "# a, b\n1,2 # 3,4\n  # 5\n6,7\n") == [[1, 2], [6, 7]]


def test_a_bad_cell_of_24_characters_is_quoted_whole(tmp_path):
    for cell, quoted in (("a" * 24, "a" * 24), ("b" * 25, "b" * 24 + "…")):
        assert reason(tmp_path, f"1,2\n3,{cell}\n") == (
            f"line 2 holds {quoted!r}, which is no number"
        )


def test_a_text_needs_room_for_a_value_for_each_two_bytes(tmp_path, monkeypatch):
    path = tmp_path / "pe.csv"
    path.write_text("0,1,0,1\n" * 100)
    path.write_bytes(path.read_bytes()[:-1])
    monkeypatch.setattr(_memory, "_memory", lambda: 8 * 4 * 399)
    assert [table.shape for _, table in _files.tables(path)] == [(100, 4)]


def test_an_array_that_python_prints_is_read_with_all_its_axes(tmp_path):
    table = [[[0.5, -1.0], [1e-3, 2.0]], [[0.0, 1.0], [np.inf, 3.0]]]
    for printed in (
        str(table),
        f"tensor({table}, dtype=torch.float64)",
        f"array({table})",
        repr(np.array(table)),
        f"{np.array(table)}".replace("]", " ]"),
        f"pe = torch.tensor({table}, device='cuda:0', grad_fn=<AddBackward0>)\n",
    ):
        assert text(tmp_path, printed) == table
    assert text(tmp_path, "tensor([0.5, 0.25])") == [0.5, 0.25]


@pytest.mark.parametrize(
    ("printed", "why"),
    [
        ("[[1, 2], [3]]", "the number of columns changed from 2 to 1 at row 2"),
        ("[[1, 2], [3, 4]", "the brackets do not match"),
        ("[[1, 2], [x, 3]]", "row 1 holds 'x', which is no number"),
        ("[", "the brackets do not match"),
        ("[[1], 2]", "the brackets do not match"),
        ("[" * 65 + "1" + "]" * 65, "more than 64 brackets inside each other"),
    ],
)
def test_brackets_that_hold_no_array_say_why(tmp_path, printed, why):
    assert reason(tmp_path, printed) == why


def test_a_text_with_values_left_out_says_how_to_print_all(tmp_path):
    for printed, how in (
        ("tensor([[0., ..., 1.]])", r"torch\.set_printoptions\(threshold=math\.inf\)"),
        ("[[0. ... 1.]]", r"np\.set_printoptions\(threshold=np\.inf\)"),
    ):
        with pytest.raises(ValueError, match=f"stands for values left out.: {how} prints all"):
            text(tmp_path, printed)


def npy(path, shape, data):
    path.write_bytes(header(shape) + data)
    return path


def test_an_array_of_64_axes_is_read_and_one_of_65_is_refused(tmp_path):
    data = np.arange(4.0).tobytes()
    path = npy(tmp_path / "pe.npy", (1,) * 62 + (2, 2), data)
    assert [array.squeeze().tolist() for _, array in _files.tables(path)] == [[[0, 1], [2, 3]]]
    npy(path, (1,) * 63 + (2, 2), data)
    with pytest.raises(ValueError, match=r"^shape must hold at most 64 integers"):
        list(_files.tables(path))


def test_a_header_of_python_2_is_read_without_a_warning(tmp_path):
    data = np.arange(4.0).tobytes()
    path = npy(tmp_path / "pe.npy", (2, 2), data)
    path.write_bytes(path.read_bytes().replace(b"(2, 2)}  ", b"(2L, 2L)}"))
    assert b"2L" in path.read_bytes()
    assert [array.tolist() for _, array in _files.tables(path)] == [[[0, 1], [2, 3]]]


def test_an_array_whose_entries_are_arrays_is_refused_by_its_dtype(tmp_path):
    path = tmp_path / "pe.npy"
    path.write_bytes(header((2,), "@").replace(b"'@'", b"('<f8', (2,))") + bytes(32))
    with pytest.raises(ValueError, match=r"^must hold numbers, got dtype\(\('<f8', \(2,\)\)\)$"):
        list(_files.tables(path))


def test_a_file_of_bfloat16_whose_name_numpy_does_not_save_says_what_to_do(tmp_path):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    path = tmp_path / "pe.npy"
    np.save(path, np.ones((3, 4), ml_dtypes.bfloat16))
    message = (
        r"^holds values without a type, as NumPy saves bfloat16: save array.astype\('float32'\)$"
    )
    with pytest.raises(ValueError, match=message):
        list(_files.tables(path))
    np.savez(path.with_suffix(".npz"), pe=np.ones((3, 4), ml_dtypes.bfloat16))
    with pytest.raises(ValueError, match=r"got none: pe holds values without a type, "):
        list(_files.tables(path.with_suffix(".npz")))


def test_a_file_without_its_last_byte_is_truncated(tmp_path):
    path = npy(tmp_path / "pe.npy", (9, 8), bytes(576))
    assert len(list(_files.tables(path))) == 1
    npy(path, (9, 8), bytes(575))
    with pytest.raises(ValueError, match=r"^truncated: holds 575 of 576 bytes$"):
        list(_files.tables(path))


def test_a_single_number_has_no_axes_and_is_read(tmp_path):
    np.save(tmp_path / "pe.npy", np.float64(3))
    assert [array.tolist() for _, array in _files.tables(tmp_path / "pe.npy")] == [3]


def test_a_file_may_be_half_as_large_as_the_memory(tmp_path, monkeypatch):
    path = npy(tmp_path / "pe.npy", (2,), np.arange(2.0).tobytes())
    size = path.stat().st_size
    monkeypatch.setattr(_memory, "_memory", lambda: 2 * size)
    assert len(list(_files.tables(path))) == 1
    monkeypatch.setattr(_memory, "_memory", lambda: 2 * size - 1)
    with pytest.raises(ValueError, match=r"^larger than this machine's memory .* the file has"):
        list(_files.tables(path))


def test_a_file_may_not_hold_more_than_it_has_room_for(tmp_path, monkeypatch):
    path = npy(tmp_path / "pe.npy", (5, 10), np.arange(50.0).tobytes())
    monkeypatch.setattr(_memory, "_memory", lambda: 8 * 4 * 50)
    assert len(list(_files.tables(path))) == 1
    monkeypatch.setattr(_memory, "_memory", lambda: 8 * 4 * 50 - 1)
    with pytest.raises(ValueError, match=r"^larger than .*: 50 values need about 0 GB$"):
        list(_files.tables(path))


def test_an_archive_may_hold_as_many_arrays_as_the_limit_says(tmp_path, monkeypatch):
    monkeypatch.setattr(_files, "_MOST_ARRAYS", 3)
    np.savez(tmp_path / "pe.npz", *[np.eye(2)] * 3)
    assert len(list(_files.tables(tmp_path / "pe.npz"))) == 3


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError("Invalid data stream"), "^Invalid data stream$"),  # as bz2 says
        (OSError(5, "Input/output error", "/pe.npy"), "^Input/output error$"),
        (MemoryError(), "^the table is larger than this machine's memory$"),
    ],
)
def test_an_error_of_the_system_is_given_in_its_own_words(tmp_path, monkeypatch, error, message):
    def reader(_):
        raise error

    monkeypatch.setitem(_files.READERS, ".npy", reader)
    path = npy(tmp_path / "pe.npy", (2,), bytes(16))
    with pytest.raises(ValueError, match=message):
        list(_files.tables(path))


def test_where_a_system_does_not_say_how_much_memory_it_has_10_gb_are_allowed_and_20_are_not(
    monkeypatch,
):
    def unknown(_):
        raise ValueError

    monkeypatch.setattr(_memory, "os", SimpleNamespace(sysconf=unknown))
    _memory.refuse_bytes(10**10, "")
    with pytest.raises(ValueError, match=r"^larger than this machine's memory of 17 GB: all of it"):
        _memory.refuse_bytes(2 * 10**10, "all of it")


def test_the_memory_is_the_number_of_pages_times_their_size(monkeypatch):
    known = {"SC_PHYS_PAGES": 1000, "SC_PAGE_SIZE": 4096}
    monkeypatch.setattr(_memory, "os", SimpleNamespace(sysconf=known.__getitem__))
    _memory.refuse_bytes(4_096_000, "")
    with pytest.raises(ValueError, match=r"^larger than this machine's memory"):
        _memory.refuse_bytes(4_096_001, "")


# Weights


def test_containers_are_entered_only_while_their_names_are_short(monkeypatch):
    monkeypatch.setattr(_weights, "_LONGEST", 5)
    assert list(_weights._leaves([[[1, [2]]]])) == [("0.0.0", 1)]
    assert list(_weights._leaves([[1, [2]]])) == [("0.0", 1), ("0.1.0", 2)]


def test_leaves_are_named_by_their_keys_in_the_order_of_the_file():
    held = {"a": {"b": 1, "c": [2, 3]}, 4: 5}
    assert list(_weights._leaves(held)) == [("a.b", 1), ("a.c.0", 2), ("a.c.1", 3), ("4", 5)]


def test_the_upper_halves_of_float32_are_the_numbers_of_bfloat16(tmp_path):
    pytest.importorskip("safetensors")
    table = np.array([[1.0, -2.5], [0.15625, 3e38]])
    path = weights(tmp_path / "pe.safetensors", pe=("BF16", upper_halves(table)))
    ((name, found),) = _files.tables(path)
    assert (name, found.dtype) == ("pe", np.float32)
    assert found[0].tolist() == [1, -2.5]
    assert found[1] == pytest.approx(table[1], rel=2**-7)


@dataclass(frozen=True)
class Kind:
    """A dtype of the stand-in for PyTorch."""

    name: str
    is_complex: bool = False
    is_floating_point: bool = False


@dataclass(frozen=True)
class Tensor:
    """A tensor of the stand-in for PyTorch, with what the reader asks of one."""

    values: np.ndarray
    dtype: Kind
    layout: str = "strided"
    is_quantized: bool = False
    repeats: int = 1

    def numel(self):
        return self.values.size * self.repeats

    def detach(self):
        return self

    def resolve_conj(self):
        return self

    def to(self, kind):
        return Tensor(self.values.astype(kind.name), kind)

    def numpy(self):
        assert self.dtype.name != "bfloat16", "NumPy has no such dtype"
        return self.values


KINDS = {
    "bool": Kind("bool"),
    **{name: Kind(name) for name in ("int8", "int64")},
    **{
        name: Kind(name, is_floating_point=True)
        for name in ("float16", "bfloat16", "float32", "float64")
    },
    **{name: Kind(name, is_complex=True) for name in ("complex64", "complex128")},
}


def stand_in(monkeypatch, held):
    """Put `held` into all PyTorch files. Real files are read where PyTorch is installed."""
    asked = []

    def load(path, **options):
        asked.append((path.name, options))
        if isinstance(held, Exception):
            raise held
        return held

    torch = SimpleNamespace(load=load, Tensor=Tensor, strided="strided", **KINDS)
    monkeypatch.setitem(sys.modules, "torch", torch)
    return asked


def read(tmp_path, suffix=".pt"):
    path = tmp_path / f"model{suffix}"
    path.write_bytes(b"x")
    return list(_files.tables(path))


def test_pytorch_is_asked_for_weights_only_and_for_the_memory_of_the_processor(
    tmp_path, monkeypatch
):
    asked = stand_in(monkeypatch, {})
    assert read(tmp_path) == []
    assert asked == [("model.pt", {"map_location": "cpu", "weights_only": True})]


def test_dense_tensors_of_numbers_are_read_with_the_dtypes_that_numpy_has(tmp_path, monkeypatch):
    held = {
        name: Tensor(np.eye(2).astype("f4" if name == "bfloat16" else name), kind)
        for name, kind in KINDS.items()
    }
    stand_in(monkeypatch, {**held, "step": 3, "names": ["a"]})
    found = {name: array.dtype.name for name, array in read(tmp_path)}
    assert found == {
        **{name: name for name in KINDS if name != "bool"},
        "bfloat16": "float32",
    }


def test_sparse_and_quantized_tensors_are_skipped(tmp_path, monkeypatch):
    eye = np.eye(2, dtype=np.int8)
    held = {
        "sparse": Tensor(eye, KINDS["int8"], layout="sparse_coo"),
        "rows": Tensor(eye, KINDS["int8"], layout="sparse_csr"),
        "quantized": Tensor(eye, KINDS["int8"], is_quantized=True),
        "dense": Tensor(eye, KINDS["int8"]),
    }
    stand_in(monkeypatch, held)
    assert [name for name, _ in read(tmp_path)] == ["dense"]


def test_a_tensor_that_repeats_its_numbers_is_refused_before_it_is_read(tmp_path, monkeypatch):
    stand_in(monkeypatch, {"pe": Tensor(np.eye(2), KINDS["float64"], repeats=10**12)})
    with pytest.raises(ValueError, match="larger than this machine's memory"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            "Unsupported global: GLOBAL argparse.Namespace was not allowed",
            r"^holds argparse\.Namespace, which weights_only does not load: save only the tensors",
        ),
        (
            "failed finding central directory: set weights_only=False if you trust the source",
            r"^not a whole PyTorch file of tensors: cut off or damaged$",
        ),
    ],
)
def test_an_error_of_pytorch_says_what_the_file_holds(tmp_path, monkeypatch, error, message):
    stand_in(monkeypatch, RuntimeError(error))
    with pytest.raises(ValueError, match=message):
        read(tmp_path)
