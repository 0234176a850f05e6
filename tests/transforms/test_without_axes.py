"""Arrays of rank 0 that loops begin with: numbers, unless somebody could tell."""

import numpy as np
import pytest

import srcad


def written_behind(x, n):
    y = x
    for _ in range(n):
        y = y * 2.0
    y += 1.0
    return y * x


def known_by_another_name(x, n):
    y = z = x
    for _ in range(n):
        z = y
        y = y * 2.0
    z += 1.0
    return y * z * x


def viewed(x, n):
    y = x
    for _ in range(n):
        row = y.reshape(1)
        row[0] = 3.0 * row[0]
        y = y * 2.0
    return y * x


def viewed_before(x, n):
    y, row = x.view(), np.atleast_1d(x)
    for _ in range(n):
        row[0] += 1.0
        y = y * 1.5
    return x * y


@pytest.mark.parametrize("fn", (written_behind, known_by_another_name, viewed, viewed_before))
def test_an_array_that_is_written_to_stays_one(fn):
    with pytest.raises(srcad.UnsupportedError, match="is a number on one path and an array without axes on another"):
        srcad.grad(fn, target="python")(np.array(2.0), 3)


def plain(x, n):
    y = x
    for _ in range(n):
        y = y * x
    return y


def test_an_array_that_is_only_read_is_the_number_that_it_holds():
    x = np.array(2.0)
    assert srcad.grad(plain)(x, 2) == 12.0 and srcad.grad(plain)(x, 0) == 1.0 and x == 2.0
