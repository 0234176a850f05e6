"""What one iteration adds to or stores, and the next one takes, is handed on in a number, for machine code."""

import numpy as np
import pytest

from srcad import grad, source
from tests.forms_of_derivatives import interpreted
from tests.reference import best_gradient


def tridiagonal(d):
    """Both sweeps of Thomas: each reads what its last iteration has stored, and so does the reverse of each."""
    n = d.shape[0]
    c, x = np.zeros(n), np.zeros(n)
    c[0], x[0] = 0.3, d[0] / 4.0
    for i in range(1, n):
        m = 4.0 + d[i] ** 2 - c[i - 1]
        c[i] = 1.0 / m
        x[i] = (d[i] - x[i - 1]) / m
    for i in range(n - 2, -1, -1):
        x[i] = x[i] - c[i] * x[i + 1]
    return np.sum(x**2)


def tree(v):
    """An array changed in place, whose reverse adds to the element that its last iteration has stored."""
    v = v.copy()
    for step in range(v.shape[0] - 1, 0, -1):
        for i in range(step):
            v[i] = 0.9 * (0.4 * v[i + 1] + 0.6 * v[i])
    return v[0] ** 2


def kept(v):
    """Elements that are taken, added to, and not stored."""
    w = np.sin(v)
    total = 0.0
    for i in range(v.shape[0] - 1):
        total += w[i] ** 2
        w[i + 1] += w[i] * v[i]
    return total + np.sum(w)


def around_the_end(v):
    """The first iteration reads the last element, which in an array of one element is its own."""
    w = v.copy()
    for i in range(v.shape[0] - 1, -1, -1):
        w[i] = 0.5 * w[i] ** 2 + w[i - 1]
    for i in range(v.shape[0]):
        w[i] = 0.3 * w[i - 1] * v[i]
    return np.sum(w**2)


def only_where_it_is_asked(v):
    w = np.zeros(v.shape[0])
    for i in range(v.shape[0]):
        w[i] = v[i] * (w[i - 1] if i > 0 else 1.0)
    return np.sum(w)


def two_names(v):
    """What may be the same array under another name stays in memory."""
    w = v.copy()
    u = w if v[0] > 5.0 else np.sin(w)
    for i in range(1, v.shape[0]):
        w[i] = w[i - 1] * v[i]
        u[i - 1] += 1.0
    return np.sum(w * u)


HANDED = [tridiagonal, tree, kept, around_the_end]


@pytest.mark.parametrize("fn", [*HANDED, only_where_it_is_asked, two_names], ids=lambda fn: fn.__name__)
@pytest.mark.parametrize("n", [1, 2, 5])
def test_equals_differences(fn, n):
    v = np.random.default_rng(n).normal(size=n)
    expected = best_gradient(lambda u, fn=fn: fn(u.copy()), [v], 0)
    np.testing.assert_allclose(interpreted(grad(fn), (v.copy(),)), expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("fn", HANDED, ids=lambda fn: fn.__name__)
def test_numbers_are_handed_on(fn):
    assert "_next = " in source(grad(fn), np.ones(3), stage="blocks")


def test_what_may_be_left_out_is_not_read_before_the_loop():
    assert "w_next" not in source(grad(only_where_it_is_asked), np.ones(3), stage="blocks")


def test_loops_that_are_sure_to_run_are_not_asked():
    text = source(grad(tree), np.ones(3), stage="blocks")
    assert "_next = " in text
    assert " if " not in text
