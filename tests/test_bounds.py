"""Arrays of indices that leave an axis: an `IndexError` from machine code as from Python, where they are used."""

import re

import numpy as np
import pytest
from scipy import linalg

import srcad

X = np.array([0.3, -1.2, 0.7, 2.0, -0.4])
WITHIN, BEYOND, BEFORE = np.array([0, 2, -5]), np.array([1, 5, 0]), np.array([1, -6, 0])
ROWS = np.array([[0, 1], [2, 3], [5, 0]])


def read(x, idx):
    return np.sum(np.tanh(x[idx]) ** 2)


def read_in_sum(x, idx):
    return np.sum(x[idx])


def read_columns(x, idx):
    return np.sum(np.take(np.outer(x, x), idx, axis=1) ** 2)


def read_behind(x, idx):
    return np.sum(np.outer(x, x)[None, ..., idx] ** 3)


def read_pairs(x, idx):
    return np.sum(np.outer(x, x)[idx, idx[::-1]] ** 2)


def read_of_part(x, idx):
    return np.sum(x[:3][idx % 4] ** 2)


def read_along(x, idx):
    return np.sum(np.take_along_axis(x, idx, axis=0) ** 2)


def unsigned(x, idx):
    return np.sum(x[idx.astype(np.uint64)] ** 2)


def written(x, idx):
    y = x.copy()
    y[idx] *= 2.0
    return np.sum(y**2)


def added(x, idx):
    y = np.zeros_like(x)
    np.add.at(y, idx, x[: idx.shape[0]])
    return np.sum(y**2)


def added_rows(x, idx):
    y = np.zeros((5, 3))
    np.add.at(y, (idx, slice(1, 3)), x[: idx.shape[0], None])
    return np.sum(y**2)


def grown(x, idx):
    y = x.copy()
    np.maximum.at(y, idx, x[: idx.shape[0]])
    return np.sum(y**2)


def scaled_pairs(x, idx):
    y = np.outer(x, x)
    np.multiply.at(y, (idx, idx), x[: idx.shape[0]])
    return np.sum(y**2)


def turned(x, idx):
    y = x.copy()
    np.negative.at(y, idx)
    return np.sum(y * x)


def moved(x, idx):
    total, places = 0.0, idx.copy()
    for _ in range(2):
        total += np.sum(x[places] ** 2)
        places += 1
    return total


def called_again(x, idx):
    def walk(v, depth):
        return np.sum(v) if depth == 0 else walk(v[idx] * v[: idx.shape[0]], depth - 1)

    return walk(x, 1)


def rows(x, idx):
    total = 0.0
    for i in range(idx.shape[0]):
        total += np.prod(x[idx[i]])
    return total


def first_rows(x, idx, count):
    total = 0.0
    for i in range(count):
        total += np.prod(x[idx[i]])
    return total


def repeated(x, idx, count):
    total = np.sum(x)
    for _ in range(count):
        total += np.sum(x[idx] ** 2)
    return total


def caught(x, idx):
    try:
        y = x[idx]
    except IndexError:
        y = x
    return np.sum(y**2)


def looked_at(x, idx):
    return np.sum(x[idx] ** 2) if idx.max() < x.shape[0] else np.sum(x)


def replaced(x, idx):
    places = idx.copy()
    places[places >= x.shape[0]] = 0
    return np.sum(x[places] ** 2)


def own_error(x, idx):
    if idx.max() >= x.shape[0]:
        raise ValueError("no such element")
    return np.sum(x[idx] ** 2)


ALL = [
    read, read_in_sum, read_columns, read_behind, read_pairs, read_along, written, added, added_rows, grown,
    scaled_pairs, turned, called_again,
]  # fmt: skip


def agrees(function, *args):
    """The compiled gradient is that of Python."""
    compiled, interpreted = srcad.value_and_grad(function), srcad.value_and_grad(function, target="python")
    for one, other in zip(compiled(X, *args), interpreted(X, *args)):
        np.testing.assert_allclose(one, other)


def raises(function, *args, mode="reverse"):
    derivative = srcad.value_and_grad(function) if mode == "reverse" else srcad.jacobian(function, mode=mode)
    with pytest.raises(IndexError, match="out of bounds"):
        derivative(X, *args)


@pytest.mark.parametrize("function", ALL)
def test_within_and_outside(function):
    agrees(function, WITHIN)
    raises(function, BEYOND)
    raises(function, BEFORE)


@pytest.mark.parametrize("function", [read, added])
def test_forward(function):
    raises(function, BEYOND, mode="forward")


def test_no_index():
    agrees(read, np.zeros(0, np.int64))
    agrees(rows, np.zeros((0, 2), np.int64))


@pytest.mark.parametrize("function", [read, added])
def test_second_derivatives(function):
    compiled, interpreted = (srcad.hessian(function, target=target) for target in ("cpu", "python"))
    np.testing.assert_allclose(compiled(X, WITHIN), interpreted(X, WITHIN))
    with pytest.raises(IndexError, match="out of bounds"):
        compiled(X, BEYOND)


def test_second_derivatives_of_loops():
    hessian = srcad.jacobian(srcad.grad(repeated))
    np.testing.assert_array_equal(hessian(X, BEYOND, 0), np.zeros((5, 5)))
    with pytest.raises(IndexError, match="out of bounds"):
        hessian(X, BEYOND, 1)


def test_message():
    with pytest.raises(IndexError, match="^an index is out of bounds for axis 0 of x$"):
        srcad.grad(read)(X, BEYOND)


def test_unsigned():
    agrees(unsigned, np.array([0, 4]))
    raises(unsigned, BEYOND)


def test_part_of_an_array():
    agrees(read_of_part, WITHIN[:2])
    raises(read_of_part, np.array([3]))


def test_places_that_change():
    agrees(moved, np.array([0, 3]))
    raises(moved, np.array([0, 4]))
    agrees(replaced, BEYOND)


def test_rows_that_are_read():
    raises(rows, ROWS)
    agrees(first_rows, ROWS, 2)
    raises(first_rows, ROWS, 3)


def test_what_is_never_read():
    agrees(repeated, BEYOND, 0)
    raises(repeated, BEYOND, 1)
    agrees(looked_at, BEYOND)
    agrees(caught, BEYOND)


def test_own_error_comes_first():
    with pytest.raises(ValueError, match="no such element"):
        srcad.grad(own_error)(X, BEYOND)


def test_before_the_loop():
    text = srcad.source(srcad.grad(rows), X, ROWS)
    assert text.index("out_of_bounds(idx, x.shape[0])") < text.index("\n    for ") and text.count("out_of_bounds(") == 1


@pytest.mark.parametrize("target", ["cpu", "python"])
def test_numbers_below_zero_are_not_counted(target):
    def counts(x, idx):
        return np.sum(np.bincount(idx, x[: idx.shape[0]], 3) ** 2)

    gradient = srcad.grad(counts, target=target)
    np.testing.assert_allclose(gradient(X, np.array([1, 4, 1])), [1.0 * 2.0, -2.4, 2.0, 0.0, 0.0])
    for idx in ([-7, 1, 1], [1, -7, 1]):
        with pytest.raises(ValueError, match="'list' argument must have no negative elements|must be non-negative"):
            gradient(X, np.array(idx))


def order_with_another(x):
    order = np.argsort(x)
    order[0] = 5000
    return np.sum(x[order] ** 2)


def order_further_on(x):
    order = np.argsort(x)
    order += 5
    return np.sum(x[order] ** 2)


def count_with_another(x):
    idx = np.arange(x.size)
    some = idx[1:]
    some[0] = 4000
    return np.sum(x[idx] ** 2)


def order_of_other_axis(x):
    return np.sum(np.take_along_axis(np.outer(x, x[:2]), np.argpartition(np.outer(x, x[:2]), 1, 0), 1))


@pytest.mark.parametrize("function", [order_with_another, order_further_on, count_with_another, order_of_other_axis])
@pytest.mark.parametrize("target", ["cpu", "python"])
def test_what_was_within_and_no_longer_is(function, target):
    with pytest.raises(IndexError, match="out of bounds"):
        srcad.grad(function, target=target)(X)


def largest(x): return np.sum(np.take_along_axis(x, np.argmax(x, axis=1)[:, None], 1) ** 2)
def in_order(x): return np.sum(np.take_along_axis(x, np.argsort(x, axis=0), 0)[0] ** 2)
def above(x): return np.sum(np.ravel(x)[np.flatnonzero(x.ravel() > 0.0)] ** 2)
def medians(x): return np.sum(np.median(x, axis=1) ** 2)


@pytest.mark.parametrize("function", [largest, in_order, above, medians])
def test_what_is_found_is_not_asked(function):
    """Places that a search gives are within the axis that it goes through."""
    x = np.array([[0.3, -1.2, 2.0], [0.7, 0.1, -0.4]])
    assert "out_of_bounds" not in srcad.source(srcad.grad(function), x)
    np.testing.assert_allclose(srcad.grad(function)(x), srcad.grad(function, target="python")(x))


@pytest.mark.parametrize("target", ["cpu", "python"])
def test_medians_of_nothing(target):
    with pytest.raises(ValueError, match="an order statistic of no elements"):
        srcad.grad(medians, target=target)(np.ones((2, 0)))


def masked(x, fits):
    return np.sum(x[fits] ** 2)


def masked_columns(x, fits):
    return np.sum(np.outer(x, x)[:, fits] ** 2)


def cleared(x, fits):
    y = x * 1.0
    y[fits] = 0.0
    return np.sum(y**2)


def cleared_in_loop(x, fits):
    y = x * 1.0
    for i in range(3):
        y[fits] *= x[i]
    return np.sum(y**2)


@pytest.mark.parametrize("function", [masked, masked_columns, cleared, cleared_in_loop])
def test_masks(function):
    """Truth values are as many as the elements that they choose from."""
    agrees(function, X > 0.0)
    for count in (4, 6):
        for target in ("cpu", "python"):
            with pytest.raises(IndexError, match="boolean"):
                srcad.grad(function, target=target)(X, np.ones(count, bool))


def test_masks_that_fit_are_not_asked():
    text = srcad.source(srcad.grad(lambda x: np.sum(x[x > 0.0] ** 2)), X)
    assert "other_lengths" not in text


def chosen(x): return np.sum(np.choose(np.array([0, 2, 1]), [x[:3], x[2:]]))
def chosen_before(x): return np.sum(np.choose(np.array([0, -1, 1]), [x[:3], x[2:]]))
def parted(x): return np.sum(np.partition(x, 7)[:2])
def parted_twice(x): return np.sum(np.partition(x, (1, -6))[:2])
def deleted(x): return np.sum(np.delete(x, 9) ** 2)
def inserted(x): return np.sum(np.insert(x, 9, 0.5) ** 2)
def repeated_less(x): return np.sum(np.repeat(x, np.array([1, -1, 2, 0, 1])) ** 2)
def repeated_few(x): return np.sum(np.repeat(x, np.array([1, 2])) ** 2)
def traced(x): return np.sum(np.einsum("ii->i", np.outer(x, x[:3])))
def between(x): return np.interp(0.3, x, x[:3])
def differences(x): return np.sum(np.diff(x, n=-1) ** 2)
def slopes(x): return np.sum(np.gradient(x, x[:4]) ** 2)
def convolved(x): return np.sum(np.convolve(x, x[:0]))


def correlated(x): return np.sum(np.correlate(x, x[:0]))
def beyond_all(x): return np.quantile(x, 1.5)
def beyond_all_numbers(x): return np.nanquantile(x, np.array([0.5, np.nan]))[0]
def percent(x): return np.percentile(x, -1)
def fitted_through_all(x): return np.polyfit(np.arange(5.0), x, 4, cov=True)[1][0, 0]
def solved(x): return np.sum(linalg.lu_solve(linalg.lu_factor(np.outer(x, x) + np.eye(5)), x[:4]))
def solved_toeplitz(x): return np.sum(linalg.solve_toeplitz(x, x[:4]))


REFUSED = [
    (chosen, "invalid entry in choice array"), (chosen_before, "invalid entry in choice array"),
    (parted, "kth is out of bounds"), (parted_twice, "kth is out of bounds"),
    (deleted, "np.delete of an element that is not there"), (inserted, "np.insert at a place that is not there"),
    (repeated_less, "repeats may not contain negative values"), (repeated_few, None),
    (traced, "np.einsum with one letter for axes of two lengths"), (between, "fp and xp are not of the same length"),
    (differences, "order must be non-negative"),
    (slopes, "np.gradient with another number of coordinates than of elements along their axis"),
    (convolved, "a convolution or a correlation with no elements"), (correlated, None),
    *((each, re.escape("Quantiles must be in the range [0, 1], percentiles in the range [0, 100]"))
      for each in (beyond_all, beyond_all_numbers, percent)),
    (fitted_through_all, "the number of data points must exceed order to scale the covariance matrix"),
    (solved, "scipy.linalg.lu_solve: the right side is not as long as the matrix"),
    (solved_toeplitz, "scipy.linalg.solve_toeplitz: the right side is not as long as the column and the row"),
]  # fmt: skip


@pytest.mark.parametrize(("function", "words"), REFUSED, ids=lambda e: getattr(e, "__name__", ""))
def test_what_numpy_refuses(function, words):
    """Places, counts and lengths that do not fit raise errors, as they do in NumPy."""
    for of in (function, srcad.grad(function, target="python")):
        with pytest.raises((ValueError, IndexError)):
            of(X)
    with pytest.raises((ValueError, IndexError), match=words):
        srcad.grad(function)(X)


@pytest.mark.parametrize("target", ["cpu", "python"])
def test_covariances_of_too_few(target):
    """Where more is taken off than there is, NumPy divides by zero."""
    def of_none(x): return np.sum(np.cov(x))
    def of_weighted(x): return np.sum(np.cov(x, aweights=np.array([0.1, 0.2, 0.3]), ddof=4))

    assert np.isnan(srcad.value_and_grad(of_none, target=target)(np.ones((2, 0)))[0])
    few = np.array([[0.3, 0.7, 1.9], [1.0, -1.0, 4.0]])
    assert srcad.value_and_grad(of_weighted, target=target)(few)[0] == of_weighted(few) == np.inf
