"""The notebooks: as they are committed, as the build shows them, and what they print."""

import base64
import io
import json
import os
import re

import matplotlib as mpl
import nbformat
import numpy as np
import pytest
from PIL import Image

from scripts import files
from scripts.files import ROOT, BuildError, PageError
from scripts.numbers import templates
from scripts.pages import notebook_display, notebook_run, notebooks
from tests import balls, oracle, page_text
from tests.figure_drawings import texts_by_the_oracle

FOLDER = ROOT / "docs" / "notebooks"
SOURCES = {
    path.stem: json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.ipynb"))
}
COMMITTED_OUTPUTS = {"pytorch"}  # the build runs the others
NUMBER = r"-?\d+\.?\d*(?:e[-+]\d+)?"

each_notebook = pytest.mark.parametrize("name", SOURCES)


def code_cells(name):
    return [cell for cell in SOURCES[name]["cells"] if cell["cell_type"] == "code"]


def built(name):
    return page_text.pages()[f"notebooks/{name}/index.html"]


def printed(name):
    """The printed output on the page, all cells together."""
    return "\n".join("".join(e.itertext()) for e in built(name).xpath("//div[@class='nb-output']"))


def numbers_after(name, text):
    """The numbers on the line that starts with `text`."""
    line = re.search(rf"^{re.escape(text)}(.*)$", printed(name), re.MULTILINE)
    assert line, f"{text!r} is not printed"
    return [float(number) for number in re.findall(NUMBER, line.group(1))]


def same_to(digits, shown, exact):
    """Whether each of `shown` is the exact number, rounded."""
    shown, exact = np.asarray(shown, float), np.asarray(exact, float)
    assert shown.shape == exact.shape
    return np.abs(shown - exact).max() <= 0.5 * 10.0**-digits + 1e-12


# As committed


@each_notebook
def test_a_notebook_is_valid_has_no_outputs_runs_by_itself_and_says_the_oracles_numbers(name):
    nbformat.validate(SOURCES[name])
    metadata = SOURCES[name]["metadata"]
    assert 80 <= len(metadata["description"]) <= 200
    assert set(metadata) == {"description", "kernelspec", "language_info", "needs", "words"}
    for cell in code_cells(name):
        assert cell["execution_count"] is None
        assert cell["outputs"] == [] or name in COMMITTED_OUTPUTS, "clear all before you commit"
        source = "".join(cell["source"])
        assert "scripts" not in source
        assert "import posenc" not in source or "except ImportError" in source
        for key, template in cell["metadata"].get("figure", {}).items():
            assert key == "title" or len(template) > 80
            texts_by_the_oracle(template)


# As built


@each_notebook
def test_a_page_has_what_each_cell_prints_and_draws_with_words_and_the_file_itself(name):
    cells = built(name).xpath("//div[@class='nb-cell']")
    folder, page = page_text.SITE / "notebooks" / name, built(name)
    for cell, shown in zip(code_cells(name), cells, strict=True):
        source = "".join(cell["source"])
        assert "".join(shown.xpath("./div[@class='highlight']")[0].itertext()).strip() == source
        assert bool(shown.xpath("./div[@class='nb-output']")) == ("print(" in source)
        figures = shown.xpath("./div[@class='pf']")
        assert len(figures) == len(re.findall(r"\.show\(\)", source))
        for figure in figures:
            words = cell["metadata"]["figure"]
            assert figure.xpath("string(.//svg/title)") == words["title"]
            assert figure.xpath("string(.//svg/desc)") == templates.plain(words["alt"])
    for number, figure in enumerate(page.xpath("//div[@class='pf']"), 1):
        assert figure.get("id") == f"figure-{number}"
        assert "aspect-ratio:460.8/" in figure.xpath("string(.//*[@class='pf-stage']/@style)")
        links = {link.text: link.get("href") for link in figure.xpath(".//a[text()]")}
        assert links["Embed or cite"] == f"../../embed/{name}-figure-{number}/#share"
        assert (links["SVG"], links["PNG"]) == (f"figure-{number}.svg", f"figure-{number}.png")
    foreign = "jp-|jupyter-wrapper|clipboard-copy|mathjax|Plotly.newPlot"
    fixed_colours = "#0[0-9a]0[0-9a-b]0\\d|#000000|#ffffff|#1f77b4"
    assert not re.search(f"{foreign}|{fixed_colours}", (folder / "index.html").read_text("utf-8"))
    copy = folder / f"{name}.ipynb"
    assert copy.read_bytes() == (FOLDER / f"{name}.ipynb").read_bytes()
    assert f"{name}.ipynb" in page.xpath("//p[@class='nb-download']/a/@href")


# What they print and draw


def said():
    """A notebook, how a line that it prints begins, digits, and the oracle's numbers after that."""
    for token, row in zip(
        ("I", "am", "a", "robot"), oracle.positional_encoding(4, 4, base=100), strict=True
    ):
        yield "numpy", f"{token:6}", 4, row
    (_, cosine), far = oracle.encode([10, 25], 128)[:, :2]
    waves = oracle.wavelengths(512)
    yield "numpy", "[0.8415", 4, oracle.encode(1, 128)[1:4]
    yield "numpy", "[-0.544", 4, [cosine, *far]
    yield "numpy", "length of every row:", 9, [oracle.sqrt(256)]
    yield "numpy", "ratio of wavelengths:", 8, [waves[1] / waves[0]]
    yield "numpy", "it should be:", 8, [waves[1] / waves[0]]
    yield "numpy", "longest wavelength:", 1, waves[-1:]
    yield "numpy", "pairs that finish a turn:", 9, [sum(waves <= 49)]
    both = oracle.positional_encoding(64, 128).astype(float)
    yield "surfaces", "position 1:", 4, both[1, :4]
    for axis, text in enumerate(("from position to position", "from column to column")):
        step = np.abs(np.diff(both[:, 64:], axis=axis)).max()
        yield "surfaces", f"slow half, {text}: at most", 2, [step]
    yield "pytorch", "(3,) tensor([  1.0000,", 4, 1 / oracle.frequencies(6)[1:]
    yield "pytorch", "tensor([0.8415,", 4, oracle.encode(1, 6)[1:]
    # Its cosines come first.
    yield "pytorch", "turned to 3: tensor(", 4, oracle.encode(3, 4)[[1, 0, 3, 2]]
    yield "pytorch", "turned to its place:", 9, [0] * 8
    yield "pytorch", "with positions:", 9, [0] * 8
    slope = [balls.slope(lambda p, j=j: oracle.encode(p, 6)[j], 7) for j in range(6)]
    yield "pytorch", "by autograd: tensor(", 4, slope
    speed = [oracle.sqrt(sum(oracle.frequencies(6) ** 2))]
    for text in ("root of the sum of squares", *(f"speed at position {p}" for p in (0, 7, 1000))):
        yield "pytorch", f"{text}:", 6, speed


def test_the_notebooks_print_the_oracles_numbers():
    for name, text, digits, exact in said():
        assert same_to(digits, numbers_after(name, text)[: len(exact)], exact), text
    for name in SOURCES:
        false = re.findall(r"^.*\bFalse\b.*$", printed(name), re.M)
        kept = ["as without padding, rows by column: False"] if name == "pytorch" else []
        assert false == kept, "each other comparison is true"


def pictures(name):
    """The images of each figure but its colour bar, as RGB."""
    made = []
    for svg in built(name).xpath("//div[@class='pf']//svg"):
        for address in svg.xpath(".//image/@*[starts-with(., 'data:')]"):
            picture = Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2])))
            made.append(np.asarray(picture.convert("RGB")))
    return [picture for picture in made if picture.shape[1] > 20]


def test_the_pictures_are_drawn_from_the_oracles_numbers():
    small, wide = oracle.positional_encoding(50, 128), oracle.positional_encoding(50, 512)
    both = oracle.positional_encoding(64, 128)
    wanted = {"numpy": [small, wide[:, 0::2]], "surfaces": [both[:, 0::2], both[:, 1::2], both]}
    for name, matrices in wanted.items():
        for picture, matrix in zip(pictures(name), matrices, strict=True):
            colors = mpl.colormaps["viridis"]((matrix.astype(float) + 1) / 2, bytes=True)[..., :3]
            assert picture.shape == colors.shape
            assert np.abs(picture.astype(int) - colors).max() <= 3  # a neighbour in the colour map


def test_the_surfaces_hold_the_oracles_numbers():
    both = oracle.positional_encoding(64, 128)
    for number, matrix in enumerate([both[:, 0::2], both[:, 1::2], both], 1):
        path = page_text.SITE / "notebooks" / "surfaces" / f"figure-{number}.json"
        content = json.loads(path.read_text("utf-8"))
        (trace,) = content["data"]
        assert trace["hovertemplate"].count("%{") == 3
        z = np.frombuffer(base64.b64decode(trace["z"]["bdata"]), trace["z"]["dtype"])
        assert oracle.largest_error(z.reshape(matrix.shape), matrix) < 2.0**-24
        layout = json.dumps(content["layout"])
        assert layout.count('"gridcolor": "var(--fig-grid)"') == 3
        assert '"paper_bgcolor": "rgba(0,0,0,0)"' in layout
    for part in built("surfaces").xpath("//div[@class='pf']"):
        assert part.get("data-bundle") in {"plotly-gl3d.min.js", "plotly.min.js"}
        assert {"position", "value"} <= set(part.xpath(".//svg//text/text()"))


def test_the_tensors_are_the_oracles_to_four_decimals():
    exact, shown = oracle.positional_encoding(10, 6), {30: [], 60: []}
    for tensor in re.findall(r"tensor\((\[\[.*?\]\])", printed("pytorch"), re.DOTALL):
        numbers = re.findall(NUMBER, tensor)
        shown.setdefault(len(numbers), []).append(np.array(numbers, float).reshape(10, -1))
    assert same_to(4, shown[60][0], exact)
    assert same_to(4, np.stack(shown[30][:2]), [exact[:, 0::2], exact[:, 1::2]])


def test_bfloat16_loses_what_the_page_says():
    for text, cast_last in (("computed in bfloat16", False), ("cast last", True)):
        given = {"precision": "bfloat16", "cast_last": cast_last}
        error = balls.largest(oracle.precision_error(range(512), 64, **given))
        rows = oracle.distinct_rows(range(512), 64, **given)
        wanted = f"{text}: error {oracle.formatted(error, '.2g')}, different rows {rows}"
        assert wanted in printed("pytorch").splitlines()


# What can go wrong


def notebook_with(source, **cell):
    kernel = {"name": "python3", "display_name": "", "language": "python"}
    cells = [nbformat.v4.new_code_cell(source, **cell)]
    return nbformat.v4.new_notebook(cells=cells, metadata={"needs": "NumPy", "kernelspec": kernel})


def page_of(notebook, path):
    from mkdocs_jupyter import convert  # half a second, which the other processes save

    path.write_text(nbformat.writes(notebook), "utf-8")
    shown = convert.nb2html(str(path), execute=False, allow_errors=False)
    return notebooks.page(shown, json.loads(path.read_text("utf-8")), path.name, str)


def test_an_error_in_a_notebook_is_one_line_that_says_where(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "environ", os.environ.copy())
    monkeypatch.setattr(files, "ROOT", tmp_path)
    monkeypatch.setattr(notebook_run, "NOTEBOOKS", tmp_path)
    for module in (files, notebook_run):
        monkeypatch.setattr(module, "WORK", tmp_path / ".build")
    code = "print(1)\nzero = 0\nprint('π', \"of\", 1 / zero)\n'the end'"
    text = nbformat.writes(notebook_with(code))
    (tmp_path / "broken.ipynb").write_text(text, "utf-8")
    number = text[: text.index("print('π'")].count("\n") + 1
    told = rf"^broken\.ipynb:{number}: ZeroDivisionError: division by zero$"
    with pytest.raises(BuildError, match=told):
        notebook_run.files("broken")


def test_what_a_page_cannot_show_is_refused_with_the_place(tmp_path):
    drawing = {"text/html": notebook_display.figure_html(mpl.figure.Figure())}
    warned = nbformat.v4.new_output("stream", name="stderr", text="UserWarning: no")
    image = {"image/png": base64.b64encode(b"png").decode()}
    shows = "text and figures, the cell gives "
    for cannot, message in (
        (nbformat.v4.new_output("display_data", image), f"{shows}a picture"),
        (warned, f"{shows}application/vnd.jupyter.stderr"),
        (
            nbformat.v4.new_output("display_data", drawing),
            "must have alt, caption and title, got ['title']",
        ),
    ):
        words = {"figure": {"title": "A title"}}
        notebook = notebook_with("draw()\n'again'", outputs=[cannot], metadata=words)
        with pytest.raises(PageError, match=f"{re.escape(message)}$") as raised:
            page_of(notebook, tmp_path / "output.ipynb")
        assert raised.value.text == "draw()"
    notebook = notebook_with("print(1)\n2")
    del notebook.metadata["needs"]
    with pytest.raises(PageError, match=r"^metadata\.needs must say which packages") as raised:
        page_of(notebook, tmp_path / "needs.ipynb")
    assert raised.value.text == "print(1)"
    with pytest.raises(TypeError, match=r"must be one surface, got \['scatter'\]"):
        notebook_display.Renderer().to_mimebundle({"data": [{"type": "scatter"}]})


@pytest.mark.torch
def test_pytorch_prints_what_is_committed():
    torch = pytest.importorskip("torch", minversion="2.13.0")
    if not torch.__version__.startswith("2.13.0"):
        pytest.skip(f"the outputs are those of PyTorch 2.13.0, installed is {torch.__version__}")
    pytest.importorskip("onnxscript")
    pytest.importorskip("onnxruntime")
    made = json.loads(notebook_run.executed(FOLDER / "pytorch.ipynb"))
    for cell, committed in zip(made["cells"], SOURCES["pytorch"]["cells"], strict=True):
        assert cell.get("outputs") == committed.get("outputs"), "".join(cell["source"])
