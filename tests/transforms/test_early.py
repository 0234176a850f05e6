"""Elements that a loop has not overwritten yet are read from one copy made before it; others are not."""

import numpy as np
import pytest

from srcad import grad, source
from tests.reference import best_gradient


def tree(x):
    """Two elements ahead of what is overwritten, in shorter and shorter loops."""
    v = x * x
    for t in range(len(x) - 2, -1, -1):
        for i in range(t + 1):
            v[i] = v[i] * v[i + 1] + 0.5 * v[i + 1]
    return v[0] * v[1]


def one_loop(x):
    """No loop around it: the copy is made once."""
    v = np.sin(x)
    for i in range(len(x) - 1):
        v[i] = v[i + 1] ** 2 * v[i] ** 2
    return np.sum(v**3)


def downwards(x):
    v = np.sin(x)
    for _ in range(3):
        for i in range(len(x) - 1, 0, -1):
            v[i] = v[i - 1] * v[i] ** 2 + v[i]
    return np.sum(v)


def both_sides(x):
    """The element on the left is new, those on the right are old."""
    v = np.sin(x)
    for _ in range(2):
        for i in range(1, len(x) - 1):
            v[i] = v[i] * v[i + 1] + v[i - 1] ** 2 * v[i]
    return np.sum(v**2)


def around_the_end(x):
    """Of the first element, the left neighbour is the last one; of the last one it was overwritten already."""
    v = np.sin(x)
    for i in range(len(x)):
        v[i - 1] = v[i] * v[i - 1] + v[i - 1] ** 2
    return np.sum(v**2)


def twice_in_an_iteration(x):
    """What an iteration overwrites it reads again."""
    v = np.sin(x)
    for i in range(len(x) - 1):
        v[i] = v[i] * v[i + 1]
        v[i] = v[i] ** 2 * v[i + 1]
        v[i + 1] = v[i + 1] * v[i]
    return np.sum(v**2)


def on_conditions(x):
    v = np.sin(x)
    for _ in range(2):
        for i in range(len(x) - 1):
            if v[i] > 0.1:
                v[i] = v[i + 1] * v[i]
            else:
                v[i] = v[i + 1] ** 2 - v[i]
    return np.sum(v**2)


def under_two_names(x):
    v = np.sin(x)
    w = v[1:]
    for i in range(len(x) - 2):
        v[i] = w[i] * v[i] * w[i + 1]
        w[i] = w[i] * v[i + 2] + v[i + 1]
    return np.sum(v**2)


def by_twos(x):
    """Every other element, and one that the iteration before has overwritten."""
    v = np.sin(x)
    for i in range(0, len(x) - 2, 2):
        v[i + 2] = v[i + 1] * v[i + 2] * v[i]
        v[i] = v[i + 2] ** 2
    return np.sum(v**2)


def a_few_at_a_time(x):
    """A window that moves: no copy of all for each of its places."""
    v = np.sin(x)
    for t in range(len(x) - 3):
        for i in range(t, t + 2):
            v[i] = v[i] * v[i + 1] + v[i + 1] ** 2
    return np.sum(v)


PROGRAMS = [tree, one_loop, downwards, both_sides, around_the_end, twice_in_an_iteration, on_conditions,
            under_two_names, by_twos, a_few_at_a_time]  # fmt: skip


@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
@pytest.mark.parametrize("optimize", [False, True])
def test_equals_differences(fn, optimize):
    df = grad(fn, target="python", optimize=optimize)
    for n in (6, 3):
        x = np.random.default_rng(n).normal(size=n) + 0.2
        np.testing.assert_allclose(df(x), best_gradient(fn, [x], 0), rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("fn", [tree, one_loop, downwards], ids=lambda fn: fn.__name__)
def test_records_no_single_elements(fn):
    text = source(grad(fn, target="python"), np.ones(5))
    assert "value_tape" not in text and "v_tape_1" not in text


def test_goes_through_no_loop_again():
    text = source(grad(tree, target="python"), np.ones(5))
    assert text.count("    v[i] =") + text.count("    v[j] =") == 1 and "np.copy(" not in text.split("v_tape")[-1]


def test_copies_nothing_for_a_few_elements():
    assert "np.copy(v" not in source(grad(a_few_at_a_time, target="python"), np.ones(6))
