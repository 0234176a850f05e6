"""Several iterations at a time around loops over a block: for any number of them, what one after the other computes."""

from __future__ import annotations

import numpy as np
import pytest

import srcad
from srcad.transforms import block_length
from tests.transforms.test_blocks import flat, ran

_rng = np.random.default_rng(11)


def triangles(factors, X):
    total, d = 0.0, X.shape[1]
    q = np.empty(d)
    for i in range(X.shape[0]):
        place = d
        for a in range(d):
            q[a] = np.exp(factors[a]) * X[i, a]
        for a in range(d):
            for b in range(a + 1, d):
                q[b] += factors[place] * X[i, a]
                place += 1
        square = factors[place - 1]
        for a in range(d):
            square += q[a] * q[a]
        total += np.exp(-0.1 * square)
    return total


def by_columns(W, X):
    total = 0.0
    z = np.zeros(W.shape[1])
    for i in range(X.shape[0]):
        for c in range(W.shape[1]):
            z[c] = 0.0
        for j in range(X.shape[1]):
            for c in range(W.shape[1]):
                z[c] += X[i, j] * W[j, c]
        total += np.sum(np.exp(z)) ** 0.5
    return total


def distances(W, X):
    total = 0.0
    for i in range(X.shape[0]):
        for c in range(W.shape[0]):
            square = 0.0
            for j in range(X.shape[1]):
                square += (X[i, j] - W[c, j]) ** 2
            total += np.exp(-square)
    return total


def flat_weights(w, X):
    total = 0.0
    for i in range(X.shape[0]):
        place, product = 0, 1.0
        for c in range(X.shape[1]):
            z = 0.0
            for j in range(X.shape[1]):
                z += X[i, j] * w[place]
                place += 1
            product *= 1.5 + np.tanh(z)
        total += product * w[place - 1]
    return total


SEVERAL = [
    (triangles, (0,), lambda d: d * (d + 1) // 2, (" - 3, 4)", " - 1, 2)")),
    (triangles, (0, 1), lambda d: d * (d + 1) // 2, (" - 3, 4)",)),
    (by_columns, (0,), lambda d: (d, d), (" - 3, 4)", " - 1, 2)")),
    (by_columns, (0, 1), lambda d: (d, d), (" - 3, 4)",)),
    (distances, (0,), lambda d: (d, d), (" - 3, 4)",)),
    (flat_weights, (0,), lambda d: d * d, (" - 3, 4)",)),
]  # fmt: skip


@pytest.mark.parametrize(("function", "wrt", "shape", "shown"), SEVERAL, ids=lambda f: getattr(f, "__name__", ""))
def test_several_iterations_compute_what_each_computes(function, wrt, shape, shown, monkeypatch):
    monkeypatch.setattr(block_length, "SIZE", 2)
    monkeypatch.setattr(block_length, "SMALLEST", 2)
    df = srcad.value_and_grad(function, wrt=wrt)
    arguments = [(0.3 * _rng.normal(size=shape(d)), _rng.normal(size=(5, d))) for d in (1, 2, 3, 4, 5, 6, 7, 8, 9, 13)]
    plain, blocked = (srcad.source(df, *arguments[0], stage=stage) for stage in ("name", "blocks"))
    assert all(text in blocked for text in shown)
    for each in arguments:
        found, expected = (flat(ran(df, text, each)) for text in (blocked, plain))
        for one, other in zip(found, expected):
            np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-12)


def nearest(W, X):
    """A loop of a known number of iterations, no more than go at a time."""
    total = 0.0
    for i in range(X.shape[0]):
        best = np.inf
        for c in range(W.shape[0]):
            square = 0.0
            for j in range(3):
                square += (X[i, j] - W[c, j]) ** 2
            best = min(best, square)
        total += best
    return total


def five(W, X):
    total = 0.0
    for i in range(X.shape[0]):
        for c in range(W.shape[0]):
            square = 0.0
            for j in range(5):
                square += (X[i, j] - W[c, j]) ** 2
            total += np.exp(-square)
    return total


@pytest.mark.parametrize(("function", "shown", "absent"), [
    (nearest, "_block[2, t] - W[j, 2]", ("_block[t] += ", "range(0, 0, 4)", "// 4")),
    (five, "_block[4, t] - W[j, 4]", ("// 4", "- 3, 4", "range(0, 4")),
])  # fmt: skip
def test_known_iterations_are_no_loop_of_none(function, shown, absent):
    df = srcad.value_and_grad(function, wrt=(0, 1))
    arguments = _rng.normal(size=(7, 5)), _rng.normal(size=(6, 5))
    plain, blocked = (srcad.source(df, *arguments, stage=stage) for stage in ("name", "blocks"))
    assert shown in blocked
    assert not any(text in blocked for text in absent)
    for one, other in zip(*(flat(ran(df, text, arguments)) for text in (blocked, plain))):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-12)


def differences_of_pairs(x, w):
    total = 0.0
    for i in range(x.shape[0]):
        v = np.empty(len(w))
        for j in range(len(w)):
            v[j] = x[i, j] - w[j]
        for j in range(len(w)):
            for k in range(len(w)):
                total += np.exp(-((v[k] * v[j]) ** 2))
    return total


def test_a_function_whose_loop_stores_what_is_computed_where_it_is_read():
    arguments = _rng.normal(size=(7, 5)), _rng.normal(size=5)
    function = srcad.function(differences_of_pairs)
    found = ran(function, srcad.source(function, *arguments, stage="blocks"), arguments)
    np.testing.assert_allclose(found, differences_of_pairs(*arguments), rtol=1e-12)
