"""States that each step computes element by element stay in one array; where the old one is seen again, they do not."""

import re

import numpy as np
import pytest

import srcad

X, W = np.linspace(0.3, 1.1, 5), np.linspace(1.2, 0.5, 5)


def layers(w, x):
    total, state = 0.0, np.zeros((2, 5))
    for t in range(3):
        u = x * (t + 1.0)
        for k in range(2):
            gate = 1.0 / (1.0 + np.exp(-(u * w)))
            state[k] = np.tanh(state[k] * gate + u)
            u = state[k].copy()
        total += np.sum(u * w)
    return total


def listed(w, x):
    out, u = [], x * 1.0
    for _ in range(3):
        for m in range(2):
            v = np.empty(u.shape[0])
            for i in range(u.shape[0]):
                v[i] = u[i] * w[i] + m
            u = v
        out.append(u)
    return np.sum(out[0] * out[2]) + np.sum(out[1] ** 2)


def matrices(w, x):
    a = np.outer(x, w)
    for _ in range(2):
        for _ in range(3):
            b = np.empty(a.shape)
            for i in range(a.shape[0]):
                for j in range(a.shape[1]):
                    b[i, j] = np.sin(a[i, j]) + a[i, j] ** 2
            a = b
    return np.sum(a * a.T)


def transposed(w, x):
    a = np.outer(x, w)
    for _ in range(2):
        for _ in range(2):
            b = np.empty(a.shape)
            for i in range(a.shape[0]):
                for j in range(a.shape[1]):
                    b[i, j] = np.sin(a[i, j]) + a[j, i] ** 2
            a = b
    return np.sum(a * a.T)


def kept(w, x):
    total, u = 0.0, x * 1.0
    for _ in range(3):
        old = u
        for _ in range(2):
            u = np.sin(u) * w
        total += np.sum(old * u)
    return total


def exchanged(w, x):
    u, q = x * 1.0, w * 2.0
    for _ in range(2):
        for _ in range(3):
            a = u * w + q**2
            u, q = a, u
    return np.sum(u * q)


def both(w, x):
    u, q = x * 1.0, w * 2.0
    for _ in range(2):
        for _ in range(2):
            a, b = np.empty(5), np.empty(5)
            for i in range(5):
                a[i] = u[i] * w[i] + q[i]
                b[i] = u[i] - q[i] * a[i]
            u, q = a, b
    return np.sum(u * q)


def shorter(w, x):
    u, n = x * 1.0, 5
    for _ in range(2):
        for _ in range(2):
            n = n - 1
            v = np.empty(n)
            for i in range(n):
                v[i] = u[i] * w[i]
            u = v
    return np.sum(u) * len(u)


def counted_from_the_end(w, x):
    u = x * 1.0
    for _ in range(2):
        for _ in range(2):
            v = np.empty(u.shape[0])
            for i in range(-2, 5):
                v[i] = u[i] * w[i]
            u = v
    return np.sum(u)


def argument_itself(w, x):
    u = x
    for _ in range(2):
        for _ in range(2):
            u = u * w
    return np.sum(u * x)


def made_by_the_first(w, x):
    total = 0.0
    for _ in range(3):
        for m in range(2):
            v = np.empty(5)
            for i in range(5):
                v[i] = x[i] * w[i] + (u[i] if m > 0 else 0.0)  # noqa: F821
            u = v
        total += np.sum(u**2)
    return total


def branches(w, x):
    u = x * 1.0
    for k in range(3):
        for m in range(k):
            if w[m] > 0.8:
                u = np.sin(u * w)
            else:
                v = u
                u = v * v * w
                u += v
    return np.sum(u * u)


FUNCTIONS = (layers, listed, matrices, transposed, kept, exchanged, both, shorter, counted_from_the_end,
             argument_itself, made_by_the_first, branches)  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_text_for_machine_code_gives_the_same(function):
    args = W.copy(), X.copy()
    value, gradients = srcad.value_and_grad(function, wrt=(0, 1), target="python", optimize=False)(*args)
    df = srcad.value_and_grad(function, wrt=(0, 1))
    srcad.source(df, *args)
    ours, found = df.maker.latest.function(*args)
    np.testing.assert_array_equal(args, (W, X))
    assert ours == pytest.approx(value, rel=1e-13)
    for one, other in zip(found, gradients):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-13)


def text(function):
    return srcad.source(srcad.value_and_grad(function, wrt=(0, 1)), W, X)


def test_layers_make_no_arrays():
    body = text(layers)
    assert not re.search(r"^ {8,}\w+ = np\.empty", body, re.MULTILINE)
    assert not re.search(r"^ +u_bar_\d+ = u_bar", body, re.MULTILINE)


@pytest.mark.parametrize("function, made", ((matrices, "a"), (transposed, "b")))
def test_neighbours_are_read_of_the_old_array(function, made):
    assert re.search(rf"^ +{made}\[(\w), (\w)\] = np\.sin\(a\[\1, \2\]\)", text(function), re.MULTILINE)
