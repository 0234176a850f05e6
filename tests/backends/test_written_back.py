"""What is added to a part of an array is not copied to where it is; what is no view still is."""

import numpy as np
import pytest
from numba import njit

from srcad.backends.stack import Aligned
from tests.turns import one_in


def sliced(x, v):
    x[1:-1] += v[:-2]
    return x


def columns(x, v):
    x[:, 1] *= v[:, 0]
    x[..., 1:2] -= v[:, :1]
    return x


def row(x, v):
    k = len(v) - 1
    x[k] += v[0]
    x[0] /= 2.0
    return x


def element(x, v):
    x[1, 1] += v[0, 0]
    return x


def masked(x, v):
    x[0][v[0] > 0.0] += 1.0
    return x


def chosen(x, v):
    x[np.array([2, 0])] += v[1:3]
    return x


def moved(x, v):
    part = x[1:]
    part += v[1:]
    x[:-1] = part
    return x


@pytest.mark.parametrize("function", one_in(2, [sliced, columns, row, element, masked, chosen, moved]))
def test_same_numbers(function):
    random = np.random.default_rng(3)
    x, v = random.normal(size=(4, 3)), random.normal(size=(4, 3))
    np.testing.assert_array_equal(njit(pipeline_class=Aligned)(function)(x.copy(), v), function(x.copy(), v))


def test_machine_code_without_the_copy():
    x = np.ones((4, 3))
    sizes = []
    for settings in ({}, {"pipeline_class": Aligned}):
        compiled = njit(**settings)(sliced)
        compiled(x, x)
        (text,) = compiled.inspect_llvm().values()
        sizes.append(text.count("\n"))
    assert sizes[1] < 0.6 * sizes[0]
