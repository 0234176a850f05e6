"""``np.where`` in machine code: the elements, dtypes and errors of NumPy's."""

import numba
import numpy as np
import pytest

import srcad
from srcad.runtime.choices import where

chosen = numba.njit(lambda test, x, y: where(test, x, y))
M, v = np.arange(12.0).reshape(3, 4) - 5.0, np.arange(4.0)
CASES = [
    (M > 0, M, 1.0),  # a number for all
    (M > 0, M[:, :1], v),  # axes of one element, and missing ones
    (M[::2, ::2] > 0, M[::2, ::2].astype(np.float32), np.float32(0)),  # gaps
    (v > 1, v > 2, False),
    (v > 1, 1, 2),  # numbers alone
    (True, M, -M),  # no array to test: Numba's own
]


@pytest.mark.parametrize("case", CASES)
def test_elements(case):
    found, expected = chosen(*case), np.where(*case)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


def test_places_are_left_to_numba():
    places = numba.njit(lambda test: where(test))
    assert places(v > 1)[0].tolist() == [2, 3]


def test_lengths_that_differ_are_refused():
    with pytest.raises(ValueError, match="broadcast"):
        chosen(M > 0, np.ones((2, 4)), 1.0)


def joined(x, n):
    chosen = np.where(x > 0.0, x, 2)
    divisor = chosen if n != 0.0 else 1.0
    return x * x / divisor


def test_choice_of_numbers_is_a_number():
    """A branch joins it with another number."""
    derivative = srcad.value_and_grad(joined, target="cpu")
    assert derivative(0.5, 2.0) == (0.5, 1.0)
    assert derivative(-0.5, 2.0) == (0.125, -0.5)
