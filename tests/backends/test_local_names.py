"""Local names that Numba confuses."""

import numba
import numpy as np
import pytest

from srcad.backends.local_names import distinct, with_distinct_names


def confusing(x, c):
    v = x * 2.0
    v_1 = x * 3.0
    if c > 0:
        v = v + x[0]
        w = v * v_1 + v
    else:
        w = v
    return np.sum(w)


def test_versions_and_numbered_names():
    compiled = numba.njit(with_distinct_names(confusing))
    for c in (1, -1):
        assert compiled(np.ones(2), c) == pytest.approx(confusing(np.ones(2), c))


def test_nothing_changes_without_need():
    assert with_distinct_names(distinct) is distinct
    assert distinct(("x", "y_1", "y_1_2", "z_")) == ("x", "y_1", "y_1_2_", "z_")
