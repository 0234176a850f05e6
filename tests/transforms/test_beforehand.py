"""What is computed of single elements is computed once for each, before loops over pairs of them."""

import numpy as np
import pytest

import srcad
from tests.forms_of_derivatives import derivative
from tests.reference import best_gradient

A, B = np.array([0.3, -0.2, 0.9, 0.4, 0.1]), np.array([0.7, 0.5, -0.6, 0.2])
W = 0.1 + np.arange(20.0).reshape(4, 5) / 20.0


def over_pairs(a, b):
    s = 0.0
    for i in range(len(a)):
        for j in range(len(b)):
            s += np.sqrt(2.0 + np.sin((a[i] - b[j]) / 2) ** 2 + np.cos(a[i]) * np.cos(2.0 * b[j]))
    return s


def over_half_of_the_pairs(a, b):
    s = 0.0
    for i in range(len(a)):
        for j in range(i):
            angle = b[0] * a[j]
            s += np.sqrt(2.0 + np.sin(a[i] - a[j]) + np.cos(angle) * np.cos(b[0] * a[i]))
    return s


def over_steps(a, w):
    state = a.copy()
    for _ in range(3):
        for i in range(w.shape[0]):
            for j in range(w.shape[1]):
                state[j] += 0.1 * np.exp(-w[i, j]) * np.sin(state[j])
    return np.sum(state)


def in_arrays(a, b):
    difference = b[None, :] - a[:, None]
    return np.sum(np.sqrt(1.0 + np.sin(difference) ** 2 + np.cos(a)[:, None] * np.cos(b)[None, :] ** 2))


def flows(a, w):
    s = 0.0
    for i in range(w.shape[0]):
        for j in range(w.shape[1]):
            s += (np.exp(a[j]) * np.exp(a[i]) * w[i, j] - 1.0) ** 2
    return s


def density(a, h):
    z = (a[:, None] - a[None, :]) / h
    return np.sum(np.log(np.sum(np.exp(-0.5 * z**2), axis=1) / (len(a) * h)))


def some_of_them(a, b):
    s = 0.0
    for i in range(len(a)):
        for j in range(len(b)):
            if b[j] > 0.0:
                s += np.log(b[j]) * a[i]
    return s


def changing(a, b):
    c = b.copy()
    s = 0.0
    for i in range(len(a)):
        for j in range(len(b)):
            s += np.cos(c[j]) * a[i]
            c[j] += 0.1 * a[i]
    return s


@pytest.mark.parametrize("f, args", [
    (over_pairs, (A, B)), (over_half_of_the_pairs, (A, B)), (over_steps, (A, W)), (in_arrays, (A, B)),
    (flows, (A, W)), (density, (A, 0.7)), (some_of_them, (A, B)), (changing, (A, B)),
])  # fmt: skip
def test_gradients(f, args):
    names = f.__code__.co_varnames[:2]
    value, gradients = derivative(f, names, "machine text")(*args)
    assert value == pytest.approx(f(*args), rel=1e-14)
    for position, gradient in enumerate(gradients):
        np.testing.assert_allclose(gradient, best_gradient(f, args, position), rtol=1e-9, atol=1e-12)


def before_loops(f, *args):
    text = srcad.source(srcad.grad(f, (0, 1)), *args).partition("    for ")[0]
    return "\n".join(line for line in text.splitlines() if "#" not in line)


def test_functions_of_elements_stand_before_the_loops():
    text = before_loops(over_pairs, A, B)
    assert "np.cos(a)" in text and "np.sin(a)" in text and "np.cos(2.0 * b)" in text and "np.sin(2.0 * b)" in text
    assert "np.cos(b[0] * a)" in before_loops(over_half_of_the_pairs, A, B)
    assert "np.exp(-w)" in before_loops(over_steps, A, W)
    assert "np.exp(a[:w.shape[0]])" in before_loops(flows, A, W), "no more of them than the loop goes through"


def test_what_changes_or_has_a_condition_stays_where_it_is():
    assert "np.cos" not in before_loops(changing, A, B)
    assert "np.log" not in before_loops(some_of_them, A, B)


def test_one_loop_over_the_rows_does_all():
    for f, args in ((in_arrays, (A, B)), (density, (A, 0.7))):
        text = srcad.source(srcad.grad(f, (0, 1)), *args)
        assert "np.empty((" not in text, "no matrix is there"
        assert text.count("for i in range(a.shape[0])") == 1
