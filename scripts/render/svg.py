"""A Matplotlib figure as an SVG that follows the reader's colour scheme."""

from __future__ import annotations

import base64
import io
import re
import xml.etree.ElementTree as etree
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_svg import FigureCanvasSVG
from PIL import Image

from scripts.figures import _style
from scripts.render import compact, packed, palette, scales

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_STANDALONE = (
    '<style id="standalone">svg{{color-scheme:light dark;{light}}}'
    "@media(prefers-color-scheme:dark){{svg{{{dark}}}}}</style>"
)

etree.register_namespace("", _SVG)
etree.register_namespace("xlink", _XLINK)


def themed(figure: Any, name: str, title: str, description: str) -> str:
    """`figure`, drawn in the colours of `_style.RC`, as an SVG that follows the reader's scheme."""
    settings: Any = {"svg.fonttype": "none", "svg.hashsalt": name}
    with mpl.rc_context(settings):
        root = etree.fromstring(_plain(figure))
    scales.mark(root, figure)
    _drop_what_a_page_does_not_need(root)
    _own_ids(root, name)
    compact.compact(root, redrawn=_style.REDRAWN)
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
    head, title, rest = text.partition("<title")
    return f"{head}{standalone_style(used_in=text)}{title}{rest}\n"


def standalone_style(*, used_in: str = "") -> str:
    """The figure palette of the site's stylesheet, for an SVG outside of any page."""
    light, dark = (palette.style(name, used_in=used_in) for name in (palette.LIGHT, palette.DARK))
    return _STANDALONE.format(light=light, dark=dark)


def _plain(figure: Any) -> str:
    """`figure` on no paper. It keeps its layout, which takes longer than drawing, for its PNG.

    `figure.savefig` would draw everything once more, into nothing, before it writes.
    """
    for part in figure.findobj(lambda part: hasattr(part, "patch")):  # the figure and its axes
        part.patch.set(facecolor="none", edgecolor="none")
    figure.set_dpi(mpl.rcParams["figure.dpi"])  # of images
    buffer = io.StringIO()
    FigureCanvasSVG(figure).print_svg(buffer)  # type: ignore[no-untyped-call]
    figure.set_layout_engine("none")
    return buffer.getvalue()


def _drop_what_a_page_does_not_need(root: etree.Element) -> None:
    """Drop metadata, the style that would leak into the page, invisible background paths."""
    for parent in list(root.iter()):
        for child in list(parent):
            tag = child.tag.rpartition("}")[2]
            invisible = tag == "path" and child.get("style", "").strip() == "fill: none"
            leaks = tag == "defs" and child.find(f"{{{_SVG}}}style") is not None
            if tag == "metadata" or leaks or invisible:
                parent.remove(child)
    for element in root.iter():
        for key, value in element.attrib.items():
            if value.startswith("data:"):
                element.set(key, _small_picture("".join(value.split())))
            elif key == "style":
                element.set(key, re.sub(r"font-family: [^;]*;? ?", "", value))


def _small_picture(uri: str) -> str:
    """The PNG in `uri` in its smallest form with the same pixels.

    A heatmap is smallest with a palette, since a colormap has few colours; a colour bar without.
    """
    kind, _, content = uri.partition(",")
    with Image.open(io.BytesIO(base64.b64decode(content))) as opened:
        whole = opened.convert("RGBA")
    pixels = np.asarray(whole)
    opaque = bool((pixels[..., 3] == 255).all())
    forms = [packed.png(whole.convert("RGB") if opaque else whole)]
    colors, index = np.unique(pixels.reshape(-1, 4), axis=0, return_inverse=True)
    if len(colors) <= 256:
        picture = Image.fromarray(index.reshape(pixels.shape[:2]).astype(np.uint8))
        picture.putpalette(colors[:, :3].tobytes(), "RGB")
        shades = {} if opaque else {"transparency": colors[:, 3].tobytes()}
        forms.append(packed.png(picture, **shades))
    return f"{kind},{base64.b64encode(min(forms, key=len)).decode()}"


def _own_ids(root: etree.Element, name: str) -> None:
    """Number the ids that something refers to, after the figure's name, and drop the others."""
    text = etree.tostring(root, encoding="unicode")
    used = re.findall(r"url\(#([^)]+)\)|href=\"#([^\"]+)\"", text)
    own = {old: f"{name}-{number}" for number, old in enumerate(dict.fromkeys(map("".join, used)))}
    for element in root.iter():
        for key, value in list(element.attrib.items()):
            if key == "id" and value not in own:
                del element.attrib["id"]
            elif key == "id":
                element.set("id", own[value])
            elif key == f"{{{_XLINK}}}href" and value.startswith("#"):
                element.set(key, f"#{own[value[1:]]}")
            elif found := re.search(r"url\(#([^)]+)\)", value):
                element.set(key, value.replace(found[1], own[found[1]]))
