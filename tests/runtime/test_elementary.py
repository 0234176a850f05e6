"""The functions that vectorise: against NumPy's in extended precision, at the limits, and what else they take."""

import numba
import numpy as np
import pytest

import srcad
from srcad.backends.vector_math import WRITTEN_OUT
from srcad.runtime import elementary

NAMES = [name for name in WRITTEN_OUT if name != "ldexp"]
RANDOM = np.random.default_rng(0)
LIMITS = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e308, -1e308, 1.0, -1.0, 709.78, 709.8, 711.0, -745.1, -746.0,
                   2.0**-1060, 2.0**-1022, -1.0 - 1e-10, 1e-300, -1e-300])  # fmt: skip


def arguments(name: str) -> np.ndarray:
    """Numbers of all sizes, near zero and near one, where a function has values."""
    sizes = 10.0 ** RANDOM.uniform(-300, 300, 3000)
    near = np.concatenate((1.0 + RANDOM.normal(size=3000) * 10.0 ** RANDOM.uniform(-15, -1, 3000), sizes))
    plain = np.concatenate((RANDOM.normal(size=3000), RANDOM.uniform(-700, 700, 3000), 1.0 / (1.0 + sizes)))
    return {"log": near, "log1p": np.abs(near) - (0.9 if name == "log1p" else 0.0)}.get(name, plain)


@pytest.mark.parametrize("name", NAMES)
def test_elementary_functions_are_right_to_rounding(name):
    x = arguments(name)
    own, of_numpy = getattr(elementary, name)(x), getattr(np, name)(x)
    with np.errstate(all="ignore"):
        exact = getattr(np, name)(x.astype(np.longdouble))
    apart = np.abs(own - exact) / np.spacing(np.abs(of_numpy))
    assert np.nanmax(apart) < 3.0
    assert np.array_equal(np.isfinite(own), np.isfinite(of_numpy))


@pytest.mark.parametrize("name", NAMES)
def test_elementary_functions_at_the_limits(name):
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(LIMITS)
        found = getattr(elementary, name)(LIMITS)
    np.testing.assert_allclose(found, expected, rtol=1e-15, atol=1e-323)


@pytest.mark.parametrize("name", NAMES)
def test_elementary_functions_of_other_types(name):
    function, of_numpy = getattr(elementary, name), getattr(np, name)
    compiled = numba.njit(lambda x: function(x))
    for x in (np.float32(0.7) * np.ones(3, np.float32), np.arange(1, 4), 0.5 + 0.25j, np.float32(0.7), 2):
        if not (isinstance(x, complex) and name in ("expm1", "log1p")):
            found, expected = compiled(x), of_numpy(x)
            assert getattr(found, "dtype", None) in (getattr(expected, "dtype", None), None)
            np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_elementary_functions_of_singles_are_right_to_rounding(name):
    with np.errstate(all="ignore"):
        x = np.concatenate((arguments(name) % 200.0 - 100.0, arguments(name), LIMITS, [1e-40])).astype(np.float32)
        exact = getattr(np, name)(x.astype(np.float64))
        function = getattr(elementary, name)
        own, rounded = numba.njit(lambda x: function(x))(x), exact.astype(np.float32)
    assert own.dtype == np.float32
    finite = np.isfinite(rounded)
    np.testing.assert_array_equal(own[~finite], rounded[~finite])
    assert np.max(np.abs(own[finite] - exact[finite]) / np.spacing(np.abs(rounded[finite]))) < 3.0


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_products_with_powers_of_two(dtype):
    compiled = numba.njit(lambda x, n: elementary.ldexp(x, n))
    x = np.concatenate((LIMITS, RANDOM.normal(size=3000) * 2.0 ** RANDOM.integers(-1060, 1020, 3000)))
    for powers in (RANDOM.integers(-2200, 2200, x.size), RANDOM.integers(-1100, 1100, x.size).astype(np.int32)):
        with np.errstate(all="ignore"):
            expected = np.ldexp(x.astype(dtype), powers)
            found = compiled(x.astype(dtype), powers)
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, expected)


def test_without_fast_math_functions_are_those_of_the_system():
    def f(x):
        return np.sum(np.exp(x) * np.tanh(x))

    x = RANDOM.normal(size=1000)
    exact, fast = (srcad.grad(f, fastmath=flags)(x) for flags in (False, True))
    plain = np.exp(x) * (np.tanh(x) + (1.0 - np.tanh(x) * np.tanh(x)))
    np.testing.assert_allclose(exact, plain, rtol=1e-14, atol=1e-14)
    np.testing.assert_allclose(fast, plain, rtol=1e-14, atol=1e-14)


def test_the_text_calls_functions_of_numpy():
    def f(x):
        return np.sum(np.exp(x))

    derivative = srcad.grad(f)
    derivative(np.ones(2))
    assert "np.exp(x)" in srcad.source(derivative) and "elementary" not in srcad.source(derivative)
