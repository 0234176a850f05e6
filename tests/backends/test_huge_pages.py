"""Large arrays of compiled code begin near the boundary of a huge page, and hold what they should."""

import sys

import numpy as np
import pytest

import srcad
from srcad.backends.huge_pages import HUGE, PAGE


def energy(x):
    return np.sum(x * x)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="huge pages are asked for under Linux")
def test_where_large_arrays_begin():
    gradient = srcad.grad(energy)
    for n in (300_000, 1_000_000):
        x = np.arange(float(n))
        result = gradient(x)
        np.testing.assert_array_equal(result, 2.0 * x)
        assert result.ctypes.data % HUGE < PAGE
