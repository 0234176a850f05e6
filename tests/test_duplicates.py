"""``copy.copy`` and ``copy.deepcopy``: of arrays, numbers and flat lists what ``x.copy()`` gives."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import srcad
from srcad.testing import check_grads


class Held:
    def __init__(self, v):
        self.v = v


def of_arrays(x):
    y, z = copy.copy(x), copy.deepcopy(x)
    y[0] = 3.0
    z[1] *= x[0]
    return y @ z + x @ z


def of_elements(x):
    a = copy.deepcopy(x[0] * 2)
    numbers = [a, x[1]]
    others = copy.copy(numbers)
    others[0] *= x[2]
    return numbers[0] * others[0] + copy.copy(a)


@pytest.mark.parametrize("use", [of_arrays, of_elements])
def test_copies(use):
    check_grads(use, (np.array([1.3, 0.7, 2.0]),), target="python")


@pytest.mark.parametrize(("use", "reason", "remedy"), [
    (lambda x: copy.deepcopy(Held(x)).v[0], " of an object is not supported", "its class called"),
    (lambda x: copy.deepcopy([x, x])[0][1], "copy.deepcopy of a structure is not supported", "a copy of each part"),
])  # fmt: skip
def test_structures_are_copied_by_their_parts(use, reason, remedy):
    with pytest.raises(srcad.UnsupportedError, match=f"{reason}; instead: {remedy}"):
        srcad.grad(use, target="python")(np.ones(3))
