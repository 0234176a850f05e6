"""Matrices that are factored once, and when not."""

import numpy as np
import pytest

import srcad

A = np.array([[3.0, 1.0, -0.4], [0.5, -2.0, 0.3], [0.2, 0.7, 1.5]])
B = np.array([0.3, -1.2, 0.8])


def once(a, b):
    return np.sum(np.sin(np.linalg.solve(a, b)))


def in_steps(a, b):
    for t in range(3):
        b = np.tanh(np.linalg.solve(a, b))
    return np.sum(b)


def factor_of_cholesky(a, b):
    L = np.linalg.cholesky(a @ a.T + np.eye(3))
    x = np.linalg.solve(L.T, np.linalg.solve(L, b))
    return x @ b + 2.0 * np.sum(np.log(np.diag(L))) + np.sum(L[2] * B)


def changing_matrix(a, b):
    m = a.copy()
    for t in range(3):
        b = np.linalg.solve(m, b)
        m[t, 0] = m[t, 0] + b[t]
        b = b + np.linalg.solve(m.T, b)
    return np.sum(b * b)


def changing_through_a_view(a, b):
    m = a.copy()
    row = m[1]
    x = np.linalg.solve(m, b)
    row[0] = x[2]
    return np.sum(np.linalg.solve(m, b) * x)


EVERY = [once, in_steps, factor_of_cholesky, changing_matrix, changing_through_a_view]


@pytest.mark.parametrize("function", EVERY)
def test_the_text_for_machine_code_gives_what_the_plain_one_gives(function):
    plain = srcad.value_and_grad(function, (0, 1), target="python", optimize=False)(A, B)
    df = srcad.value_and_grad(function, (0, 1))
    srcad.source(df, A, B)
    value, gradients = df.maker.latest.function(A, B)
    assert value == pytest.approx(plain[0], rel=1e-13)
    for one, other in zip(gradients, plain[1]):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-12)


def text(function):
    lines = srcad.source(srcad.grad(function, (0, 1)), A, B).splitlines()
    return "\n".join(line for line in lines if not line.strip().startswith("#"))


def test_a_matrix_is_factored_once():
    assert text(once).count("factored(a)") == 1 and "np.linalg.solve" not in text(once)
    before, loop, _ = text(in_steps).partition("for t in")
    assert "factored(a)" in before and "factored(" not in loop + _


def test_a_triangle_is_not_factored():
    made = text(factor_of_cholesky)
    assert "np.linalg.solve" not in made and "factored(" not in made and made.count("solve_triangle(") == 4


def test_a_matrix_that_changes_is_factored_again():
    assert "m[t, 0] += b[t]\n        b = b + np.linalg.solve(m.T, b)" in text(changing_matrix)


def test_a_singular_matrix_is_said_to_be():
    df = srcad.grad(in_steps, (0, 1))
    srcad.source(df, A, B)
    with pytest.raises(np.linalg.LinAlgError):
        df.maker.latest.function(np.zeros((3, 3)), B)


@pytest.mark.slow
def test_machine_code_gives_what_the_plain_text_gives():
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(110, 110)) + 9.0 * np.eye(110), rng.normal(size=110)

    def process(a, b):
        k = a @ a.T + np.eye(a.shape[0])
        lower = np.linalg.cholesky(k)
        return b @ np.linalg.solve(k, b) + np.sum(np.log(np.diag(lower))) + np.sum(np.sin(lower))

    plain = srcad.grad(process, (0, 1), target="python", optimize=False)(a, b)
    for one, other in zip(srcad.grad(process, (0, 1))(a, b), plain):
        np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-10)
