"""Whatever a file holds, `python -m posenc identify` answers it, or refuses it in one line."""

from __future__ import annotations

import io
import json
import os
import sys
import zipfile
from contextlib import redirect_stderr, redirect_stdout

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc import Convention, _memory, identify
from posenc.__main__ import main
from posenc.reading import _files, _weights
from tests.hostile_files import FILES, TABLE

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "25"))  # for each kind of file
MEMORY = 2**30  # the files are small; what they claim is not


@pytest.fixture(autouse=True)
def small_machine(monkeypatch):
    """A machine on which no header may reserve much memory."""
    monkeypatch.setattr(_memory, "_memory", lambda: MEMORY)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("hostile")


def told(path):
    """The exit code of the command, and its two outputs."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(["identify", str(path)])
    return code, out.getvalue(), err.getvalue()


def assert_one_line(path, content=None):
    """The file is answered, or refused in one printable line."""
    if content is not None:
        path.write_bytes(content)
    code, out, err = told(path)
    assert all(line.isprintable() for line in (out + err).splitlines())
    if code == 2:
        assert (out, err.count("\n")) == ("", 1)
        assert err.startswith("posenc: ")
        assert "Error" not in err.partition(":")[2].partition("(")[0]
    else:
        assert code in (0, 1)
        assert err == ""
        assert out


@pytest.mark.parametrize("ending", FILES)
def test_a_file_is_answered_or_refused_in_one_line(ending, folder):
    @settings(max_examples=EXAMPLES)
    @given(FILES[ending] | st.binary(min_size=1, max_size=60))
    def examined(content):
        assert_one_line(folder / f"pe{ending}", content)
        assert [path.name for path in folder.iterdir()] == [f"pe{ending}"]

    examined()
    (folder / f"pe{ending}").unlink()


def header(text, *, data=bytes(64)):
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + data


def described(descr="'<f8'", shape="2, 2"):
    return header(f"{{'descr': {descr}, 'fortran_order': False, 'shape': ({shape}), }}")


HEADERS = {
    "too deep": header(f"{{'descr': {'-' * 5000}1}}"),
    "open bracket": header("(" * 5000),
    "open string": header("{'a': '''"),
    "a tuple of one": described("('<f8',)"),
    "a subarray": described("('<f8', (2,))"),
    "negative": described(shape="-1, 4"),
    "a bool": described(shape="True, 2"),
    "70 axes": described(shape="1," * 70),
    "huge beside none": described(shape=f"{10**300}, 0"),
    "too big": described(shape=f"{2**62}, 0"),
}


@pytest.mark.parametrize("name", HEADERS)
def test_a_header_that_lies_is_refused(name, tmp_path):
    path = tmp_path / "pe.npy"
    assert_one_line(path, HEADERS[name])
    assert told(path)[0] == 2


def test_headers_of_python_2_and_old_names_of_dtypes_print_no_warning(tmp_path):
    assert_one_line(tmp_path / "pe.npy", described(shape="2L, 2L"))
    assert_one_line(tmp_path / "pe.npy", described("'|a8'"))


def zipped(members, method=zipfile.ZIP_DEFLATED):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return bytearray(held.getvalue())


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_damage_in_a_compressed_member_is_one_line(method, tmp_path):
    content = zipped({"pe.npy": described()}, method)
    content[45:60] = b"\xff" * 15
    assert_one_line(tmp_path / "pe.npz", content)
    assert told(tmp_path / "pe.npz")[0] == 2


def test_an_archive_may_not_unpack_to_more_than_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(_memory, "_memory", lambda: 10**6)
    many = {f"{i}.npy": np.zeros(10**4).tobytes() for i in range(20)}
    (tmp_path / "pe.npz").write_bytes(zipped(many))
    assert "larger than this machine's memory" in told(tmp_path / "pe.npz")[2]


def test_a_text_may_not_hold_more_values_than_the_memory(tmp_path, monkeypatch):
    row = b"0,1,0,1\n"  # 2 bytes for each value
    (tmp_path / "pe.csv").write_bytes(100 * row)
    needed = 8 * 4 * 400
    monkeypatch.setattr(_memory, "_memory", lambda: needed)
    assert told(tmp_path / "pe.csv")[0] != 2
    monkeypatch.setattr(_memory, "_memory", lambda: needed - 1)
    assert "larger than this machine's memory" in told(tmp_path / "pe.csv")[2]


def test_an_archive_of_too_many_arrays_is_refused_before_the_first_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(_files, "_MOST_ARRAYS", 3)
    (tmp_path / "pe.npz").write_bytes(zipped({str(i): b"junk" for i in range(4)}))
    assert "must hold at most 3 arrays, got 4" in told(tmp_path / "pe.npz")[2]


@pytest.mark.parametrize("ending", ["npy", "npz", "csv", "safetensors", "pt"])
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such files")
def test_only_regular_files_are_opened(ending, tmp_path):
    folder, pipe, endless = (tmp_path / f"{name}.{ending}" for name in ("folder", "pipe", "zero"))
    folder.mkdir()
    os.mkfifo(pipe)
    endless.symlink_to("/dev/zero")
    for path in (folder, pipe, endless):
        assert "must be a regular file" in told(path)[2]
    loop = tmp_path / f"loop.{ending}"
    loop.symlink_to(loop)
    assert_one_line(loop)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
@pytest.mark.parametrize("name", ["a\nb.npy", "\x1b[31mred.npy", "-x.npy", "\udcff.npy"])
@pytest.mark.parametrize("content", [b"junk", described()], ids=["refused", "answered"])
def test_a_name_of_a_file_cannot_write_to_the_terminal(name, content, tmp_path):
    assert_one_line(tmp_path / name, content)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_a_name_that_the_terminal_cannot_show_is_escaped(encoding, tmp_path, monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    np.save(tmp_path / "表.npy", TABLE)
    assert main(["identify", str(tmp_path / "表.npy")]) == 0


def test_names_of_arrays_are_escaped(tmp_path):
    held = io.BytesIO()
    np.save(held, TABLE)
    assert_one_line(tmp_path / "pe.npz", zipped({"a\n\x1b[31m.npy": held.getvalue()}))
    assert told(tmp_path / "pe.npz")[1].startswith(r"a\n\x1b[31m: 5 x 6")


@pytest.mark.parametrize("value", [1e308, -1e200, 1e51])
def test_a_value_whose_powers_overflow_is_refused(value):
    table = Convention().table(9, 8)
    table[3, 2] = value
    with pytest.raises(ValueError, match=r"at most 1e50 in size, got .* at row 3, column 2"):
        identify(table)


@pytest.mark.parametrize("value", [1e50, 1e-160, 1e-320, 5e-324])
def test_constant_tables_of_any_size_are_answered(value):
    assert not identify(np.full((9, 8), value))
    identify(np.full((9, 8), value) * np.linspace(0, 1, 9)[:, np.newaxis])


def test_a_signalling_nan_is_refused_like_another():
    bits = np.full((3, 4), 0x7C01, np.uint16)
    with pytest.raises(ValueError, match="must be finite, got nan"):
        identify(bits.view(np.float16))


def test_lists_that_hold_themselves_or_nest_without_end_are_walked_once():
    loop: list = [1]
    loop.append(loop)
    wide: list = []
    for _ in range(60):  # 2**60 ways down
        wide = [wide, wide]
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    assert list(_weights._leaves({"a": loop, "b": wide, "c": deep, "d": (3,)})) == [
        ("a.0", 1),
        ("d.0", 3),
    ]


@pytest.mark.torch
def test_a_tensor_that_repeats_one_number_takes_no_more_than_the_memory(tmp_path):
    torch = pytest.importorskip("torch")
    torch.save({"pe": torch.zeros(1).expand(10**6, 10**6)}, tmp_path / "pe.pt")
    assert "larger than this machine's memory" in told(tmp_path / "pe.pt")[2]


def test_a_safetensors_header_with_control_characters_is_escaped(tmp_path):
    entry = {"dtype": "F64", "shape": [5, 6], "data_offsets": [0, 240]}
    text = json.dumps({"a\n\x1b[31m": entry}).encode()
    content = len(text).to_bytes(8, "little") + text + TABLE.tobytes()
    assert_one_line(tmp_path / "pe.safetensors", content)
