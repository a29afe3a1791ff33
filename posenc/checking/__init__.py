"""Check other implementations against the exact encodings, and name what is wrong with them.

`check` compares, `slips` lists the slips that it knows, `recipes` has the steps that they change.
"""

from posenc.checking._check import check
from posenc.checking._verdict import Verdict

__all__ = ["Verdict", "check"]
