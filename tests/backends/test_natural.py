"""Which subscripts machine code is told are not negative, and that all others still count from the end."""

import ast

import numpy as np
import pytest

import srcad
from srcad.backends.natural import with_natural_subscripts
from srcad.backends.source import Source


def marked(header, *lines):
    """The subscripts of some lines in a function that are said not to be negative."""
    text = f"def f({header}):\n" + "".join(f"    {line}\n" for line in lines)
    tree = with_natural_subscripts(Source("f", text, "")).tree
    calls = [node for node in ast.walk(tree or ast.parse("")) if isinstance(node, ast.Call)]
    return [ast.unparse(call.args[1]) for call in calls if getattr(call.func, "id", "") == "natural"]


@pytest.mark.parametrize("header, lines, found", [
    ("x, n", ["for i in range(1, n):", "    x[i] = x[i - 1] + x[i - 2]"], ["i - 1"]),
    ("x, n", ["for i in range(n - 2, 0, -1):", "    x[i - 1] = x[i - 2]"], ["i - 1"]),
    ("x, n", ["for i in range(n):", "    x[n - 1 - i] = x[n - 2 - i]"], ["n - 1 - i"]),
    ("x, n", ["for i in range(n):", "    for j in range(i, n):", "        x[j - i] = x[i - j] + x[j]"], ["j - i"]),
    ("x, n", ["for i in range(n):", "    n -= 2", "    x[n - i] = 1.0"], []),
    ("x, n", ["for i in range(n):", "    i -= 2", "    x[i + 1] = 1.0"], []),
    ("x, n", ["for i in range(n):", "    pass", "x[i + 1] = x[i]"], []),
    ("x, n", ["for i in range(-1, n):", "    x[i] = x[i + 1]"], ["i + 1"]),
    ("x, n", ["k = 0", "for i in range(n):", "    k = k + i", "    x[k + i] = 1.0"], ["k + i"]),
    ("x, n", ["k = 3", "for i in range(n):", "    k = k - i", "    x[k + i] = 1.0"], []),
    ("x", ["n, m = x.shape", "for i in range(n):", "    x[i, (i + 1) % m] = x[i, i * m]"], ["(i + 1) % m", "i * m"]),
    ("x, y", ["for i in range(len(x)):", "    x, y = y, x", "    x[len(x) - 1 - i] = 1.0"], []),
    ("x, k, n", ["for i in range(n):", "    x[k[i]] = x[k[i + 1]]"], ["i + 1"]),
])  # fmt: skip
def test_what_cannot_be_negative_is_found(header, lines, found):
    assert sorted(marked(header, *lines)) == sorted(found)


def around(x):
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i - 1] * x[i - 2] ** 2 * x[(i + 1) % x.shape[0]]
    return total


def test_what_counts_from_the_end_still_does():
    x = np.linspace(0.5, 1.5, 7)
    found = srcad.grad(around, target="cpu")(x)
    np.testing.assert_allclose(found, srcad.grad(around, target="python", optimize=False)(x), rtol=1e-12)
