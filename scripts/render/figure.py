"""A figure as files: themed SVG, compact Plotly JSON, CSV, and the source that makes it."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
import warnings
import xml.etree.ElementTree as etree
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import matplotlib as mpl
import numpy as np
from PIL import Image

import posenc
from scripts.figures import _style
from scripts.files import DOCS
from scripts.pages import extension
from scripts.render import scales

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_STANDALONE = (
    '<style id="standalone">svg{{color-scheme:light dark;{light}color:#1f2328;background:#fff}}'
    "@media(prefers-color-scheme:dark){{svg{{{dark}color:#e2e4e9;background:#1e2129}}}}</style>"
)
_COORDINATES = {"d", "x", "y", "points"}
_DECIMAL = re.compile(r"-?\d+\.\d+")
_PALETTE = re.compile(r"(--fig-[\w-]+):\s*([^;}]+)")

etree.register_namespace("", _SVG)
etree.register_namespace("xlink", _XLINK)


class FigureError(Exception):
    """A figure that cannot be drawn, or whose numbers are not finite."""


def files(name: str) -> dict[str, bytes]:
    """Every file that the figure `name` consists of, by its name under docs/figures/."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)  # NumPy's for log(-1) and the like
            made = _texts(name, import_module(f"scripts.figures.{name}"))
    except Exception as error:
        raise FigureError(f"{type(error).__name__}: {error}") from error
    return {path: text.encode() for path, text in made.items()}


def _texts(name: str, module: ModuleType) -> dict[str, str]:
    data = module.data()
    _check_finite(data)
    extension.plain(module.CAPTION)  # a mistake in it is the figure's, not the page's
    return {
        f"{name}.svg": _svg(name, module, data),
        f"{name}.json": plotly_json(module.interactive(data)),
        f"{name}.csv": _csv(module.table(data)),
        f"{name}.py.txt": Path(str(module.__file__)).read_text("utf-8"),
    }


def _check_finite(data: Any) -> None:
    for field, value in vars(data).items():
        array = np.asarray(value)
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ValueError(f"Data.{field} must be finite, got {array[~np.isfinite(array)][0]}")


def _svg(name: str, module: ModuleType, data: Any) -> str:
    settings: Any = _style.RC
    with mpl.rc_context(settings):
        figure = module.static(data)
        title = (module.__doc__ or "").splitlines()[0].rstrip(".")
        return themed(figure, name, title, extension.plain(module.ALT))


def themed(figure: Any, name: str, title: str, description: str) -> str:
    """`figure`, drawn in the colours of `_style.RC`, as an SVG that follows the reader's scheme."""
    settings: Any = {"svg.fonttype": "none", "svg.hashsalt": name}
    with mpl.rc_context(settings):
        buffer = io.StringIO()
        figure.savefig(
            buffer, format="svg", metadata={"Date": None, "Creator": None}, transparent=True
        )
    root = etree.fromstring(buffer.getvalue())
    scales.mark(root, figure)
    _drop_what_a_page_does_not_need(root)
    _own_ids(root, name)
    for attribute in ("width", "height", "version"):
        root.attrib.pop(attribute)
    root.attrib.update(
        {
            "role": "img",
            "aria-labelledby": f"{name}-title {name}-desc",
            "stroke-linejoin": "round",
            "font-family": "system-ui, sans-serif",
        }
    )
    root[:0] = [etree.Element(f"{{{_SVG}}}{tag}", id=f"{name}-{tag}") for tag in ("title", "desc")]
    root[0].text, root[1].text = title, description
    text = re.sub(r">\s+<", "><", etree.tostring(root, encoding="unicode"))
    for sentinel, css in _style.CSS.items():
        text = text.replace(sentinel, css)
    return text.replace("><title", f">{standalone_style()}<title", 1) + "\n"


def standalone_style() -> str:
    """The figure palette of the site's own stylesheet, for an SVG that stands alone."""
    sheet = (DOCS / "assets" / "site" / "style.css").read_text("utf-8")
    rule = r"\[data-md-color-scheme=(default|slate)\]\s*\{([^}]*--fig-1[^}]*)\}"
    colors = {
        scheme: "".join(f"{key}:{value.strip()};" for key, value in _PALETTE.findall(body))
        for scheme, body in re.findall(rule, sheet)
    }
    return _STANDALONE.format(light=colors["default"], dark=colors["slate"])


def _drop_what_a_page_does_not_need(root: etree.Element) -> None:
    """Metadata, the style that would leak into the page, invisible background paths."""
    for parent in list(root.iter()):
        for child in list(parent):
            tag = child.tag.rpartition("}")[2]
            invisible = tag == "path" and child.get("style", "").strip() == "fill: none"
            leaks = tag == "defs" and any(part.tag.endswith("style") for part in child)
            if tag == "metadata" or leaks or invisible:
                parent.remove(child)
    for element in root.iter():
        for key, value in element.attrib.items():
            if value.startswith("data:"):
                element.set(key, _small_picture("".join(value.split())))
            elif key == "style":
                element.set(key, re.sub(r"font-family: [^;]*;? ?", "", value))
            elif key in _COORDINATES:
                element.set(key, " ".join(_DECIMAL.sub(_short, value).split()))


def _short(number: re.Match[str]) -> str:
    """A coordinate to a tenth of a point, which is enough for a picture."""
    return f"{float(number[0]):.1f}".removesuffix(".0")


def _small_picture(uri: str) -> str:
    """The PNG in `uri` with a palette, pixel for pixel the same: a colormap has few colours."""
    kind, _, content = uri.partition(",")
    with Image.open(io.BytesIO(base64.b64decode(content))) as opened:
        pixels = np.asarray(opened.convert("RGBA"))
    colors, index = np.unique(pixels.reshape(-1, 4), axis=0, return_inverse=True)
    if len(colors) > 256:
        return uri
    picture = Image.fromarray(index.reshape(pixels.shape[:2]).astype(np.uint8), mode="P")
    picture.putpalette(colors[:, :3].tobytes(), "RGB")
    transparency = {"transparency": colors[:, 3].tobytes()} if (colors[:, 3] < 255).any() else {}
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", optimize=True, **transparency)
    return f"{kind},{base64.b64encode(buffer.getvalue()).decode()}"


def _own_ids(root: etree.Element, name: str) -> None:
    """Ids that are referred to get the figure's name as a prefix, the others go."""
    text = etree.tostring(root, encoding="unicode")
    used = set(re.findall(r"url\(#([^)]+)\)", text)) | set(re.findall(r'href="#([^"]+)"', text))
    for element in root.iter():
        for key, value in list(element.attrib.items()):
            if key == "id" and value not in used:
                del element.attrib["id"]
            elif key == "id":
                element.set("id", f"{name}-{value}")
            elif key == f"{{{_XLINK}}}href" and value.startswith("#"):
                element.set(key, f"#{name}-{value[1:]}")
            elif "url(#" in value:
                element.set(key, value.replace("url(#", f"url(#{name}-"))


def plotly_json(figure: Any) -> str:
    """What the page's script hands to Plotly: no default template, no z that it can compute."""
    content = json.loads(figure.to_json())
    content["layout"].pop("template", None)
    for trace, drawn in zip(content["data"], figure.data, strict=True):
        if matrix := (trace.get("meta") or {}).get("matrix"):
            if not np.array_equal(drawn.z, _computed_by_the_page(**matrix)):
                raise ValueError(f"z must be what the page computes from meta, {matrix}")
            del trace["z"]
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False) + "\n"


def _computed_by_the_page(
    length: int, d_model: int, base: float, columns: list[int] | None = None
) -> Any:
    values = posenc.positional_encoding(length, d_model, base=base)
    return values[:, columns or range(d_model)].astype(np.float32)


def _csv(columns: dict[str, np.ndarray]) -> str:
    if len({len(column) for column in columns.values()}) != 1:
        raise ValueError("table() must give columns of one length")
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*(np.asarray(c).tolist() for c in columns.values()), strict=True))
    return buffer.getvalue()
