"""Pieces of an array laid end to end, which are together as long as it."""

import numpy as np
import pytest

import srcad
from srcad.testing import check_grads
from tests.forms_of_derivatives import derivative

U = np.sin(np.linspace(0.0, 5.0, 7)) + 0.1 * np.cos(np.arange(7.0))


def springs(u, a):
    v = np.zeros_like(u)
    for _ in range(3):
        left, right = np.concatenate((u[:1], u[:-1])), np.concatenate((u[1:], u[-1:]))
        v = v + a * (left - 2.0 * u + right)
        u = u + 0.1 * v
    return np.sum(u**2) + np.sum(v**3)


def turned(u, a):
    for _ in range(2):
        u = u + a * np.concatenate((u[2:], u[:2])) * u
    return np.sum(u**2)


def between_zeros(u, a):
    padded = np.concatenate((np.zeros(2), u, np.zeros(1), a * u[:2], np.zeros(0)))
    return np.sum(padded[1:] * padded[:-1] * padded[1:])


def three_pieces(u, a):  # of a single element, longer than it
    ends = np.concatenate((u[:1], a * u[1:-1], u[-1:]))
    return np.sum(ends**2) * np.sum(u)


def rows(u, a):
    x = np.outer(u, u)
    for _ in range(2):
        x = x + a * np.concatenate((x[:1], x[:-1])) * np.concatenate((x[:, -1:], x[:, :-1]), axis=1)
    return np.sum(x**2)


PROGRAMS = (springs, turned, between_zeros, three_pieces, rows)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_all_forms_give_what_the_literal_adjoint_gives(function):
    check_grads(function, (U.copy(), 0.3), order=1, target="python")
    for length in (7, 3, 2, 1, 0):
        forms = [derivative(function, ("u", "a"), form) for form in ("plain", "machine text", "python")]
        (value, bars), *others = (form(U[:length].copy(), 0.3) for form in forms)
        for other, more in others:
            for one, two in zip((value, *bars), (other, *more)):
                np.testing.assert_allclose(one, two, rtol=1e-11, atol=1e-12)


def test_states_have_one_length():
    text = srcad.source(srcad.grad(springs, wrt=(0, 1)), U, 0.3)
    assert "recorded" not in text and "sum_to" not in text
    assert "right_bar[1:]" not in text and "x_bar[:1] += " in text.replace("u_bar", "x_bar")
