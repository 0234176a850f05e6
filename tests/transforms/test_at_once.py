"""Products of the steps of a time loop, as one product of matrices."""

import numpy as np
import pytest

import srcad
from tests.reference import best_gradient
from tests.transforms.test_elementwise import as_compiled

SOME = np.random.default_rng(0)
W, U, V, X = (SOME.normal(size=shape) * 0.4 for shape in ((3, 3), (3, 2), (3, 3), (5, 2)))


def cell(w, u, v, xs):
    h = np.zeros(w.shape[0])
    for x in xs:
        z = 1.0 / (1.0 + np.exp(-(w @ h + u @ x)))
        h = (1.0 - z) * h + z * np.tanh(v @ (z * h) + u @ x)
    return np.sum(h * h)


def shifted(w, u, v, xs):
    """Rows before and behind that of the step, and products from the left."""
    h = np.zeros(w.shape[0])
    total = 0.0
    for t in range(1, xs.shape[0] - 1):
        h = np.tanh(h @ w + v @ h + u @ xs[t - 1] + xs[t + 1] @ u.T)
        total += h[0] * h[1]
    return total


def backwards(w, u, v, xs):
    h = v[0]
    for t in range(xs.shape[0] - 1, -1, -1):
        h = np.tanh(w @ h + u @ xs[t])
    return np.sum(h * v[1])


def changing(w, u, v, xs):
    """A matrix that is a state itself, and one that some steps use only."""
    h = np.zeros(w.shape[0])
    for t in range(xs.shape[0]):
        h = np.tanh(w @ h + u @ xs[t])
        w = 0.9 * w
        if h[0] > 0.1:
            h = np.sin(v @ h)
    return np.sum(h * h)


def epochs(w, u, v, xs):
    total = 0.0
    for k in range(2):
        h = v[k]
        for t in range(xs.shape[0]):
            h = np.tanh(w @ h + u @ xs[t])
        total += np.sum(h)
    return total


def overwritten(w, u, v, xs):
    """Rows that the loop changes are no rows that are known before it."""
    ys, h = xs.copy(), np.zeros(w.shape[0])
    for t in range(1, xs.shape[0]):
        h = np.tanh(w @ h + u @ ys[t])
        ys[t] = ys[t - 1] * h[0]
        h = h + np.tanh(u @ ys[t])
    return np.sum(v @ h)


EVERY = [cell, shifted, backwards, changing, epochs, overwritten]


@pytest.mark.parametrize("function, target", [
    *((function, "python") for function in EVERY), (changing, "cpu"),
    *(pytest.param(function, "cpu", marks=pytest.mark.slow) for function in EVERY if function is not changing),
])  # fmt: skip
def test_the_text_for_machine_code_gives_what_the_plain_one_gives(function, target):
    plain = srcad.grad(function, (0, 1, 2, 3), target="python", optimize=False)
    interpreted = as_compiled(function, (0, 1, 2, 3))
    df = srcad.grad(function, (0, 1, 2, 3)) if target == "cpu" else lambda *args: interpreted(*args)[1]
    for xs in (X, X[:, ::-1], X[:0]):
        if len(xs) or function is not shifted:
            for one, other in zip(df(W, U, V, xs), plain(W, U, V, xs)):
                np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-13)


def machine_text(function, wrt, **options):
    return srcad.source(srcad.grad(function, wrt, **options), W, U, V, X, stage="blocks")


def test_gradients_of_weights_are_one_product():
    text = machine_text(cell, (0, 1, 2))
    assert "w_bar = " in text and ".T @ h_tape" in text and "+= " not in text.partition("w_bar = ")[2]


def test_products_with_rows_that_are_given_are_one_product():
    assert "xs @ u.T" in machine_text(cell, 0)


def test_cotangents_of_rows_are_one_product():
    assert "_bar @ u" in machine_text(epochs, 3)


@pytest.mark.parametrize("options", [{"max_tape": "1MB"}, {"fastmath": False}])
def test_where_memory_is_limited_or_sums_keep_their_order_there_is_none(options):
    assert ".T @ h_tape" not in machine_text(cell, (0, 1, 2), **options)


def mean_of_layers(w, u, v, xs):
    total = 0.0
    for x in xs:
        total += np.sum(np.tanh(v @ np.tanh(u @ x)))
    return total


def test_iterations_that_depend_on_no_other_leave_nothing():
    assert "np.empty((xs.shape[0]" not in machine_text(mean_of_layers, (1, 2))


def errors_of_rows(w, u, v, xs):
    """More rows than go together, of which the last block has less."""
    data = np.sin(np.arange(540.0)).reshape(270, 2) * xs[0, 0]
    total = 0.0
    for i in range(data.shape[0]):
        r = np.tanh(u @ data[i] + v[0]) - w[1]
        total += r @ r
    for i in range(xs.shape[0]):
        total += np.sum(u @ xs[i]) ** 3
    return total


def test_products_of_independent_rows_go_in_blocks():
    args = (W, U, V, X)
    text = machine_text(errors_of_rows, (0, 1, 2))
    assert "for start in range(0, " in text and "start:start + size] @ u.T" in text
    value, slopes = as_compiled(errors_of_rows, (0, 1, 2))(*args)
    np.testing.assert_allclose(value, errors_of_rows(*args), rtol=1e-12)
    for k, found in enumerate(slopes):
        np.testing.assert_allclose(found, best_gradient(errors_of_rows, args, k), rtol=1e-6, atol=1e-8)
