"""Branches that add to neighbours: machine code adds in any case, one number or another."""

import numpy as np
import pytest

import srcad
from tests.forms_of_derivatives import derivative


def upwind(u0, a, steps):
    u, v = u0.copy(), u0.copy()
    for _ in range(steps):
        for i in range(1, u.shape[0] - 1):
            if u[i] > 0.0:
                d = u[i] - u[i - 1]
            else:
                d = u[i + 1] - u[i]
            v[i] = u[i] - a * u[i] * d
        u, v = v, u
    return np.sum(u * u)


def minmod(a, b):
    if a * b <= 0.0:
        return 0.0
    if abs(a) < abs(b):
        return a
    return b


def limited(u0, a, steps):
    u, v = u0.copy(), u0.copy()
    for _ in range(steps):
        for i in range(2, u.shape[0] - 1):
            right = u[i] + 0.4 * minmod(u[i] - u[i - 1], u[i + 1] - u[i])
            left = u[i - 1] + 0.4 * minmod(u[i - 1] - u[i - 2], u[i] - u[i - 1])
            v[i] = u[i] - a * (right - left)
        u, v = v, u
    return np.sum(u * u)


def weighted_and_counted(u0, a, steps):
    total = weight = 0.0
    for i in range(1, u0.shape[0] - 1):
        w = a * u0[i]
        if u0[i] > 0.1:
            total += w * u0[i + 1]
            w += u0[i - 1]
            total += w * w
            weight = w * u0[i]
        else:
            weight += a * u0[i + 1]
        total += weight * w
    return total * steps


def kept_inside(u0, a, steps):
    total = 0.0
    for i in range(u0.shape[0]):
        if i > 0:
            total += a * u0[i] * u0[i - 1]
        if i < u0.shape[0] - 1:
            total += np.sin(u0[i]) * u0[i + 1]
    return total * steps


def upwind_in_the_plane(u0, a, steps):
    u = np.outer(u0, u0[::-1])
    v = u.copy()
    n, m = u.shape
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                if u[i, j] > 0.0:
                    d = u[i, j] - u[i - 1, j]
                    if u[i, j] > 0.3:
                        d += a * (u[i, j] - u[i, j - 1])
                else:
                    d = u[i + 1, j] - a * u[i, j] * u[i, j + 1]
                v[i, j] = u[i, j] - a * u[i, j] * d
        u, v = v, u
    return np.sum(u * u)


def upwind_in_slices(u0, a, steps):
    u = u0.copy()
    for _ in range(steps):
        middle = u[1:-1]
        slope = np.where(middle > 0.0, middle - u[:-2], u[2:] - middle)
        u[1:-1] = middle - a * middle * slope
    return np.sum(u * u)


def chosen_inside(u0, a, steps):
    total, grid = 0.0, np.outer(u0, u0)
    for k in range(u0.shape[0]):
        row = grid[k] if u0[k] > 0.0 else grid[k] * a
        for i in range(u0.shape[0] - 1):
            slope = row[i + 1] * row[i] if i < 1 else grid[k, i - 1] * row[i + 1] / a
            total += slope * (grid[k + 1, i] if k < u0.shape[0] - 1 else row[i])
    return total * steps


PROGRAMS = (upwind, limited, weighted_and_counted, kept_inside, upwind_in_the_plane, upwind_in_slices, chosen_inside)
U = np.random.default_rng(5).normal(size=9)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_the_text_for_machine_code_gives_what_the_literal_adjoint_gives(function):
    for length in (0, 1, 2, 3, 4, 9):
        expected = derivative(function, (0, 1), "plain")(U[:length].copy(), 0.3, 3)
        found = derivative(function, (0, 1), "machine text")(U[:length].copy(), 0.3, 3)
        assert found[0] == pytest.approx(expected[0], rel=1e-12)
        for one, other in zip(found[1], expected[1]):
            np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_the_literal_adjoint_agrees_with_finite_differences(function):
    _, (gradient, _) = derivative(function, (0, 1), "plain")(U, 0.3, 3)
    for k in range(U.size):
        step = 1e-6 * np.eye(U.size)[k]
        slope = (function(U + step, 0.3, 3) - function(U - step, 0.3, 3)) / 2e-6
        assert gradient[k] == pytest.approx(slope, rel=1e-5, abs=1e-7)


def text(function):
    return srcad.source(srcad.grad(function), U, 0.3, 3)


def test_branches_on_the_wind_are_numbers():
    for function in (upwind, limited):
        assert "u_bar_carried" in text(function)
        assert "            if test" not in text(function)


def test_both_sides_of_a_choice_are_read_in_any_case():
    made = srcad.source(srcad.value_and_grad(upwind_in_slices), U, 0.3, 3, stage="blocks")
    reverse = made[made.index("u_bar_old = ") :]
    assert "u_bar_carried" in reverse and "slope = difference if test else difference_1" in reverse


def test_what_a_branch_keeps_inside_stays_in_it():
    assert "        if i > 0:\n" in text(kept_inside)
