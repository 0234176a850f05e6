"""margins: what a nest adds to neighbours in several rows is gathered, for arrays of all sizes."""

import numpy as np
import pytest

from srcad import grad, source


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


PROGRAMS = [five_points, five_points_in_slices, backwards_and_weighted, roughness, between_planes]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_equals_what_python_computes(program):
    """Compiled, and of all sizes from nothing on: no element beside an array is touched."""
    compiled, plain = grad(program), grad(program, target="python", optimize=False)
    for shape in [(0, 0), (1, 4), (4, 1), (2, 2), (2, 5), (3, 3), (3, 7), (6, 4)]:
        u = np.random.default_rng(1).normal(size=shape)
        found, expected = compiled(u, 0.3, 0.7), plain(u, 0.3, 0.7)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14, err_msg=str(shape))


@pytest.mark.parametrize("program", [five_points, five_points_in_slices], ids=lambda f: f.__name__)
def test_adds_once_to_each_element(program):
    text = source(grad(program), np.ones((5, 6)), 0.3, 0.7)
    assert "_wide = np.zeros(" in text
    assert text.count("] += ") <= 2  # its own, and what its neighbours have for it
    assert text.index("_wide = np.zeros(") < text.index("in range(2, -1, -1)")  # made once


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
