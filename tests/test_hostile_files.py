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

# Files that no program of NumPy, safetensors or PyTorch writes

TABLE = Convention().table(5, 6)
DESCRIPTIONS = [
    *("'<f8'", "'>f8'", "'<f2'", "'>f4'", "'|b1'", "'<i8'", "'>u2'", "'<c16'", "'|O'", "'|a8'"),
    *("'<U3'", "'|S0'", "'|V2'", "'<M8[s]'", "'<f16'", "'<f8,<i4'", "('<f8', (2,))", "('<f8',)"),
    *("[('a', '|O')]", "[('a', '<f8'), ('b', '<f4')]", "[('a', [('b', ", "None", "{}", "'type'"),
]
AXES = st.sampled_from([0, 1, 2, 3, 5, 6, 30, -1, 2**31, 2**62, 10**30, 10**300])
SHAPES = st.lists(AXES, max_size=6) | st.just([1] * 70) | st.just([5, 6])
NUMBERS = st.sampled_from([0.0, 1.0, -0.5, np.nan, np.inf, 1e308, -1e200, 1e-320, 1e-170])


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


@st.composite
def npy(draw):
    """A file of NumPy whose header may say anything."""
    if draw(st.booleans()):
        held = io.BytesIO()
        table = np.where(draw(st.booleans()), draw(NUMBERS), TABLE)
        kind = draw(st.sampled_from(["<f8", ">f4", "<f2", "<c8", "<i4"]))
        with np.errstate(all="ignore"):
            np.save(held, (np.nan_to_num(table) if kind == "<i4" else table).astype(kind))
        return held.getvalue()
    shape = "".join(f"{axis}, " for axis in draw(SHAPES))
    order = draw(st.sampled_from(["True", "False", "None", "-" * 3000 + "1"]))
    text = f"{{'descr': {draw(st.sampled_from(DESCRIPTIONS))}, 'fortran_order': {order}, "
    text += f"'shape': ({shape}), }}" + draw(st.sampled_from(["\n", "", "'''", "(" * 300]))
    version = draw(st.sampled_from([(1, 0), (2, 0), (3, 0), (4, 0)]))
    length = len(text) + draw(st.sampled_from([0, 0, 0, 1, -5, 60_000 - len(text)]))
    size = length.to_bytes(2 if version[0] == 1 else 4, "little")
    data = draw(st.sampled_from([TABLE.tobytes(), bytes(7), b"cposix\nsystem\n(S'x'\ntR."]))
    return b"\x93NUMPY" + bytes(version) + size + text.encode() + data


@st.composite
def npz(draw):
    """A zip archive of such files."""
    methods = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
    names = st.sampled_from(["pe.npy", "cos", "sin.npy", "a\nb.npy", "\x1b[31m.npy", "../x", "d/"])
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", draw(st.sampled_from(methods))) as archive:
        for name in draw(st.lists(names, max_size=3, unique=True)):
            archive.writestr(zipfile.ZipInfo(name), draw(npy()), archive.compression)
    return held.getvalue()


@st.composite
def safetensors(draw):
    """A file of safetensors whose header may say anything."""
    kinds = st.sampled_from(["F64", "F32", "BF16", "F16", "I64", "U8", "F4", "constructor", "", 3])
    offsets = st.lists(st.sampled_from([0, 8, 240, 480, 2**40, -1, 1.5]), max_size=3)
    entry = st.fixed_dictionaries(
        {
            "dtype": kinds,
            "shape": SHAPES | st.just([3, 10]) | st.none(),
            "data_offsets": offsets | st.just([0, 240]) | st.just([0, 120]),
        }
    )
    names = st.sampled_from(["pe", "cos", "sin", "__proto__", "__metadata__", "a\n\x1b[31m", ""])
    header = json.dumps(draw(st.dictionaries(names, entry | st.none() | st.just([]), max_size=3)))
    header = draw(st.sampled_from([header, header, header, "[" * 9000, '{"a":' * 9000]))
    length = len(header) + draw(st.sampled_from([0, 0, 0, 1, -2, 2**40, 2**63]))
    return max(0, length).to_bytes(8, "little") + header.encode() + TABLE.tobytes()


@st.composite
def texts(draw):
    """A table as text, with cells that break readers of tables."""
    cells = st.sampled_from(
        ["1", "-0.5", "1e999", "nan", "1_0", "١", "0x1", "1j", "", "a", "\0", '"1\n2"', "1.2.3"]
    ) | st.sampled_from(["1" * 5000, "\x1b[31m", "#", " ", "\u2028", "é", "[", "<b>"])
    mark = draw(st.sampled_from([",", ";", "\t", " ", ",,"]))
    rows = draw(st.lists(st.lists(cells, max_size=4).map(mark.join), max_size=5))
    text = draw(st.sampled_from(["\n", "\r\n", "\r"])).join(rows)
    return text.encode(draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])))


FILES = {
    ".npy": mutated(npy()),
    ".npz": mutated(npz()),
    ".safetensors": mutated(safetensors()),
    ".csv": mutated(texts()),
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


def described(text="", *, descr="'<f8'", shape="2, 2"):
    """A file of NumPy with this header, or with this type and shape."""
    text = text or f"{{'descr': {descr}, 'fortran_order': False, 'shape': ({shape}), }}"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + bytes(64)


HEADERS = {
    "too deep": described(f"{{'descr': {'-' * 5000}1}}"),
    "open bracket": described("(" * 5000),
    "open string": described("{'a': '''"),
    "a tuple of one": described(descr="('<f8',)"),
    "huge beside none": described(shape=f"{10**300}, 0"),
}


def test_a_header_that_lies_is_refused_and_an_old_one_prints_no_warning(tmp_path):
    for name, content in HEADERS.items():
        assert in_one_line(tmp_path / "pe.npy", content)[0] == 2, name
    for old in (described(shape="2L, 2L"), described(descr="'|a8'")):
        in_one_line(tmp_path / "pe.npy", old)


def zipped(name, content, method=zipfile.ZIP_DEFLATED):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as archive:
        archive.writestr(name, content)
    return bytearray(held.getvalue())


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_damage_in_a_compressed_member_is_one_line(method, tmp_path):
    content = zipped("pe.npy", described(), method)
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
    np.save(tmp_path / "表.npy", TABLE)
    assert main(["identify", str(tmp_path / "表.npy")]) == 0


def test_names_of_arrays_are_escaped(tmp_path):
    held = io.BytesIO()
    np.save(held, TABLE)
    entry = {"dtype": "F64", "shape": [5, 6], "data_offsets": [0, 240]}
    text = json.dumps({"a\n\x1b[31m": entry}).encode()
    tensors = len(text).to_bytes(8, "little") + text + TABLE.tobytes()
    for name, content in (
        ("pe.npz", zipped("a\n\x1b[31m.npy", held.getvalue())),
        ("pe.safetensors", tensors),
    ):
        assert in_one_line(tmp_path / name, content)[1].startswith(r"a\n\x1b[31m: 5 x 6")
