"""Names of HTML's elements that several modules need."""

VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}  # no end tag
