"""Large arrays of compiled code begin near the boundary of a huge page, and hold what they should."""

import sys

import numpy as np
import pytest
from numba.core.compiler_lock import global_compiler_lock
from numba.np import arrayobj

import srcad
from srcad.backends.huge_pages import HUGE, PAGE, huge_pages

on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="huge pages are asked for under Linux")


def energy(x):
    return np.sum(x * x)


@on_linux
@pytest.mark.parametrize("parallel", [False, True])
def test_where_large_arrays_begin(parallel):
    gradient = srcad.grad(energy, parallel=parallel)
    for n in (300_000, 1_000_000):
        x = np.arange(float(n))
        result = gradient(x)
        np.testing.assert_array_equal(result, 2.0 * x)
        assert result.ctypes.data % HUGE < PAGE


@on_linux
@global_compiler_lock
def test_where_numba_makes_arrays_as_expected():
    before = arrayobj._call_allocator
    with huge_pages():
        assert arrayobj._call_allocator is not before
    assert arrayobj._call_allocator is before


@pytest.mark.parametrize("other", [lambda arrtype, size, align, zeroed: None, lambda arrtype, size: None, None])
@global_compiler_lock
def test_where_numba_makes_arrays_in_another_way(monkeypatch, other):
    monkeypatch.setattr(arrayobj, "_call_allocator", other)
    with huge_pages():
        assert arrayobj._call_allocator is other
    assert arrayobj._call_allocator is other
    monkeypatch.delattr(arrayobj, "_call_allocator")
    with huge_pages():
        assert not hasattr(arrayobj, "_call_allocator")
