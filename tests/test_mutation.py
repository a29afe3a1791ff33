"""The small errors that `make mutants` plants."""

import pytest

from tests.mutation.operators import mutants


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("a = b < c", ["a = (b <= c)"]),
        ("a = b == c in d", ["a = (b != c in d)", "a = (b == c not in d)"]),
        ("a = b - c", ["a = (b + c)"]),
        ("a **= b", ["a *= b", "pass"]),
        ("a = -b", ["a = (b)"]),
        ("a = b and c", ["a = (b or c)"]),
        ("a = b if not c else d", ["a = (b if not not c else d)", "a = b if (c) else d"]),
        ("a = True", ["a = False"]),
        ("a = b[2]", ["a = b[(1)]", "a = b[(3)]"]),
        ("a = 0.5", ["a = (-0.5)", "a = (1.5)"]),
        ("a = min(b, c)", ["a = max(b, c)"]),
        ("a = f(b, c)", ["a = f(c, b)"]),
        ("a = f(b, b)", []),
        ("a = f(*b, c)", []),
        ("a = f(b, key=c)", ["a = f(b)"]),
        ("f(b)", ["pass"]),
        ("a.b = c", ["pass"]),
        ("raise a", ["pass"]),
        ("def f(a: int = b[g:'3']) -> 4: return a", ["def f(a: int = b[g:'3']) -> 4: return None"]),
        ("a = f'{b + c}'", []),
        ("if TYPE_CHECKING: a = 3", []),
    ],
)
def test_each_kind_of_error_is_planted(code, changed):
    source = f"é = a\n{code}\n".encode()
    planted = [one.plant(source).decode().splitlines()[1] for one in mutants(source)]
    assert sorted(planted) == changed
