"""`python -m posenc identify FILE`: its answers, and its one-line errors."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import zipfile
from types import SimpleNamespace

import numpy as np
import pytest

from posenc import CONVENTIONS, Convention, Rotary, identify, positional_encoding
from posenc.__main__ import main

TABLE = CONVENTIONS["transformers_whisper"].table(20, 16).astype(np.float32)
FOUND = "  Convention(layout='halves', freq_shift=1)\n"


def run(path, *options) -> int:
    return main(["identify", str(path), *options])


def saved(path, **arrays):
    """Save `arrays` in the format of the path's suffix."""
    if path.suffix == ".npz":
        np.savez_compressed(path, **arrays)
    elif path.suffix == ".csv":
        np.savetxt(path, arrays["table"], delimiter=",", fmt="%.9g")
    else:
        np.save(path, arrays["table"])
    return path


@pytest.mark.parametrize("ending", ["npy", "npz", "csv"])
def test_the_command_names_the_convention_of_a_file(tmp_path, capsys, ending):
    assert run(saved(tmp_path / f"pe.{ending}", table=TABLE)) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert FOUND in out
    name = "table" if ending == "npz" else f"pe.{ending}"
    assert out.startswith(f"{name}: 20 x 16, float")
    assert out.count("\n") <= 5


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_every_version_of_numpys_format_is_read(tmp_path, capsys, version):
    with (tmp_path / "pe.npy").open("wb") as file:
        np.lib.format.write_array(file, TABLE, version)
    assert run(tmp_path / "pe.npy") == 0
    assert FOUND in capsys.readouterr().out


def test_the_command_runs_as_a_module(tmp_path):
    path = saved(tmp_path / "pe.npy", table=Convention(base=1e8).table(20, 16))
    command = [sys.executable, "-W", "error", "-m", "posenc", "identify", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "Convention(base=100000000)" in done.stdout
    assert "the exponent is doubled" in done.stdout


def test_without_a_command_the_program_shows_examples_of_each(capsys):
    assert main([]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    for command in ("config config.json", "identify model.safetensors"):
        assert f"python -m posenc {command}" in err


def test_an_unknown_table_exits_with_1(tmp_path, capsys):
    noise = np.random.default_rng(0).standard_normal((9, 8))
    path = saved(tmp_path / "pe.npy", table=noise)
    assert run(path) == 1
    assert capsys.readouterr().out.splitlines() == [
        "pe.npy: 9 x 8, float64: "
        "no known encoding makes this table to within 0.001 of its amplitude",
        '  see the section "If nothing fits" of the page "Which encoding is this?"',
    ]
    assert run(path, "--tolerance", "0.999") == 1


def test_every_table_of_an_archive_is_reported_and_other_arrays_are_skipped(tmp_path, capsys):
    arrays = {"pe": TABLE[np.newaxis], "bias": np.zeros(3), "noise": np.eye(5), "rope": TABLE[3:]}
    path = saved(tmp_path / "model.npz", **arrays)
    assert run(path) == 0
    out = capsys.readouterr().out
    assert [line.partition(":")[0] for line in out.splitlines() if line[0] != " "] == ["pe", "rope"]
    assert "start=3" in out
    assert run(path, "--all") == 0
    assert "noise: 5 x 5" in capsys.readouterr().out


NUMBERS = [str(i) for i in range(16)]
FRAMES = {  # how pandas writes names and index: the first line, and the first column
    "names": ([f"c{i}" for i in range(16)], None),
    "numbers for names": (NUMBERS, None),
    "numbers for names, and an index": (["", *NUMBERS], 0),
    "names, and an index from 1": (["", *(f"c{i}" for i in range(16))], 1),
    "names, and an index with a name": (["p", *(f"c{i}" for i in range(16))], 0),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_names_and_index_as_pandas_writes_them_are_left_out(tmp_path, capsys, kind):
    names, first = FRAMES[kind]
    index = [] if first is None else [np.arange(first, first + len(TABLE))]
    path = saved(tmp_path / "pe.csv", table=np.column_stack([*index, TABLE]))
    path.write_text(",".join(names) + "\n" + path.read_text())
    assert run(path) == 0
    assert capsys.readouterr().out.startswith("pe.csv: 20 x 16")


@pytest.mark.parametrize(
    ("column", "cell"), [(2, ""), (2, "O.5"), (0, "O"), (15, "x"), (2, "0_0"), (2, "٣")]
)
def test_a_bad_cell_in_the_first_row_does_not_make_it_a_line_of_names(
    tmp_path, capsys, column, cell
):
    path = saved(tmp_path / "pe.csv", table=TABLE)
    first, *others = path.read_text().splitlines()
    cells = first.split(",")
    cells[column] = cell
    path.write_text("\n".join([",".join(cells), *others]))
    assert run(path) == 2
    assert f"line 1 holds {cell!r}, which is no number" in capsys.readouterr().err


def test_a_first_row_of_0_and_1_is_no_line_of_names(tmp_path, capsys):
    path = tmp_path / "pe.csv"
    np.savetxt(path, positional_encoding(20, 2), fmt="%g", delimiter=",")
    assert path.read_text().startswith("0,1\n")
    assert run(path, "--tolerance", "1e-5") == 0
    assert "20 x 2" in capsys.readouterr().out


def test_a_long_bad_cell_is_quoted_in_part(tmp_path, capsys):
    path = saved(tmp_path / "pe.csv", table=TABLE)
    path.write_text(path.read_text() + "a" * 25 + ",0" * 15 + "\n")
    assert run(path) == 2
    assert f"line 21 holds '{'a' * 24}…', which is no number" in capsys.readouterr().err


def test_a_table_of_integers_is_looked_at_where_a_file_has_nothing_else(tmp_path, capsys):
    quantised = np.rint(127 * TABLE).astype(np.int8)
    assert run(saved(tmp_path / "pe.npy", table=quantised), "--tolerance", "0.01") == 0
    assert "pe.npy: 20 x 16, int8" in capsys.readouterr().out
    positions = {"positions": np.arange(40).reshape(2, 20), "ids": np.array([[0, 1, 2]] * 2)}
    assert run(saved(tmp_path / "more.npz", table=TABLE, **positions), "--all") == 0
    out = capsys.readouterr().out
    assert "table: 20 x 16" in out
    assert not any(f"{name}: " in out for name in positions)
    fine = np.rint(10_000 * TABLE).astype(np.int32)
    assert run(saved(tmp_path / "whole.npz", **positions, fine=fine, coarse=quantised)) == 0
    out = capsys.readouterr().out
    assert out.startswith("fine: 20 x 16, int32: as in ")


@pytest.mark.skipif(os.name == "nt", reason="a shell of Windows closes no stream")
def test_the_code_is_2_where_a_stream_is_closed_or_full(tmp_path):
    path = saved(tmp_path / "pe.npy", table=TABLE)
    lost = tmp_path / "lost.npy"
    for file, streams in ((path, ">&-"), (path, ">&- 2>&-"), (lost, "2>&-"), (lost, "2>/dev/full")):
        command = f"'{sys.executable}' -m posenc identify '{file}' {streams}"
        done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
        closed = file == path and "2>" not in streams
        said = "posenc: the answer cannot be written: there is no output\n" if closed else ""
        assert (done.returncode, done.stdout, done.stderr) == (2, "", said), streams


def header(shape, descr="<f8") -> bytes:
    text = str({"descr": descr, "fortran_order": False, "shape": shape})
    text += " " * (117 - len(text)) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


def zipped(path, name, content):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(name, content)


BAD = {  # file name: its content and the expected message
    "rank1.npy": (header((2,)) + bytes(16), r"table must have two axes, .* got shape \(2,\)"),
    "rank3.npy": (
        header((3, 5, 7)) + np.arange(105.0).tobytes(),
        r"two axes, .* got shape \(3, 5, 7\)",
    ),
    "complex3.npy": (
        header((2, 3, 4), "<c16") + np.ones(24, "c16").tobytes(),
        r"two axes, .* got shape \(2, 3, 4\)",
    ),
    "no_rows.npy": (header((0, 4)), r"at least one row .* got shape \(0, 4\)"),
    "one_column.npy": (header((4, 1)) + bytes(32), r"two columns, got shape \(4, 1\)"),
    "nan.npy": (header((1, 2)) + np.array([1, np.nan]).tobytes(), "got nan at row 0, column 1"),
    "inf.csv": (b"1,2\n3,inf\n", "table must be finite, got inf at row 1, column 1"),
    "strings.npy": (header((2, 2), "<U3") + bytes(48), "must hold real numbers"),
    "objects.npy": (header((2, 2), "|O") + bytes(64), "holds Python objects, not numbers"),
    "text.npy": (b"these are words\n", "not in NumPy's format, or cut off in its header"),
    "text.csv": (b"to be\nor not to be\n", "line 2 holds 'or', which is no number"),
    "underscore.csv": (b"1,2\n3,1_000\n", "line 2 holds '1_000', which is no number"),
    "cut.csv": (b"1,2\n3,4\n5\n", "line 3 has 1 value, line 1 has 2: the file is cut off"),
    "ragged.csv": (b"a,b\n\n1;2\n3;4;5\n6;7", "line 4 has 3 values, line 3 has 2"),
    "names.csv": (b"a,b\n", "there are only names"),
    "binary.csv": (b"\xff\xfe\x00", "not a table of numbers"),
    "empty.npy": (b"", "the file is empty"),
    "empty.npz": (b"", "the file is empty"),
    "empty.csv": (b"", "the file is empty"),
    "blank.csv": (b"\n\n", "not a table of numbers"),
    "axes.npy": (header((1,) * 65) + bytes(8), "at most 64 integers of at least 0, got "),
    "negative.npy": (header((-1, 4)) + bytes(64), r"integers of at least 0, got \(-1, 4\)"),
    "header.npy": (header((2, 2))[:40], "cut off in its header"),
    "cut.npy": (header((9, 8)) + bytes(100), "truncated: holds 100 of 576 bytes"),
    "large.npy": (header((10**7, 10**6)), "larger than this machine's memory of .* GB: "),
    "huge.npy": (header((10**30, 10**30)), "larger than this machine's memory of .* GB: "),
    "text.npz": (b"these are words\n", "not a whole .npz archive"),
    "pe.doc": (b"1,2\n", r"the name must end in one of \.npy, "),
    "pe": (b"1,2\n", r"the name must end in one of \.npy, "),
}


def refused(path, capsys, message) -> None:
    import re

    assert run(path) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith(f"posenc: {path}: ")
    assert re.search(message, err), err


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_prints_one_line_and_exits_with_2(tmp_path, capsys, name):
    content, message = BAD[name]
    (tmp_path / name).write_bytes(content)
    refused(tmp_path / name, capsys, message)


def test_a_bad_archive_prints_one_line_and_exits_with_2(tmp_path, capsys):
    path = tmp_path / "pe.npz"
    for name, content, message in (
        ("pe.npy", BAD["large.npy"][0], "larger than this machine's memory"),
        ("pe.npy", BAD["cut.npy"][0], "truncated: holds 100 of 576 bytes"),
        ("pe.npy", b"words", r"pe: not in NumPy's format"),
        ("readme.txt", b"words", r"an array of numbers, got none: readme\.txt is no \.npy file$"),
        ("pe.npy", header((2,), "|O"), "got none: pe holds Python objects, not numbers$"),
    ):
        zipped(path, name, content)
        refused(path, capsys, message)
    with zipfile.ZipFile(path, "w"):
        pass
    refused(path, capsys, "table must have two axes, got no array")
    saved(path, table=TABLE)
    path.write_bytes(path.read_bytes()[:-30])
    refused(path, capsys, "not a whole .npz archive")


def test_members_of_an_archive_that_are_no_numbers_do_not_hide_a_table(tmp_path, capsys):
    path = tmp_path / "pe.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("__MACOSX/", b"")
        archive.writestr("config.json", b"{}")
        archive.writestr("config.npy", header((2,), "|O"))
        archive.write(saved(tmp_path / "pe.npy", table=TABLE), "pe.npy")
    assert run(path) == 0
    out, err = capsys.readouterr()
    assert out.startswith("pe: 20 x 16, float32: as in ")
    assert err == ""


def test_damaged_data_in_an_archive_prints_one_line(tmp_path, capsys):
    path = saved(tmp_path / "pe.npz", table=np.random.default_rng(0).random((30, 30)))
    content = bytearray(path.read_bytes())
    for i in range(len(content) // 2, len(content) // 2 + 40):
        content[i] ^= 0x55
    path.write_bytes(bytes(content))
    refused(path, capsys, "not a whole .npz archive")


def test_a_missing_file_prints_one_line(tmp_path, capsys):
    refused(tmp_path / "pe.npy", capsys, "No such file or directory")
    (tmp_path / "folder.npy").mkdir()
    refused(tmp_path / "folder.npy", capsys, "must be a regular file")


def test_an_invalid_tolerance_prints_one_line(tmp_path, capsys):
    path = saved(tmp_path / "pe.npy", table=TABLE)
    assert run(path, "--tolerance", "-1") == 2
    complaint = "posenc: tolerance must be finite and greater than 0, got -1.0\n"
    assert capsys.readouterr().err == complaint
    assert run(tmp_path / "missing.npy", "--tolerance", "1") == 2
    assert capsys.readouterr().err == "posenc: tolerance must be less than 1, got 1.0\n"


@pytest.mark.parametrize("ending", ["pt", "pth", "bin", "ckpt", "safetensors"])
def test_a_format_without_its_library_prints_one_line(tmp_path, capsys, monkeypatch, ending):
    for name in ("torch", "safetensors"):
        monkeypatch.setitem(sys.modules, name, None)
    path = tmp_path / f"pe.{ending}"
    path.write_bytes(b"x")
    refused(path, capsys, f"a .{ending} file needs (torch|safetensors.*), not installed here")


def weights(path, **tensors):
    """Write a safetensors file of arrays and their dtypes, as its specification says."""
    header, content = {}, b""
    for name, (dtype, array) in tensors.items():
        span = [len(content), len(content) + array.nbytes]
        header[name] = {"dtype": dtype, "shape": array.shape, "data_offsets": span}
        content += array.tobytes()
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + content)
    return path


def upper_halves(array):
    """Bits of bfloat16, truncated instead of rounded: the upper half of each float32."""
    return (array.astype("<f4").view("<u4") >> 16).astype("<u2")


def test_a_safetensors_file_is_read_with_every_float_type(tmp_path, capsys):
    numpy = pytest.importorskip("safetensors.numpy")
    path = tmp_path / "model.safetensors"
    for dtype in ("f2", "f4", "f8"):
        numpy.save_file({"encoder.pe": TABLE.astype(dtype)[np.newaxis]}, path)
        assert run(path) == 0
        out = capsys.readouterr().out
        assert out.startswith(f"encoder.pe: 20 x 16, {np.dtype(dtype)}: as in ")
        assert FOUND in out
    weights(path, pe=("BF16", upper_halves(TABLE)))
    assert run(path, "--tolerance", "0.001") == 1  # cut to 8 bits, it differs by up to 2 ** -7
    capsys.readouterr()
    assert run(path) == 0
    out = capsys.readouterr().out
    assert FOUND in out
    assert f"difference {np.abs(TABLE - cut(TABLE)).max():.1e}" in out


def cut(table):
    return (upper_halves(table).astype("<u4") << 16).view("<f4")


def test_masks_and_other_tensors_beside_a_table_are_skipped(tmp_path, capsys):
    path = weights(
        tmp_path / "model.safetensors",
        mask=("F32", np.triu(np.full((8, 8), -np.inf, "<f4"), 1)),
        allowed=("BOOL", np.ones((8, 8), bool)),
        steps=("I64", np.arange(6).reshape(2, 3)),
        scaled=("F8_E4M3", np.zeros((4, 4), "u1")),
        pe=("F32", TABLE),
    )
    pytest.importorskip("safetensors")
    assert run(path) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line[0] != " "]
    assert [line.partition(": as")[0] for line in lines] == ["pe: 20 x 16, float32"]
    weights(path, mask=("F32", np.full((8, 8), -np.inf, "<f4")))
    refused(path, capsys, "table must be finite, got -inf at row 0, column 0")
    weights(path, steps=("I64", np.arange(6).reshape(2, 3)))
    assert run(path) == 1  # nothing else is there


def test_a_safetensors_file_without_a_tensor_that_can_be_read_is_refused(tmp_path, capsys):
    pytest.importorskip("safetensors")
    path = weights(tmp_path / "pe.safetensors", scaled=("F8_E4M3", np.zeros((4, 4), "u1")))
    refused(path, capsys, "holds no tensor of F64, .*, U8, got scaled of F8_E4M3$")
    for shape, message in (
        ((0, 2**62), "pe: larger than this machine's memory"),
        ((1,) * 72, r"pe: shape must hold at most 64 integers of at least 0, got \["),
    ):
        data = bytes(4 * math.prod(shape))
        stored = SimpleNamespace(shape=shape, nbytes=len(data), tobytes=lambda data=data: data)
        weights(path, pe=("F32", stored))
        refused(path, capsys, message)


def test_a_truncated_safetensors_file_prints_one_line(tmp_path, capsys):
    pytest.importorskip("safetensors")
    path = weights(tmp_path / "model.safetensors", pe=("F32", TABLE))
    for length in (5, 40, path.stat().st_size - 10):
        path.write_bytes(path.read_bytes()[:length] if length > 40 else b"x" * length)
        refused(path, capsys, "not a whole safetensors file")


def test_a_first_column_of_one_row_is_not_an_index(tmp_path, capsys):
    (tmp_path / "pe.csv").write_text("a,b,c,d\n0,1,0,1\n")
    assert run(tmp_path / "pe.csv") == 1
    assert "1 x 4, float64: one row cannot decide" in capsys.readouterr().out


def test_a_first_column_of_two_rows_is_not_an_index(tmp_path, capsys):
    (tmp_path / "pe.csv").write_text("a,b,c,d\n0,1,0,1\n1,0,1,0\n")
    run(tmp_path / "pe.csv")
    assert capsys.readouterr().out.startswith("pe.csv: 2 x 4, float64")


@pytest.mark.torch
@pytest.mark.parametrize("ending", ["pt", "pth"])
def test_a_pytorch_file_is_read_by_pytorch(tmp_path, capsys, ending):
    torch = pytest.importorskip("torch")
    path = tmp_path / f"model.{ending}"
    table = torch.from_numpy(TABLE)
    state = {"encoder.pe": table[None], "steps": torch.tensor(3), "bias": torch.zeros(16)}
    torch.save(state, path)
    assert run(path) == 0
    assert FOUND in capsys.readouterr().out
    path.write_bytes(path.read_bytes()[:-50])
    refused(path, capsys, "not a whole PyTorch file of tensors")


@pytest.mark.torch
def test_bfloat16_of_pytorch_is_read_like_its_float32_values(tmp_path, capsys):
    torch = pytest.importorskip("torch")
    rounded = torch.from_numpy(TABLE).to(torch.bfloat16)
    path = tmp_path / "model.pth"
    torch.save({"pe": rounded}, path)
    assert run(path) == 0
    out = capsys.readouterr().out
    assert FOUND in out
    assert f"difference {np.abs(TABLE - rounded.float().numpy()).max():.1e}" in out
    assert run(path, "--tolerance", "0.001") == 1  # 8 bits: more than 0.001 away


@pytest.mark.torch
@pytest.mark.parametrize("ending", ["pt", "bin", "ckpt"])
@pytest.mark.parametrize("keys", [["state_dict"], ["model"], ["epoch", "module", "encoder"]])
def test_a_table_deep_in_a_checkpoint_is_found(tmp_path, capsys, ending, keys):
    torch = pytest.importorskip("torch")
    held = {"pe": torch.from_numpy(TABLE)[None], "bias": torch.zeros(16)}
    for key in reversed(keys):
        held = {key: held, "step": 3, "names": ["a"]}
    path = tmp_path / f"model.{ending}"
    torch.save(held, path)
    assert run(path) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{'.'.join(keys)}.pe: 20 x 16, float32: ")
    assert FOUND in out


@pytest.mark.torch
def test_a_complex_cache_of_pytorch_is_recognised(tmp_path, capsys):
    torch = pytest.importorskip("torch")
    path = tmp_path / "rope.pt"
    torch.save({"freqs_cis": torch.from_numpy(Rotary(64).phasors(np.arange(99)))}, path)
    assert run(path) == 0
    assert "a rotary cache: cosines and sines, each pair once" in capsys.readouterr().out


LOADED = []


def noticed():
    """The function that unpickling a `Counted` would call."""
    LOADED.append(1)


class Counted:
    """An object whose unpickling would be noticed."""

    def __reduce__(self):
        return noticed, ()


@pytest.mark.torch
def test_integers_of_pytorch_are_read_too(tmp_path, capsys):
    torch = pytest.importorskip("torch")
    path = tmp_path / "model.pt"
    torch.save({"pe": torch.from_numpy(Convention().table(20, 16)).to(torch.int64)}, path)
    assert run(path) == 1
    assert "19 of 20 rows hold only zeros" in capsys.readouterr().out


@pytest.mark.torch
def test_nothing_but_weights_is_unpickled(tmp_path, capsys):
    torch = pytest.importorskip("torch")
    path = tmp_path / "model.pt"
    torch.save({"pe": torch.from_numpy(TABLE), "args": Counted()}, path)
    refused(path, capsys, "holds tests.test_command.noticed, which weights_only does not load")
    assert LOADED == []


def test_a_table_of_complex_numbers_is_a_rotary_cache(tmp_path, capsys):
    path = tmp_path / "freqs.npy"
    np.save(path, Rotary(64, base=500_000).phasors(np.arange(99)).astype(np.complex64))
    assert run(path) == 0
    assert capsys.readouterr().out.splitlines() == [
        "freqs.npy: 99 x 32, complex64: "
        "a rotary cache: cosines and sines, each pair once, base 500,000",
        "  RotaryCache(rotary=Rotary(64, base=500000), part='both')",
        "  largest difference 3.0e-08 of the amplitude, 99 rows compared",
    ]


def test_cosines_and_sines_of_one_archive_are_taken_together(tmp_path, capsys):
    cosines, sines = Rotary(64).cosine_sine(np.arange(99))
    path = saved(tmp_path / "rope.npz", cos_cached=cosines, sin_cached=sines, sine=TABLE)
    assert run(path) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("cos_cached and sin_cached: 99 x 32, float64: a rotary cache")
    assert any(line.startswith("sine: 20 x 16") for line in lines)


@pytest.mark.parametrize(
    ("cosines", "sines"),
    [
        ("single.cos", "single.sin"),
        ("preprocessing.cos_cached", "preprocessing.sin_cached"),
        ("cosine_single", "sine_single"),
        ("model.cosin.cos", "model.cosin.sin"),
    ],
)
def test_other_words_with_cos_or_sin_in_a_name_do_not_matter(tmp_path, capsys, cosines, sines):
    cache = Rotary(64).cosine_sine(np.arange(99))
    held = dict(zip((cosines, sines), cache, strict=True))
    for names in ((cosines, sines), (sines, cosines)):
        arrays = {name: held[name] for name in names}
        assert run(saved(tmp_path / "rope.npz", w=np.eye(7), **arrays)) == 0
        first = f"{names[0]} and {names[1]}: 99 x 32, float64: a rotary cache"
        assert first in capsys.readouterr().out
        found, wanted = identify(arrays), identify(dict(zip(("cos", "sin"), cache, strict=True)))
        assert found.matches == wanted.matches


def test_arrays_whose_names_pair_with_no_other_are_all_reported(tmp_path, capsys):
    assert run(saved(tmp_path / "all.npz", cos=TABLE, cosin=TABLE)) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("  ")]
    assert [line.partition(":")[0] for line in lines] == ["cos", "cosin"]


@pytest.mark.parametrize("names", [("cos_missing", "sin_cosmetic"), ("a", "b"), ("cos", "cosine")])
def test_names_that_do_not_say_which_has_the_cosines_are_refused(names):
    arrays = dict(zip(names, Rotary(32).cosine_sine(np.arange(40)), strict=True))
    with pytest.raises(ValueError, match="must have one array of cosines and one of sines, got"):
        identify(arrays)


def test_a_cache_of_one_row_raises_no_warning():
    cosines, sines = Rotary(32).cosine_sine([7])
    with np.errstate(all="raise"):
        identify({"cos": cosines, "sin": sines})


@pytest.mark.parametrize("mark", [" ", "\t", ";", ",", "   "])
@pytest.mark.parametrize("ending", ["csv", "txt", "tsv"])
def test_a_text_may_have_any_separator(tmp_path, capsys, mark, ending):
    path = tmp_path / f"pe.{ending}"
    np.savetxt(path, TABLE, delimiter=mark, fmt="%.7g", header="a comment")
    if mark == ";":
        path.write_text(path.read_text().replace(".", ","))
    assert run(path) == 0
    assert FOUND in capsys.readouterr().out


def test_the_command_prints_five_lines_unless_all_are_wanted(tmp_path, capsys):
    names = [f"layer{i}.pe" for i in range(6)]
    path = saved(tmp_path / "model.npz", **dict.fromkeys(names, TABLE))
    assert run(path) == 0
    out = capsys.readouterr().out
    assert len(out.splitlines()) == 5
    assert out.endswith("4 more: --all shows every table\n")
    assert "and 18 others" in out
    assert run(path, "--all") == 0
    out = capsys.readouterr().out
    assert all(name in out for name in names)
    assert "transformers_whisper" in out


def test_a_table_of_some_rows_of_an_encoding_is_that_encodings(tmp_path, capsys):
    table = Convention().table(200, 16)
    assert run(saved(tmp_path / "pe.npy", table=table[::10])) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].endswith("the paper's, as in annotated_transformer, d2l and 15 others")
    assert said[1] == "  Convention()"
    assert said[3] == "  it holds one row in 10, from row 0"


def test_a_near_miss_names_what_does_not_fit_and_where_to_read_on(tmp_path, capsys):
    table = Convention().table(20, 16)
    table[7] = 0.3
    assert run(saved(tmp_path / "pe.npy", table=table)) == 1
    assert capsys.readouterr().out.splitlines() == [
        "pe.npy: 20 x 16, float64: "
        "no known encoding makes this table to within 0.001 of its amplitude",
        "  nearest: the paper's, as in annotated_transformer, d2l and 15 others, Convention();"
        " differs by up to 9.0e-01, typically 1.2e-01",
        "  1 of 20 rows do not fit: 7",
        '  see the section "If nothing fits" of the page "Which encoding is this?"',
    ]
    assert run(tmp_path / "pe.npy", "--all") == 1
    assert "  rows that do not fit: [7]\n" in capsys.readouterr().out
    table[7], table[:, 3] = Convention().table(20, 16)[7], 0.3
    assert run(saved(tmp_path / "pe.npy", table=table), "--all") == 1
    assert "  columns that do not fit: [3]\n" in capsys.readouterr().out
