"""The page "Which encoding is this?" reads what readers have, and says in words what it is."""

import base64
import io
import itertools
import json
import re
import shlex
import struct
import zipfile
from dataclasses import replace

import lxml.html
import numpy as np
import pytest
import safetensors.numpy
from playwright.sync_api import expect

from posenc import CONVENTIONS, GRIDS, Convention, Rotary, RotaryCache, identify
from posenc.__main__ import main
from posenc.rotary import Linear
from scripts.files import DOCS
from tests import forms, node, page_text, site_files
from tests.browsing import script
from tests.forms import expect_said, given_file
from tests.identify_cases import NOISE, UNKNOWN
from tests.page_text import SITE
from tests.test_command import header
from tests.test_site import anchors

PAGE = "which-encoding/index.html"
TABLE = CONVENTIONS["opennmt_tf"].table(20, 16)

visited, page = forms.fixtures(PAGE)


@pytest.fixture(scope="module")
def worker():
    """A function that calls one of tests/browser/which_encoding.js with the page's modules."""
    with node.modules("which_encoding.js", "identify") as call:
        yield call


@pytest.fixture
def asked(worker):
    """A function that returns what the page's worker says of a file, or of one of its tables."""

    def ask(content, table=None):
        return worker("asked", encoded=base64.b64encode(content).decode(), table=table)

    return ask


# Files and texts


def npy(array, version=None):
    """A file as `np.save` writes it."""
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.asanyarray(array), version)
    return buffer.getvalue()


def archive(save=np.savez, **arrays):
    """A file as `np.savez` writes it."""
    buffer = io.BytesIO()
    save(buffer, **arrays)
    return buffer.getvalue()


def zipped(members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return buffer.getvalue()


def bomb(named):
    """An archive of a million zeros, which says that it unpacks to `named` bytes."""
    start, mark, end = zipped({"pe.npy": bytes(10**6)}).partition(b"PK\x01\x02")
    sizes = (size.to_bytes(4, "little") for size in (10**6, named))
    return start + mark + end.replace(*sizes, 1)


def overlapping():
    """An archive that lists its only member 500 times."""
    whole = zipped({"pe.npy": npy(TABLE)})
    at, end = whole.index(b"PK\x01\x02"), whole.index(b"PK\x05\x06")
    listed = whole[at:end] * 500
    numbers = struct.pack("<4xHHIIH", 500, 500, len(listed), at, 0)
    return whole[:at] + listed + b"PK\x05\x06" + numbers


def headed(header, data=b""):
    """A safetensors file with this header."""
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


ANSWER = "as in opennmt_tf"
INTEGERS = (
    "a convention fits, but no library that we ran has it; any two frequencies fit some base and "
    "scale"
)
ROUNDED = "its values are rounded to bfloat16: compared with a tolerance of 0.0039"


def numpy_files():
    """Files of NumPy, and what the page says of each."""
    for dtype, order in itertools.product(("<f2", ">f2", "<f4", ">f4", "<f8", ">f8"), "CF"):
        content = npy(np.asarray(TABLE.astype(dtype), order=order))
        yield content, f"20 × 16, {np.dtype(dtype).name}: {ANSWER}."
    yield npy(TABLE, (2, 0)), f"20 × 16, float64: {ANSWER}."
    yield npy(TABLE[np.newaxis, :, np.newaxis]), f"20 × 16, float64: {ANSWER}."
    quarter = Convention(base=1, angle_scale=np.pi / 2).table(8, 4).round()  # 0, 1, 0, -1
    for dtype in ("i1", "<i2", ">i4", "<i8", ">i8"):
        yield npy(quarter.astype(dtype)), f"8 × 4, {np.dtype(dtype).name}: {INTEGERS}."


def files_of_several():
    """Files of tensors and of arrays, which hold others beside the table."""
    others = {"bias": np.zeros(2, "f4"), "ids": np.full((2, 2), 2**60)}  # beyond float64
    for dtype in ("f8", "f4", "f2"):
        content = safetensors.numpy.save({**others, "pe": TABLE.astype(dtype)}, {"format": "pt"})
        yield content, f"pe, 20 × 16, {np.dtype(dtype).name}: {ANSWER}."
    halves = (TABLE.astype("<f4").view("<u4") >> 16).astype("<u2").tobytes()
    entry = {"dtype": "BF16", "shape": [20, 16], "data_offsets": [0, 640]}
    yield headed({"pe": entry}, halves), f"pe, 20 × 16, bfloat16: {ANSWER}; {ROUNDED}."
    beside = {"names": np.array(["a", "b"]), "step": np.array(3.0)}
    for save in (np.savez, np.savez_compressed):
        content = archive(save, pe=TABLE.astype(np.float32), **beside)
        yield content, f"pe, 20 × 16, float32: {ANSWER}."
    ids = np.arange(40).reshape(2, 20)  # counts, only if something else is there
    yield archive(ids=ids, pe=TABLE), f"pe, 20 × 16, float64: {ANSWER}."


def test_a_file_is_read(asked):
    for content, said in (*numpy_files(), *files_of_several()):
        assert asked(content)["said"] == said
    whole = archive(ids=np.arange(40).reshape(2, 20), pe=np.rint(10_000 * TABLE).astype(np.int32))
    assert asked(whole)["said"] == "2 tables: choose one."
    said = "pe, 20 × 16, int32: as in opennmt_tf; its amplitude is 10,000."
    assert asked(whole, table=1)["said"].startswith(said[:-1])


@pytest.mark.browser
def test_of_several_tables_the_reader_chooses_one(page, asked):
    cosines, sines = Rotary(16, base=500_000).cosine_sine(np.arange(40))
    for names in (("sine", "cosine"), ("single.sin", "single.cos"), ("sin_cache", "cos_cache")):
        held = archive(**dict(zip(names, (sines, cosines), strict=True)), pe=TABLE)
        name, answer = " and ".join(names), asked(held, table=0)
        said = f"{name}, 40 × 8, float64: a rotary cache: cosines and sines"
        assert answer["said"].startswith(said)
        assert shown(answer)["Base"] == "500,000"
    given_file(page, "m.npz", held)
    expect_said(page, "m.npz, 2 tables: choose one.")
    page.get_by_role("button", name=name).click()
    expect(page.locator(".we-said")).to_contain_text(f"m.npz, {said}")
    expect(page.get_by_role("button", name=name, pressed=True)).to_be_focused()
    page.get_by_role("button", name="pe", exact=True, pressed=False).click()
    expect_said(page, f"m.npz, pe, 20 × 16, float64: {ANSWER}.")
    page.locator(".we-clear").click()
    expect(page.locator(".we-tables")).to_be_empty()


def rows_of(table, mark, spec="%.7g"):
    return "\n".join(mark.join(spec % value for value in row) for row in table)


NUMBERED, NAMED = (",".join(f"{mark}{j}" for j in range(16)) + "\n" for mark in ("", "c"))
with np.printoptions(threshold=10**6, linewidth=75):
    PRINTED = str(TABLE), repr(TABLE.astype(np.float32))
TEXTS = {
    "commas and spaces": rows_of(TABLE, ", "),
    "tabs": rows_of(TABLE, "\t"),
    "spaces": rows_of(TABLE, "   "),
    "decimal commas": rows_of(TABLE, ";").replace(".", ","),
    "Windows": rows_of(TABLE, ",").replace("\n", "\r\n") + "\r\n",
    "a line of names": NAMED + rows_of(TABLE, ","),
    "an index": "," + NUMBERED + rows_of(np.column_stack([np.arange(20), TABLE]), ","),
    "numbers for names": NUMBERED + rows_of(TABLE, ","),
    "an index from 1": "p," + NAMED + rows_of(np.column_stack([np.arange(1, 21), TABLE]), ","),
    "exponents": rows_of(TABLE, " ", "%.8e"),
    "str": PRINTED[0],
    "repr": PRINTED[1],
    "a tensor": f"tensor({TABLE.round(6).tolist()}, device='cuda:0')",
    "a batch of one": str(TABLE[np.newaxis].tolist()),
}


@pytest.mark.browser
def test_a_text_is_read_pasted_and_as_a_file(page, asked):
    for name, text in TEXTS.items():
        assert asked(b"\xef\xbb\xbf" + text.encode())["said"] == f"20 × 16: {ANSWER}.", name
    field = page.locator(".we textarea")
    field.focus()
    page.keyboard.insert_text(TEXTS["Windows"])
    field.dispatch_event("paste")
    expect_said(page, f"Your table, 20 × 16: {ANSWER}.")


@pytest.mark.browser
def test_the_browser_keeps_what_is_no_text_and_what_the_reader_drags_inside_the_field(page):
    field, drag = page.locator(".we textarea"), script("which_encoding.js", "drag")
    field.fill("my table")
    for kind, own in (("application/x-other", False), ("text/plain", True)):
        assert page.evaluate(drag, {"type": kind, "isOwn": own}) == [False, False]
        expect(field).to_have_value("my table")
        expect(page.locator(".we.is-over")).to_have_count(0)
    assert page.evaluate(drag, {"type": "text/plain", "isOwn": False}) == [True, True]
    expect(field).to_have_value("1 2 3")


def in_python(tmp_path, capsys, name, content):
    """The message of the command about such a file."""
    (tmp_path / name).write_bytes(content)
    assert main(["identify", str(tmp_path / name)]) == 2
    return capsys.readouterr().err.partition(f"{name}: ")[2].strip()


SAME_WORDS = {  # what breaks a rule that the command and the page both have
    "rank1.npy": header((2,)) + bytes(16),
    "rank3.npy": header((3, 5, 7)) + np.arange(105.0).tobytes(),
    "complex3.npy": header((2, 3, 4), "<c16") + np.ones(24, "c16").tobytes(),
    "no_rows.npy": header((0, 4)),
    "nan.npy": header((1, 2)) + np.array([1, np.nan]).tobytes(),
    "objects.npy": header((2, 2), "|O") + bytes(64),
    "header.npy": header((2, 2))[:40],
    "cut.npy": header((9, 8)) + bytes(100),
    "empty.npy": b"",
    "inf.csv": b"1,2\n3,inf\n",
    "text.csv": b"to be\nor not to be\n",
    "cut.csv": b"1,2\n3,4\n5\n",
    "names.csv": b"a,b\n",
    "blank.csv": b"\n\n",
}


@pytest.mark.browser
def test_the_page_refuses_a_bad_table_in_pythons_words(page, asked, tmp_path, capsys):
    for name, content in SAME_WORDS.items():
        said = in_python(tmp_path, capsys, name, content)
        assert asked(content) == {"id": 1, "error": said}, name
    given_file(page, name, content)
    expect_said(page, f"{name}: {said}", error=True)
    expect(page.locator(".we-answer")).to_be_empty()


REAL = "table must hold real numbers that float64 can hold, got dtype"
NPZ, TENSORS = "not a whole .npz archive ", "not a whole safetensors file "
NO_TENSOR = "holds no tensor of F64, F32, F16, BF16, I64, I32, I16, I8, U8, got a of "
SAME = {"dtype": "F64", "shape": [20, 16], "data_offsets": [0, 2560]}
OTHER_WORDS = [  # what a file holds, and how its refusal begins
    (header((2, 2), "<U3") + bytes(48), f"{REAL} U3"),
    (npy(np.zeros((2, 2), "V2")), f"{REAL} V2: bfloat16 has to be saved as"),
    (npy(np.zeros((2, 2), [("a", "f4")])), f"{REAL} several fields"),
    (npy(np.array([[2**53 + 1, 0]])), "table given as integers must lie within ±2**53"),
    (npy(np.full((2, 2), 1e300)), "table must be at most 1e50 in size"),
    (npy(np.array([[1, np.inf]], "<f2")), "table must be finite, got inf at row 0, column 1"),
    (header((20, 16), "constructor"), f"{REAL} constructor"),
    (header((1,) * 65), "not in NumPy's format"),
    (archive(pe=TABLE)[:-40], f"{NPZ}(its list of members is missing)"),
    (bomb(named=1000), f"{NPZ}(pe.npy unpacks to more than the 1,000 bytes that"),
    (bomb(named=60_000_000), "unpacked larger than 50 MB, the most that this page"),
    (archive(pe=TABLE).replace(b"(20, 16)", b"(90, 16)"), f"{NPZ}(pe.npy is dam"),
    (overlapping(), f"{NPZ}(its members overlap"),
    (zipped({"m/data.pkl": b"", "m/data/0": b""}), "a PyTorch file, which this page"),
    (b"\x80\x02\x8a\nl\xfc", "a PyTorch file, which this page does not unpickle"),
    (headed({"pe": SAME}, bytes(2552)), TENSORS),
    (
        headed({"pe": {**SAME, "shape": [20, 17]}}, bytes(2560)),
        f"{TENSORS}(pe does not have the bytes of its shape)",
    ),
    ((60).to_bytes(8, "little") + b'{"pe":{}}', f"{TENSORS}(its header is"),
    (headed({"a": {**SAME, "dtype": "toString"}}, bytes(2560)), f"{NO_TENSOR}toString"),
    (headed({"a": {**SAME, "shape": [1] * 65}}), f"{TENSORS}(a needs two offsets, and a shape"),
    (headed({str(i): SAME for i in range(500)}, bytes(2560)), f"{TENSORS}(its tensors overlap"),
    (b"\xff\xfe\x00", "neither in NumPy's format nor text"),
    (str(np.ones((2000, 8))).encode(), "not a whole table (“...” stands for values"),
    (b"[[1, 2], [3]]", "not a table of numbers (the number of columns changed from"),
    (b"[[1, 2], [3, 4]", "not a table of numbers (the brackets do not match)"),
    (b"[[nan, 0.]]", "table must be finite, got nan at row 0, column 0"),
    (b"[[1, 2], [x, 4]]", "not a table of numbers (row 1 holds 'x', which is no"),
    (b"[" * 65 + b"1 2" + b"]" * 65, "not a table of numbers (more than 64 brackets"),
    (b"1 2\n" + b"1" * 100_000 + b"x 2\n", "not a table of numbers (line 2 holds '11"),
    (b"[0. 1. 0. 1.]", "table must have two axes, at least one row and two columns"),
]


def test_other_bad_files_are_refused_in_one_line(asked):
    for content, said in OTHER_WORDS:
        error = asked(content)["error"]
        assert error.startswith(said), (said, error)
        assert "\n" not in error


def test_a_file_beyond_the_limit_is_refused_before_it_is_read(worker):
    limit, said = worker("refusal")
    assert limit == 50e6
    assert said == "larger than 50 MB, the most that this page takes: got 51 MB"
    text = page_text.article(page_text.parsed(SITE / PAGE)).xpath("string()")
    assert "up to 50 MB" in " ".join(text.split())


# What is said of a match; tests/test_which_encoding_answers.py runs the Python that is shown


def sections(answer):
    """The parts about each match, the best first."""
    return lxml.html.fromstring(f"<div>{answer['details']}</div>").xpath("./section")


def shown(answer):
    """What is said of the best match, by name."""
    rows = sections(answer)[0].xpath(".//dl/div")
    return {row[0].text_content(): row[1].text_content() for row in rows}


DETR = replace(GRIDS["detr"], class_rows=1)
DESCRIBED = [  # a table, how the answer begins, and what it says by name
    (
        CONVENTIONS["fairseq2_legacy"].table(30, 8).astype(np.float32),
        "30 × 8, float32: as in fairseq2_legacy and",
        {
            "Columns": "all sines, then all cosines",
            "Frequency of pair i": "10,000−2i/(d − 2) radians per position, as in tensor2tensor",
            **{"Base": "10,000", "Scale": "1", "First row": "position 2", "Amplitude": "1"},
        },
    ),
    (
        Convention(layout="halves", base=500).table(40, 16).T,
        "16 × 40, float64: positions run along the columns: transpose the table",
        {"First column": "position 0"},
    ),
    (
        RotaryCache(rotary=Rotary(64, scaling=Linear(4)), form="halves").table(512),
        "512 × 64, float64: a rotary cache: cosines, each pair twice, in halves (rotate_half)",
        {"Holds": "cosines, each pair twice, in halves (rotate_half)", "Scaling": "Linear(4)"},
    ),
    (
        DETR.table((5, 6), 32),
        "31 × 32, float64: as in detr; a grid of 5 x 6 points; the same table is a grid",
        {"Rows": "30 compared, 1 of zeros left out"},
    ),
]
COLUMNS = [
    (Convention(), "Its frequencies are the paper’s. Its columns are the paper’s too."),
    (
        Convention(order="cos_first", amplitude=0.125),
        "move columns and divide all values by 0.125: Port weights shows how.",
    ),
    (
        Convention(freq_shift=1),
        "Its frequencies are not the paper’s, so moving columns cannot turn it into the"
        " paper’s table. Port weights shows how to carry the table itself.",
    ),
]


def test_the_page_describes_a_match_in_words(asked):
    for table, said, named in DESCRIBED:
        answer = asked(npy(table))
        words = shown(answer)
        assert answer["said"].startswith(said)
        assert {name: words.get(name) for name in named} == named
        size = r"(\d\.\d × 10−\d+|0) of (the amplitude|each frequency)"
        assert re.fullmatch(size, words["Largest difference"])
        assert "Odd width" not in words
        assert not {"First row", "First column"} <= words.keys()
    for kind, said in COLUMNS:
        (section,) = sections(asked(npy(kind.table(40, 16))))
        assert said in section.text_content()


def test_every_match_is_shown_the_best_first_and_it_says_so_if_there_is_none(asked):
    table = np.tile(Convention(layout="halves").table(50, 64)[:, :32], 2)
    best, other = identify(table).matches
    answer = asked(npy(table))
    _, second = sections(answer)
    assert shown(answer)["Holds"].startswith("sines, each pair twice")
    assert best.mistakes == ()
    assert other.mistakes[0].words in second.text_content()
    answer = asked(npy(UNKNOWN["a learned row"][0]))
    assert "1 of 300 rows do not fit: 7" in answer["said"]
    assert re.fullmatch(r".* of the amplitude, typically .*", shown(answer)["Largest difference"])
    answer = asked(npy(NOISE))
    nothing = "nothing that this page knows makes such a table; python -m posenc identify looks for"
    assert answer["said"].startswith(f"50 × 16, float64: {nothing}")
    assert 'href="#if-nothing-fits"' in answer["details"]
    assert "if-nothing-fits" in anchors(SITE / PAGE)


ROWS, COLUMN = np.arange(20.0)[:, np.newaxis], np.arange(8)
OWN = ROWS / 10_000 ** (COLUMN / 8)  # each column has its own exponent
EXAMPLES = {
    "The paper’s": ("as in annotated_transformer and", Convention().table(20, 8)),
    "tensor2tensor’s": ("as in denoising", Convention(layout="halves", freq_shift=1).table(20, 8)),
    "A doubled exponent": ("the exponent is doubled.", Convention(base=1e8).table(20, 8)),
    "Separate exponents for cosines": (
        "each cosine's exponent differs from its sine's.",
        np.where(COLUMN % 2, np.cos(OWN), np.sin(OWN)),
    ),
}


@pytest.mark.browser
def test_an_example_shows_its_numbers_and_its_answer(page):
    for name, (said, table) in EXAMPLES.items():
        page.get_by_role("group", name="Examples").get_by_role("button", name=name).click()
        expect(page.locator(".we-said")).to_contain_text(f"{name}, 20 × 8: {said}")
        text = page.locator(".we textarea").input_value()
        assert np.abs(np.loadtxt(io.StringIO(text)) - table).max() <= 0.51e-6
        for link in page.locator(".we-answer a").all():
            path, _, anchor = link.evaluate("a => a.href").partition("#")
            assert site_files.file(path)
            assert not anchor or anchor in anchors(site_files.file(path))


@pytest.mark.browser
def test_the_answer_to_an_earlier_question_is_not_shown(visit):
    page = visit(PAGE).page
    page.evaluate(script("which_encoding.js", "holdQuestion"))
    given_file(page, "pe.npy", npy(TABLE))
    page.locator(".we-clear").click()
    page.evaluate("window.release()")
    expect(page.locator(".we-said")).to_be_empty()
    expect(page.locator(".we-answer")).to_be_empty()


def test_the_command_prints_what_the_page_says(tmp_path, monkeypatch, capsys):
    text = (DOCS / "which-encoding.md").read_text("utf-8")
    ((command, output),) = re.findall(r"^\$ python -m posenc (.+)\n((?:.+\n)+?)```", text, re.M)
    monkeypatch.chdir(tmp_path)
    angles = np.arange(20.0)[:, np.newaxis] / 10_000 ** (2 * np.arange(0, 8, 2) / 8)
    np.save("pe.npy", np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(20, 8))
    assert main(shlex.split(command)) == 0
    assert capsys.readouterr().out == output
