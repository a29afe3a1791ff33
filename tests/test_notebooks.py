"""The notebooks: as they are committed, as the build shows them, and what they print."""

import base64
import gzip
import io
import json
import os
import re
from types import SimpleNamespace

import matplotlib as mpl
import nbformat
import numpy as np
import plotly.graph_objects as go
import plotly.io as pio
import pytest
from bs4 import BeautifulSoup
from PIL import Image

from scripts import files
from scripts.figures import _style
from scripts.files import ROOT, BuildError, PageError
from scripts.numbers import claims, expressions, marks
from scripts.pages import notebook_display, notebook_run, notebooks
from tests import balls, oracle, page_text

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
def test_a_notebook_is_valid_has_no_outputs_and_runs_without_this_repository(name):
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


@each_notebook
def test_captions_and_alt_texts_say_the_oracles_numbers(name):
    for cell in code_cells(name):
        for key, template in cell["metadata"].get("figure", {}).items():
            assert page_text.typed_numbers(page_text.without_markup(template)) == []
            assert key == "title" or len(template) > 80
            for source in re.findall(marks.NUMBER, template):
                shown = expressions.number(source)
                assert shown.text == page_text.oracle_text(shown.code, shown.spec)
            for source in re.findall(marks.CLAIM, template):
                assert page_text.oracle_value(claims.claim(source).code) == 1, source


# As built


@each_notebook
def test_a_page_has_what_each_cell_prints_and_draws_with_words_and_the_file_itself(name):
    cells = built(name).xpath("//div[@class='nb-cell']")
    assert len(cells) == len(code_cells(name))
    for cell, shown in zip(code_cells(name), cells, strict=True):
        source = "".join(cell["source"])
        assert "".join(shown.xpath("./div[@class='highlight']")[0].itertext()).strip() == source
        assert bool(shown.xpath("./div[@class='nb-output']")) == ("print(" in source)
        assert len(shown.xpath("./div[@class='pf']")) == len(re.findall(r"\.show\(\)", source))
    for svg in built(name).xpath("//div[@class='pf']//svg"):
        assert len(svg.xpath("string(./title)")) > 10
        assert len(svg.xpath("string(./desc)")) > 80
    foreign = "jp-|jupyter-wrapper|clipboard-copy|mathjax|Plotly.newPlot"
    fixed_colours = "#0[0-9a]0[0-9a-b]0\\d|#000000|#1f77b4"
    text = (page_text.SITE / "notebooks" / name / "index.html").read_text("utf-8")
    assert not re.search(f"{foreign}|{fixed_colours}", text)
    copy = page_text.SITE / "notebooks" / name / f"{name}.ipynb"
    assert copy.read_bytes() == (FOLDER / f"{name}.ipynb").read_bytes()
    assert f"{name}.ipynb" in built(name).xpath("//p[@class='nb-download']/a/@href")


# What they print and draw


def test_the_loop_and_the_array_code_print_the_oracles_rows():
    tokens = ["I", "am", "a", "robot"]
    shown = [numbers_after("numpy", f"{token:6}") for token in tokens]
    assert same_to(4, shown, oracle.positional_encoding(4, 4, base=100))
    assert "as in loops: True" in printed("numpy")
    assert same_to(4, numbers_after("numpy", "[0.8415"), oracle.encode(1, 128)[1:4])
    rows = oracle.encode([10, 25], 128)[:, :2]
    assert same_to(4, numbers_after("numpy", "[-0.544 ")[:1], rows[0, 1:])
    assert same_to(4, numbers_after("numpy", "[-0.544  -0.8391]"), rows[1])


def test_the_numpy_checks_print_the_oracles_numbers():
    assert numbers_after("numpy", "length of every row:") == [float(oracle.sqrt(256))]
    wavelengths = oracle.wavelengths(512)
    for text in ("ratio of wavelengths:", "it should be:"):
        assert same_to(8, numbers_after("numpy", text), [wavelengths[1] / wavelengths[0]])
    assert same_to(1, numbers_after("numpy", "longest wavelength:"), wavelengths[-1:])
    assert numbers_after("numpy", "pairs that finish a turn:") == [sum(wavelengths <= 49)]


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
        assert len(gzip.compress(path.read_bytes())) < 40 * 1024
        (trace,) = content["data"]
        assert trace["hovertemplate"].count("%{") == 3
        z = np.frombuffer(base64.b64decode(trace["z"]["bdata"]), trace["z"]["dtype"])
        assert oracle.largest_error(z.reshape(matrix.shape), matrix) < 2.0**-24
    assert {svg.get("data-bundle") for svg in built("surfaces").xpath("//div[@class='pf']")} <= {
        "plotly-gl3d.min.js",
        "plotly.min.js",
    }


def test_the_surfaces_print_the_oracles_numbers():
    both = oracle.positional_encoding(64, 128)
    assert same_to(4, numbers_after("surfaces", "position 1:"), both[1, :4])
    slow = both[:, 64:].astype(float)
    for axis, text in enumerate(["from position to position", "from column to column"]):
        step = np.abs(np.diff(slow, axis=axis)).max()
        assert same_to(2, numbers_after("surfaces", f"slow half, {text}:"), [step])


def matrix_printed(width, *, skip=0):
    """The (10, width) tensor that the PyTorch page prints, after `skip` others."""
    row = rf"\[\s*{NUMBER}(?:,\s+{NUMBER}){{{width - 1}}}\]"
    found = re.findall(rf"tensor\(\[({row}(?:,\s+{row}){{9}})\]", printed("pytorch"))
    return np.array(re.findall(NUMBER, found[skip]), float).reshape(10, width)


def test_the_tensors_are_the_oracles_to_four_decimals():
    exact = oracle.positional_encoding(10, 6)
    assert same_to(4, matrix_printed(6), exact)
    assert same_to(4, matrix_printed(3), exact[:, 0::2])
    assert same_to(4, matrix_printed(3, skip=1), exact[:, 1::2])
    assert same_to(
        4, numbers_after("pytorch", "(3,) tensor([  1.0000,")[:2], 1 / oracle.frequencies(6)[1:]
    )
    assert same_to(4, numbers_after("pytorch", "tensor([0.8415,"), exact[1, 1:])
    for text in ("as above: True", "as posenc: True", "agree: True", "whole batch: True"):
        assert text in printed("pytorch")


def test_the_rotary_module_turns_as_the_oracle_and_needs_the_place_of_a_token():
    turned = numbers_after("pytorch", "turned to 3: tensor(")
    assert same_to(4, turned, oracle.encode(3, 4)[[1, 0, 3, 2]])  # its cosines come first
    assert printed("pytorch").count("as by complex numbers:") == 2
    assert not re.search("(numbers: +|texts: |halves, as posenc: )False", printed("pytorch"))
    assert numbers_after("pytorch", "turned to its place:") == [0] * 8
    assert min(numbers_after("pytorch", "turned to place 0:")[2:]) > 0.1


def test_a_cache_gets_right_rows_only_with_positions():
    assert numbers_after("pytorch", "with positions:") == [0] * 8
    first, *others = numbers_after("pytorch", "without positions:")
    assert first == 0
    assert min(others) > 0.1
    for text in ("by column: False", "by mask:   True", "next token: [[3], [5]]"):
        assert text in printed("pytorch")


def test_compiled_and_exported_graphs_serve_all_lengths_only_with_positions():
    for text in (
        "Constraints violated (length)",
        "up to 50: True\nfree, with positions: True",
        "as without compilation: True\ngraphs: 2",
        "free length: True\nposition -1 gets the last row: True",
    ):
        assert text in printed("pytorch")


def test_autograd_gives_the_slope_of_the_oracle():
    slope = [balls.slope(lambda p, j=j: oracle.encode(p, 6)[j], 7) for j in range(6)]
    assert same_to(4, numbers_after("pytorch", "by autograd: tensor("), slope)
    speed = oracle.sqrt(sum(oracle.frequencies(6) ** 2))
    for position in (0, 7, 1000):
        assert same_to(6, numbers_after("pytorch", f"speed at position {position}:"), [speed])
    assert same_to(6, numbers_after("pytorch", "root of the sum of squares:"), [speed])


def bfloat16(values):
    """`values` rounded to eight significant bits, ties to even."""
    bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return rounded.astype(np.uint32).view(np.float32)


def test_bfloat16_loses_what_the_page_says():
    exact = oracle.positional_encoding(512, 64)
    frequencies = bfloat16(np.float32(10_000) ** (-np.arange(0, 64, 2, dtype=np.float32) / 64))
    angles = bfloat16(bfloat16(np.arange(512))[:, np.newaxis] * frequencies)
    low = np.stack([bfloat16(np.sin(angles)), bfloat16(np.cos(angles))], axis=-1).reshape(512, 64)
    for text, values in (("computed in bfloat16", low), ("cast last", bfloat16(exact))):
        rows = len(np.unique(values, axis=0))
        shown = re.search(rf"^{text}: error (\S+), different rows (\d+)$", printed("pytorch"), re.M)
        assert shown.groups() == (f"{oracle.largest_error(values, exact):.2g}", str(rows))


# What can go wrong


def notebook_with(source, outputs=(), metadata=None):
    cell = nbformat.v4.new_code_cell(source, outputs=list(outputs), metadata=metadata or {})
    notebook = nbformat.v4.new_notebook(cells=[cell], metadata={"needs": "nothing"})
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "", "language": "python"}
    return notebook


def shown(path, *, execute=False):
    """The notebook as mkdocs-jupyter shows it."""
    from mkdocs_jupyter import convert  # half a second, which the other processes save

    return convert.nb2html(str(path), execute=execute, allow_errors=False)


def page_of(notebook, path):
    path.write_text(nbformat.writes(notebook), "utf-8")
    return notebooks.page(shown(path), json.loads(path.read_text("utf-8")), path.name, str)


@pytest.fixture
def project(tmp_path, monkeypatch):
    """The folder of the notebooks in a project of their own; kernels run this project's code."""
    monkeypatch.setattr(os, "environ", os.environ.copy())
    monkeypatch.setattr(files, "ROOT", tmp_path)
    monkeypatch.setattr(notebook_run, "NOTEBOOKS", tmp_path)
    for module in (files, notebook_run):
        monkeypatch.setattr(module, "WORK", tmp_path / ".build")
    return tmp_path


def test_an_error_in_a_notebook_is_one_line_that_says_where(project):
    code = "print(1)\nzero = 0\nprint('π', \"of\", 1 / zero)\n'the end'"
    text = nbformat.writes(notebook_with(code))
    (project / "broken.ipynb").write_text(text, "utf-8")
    number = text[: text.index("print('π'")].count("\n") + 1
    told = rf"^broken\.ipynb:{number}: ZeroDivisionError: division by zero$"
    with pytest.raises(BuildError, match=told):
        notebook_run.files("broken")


def test_a_notebook_runs_if_it_has_code_and_no_outputs(project, monkeypatch):
    asked = []
    monkeypatch.setattr(
        "mkdocs_jupyter.convert.nb2html", lambda _, **how: asked.append(how["execute"]) or "<p>"
    )
    words, code, done = (
        nbformat.v4.new_markdown_cell("# Words"),
        nbformat.v4.new_code_cell("1"),
        nbformat.v4.new_code_cell("2", outputs=[nbformat.v4.new_output("stream", text="2")]),
    )
    for cells in ([words], [words, code], [code, done]):
        text = nbformat.writes(nbformat.v4.new_notebook(cells=cells))
        (project / "some.ipynb").write_text(text, "utf-8")
        assert notebook_run.files("some") == {"some.html": b"<p>"}
    assert asked == [False, True, False]
    with pytest.raises(FileNotFoundError):
        notebook_run.files("missing")


def test_an_output_that_a_page_cannot_show_is_refused(tmp_path):
    data = {"image/png": base64.b64encode(b"png").decode()}
    refused = {
        "a picture": nbformat.v4.new_output("display_data", data=data),
        "application/vnd.jupyter.stderr": nbformat.v4.new_output(
            "stream", name="stderr", text="UserWarning: no"
        ),
        "text/html": nbformat.v4.new_output("display_data", data={"text/html": "<table></table>"}),
    }
    for kind, output in refused.items():
        notebook = notebook_with("draw()\n'again'", [output])
        with pytest.raises(PageError, match=f"text and figures, the cell gives {kind}$") as raised:
            page_of(notebook, tmp_path / "output.ipynb")
        assert raised.value.text == "draw()"


def test_a_notebook_says_which_packages_it_needs(tmp_path):
    notebook = notebook_with("print(1)")
    notebook.cells.insert(0, nbformat.v4.new_markdown_cell("# Words\n\nand more"))
    del notebook.metadata["needs"]
    with pytest.raises(PageError, match=r"^metadata\.needs must say which packages") as raised:
        page_of(notebook, tmp_path / "needs.ipynb")
    assert raised.value.text == "# Words"


def test_a_page_has_the_words_the_code_and_what_it_prints(tmp_path):
    printed = [
        nbformat.v4.new_output("stream", text='"a" < b\n'),
        nbformat.v4.new_output("execute_result", data={"text/plain": "5"}),
    ]
    notebook = notebook_with("f(x)  # <b>", printed)
    notebook.cells[0].id = "first"
    notebook.cells.insert(0, nbformat.v4.new_markdown_cell("<h1>Words</h1>"))
    made = page_of(notebook, tmp_path / "small.ipynb")
    assert (made.name, made.files) == ("small", {})
    title, _, rest = made.html.partition("\n")
    assert title == "<h1>Words</h1>"
    link, _, rest = rest.partition("\n\n")
    assert link == (
        '<p class="nb-download"><a href="small.ipynb" download>Download this notebook</a> and run '
        "it yourself; it needs nothing, and Jupyter.</p>"
    )
    code, _, output = rest.partition("</code></pre></div>")
    assert BeautifulSoup(code, "html.parser").get_text() == "f(x)  # <b>"
    assert output == (
        '<div class="nb-output" tabindex="0" role="group" aria-label="Output">'
        '<pre>"a" &lt; b\n5</pre></div></div>'
    )


WORDS = {
    "title": "A title <T>",
    "alt": "From {{ 0 : d }} to {{ 1 : .1f }}.",
    "caption": "A (drawing) in words.",
}


def test_a_figure_without_words_is_refused(tmp_path):
    drawing = mpl.figure.Figure()
    output = nbformat.v4.new_output(
        "display_data", data={"text/html": notebook_display.figure_html(drawing)}
    )
    notebook = notebook_with("draw()", [output], {"figure": {"title": "A title"}})
    with pytest.raises(PageError, match=r"must have alt, caption and title, got \['title'\]"):
        page_of(notebook, tmp_path / "figure.ipynb")


def test_figures_are_numbered_and_have_their_words_files_and_links(tmp_path):
    plane = go.Figure(go.Surface(z=np.eye(2), cmin=-1, cmax=1))
    surface = notebook_display.Renderer().to_mimebundle(plane.to_dict())["text/html"]
    shown = [notebook_display.figure_html(mpl.figure.Figure()), surface]
    outputs = [nbformat.v4.new_output("display_data", data={"text/html": html}) for html in shown]
    made = page_of(notebook_with("draw()", outputs, {"figure": WORDS}), tmp_path / "two.ipynb")
    page = BeautifulSoup(made.html, "html.parser")
    for name, bundle in (("figure-1", None), ("figure-2", "plotly-gl3d.min.js")):
        part = page.find("div", id=name)
        words = part.title.string, part.desc.string, part.figcaption.string
        assert words == (WORDS["title"], "From 0 to 1.0.", WORDS["caption"])
        assert part.find(class_="pf-stage")["style"] == "aspect-ratio:460.8/345.6"
        assert ">From 0 to 1.0.</desc>" in made.files[f"{name}.svg"].decode()
        assert Image.open(io.BytesIO(made.files[f"{name}.png"])).format == "PNG"
        links = part.find(class_="pf-links").find_all("a")
        assert {link.string: link["href"] for link in links} == {
            **({"Data (JSON)": f"{name}.json"} if bundle else {}),
            "SVG": f"{name}.svg",
            "PNG": f"{name}.png",
            "Embed or cite": f"../../embed/two-{name}/#share",
            "Permalink": f"#{name}",
        }
        assert part.get("data-bundle") == bundle
    assert json.loads(made.files["figure-2.json"])["data"][0]["type"] == "surface"
    assert len(made.files) == 5


in_a_kernel = pytest.mark.filterwarnings("ignore:InlineBackend:DeprecationWarning")


@pytest.fixture
def shell():
    """The part of a kernel's shell that shows results, after the build has prepared it."""
    from IPython.core.formatters import DisplayFormatter
    from matplotlib_inline.config import InlineBackend

    shell, usual = SimpleNamespace(display_formatter=DisplayFormatter()), pio.renderers.default
    with mpl.rc_context():
        notebook_display.install(shell)
        yield shell
    pio.renderers.default = usual
    InlineBackend.clear_instance()


@in_a_kernel
def test_a_kernel_shows_figures_only_as_the_site_does(shell):
    from matplotlib_inline.config import InlineBackend

    shown, _ = shell.display_formatter.format(mpl.figure.Figure())
    assert shown.keys() == {"text/plain", "text/html"}
    assert shown["text/html"].startswith('<figure class="pf"><img ')
    assert InlineBackend.instance().figure_formats == set(), "a PNG beside the HTML"
    assert pio.renderers.default == "posenc"
    assert isinstance(pio.renderers["posenc"], notebook_display.Renderer)


@in_a_kernel
@pytest.mark.usefixtures("shell")
def test_a_figure_of_a_notebook_has_the_size_and_the_look_of_those_on_pages():
    own, (others, theirs) = mpl.figure.Figure(), _style.canvas()
    ax = own.subplots()
    assert own.get_size_inches().tolist() == others.get_size_inches().tolist()
    assert type(own.get_layout_engine()) is type(others.get_layout_engine())
    assert own.get_facecolor() == others.get_facecolor()
    assert ax.get_facecolor() == theirs.get_facecolor()
    assert ax.xaxis.label.get_color() == _style.INK


def test_a_plotly_figure_without_a_static_twin_is_refused():
    with pytest.raises(TypeError, match=r"must be one surface, got \['scatter'\]"):
        notebook_display.Renderer().to_mimebundle({"data": [{"type": "scatter"}]})


def test_a_surface_has_the_colours_of_the_page_and_is_seen_from_a_corner():
    figure = go.Figure(go.Surface(z=np.array([[1 / 3, 0]]), cmin=-1, cmax=1, name="</b>"))
    html = notebook_display.Renderer().to_mimebundle(figure.to_dict())["text/html"]
    assert "</b>" not in html  # it would end the script
    axis = {
        "backgroundcolor": "rgba(0,0,0,0)",
        "gridcolor": "var(--fig-grid)",
        "zerolinecolor": "var(--fig-grid)",
    }
    z = {"dtype": "f4", "bdata": base64.b64encode(np.float32([1 / 3, 0])).decode(), "shape": "1, 2"}
    assert json.loads(BeautifulSoup(html, "html.parser").script.string) == {
        "data": [{"type": "surface", "name": "</b>", "cmin": -1, "cmax": 1, "z": z}],
        "layout": {
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "margin": {"l": 0, "r": 0, "t": 28, "b": 0},
            "scene": {
                **dict.fromkeys(("xaxis", "yaxis", "zaxis"), axis),
                "camera": {"eye": {"x": -1.6, "y": -1.6, "z": 1}, "center": {"z": -0.15}},
            },
        },
    }


def test_the_static_twin_of_a_surface_has_its_numbers_colours_and_names():
    names = {"xaxis": "column", "yaxis": "position", "zaxis": "value"}
    scene = {axis: {"title": {"text": text}} for axis, text in names.items()}
    surface = go.Surface(z=[[0.0, 0.5], [0.25, 0.75]], cmin=-1, cmax=1)
    twin = notebook_display.as_seen_from_above(go.Figure(surface, {"scene": scene}))
    main, bar = twin.axes
    (image,) = main.images
    assert (main.get_xlabel(), main.get_ylabel(), bar.get_ylabel()) == tuple(names.values())
    assert (image.get_interpolation(), main.get_aspect()) == ("none", "auto")
    assert image.get_clim() == (-1, 1)
    assert bar.get_yticks().tolist() == [-1, 0, 1]
    assert not image.colorbar.outline.get_visible()
    whole = mpl.figure.Figure().subplots().get_position().width
    assert bar.get_position().x0 - main.get_position().x1 == pytest.approx(0.02 * whole)


@pytest.mark.torch
def test_pytorch_prints_what_is_committed():
    torch = pytest.importorskip(
        "torch", reason="PyTorch is not installed: pip install torch==2.13.0"
    )
    if not torch.__version__.startswith("2.13.0"):
        pytest.skip(f"the outputs are those of PyTorch 2.13.0, installed is {torch.__version__}")
    for package, version in {"onnxscript": "0.7.2", "onnxruntime": "1.31.1"}.items():
        pytest.importorskip(package, reason=f"not installed: pip install {package}=={version}")
    made = json.loads(notebook_run.executed(FOLDER / "pytorch.ipynb"))
    for cell, committed in zip(made["cells"], SOURCES["pytorch"]["cells"], strict=True):
        assert cell.get("outputs") == committed.get("outputs"), "".join(cell["source"])
