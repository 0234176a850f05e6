"""Arrays that are unpacked into names: as many as there are elements, or the error that Python raises."""

import numpy as np
import pytest

import srcad


def two_names(x):
    a, b = x
    return a * b


def product(a, b):
    return a * b


def two_parameters(x):
    return product(*x)


def rows_of_two(A):
    s = 0.0
    for a, b in A:
        s += a * b
    return s


def two_and_a_rest(x):
    a, b, *rest = x
    return a * b


@pytest.mark.parametrize("fn, error", [(two_names, ValueError), (two_parameters, TypeError)])
@pytest.mark.parametrize("length", [1, 2, 3])
def test_number_of_values(fn, error, length):
    x = np.arange(1.0, 1.0 + length)
    df = srcad.grad(fn, target="python")
    if length == 2:
        np.testing.assert_allclose(df(x), [2.0, 1.0])
        return
    for raises in (fn, df):
        with pytest.raises(error):
            raises(x)


def test_rest_of_too_few():
    for raises in (two_and_a_rest, srcad.grad(two_and_a_rest, target="python")):
        with pytest.raises(ValueError):
            raises(np.ones(1))


@pytest.mark.parametrize("mode", [srcad.grad, srcad.value_and_grad])
def test_rows_are_asked_once(mode):
    df = mode(rows_of_two, target="python")
    with pytest.raises(ValueError):
        df(np.ones((4, 3)))
    df(np.ones((0, 3)))  # no row is unpacked
    text = srcad.source(df, np.ones((4, 2)))
    assert text.count("raise ValueError") == 1
    assert text.index("raise ValueError") < text.index("    for ")
