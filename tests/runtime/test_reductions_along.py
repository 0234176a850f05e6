"""Reductions along axes, compiled: every layout, dtypes that are added up in others, nothing at all."""

import numba
import numpy as np
import pytest

from srcad import runtime

RNG = np.random.default_rng(0)
CUBE = RNG.normal(size=(3, 9, 4))
FORMS = {
    "first": (CUBE, 0), "middle": (CUBE, 1), "last": (CUBE, 2), "together": (CUBE, (1, 2)), "apart": (CUBE, (0, 2)),
    "transposed": (CUBE.T, 0), "strided": (CUBE[:, ::2], 1), "single": (CUBE.astype(np.float32), 0),
    "whole numbers": (np.arange(12, dtype=np.int32).reshape(3, 4) - 5, 1), "truths": (CUBE > 0.0, 2),
    "four axes": (RNG.normal(size=(2, 3, 2, 3)), (0, 2)), "all": (CUBE[0], (0, 1)),
}  # fmt: skip


def compiled(name, axis, *options):
    space = {"along": getattr(runtime, name)}
    exec(f"def reduce(a): return along(a, {', '.join(map(str, (axis, *options)))})", space)
    return numba.njit(space["reduce"])


def check(name, array, axis):
    expected = getattr(np, name)(array, axis=axis)
    found = compiled(f"{name}_along", axis)(array)
    assert np.asarray(found).dtype == expected.dtype and np.shape(found) == expected.shape
    np.testing.assert_allclose(found, expected, rtol=1e-5 if expected.dtype == np.float32 else 1e-12)


def chosen(forms, *quick):
    """The forms, of which others than these few take machine code that is much the same."""
    return [pytest.param(form, marks=() if form in quick else pytest.mark.slow) for form in forms]


@pytest.mark.parametrize("form", chosen(FORMS, "strided", "truths"))
def test_sum(form):
    check("sum", *FORMS[form])


@pytest.mark.parametrize("name", ["sum", pytest.param("prod", marks=pytest.mark.slow)])
def test_long_rows(name):
    along = compiled(f"{name}_along", 1)
    for count in (255, 256, 257, 268, 300, 1000, 1023, 1091):
        rows = 1.0 + RNG.normal(size=(2, count)) / count
        np.testing.assert_allclose(along(rows), getattr(np, name)(rows, axis=1), rtol=1e-13)


QUICK = {"max": "last", "any": "first"}


@pytest.mark.parametrize("name, form", [
    pytest.param(name, form, marks=() if form == QUICK.get(name) else pytest.mark.slow)
    for name in ("mean", "prod", "max", "min", "any", "all")
    for form in ("first", "last", "apart")
])  # fmt: skip
def test_others(name, form):
    check(name, *FORMS[form])


@pytest.mark.parametrize("form", chosen(["first", "last", "apart"]))
def test_variance(form):
    array, axis = FORMS[form]
    np.testing.assert_allclose(compiled("var_along", axis, 1)(array), np.var(array, axis=axis, ddof=1), rtol=1e-12)
    moved = array + 1j * array**2
    np.testing.assert_allclose(compiled("var_along", axis, 0)(moved), np.var(moved, axis=axis), rtol=1e-12)


@pytest.mark.slow
def test_what_is_not_a_number_stays():
    array = CUBE.copy()
    array[1, 2, 3] = array[0, 0, 0] = array[2, 8, 0] = np.nan
    for axis in (0, 1, 2):
        np.testing.assert_array_equal(compiled("max_along", axis)(array), np.max(array, axis=axis))
    np.testing.assert_array_equal(compiled("min_along", 1)(array), np.min(array, axis=1))


@pytest.mark.slow
def test_of_nothing():
    nothing = np.zeros((3, 0))
    np.testing.assert_array_equal(compiled("sum_along", 1)(nothing), np.zeros(3))
    np.testing.assert_array_equal(compiled("prod_along", 1)(nothing), np.ones(3))
    assert compiled("max_along", 0)(nothing).shape == (0,)
    with pytest.raises(ValueError, match="no elements"):
        compiled("max_along", 1)(nothing)


FEW = ["first", "middle", "last", "together", "apart", "transposed", "strided", "single"]


@pytest.mark.parametrize("form", chosen(FEW, "strided"))
def test_products(form):
    array, axis = FORMS[form]
    space = {"along": runtime.products_along}
    exec(f"def reduce(a, b): return along(a, b, {axis})", space)
    other = np.ascontiguousarray(array[::-1])
    for a, b in ((array, other), (other, array), (array, array)):
        expected = np.sum(a * b, axis=axis)
        found = numba.njit(space["reduce"])(a, b)
        assert found.dtype == expected.dtype and found.shape == expected.shape
        np.testing.assert_allclose(found, expected, rtol=1e-5 if expected.dtype == np.float32 else 1e-12, atol=1e-5)


def test_products_of_nothing():
    space = {"along": runtime.products_along}
    exec("def reduce(a, b): return along(a, b, 1)", space)
    np.testing.assert_array_equal(numba.njit(space["reduce"])(np.zeros((3, 0)), np.zeros((3, 0))), np.zeros(3))


def test_even_bins_are_those_between_the_edges():
    """As a search finds them, whatever rounding makes of a quotient: on edges, and where these are close."""
    bins = numba.njit(lambda v, edges: runtime.even_bins(v, edges))
    for low, high, count in ((0.0, 1.0, 10), (-3.0, 0.1, 7), (1e9, 1e9 + 1e-6, 9), (0.0, 5e-324, 3)):
        edges = np.linspace(low, high, count + 1)
        beside = np.nextafter(edges[1:], low), np.nextafter(edges[:-1], high)
        v = np.concatenate((edges, *beside, RNG.uniform(low, high, 99)))
        np.testing.assert_array_equal(bins(v, edges), runtime.even_bins(v, edges))


@pytest.mark.parametrize("sizes", chosen([(40, 1), (40, 7), (9, 40), (40, 8), (5000, 19), (3, 3)], (9, 40), (5000, 19)))
def test_convolutions(sizes):
    a, v = (RNG.normal(size=n) for n in sizes)
    convolve = numba.njit(lambda a, v: runtime.convolved(a, v))
    np.testing.assert_allclose(convolve(a, v), np.convolve(a, v), atol=1e-12)
    if a.size >= v.size:
        correlate = numba.njit(lambda a, v: runtime.correlated(a, v))
        np.testing.assert_allclose(correlate(a, v), np.correlate(a, v), atol=1e-12)


def test_exponents():
    exponents = numba.njit(lambda x: runtime.exponents(x))
    special = [0.0, -0.0, 5e-324, -3e-310, 1.0, -0.5, 2.0**1023, np.inf, -np.inf, np.nan]
    x = np.concatenate((RNG.normal(size=20) * 10.0 ** RNG.integers(-30, 30, 20), special))
    for array in (x, x[::2], x.reshape(2, -1).T, x[:20].astype(np.float32)):
        np.testing.assert_array_equal(exponents(array), np.frexp(array)[1])


def test_mantissas():
    mantissas = numba.njit(lambda x: runtime.mantissas(x))
    special = [0.0, -0.0, 5e-324, -3e-310, 1.0, -0.5, 2.0**1023, np.inf, -np.inf, np.nan]
    x = np.concatenate((RNG.normal(size=20) * 10.0 ** RNG.integers(-30, 30, 20), special))
    for array in (x, x[::2], x[:20].astype(np.float32), np.arange(5)):
        found, expected = mantissas(array), np.frexp(array)[0]
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(np.signbit(found), np.signbit(expected))


def test_a_variance_without_degrees_of_freedom_is_infinite_as_in_numpy():
    assert np.all(compiled("var_along", 1, 3)(np.array([[1.0, 3.0], [2.0, 7.0]])) == np.inf)
