"""Cotangents that repeat one row, which no array is made for."""

import numpy as np
import pytest

import srcad
from srcad.testing import check_grads
from tests.forms_of_derivatives import derivative

X = np.sin(np.arange(12.0)).reshape(4, 3) + 0.3
A = np.cos(np.arange(4.0))


def waves(x, a):
    t = x[0]
    model = np.sum(a[:, None] * np.sin(a[:, None] * t[None, :] + 0.1), axis=0)
    return np.sum(model**2)


def of_columns(x, a):
    return np.sum(np.log(np.sum(np.exp(x * a[:, None]), axis=0)) * np.mean(x * x, axis=0))


def of_rows(x, a):
    return np.sum(np.sum(x * a[:, None], axis=1) ** 2) + np.sum(np.mean(np.exp(x), axis=1, keepdims=True) * x)


def of_repeated_rows(x, a):  # what is summed has fewer elements than it is spread over
    spread = x[0] + np.zeros_like(x)
    once = a[:, None] + x[0]
    return np.sum(np.sum(spread, axis=0) ** 2) + np.sum(np.sum(once, axis=1) ** 2) + np.sum(np.sum(once, axis=0) ** 2)


def chosen(x, a):
    picked = np.where(x > 0.5, x * a[:, None], a[:, None])
    return np.sum(np.sum(picked, axis=0) ** 3)


def added_to_twice(x, a):
    y = x * a[:, None]
    return np.sum(np.sum(y, axis=0) ** 2) + np.sum(np.sum(y, axis=1) ** 3) + np.sum(y**2)


def written_to(x, a):
    y = x * a[:, None]
    s = np.sum(y, axis=0)
    y[0] = s
    return np.sum(s**2) + np.sum(np.sum(y, axis=0) ** 3)


def in_steps(x, a):
    for _ in range(3):
        a = a + np.sum(x * a[:, None], axis=0)[0] * np.sum(x + a[:, None], axis=1)
        x = x + np.sum(x * x, axis=0)
    return np.sum(x * a[:, None])


PROGRAMS = (waves, of_columns, of_rows, of_repeated_rows, chosen, added_to_twice, written_to, in_steps)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_all_forms_give_what_the_literal_adjoint_gives(function):
    check_grads(function, (X.copy(), A.copy()), order=1, target="python")
    for rows in (4, 1):
        given = X[:rows].copy(), A[:rows].copy()
        forms = [derivative(function, ("x", "a"), form)(*given) for form in ("machine text", "python", "plain")]
        for value, bars in forms[:2]:
            for one, other in zip((value, *bars), (forms[2][0], *forms[2][1])):
                np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-12)


def test_no_array_of_zeros_is_made():
    text = srcad.source(srcad.grad(waves, wrt="a", target="python"), X, A)
    assert "zeros" not in text and "a_bar = np.sum(model_bar" in text and "a_bar += np.sum(model_bar" in text
