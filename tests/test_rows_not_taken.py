"""Rows and matrices that a choice leaves out: what is no number in them leaves no trace in the gradient."""

import math

import numpy as np
import pytest

import srcad

X = np.array([[1.0, 2.0, 0.5], [0.0, 0.2, 0.0], [2.0, 0.3, 1.5], [0.5, 0.7, 1.1]])
GAPS = np.where(X == 0.0, np.nan, X)
W = np.array([0.3, 1.0, 2.0])


def products(x, w):
    return np.prod(np.log(x) * w, axis=1)


def deviations(x, w):
    return np.std(np.log(x) * w, axis=1) + np.var(np.log(x), axis=1, ddof=1)


def lengths(x, w):
    return np.linalg.norm(np.log(x) + w, axis=1)


def largest(x, w):
    return np.max(np.log(x) * w, axis=1)


def columns(x, w):
    return np.std(np.log(x) * w, axis=0)


def with_their_axis(x, w):
    return w / np.std(np.log(x), axis=1, keepdims=True)


def of_matrices(x, w):
    return np.log(x) @ w + (np.log(x) @ np.outer(w, w))[:, 1] + w @ np.log(x).T


def of_stacks(x, w):
    matrices = x[:, None, :] * w[:, None]
    return matrices @ w + w @ matrices + (matrices @ np.outer(w, w))[..., 0] + np.dot(matrices, w)


def tables(x, w):
    return np.outer(x[:, 0], w) + np.outer(w, x[:, 0]).T


def equations(x, w):
    matrix = np.outer(w, w) + np.eye(3)
    d = x - w
    return np.sum(np.linalg.solve(matrix, d.T).T * d, axis=1)


def determinants(x, w):
    return np.linalg.det(np.eye(3) + x[:, :, None] * w)


def solutions(x, w):
    return np.linalg.solve(np.eye(3) + x[:, :, None] * w, w[:, None] * np.ones((4, 3, 1)))[..., 0]


def inverses(x, w):
    return np.linalg.inv(np.eye(3) + x[:, :, None] * w) @ np.diag(w)


def positive(f, x, w, c):
    return np.sum(np.where(np.all(x > 0.0, axis=1), f(x, w) - c, 0.0) ** 2)


def positive_columns(f, x, w, c):
    return np.sum(np.where(np.all(x > 0.0, axis=0), f(x, w) - c, 0.0) ** 2)


def positive_rows(f, x, w, c):
    return np.sum(np.where(np.all(x > 0.0, axis=1, keepdims=True), f(x, w) - c, 0.0) ** 2)


def finite(f, x, w, c):
    y = f(x, w)
    return np.sum(np.where(np.isfinite(y), y - c, 0.0) ** 2)


def choices_in_choices(x, w):
    y = np.where(x > -1.0, np.log(x), 0.0) * w
    return np.sum(np.where(x > 0.0, np.where(x > -2.0, y - w * math.log(2.0), 1.0), 0.0) ** 2)


def of_vectors(x, w):
    total = 0.0
    for i in range(x.shape[0]):
        y = np.log(x[i]) @ w
        total += np.where(np.isinf(y), 0.0, y**2)
    return total


def one_vector(x, w):
    p, q = np.prod(np.log(x[1]) * w), np.log(x[1]) @ w
    return np.where(x[1, 0] > 0.0, p * q, 1.0) * np.sum(w)


BY_ROWS = [
    (positive, products, X), (positive, deviations, X), (positive, lengths, X), (positive, largest, X),
    (positive, of_matrices, X), (positive_columns, columns, X), (positive_rows, with_their_axis, X),
    (finite, deviations, GAPS), (finite, lengths, GAPS), (finite, of_matrices, GAPS), (finite, tables, GAPS),
    (finite, equations, GAPS), (finite, determinants, GAPS), (finite, solutions, GAPS), (finite, inverses, GAPS),
    (finite, of_stacks, GAPS),
]  # fmt: skip
OTHERS = [choices_in_choices, of_vectors, one_vector]
COMPILED = ("products", "of_matrices")
BY_PYTHON = ("equations", "solutions")  # Numba raises where NumPy solves equations that hold no numbers


def slope(f, at, along, h=1e-5):
    return (f(*(a + h * d for a, d in zip(at, along))) - f(*(a - h * d for a, d in zip(at, along)))) / (2.0 * h)


def check(f, x, target, *constants):
    """Gradients and products with Hessians against differences; what is zero or missing in `x` does not move."""
    gradient, rng = srcad.grad(f, wrt=(0, 1), target=target), np.random.default_rng(3)
    along = tuple(rng.normal(size=a.shape) for a in (x, W))
    along = (np.where(x > 0.0, along[0], 0.0), along[1])
    found = gradient(x, W, *constants)
    assert not np.any(found[0][~(x > 0.0)])
    expected = slope(lambda *args: f(*args, *constants), (x, W), along)
    np.testing.assert_allclose(sum(np.sum(g * d) for g, d in zip(found, along)), expected, rtol=1e-6)
    _, tangent = srcad.jvp(f, wrt=(0, 1), target=target)(x, W, *constants, tangents=along)
    np.testing.assert_allclose(tangent, expected, rtol=1e-6)
    products = srcad.hvp(f, wrt=(0, 1), target=target)(x, W, *constants, tangents=along)
    for k in range(2):
        expected = slope(lambda *args: np.sum(gradient(*args, *constants)[k] * along[k]), (x, W), along)
        np.testing.assert_allclose(np.sum(products[k] * along[k]), expected, rtol=1e-5, atol=1e-7)


def cases(names):
    for *case, name in names:
        for target in ("python", "cpu")[: 1 if name in BY_PYTHON else 2]:
            marks = () if target == "python" or name in COMPILED else pytest.mark.slow
            yield pytest.param(*case, target, id=f"{name}-{target}", marks=marks)


@pytest.mark.parametrize("choice, f, x, target", [*cases((*case, case[1].__name__) for case in BY_ROWS)])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_rows_that_are_not_taken_contribute_nothing(choice, f, x, target):
    y = f(x, W)  # of which some differences are zero: their cotangents are, too, and move
    check(lambda x, w, c: choice(f, x, w, c), x, target, y - np.arange(y.size).reshape(y.shape) % 2)


@pytest.mark.parametrize("f, target", [*cases((f, f.__name__) for f in OTHERS)])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_choices_of_other_forms(f, target):
    check(f, X, target)
