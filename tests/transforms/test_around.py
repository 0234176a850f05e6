"""Arrays that are rolled: elements of one array whose subscripts go around its end."""

import numpy as np
import pytest

import srcad
from srcad.testing import check_grads
from tests.forms_of_derivatives import derivative

U = np.sin(np.linspace(0.0, 5.0, 7)) + 0.1 * np.cos(np.arange(7.0))


def by_wind(u, a):
    for _ in range(3):
        left, right = u - np.roll(u, 1), np.roll(u, -1) - u
        u = u - 0.3 * np.where(a > 0, a * left, a * right)
    return np.sum(u**3)


def products_of_neighbours(u, a):
    for _ in range(2):
        u = u + a * (np.roll(u, -1) - np.roll(u, 2)) * np.roll(u, 1)
    return np.sum(u * np.roll(u * a, 3))


def in_place(u, a):
    x = u * a
    x[:] = np.roll(x, 1) + x * np.roll(np.exp(x), -2)
    x[1:] += np.roll(x, 1)[1:] * a
    x += np.roll(-x, -1)
    return np.sum(x**2)


def whole_turns(u, a):
    return np.sum(np.roll(u, 0) * np.roll(u, 9) * np.roll(u, -8) * a)


def of_a_part(u, a):
    x = u[1:]
    return np.sum(np.roll(x, 1) * x) + np.sum(np.roll(u, 1)[:-1] * x) * a


def of_an_unknown_number(u, a):
    total = 0.0
    for k in range(len(u)):
        total += a * np.sum(u * np.roll(u, k))
    return total


def grid(u, a):
    x = np.outer(u, np.cos(u))
    for _ in range(2):
        around = np.roll(x, 1, axis=0) + np.roll(x, -1, axis=0) + np.roll(x, 1, axis=1) + np.roll(x, -1, axis=-1)
        x = x + a * (around - 4.0 * x) * x
    return np.sum(x * np.roll(x, 2)) + np.sum(np.roll(x, (1, 2), axis=(0, 1)) * x) + np.sum(np.roll(x, 1, 1) * x.T)


def phases(u, a):
    x = np.outer(u, np.cos(u))
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            total += a * np.cos(x[i, j] - x[(i + 1) % x.shape[0], j]) + np.sin(x[i, j] * x[i, (j - 2) % x.shape[1]])
    return total


def oscillators(u, a):
    total = 0.0
    for i in range(len(u)):
        total += (a + np.sin(u[(i + 1) % len(u)] - u[i]) + np.sin(u[i - 1] - u[i])) ** 2
    return total


PROGRAMS = (by_wind, products_of_neighbours, in_place, whole_turns, of_a_part, of_an_unknown_number, grid, phases,
            oscillators)  # fmt: skip


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_the_text_for_machine_code_gives_what_the_literal_adjoint_gives(function):
    for length in (7, 4, 3, 2, 1, 0):
        forms = [derivative(function, ("u", "a"), form) for form in ("machine text", "plain")]
        (value, bars), (expected, others) = (f(U[:length].copy(), 0.3) for f in forms)
        for one, other in zip((value, *bars), (expected, *others)):
            np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_the_literal_adjoint_agrees_with_finite_differences(function):
    check_grads(function, (U.copy(), 0.3), order=1, target="python")


@pytest.mark.parametrize("function", (by_wind, products_of_neighbours, grid), ids=lambda f: f.__name__)
def test_no_array_is_rolled(function):
    derived = srcad.grad(function, wrt=(0, 1))
    text = srcad.source(derived, U, 0.3)
    assert "roll" not in "".join(line for line in text.splitlines() if "#" not in line) or function is grid
    assert "[(i - 1) % u" in text or function is not by_wind
    machine = srcad.source(derived, U, 0.3, stage="blocks")
    assert "u[i + 2] - u[i + 1]" in machine or function is not by_wind


def test_neighbours_are_gathered_between_the_ends():
    assert "u_bar_carried" in srcad.source(srcad.grad(oscillators, wrt=(0, 1)), U, 0.3, stage="blocks")


def test_compiled():
    made = srcad.value_and_grad(grid, wrt=(0, 1))
    value, bars = made(U, 0.3)
    expected, others = srcad.value_and_grad(grid, wrt=(0, 1), target="python", optimize=False)(U, 0.3)
    for one, other in zip((value, *bars), (expected, *others)):
        np.testing.assert_allclose(one, other, rtol=1e-10)
