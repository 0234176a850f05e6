"""What exponents have taken out is a constant where the result is the same for every value of it, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

import srcad
from srcad.testing import check_grads

S = np.array([[0.3, -1.2, 0.9, 0.2], [2.0, 1.5, -0.5, 0.1], [0.4, 0.8, 1.6, -2.0]])


def whole(s):
    top = np.max(s)
    return top + np.log(np.sum(np.exp(s - top)))


def rows(s):
    top = np.max(s, axis=1)
    return np.sum((np.log(np.sum(np.exp(s - top[:, None]), axis=1)) + top) ** 2)


def columns(s):
    top = np.max(s, axis=0, keepdims=True)
    e = np.exp(s - top)
    return np.sum(np.sin(e / np.sum(e, axis=0, keepdims=True)) * s)


def entropy(s):
    low = s - np.max(s, axis=1, keepdims=True)
    low = low - np.log(np.sum(np.exp(low), axis=1))[:, None]
    return -np.sum(low[:, 0])


def once_for_all(s):
    top = np.max(s)
    n = s.shape[0]
    return n * top + np.sum(np.log(np.sum(np.exp(s - top), axis=1)))


def tempered(s, t=0.7):
    top = np.max(s / t)
    return -t * np.log(np.sum(np.exp(s / t - top))) - t * top


def attention(s):
    top = np.max(s, axis=1)
    e = np.exp(s - top[:, None])
    return np.sum(((e @ s.T) / np.sum(e, axis=1)[:, None]) ** 2)


def in_loops(s):
    total = 0.0
    for i in range(s.shape[0]):
        top = -np.inf
        for j in range(s.shape[1]):
            top = max(top, s[i, j])
        norm = 0.0
        e = np.empty(s.shape[1])
        for j in range(s.shape[1]):
            e[j] = np.exp(s[i, j] - top)
            norm += e[j]
        for j in range(s.shape[1]):
            total += e[j] / norm * s[i, j] ** 2
        total += np.log(norm) + top
    return total


def soft_maximum(s):
    low = 0.0
    for i in range(s.shape[0]):
        a, b, c = low / 0.5, s[i, 0] / 0.5, s[i, 1] / 0.5
        top = max(a, b, c)
        low = s[i, 2] + 0.5 * (np.log(np.exp(a - top) + np.exp(b - top) + np.exp(c - top)) + top)
    return low


def added_once_more(s):
    top = np.max(s)
    return 2.0 * top + np.log(np.sum(np.exp(s - top)))


def with_a_constant(s):
    top = np.max(s)
    return top + np.log(1e-2 + np.sum(np.exp(s - top)))


def clipped(s):
    top = np.max(s)
    return top + np.log(np.sum(np.maximum(np.exp(s - top), 0.1)))


def other_rows(s):
    top = np.max(s[:, :3], axis=0)
    return np.sum((np.log(np.sum(np.exp(s[:, :3] - top), axis=1)) + top) ** 2)


def over_rows(s):
    top = np.max(s, axis=1)
    return np.sum(np.log(np.sum(np.exp(s - top[:, None]), axis=0))) + np.sum(top)


def of_the_last_row(s):
    e, norm, total = np.ones(s.shape[1]), 1.0, 0.0
    for i in range(s.shape[0]):
        top = np.max(s[i])
        total += np.sum(e / norm * s[i])
        e = np.exp(s[i] - top)
        norm = np.sum(np.exp(s[i] - top)) if i != 1 else 3.0
    return total + norm


def running(s):
    top, norm = -10.0, 0.0
    for i in range(s.shape[0]):
        new = max(top, s[i, 0])
        norm = norm * np.exp(top - new) + np.exp(s[i, 0] - new)
        top = new
    return top + np.log(norm)


def weighted(s):
    top = np.max(s)
    total = 0.0
    for i in range(s.shape[0]):
        total += np.exp(s[i, 0] * (s[i, 1] - top))
    return np.log(total) + top


def returned(s):
    top = np.max(s)
    return np.sum(np.exp(s - top)) * 0.0 + top


CONSTANT = (whole, rows, columns, entropy, once_for_all, tempered, attention, in_loops, soft_maximum)
ACTIVE = (added_once_more, with_a_constant, clipped, other_rows, over_rows, of_the_last_row, running, weighted,
          returned)  # fmt: skip


@pytest.mark.parametrize("f", CONSTANT, ids=lambda f: f.__name__)
def test_what_is_taken_out_is_a_constant(f):
    check_grads(f, (S,), order=1, modes=("rev",), target="python")
    df = srcad.grad(f, target="python")
    text = srcad.source(df, S)
    assert "top_bar" not in text and "hit" not in text
    np.testing.assert_allclose(df(S), srcad.grad(f, target="python", optimize=False)(S), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("f", ACTIVE, ids=lambda f: f.__name__)
def test_what_the_result_depends_on_is_none(f):
    df = srcad.grad(f, target="python")
    check_grads(f, (S,), order=1, modes=("rev",), target="python")
    np.testing.assert_allclose(df(S), srcad.grad(f, target="python", optimize=False)(S), rtol=1e-12, atol=1e-14)


def test_nobody_notes_which_was_taken_out():
    assert "_at" not in srcad.source(srcad.grad(in_loops, target="python"), S)


def test_a_gradient_with_respect_to_it_is_zero():
    @srcad.function(target="python")
    def found(s):
        with srcad.GradientTape() as tape:
            top = np.max(s)
            tape.watch(top)
            y = np.log(np.sum(np.exp(s - top))) + top
        return tape.gradient(y, top) + 0.0 * np.sum(s)

    assert found(S) == pytest.approx(0.0, abs=1e-12)
