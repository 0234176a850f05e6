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


PROGRAMS = [made_anew, in_place, from_a_copy, copied_twice, read_again, of_a_neighbour, starting_elsewhere]


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
