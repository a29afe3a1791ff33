"""A small sample of `make fuzz`, and the cases that once broke a page."""

from __future__ import annotations

import base64
import io
import json
import struct
import zipfile

import numpy as np
import pytest

from posenc import Convention
from tests import fuzz, site_files
from tests.browsing import script

pytestmark = pytest.mark.browser

SEED = 2026
TABLE = Convention().table(6, 4)
DATA = TABLE.tobytes()


def test_a_sample_of_hostile_cases_is_answered_or_refused(visit):
    visited = visit("404.html")
    for name, kind in fuzz.KINDS.items():
        result = fuzz.examine(visited, name, SEED, range(8 if kind.function else 1))
        assert result.wrong == [], name
        assert result.answered + result.refused, name


def answer(visited, content):
    """The error of the page for a file, or None, and what it says of its tables."""
    given = [site_files.address("assets/"), base64.b64encode(content).decode()]
    return visited.page.evaluate(script("hostile.js", "answered"), given)


def header(text, data=DATA):
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + data


def described(descr="<f8", shape="6, 4", data=DATA):
    return header(f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}", data)


def safetensors(listed, data=DATA):
    text = json.dumps(listed).encode()
    return len(text).to_bytes(8, "little") + text + data


def tensor(dtype="F64", shape=(6, 4), offsets=(0, 192)):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


def zipped(content, method=zipfile.ZIP_STORED):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as archive:
        archive.writestr("pe.npy", content)
    return bytearray(held.getvalue())


def overlapping():
    """An archive that lists its only member 500 times."""
    whole = bytes(zipped(described()))
    at = whole.index(b"PK\x01\x02")
    end = whole.index(b"PK\x05\x06")
    listed = whole[at:end] * 500
    numbers = struct.pack("<4xHHIIH", 500, 500, len(listed), at, 0)
    return whole[:at] + listed + b"PK\x05\x06" + numbers


def flipped(content, method):
    """An archive with one bit of its table changed."""
    whole = zipped(content, method)
    whole[30 + len("pe.npy") + (len(content) - 9 if method == zipfile.ZIP_STORED else 60)] ^= 1
    return bytes(whole)


HUGE = np.where(np.arange(24).reshape(6, 4) == 5, 1e300, TABLE)
HOSTILE = {
    "a dtype that objects inherit": (described("constructor"), "got dtype constructor"),
    "an entry that is null": (safetensors({"a": None}), "I8, U8, got a of no dtype"),
    "an inherited type": (safetensors({"a": tensor("toString")}), "I8, U8, got a of toString"),
    "65 axes": (described(shape="1," * 65), "not in NumPy's format"),
    "65 axes of a tensor": (
        safetensors({"a": tensor(shape=(1,) * 65)}),
        "a needs two offsets, and a shape of at most 64 axes",
    ),
    "tensors that overlap": (
        safetensors({str(i): tensor() for i in range(500)}),
        "its tensors overlap",
    ),
    "members that overlap": (overlapping(), "its members overlap"),
    "a changed bit": (flipped(described(), zipfile.ZIP_STORED), "pe.npy is damaged"),
    "deep brackets": (b"[" * 65 + b"1 2" + b"]" * 65, "more than 64 brackets"),
    "a huge value": (described(data=HUGE.tobytes()), "at most 1e50 in size"),
    "a long number": (b"1 2\n" + b"1" * 100_000 + b"x 2\n", "which is no number"),
}


def test_a_hostile_file_is_refused_with_a_reason_and_a_table_beside_others_is_read(visit):
    visited = visit("which-encoding/index.html")
    for name, (content, reason) in HOSTILE.items():
        error, _ = answer(visited, content)
        assert reason in error, name
    integers = np.full((2, 2), 2**60).tobytes()  # beyond float64
    listed = {"steps": tensor("I64", (2, 2), (0, 32)), "pe": tensor(offsets=(32, 224))}
    archives = [zipped(described(), way) for way in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)]
    for content in (safetensors(listed, integers + DATA), *map(bytes, archives)):
        error, said = answer(visited, content)
        assert (error, said.partition(":")[0]) == (None, "pe, 6 × 4, float64")


CONFIGS = {  # before, each kept the page busy for minutes, or ended in an error of the engine
    '{"a": "' + "a" * 100: "not JSON",
    '{"rope_theta": 1e4, "partial_rotary_factor": 0.5, "head_dim": 1' + "0" * 400 + "}": (
        "head_dim must be at most 1048576"
    ),
}


def test_a_hostile_config_or_a_folder_in_its_place_is_refused_with_a_reason(visit):
    page = visit("config/index.html").page
    for text, reason in CONFIGS.items():
        given = [site_files.address("assets/"), text]
        assert reason in page.evaluate(script("hostile.js", "said"), given)
    page.wait_for_selector(".we textarea")
    assert "there is no text" in page.evaluate(script("hostile.js", "unreadable"))


def test_a_long_number_in_the_address_of_the_explorer_gets_a_note(visit):
    visited = visit("explorer/index.html")
    given = [site_files.address("assets/"), "?base=" + "1" * 100_000 + "x"]
    (note,) = visited.page.evaluate(script("hostile.js", "notes"), given)
    assert note.startswith("base must be a number from 1 to 1000000, got “111")
