"""margins: what a nest adds to neighbours in several rows is gathered, for arrays of all sizes."""

import re

import numpy as np
import pytest

from srcad import grad, source
from tests.forms_of_derivatives import derivative, interpreted
from tests.programs import PROGRAMS as CORPUS
from tests.turns import one_in


def five_points(u, d, r):
    v, w = u.copy(), u.copy()
    for t in range(3):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                near = v[i - 1, j] + v[i + 1, j] + v[i, j - 1] + v[i, j + 1]
                w[i, j] = v[i, j] + d * (near - 4.0 * v[i, j]) + r * v[i, j] ** 2
        v, w = w, v
    return np.sum(v**3)


def five_points_in_slices(u, d, r):
    v = u.copy()
    for t in range(3):
        middle = v[1:-1, 1:-1]
        near = v[:-2, 1:-1] + v[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:]
        v[1:-1, 1:-1] = middle + d * (near - 4.0 * middle) + r * middle**2
    return np.sum(v**3)


def backwards_and_weighted(u, d, r):
    total = 0.0
    for i in range(u.shape[0] - 3, -1, -1):
        for j in range(u.shape[1] - 1):
            total += np.sin(d * u[i, j] - r * u[i + 2, j + 1] + 2.0 * u[i + 1, j] + d * r * u[i, j + 1])
    return total


def roughness(u, d, r):
    return d * np.sum((u[1:] - u[:-1]) ** 2) + r * np.sum(np.sin(u[:, 1:] - u[:, :-1]))


def between_planes(u, d, r):
    x = np.empty((2, u.shape[0], u.shape[1]))
    x[0] = u
    x[1] = r * u
    total = 0.0
    for i in range(u.shape[0] - 1):
        for j in range(u.shape[1] - 2):
            total += d * x[1, i, j] * x[1, i + 1, j + 2] + x[1, i + 1, j] * x[1, i, j + 1]
    return total


def nine_points(u, d, r):
    """Each element has neighbours at its corners, and what goes elsewhere costs an exponential."""
    v, w = u.copy(), u.copy()
    for t in range(2):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                cross = v[i - 1, j] + v[i + 1, j] + v[i, j - 1] + v[i, j + 1]
                near = cross + r * (v[i - 1, j - 1] + v[i - 1, j + 1] + v[i + 1, j - 1] + v[i + 1, j + 1])
                w[i, j] = d * v[i, j] ** 2 + np.tanh(near)
        v, w = w, v
    return np.sum(v**3)


def two_away(u, d, r):
    total = 0.0
    for i in range(2, u.shape[0] - 2):
        for j in range(2, u.shape[1] - 2):
            far = u[i - 2, j] + u[i + 2, j] + u[i, j - 2] + u[i, j + 2]
            total += (d * u[i, j] ** 2 + r * (u[i - 1, j] + u[i, j + 1]) + far) ** 2
    return total


def in_space(u, d, r):
    v = np.empty((4, u.shape[0], u.shape[1]))
    for k in range(4):
        v[k] = u * k
    w = v.copy()
    for t in range(2):
        for k in range(1, 3):
            for i in range(1, u.shape[0] - 1):
                for j in range(1, u.shape[1] - 1):
                    near = v[k, i - 1, j] + v[k, i + 1, j] + v[k, i, j - 1] + v[k, i, j + 1]
                    near += v[k - 1, i, j] + v[k + 1, i, j] - 6.0 * v[k, i, j]
                    w[k, i, j] = v[k, i, j] + d * near + r * v[k, i, j] ** 2
        v, w = w, v
    return np.sum(v**3)


def one_sided(u, d, r):
    """An element of its own that lies at the corner of those that an iteration adds to."""
    total = 0.0
    for i in range(u.shape[0] - 1):
        for j in range(u.shape[1] - 1):
            total += r * u[i, j] ** 3 + (d * u[i, j] + u[i, j + 1] + u[i + 1, j] - u[i + 1, j + 1]) ** 2
    return total


def scaled_on_the_way(u, d, r):
    """What iterations write is read by later ones: nothing of it is computed ahead."""
    w = u.copy()
    total = 0.0
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            near = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
            w[i, j] = d * w[i, j - 1] * near + r * u[i, j] ** 2
            total += w[i, j] * u[i, j]
    return total + np.sum(w)


def by_rows(u, d, r):
    """What the rows before have written is read between the loops."""
    w = u.copy()
    total = 0.0
    for i in range(1, u.shape[0] - 1):
        left = w[i - 1, 0]
        for j in range(1, u.shape[1] - 1):
            near = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
            total += left * near**2 + r * u[i, j] ** 2
            w[i, j - 1] = d * near
    return total + np.sum(w)


PROGRAMS = [
    five_points, five_points_in_slices, backwards_and_weighted, roughness, between_planes, nine_points, two_away,
    in_space, one_sided, scaled_on_the_way, by_rows,
]  # fmt: skip


COMPILED = (five_points, backwards_and_weighted, between_planes)


@pytest.mark.parametrize("program", one_in(2, PROGRAMS, 1), ids=lambda f: f.__name__)
def test_equals_what_python_computes(program):
    """Of all sizes from nothing on: no element beside an array is touched."""
    made, plain = grad(program), grad(program, target="python", optimize=False)
    for shape in [(0, 0), (1, 4), (4, 1), (2, 2), (2, 5), (3, 3), (3, 7), (6, 4)]:
        u = np.random.default_rng(1).normal(size=shape)
        args = (u, 0.3, 0.7)
        found = made(*args) if program in COMPILED else interpreted(made, args)
        expected = plain(*args)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14, err_msg=str(shape))


def test_writes_each_element_once_where_the_nest_ahead_has_it():
    """A step in place puts all that an element has there; the rims are added to, one side after the other."""
    text = source(grad(five_points_in_slices), np.ones((5, 6)), 0.3, 0.7, stage="margins")
    made, used = text.index("~wide = np.zeros("), text.index("in range(2, -1, -1)")
    assert made < used  # made once
    inside = r"\[i\.\d+ \+ 1, i\.\d+ \+ 1\] = "
    assert len(re.findall("v~bar" + inside, text[used:])) == len(re.findall("~wide" + inside, text)) == 1
    assert text.count("] += ") == 4
    assert text.count("np.zeros") == 1


def test_gathers_for_its_own_element_at_once():
    """It is assigned; the rims are added to, one side after the other."""
    text = source(grad(five_points), np.ones((5, 6)), 0.3, 0.7, stage="margins")
    assert text.count("~wide[i, j] = ") == 1
    rims = [line.split(" += ")[0].strip() for line in text.splitlines() if "] += " in line]
    places = ["i, j", "0, j.1", "u.shape[0] - 1, j.1", "i.1, 0", "i.1, u.shape[1] - 1"]
    assert rims == [f"v.1~bar[{place}]" for place in places]


def test_computes_nothing_costly_twice():
    text = source(grad(nine_points), np.ones((5, 6)), 0.3, 0.7)
    code = "".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    assert code.count("np.tanh(") == 2  # the function itself, and once in the reverse sweep
    assert code.count("= np.zeros((") == 1  # what goes to corners is a multiple of what goes elsewhere
    assert text.count("] += ") == 8  # rims and corners


def test_takes_numbers_out_of_products():
    text = source(grad(backwards_and_weighted), np.ones((5, 6)), 0.3, 0.7)
    assert text.count("= np.zeros((") == 1  # the cosine, with margins; it is computed once
    assert text.count("np.cos(") == 1


def test_leaves_alone_what_goes_elsewhere():
    """The rows that are added to are others in each iteration, for all the compiler knows."""

    def picked(u, rows):
        total = 0.0
        for i in range(u.shape[0] - 1):
            for j in range(u.shape[1] - 1):
                total += u[rows[i], j] * u[i, j + 1]
        return total

    u, rows = np.random.default_rng(1).normal(size=(5, 6)), np.array([3, 0, 3, 1])
    assert "_wide" not in source(grad(picked), u, rows)
    np.testing.assert_allclose(grad(picked)(u, rows), grad(picked, target="python")(u, rows), rtol=1e-12)


def test_loops_go_as_far_as_an_array_made_in_the_shape_of_another_one():
    program = CORPUS["framed_picture"]
    (value, bars), (expected, others) = (
        derivative(program.fn, program.wrt, form)(*program.example()) for form in ("machine text", "plain")
    )
    np.testing.assert_allclose(value, expected, rtol=1e-12)
    np.testing.assert_allclose(bars[0], others[0], rtol=1e-11)
