"""Plotly's bundles and the maths font, from npm, or else Plotly from its Python package."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
from pathlib import Path

import plotly.offline
from fontTools import subset
from fontTools.ttLib import TTFont, TTLibError

from scripts import files
from scripts.files import ROOT, VENDOR

MATH_FONT = VENDOR / "stix-two-math.woff2"
_MODULES = ROOT / "node_modules"
_LOCK, _STAMP = ROOT / "package-lock.json", _MODULES / ".posenc-lock"
_BUNDLES = ("cartesian", "gl3d")
_FONT_SOURCE = "@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2"

# The characters of our formulas: ASCII, Greek, the italic letters that MathML shows instead,
# operators and fences. A test checks that every formula keeps to them.
MATH_CHARACTERS = "".join(
    [
        *map(chr, range(0x20, 0x7F)),
        *map(chr, range(0x1D434, 0x1D468)),  # italic Latin
        *map(chr, range(0x1D6FC, 0x1D715)),  # italic small Greek
        "ΓΔΘΛΠΣΦΨΩαβγδεζηθικλμνξπρςστυφχψωℎ",
        "±×÷·⋅−√∑∏∫∞≈≠≤≥≪≫∈→⊤∥⟨⟩‖⌊⌋⌈⌉⋯…⋮⋱′∗ℝℤ⊕\u00a0\u2061",
    ]
)


def collect() -> tuple[dict[str, bytes], str]:
    """The files for assets/vendor/ by name, and a line that names their source."""
    missing = _npm_parts_missing()
    if missing:
        bundle = Path(plotly.offline.__file__).parent.parent / "package_data" / "plotly.min.js"
        line = f"all of Plotly, from the Python package; the reader's own maths fonts ({missing})"
        return {"plotly.min.js": bundle.read_bytes()}, line
    made = {
        f"plotly-{part}.min.js": (
            _MODULES / f"plotly.js-{part}-dist-min" / f"plotly-{part}.min.js"
        ).read_bytes()
        for part in _BUNDLES
    }
    made[MATH_FONT.name] = _math_font(_MODULES / _FONT_SOURCE)
    return made, "Plotly's cartesian and gl3d bundles and the STIX Two Math font, from npm"


def are_installed() -> bool:
    """Whether npm has installed the versions of the lock file."""
    return _STAMP.is_file() and _STAMP.read_bytes() == _LOCK.read_bytes()


def _npm_parts_missing() -> str:
    """Run `npm ci` if necessary; the reason if its packages are missing, else an empty text.

    In CI, a failure of npm stops the build. Else the published site would weigh more, unnoticed.
    """
    npm = shutil.which("npm")
    if are_installed():
        return ""
    if npm is None:
        return "npm is not on the PATH"
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if done.returncode:
        failed = f"npm ci failed: {_reason(done.stderr.decode(errors='replace'))}"
        if os.environ.get("CI") == "true":
            raise files.BuildError(failed)
        return failed
    files.write(_STAMP, _LOCK.read_bytes())
    return ""


def _reason(said: str) -> str:
    """The line of npm's messages that says why it failed: the first one, after its codes."""
    lines = [re.sub(r"^npm (error|ERR!)", "", line).strip() for line in said.splitlines()]
    codes = ("code ", "syscall ", "errno ", "path ")
    return next((line for line in lines if line and not line.startswith(codes)), "no message")


def _math_font(source: Path) -> bytes:
    """The font with only the glyphs that formulas need, and with its MATH table."""
    try:
        font = TTFont(source, recalcTimestamp=False)
    except TTLibError as error:
        raise files.BuildError(f"{source}: {error}; remove node_modules") from error
    _narrow_the_root(font)
    options = subset.Options(
        layout_features=["ssty"], hinting=False, glyph_names=False, name_IDs=[0, 1, 2, 13, 14]
    )
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=MATH_CHARACTERS)
    subsetter.subset(font)
    font.flavor = "woff2"
    buffer = io.BytesIO()
    font.save(buffer)
    return buffer.getvalue()


def _narrow_the_root(font: TTFont) -> None:
    """Keep two sizes of the root sign, both as wide as the small one.

    Chromium reserves the width of the widest size for every root, which would leave a gap
    after small ones.
    """
    variants = font["MATH"].table.MathVariants
    root = font.getBestCmap()[ord("√")]
    sizes = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(root)]
    sizes.GlyphAssembly = None
    sizes.MathGlyphVariantRecord = sizes.MathGlyphVariantRecord[:2]
    sizes.VariantCount = 2
    width, _ = font["hmtx"][root]
    tall = sizes.MathGlyphVariantRecord[1].VariantGlyph
    tall_width, bearing = font["hmtx"][tall]
    glyph = font["glyf"][tall]
    glyph.coordinates.scale((width / tall_width, 1))
    glyph.coordinates.toInt()
    glyph.recalcBounds(font["glyf"])
    font["hmtx"][tall] = (width, round(bearing * width / tall_width))
