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

from posenc import Convention, _memory
from posenc.__main__ import main

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "25"))  # for each kind of file
MEMORY = 2**30  # the files are small; what they claim is not

TABLE = Convention().table(5, 6)
BYTES = TABLE.tobytes()


def zipped(name, content, method=zipfile.ZIP_DEFLATED):
    """An archive with one member."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as archive:
        archive.writestr(zipfile.ZipInfo(name), content, method)
    return held.getvalue()


def described(text="", *, descr="'<f8'", shape="5, 6", data=BYTES):
    """A file of NumPy with this header, or with this type and shape."""
    text = text or f"{{'descr': {descr}, 'fortran_order': False, 'shape': ({shape}), }}"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + data


def tensors(name="pe", **entry):
    """A file of safetensors with one tensor, or with what is given of its description."""
    usual = {"dtype": "F64", "shape": [5, 6], "data_offsets": [0, 240]}
    text = json.dumps({name: {**usual, **entry}}).encode()
    return len(text).to_bytes(8, "little") + text + TABLE.tobytes()


DESCRIPTIONS = [
    *("'<f8'", "'>f4'", "'<f2'", "'|b1'", "'<i8'", "'<c16'", "'|O'", "'|a8'", "'<U3'", "'|S0'"),
    *("'|V2'", "'<M8[s]'", "'<f16'", "'<f8,<i4'", "('<f8', (2,))", "('<f8',)", "None", "'type'"),
    *("[('a', '|O')]", "[('a', '<f8'), ('b', '<f4')]", "[('a', [('b', "),
]
SHAPES = ["5, 6", "2L, 2L", "0, 3", "-1, 4", "1, " * 70, f"{2**62}, 1", f"{10**300}, 0"]
LIES = ["(" * 5000, "{'a': " + 3 * "'", f"{{'descr': {'-' * 5000}1}}"]
EDGES = [0.0, np.nan, np.inf, 1e308, -1e200, 1e-320, 1e-170]
NPY = [
    *(described(descr=descr) for descr in DESCRIPTIONS),
    *(described(shape=shape) for shape in SHAPES),
    *(described(text) for text in LIES),
    *(described(data=np.full((5, 6), value).tobytes()) for value in EDGES),
    described(data=b"cposix\nsystem\n(S'x'\ntR."),
]
NAMES = ["pe.npy", "cos", "a\nb.npy", "\x1b[31m.npy", "../x", "d/"]
METHODS = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
TENSORS = [
    *(tensors(name) for name in ("cos", "__metadata__", "a\n\x1b[31m", "")),
    *(tensors(dtype=dtype) for dtype in ("F32", "BF16", "I64", "U8", "F4", "constructor", 3)),
    *(tensors(shape=shape) for shape in ([], [-1], [2**62, 0], [1] * 70, None)),
    *(tensors(data_offsets=given) for given in ([], [0, 120], [0, 2**40], [-1, 1.5])),
    *((9000).to_bytes(8, "little") + text * 9000 for text in (b"[", b'{"a":')),
]
CELLS = ["1", "-0.5", "1e999", "nan", "1_0", "١", "0x1", "1j", "", "a", "\0", '"1\n2"', "1.2.3"]
CELLS += ["1" * 5000, "\x1b[31m", "#", " ", "\u2028", "é", "[", "<b>"]
TEXT = st.lists(st.sampled_from([*CELLS, *",;\t \n\r"]), max_size=30).map("".join)


@st.composite
def mutated(draw, files):
    """A file with some bytes replaced, cut off or put twice."""
    content = bytearray(draw(files))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, max(0, len(content) - 1)))
        if draw(st.booleans()):
            content[at : at + 4] = draw(st.binary(min_size=1, max_size=4))
        elif draw(st.booleans()):
            del content[at:]
        else:
            content[at:at] = content[at : at + 40]
    return bytes(content)


FILES = {
    ".npy": mutated(st.sampled_from(NPY)),
    ".npz": mutated(st.builds(zipped, *map(st.sampled_from, (NAMES, NPY, METHODS)))),
    ".safetensors": mutated(st.sampled_from(TENSORS)),
    ".csv": mutated(st.builds(str.encode, TEXT, st.sampled_from(["utf-8", "utf-16"]))),
}


# The command about them


@pytest.fixture(autouse=True)
def small_machine(monkeypatch):
    """A machine on which no header may reserve much memory."""
    monkeypatch.setattr(_memory, "_memory", lambda: MEMORY)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("hostile")


def in_one_line(path, content):
    """The code and the output of the command, which answers, or refuses in one printable line."""
    path.write_bytes(content)
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(["identify", str(path)])
    out, err = out.getvalue(), err.getvalue()
    assert all(line.isprintable() for line in (out + err).splitlines())
    if code == 2:
        assert (out, err.count("\n")) == ("", 1)
        assert err.startswith("posenc: ")
        assert "Error" not in err.partition(":")[2].partition("(")[0]
    else:
        assert code in (0, 1)
        assert err == ""
        assert out
    return code, out


@pytest.mark.parametrize("ending", FILES)
def test_a_file_is_answered_or_refused_in_one_line(ending, folder):
    @settings(max_examples=EXAMPLES)
    @given(FILES[ending] | st.binary(min_size=1, max_size=60))
    def examined(content):
        in_one_line(folder / f"pe{ending}", content)
        assert [path.name for path in folder.iterdir()] == [f"pe{ending}"]

    examined()
    (folder / f"pe{ending}").unlink()


def test_a_header_that_lies_is_refused_and_an_old_one_prints_no_warning(tmp_path):
    for content in (*map(described, LIES), described(shape=f"{10**300}, 0")):
        assert in_one_line(tmp_path / "pe.npy", content)[0] == 2
    for old in (described(shape="2L, 2L"), described(descr="'|a8'")):
        in_one_line(tmp_path / "pe.npy", old)


@pytest.mark.parametrize("method", METHODS[1:])
def test_damage_in_a_compressed_member_is_one_line(method, tmp_path):
    content = bytearray(zipped("pe.npy", described(), method))
    content[45:60] = b"\xff" * 15
    assert in_one_line(tmp_path / "pe.npz", content)[0] == 2


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
@pytest.mark.parametrize("name", ["a\nb.npy", "\x1b[31mred.npy", "-x.npy", "\udcff.npy"])
@pytest.mark.parametrize("content", [b"junk", described()], ids=["refused", "answered"])
def test_a_name_of_a_file_cannot_write_to_the_terminal(name, content, tmp_path):
    in_one_line(tmp_path / name, content)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_a_name_that_the_terminal_cannot_show_is_escaped(encoding, tmp_path, monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    (tmp_path / "表.npy").write_bytes(described())
    assert main(["identify", str(tmp_path / "表.npy")]) == 0


def test_names_of_arrays_are_escaped(tmp_path):
    for ending, content in (
        ("npz", zipped("a\n\x1b[31m.npy", described())),
        ("safetensors", tensors("a\n\x1b[31m")),
    ):
        assert in_one_line(tmp_path / f"pe.{ending}", content)[1].startswith(r"a\n\x1b[31m: 5 x 6")
