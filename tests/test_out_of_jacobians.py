"""Jacobians that are written into arrays of the caller's: ``jacobian(f)(x, out=J)``."""

import numpy as np
import pytest
from numba import njit

import srcad

TARGETS = pytest.mark.parametrize("target", ["python", pytest.param("cpu", marks=pytest.mark.slow)])
MODES = pytest.mark.parametrize("mode", ["forward", "reverse"])


def projected(camera, point, weight):
    r = point[0] * point[0] + point[1] * point[1]
    zoom = camera[0] * (1.0 + r * camera[1])
    return weight * zoom * point[0] / point[2], weight * zoom * point[1] / point[2] + camera[2]


def scaled(x, a):
    return a * np.sin(x)


def outer(p, s):
    return {"all": np.outer(p["x"], p["y"]) * s, "sum": np.sum(p["x"])}


camera, point = np.array([1.5, 0.1, -0.2, 0.0]), np.array([0.3, -0.7, 1.9])
x0, y0 = np.array([0.4, -1.2]), np.array([0.5, 2.0, 3.0])


@TARGETS
@MODES
def test_numbers_by_vectors(target, mode):
    df = srcad.jacobian(projected, wrt=(0, 1, 2), mode=mode, target=target)
    table = np.full((2, 8), np.nan)
    out = [(row[:4], row[4:7], None) for row in table]
    made, written = df(camera, point, 2.0), df(camera, point, 2.0, out=tuple(out))
    for row, places, parts, expected in zip(table, out, written, made):
        assert parts[0] is places[0] and parts[1] is places[1] and parts[2] == expected[2]
        np.testing.assert_array_equal(row[:4], expected[0])
        np.testing.assert_array_equal(row[4:7], expected[1])
        assert np.isnan(row[7])


@TARGETS
@MODES
def test_vectors_by_vectors_and_numbers(target, mode):
    df = srcad.jacobian(scaled, wrt=(0, 1), mode=mode, target=target)
    out = np.full((2, 2), np.nan), np.full(2, np.nan)
    made, written = df(x0, 3.0), df(x0, 3.0, out=out)
    for array, part, expected in zip(out, written, made):
        assert part is array
        np.testing.assert_array_equal(array, expected)
    assert df(x0, 3.0, out=(None, out[1]))[1] is out[1]


@MODES
def test_structures_and_zeros(mode):
    df = srcad.jacobian(outer, wrt=("p", "s"), mode=mode, target="python", unconnected_gradients="zero")
    p = {"x": x0, "y": y0}
    out = {"all": ({"y": np.empty((2, 3, 3)), "x": np.empty((2, 3, 2))}, np.full((2, 3), 7.0)),
           "sum": ({"x": np.empty(2), "y": np.full(3, 7.0)}, None)}  # fmt: skip
    made, written = df(p, 2.0), df(p, 2.0, out=out)
    for key in p:
        assert written["all"][0][key] is out["all"][0][key]
        np.testing.assert_array_equal(out["all"][0][key], made["all"][0][key])
        np.testing.assert_array_equal(out["sum"][0][key], made["sum"][0][key])
    np.testing.assert_array_equal(out["all"][1], made["all"][1])
    assert written["sum"][1] == 0.0


def test_hessians():
    df = srcad.hessian(lambda x: np.sum(x**3), target="python")
    H = np.full((2, 2), np.nan)
    assert df(x0, out=H) is H
    np.testing.assert_allclose(H, np.diag(6.0 * x0))


def test_it_is_written_in_the_place_of_the_jacobian():
    text = srcad.source(srcad.jacobian(projected), camera, point, 2.0, out=(np.empty(4), np.empty(4)))
    assert "def projected_jacobian(camera, point, weight, out=None):" in text
    assert "np.zeros" not in text and "np.empty" not in text
    assert "out" not in srcad.source(srcad.jacobian(projected), camera, point, 2.0)
    assert "np.empty(" not in srcad.source(srcad.jacobian(scaled), x0, 3.0, out=np.empty((2, 2)))


def test_in_a_compiled_loop():
    df = srcad.jacobian(projected, wrt=(0, 1, 2))

    @njit
    def rows(cameras, points):
        result = np.empty((cameras.shape[0], 2, 8))
        for n in range(cameras.shape[0]):
            u, v = result[n, 0], result[n, 1]
            places = (u[:4], u[4:7], None), (v[:4], v[4:7], None)
            (_, _, u[7]), (_, _, v[7]) = df(cameras[n], points[n], 2.0, out=places)
        return result

    found = rows(np.array([camera, 2.0 * camera]), np.array([point, point + 1.0]))
    for n, row in enumerate(found):
        expected = df((1 + n) * camera, point + n, 2.0)
        for one, parts in zip(row, expected):
            np.testing.assert_allclose(one, np.concatenate([*parts[:2], [parts[2]]]), rtol=1e-13)


def two_of(x, a):
    return a * x[0], x


J = np.empty((2, 2))
READ_ONLY = np.empty((2, 2))
READ_ONLY.flags.writeable = False
WRONG = [
    (scaled, np.empty((3, 2)), ValueError, "out must have the shape of the result followed by that of x"),
    (scaled, np.empty((2, 3)), ValueError, "out must have the shape of the result followed by that of x"),
    (scaled, np.empty(2), ValueError, "out has 1 dimensions, the Jacobian with respect to x has 2"),
    (scaled, np.empty((2, 2), np.float32), TypeError, "out is of dtype float32, the Jacobian .* x of float64"),
    (scaled, np.empty((2, 2), order="F"), ValueError, "out must be C-contiguous$"),
    (scaled, 3.0, TypeError, "out is a number; the Jacobian with respect to x needs an array$"),
    (scaled, (J,), TypeError, "out is a structure; the Jacobian with respect to x needs an array$"),
    (scaled, READ_ONLY, ValueError, "read-only"),
    (two_of, (np.empty(3), J), ValueError, r"out\[0\] must have the shape of x"),
    (two_of, (x0, J), ValueError, r"out\[0\] shares memory with x"),
    (two_of, (J[0], J), ValueError, r"out\[0\] and out\[1\] share memory"),
    (two_of, (None, np.empty((2, 1))), ValueError, r"out\[1\] must have the shape of the result followed by"),
    (two_of, (None,), ValueError, "out has 1 parts, the gradient has 2"),
]  # fmt: skip


@TARGETS
@MODES
@pytest.mark.parametrize("fn, out, kind, message", WRONG)
def test_what_cannot_be_written_into_is_refused(target, mode, fn, out, kind, message):
    before = np.copy(x0)
    with pytest.raises(kind, match=message):
        srcad.jacobian(fn, mode=mode, target=target)(x0, 3.0, out=out)
    np.testing.assert_array_equal(x0, before)


def test_rows_of_what_is_passed_may_lie_side_by_side():
    table, comb = np.zeros((2, 2)), np.zeros((2, 4))
    srcad.jacobian(two_of, target="python")(x0, 3.0, out=(comb[0, ::2].copy(), table))
    np.testing.assert_array_equal(table, np.eye(2))
