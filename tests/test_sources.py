"""The coverage table: each row names a part of a source and links to where it is covered."""

import pytest

from tests import page_text

PAGE = "sources/index.html"
ROWS = {"000": 15, "001": 9, "002": 9, "003": 16, "004": 24}  # the parts of each document


def tables():
    article = page_text.article(page_text.pages()[PAGE])
    headings = article.xpath(".//h2[starts-with(@id, 'source-')]/@id")
    found = list(article.iter("table"))
    return dict(zip(headings, found, strict=True))


@pytest.mark.parametrize("source", ROWS)
def test_every_part_of_a_source_is_listed_and_links_to_a_heading_figure_or_notebook(source):
    pages, rows = page_text.pages(), tables()[f"source-{source}"].xpath("./tbody/tr")
    assert len(rows) == ROWS[source]
    for row in rows:
        links = [link.get("href") for link in row.xpath("./td[2]//a")]
        assert links, "".join(row.itertext())
        for link in links:
            path, _, anchor = link.removeprefix("../").partition("#")
            page = pages[PAGE if link.startswith("#") else f"{path}index.html"]
            if anchor:
                target = page.xpath(f"//*[@id='{anchor}']")
                assert [element.tag for element in target] in (["h2"], ["h3"], ["div"]), link
            else:
                assert path.startswith("notebooks/"), link
