"""Arrays that machine code makes: as NumPy makes them, of all shapes, orders and dtypes."""

import numba
import numpy as np
import pytest

import srcad
from srcad.backends.vector_math import MAKING
from srcad.runtime import room

MATRIX = np.ones((2, 3))
GAPS = np.ones((4, 6))[::2, ::2]
PROTOTYPES = (np.ones(3), MATRIX, np.asfortranarray(MATRIX), GAPS, np.ones(3, np.int32), np.ones(()))


@pytest.mark.parametrize("name", [name for name in MAKING if name.endswith("_like")])
def test_arrays_like_others_have_shape_order_and_dtype_of_these(name):
    made, of_numpy = getattr(room, name), getattr(np, name)
    same, single = numba.njit(lambda x: made(x)), numba.njit(lambda x: made(x, dtype=np.float32))
    for x in PROTOTYPES:
        for found, expected in ((same(x), of_numpy(x)), (single(x), of_numpy(x, np.float32))):
            assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
            assert (found.flags.c_contiguous, found.flags.f_contiguous) == (
                expected.flags.c_contiguous, expected.flags.f_contiguous)  # fmt: skip
            assert name == "empty_like" or not found.any()
    assert name == "empty_like" or same(2.0) == 0.0  # what is no array is left to Numba


@pytest.mark.parametrize("name", [name for name in MAKING if not name.endswith("_like")])
def test_arrays_of_a_shape(name):
    made = getattr(room, name)
    plain, single = numba.njit(lambda n: made(n)), numba.njit(lambda n: made(n, np.float32))
    for shape in (3, (2, 3), (), (2, np.int32(0))):
        for found, dtype in ((plain(shape), float), (single(shape), np.float32)):
            assert (found.shape, found.dtype) == (np.empty(shape).shape, dtype)
            assert name == "empty" or not found.any()
    with pytest.raises(ValueError, match="negative dimensions"):
        plain(-1)


def test_the_text_makes_arrays_by_numpy():
    derivative = srcad.grad(lambda x: x[0] * x[1])
    assert derivative(np.array([2.0, 3.0])).tolist() == [3.0, 2.0]
    assert "np.zeros_like(x)" in srcad.source(derivative) and "room" not in srcad.source(derivative)


def test_what_does_not_fit_a_slice_is_refused():
    def f(x):
        z = np.zeros(5)
        z[1:] = x
        return np.sum(z * z)

    derivative = srcad.grad(f)
    assert derivative(np.ones(4)).tolist() == [2.0] * 4
    with pytest.raises(ValueError, match="cannot assign an array to a slice of another shape"):
        derivative(np.ones(3))
