"""What products of vectors add to matrices, without a matrix for it."""

import numpy as np
import pytest

import srcad

W, U, X = np.array([[0.3, -0.2], [0.1, 0.4]]), np.array([[0.5, 0.1, -0.3], [0.2, 0.7, 0.4]]), np.ones((3, 3)) / 3.0


def network(w, u, xs):
    h = np.zeros(w.shape[0])
    for t in range(xs.shape[0]):
        h = np.tanh(w @ h + u @ xs[t])
    return np.sum(h * h)


def layers(w, u, xs):
    return np.sum(np.cos(w @ np.sin(w @ (u @ np.exp(xs[0])))))


def scaled(w, u, xs):
    """The steps of a scaling to given sums of rows and columns, of a matrix that is not square."""
    kernel, x = np.exp(-u), np.ones(2)
    for _ in range(4):
        y = xs[0] / (kernel.T @ x)
        x = w[0] / (kernel @ y)
    return np.sum(x[:, None] * kernel * y * u)


@pytest.mark.parametrize("function", [network, layers, scaled])
def test_the_text_for_machine_code_gives_what_the_plain_one_gives(function):
    plain = srcad.grad(function, (0, 1, 2), target="python", optimize=False)(W, U, X)
    df = srcad.grad(function, (0, 1, 2))
    assert "outer" not in srcad.source(df, W, U, X)
    for one, other in zip(df.maker.latest.function(W, U, X), plain):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)


def test_transposed_products_are_added_element_by_element():
    assert ").T\n" not in srcad.source(srcad.grad(scaled, (0, 1, 2)), W, U, X)


def test_products_that_a_step_has_computed_are_not_computed_again():
    backward = srcad.source(srcad.grad(network, (0, 1)), W, U, X).partition("w_bar = ")[2]
    assert all("w @ h" not in line or "#" in line for line in backward.splitlines())


def test_lengths_that_do_not_fit_are_refused_as_numpy_does():
    df = srcad.grad(layers, (0, 1), target="python")
    with pytest.raises(ValueError, match="matmul"):
        df(W, U, np.ones((2, 4)))
