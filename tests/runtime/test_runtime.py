"""The helpers: compiled, interpreted and by definition."""

import itertools
import math
import re

import numpy as np
import pytest
import scipy.special
from numba import njit

from srcad.runtime import determinants, integers
from srcad.runtime import (
    add_at, digamma, grid, grow, on_diagonal, overlaps, polygamma, product_of_others, products_of_others_dot,
    sinc_slope, sum_to, survives,
)  # fmt: skip
from srcad.runtime.place_sums import sum_by_places
from tests.turns import one_in


@njit
def compiled_sum_to(value, like):
    return sum_to(value, like)


@njit
def compiled_add_at(array, index, value):
    add_at(array, index, value)


@njit
def compiled_digamma(x):
    return digamma(x)


PAIRS = [
    ((3, 4), (3, 4)), ((3, 4), (4,)), ((3, 4), (1, 4)), ((3, 4), (3, 1)), ((3, 4), (1,)), ((2, 3, 4), (4,)),
    ((2, 3, 4), (3, 1)), ((4,), (2, 4)), ((2, 3, 4), (1, 1, 4)), ((0, 4), (4,)),
]  # fmt: skip


@pytest.mark.parametrize("order", ["C", pytest.param("F", marks=pytest.mark.slow)])
@pytest.mark.parametrize("shape, like", one_in(2, PAIRS))
def test_sum_to(shape, like, order):
    value = np.asarray(np.random.default_rng(0).normal(size=shape), order=order)
    # The derivative of broadcasting is its transpose: <broadcast(z), value> = <z, sum_to(value)>.
    z = np.random.default_rng(1).normal(size=like)
    for found in (sum_to(value, z), compiled_sum_to(value, z)):
        assert np.broadcast_shapes(found.shape, like) == tuple(like)
        if len(shape) >= len(like):
            np.testing.assert_allclose(np.sum(z * value), np.sum(z * found), atol=1e-12)


@pytest.mark.parametrize("ndim", [1, 2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_sums_over_any_axes(ndim):
    """Whatever axes are summed, or have one element, their neighbours among them."""
    random = np.random.default_rng(0)
    compiled = njit(lambda value, shape: sum_by_places(value, shape))
    for shape in itertools.product((1, 2, 3), repeat=ndim):
        value = random.integers(-9, 9, shape).astype(float)
        for summed in itertools.product((False, True), repeat=ndim):
            axes = tuple(np.flatnonzero(summed))
            total = value.sum(axis=axes, keepdims=True)
            wide = tuple(random.choice((k, 4)) if n == 1 else k for n, k in zip(shape, total.shape))
            for found in (sum_by_places(value, wide), compiled(value, wide), compiled(np.asfortranarray(value), wide)):
                np.testing.assert_array_equal(found, np.broadcast_to(total, wide))


@pytest.mark.parametrize("shape, like", [((2,), (3,)), ((5,), (3,)), ((2, 3), (2, 4))])
def test_sum_to_of_lengths_that_do_not_fit(shape, like):
    for function in (sum_to, compiled_sum_to):
        with pytest.raises(ValueError, match="broadcast|dimension"):
            function(np.ones(shape), np.ones(like))


INDICES = [
    (np.array([0, 0, 2]), (3, 4)), (np.array([[0, 0], [1, 2]]), (2, 2, 4)), (np.array([0, -1, 0]), (4,)), (1, (4,)),
    ((slice(None), np.array([1, 1, 2])), (3, 3)), ((1, np.array([1, 1])), (2,)), (np.array([0, 0]), ()),
]  # fmt: skip


@pytest.mark.parametrize("index, shape", one_in(2, INDICES), ids=str)
def test_add_at(index, shape):
    rng = np.random.default_rng(0)
    value = rng.normal(size=shape)[()]
    expected = np.ones((3, 4))
    np.add.at(expected, index, value)
    for add in (add_at, compiled_add_at):
        found = np.ones((3, 4))
        add(found, index, value)
        np.testing.assert_allclose(found, expected)


ALONG = [
    (slice(None), np.array([2, -1, 2])), (slice(None), slice(1, None), np.array([[0, 4], [4, 4]])),
    (slice(None, None, 2), np.array([1, -3, 1]), slice(None, 3)), (np.array([0, 0]), slice(None), slice(2, 1)),
    (slice(None), np.zeros(0, np.int64)), (slice(1, 1), np.array([2, 2])), (np.array([1, -1]), slice(1, None)),
]  # fmt: skip


@pytest.mark.parametrize("index", ALONG, ids=str)
def test_add_at_along_an_axis(index):
    array = np.random.default_rng(0).integers(-9, 9, (2, 3, 10)).astype(np.float32)[:, :, ::2]
    for value in (2.0, array[index] + 1, (array[index] + 1)[:1]):
        expected, found = array.copy(), np.stack([array, array], axis=-1)[..., 0]
        np.add.at(expected, index, value)
        compiled_add_at(found, index, value)
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("columns", [np.array([1, -1, 1]), np.array([[1], [0]])], ids=["pairs", "grid"])
def test_add_at_pairs(columns):
    index = (np.array([0, -2, 0]), columns)
    for value in (2.0, np.array([1.0, 2.0, 5.0])):
        expected, found = np.ones((3, 4)), np.ones((3, 4))
        np.add.at(expected, index, value)
        compiled_add_at(found, index, value)
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("value", [2.0, np.array([1.0, 3.0])], ids=["number", "array"])
def test_add_at_mask(value):
    for mask in (np.array([True, False, True]), np.array([[True, False], [False, True]])):
        expected, found = np.zeros(mask.shape), np.zeros(mask.shape)
        expected[mask] += value
        compiled_add_at(found, mask, value)
        np.testing.assert_array_equal(found, expected)


def test_arrays_without_axes_are_left_as_they_are():
    x = np.array(2.3)
    assert polygamma(1, x) == polygamma(1, 2.3) and digamma(x) == digamma(2.3) and x == 2.3


def test_digamma():
    points = np.concatenate([np.linspace(-20.3, 20.0, 997), 10.0 ** np.linspace(-8, 8, 200)])
    exact = scipy.special.digamma(points)
    found = np.array([compiled_digamma(x) for x in points])
    np.testing.assert_allclose(found, exact, rtol=1e-12, atol=1e-14)
    assert [digamma(x) for x in points[::50]] == list(found[::50])
    assert np.isnan(digamma(-2.0)) and digamma(0.0) == -np.inf and digamma(1e-310) < -1e300


@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1), (1, -1)])
def test_product_of_others(axis):
    a = np.random.default_rng(0).normal(size=(2, 3, 2))
    a[0, 1, 1] = a[1, 0, 0] = a[1, 0, 1] = 0.0
    expected = np.empty(a.shape)
    for place in np.ndindex(a.shape):
        one = a.copy()
        one[place] = 1.0
        axes = range(3) if axis is None else np.atleast_1d(axis) % 3
        group = tuple(slice(None) if k in axes else i for k, i in enumerate(place))
        expected[place] = np.prod(one[group])
    np.testing.assert_allclose(product_of_others(a, axis), expected)
    np.testing.assert_allclose(njit(lambda a: product_of_others(a, axis))(a), expected)


def test_grow_and_diagonal():
    assert njit(lambda t: grow(t))(np.ones((2, 3))).shape == grow(np.ones((2, 3))).shape == (8, 3)
    v = np.array([1.0, 2.0])
    for k in (-1, 0, 1):
        np.testing.assert_array_equal(njit(lambda v, like, k: on_diagonal(v, like, k))(v, np.ones((3, 3)), k)[:, :2],
                                      on_diagonal(v, np.ones((3, 3)), k)[:, :2])  # fmt: skip


SINC_POINTS = (
    np.array([0.0, 1e-9, 0.3, 2.0, -7.5]),
    np.array([0.0, 0.3], np.float32),
    np.array([0.1j, 3.0 - 2.0j]),
    0.4,
)


@pytest.mark.parametrize("x", SINC_POINTS, ids=str)
def test_compiled_slopes_of_the_cardinal_sine(x):
    slope = njit(lambda x, order: sinc_slope(x, order))
    for order in (1, 2, 3):
        assert np.asarray(slope(x, order)).dtype == np.asarray(sinc_slope(x, order)).dtype
        np.testing.assert_allclose(slope(x, order), sinc_slope(x, order), rtol=1e-6)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_polygamma(n):
    points = np.array([0.1, 0.9, 1.0, 3.5, 20.0, 1e3, -0.3, -2.6])
    exact = scipy.special.zeta(n + 1, points) * (-1) ** (n + 1) * math.factorial(n)
    positive = points > 0
    np.testing.assert_allclose([polygamma(n, x) for x in points[positive]], exact[positive], rtol=1e-13)
    slopes = [(digammas(n - 1, x + 1e-5) - digammas(n - 1, x - 1e-5)) / 2e-5 for x in points[~positive]]
    np.testing.assert_allclose([polygamma(n, x) for x in points[~positive]], slopes, rtol=1e-6)
    assert polygamma(1, 0.0) == polygamma(1, -3.0) == math.inf and math.isnan(polygamma(2, -3.0))
    np.testing.assert_allclose(njit(polygamma)(n, 2.5), polygamma(n, 2.5), rtol=1e-15)


def digammas(n, x):
    return digamma(x) if n == 0 else polygamma(n, x)


@pytest.mark.parametrize("axis", [None, 0, (0, 2)])
def test_how_products_of_others_move(axis):
    rng = np.random.default_rng(3)
    a, direction = rng.normal(size=(3, 2, 4)), rng.normal(size=(3, 2, 4))
    a[1, 1, 2] = 0.0
    exact = (product_of_others(a + 1e-5 * direction, axis) - product_of_others(a - 1e-5 * direction, axis)) / 2e-5
    np.testing.assert_allclose(products_of_others_dot(a, direction, axis), exact, rtol=1e-6, atol=1e-8)
    compiled = njit(lambda a, d: products_of_others_dot(a, d, axis))
    np.testing.assert_allclose(compiled(a, direction), products_of_others_dot(a, direction, axis), rtol=1e-13)


@njit
def compiled_survives(array, index):
    return survives(array, index)


LINES = [(1, np.array([0, -1, 3])), (np.array([2, 0, -1]), 3)]
LAST = [*(index for index, _ in INDICES[:6] if not isinstance(index, int)), *LINES]


@pytest.mark.parametrize("index", LAST, ids=str)
def test_survives(index):
    """What is stored and still there is what the last of several stores to a place has left."""
    array = np.zeros((3, 4))
    stored = np.arange(1.0, 1.0 + array[index].size).reshape(array[index].shape)
    array[index] = stored
    for found in (survives(array, index), compiled_survives(array, index)):
        assert np.array_equal(found, array[index] == stored)


@njit
def compiled_overlaps(a, b):
    return overlaps(a, b)


def test_overlaps():
    rng = np.random.default_rng(3)
    whole, found = np.zeros((6, 8)), set()

    def part(length):
        start, stop = rng.integers(0, length, 2)
        return slice(start, stop + 1, rng.choice([1, 2, 3])) if rng.random() < 0.7 else slice(None, None, -1)

    for _ in range(300):
        a, b = whole[part(6), part(8)], whole[part(6), part(8)].T
        shared = np.shares_memory(a, b)
        assert overlaps(a, b) == compiled_overlaps(a, b) == shared
        found.add(shared)
    assert found == {True, False}


@pytest.mark.parametrize("function, args, said", [
    (integers.integer_power, (2, -1), "Integers to negative integer powers are not allowed."),
    (integers.factorial, (-1,), "factorial() not defined for negative values"),
    (integers.permutations, (-1, 2), "perm() not defined for negative values"),
    (integers.combinations, (3, -2), "comb() not defined for negative values"),
    (integers.integer_sqrt, (-4,), "isqrt() argument must be nonnegative"),
])  # fmt: skip
def test_compiled_integers_refuse_what_has_no_result(function, args, said):
    compiled = njit(lambda *given: function(*given))
    with pytest.raises(ValueError, match=re.escape(said)):
        compiled(*args)


def test_cofactors_move_along_a_direction_of_their_kind():
    said = "cofactors_dot() takes a direction of the shape and dtype of the matrix"
    with pytest.raises(ValueError, match=re.escape(said)):
        determinants.cofactors_dot(np.eye(2), np.eye(3))


def test_matrices_in_a_grid():
    compiled = njit(lambda a, b, c: grid(((a, b), (c, b[..., :2, :]))))
    a, b, c = np.ones((2, 3, 4)), np.full((2, 3, 1), 2), np.asfortranarray(np.full((2, 2, 4), 3.0))
    np.testing.assert_array_equal(compiled(a, b, c), np.block([[a, b], [c, b[:, :2]]]))
    with pytest.raises(ValueError, match="arrays in a grid must agree in all but one length"):
        compiled(a, b[:, :2], c)
    with pytest.raises(ValueError, match="all rows of a grid must have one length"):
        compiled(a, b, c[..., :3])
