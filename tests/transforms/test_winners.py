"""Loops that pick one of their values: the reverse sweep follows the one that was picked, and nothing else."""

import numpy as np
import pytest

import srcad
from tests.transforms.test_elementwise import as_compiled


def nearest(c, x):
    total = 0.0
    for i in range(x.shape[0]):
        best = np.inf
        for j in range(c.shape[0]):
            d = 0.0
            for k in range(x.shape[1]):
                d += (x[i, k] - c[j, k]) ** 2
            if d < best:
                best = d
        total += best
    return total


def smallest_and_largest(c, x):
    low, high = x[0, 0], 0.5
    for i in range(x.shape[0]):
        low = min(np.sin(x[i, 0]) * c[0, 0], low)
        high = max(high, x[i, 1] * c[1, 0])
    return low * high


def farthest_of_nearest(c, x):
    worst = 0.0
    for i in range(x.shape[0]):
        best = 1e9
        for j in range(c.shape[0] - 1, -1, -1):
            best = np.minimum(best, (x[i, 0] - c[j, 0]) ** 2 + x[i, 1] * c[j, 1])
        worst = np.maximum(worst, best)
    return worst


def with_a_label(c, x):
    """The number of the winner is the user's own, and the loop does more than to pick."""
    total, label = 0.0, 0
    for i in range(x.shape[0]):
        best = -np.inf
        for j in range(c.shape[0]):
            s = x[i, 0] * c[j, 0]
            total += s * s
            if s > best:
                best, label = s, j
        total += best * c[label, 1]
    return total


def several_reasons(c, x):
    """One value, handed on under conditions within conditions, and an `else` that picks."""
    best = c[0, 0]
    for i in range(x.shape[0]):
        v = x[i, 0] * c[1, 1]
        if i > 0:
            if v <= best:
                pass
            else:
                best = v * v
    return best * c[0, 0]


def none_is_picked(c, x):
    best = c[0, 1]
    for i in range(x.shape[0]):
        if x[i, 0] > 1e6:
            best = x[i, 0]
    return best * x[0, 0]


def in_scratch(c, x):
    """What is picked comes from an array that each iteration fills, and another one that all of them fill."""
    q, kept = np.zeros(2), np.zeros(x.shape[0])
    best = -1e9
    for i in range(x.shape[0]):
        for k in range(2):
            q[k] = x[i, k] * c[0, k]
        kept[i] = q[0] * q[1]
        best = max(best, q[0] + q[1] ** 2)
    return best + np.sum(kept * kept)


# ---- here a value depends on more than its iteration


def of_the_best(c, x):
    best = 0.1
    for i in range(x.shape[0]):
        v = x[i, 0] * c[0, 0] + 0.5 * best
        if v > best:
            best = v
    return best


def two_best(c, x):
    first, second = -1e9, -1e9
    for i in range(x.shape[0]):
        v = x[i, 0] * c[0, 0]
        if v > first:
            second = first
            first = v
        elif v > second:
            second = v
    return first * second


def used_on_the_way(c, x):
    best, total = -1e9, 0.0
    for i in range(x.shape[0]):
        best = max(best, x[i, 0] * c[0, 1])
        total += best
    return total * best


def of_a_sum(c, x):
    best, s = -1e9, 0.0
    for i in range(x.shape[0]):
        s += x[i, 0] * c[0, 0]
        best = max(best, s)
    return best


def overwritten(c, x):
    y = x * 1.0
    best = -1e9
    for i in range(x.shape[0]):
        y[0, 0] = y[0, 0] * c[0, 0] + y[i, 1]
        best = max(best, y[0, 0] * y[i, 0])
    return best


def of_two_kinds(c, x):
    best = 0.0
    for i in range(x.shape[0]):
        if x[i, 0] > best:
            best = x[i, 0] * c[0, 0]
        elif x[i, 1] > best:
            best = x[i, 1] * c[1, 1]
    return best


PICK = (nearest, smallest_and_largest, farthest_of_nearest, with_a_label, several_reasons, none_is_picked, in_scratch)
ELSE = (of_the_best, two_best, used_on_the_way, of_a_sum, overwritten, of_two_kinds)
C, X = (np.random.default_rng(5).normal(size=shape) for shape in ((3, 2), (6, 2)))
TIES = np.ones((3, 2)), np.ones((6, 2))
UNKNOWN = C, np.where(np.arange(12).reshape(6, 2) == 4, np.nan, X)


@pytest.mark.parametrize("fn", PICK + ELSE, ids=lambda fn: fn.__name__)
def test_the_derivative_is_that_of_the_plain_reverse_sweep(fn):
    plain = srcad.value_and_grad(fn, wrt=(0, 1), target="python", optimize=False)
    for c, x in ((C, X), TIES, UNKNOWN):
        for derivative in (srcad.value_and_grad(fn, wrt=(0, 1), target="python"), as_compiled(fn, (0, 1))):
            for found, expected in zip(_flat(derivative(c, x)), _flat(plain(c, x))):
                # what was not picked adds nothing, where the plain sweep adds zero times an unknown number
                known = ~np.isnan(expected) if fn in PICK else np.full(np.shape(expected), True)
                np.testing.assert_allclose(found[known], expected[known], rtol=1e-12, atol=1e-14)


def _flat(result):
    value, slopes = result
    return np.asarray(value), *slopes


def test_compiled_in_blocks():
    x = np.random.default_rng(0).normal(size=(150, 2))
    for fn in (nearest, farthest_of_nearest):
        plain = srcad.value_and_grad(fn, wrt=(0, 1), target="python", optimize=False)
        for found, expected in zip(_flat(srcad.value_and_grad(fn, wrt=(0, 1))(C, x)), _flat(plain(C, x))):
            np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-13)


def test_nothing_is_recorded_and_one_iteration_is_reversed():
    source = srcad.source(srcad.value_and_grad(nearest, target="python"), C, X)
    assert "tape" not in source and source.count("for j in range(") == 1
    for fn in ELSE:
        assert "_at" not in srcad.source(srcad.value_and_grad(fn, target="python"), C, X).replace("_value_at", "")


def test_second_derivatives_follow_the_same_iteration():
    for fn in (nearest, smallest_and_largest):
        hessian = srcad.hessian(fn, target="python")(C, X)
        steps = srcad.grad(fn, target="python")
        shift = np.zeros_like(C)
        shift[1, 0] = 1e-6
        expected = (steps(C + shift, X) - steps(C - shift, X)) / 2e-6
        np.testing.assert_allclose(hessian[..., 1, 0], expected, rtol=1e-6, atol=1e-6)
