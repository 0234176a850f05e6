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


def of_an_array_in_two_places(x):
    pair = [x * 2.0, x[0]]
    pair[1] = pair[0]
    a = x**2
    both = copy.deepcopy([a, a, x])
    twice = [a, a]
    other = copy.deepcopy(twice)
    other[0][1] *= x[0]
    both[0][1] *= x[2]
    return np.sum(both[1] * both[2]) + np.sum(a * pair[1]) + other[1][1]


def looked_up(x):
    row = [x[0], x[1]]
    rows = copy.deepcopy([row, row])
    rows[0][0] = x[2]
    return rows[1][0]


def twice_in_a_list(x):
    row = [x[0], x[1]]
    pair = [row, row]
    return copy.deepcopy(pair)[0][0]


@pytest.mark.parametrize("use", [of_arrays, of_elements, of_an_array_in_two_places])
def test_copies(use):
    check_grads(use, (np.array([1.3, 0.7, 2.0]),), target="python")


@pytest.mark.parametrize(("use", "reason", "remedy"), [
    (lambda x: copy.deepcopy(Held(x)).v[0], " of an object is not supported", "its class called"),
    (twice_in_a_list, "copy.deepcopy of a structure whose parts something else holds, too", "a copy of each"),
    (looked_up, "copy.deepcopy of a structure whose parts something else holds, too", "a copy of each"),
])  # fmt: skip
def test_structures_are_copied_by_their_parts(use, reason, remedy):
    with pytest.raises(srcad.UnsupportedError, match=f"{reason}.*; instead: {remedy}"):
        srcad.grad(use, target="python")(np.ones(3))
