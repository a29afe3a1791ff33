"""The figures, one module each; a module whose name starts with `_` is shared by several.

A figure module holds CAPTION (Markdown) and ALT (plain text), both with `{{ }}` numbers,
a frozen Data, `data()`, `table(data)` for the CSV, `static(data)` in Matplotlib and
`interactive(data)` in Plotly. The two renderers do no arithmetic.
"""

from __future__ import annotations

import pkgutil


def names() -> list[str]:
    """The names of all figures, sorted."""
    return sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
