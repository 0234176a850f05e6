"""Time steps in place whose states live in the rows of their record, and those that have to work on one array."""

from __future__ import annotations

import numpy as np
import pytest

import srcad
from tests.transforms.test_blocks import flat, ran


def triangle(x, c, n):
    v = np.sin(x)
    for t in range(n - 1, -1, -1):
        for i in range(t + 1):
            v[i] = c * v[i + 1] * v[i]
    return v[0] + np.sum(v**2)


def two_ahead(x, c, n):
    v = np.sin(x)
    for t in range(n):
        for i in range(1, n - t - 2):  # none at last, and then fewer than none
            v[i] = c * v[i] * v[i] + v[i + 2] * v[i + 1]
        v[0] += v[1]
    return np.sum(v**3)


def own_length(x, c, n):
    v = np.sin(x)
    for _ in range(n):
        for i in range(v.shape[0] - 1):
            new = c * v[i + 1] * v[i]
            v[i] = new
        v[-1] = v[0] ** 2
    return np.sum(v**2)


def behind(x, c, n):
    v = np.sin(x)
    for _ in range(n):
        for i in range(1, n):
            v[i] = c * v[i - 1] * v[i]
    return np.sum(v**2)


def the_first(x, c, n):
    v = np.sin(x)
    for _ in range(n):
        for i in range(n):
            v[i] = c * v[0] * v[i + 1]
    return np.sum(v**2)


def as_far_as_they_say(x, c, n):
    v = np.sin(x)
    for _ in range(n):
        for i in range(int(1.0 + v[0])):
            v[i] = c * v[i + 1] * v[i]
    return np.sum(v**2)


def downwards(x, c, n):
    v = np.sin(x)
    for _ in range(n):
        for i in range(n - 1, -1, -1):
            v[i] = c * v[i + 1] * v[i]
    return np.sum(v**2)


STEPS = [triangle, two_ahead, own_length, behind, the_first, as_far_as_they_say, downwards]


def _rows(text):
    return "_tape[-1]" in text


@pytest.mark.parametrize("function", STEPS, ids=lambda f: f.__name__)
def test_states_in_rows_give_the_same(function):
    df = srcad.value_and_grad(function, wrt=(0, 1))
    arguments = [(0.3 + np.arange(n + 1.0) ** 0.5, 0.8, n) for n in (1, 2, 3, 4, 5, 8)]
    plain, machine = (srcad.source(df, *arguments[0], stage=stage) for stage in ("name", "blocks"))
    for each in arguments:
        found, expected = (flat(ran(df, text, each)) for text in (machine, plain))
        for one, other in zip(found, expected):
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-13)
        slope = flat(srcad.jvp(function, wrt=1, target="python")(*each, tangents=1.0))[-1]
        np.testing.assert_allclose(found[2], slope, rtol=1e-9)


@pytest.mark.parametrize("function", STEPS, ids=lambda f: f.__name__)
def test_only_steps_that_read_what_is_not_written_yet_write_to_the_next_row(function):
    text = srcad.source(srcad.value_and_grad(function), np.arange(5.0), 0.8, 4, stage="blocks")
    assert _rows(text) == (function in (triangle, two_ahead, own_length))


@pytest.mark.slow
@pytest.mark.parametrize("function", STEPS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("n", [1, 2, 7])
def test_compiled(function, n):
    arguments = 0.3 + np.arange(n + 1.0) ** 0.5, 0.8, n
    found = flat(srcad.value_and_grad(function, wrt=(0, 1))(*arguments))
    expected = flat(srcad.value_and_grad(function, wrt=(0, 1), target="python")(*arguments))
    for one, other in zip(found, expected):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-12)
