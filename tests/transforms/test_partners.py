"""Cosines beside sines: recorded in the place of what both are of, and only where nothing else is read of it."""

from __future__ import annotations

import math

import numpy as np
import pytest

import srcad
from tests.benchmarks.workloads import waves

RNG = np.random.default_rng(5)
a, w, p, d = (RNG.normal(size=4) for _ in range(4))
t, y = RNG.normal(size=6), RNG.normal(size=6)


def phases(x, w):
    angle = np.empty(len(x))
    sine = np.empty(len(x))
    total = 0.0
    for i in range(len(x)):
        angle[i] = w * x[i] ** 2
        sine[i] = math.sin(angle[i])
        total += sine[i]
    for i in range(len(x)):
        x[i] = total * sine[i] * math.cos(angle[i])
    return np.sum(x**2)


def read_twice(x, w):
    angle = np.empty(len(x))
    total = 0.0
    for i in range(len(x)):
        angle[i] = w * x[i]
        total += np.sin(angle[i])
    for i in range(len(x)):
        total *= np.cos(angle[i]) + angle[i] ** 2
    return total


CASES = [(waves.arrays, (0, 1, 2, 3), (a, w, p, d, t, y)), (phases, (0, 1), (t, 0.7)), (read_twice, (0, 1), (t, 0.7))]


@pytest.mark.parametrize(("function", "wrt", "arguments"), CASES, ids=[function.__name__ for function, _, _ in CASES])
def test_the_same_as_without(function, wrt, arguments):
    fresh = lambda: tuple(np.copy(each) if isinstance(each, np.ndarray) else each for each in arguments)
    found, expected = (
        srcad.grad(function, wrt, target="python", optimize=optimize)(*fresh()) for optimize in (True, False)
    )
    for one, other in zip(found, expected):
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_a_record_of_cosines():
    text = srcad.source(srcad.value_and_grad(waves.arrays, wrt=(0, 1, 2, 3)), a, w, p, d, t, y)
    assert "cos_total[j] = cos_total_1" in text and "np.cos(total_1)" in text and text.count("np.cos") == 1
    assert "total[j] = total_1\n" not in text.replace("cos_total[", "").replace("sin_total[", "")


def test_arguments_that_are_read_themselves_stay():
    text = srcad.source(srcad.value_and_grad(read_twice, wrt=(0, 1)), t, 0.7)
    assert "angle[i] = " in text
