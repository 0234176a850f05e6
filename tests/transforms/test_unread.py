"""No zeros where nobody reads them, or where a sum is assigned; and no test for elements that surely are there."""

import math

import numpy as np
import pytest

import srcad
from tests.reference import difference, richardson

A, X = np.linspace(-1.0, 1.0, 12).reshape(4, 3), np.array([0.7, -0.4, 1.1])


def zeroed_and_summed(a, x):
    out = np.empty(a.shape[0])
    for i in range(a.shape[0]):
        out[i] = 0.0
        for j in range(a.shape[1]):
            if x[j] > 0.0:
                out[i] += math.sin(a[i, j]) * x[j]
    return np.sum(out**2)


def stored_once(a, x):
    out = np.empty(a.shape[0])
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += math.sin(a[i, j]) * x[j]
        out[i] = s
    total = 0.0
    for i in range(a.shape[0]):
        total += out[i] ** 2 * out[0]
    return total


def stored_in_every_step(a, x):
    out = np.zeros(a.shape[0])
    total = 0.0
    for k in range(3):
        for i in range(a.shape[0]):
            out[i] = math.sin(a[i, k] + 0.5 * total) * x[k]
        for i in range(a.shape[0]):
            total += out[i] * out[0]
    return total


def kept_from_the_last_step(a, x):
    out = a[:, 0].copy()
    total = 0.0
    for k in range(3):
        for i in range(a.shape[0]):
            if a[i, k] > -0.5:
                out[i] = math.sin(a[i, k]) * out[i - 1]
        total += x[k] * np.sum(out)
    return total


def one_element_for_all(a, x):
    held = np.sin(x)
    total = 0.0
    for i in range(a.shape[0]):
        total += held[i // 2] * a[i, 1]
        held[i // 2] = a[i, 0] * x[0]
    return total + held[2]


def second_names(a, x):
    now, then = np.zeros(3), np.zeros(3)
    for i in range(a.shape[0]):
        for j in range(3):
            then[j] = now[j - 1] * x[j] + a[i, j]
        now, then = then, now
    return np.sum(now**2)


CASES = [
    zeroed_and_summed, stored_once, stored_in_every_step, kept_from_the_last_step, one_element_for_all, second_names,
]  # fmt: skip


@pytest.mark.parametrize("f", CASES)
def test_gradients(f):
    for position, gradient in enumerate(srcad.grad(f, wrt=("a", "x"), target="python")(A, X)):
        assert difference(gradient, richardson(f, (A, X), position)[0]) < 1e-8


@pytest.mark.parametrize("f", CASES[:2])
def test_zeros_that_nobody_reads_are_not_stored(f):
    assert "out_bar[i] = 0.0" not in srcad.source(srcad.grad(f, wrt=("a", "x"), target="python"), A, X)


@pytest.mark.parametrize("f, store", [
    (kept_from_the_last_step, "out_bar[i] = 0.0"), (one_element_for_all, "held_bar[i // 2] = "),
])  # fmt: skip
def test_zeros_that_another_iteration_reads_are_stored(f, store):
    assert store in srcad.source(srcad.grad(f, wrt=("a", "x"), target="python"), A, X)


def forces(a, x):
    force = np.zeros((a.shape[0], 2))
    total = 0.0
    for _ in range(2):
        for i in range(a.shape[0]):
            force[i, 0] = 0.0
            force[i, 1] = x[1]
            for j in range(a.shape[0]):
                if j != i:
                    force[i, 0] += 1.0 / (1.0 + (a[i, 0] - a[j, 0]) ** 2)
                    force[i, 1] += 1.0 / (1.0 + (a[i, 1] - a[j, 1]) ** 2)
        for i in range(a.shape[0]):
            total += force[i, 0] ** 2 + force[i, 1] ** 4
    return total


def test_what_the_block_writes_anyway_is_there():
    """The element is written before the loop that adds to it, which may add nothing: no test asks for it.

    What begins at zero is assigned behind the loop.
    """
    text = srcad.source(srcad.grad(forces, wrt=("a", "x"), target="python"), A, X)
    assert "            force[i, 1] = x[1]\n            force_sum = 0.0\n" in text
    assert "            force[i, 0] = force_sum\n            force[i, 1] += force_sum_1\n" in text
    for position, gradient in enumerate(srcad.grad(forces, wrt=("a", "x"), target="python")(A, X)):
        assert difference(gradient, richardson(forces, (A, X), position)[0]) < 1e-8
