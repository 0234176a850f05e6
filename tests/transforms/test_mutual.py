"""Half of the pairs where both halves do the same, for machine code."""

import numpy as np
import pytest

from srcad import grad, source
from tests.forms_of_derivatives import interpreted
from tests.reference import best_gradient


MASSES = np.arange(1.0, 6.0)


def gravity(x):
    d = x[:, None, :] - x[None, :, :]
    m = MASSES
    return np.sum(m[:, None] * m[None, :] / np.sqrt(np.sum(d**2, axis=-1) + 0.01))


def lennard_jones(x):
    r2 = np.sum((x[:, None, :] - x[None, :, :]) ** 2, axis=2) + np.eye(x.shape[0])
    return np.sum((1.0 / r2**6 - 1.0 / r2**3) * (1.0 - np.eye(x.shape[0])))


def gaussian_kernel(x):
    return np.sum(np.exp(-0.5 * np.sum((x[:, None, :] - x[None, :, :]) ** 2, axis=2)))


def all_others(x):
    """The whole range twice, without an item and itself."""
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            if i != j:
                q = 0.0
                for k in range(x.shape[1]):
                    q += (x[i, k] - x[j, k]) ** 2
                total += np.exp(-q)
    return total


def by_coordinates(x):
    """What one item gets is added up, and an item is not compared with itself."""
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            if j == i:
                continue
            a, b = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1]
            total -= 0.5 * MASSES[i] * MASSES[j] / np.sqrt(a * a + b * b + 0.01)
    return total


def with_weights(x):
    """Two sums for each item, one of which belongs to the item alone."""
    u = x[:, 0]
    d2 = (u[:, None] - u[None, :]) ** 2
    return np.sum(np.log1p(d2) * np.arange(5.0)[:, None])


def around_a_ring(x):
    """The nearest image of each other one: rounding is the same on both sides but for the sign."""
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            d = x[i, 0] - x[j, 0]
            d = d - 2.5 * np.round(d / 2.5)
            total += abs(i - j) * np.exp(-d * d) * np.cos(d) + d * np.sin(d) + (i - j) * d**3
    return total


def one_sided(x):
    """The other way round, a pair does something else."""
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            q = 0.0
            for k in range(x.shape[1]):
                q += (x[i, k] - x[j, k]) ** 3
            total += np.exp(-q * x[i, 0])
    return total


def handed_on(x):
    """What a pair needs of the pair before."""
    total, last = 0.0, 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            q = (x[i, 0] - x[j, 0]) ** 2
            total += q * last
            last = np.cos(q)
    return total


def one_half(x):
    """The condition is not the same the other way round."""
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            if j < i:
                q = 0.0
                for k in range(x.shape[1]):
                    q += (x[i, k] - x[j, k]) ** 2
                total += np.sqrt(1.0 + q)
    return total


def to_the_last(x):
    """A number that is read behind the loops."""
    total, q = 0.0, 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            q = np.exp(x[i, 0] * x[j, 0])
            total += q
    return total * q


HALVED = [gravity, lennard_jones, gaussian_kernel, all_others, by_coordinates, around_a_ring]
WHOLE = [one_sided, handed_on, one_half, with_weights]


@pytest.mark.parametrize("fn", [*HALVED, *WHOLE, to_the_last], ids=lambda fn: fn.__name__)
def test_equals_differences(fn):
    x = np.random.default_rng(0).normal(size=(5, 3))
    expected = best_gradient(fn, [x], 0)
    np.testing.assert_allclose(interpreted(grad(fn), (x,)), expected, rtol=1e-6, atol=1e-8)


def half(fn) -> bool:
    text = source(grad(fn), np.ones((5, 3)), stage="blocks")
    return "range(i)" in text or "(0, i, 128)" in text


@pytest.mark.parametrize("fn", HALVED, ids=lambda fn: fn.__name__)
def test_half_of_the_pairs(fn):
    assert half(fn)


def test_blocks_go_along_the_rows_of_the_triangle():
    """Not down its columns, for the few functions that an item computes with itself: the others would stay single."""
    text = source(grad(gaussian_kernel), np.ones((5, 3)), stage="blocks")
    assert "for start in range(0, i, 128):" in text and "range(i)" not in text


@pytest.mark.parametrize("fn", WHOLE, ids=lambda fn: fn.__name__)
def test_all_pairs_where_the_halves_differ(fn):
    assert not half(fn)
