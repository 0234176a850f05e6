"""Names that have no value on the path that was taken: an error, as in Python, and no zeros."""

import numpy as np
import pytest

import srcad


def carried(x, t):
    if t > 0:
        m = np.sin(x[0])
    for i in range(len(x)):
        m = m * x[i]
    return m


def read(x, t):
    if t > 0:
        m = np.sin(x[0])
    return m * x[1]


def bound_again(x, t):
    if t > 0:
        m = np.sin(x[0])
    for i in range(len(x)):
        m = x[i]
    return m


def read_under_the_test(x, t):
    if t > 0:
        m = np.sin(x[0])
    for i in range(len(x)):
        if t > 0:
            m = m * x[i]
    return m if t > 0 else x[0]


def error_of_its_own(x, t):
    if t > 0:
        m = np.sin(x[0])
    if t <= 0:
        raise ValueError("no m")
    return m


X = np.array([0.5, 1.5, 2.0])


@pytest.mark.parametrize("f, target", [(carried, "python"), (read, "python"), (read, "cpu")])
def test_it_is_an_error_to_read_them(f, target):
    df = srcad.grad(f, target=target)
    h = 1e-6
    slopes = [(f(X + h * e, 1.0) - f(X - h * e, 1.0)) / (2 * h) for e in np.eye(3)]
    assert np.allclose(df(X, 1.0), slopes)
    with pytest.raises(UnboundLocalError, match="cannot access local variable 'm'"):
        df(X, -1.0)


@pytest.mark.parametrize("f, expected", [(bound_again, [0.0, 0.0, 1.0]), (read_under_the_test, [1.0, 0.0, 0.0])])
def test_no_error_where_they_are_not_read(f, expected):
    assert np.allclose(srcad.grad(f, target="python")(X, -1.0), expected)


def test_errors_of_the_user_come_first():
    with pytest.raises(ValueError, match="no m"):
        srcad.grad(error_of_its_own, target="python")(X, -1.0)
