"""Files that no program of NumPy, safetensors or PyTorch writes, from seeds of Hypothesis."""

from __future__ import annotations

import io
import json
import zipfile

import numpy as np
from hypothesis import strategies as st

from posenc import Convention

TABLE = Convention().table(5, 6)
DESCRIPTIONS = [
    *("'<f8'", "'>f8'", "'<f2'", "'>f4'", "'|b1'", "'<i8'", "'>u2'", "'<c16'", "'|O'", "'|a8'"),
    *("'<U3'", "'|S0'", "'|V2'", "'<M8[s]'", "'<f16'", "'<f8,<i4'", "('<f8', (2,))", "('<f8',)"),
    *(
        "[('a', '|O')]",
        "[('a', '<f8'), ('b', '<f4')]",
        "[('a', [('b', ",
        "None",
        "{}",
        "'prototype'",
    ),
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
            np.save(
                held, np.nan_to_num(table).astype(kind) if kind == "<i4" else table.astype(kind)
            )
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
