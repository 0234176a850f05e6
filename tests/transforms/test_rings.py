"""What loops around rings add to neighbours is gathered in the text for machine code, and is the same."""

from __future__ import annotations

import numpy as np
import pytest

import srcad
from tests.transforms.test_blocks import flat, ran

_rng = np.random.default_rng(3)


def advection(u0, c, steps):
    n = u0.shape[0]
    u, v = u0.copy(), np.empty(n)
    for _ in range(steps):
        for i in range(n):
            left, right = u[(i - 1) % n], u[(i + 1) % n]
            v[i] = u[i] - 0.5 * c * (right - left) + 0.5 * c * c * (right - 2.0 * u[i] + left)
        u, v = v, u
    return np.sum(u**4)


def burgers(u0, c, k):
    n = u0.shape[0]
    u, v = u0.copy(), np.empty(n)
    for _ in range(3):
        for i in range(n):
            following = (i + 1) % n
            v[i] = u[i] - c * u[i] * (u[following] - u[(i - 2) % n]) + k[i] * u[following]
        u, v = v, u
    return np.sum(u**2)


def once(x, y):
    total = 0.0
    for i in range(len(x)):
        total += x[i] * y[(i + 1) % len(x)] ** 2 + x[(i - 1) % len(x)] * y[i]
    return total


def half_way_around(x, c, steps):
    """The loop leaves out the last element: what it adds around its end is no ring."""
    n = x.shape[0] - 1
    u, v = x.copy(), x.copy()
    for _ in range(steps):
        for i in range(n):
            v[i] = u[i] + c * u[(i + 1) % n] * u[(i + 2) % (n + 1)]
        u, v = v, u
    return np.sum(u**2)


def costly(x, c, steps):
    u, v = x.copy(), x.copy()
    for _ in range(steps):
        for i in range(len(x)):
            v[i] = u[i] + c * np.sin(u[(i + 1) % len(x)])
        u, v = v, u
    return np.sum(u**2)


def arguments(function, n):
    x = _rng.normal(size=n)
    if function is once:
        return x, x[::-1] ** 2
    return x, 0.3, _rng.normal(size=n) if function is burgers else 3


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("function", [advection, burgers, once, half_way_around, costly])
def test_what_is_gathered_is_what_was_added(function, n):
    args = arguments(function, n)
    if function is half_way_around and n == 1:
        return
    df = srcad.value_and_grad(function, wrt=(0, 1))
    plain = srcad.value_and_grad(function, wrt=(0, 1), target="python", optimize=False)(*args)
    found = flat(ran(df, srcad.source(df, *args, stage="blocks"), args))
    for one, other in zip(found, flat(plain)):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("function", [advection, burgers])
def test_no_iteration_adds_to_its_neighbours(function):
    args = arguments(function, 9)
    df = srcad.value_and_grad(function)
    places = "u_bar[(i + 1) % n] += ", "u_bar[following] += "
    assert any(place in srcad.source(df, *args) for place in places)
    text = srcad.source(df, *args, stage="blocks")
    assert not any(place in text for place in places) and "in independent(range(n - " in text


def test_what_is_dear_is_not_computed_again():
    df = srcad.value_and_grad(costly)
    assert "% x.shape[0]] += " in srcad.source(df, *arguments(costly, 9), stage="blocks")
