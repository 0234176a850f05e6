"""Loops over pairs with a test in them: one branch for both sweeps, and sums in scalars where only some pairs add."""

import numpy as np
import pytest

import srcad
import srcad.testing


def all_other_pairs(x, y):
    energy = 0.0
    for i in range(len(x)):
        for j in range(len(x)):
            if j != i:
                r = np.sqrt((x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2)
                energy += (1 - np.exp(1.0 - r)) ** 2
    return energy


def pairs_that_are_near(x, y):
    energy = 0.0
    for i in range(len(x)):
        for j in range(len(x)):
            if i == j:
                continue
            square = (x[i] - x[j]) ** 2
            if square < 1.5:
                energy += y[j] * np.cos(square)
            else:
                energy += x[i] * y[i]
    return energy


def elements_that_are_not_there(x, y):
    """Only where a test holds is there an element ``y[i - 3]`` to read."""
    total = 0.0
    for i in range(len(x) + 3):
        for j in range(len(x)):
            if 3 <= i and x[j] > 0:
                total += y[i - 3] * x[j] * x[(j + 1) % len(x)]
    return total


def squares_of_differences(x, y):
    """At equal numbers the gradient is zero, and the second derivative is not."""
    total = 0.0
    for i in range(len(x)):
        for j in range(len(x)):
            if j != i:
                total += (x[i] - x[j]) ** 2 * y[0]
    return total


RANDOM = np.random.default_rng(5)
GIVEN = RANDOM.normal(size=6), RANDOM.normal(size=6)
PROGRAMS = (all_other_pairs, pairs_that_are_near, elements_that_are_not_there, squares_of_differences)


@pytest.mark.parametrize("program", PROGRAMS)
def test_pairs_are_what_they_are_without_passes(program):
    plain = srcad.grad(program, (0, 1), target="python", optimize=False)(*GIVEN)
    for target in ("python", "cpu"):
        for one, other in zip(srcad.grad(program, (0, 1), target=target)(*GIVEN), plain):
            np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-13)
    srcad.testing.check_grads(program, GIVEN, order=2, target="python")


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_second_derivatives_where_the_first_is_zero(target):
    x, y = np.zeros(4), np.ones(1)
    np.testing.assert_array_equal(srcad.grad(squares_of_differences, target=target)(x, y), np.zeros(4))
    np.testing.assert_allclose(srcad.hessian(squares_of_differences, target=target)(x, y), 16 * np.eye(4) - 4)


def test_pairs_have_one_branch_and_sums():
    text = srcad.source(srcad.value_and_grad(all_other_pairs, (0, 1)), *GIVEN)
    assert text.count("if j != i:") == 1 and "y_bar_sum" in text
    text = srcad.source(srcad.value_and_grad(elements_that_are_not_there, (0, 1)), *GIVEN)
    assert "if y_bar_sum != 0.0:" in text
