"""taken over: cotangents that begin with zeros go on as others that end there, and nobody can tell."""

import numpy as np
import pytest

from srcad import grad, source
from tests.turns import one_in


def made_anew(u, d):
    v = u.copy()
    for t in range(3):
        w = v.copy()
        w[1:-1] = v[1:-1] - d * (v[2:] ** 2 - v[:-2] ** 2) + v[2:] * v[:-2]
        v = w
    return np.sum(v**3)


def in_place(u, d):
    v = u.copy()
    for t in range(3):
        v[1:-1] = v[1:-1] - d * (v[2:] ** 2 - v[:-2] ** 2) + v[2:] * v[:-2]
    return np.sum(v**3)


def from_a_copy(u, d):
    v = u.copy()
    for t in range(3):
        old = v.copy()
        v[1:-1] = old[1:-1] - d * (old[2:] ** 2 - old[:-2] ** 2) + old[2:] * old[:-2]
    return np.sum(v**3)


def copied_twice(u, d):
    """Two arrays come from one: only one of their cotangents can go on as that of the first."""
    v = u * d
    w, x = v.copy(), v.copy()
    w[1:] = v[:-1] ** 2
    x[:-1] = v[1:] * w[1:]
    return np.sum(w * x) + np.sum(x**2)


def read_again(u, d):
    """What is changed is read between, and behind the copy."""
    v = u.copy()
    total = 0.0
    for t in range(3):
        old = v.copy()
        v[1:] = d * old[:-1] * v[1:]
        total += np.sum(old * v)
        v[:-1] = v[1:] + old[:-1]
    return total


def of_a_neighbour(u, d):
    """The copy is of a row beside the one that is written."""
    v = np.empty((4, u.shape[0]))
    v[0] = u
    for t in range(3):
        old = v[t].copy()
        v[t + 1] = d * old**2
        v[t] = v[t] * old
    return np.sum(v)


def starting_elsewhere(u, d):
    """The first of the indices counts from the end: the rows may be one."""
    v = np.empty((1, u.shape[0]))
    v[0] = u
    for t in range(-1, 0):
        old = v[t].copy()
        v[t + 1] = d * old**2
        v[t] = v[t] * old
    return np.sum(v)


def in_planes(u, d):
    """A step in loops, in two directions; what the last one was is of no interest then."""
    v = np.outer(u, u)
    for t in range(3):
        w = v.copy()
        for i in range(1, v.shape[0] - 1):
            for j in range(1, v.shape[1] - 1):
                w[i, j] = d * (v[i - 1, j] + v[i + 1, j] + v[i, j - 1] + v[i, j + 1])
        v = w
    return np.sum(v**3)


def read_between(u, d):
    """The copy is read where neighbours are added to."""
    v = np.outer(u, u)
    for t in range(3):
        w = v.copy()
        for i in range(1, v.shape[0] - 1):
            for j in range(1, v.shape[1] - 1):
                w[i, j] = d * (w[i - 1, j] * v[i, j] + v[i + 1, j] + w[i, j - 1] + v[i, j + 1] * v[i, j])
        v = w
    return np.sum(v**3)


PROGRAMS = [
    made_anew, in_place, from_a_copy, copied_twice, read_again, of_a_neighbour, starting_elsewhere, in_planes,
    read_between,
]  # fmt: skip


@pytest.mark.parametrize("program", one_in(2, PROGRAMS), ids=lambda f: f.__name__)
def test_equals_what_python_computes(program):
    compiled, plain = grad(program), grad(program, target="python", optimize=False)
    for size in (2, 3, 6):
        u = np.random.default_rng(1).normal(size=size)
        found, expected = compiled(u, 0.3), plain(u, 0.3)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14, err_msg=str(size))


@pytest.mark.parametrize("program", [made_anew, in_place, from_a_copy], ids=lambda f: f.__name__)
def test_writes_all_forms_of_a_step_as_one(program):
    """Two arrays that change places, one loop, nothing copied but edges."""
    text = source(grad(program), np.ones(6), 0.3)
    code = [line.strip() for line in text[text.index("range(2, -1, -1)") :].splitlines()]
    assert sum(line.startswith("for ") for line in code) <= 1
    assert not any("np.zeros" in line or "np.copy" in line for line in code)
    assert any(line.endswith("_bar_old, " + line.split(", ")[0]) for line in code)


def test_takes_over_what_nests_of_loops_add_to():
    """One array, no zeros in the loop, and no record of states of which a linear step reads none."""
    text = source(grad(in_planes), np.ones(6), 0.3)
    assert "_tape" not in text
    code = text[text.index("range(2, -1, -1)") :]
    assert "np.zeros" not in code and "v_bar, w_bar" not in code and "v_bar[:]" not in code
