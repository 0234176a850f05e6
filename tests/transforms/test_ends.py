"""Loops whose first and last iterations stand by themselves, for all numbers of iterations from none on."""

import numpy as np
import pytest

from srcad import grad, source
from tests.forms_of_derivatives import interpreted


def periodic(x):
    """Neighbours on a ring, as people write them who do not like ``%``."""
    n = x.shape[0]
    total = 0.0
    for i in range(n):
        left = x[i - 1] if i > 0 else x[n - 1]
        right = x[i + 1] if i < n - 1 else x[0]
        total += (left - 2.0 * x[i] + right) ** 2 * x[i]
    return total


def both_ends_at_once(x):
    """A test of two comparisons, written the other way round."""
    total = 0.0
    for i in range(x.shape[0]):
        if 1 <= i and not i == x.shape[0] - 1:
            total += x[i - 1] * x[i + 1]
        else:
            total += x[i] ** 3
    return total


def downwards(x):
    """Two iterations at each end, from the last one on."""
    n = len(x)
    y = np.zeros(n)
    for i in range(n - 1, -1, -1):
        y[i] = x[i] ** 2
        if i >= 2:
            y[i] += x[i] * x[i - 2]
        if i + 0 != n - 2:
            y[i] *= 3.0
        if i < n - 2:
            y[i] -= x[i + 2] ** 2
    return np.sum(y * y)


def walls(x):
    """Steps in time, of which the ends do something else."""
    n = len(x)
    u = x.copy()
    for t in range(3):
        new = np.empty(n)
        for i in range(n):
            if i == 0:
                new[i] = u[i] ** 2
            elif i == n - 1:
                new[i] = 0.5 * u[i]
            else:
                new[i] = u[i] + 0.1 * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]
        u = new
    return np.sum(u)


def elsewhere(x):
    """Tests that no end decides, or that are always true."""
    k = len(x) // 2
    total = 0.0
    for i in range(len(x)):
        if i > k:
            total += x[i] * x[k]
        if i >= 0:
            total += x[i] ** 2
        if i < 3:
            total -= x[i]
    return total


PROGRAMS = [periodic, both_ends_at_once, downwards, walls, elsewhere]


@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_equals_the_plain_derivative(fn):
    made, plain = grad(fn), grad(fn, target="python", optimize=False)
    for n in range(7):
        x = np.random.default_rng(n).normal(size=n)
        np.testing.assert_allclose(interpreted(made, (x,)), plain(x), rtol=1e-12, atol=1e-13, err_msg=str(n))


@pytest.mark.parametrize("fn", PROGRAMS[:-1], ids=lambda fn: fn.__name__)
def test_asks_nothing_between_the_ends(fn):
    text = source(grad(fn), np.ones(5), stage="blocks")
    assert "range(1, " in text or "range(2, " in text or ", 1, -1)" in text
    assert "_carried = 0.0" in text or fn in (both_ends_at_once, downwards)
