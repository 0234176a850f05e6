"""Every call of `cases`: values, dtypes and shapes as NumPy's, derivatives as finite differences say."""

import warnings

import numpy as np
import pytest

import srcad
from srcad.testing import check_grads
from tests.library.cases import CASES
from tests.library.written import arguments, function

by_case = pytest.mark.parametrize("number", range(len(CASES)), ids=lambda n: f"{CASES[n][0]}-{CASES[n][1]}")
PRECISION = {np.float64: 1e-12, np.float32: 2e-5}


def check_value(number, dtype, target):
    """The value that the derivative comes with is NumPy's."""
    args = arguments(number, dtype)
    expected = function(number)(*args)
    moving = [i for i, arg in enumerate(args) if np.asarray(arg).dtype.kind == "f"]
    value, gradients = srcad.value_and_grad(function(number), wrt=tuple(moving), target=target)(*args)
    check_same(value, expected, PRECISION[dtype])
    for position, gradient in zip(moving, gradients):
        if gradient is not None and isinstance(args[position], np.ndarray):
            assert gradient.dtype == args[position].dtype and gradient.shape == args[position].shape


def check_same(value, expected, precision):
    if isinstance(expected, (tuple, list)):
        assert len(value) == len(expected)
        for one, other in zip(value, expected):
            check_same(one, other, precision)
        return
    assert np.shape(value) == np.shape(expected)
    if np.ndim(expected):
        assert value.dtype == expected.dtype
    np.testing.assert_allclose(value, expected, rtol=precision, atol=precision)


@by_case
@pytest.mark.parametrize("dtype", [np.float64, np.float32], ids=["double", "single"])
def test_value(number, dtype):
    check_value(number, dtype, "python")


@by_case
def test_derivative(number):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_grads(function(number), tuple(arguments(number)), target="python")


@pytest.mark.slow
@by_case
@pytest.mark.parametrize("dtype", [np.float64, np.float32], ids=["double", "single"])
def test_compiled(number, dtype):
    check_value(number, dtype, "cpu")
    if dtype is np.float64:
        check_grads(function(number), tuple(arguments(number)))
