"""Functions of numbers that have been computed already."""

import numpy as np
import pytest

import srcad


def turned(p, w):
    angle = p[0] * p[1]
    return w * (np.cos(angle) * p[0] + np.sin(angle) * p[1])


def in_a_loop(x, w):
    total = 0.0
    for i in range(x.shape[0]):
        total += np.cos(x[i] * w) * np.sin(x[i] * w)
    return total


def in_branches(x, w):
    y = np.sin(w * x[0])
    if x[0] > 0.0:
        y = y * np.cos(w * x[0])
    else:
        y = y + np.exp(x[1]) * np.exp(x[1])
    return y * x[1]


def changed_between(x, w):
    y = np.sin(w * x[0])
    for i in range(x.shape[0]):
        w = w + np.sin(w * x[0]) * x[i]
    return y * np.sin(w * x[0])


def written_between(x, w):
    a = x * 1.0
    y = np.sin(a[0] * w)
    a[0] = y * a[1]
    return y + np.sin(a[0] * w)


ONCE = [(turned, ("np.cos", "np.sin"), 1), (in_a_loop, ("np.cos", "np.sin"), 1), (in_branches, ("np.exp",), 1),
        (changed_between, ("np.sin",), 4), (written_between, ("np.sin",), 2)]  # fmt: skip
x0 = np.array([0.7, -0.4])


@pytest.mark.parametrize("fn, functions, times", ONCE)
def test_what_has_a_name_is_not_computed_again(fn, functions, times):
    lines = srcad.source(srcad.value_and_grad(fn, target="python"), x0, 1.3).splitlines()
    text = "\n".join(line for line in lines if not line.strip().startswith("#"))
    for function in functions:
        assert text.count(f"{function}(") == times, text


@pytest.mark.parametrize("fn", [row[0] for row in ONCE])
@pytest.mark.parametrize("x", [x0, -x0])
def test_the_derivative_stays_what_it_is(fn, x):
    exact, plain = (srcad.value_and_grad(fn, (0, 1), target="python", optimize=o)(x, 1.3) for o in (True, False))
    assert exact[0] == plain[0]
    for one, other in zip(exact[1], plain[1]):
        np.testing.assert_allclose(one, other, rtol=1e-14)
    for derivative in (srcad.jacobian, srcad.hessian):
        one, other = (derivative(fn, target="python", optimize=o)(x, 1.3) for o in (True, False))
        np.testing.assert_allclose(one, other, rtol=1e-13)
