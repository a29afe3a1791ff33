"""What screen readers hear of the theme's search and of its navigation."""

from __future__ import annotations

FOUND = 'class="md-search-result__meta"'  # the theme writes the number of results there
CHECKBOX, LABEL = 'id="__toc"', ' for="__toc"'


def with_labels(html: str) -> str:
    """The page `html` that says how many results the search finds, without a label for nothing."""
    if CHECKBOX not in html:  # the theme adds it only to pages of the navigation
        html = html.replace(LABEL, "")
    return html.replace(FOUND, f'{FOUND} role="status"')
