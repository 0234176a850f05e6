"""Reverse sweeps through tables follow the entries that have a cotangent, and those alone."""

from __future__ import annotations

import numpy as np
import pytest

import srcad
from tests.corpus import trails

_rng = np.random.default_rng(5)


def warping(x, y):
    D = np.full((len(x) + 1, len(y) + 1), np.inf)
    D[0, 0] = 0.0
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            D[i, j] = (x[i - 1] - y[j - 1]) ** 2 + min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1])
    return D[len(x), len(y)]


def two_ends(x, y):
    D = np.zeros((len(x) + 1, len(y) + 1))
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            D[i, j] = x[i - 1] * y[j - 1] + max(D[i - 1, j], D[i, j - 1])
    return D[len(x), len(y)] + D[len(x), len(y) // 2]


def both_neighbours(x, y):
    D = np.zeros((len(x) + 1, len(y) + 1))
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            D[i, j] = x[i - 1] * y[j - 1] + max(D[i - 1, j], D[i, j - 1]) + 0.1 * min(D[i - 1, j - 1], D[i, j - 1])
    return D[len(x), len(y)]


def source(fn, *args, wrt=(0, 1)):
    return srcad.source(srcad.value_and_grad(fn, wrt=wrt), *args)


def test_the_reverse_of_a_table_is_a_way_through_it():
    text = source(warping, np.ones(4), np.ones(3))
    reverse = text[text.index("while i > 0 and j > 0:") :]
    assert "D_bar" not in text and "for " not in reverse
    assert "elif D[i, j - 1] == min_value:\n            j -= 1\n" in reverse


@pytest.mark.parametrize("function", [two_ends, both_neighbours])
def test_where_several_entries_have_cotangents_all_are_looked_at(function):
    assert "while" not in source(function, np.ones(4), np.ones(3))


@pytest.mark.parametrize("function", [two_ends, both_neighbours, warping])
@pytest.mark.parametrize("sizes", [(0, 3), (3, 0), (1, 1), (5, 4), (6, 9)])
@pytest.mark.parametrize("kind", ["ties", "numbers", "nan"])
def test_what_is_left_out_is_zero(function, sizes, kind):
    x, y = (_rng.integers(0, 3, n).astype(float) if kind == "ties" else _rng.normal(size=n) for n in sizes)
    if kind == "nan" and len(x):
        x[0] = np.nan
    compare(function, (x, y), (0, 1))


@pytest.mark.parametrize("seed", range(6))
def test_programs_of_the_corpus_follow_their_trails(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 4, 7), rng.integers(0, 4, 5)
    S = rng.normal(size=(4, 4)) if seed % 2 else rng.integers(-1, 2, (4, 4)).astype(float)
    rows = rng.normal(size=(2, 4, 6))
    for function, args, wrt in [
        (trails.best_alignment, (S, 0.5, a, b), (0, 1)), (trails.distances_of_curves, (rows[0], rows[1]), (0, 1)),
        (trails.cheapest_way_down, (rng.uniform(1, 2, (6, 6)),), (0,)),
        (trails.best_steps, (rng.uniform(0.5, 1.5, 8), rng.uniform(0, 1, 8)), (0, 1)),
    ]:  # fmt: skip
        assert "while" in source(function, *args, wrt=wrt)
        compare(function, args, wrt)


def compare(function, args, wrt):
    found = srcad.value_and_grad(function, wrt=wrt, target="python")(*args)
    plain = srcad.value_and_grad(function, wrt=wrt, target="python", optimize=False)(*args)
    np.testing.assert_allclose(found[0], plain[0], rtol=1e-14)
    for one, other in zip(found[1], plain[1]):
        known = ~np.isnan(other)  # where zero is not multiplied by NaN
        np.testing.assert_allclose(np.asarray(one)[known], np.asarray(other)[known], rtol=1e-12, atol=1e-13)
