"""What is dear is computed once for each element that it has, not for each that it is spread over."""

import numpy as np
import pytest

import srcad

RNG = np.random.default_rng(0)
MATRIX, ROW = RNG.normal(size=(4, 4)), 1.0 + RNG.uniform(size=4)


def along_rows(a, r):
    return np.log(r) + a


def along_columns(a, r):
    return np.sqrt(r[:, None]) * a


def summed(a, r):
    return np.sum(np.cos(r) * np.sin(a))


def chosen(a, r):
    return np.sum(np.log(r) * a if a[0, 0] > 9.0 else a)


@pytest.mark.parametrize("fn, made", [(along_rows, "np.log(r)"), (along_columns, "np.sqrt(r[:, None])"),
                                      (summed, "np.cos(r)")])  # fmt: skip
def test_dear_and_small(fn, made):
    text = srcad.source(srcad.function(fn), MATRIX, ROW)
    assert f" = {made}\n" in text
    assert "for " not in text.split(made)[0]


def test_light_ones_stay_where_they_are():
    text = srcad.source(srcad.function(lambda a, r: (r * r + r**2) * a), MATRIX, ROW)
    assert "return (r * r + r**2) * a" in text


def test_no_branch_is_left():
    """What a branch computes is not computed before it is known which one is taken."""
    assert srcad.function(chosen, target="python")(MATRIX, np.zeros(4)) == pytest.approx(np.sum(MATRIX))
    text = srcad.source(srcad.function(chosen), MATRIX, ROW)
    assert text.index("np.log") > text.index("9.0")


def exponentials(a, r):
    return np.sort(np.exp(a - r[:, None]) + np.log(r**2), axis=1)


def test_numbers_of_columns_are_read_once_a_row():
    derivative = srcad.function(exponentials)
    assert "np.exp(a[i, j] - r[i])" in srcad.source(derivative, MATRIX, ROW)
    np.testing.assert_allclose(derivative(MATRIX, ROW), exponentials(MATRIX, ROW), rtol=1e-14)
    wide = RNG.normal(size=(3, 4, 4))
    np.testing.assert_allclose(derivative(wide, ROW), exponentials(wide, ROW), rtol=1e-14)


def test_gradient():
    both = (srcad.grad(summed, (0, 1), target=target)(MATRIX, ROW) for target in ("cpu", "python"))
    for found, expected in zip(*both):
        np.testing.assert_allclose(found, expected, rtol=1e-14)
