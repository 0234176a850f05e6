"""Sorts, order statistics, partitions and places of extremes, compiled: as NumPy's, with ties and what is no number."""

import numba
import numpy as np
import pytest

from srcad import runtime

RNG = np.random.default_rng(0)
LENGTHS = (1, 5, 60, 3000, 70_000)
CUBE = np.round(RNG.normal(size=(5, 40, 7)), 1)
CUBE[3, 4, 5] = np.nan


def compiled(name, *behind):
    space = {"along": getattr(runtime, name)}
    exec(f"def call(a, k=0): return along({', '.join(['a', *behind])})", space)
    return numba.njit(space["call"])


def vectors(dtype):
    """Numbers, ties, equal ones, and those with gaps and zeros of either sign."""
    for n in LENGTHS:
        v = (RNG.normal(size=n) * 10).astype(dtype)
        yield v
        yield np.round(v)
        yield np.full_like(v, 3)
        if v.dtype.kind == "f":
            gaps = np.round(v)
            gaps[RNG.integers(0, n, max(1, n // 50))] = np.nan
            gaps[0] = -0.0
            yield gaps


dtypes = pytest.mark.parametrize(
    "dtype", [np.float64, *(pytest.param(d, marks=pytest.mark.slow) for d in (np.float32, np.int64, np.int32, np.int8))]
)


@dtypes
def test_sort_and_order(dtype):
    sort, order = compiled("sort_along", "-1"), compiled("order_of")
    for v in vectors(dtype):
        np.testing.assert_array_equal(sort(v), np.sort(v))
        np.testing.assert_array_equal(order(v), np.argsort(v, kind="stable"))


@dtypes
def test_order_statistics_and_partitions(dtype):
    nth, part, places = compiled("nth_smallest", "k"), *(
        compiled(name, "k", "-1") for name in ("partition_along", "argpartition_along")
    )  # fmt: skip
    for v in vectors(dtype):
        ordered = np.sort(v)
        for k in sorted({0, v.size // 2, v.size - 1}):
            assert nth(v, np.array([k])) == runtime.nth_smallest(v, np.array([k]))
            order = places(v, k)
            np.testing.assert_array_equal(np.sort(order), np.arange(v.size))
            for parted in (part(v, k), v[order]):
                np.testing.assert_array_equal(parted[k], ordered[k])
                np.testing.assert_array_equal(np.sort(parted[:k]), ordered[:k])
                np.testing.assert_array_equal(np.sort(parted), ordered)


@dtypes
@pytest.mark.parametrize("numbers", [False, True])
def test_several_order_statistics(dtype, numbers):
    nth = compiled("nth_smallest", "k", str(numbers))
    for v in vectors(dtype):
        for many in (3, 30):
            orders = RNG.integers(0, v.size, many)
            np.testing.assert_array_equal(nth(v, orders), runtime.nth_smallest(v, orders, numbers))


@pytest.mark.slow
def test_order_statistics_of_rows():
    nth, orders = compiled("nth_smallest", "k", "True"), RNG.integers(0, 40, (5, 7, 3))
    rows = CUBE.transpose(0, 2, 1)
    np.testing.assert_array_equal(nth(rows, orders), runtime.nth_smallest(rows, orders, True))
    np.testing.assert_array_equal(nth(rows, orders[0, 0]), runtime.nth_smallest(rows, orders[0, 0], True))


@pytest.mark.slow
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_along_axes(axis):
    for name in ("sort", "argmax", "argmin"):
        along = compiled(f"{name}_along", str(axis))
        for array in (CUBE, CUBE[::2, :, ::-1]):
            np.testing.assert_array_equal(along(array), getattr(np, name)(array, axis=axis))


@pytest.mark.slow
def test_extremes_of_nothing():
    with pytest.raises(ValueError, match="the place of an extreme of no elements"):
        compiled("argmax_along", "0")(np.zeros(0))
    assert compiled("argmax_along", "0")(np.zeros((3, 0))).shape == (0,)
    assert compiled("sort_along", "0")(np.zeros((0, 3))).shape == (0, 3)


@pytest.mark.slow
def test_of_truths():
    truths = CUBE > 0.0
    np.testing.assert_array_equal(compiled("argmax_along", "1")(truths), np.argmax(truths, axis=1))


@pytest.mark.slow
@pytest.mark.parametrize("lengths", [(5, 3), (3, 5), (4, 4), (1, 6), (5000, 9), (300, 260)])
def test_convolutions(lengths):
    a, v = (RNG.normal(size=n) for n in lengths)
    np.testing.assert_allclose(compiled("convolved", "k")(a, v), np.convolve(a, v), rtol=1e-11, atol=1e-12)
    if a.size >= v.size:
        expected = np.correlate(a, v, "valid")
        np.testing.assert_allclose(compiled("correlated", "k")(a, v), expected, rtol=1e-11, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("k", [-1, 0, 2])
def test_triangles(k):
    for array in (CUBE, CUBE[0]):
        np.testing.assert_array_equal(compiled("lower_triangle", "k")(array, k), np.tril(array, k))
        np.testing.assert_array_equal(compiled("upper_triangle", "k")(array, k), np.triu(array, k))
