"""What the command reads from files of every format, and why it refuses others."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import ml_dtypes
import numpy as np
import pytest

from posenc import Rotary, _memory
from tests.test_command import TABLE, header, run, saved


@pytest.fixture
def read(tmp_path, monkeypatch, capsys):
    """A function that gives the arrays that the command reads, or the reason why it refuses."""
    found = {}
    monkeypatch.setattr("posenc.__main__.reports", lambda arrays, *_: found.update(arrays) or [])

    def read(name, content=None):
        found.clear()
        path = tmp_path / name
        if content is not None:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        if run(path, "--all") == 2:
            said = capsys.readouterr().err
            assert said.count("\n") == 1
            return said.removeprefix(f"posenc: {path}: ").removesuffix("\n")
        return dict(found)

    return read


# Texts

TEXTS = {  # a text, and its table or the reason why it is none
    # The first column is an index only below a line of names, from three rows on.
    "0,5\n1,6\n2,8\n": [[0, 5], [1, 6], [2, 8]],
    "i,a,b\n0,5,6\n1,6,7\n2,8,9\n": [[5, 6], [6, 7], [8, 9]],
    "i,a,b\n1,5,6\n2,6,7\n3,8,9\n": [[5, 6], [6, 7], [8, 9]],
    "i,a\n2,5\n3,6\n4,8\n": [[2, 5], [3, 6], [4, 8]],
    "a,b\n0,1\n1,0\n": [[0, 1], [1, 0]],
    # Names may be numbers that count, as pandas writes them.
    "0,1,2\n5,6,7\n": [[5, 6, 7]],
    "0,1\n5,6\n": [[0, 1], [5, 6]],
    ",0\n5,6\n": "line 1 holds '', which is no number",
    # A bad cell does not make the first row a line of names.
    "1,O.5,2\n3,4,5\n": "line 1 holds 'O.5', which is no number",
    "1,0_0,2\n3,4,5\n": "line 1 holds '0_0', which is no number",
    "1,٣,2\n3,4,5\n": "line 1 holds '٣', which is no number",
    f"1,2\n3,{'a' * 24}\n": f"line 2 holds {'a' * 24!r}, which is no number",
    f"1,2\n3,{'b' * 25}\n": f"line 2 holds {'b' * 24 + '…'!r}, which is no number",
    # The second line shows what separates the values; between semicolons, a comma is a point.
    "a,b\n1;2\n3;4\n": [[1, 2], [3, 4]],
    "1\t2\n3\t4\n": [[1, 2], [3, 4]],
    "1   2\n3 4\n": [[1, 2], [3, 4]],
    "1;0,5\n2;0,25\n": [[1, 0.5], [2, 0.25]],
    "0,5;1,25\n0,5;1,2,5\n": "line 2 holds '1.2.5', which is no number",
    "a,b\n\n1;2\n3;4;5\n6;7": "line 4 has 3 values, line 3 has 2",
    "1;2\n3;4\n5,6\n": "line 3 has 1 value, line 1 has 2: the file is cut off",
    "to be\nor not to be\n": "line 2 holds 'or', which is no number",
    "a,b\n": "there are only names",
    "\n\n": "there is no text",
    # Marks of the order of bytes and comments are no part of a line.
    "\ufeff1,2\n3,4\n": [[1, 2], [3, 4]],
    "# a, b\n1,2 # 3,4\n  # 5\n6,7\n": [[1, 2], [6, 7]],
    # Brackets, as Python prints them.
    "tensor([0.5, 0.25])": [0.5, 0.25],
    "[[1, 2], [3]]": "the number of columns changed from 2 to 1 at row 2",
    "[[1, 2], [x, 3]]": "row 1 holds 'x', which is no number",
    "[[1, 2], [3, 4]": "the brackets do not match",
    "[" * 65 + "1" + "]" * 65: "more than 64 brackets inside each other",
}


def test_a_text_is_a_table_or_the_command_says_which_line_is_wrong(read):
    for text, expected in TEXTS.items():
        found = read("pe.csv", text)
        if isinstance(expected, str):
            assert found == f"not a table of numbers ({expected})", text
        else:
            assert found[""].tolist() == expected, text


def test_an_array_that_python_prints_is_read_with_all_its_axes(read):
    table = [[[0.5, -1.0], [1e-3, 2.0]], [[0.0, 1.0], [np.inf, 3.0]]]
    of_torch = f"pe = torch.tensor({table}, device='cuda:0', grad_fn=<AddBackward0>)\n"
    for printed in (repr(np.array(table)), f"{np.array(table)}".replace("]", " ]"), of_torch):
        assert read("pe.txt", printed)[""].tolist() == table
    for printed, how in (
        ("tensor([[0., ..., 1.]])", "torch.set_printoptions(threshold=math.inf)"),
        ("[[0. ... 1.]]", "np.set_printoptions(threshold=np.inf)"),
    ):
        assert read("pe.txt", printed).endswith(f"stands for values left out): {how} prints all")


# Arrays of NumPy

NOT_NUMPY = "not in NumPy's format, or cut off in its header"
TOO_MANY, TOO_LARGE = "shape must hold at most 64 integers of at lea", "larger than this machine's"
WITHOUT_A_TYPE = header((3, 4), "<V2") + bytes(24)
FOUR = np.arange(4.0).tobytes()
NPY = [  # a file, and its values or why it is refused
    (header((1,) * 62 + (2, 2)) + FOUR, [[0, 1], [2, 3]]),
    (header((1,) * 63 + (2, 2)) + FOUR, TOO_MANY),
    (header((2, 2)).replace(b"(2, 2)}  ", b"(2L, 2L)}") + FOUR, [[0, 1], [2, 3]]),  # Python 2
    (header(()) + np.float64(3).tobytes(), 3),
    (header((2,), "@").replace(b"'@'", b"('<f8', (2,))") + bytes(32), "must hold numbers, got dty"),
    (header((9, 8)) + bytes(576), np.zeros((9, 8)).tolist()),
    (header((9, 8)) + bytes(575), "truncated: holds 575 of 576 bytes"),
    (b"these are words\n", NOT_NUMPY),
    (header((2, 2))[:40], NOT_NUMPY),
    (header((2, 2), "|O") + bytes(64), "holds Python objects, not numbers"),
    (WITHOUT_A_TYPE, "holds values without a type, as NumPy saves bfloat16: save array.astype('fl"),
    *((header(shape) + bytes(64), TOO_MANY) for shape in ((-1, 4), (True, 2))),
    *((header(shape), TOO_LARGE) for shape in ((10**7, 10**6), (10**30, 10**30), (2**62, 0))),
]


def test_an_array_is_read_or_its_header_is_refused(tmp_path, read):
    for content, expected in NPY:
        found = read("pe.npy", content)
        if isinstance(expected, str):
            assert found.startswith(expected)
        else:
            assert found[""].squeeze().tolist() == expected
    for version in ((1, 0), (2, 0), (3, 0)):
        with (tmp_path / "pe.npy").open("wb") as file:
            np.lib.format.write_array(file, TABLE, version)
        assert np.array_equal(read("pe.npy")[""], TABLE)


def test_an_archive_gives_its_arrays_of_numbers_or_the_reason_why_there_are_none(tmp_path, read):
    whole, objects, path = header((2, 2)) + FOUR, header((2,), "|O"), tmp_path / "pe.npz"
    none = "must hold an array of numbers, got none: "
    for members, reason in (
        ({"pe.npy": header((10**7, 10**6))}, "pe: larger than this machine's memory"),
        ({"pe.npy": whole[:-4]}, "pe: truncated: holds 28 of 32 bytes"),
        ({"pe.npy": b"words"}, f"pe: {NOT_NUMPY}"),
        ({"readme.txt": b"words"}, f"{none}readme.txt is no .npy"),
        ({"pe.npy": objects}, f"{none}pe holds Python"),
        ({"pe.npy": WITHOUT_A_TYPE}, f"{none}pe holds v"),
        ({f"{i}": b"junk" for i in range(10_001)}, "must hold at most 10,000 arrays, got 10,001"),
    ):
        saved(path, members=members)
        assert read("pe.npz").startswith(reason)
    saved(path, members={"__MACOSX": b"", "a.json": b"{}", "b.npy": objects, "c.npy": whole})
    assert list(read("pe.npz")) == ["c"]
    assert read("pe.npz", path.read_bytes()[:-30]).startswith("not a whole .npz archive")


def test_a_file_may_need_all_of_the_memory_and_not_a_byte_more(tmp_path, read, monkeypatch):
    saved(tmp_path / "pe.npz", **{str(i): np.zeros(1000) for i in range(9)})
    whole, wide, text = header((2,)) + bytes(16), header((5, 10)) + bytes(400), "0,1,0,1\n" * 100
    for name, content, needed, what in (
        ("pe.npy", whole, 2 * len(whole), "the file has 0 GB"),
        ("wide.npy", wide, 8 * 4 * 50, "50 values need about 0 GB"),
        ("pe.csv", text[:-1], 8 * 4 * 399, "399 values need about 0 GB"),
        ("pe.npz", None, 9 * 8128, "the archive unpacks to 0 GB"),
    ):
        monkeypatch.setattr(_memory, "_memory", lambda needed=needed: needed)
        assert isinstance(read(name, content), dict)
        monkeypatch.setattr(_memory, "_memory", lambda needed=needed: needed - 1)
        assert read(name) == f"larger than this machine's memory of 0 GB: {what}"


def test_an_error_of_the_system_is_given_in_its_own_words(read, monkeypatch):
    read("pe.npy", header((2,)) + bytes(16))
    for error, message in (
        (OSError("Invalid data stream"), "Invalid data stream"),  # as bz2 says
        (OSError(5, "Input/output error", "/pe.npy"), "Input/output error"),
        (MemoryError(), "the table is larger than this machine's memory"),
    ):
        monkeypatch.setattr(Path, "open", Mock(side_effect=error))
        assert read("pe.npy") == message


@pytest.mark.parametrize("ending", ["npy", "npz", "csv", "safetensors", "pt"])
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such files")
def test_only_regular_files_are_opened(tmp_path, read, ending):
    folder, pipe, endless = (tmp_path / f"{name}.{ending}" for name in ("folder", "pipe", "zero"))
    folder.mkdir()
    os.mkfifo(pipe)
    endless.symlink_to("/dev/zero")
    for path in (folder, pipe, endless):
        assert read(path.name) == "must be a regular file, not a folder, a pipe or a device"
    loop = tmp_path / f"loop.{ending}"
    loop.symlink_to(loop)
    assert "symbolic link" in read(loop.name)
    assert read(f"lost.{ending}") == "No such file or directory"
    assert read(f"pe.{ending}", b"") == "the file is empty"
    assert read("pe", b"1,2\n").startswith("the name must end in one of .npy, ")


# Weights


def test_a_format_without_its_library_names_it(read, monkeypatch):
    for name, endings in (("torch", "pt pth bin ckpt"), ("safetensors", "safetensors")):
        monkeypatch.setitem(sys.modules, name, None)
        for ending in endings.split():
            assert read(f"pe.{ending}", b"x").startswith(f"a .{ending} file needs {name}")


def test_safetensors_are_read_with_every_type_of_floats_and_integers_or_refused(read):
    save = pytest.importorskip("safetensors.numpy").save
    kinds = ("f8", "f4", "f2", "c8", "i8", "i4", "i2", "i1", "u1")
    held = {kind: (100 * TABLE).astype(kind) for kind in kinds}
    low, scaled = TABLE.astype(ml_dtypes.bfloat16), TABLE.astype(ml_dtypes.float8_e4m3fn)
    found = read("m.safetensors", save({**held, "mask": TABLE > 0, "scaled": scaled, "low": low}))
    assert np.array_equal(found.pop("low"), low.astype("f4"))
    assert found.keys() == held.keys()
    for name, array in found.items():
        assert array.dtype == name
        assert np.array_equal(array, held[name])
    for content in (b"xxxxx", save({"pe": TABLE})[:-10]):
        assert read("m.safetensors", content).startswith("not a whole safetensors file")
    said = read("m.safetensors", save({"pe": scaled}))
    assert said.startswith("holds no tensor of F64, ")
    assert said.endswith(", U8, got pe of F8_E4M3")
    for shape, reason in (([0, 2**62], TOO_LARGE), ([1] * 71 + [0], TOO_MANY)):
        text = json.dumps({"pe": {"dtype": "F32", "shape": shape, "data_offsets": [0, 0]}})
        content = len(text).to_bytes(8, "little") + text.encode()
        assert read("m.safetensors", content).startswith(f"pe: {reason}")


NAMES = ["bool", "int8", "int64", "float16", "bfloat16", "float32", "float64"]
NAMES += ["complex64", "complex128"]
KINDS = {  # dtypes of the stand-in for PyTorch
    name: SimpleNamespace(name=name, is_complex=name[0] == "c", is_floating_point="float" in name)
    for name in NAMES
}


class Tensor(SimpleNamespace):
    """A tensor of the stand-in for PyTorch, with what the reader asks of one."""

    def __init__(self, values, **others):
        usual = {"layout": "strided", "is_quantized": False, "numel": lambda: values.size}
        super().__init__(**usual | {"values": values, "dtype": KINDS[values.dtype.name]} | others)

    def detach(self):
        return self

    resolve_conj = detach

    def to(self, kind):
        return Tensor(self.values.astype(kind.name))

    def numpy(self):
        assert self.dtype.name != "bfloat16", "NumPy has no such dtype"
        return self.values


@pytest.fixture
def loaded(read, monkeypatch):
    """A function that gives what the command reads where PyTorch loads `held` from a file."""

    def loaded(held):
        load = Mock(side_effect=held if isinstance(held, Exception) else [held])
        torch = SimpleNamespace(load=load, Tensor=Tensor, strided="strided", **KINDS)
        monkeypatch.setitem(sys.modules, "torch", torch)
        found = read("model.pt", b"x")
        assert load.call_args.kwargs == {"map_location": "cpu", "weights_only": True}
        return found

    return loaded


EYE = Tensor(np.eye(2, dtype=np.int8))


def nested(inner, times):
    """`inner` in so many lists."""
    for _ in range(times):
        inner = [inner]
    return inner


def test_dense_tensors_of_numbers_are_read_with_the_dtypes_that_numpy_has(loaded):
    held = {
        name: Tensor(np.eye(2).astype("f4" if name == "bfloat16" else name), dtype=kind)
        for name, kind in KINDS.items()
    }
    held["sparse"] = Tensor(EYE.values, layout="sparse_coo")
    held["quantized"] = Tensor(EYE.values, is_quantized=True)
    found = {name: array.dtype.name for name, array in loaded({**held, "step": 3}).items()}
    assert found == {**{name: name for name in NAMES[1:]}, "bfloat16": "float32"}


def test_tensors_are_named_by_their_keys_and_found_however_lists_nest(loaded):
    named = loaded({"a": {"b": EYE, "c": [EYE, EYE]}, 4: EYE})
    assert list(named) == ["a.b", "a.c.0", "a.c.1", "4"]
    loop: list = [EYE]
    loop.append(loop)
    wide: list = []
    for _ in range(60):  # 2**60 ways down
        wide = [wide, wide]
    held = {"a": loop, "b": wide, "c": nested(EYE, 100_000), "d": (EYE,)}
    assert list(loaded(held)) == ["a.0", "d.0"]
    # Names up to 1000 characters are entered.
    assert loaded(nested(EYE, 501))
    assert not loaded(nested(EYE, 502))


def test_an_error_of_pytorch_says_what_the_file_holds(loaded):
    repeated = Tensor(EYE.values, numel=lambda: 10**12)  # strides of 0
    assert "larger than this machine's memory" in loaded({"pe": repeated})
    unknown = RuntimeError("Unsupported global: GLOBAL argparse.Namespace was not allowed")
    assert loaded(unknown).startswith(
        "holds argparse.Namespace, which weights_only does not load: save only the tensors"
    )
    damaged = RuntimeError("failed finding central directory: set weights_only=False if you trust")
    assert loaded(damaged) == "not a whole PyTorch file of tensors: cut off or damaged"


LOADED = []


def noticed():
    """The function that unpickling a `Counted` would call."""
    LOADED.append(1)


class Counted:
    """An object whose unpickling would be noticed."""

    def __reduce__(self):
        return noticed, ()


@pytest.mark.torch
@pytest.mark.parametrize("ending", ["pt", "pth", "bin", "ckpt"])
def test_files_of_pytorch_give_their_tensors_and_nothing_else_is_unpickled(tmp_path, read, ending):
    torch = pytest.importorskip("torch")
    path, table = tmp_path / f"model.{ending}", torch.from_numpy(TABLE)
    phasors = torch.from_numpy(Rotary(64).phasors(np.arange(9)))
    held = {"pe": table[None], "low": table.to(torch.bfloat16), "whole": table.to(torch.int64)}
    torch.save({"epoch": {"module": {**held, "c": phasors}, "step": 3, "names": ["a"]}}, path)
    found = read(path.name)
    assert list(found) == [f"epoch.module.{name}" for name in (*held, "c")]
    rounded = table.to(torch.bfloat16).float().numpy()
    for array, expected in zip(
        found.values(), (TABLE[None], rounded, TABLE.astype(int), phasors.numpy()), strict=True
    ):
        assert np.array_equal(array, expected)
    assert "not a whole PyTorch file" in read(path.name, path.read_bytes()[:-50])
    torch.save({"pe": table, "args": Counted()}, path)
    assert read(path.name).startswith("holds tests.test_command_files.noticed, which weights_only")
    assert LOADED == []
    torch.save({"pe": torch.zeros(1).expand(10**6, 10**6)}, path)
    assert "larger than this machine's memory" in read(path.name)
