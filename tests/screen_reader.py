"""A page as screen readers get it: Chromium's accessibility tree."""

from __future__ import annotations


class Tree:
    """The nodes of a page's tree that screen readers do not pass over."""

    def __init__(self, page):
        listener = page.context.new_cdp_session(page)
        nodes = listener.send("Accessibility.getFullAXTree")["nodes"]
        listener.detach()
        self.known = {node["nodeId"]: node for node in nodes}
        self.nodes = [node for node in nodes if not node["ignored"]]

    def all(self, *roles):
        return [node for node in self.nodes if role(node) in roles]

    def below(self, node):
        """The nodes in `node`, in their order."""
        for child in node.get("childIds", ()):
            if (inner := self.known.get(child)) is None:
                continue
            if not inner["ignored"]:
                yield inner
            yield from self.below(inner)

    def text(self, node):
        """What a screen reader reads of the content of `node`."""
        return "".join(said(inner) for inner in self.below(node) if role(inner) == "StaticText")


def role(node):
    return node["role"]["value"]


def said(node):
    """The name of `node`, which screen readers say."""
    return node.get("name", {}).get("value", "")
