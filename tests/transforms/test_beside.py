"""Steps in place, the cotangents of which live in two arrays that change places."""

import numpy as np
import pytest

import srcad
from tests.forms_of_derivatives import derivative

U = np.sin(np.linspace(0.0, 5.0, 8)) + 0.1 * np.cos(np.arange(8.0))


def three_points(u0, a, steps):
    u = u0.copy()
    for _ in range(steps):
        left, middle, right = u[:-2], u[1:-1], u[2:]
        change = 0.1 * (right - 2.0 * middle + left) - a * middle * (right - left)
        u[1:-1] = middle + change
    return np.sum(u**2)


def five_points(u0, a, steps):
    u = u0 * 1.0
    for _ in range(steps):
        change = a * u[2:-2] * (u[4:] - 8.0 * u[3:-1] + 8.0 * u[1:-3] - u[:-4])
        u[2:-2] = u[2:-2] + change
    return np.sum(u**3)


def points_on_one_side(u0, a, steps):
    u = u0.copy()
    for _ in range(steps):
        change = a * u[1:-2] * u[2:-1] - u[3:] ** 2
        u[:-3] = u[:-3] + 0.1 * change
    return np.sum(u**2)


def against_the_wind(u0, a, steps):
    u = u0.copy()
    for _ in range(steps):
        change = a * u[1:] * (u[1:] - u[:-1])
        u[1:] = u[1:] - change
    return np.sum(u**3)


def in_one_expression(u0, a, steps):
    u = u0.copy()
    for _ in range(steps):
        u[2:-2] = u[2:-2] + a * np.sin(u[2:-2]) * (u[4:] - 8.0 * u[3:-1] + 8.0 * u[1:-3] - u[:-4])
    return np.sum(u**2)


def changed_behind(u0, a, steps):
    u = u0.copy()
    for _ in range(steps):
        change = a * u[1:-1] * (u[2:] - u[:-2])
        u[1:-1] = u[1:-1] + change
        u[0] = u[1] * change[-1]
    return np.sum(u**2)


def change_seen(u0, a, steps):
    u = u0.copy()
    change = np.zeros(len(u0) - 2)
    for _ in range(steps):
        change = a * u[1:-1] * (u[2:] - u[:-2]) + 0.1 * change
        u[1:-1] = u[1:-1] + change
    return np.sum(u**2) + np.sum(change)


def ends_in_turn(u0, a, steps):
    u = u0.copy()
    for _ in range(steps):
        u[1:-1] = u[1:-1] + a * u[1:-1] * (u[2:] - u[:-2])
        u[0] = u[1] * a
        u[-1] = u[-2] * u[0]
    return np.sum(u**2)


def twice_a_step(u0, a, steps):
    u = u0.copy()
    for _ in range(steps):
        u[1:-1] = u[1:-1] + a * u[1:-1] * (u[2:] - u[:-2])
        u[1:] = u[1:] - a * u[:-1] ** 2
    return np.sum(u**2)


def seen_step_by_step(u0, a, steps):
    u = u0.copy()
    total = 0.0
    for _ in range(steps):
        total += u[0] ** 2
        u[1:-1] = u[1:-1] + a * u[1:-1] * (u[2:] - u[:-2])
        total += np.sum(u * u)
    return total


def an_argument(u, a, steps):
    for _ in range(steps):
        change = a * u[1:-1] * (u[2:] - u[:-2])
        u[1:-1] = u[1:-1] + change
    return np.sum(u**2)


def the_first_one_read_again(u0, a, steps):
    u = u0.copy()
    for _ in range(steps):
        u[1:-1] = u[1:-1] + a * u0[1:-1] * (u[2:] - u[:-2])
    return np.sum(u**2 * u0)


def two_fields(u0, a, steps):
    u, w = u0.copy(), np.sin(u0)
    for _ in range(steps):
        w[1:-1] = w[1:-1] + a * u[1:-1] * (w[2:] - w[:-2])
        u[1:-1] = u[1:-1] + a * w[1:-1] * (u[2:] - u[:-2])
    return np.sum(u * w)


def within_a_loop(u0, a, steps):
    total = 0.0
    for k in range(3):
        u = u0 * (k + 1.0)
        for _ in range(steps):
            u[1:-1] = u[1:-1] + a * u[1:-1] * (u[2:] - u[:-2])
        total += np.sum(u**2)
    return total


def another_length(u0, a, steps):
    u = u0.copy()
    n = min(len(u0), 4)
    for _ in range(steps):
        u[1 : n - 1] = u[1 : n - 1] + a * u[1 : n - 1] * (u[2:n] - u[: n - 2])
    return np.sum(u**2)


BESIDE = (three_points, five_points, ends_in_turn, twice_a_step, seen_step_by_step, an_argument,
          in_one_expression)
STEPS = (*BESIDE, against_the_wind, points_on_one_side, the_first_one_read_again,
         changed_behind, change_seen, two_fields, within_a_loop, another_length)


def gradients(function, form, *args):
    """The value and the gradients, or the error of the function itself."""
    try:
        return derivative(function, ((function.__code__.co_varnames[0]), "a"), form)(np.copy(args[0]), *args[1:])
    except (IndexError, ValueError) as error:
        return type(error)


def flat(result):
    return [result[0], *result[1]] if isinstance(result, tuple) else []


@pytest.mark.parametrize("function", STEPS, ids=lambda f: f.__name__)
def test_the_text_for_machine_code_gives_what_the_literal_adjoint_gives(function):
    for length, steps in ((8, 3), (7, 0), (6, 1), (5, 2), (4, 3), (3, 3), (2, 2), (1, 3), (0, 2)):
        found, expected = (gradients(function, form, U[:length], 0.3, steps) for form in ("machine text", "plain"))
        assert isinstance(found, tuple) == isinstance(expected, tuple)
        for one, other in zip(*(flat(x) for x in (found, expected))):
            np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("function", STEPS, ids=lambda f: f.__name__)
def test_sums_are_written_beside_what_is_read(function):
    text = srcad.source(srcad.grad(function), U, 0.3, 3)
    assert ("u_bar, u_bar_old = u_bar_old, u_bar" in text) == (function in BESIDE)
    assert not (function in BESIDE and "np.copy(u_bar" in text)
