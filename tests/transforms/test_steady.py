"""What iterations around a loop over a block compute alike, computed before them: the same numbers, no more reads."""

from __future__ import annotations

import numpy as np
import pytest

import srcad
from srcad.transforms import block_length
from tests.transforms.test_blocks import flat, ran

_rng = np.random.default_rng(12)


def centred(W, m, X):
    total, d = 0.0, W.shape[0]
    q = np.empty(d)
    for i in range(X.shape[0]):
        for b in range(d):
            q[b] = np.exp(0.1 * W[b, b])
        for a in range(d):
            for b in range(a + 1, d):  # of the last one, nothing is read: X has a column less
                q[b] += W[a, b] * (X[i, a] - m[a])
        for b in range(d):
            total += np.exp(-q[b] * q[b])
    return total


def changing(W, m, X):
    """The difference is another one in each iteration, and what it is of changes in some of them."""
    total, d = 0.0, W.shape[0]
    shifted = np.empty(d)
    for i in range(X.shape[0]):
        for b in range(d):
            shifted[b] = np.exp(0.1 * W[b, b])
        for a in range(d - 1):
            for b in range(d):
                shifted[b] += W[a, b] * (X[i, a] - shifted[a])
        for b in range(d):
            total += np.exp(-shifted[b] * m[0])
    return total


def twice(W, m, X):
    """Two loops ask for one difference, with a number in between that changes."""
    total, d = 0.0, W.shape[0]
    for i in range(X.shape[0]):
        place = np.exp(0.1 * W[0, 0])
        for a in range(d - 1):
            first = 0.0
            for b in range(d):
                first += W[a, b] * (X[i, a] - place)
            for b in range(1, d):
                first += W[b, a] * (X[i, a] - place)
            place += 0.1 * first
            for b in range(2, d):
                place += W[b, a] * (X[i, a] - place)
        total += np.exp(-place * m[0] * place)
    return total


@pytest.mark.parametrize("function", [centred, changing, twice], ids=lambda f: f.__name__)
@pytest.mark.parametrize("wrt", [(0,), (0, 1)], ids=str)
def test_what_iterations_share_is_computed_before_them(function, wrt, monkeypatch):
    monkeypatch.setattr(block_length, "SIZE", 2)
    monkeypatch.setattr(block_length, "SMALLEST", 2)
    df = srcad.value_and_grad(function, wrt=wrt)
    arguments = [(0.3 * _rng.normal(size=(d, d)), _rng.normal(size=d), _rng.normal(size=(5, d - 1)))
                 for d in (1, 2, 3, 4, 5, 6, 9)]  # fmt: skip
    plain, blocked = (srcad.source(df, *arguments[0], stage=stage) for stage in ("name", "blocks"))
    assert "size = min(" in blocked
    for each in arguments:
        found, expected = (flat(ran(df, text, each)) for text in (blocked, plain))
        for one, other in zip(found, expected):
            np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-12)


def test_a_difference_over_the_block_is_taken_once_for_all_rows():
    W, m, X = _rng.normal(size=(5, 5)), _rng.normal(size=5), _rng.normal(size=(6, 4))
    text = srcad.source(srcad.value_and_grad(centred, wrt=(0, 1)), W, m, X, stage="blocks")
    assert "difference_block[t] = " in text and "* difference_block[t]" in text
    assert "if d > j + 1:" in text and " or d > " not in text
    text = srcad.source(srcad.value_and_grad(changing, wrt=(0, 1)), W, m, X, stage="blocks")
    assert "difference_block[t] = X" not in text
