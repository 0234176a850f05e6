"""Compiled copies of views, row by row: every element at its place, whatever the strides are."""

import numba
import numpy as np
import pytest
from numba.core.compiler_lock import global_compiler_lock

from srcad.backends.copies import by_rows

CUBE = np.arange(120.0).reshape(4, 5, 6)
ROW = np.arange(7.0)
VIEWS = {
    "every other line": [CUBE[:, ::2], CUBE[1:3, 1:4, 2:3], CUBE[:, :0], CUBE[:0, ::2], CUBE[::-1, ::2, ::-1]],
    "transposed": [CUBE.T, CUBE[:2].T],
    "an axis of one": [CUBE[:, ::2, :, None], CUBE[None, :, ::2, ::5], CUBE.transpose(2, 0, 1)[:, :, None, 2:3]],
    "one row for all": [np.broadcast_to(ROW, (3, 7)), np.broadcast_to(ROW[:, None], (7, 3)), CUBE[0, ::2]],
    "numbers of 16 bytes": [(CUBE + 1j * CUBE)[::2, ::3], (CUBE + 1j)[:, 1:2, ::-1]],
    "truths": [(CUBE > 50.0)[:, :, 0], (CUBE > 50.0)[::2, :, 4]],
    "a vector": [ROW[::-1], ROW[::3], ROW[2:2]],
}


@pytest.mark.parametrize("name", VIEWS)
def test_copies_of_views(name):
    def both(a):
        return a.copy(), np.asfortranarray(a)

    views = VIEWS[name]
    compiled = numba.njit(both)
    layout = "F" if name == "transposed" else "A"
    given = numba.types.Array(numba.typeof(views[0]).dtype, views[0].ndim, layout, readonly=True)
    with global_compiler_lock, by_rows():
        compiled.compile((given,))
    compiled.disable_compile()
    for view in views:
        for copy, flag in zip(compiled(view), ("C_CONTIGUOUS", "F_CONTIGUOUS")):
            assert copy.shape == view.shape and copy.flags[flag]
            np.testing.assert_array_equal(copy, view)
