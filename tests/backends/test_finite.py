"""Tests for finite numbers in machine code in which sums may be put in another order."""

import cmath
import math

import numpy as np

import srcad


def finite_sums(x, y):
    s, z, single = x + y, x + 1j * y + (y + 1j * x), (x - y).astype(np.float32)
    total = np.sum(np.where(np.isfinite(s), s, 0.0) ** 2) + np.sum(np.where(np.isfinite(z), np.abs(z) ** 2, 0.0))
    total += np.sum(np.where(np.isfinite(single), single, 0.0) ** 2)
    for i in range(x.size):
        d, c = x[i] - y[i], x[i] + 1j * y[i] + (y[i] - 1j)
        total += d**3 if math.isfinite(d) else 0.0
        total += abs(c) if cmath.isfinite(c) else 0.0
    return total


def test_sums_that_are_not_finite_are_found():
    x = np.array([1.0, np.nan, np.inf, 1e308, 3.0, -np.inf])
    y = np.array([0.5, 1.0, 2.0, 1e308, -4.0, np.inf])
    with np.errstate(invalid="ignore", over="ignore"):
        value, gradients = srcad.value_and_grad(finite_sums, wrt=("x", "y"), target="cpu")(x, y)
        expected, by_python = srcad.value_and_grad(finite_sums, wrt=("x", "y"), target="python")(x, y)
        assert np.isfinite(expected)
        np.testing.assert_allclose(value, finite_sums(x, y), rtol=1e-12)
        np.testing.assert_allclose(gradients, by_python, rtol=1e-12)
