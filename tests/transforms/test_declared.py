"""Loops that say that their iterations are independent: only those that are, and LLVM hears it."""

import numpy as np
import pytest
from numba import njit

import srcad
from srcad.backends.stack import Aligned
from srcad.runtime import independent
from tests.forms_of_derivatives import interpreted
from tests.reference import best_gradient

random = np.random.default_rng(3)
A, B, W = (random.normal(size=(5, 6)) for _ in "abc")


def gates(W, A):
    """Rows of which each is made of the one before, as in networks with a memory."""
    state = np.zeros(W.shape[1])
    total = 0.0
    for t in range(A.shape[0]):
        for j in range(W.shape[1]):
            gate = 1.0 / (1.0 + np.exp(-W[0, j] * state[j] - A[t, j]))
            state[j] = gate * state[j] + (1.0 - gate) * np.tanh(W[1, j] * A[t, j])
        for j in range(W.shape[1]):
            total += state[j] ** 2
    return total


def rows_of_arrays(W, A):
    """The same where each row is a new array, which a name is handed on to."""
    state = np.zeros(W.shape[1])
    total = 0.0
    for t in range(A.shape[0]):
        new = np.empty(W.shape[1])
        for j in range(W.shape[1]):
            new[j] = np.tanh(W[0, j] * state[j] + A[t, j])
        state = new
        total += np.sum(state**2)
    return total


def copied_first(W, A):
    """The caller's array is copied under its own name, and the copy is written to."""
    A = np.copy(A)
    for t in range(A.shape[0]):
        for j in range(A.shape[1]):
            A[t, j] = np.exp(W[0, j] * A[t, j])
    return np.sum(A)


def picked(W, A):
    """Rows that an array of places picks are copies."""
    C, state = A[np.array([0, 2, 2, 1])], np.zeros(A.shape[1])
    for t in range(C.shape[0]):
        for j in range(C.shape[1]):
            state[j] += np.exp(W[0, j] * C[t, j])
    return np.sum(state * state)


def neighbours(W, A):
    """Each element needs the one before it."""
    x = np.copy(A[0])
    for t in range(3):
        for j in range(x.shape[0] - 1):
            x[j + 1] = np.sin(x[j]) / W[t, j]
    return np.sum(x)


def views(W, A):
    """Two names for parts of one array that overlap."""
    x = np.concatenate((A[0], W[0]))
    low, high = x[:-1], x[1:]
    for t in range(3):
        for j in range(low.shape[0]):
            high[j] = np.exp(-low[j]) / (1.0 + W[1, 0] ** 2)
    return np.sum(x)


def scattered(W, A):
    """Places that may be the same."""
    x = np.zeros(3)
    for t in range(A.shape[0]):
        for j in range(A.shape[1]):
            x[(t * j) % 3] += np.exp(A[t, j]) / W[0, j]
    return np.sum(x * x)


def last_one(W, A):
    """A number of the last iteration is read behind the loop."""
    x, z = np.zeros(A.shape[1]), 0.0
    for t in range(A.shape[0]):
        for j in range(A.shape[1]):
            z = np.exp(W[0, j] * A[t, j])
            x[j] += z
        x[0] *= z
    return np.sum(x)


def exchanged(W, A):
    """Two arrays that change their names, of which one has a third name for a part of it."""
    state, new = np.zeros(W.shape[1]), np.ones(W.shape[1])
    part = new[1:]
    for t in range(A.shape[0]):
        for j in range(part.shape[0]):
            state[j] = np.exp(-part[j] * W[0, j]) + A[t, j]
        state, new = new, state
    return np.sum(state * new)


INDEPENDENT = (gates, rows_of_arrays, copied_first, picked)
DEPENDENT = (neighbours, views, scattered, last_one, exchanged)


@pytest.mark.parametrize("fn", (*INDEPENDENT, *DEPENDENT))
def test_any_order_of_iterations_gives_the_same(fn):
    """The interpreter goes through the loops backwards that say that they are independent."""
    df = srcad.value_and_grad(fn, wrt=(0, 1))
    value, gradient = srcad.value_and_grad(fn, wrt=(0, 1), target="python", optimize=False)(W, A)
    found, slopes = interpreted(df, (W, A))
    np.testing.assert_allclose(found, value)
    for got, wanted in zip(slopes, gradient):
        np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-12)


def forwards(fn):
    """The loops of the forward sweep, as machine code goes through them."""
    text = srcad.source(srcad.value_and_grad(fn, wrt=(0, 1)), W, A, stage="blocks")
    return [line for line in text.split("_bar = ")[0].splitlines() if " in " in line and "for" in line]


@pytest.mark.parametrize("fn", INDEPENDENT)
def test_rows_of_elements_of_their_own_are_independent(fn):
    assert any("independent(range(" in line for line in forwards(fn))


@pytest.mark.parametrize("fn", DEPENDENT)
def test_loops_that_depend_say_nothing(fn):
    assert not any("independent(" in line for line in forwards(fn))


def lengths(W, A):
    """What an iteration adds to the next element is a number that it hands on."""
    total = 0.0
    for i in range(A.shape[0] - 1):
        for j in range(A.shape[1] - 1):
            total += np.sqrt((A[i, j + 1] - A[i, j]) ** 2 + (A[i + 1, j] - A[i, j]) ** 2 + W[i, j] ** 2)
    return total


def test_loops_that_hand_numbers_on_are_apart():
    text = srcad.source(srcad.grad(lengths, wrt=1), W, A, stage="blocks")
    assert "in apart(range(" in text
    made, plain = (srcad.grad(lengths, wrt=1, **options) for options in ({}, {"target": "python", "optimize": False}))
    np.testing.assert_allclose(interpreted(made, (W, A)), plain(W, A), rtol=1e-12)


def into(W, A):
    """An array of the caller's is written to."""
    for t in range(A.shape[0]):
        for j in range(A.shape[1]):
            A[t, j] = np.exp(W[t, j])
    return np.sum(A * A)


def test_what_the_caller_gives_may_overlap():
    assert "independent" not in forwards(into)[1]


def test_gradients_of_the_compiled_loops():
    value, (w_bar, a_bar) = srcad.value_and_grad(gates, wrt=(0, 1))(W, A)
    expected = srcad.value_and_grad(gates, wrt=(0, 1), target="python")(W, A)
    np.testing.assert_allclose(value, expected[0])
    np.testing.assert_allclose(w_bar, expected[1][0], rtol=1e-12)
    np.testing.assert_allclose(a_bar, expected[1][1], rtol=1e-12)


@njit(pipeline_class=Aligned)
def many_arrays(a, b, c, d, e, f, n):
    """Two loops inside others: the first stays as it is, the second ones promise something."""
    for k in range(3):
        for j in independent(range(n)):
            if a[j] > 0.0:
                b[j] += a[j] * k
            c[j] -= b[j]
        for j in independent(range(1, n)):
            d[j] = e[j] / (1.0 + f[j])
    return n


def test_the_promise_reaches_machine_code_and_changes_no_result():
    """Loads and stores of arrays bear the group of their loop, those of the frame do not."""
    a, e, f = random.normal(size=(3, 13))
    b, c, d = np.ones(13), np.zeros(13), np.zeros(13)
    many_arrays(a, b, c, d, e, np.abs(f), 13)
    wanted_b, wanted_c = np.ones(13), np.zeros(13)
    for k in range(3):
        wanted_b += np.where(a > 0.0, a * k, 0.0)
        wanted_c -= wanted_b
    np.testing.assert_allclose(b, wanted_b)
    np.testing.assert_allclose(c, wanted_c)
    np.testing.assert_allclose(d[1:], (e / (1.0 + np.abs(f)))[1:])
    assert d[0] == 0.0
    (text,) = many_arrays.inspect_llvm().values()
    assert "llvm.access.group" in text


def rows_of_one_array(x, n):
    sums = np.zeros((3, n))
    for k in range(n):
        a, b = sums[0], sums[1]
        for i in range(n):
            a[i] += x[k] * b[i] + 1.0
            b[i] += x[i] * a[i]
        a = sums[1]
        for i in range(n - 1):
            a[i] += b[i + 1] * x[i]
    return np.sum(sums)


def test_rows_of_one_array_are_two_as_long_as_they_have_their_names(x=np.linspace(0.1, 0.5, 4)):
    """Once `a` is the row that `b` is, an iteration reads what another one writes."""
    derivative = srcad.value_and_grad(rows_of_one_array)
    value, gradient = derivative(x, 4)
    assert value == pytest.approx(rows_of_one_array(x, 4), rel=1e-12)
    np.testing.assert_allclose(gradient, best_gradient(lambda x: rows_of_one_array(x, 4), [x], 0), rtol=1e-6)
