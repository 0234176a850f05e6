"""Products of computed matrices and vectors as sums of rows: the same numbers, and no matrix where none is needed."""

import numpy as np
import pytest

import srcad
from tests.transforms.test_elementwise import as_compiled


def weights_of_waves(a, w, t, y):
    signal = np.sin(t[:, None] * w) @ a
    return np.mean((signal - y) ** 2)


def weights_of_outer_products(a, w, t, y):
    signal = np.sum(a * np.exp(-np.outer(t, w**2)), axis=1)
    return np.sum((signal - y) ** 2)


def both_sides(a, w, t, y):
    kernel = np.exp(-((t[:, None] - w) ** 2))
    return (y @ kernel) @ a + np.sum((kernel @ a) ** 2) + np.sum((kernel.T @ t) ** 2)


def of_an_expression(a, w, t, y):
    return np.sum((np.cos(t[:, None] * w).T @ (y - t)) * a)


def matrix_by_matrix(a, w, t, y):
    """The product of matrices needs the whole of one, so the vector's product takes it, too."""
    kernel = np.exp(-((t[:, None] - w) ** 2))
    return np.sum(kernel.T @ kernel) + np.sum(kernel @ a)


def matrix_before_a_loop(a, w, t, y):
    kernel = np.exp(-((w[:, None] - w) ** 2))
    v = a
    for _ in range(4):
        v = kernel @ v
        v = v / np.sum(v * v)
    return np.sum(v * w) + np.sum(t * t)


def changed_matrix(a, w, t, y):
    kernel = np.exp(-((t[:, None] - w) ** 2))
    one = kernel @ a
    kernel[0] = 2.0
    return np.sum(one * (kernel @ a))


def without_columns(a, w, t, y):
    return np.sum((np.sin(t[:, None] * w[:0]) @ a[:0] - y) ** 2)


PROGRAMS = (weights_of_waves, weights_of_outer_products, both_sides, of_an_expression, matrix_by_matrix,
            matrix_before_a_loop, changed_matrix, without_columns)  # fmt: skip
RANDOM = np.random.default_rng(3)
GIVEN = tuple(RANDOM.normal(size=n) for n in (3, 3, 7, 7))


@pytest.mark.parametrize("program", PROGRAMS)
def test_products_are_what_they_are_without_passes(program):
    plain = srcad.grad(program, (0, 1, 2), target="python", optimize=False)(*GIVEN)
    for one, other in zip(as_compiled(program, (0, 1, 2))(*GIVEN)[1], plain):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-13)
    srcad.testing.check_grads(program, GIVEN, target="python")


def test_products_are_compiled():
    for program in (weights_of_waves, both_sides):
        plain = srcad.grad(program, (0, 1, 2), target="python", optimize=False)(*GIVEN)
        for one, other in zip(srcad.grad(program, (0, 1, 2))(*GIVEN), plain):
            np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("program", [weights_of_waves, weights_of_outer_products])
def test_no_matrix_is_made_for_a_product(program):
    lines = srcad.source(srcad.grad(program, (0, 1, 2)), *GIVEN).splitlines()
    text = "\n".join(line for line in lines if "# adjoint of" not in line)
    assert "@" not in text and "np.empty((" not in text


@pytest.mark.parametrize("program", [matrix_by_matrix, matrix_before_a_loop])
def test_a_matrix_that_is_there_stays_in_its_product(program):
    assert "kernel @ " in srcad.source(srcad.value_and_grad(program, (0, 1, 2)), *GIVEN)
