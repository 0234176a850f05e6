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


@pytest.mark.parametrize("form", FORMS)
def test_sum(form):
    check("sum", *FORMS[form])


@pytest.mark.parametrize("name", ["mean", "prod", "max", "min", "any", "all"])
@pytest.mark.parametrize("form", ["first", "last", "apart"])
def test_others(name, form):
    check(name, *FORMS[form])


@pytest.mark.parametrize("form", ["first", "last", "apart"])
def test_variance(form):
    array, axis = FORMS[form]
    np.testing.assert_allclose(compiled("var_along", axis, 1)(array), np.var(array, axis=axis, ddof=1), rtol=1e-12)
    moved = array + 1j * array**2
    np.testing.assert_allclose(compiled("var_along", axis, 0)(moved), np.var(moved, axis=axis), rtol=1e-12)


def test_what_is_not_a_number_stays():
    array = CUBE.copy()
    array[1, 2, 3] = array[0, 0, 0] = array[2, 8, 0] = np.nan
    for axis in (0, 1, 2):
        np.testing.assert_array_equal(compiled("max_along", axis)(array), np.max(array, axis=axis))
    np.testing.assert_array_equal(compiled("min_along", 1)(array), np.min(array, axis=1))


def test_of_nothing():
    nothing = np.zeros((3, 0))
    np.testing.assert_array_equal(compiled("sum_along", 1)(nothing), np.zeros(3))
    np.testing.assert_array_equal(compiled("prod_along", 1)(nothing), np.ones(3))
    assert compiled("max_along", 0)(nothing).shape == (0,)
    with pytest.raises(ValueError, match="no elements"):
        compiled("max_along", 1)(nothing)
