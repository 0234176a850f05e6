"""``copy.copy`` and ``copy.deepcopy``: of arrays, numbers and flat lists what ``x.copy()`` gives."""

from __future__ import annotations

import copy
from typing import NamedTuple

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


class Own(Held):
    def __deepcopy__(self, known):
        return Own(self.v * 2.0)


def of_an_array_on_one_path(x):
    a = x * 2.0
    b = a if x[0] > 0.5 else x**2
    both = copy.deepcopy([a, b])
    both[0][0] = 5.0
    return both[1][0]


def of_an_array_of_the_last_turn(x):
    a, b, total = x * 2.0, x**2, 0.0
    for _ in range(3):
        both = copy.deepcopy([a, b])
        both[0][0] = 5.0 * x[1]
        total += both[1][0]
        b = a
    return total


def of_numbers_on_one_path(x):
    low = x[0] if x[0] < x[1] else x[1]
    high = x[1] if x[0] < x[1] else x[0]
    ends = copy.deepcopy([low, high])
    ends[0] *= 3.0
    return ends[0] * ends[1] + low


class Pair(NamedTuple):
    first: np.ndarray
    second: float


def of_named_tuples(x):
    pair = Pair(x * 2.0, x[0])
    same, other = copy.copy(pair), copy.deepcopy(pair)
    same.first[0] = x[1]
    return np.sum(pair.first * other.first) * same.second


def of_the_callers(held, other):
    one, two = copy.deepcopy(held), copy.copy(other)
    one.v.v[0] = 5.0 * other.v[0]
    two.v[1] *= 3.0
    return np.sum(one.v.v * held.v.v) + np.sum(two.v * other.v)


def test_copies_of_objects_of_the_caller():
    args = Held(Held(np.array([1.0, 2.0]))), Held(np.array([3.0, 4.0]))
    inner, outer = srcad.grad(of_the_callers, wrt=(0, 1), target="python")(*args)
    np.testing.assert_allclose(inner.v.v, [15.0, 4.0])
    np.testing.assert_allclose(outer.v, [2 * 3.0 + 5.0 * 1.0, 2 * 9.0 * 4.0])
    assert args[0].v.v.tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    "use", [of_numbers_on_one_path, of_named_tuples, of_arrays, of_elements, of_an_array_in_two_places]
)
def test_copies(use):
    check_grads(use, (np.array([1.3, 0.7, 2.0]),), target="python")


@pytest.mark.parametrize(("use", "reason", "remedy"), [
    (lambda x: copy.deepcopy(Own(x)).v[0], "a copy of .*Own, which has __deepcopy__, is not supported", "a new object"),
    (of_an_array_on_one_path, "in which one array may stand in several places is not supported", "a copy of each part"),
    (of_an_array_of_the_last_turn, "in which one array may stand in several places is", "a copy of each part"),
    (twice_in_a_list, "copy.deepcopy of a structure whose parts something else holds, too", "a copy of each"),
    (looked_up, "copy.deepcopy of a structure whose parts something else holds, too", "a copy of each"),
])  # fmt: skip
def test_structures_are_copied_by_their_parts(use, reason, remedy):
    with pytest.raises(srcad.UnsupportedError, match=f"{reason}.*; instead: {remedy}"):
        srcad.grad(use, target="python")(np.ones(3))
