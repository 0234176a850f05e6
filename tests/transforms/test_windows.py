"""Names that loops rebind to slices of themselves: windows of one array, which share its memory and its cotangent."""

import numpy as np
import pytest

import srcad


def products_of_ends(v):
    s = 0.0
    while len(v) > 1:
        s += v[0] * v[-1]
        v = v[1:-1]
    return s


def scaled_from_behind(a, x):
    w = a
    for k in range(3):
        w = w[:-1]
        w *= x[k]
    return np.sum(a)


def cut(a, n, m):
    w = a
    s = 0.0
    for _ in range(3):
        s += np.sum(w * w)
        w = w[n:m]
    return s


def test_nothing_is_recorded_but_bounds():
    text = srcad.source(srcad.grad(products_of_ends, target="python"), np.arange(6.0))
    assert "v_bar_1[0] += s_bar * v_1[-1]" in text
    assert "tape" not in text


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_writing_through_windows(target):
    a, x = np.arange(1.0, 6.0), np.array([2.0, 3.0, 5.0])
    by_a, by_x = srcad.grad(scaled_from_behind, wrt=("a", "x"), target=target)(a, x)
    np.testing.assert_array_equal(a, [30.0, 60.0, 18.0, 8.0, 5.0])
    np.testing.assert_allclose(by_a, [30.0, 30.0, 6.0, 2.0, 1.0])
    np.testing.assert_allclose(by_x, [(30.0 + 60.0 + 18.0 + 8.0) / 2.0, (30.0 + 60.0 + 18.0) / 3.0, 90.0 / 5.0])


@pytest.mark.parametrize("n", range(-7, 8, 2))
@pytest.mark.parametrize("m", range(-7, 8, 2))
def test_bounds_mean_what_they_mean_to_slices(n, m):
    """From either end, behind the ends, and in the wrong order."""
    a = np.arange(1.0, 6.0)
    value, gradient = srcad.value_and_grad(cut, target="python")(a, n, m)
    times = np.ones(5) + np.isin(a, a[n:m]) + np.isin(a, a[n:m][n:m])
    assert value == cut(a, n, m)
    np.testing.assert_array_equal(gradient, 2.0 * times * a)
