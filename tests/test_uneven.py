"""Lists of lists of different lengths: what an array is not made of."""

import numpy as np
import pytest

import srcad


def array_of_a_triangle(x):
    rows = []
    for k in range(x.size):
        rows.append([x[k]] * (k + 1))
    return np.sum(np.array(rows))


def test_arrays_have_rows_of_one_length():
    with pytest.raises(ValueError, match="the rows of an array are of one length, and these lists are not, in line 13"):
        srcad.grad(array_of_a_triangle, target="python")(np.ones(3))


squares = np.frompyfunc(lambda v: v * v, 1, 1)


def test_functions_that_give_objects():
    def through_objects(x):
        return np.sum(squares(x))

    with pytest.raises(srcad.UnsupportedError, match="a function of np.frompyfunc, which gives objects; instead"):
        srcad.grad(through_objects, target="python")(np.ones(3))
