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


def parts(x, starts):
    parts = []
    for k in starts:
        parts.append(x[k:])
    return parts


JOINED = {
    "a list of arrays that is empty has no shape": (lambda x, k: np.sum(np.stack(parts(x, k))), []),
    "all arrays of the list must have one shape here, and these do not":
        (lambda x, k: np.sum(np.stack(parts(x, k))), [0, 1]),
    "need at least one array to concatenate": (lambda x, k: np.sum(np.hstack(parts(x, k))), []),
    "all arrays of the list must have the same other axes here, and these do not":
        (lambda x, k: np.sum(np.concatenate(parts(x, k), 1)), [0, 1]),
}  # fmt: skip


@pytest.mark.parametrize("message", JOINED)
def test_arrays_of_a_list_that_do_not_fit(message):
    fn, starts = JOINED[message]
    with pytest.raises(ValueError, match=message):
        srcad.grad(fn, target="python")(np.ones((3, 2)) if "axes" in message else np.ones(3), np.array(starts, int))


squares = np.frompyfunc(lambda v: v * v, 1, 1)


def test_functions_that_give_objects():
    def through_objects(x):
        return np.sum(squares(x))

    with pytest.raises(srcad.UnsupportedError, match="a function of np.frompyfunc, which gives objects; instead"):
        srcad.grad(through_objects, target="python")(np.ones(3))
