"""What is light to compute, computed where it is read around the end of an axis, is what it was."""

import numpy as np
import pytest

from srcad import grad, source
from tests.forms_of_derivatives import interpreted
from tests.reference import best_gradient


def fluxes(u):
    """Squares that are rolled, and cotangents that are multiplied before they are rolled back."""
    for _ in range(3):
        f = 0.5 * u**2
        u = 0.5 * (np.roll(u, -1) + np.roll(u, 1)) - 0.1 * (np.roll(f, -1) - np.roll(f, 1))
    return np.sum(u**2)


def planes(u):
    f = -0.3 * u
    return np.sum(np.roll(f, 1, axis=0) * np.roll(f, -1, axis=1) * u)


def written_between(u):
    """What is made of elements that change before they are rolled keeps its array."""
    v = u.ravel().copy()
    f = 2.0 * v
    v[0] = 5.0
    return np.sum(np.roll(f, 1) * v)


def in_place(u):
    """Two names for one array, which is added to after a multiple of it was taken."""
    v = u.ravel().copy()
    w = v
    for _ in range(2):
        g = -0.2 * w
        v += np.roll(g, 1)
        v -= g
    return np.sum(w**2)


def picked(u):
    """Elements are read of an array, not computed anew as arrays."""
    f = 2.0 * u[0]
    total = np.sum(np.roll(f, 1) * u[0])
    for i in range(f.shape[0]):
        total += f[i] ** 2
    return total


@pytest.mark.parametrize("fn", [fluxes, planes, written_between, in_place, picked], ids=lambda fn: fn.__name__)
def test_equals_differences(fn):
    for shape in ((3, 4), (1, 1)):
        u = np.random.default_rng(4).normal(size=shape)
        expected = best_gradient(fn, [u], 0)
        np.testing.assert_allclose(interpreted(grad(fn), (u,)), expected, rtol=1e-6, atol=1e-8)


def test_a_step_is_one_loop():
    text = source(grad(fluxes), np.ones(4))
    assert "f = " not in text and text.count("for i in ") == 2
