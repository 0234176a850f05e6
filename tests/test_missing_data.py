"""Data that are missing: what the function leaves out, as no number or infinite, leaves no trace in the gradient."""

import numpy as np
import pytest

import srcad

Y = np.array([1.0, np.nan, 3.0, np.inf])
B = np.array([0.5, 0.6, 0.7, -0.3])
D = np.array([0.2, -0.4, 1.1, 0.6])


def filled_sums(y, b):
    known = np.where(np.isinf(y), np.nan, y)
    return np.nansum(known * b) + np.nanmean((known - b) ** 2) + np.nanstd(known * b * b)


def choices(y, b):
    return np.sum(np.where(np.isfinite(y), (y - b) ** 2 * b, 0.0))


def replaced_by_numbers(y, b):
    return np.sum(np.nan_to_num(y * b * b, posinf=0.0, neginf=0.0))


def mask(y, b):
    known = np.isfinite(y)
    return np.sum(((y - b) ** 2)[known]) / known.sum()


def loop_that_tests_results(y, b):
    total, count = 0.0, 0
    for i in range(len(y)):
        residual = (y[i] - b[i] * b[0]) ** 2
        if np.isfinite(residual):
            total += residual
            count += 1
    return total / count


def masked_store(y, b):
    r = np.empty_like(y)
    r[:] = y * b
    r *= b
    r[~np.isfinite(r)] = b[0]
    return np.sum(r**2)


def store_in_a_branch(y, b):
    r = y * b
    r *= b
    for i in range(len(r)):
        if not np.isfinite(r[i]):
            r[i] = b[i]
    return np.sum(r**2)


FUNCTIONS = [filled_sums, choices, replaced_by_numbers, mask, loop_that_tests_results, masked_store, store_in_a_branch]


def slope(function, at, along, h=1e-5):
    with np.errstate(invalid="ignore"):
        return (function(at + h * along) - function(at - h * along)) / (2.0 * h)


@pytest.mark.parametrize("target", ["python", pytest.param("cpu", marks=pytest.mark.slow)])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_missing_data(function, target):
    gradient = srcad.grad(function, wrt="b", target=target)
    found = gradient(Y, B)
    np.testing.assert_allclose(found @ D, slope(lambda b: function(Y, b), B, D), rtol=1e-6)
    _, tangent = srcad.jvp(function, wrt="b", target=target)(Y, B, tangents=D)
    np.testing.assert_allclose(found @ D, tangent, rtol=1e-12)
    product = srcad.hvp(function, wrt="b", target=target)(Y, B, tangents=D)
    np.testing.assert_allclose(product, slope(lambda b: gradient(Y, b), B, D), rtol=1e-6, atol=1e-8)
