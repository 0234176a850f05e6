"""Views and copies that depend on how elements lie in memory."""

import numpy as np
import pytest

import srcad
from srcad.runtime import in_c_order, reshaped, reshapes_in_place, zeros_as


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_cotangent_of_which_there_are_views_lies_as_its_array_does(order):
    """A seed by columns does not become the cotangent of an array in C order whose elements are put in a line."""

    def second(A):
        B = A * 1.0
        r = B.ravel()
        r[1] = 5.0 * A[1, 1]
        return B

    A, seed = np.ones((2, 3)), np.asarray(np.arange(6.0).reshape(2, 3), order=order)
    assert srcad.grad(second, target="python")(A, grad_ys=seed).tolist() == [[0.0, 0.0, 2.0], [3.0, 9.0, 5.0]]


@pytest.mark.parametrize("shape", [(1, 4), (4, 1), (2, 2)])
def test_thin_arrays_are_in_any_order(shape):
    """What is made by columns is in C order, too, if there is one of them."""

    def ravelled(A):
        B = np.zeros(shape, order="F")
        B[:] = A
        B.ravel()[1] = 3.0 * A[0, 0]
        return np.sum(B * B)

    A = np.arange(1.0, 5.0).reshape(shape)
    moved, exact = A.copy(), np.zeros(shape)
    for place in np.ndindex(shape):
        for sign in (1.0, -1.0):
            moved[place] = A[place] + sign * 0.5
            exact[place] += sign * ravelled(moved)
        moved[place] = A[place]
    assert np.allclose(srcad.grad(ravelled, target="python")(A), exact)


def test_reshapes_in_place():
    """The answer is NumPy's for views of all kinds."""
    rng = np.random.default_rng(5)
    for _ in range(400):
        lengths = rng.choice([1, 2, 3, 4], rng.integers(1, 4))
        a = np.zeros(lengths).transpose(rng.permutation(len(lengths)))
        a = a[tuple(slice(None, None, step) for step in rng.choice([1, 1, 2, -1], a.ndim))]
        shape = tuple(int(n) for n in (*rng.permutation(a.shape), 1)) if rng.random() < 0.5 else (a.size,)
        made = np.reshape(a, shape)
        assert reshapes_in_place(a, shape) == np.shares_memory(a, made)
        assert reshaped(a, shape).shape in (shape, (0,) * len(shape))
        assert zeros_as(a).shape == a.shape and not np.any(zeros_as(a))
        assert reshapes_in_place(zeros_as(a), shape) >= reshapes_in_place(a, shape)


def lined_up(A):
    r = A[::-1].ravel()
    r[0] = 2.0 * r[1]
    q = A.T.ravel()
    q[1] = 3.0 * q[2]
    return np.sum(A**3) + np.sum(r * q)


LAYOUTS = {
    "by rows": lambda a: a.copy(),
    "by columns": lambda a: np.asfortranarray(a),
    "backwards": lambda a: a[::-1].copy()[::-1],
    "columns backwards": lambda a: np.asfortranarray(a[:, ::-1])[:, ::-1],
    "with gaps": lambda a: np.repeat(a, 2, axis=1)[:, ::2],
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_derivatives_lie_as_their_argument_does(layout):
    """What is a view of an argument is one of its cotangent, and of a tangent whose elements lie otherwise."""
    rng = np.random.default_rng(3)
    at, way = rng.standard_normal((2, 3)), rng.standard_normal((2, 3))
    A = LAYOUTS[layout]
    moved = [lined_up(A(at + h * way)) for h in (1e-4, -1e-4)]
    slope = pytest.approx((moved[0] - moved[1]) / 2e-4, abs=1e-6)
    assert np.sum(way * srcad.grad(lined_up, target="python")(A(at))) == slope
    assert srcad.jvp(lined_up, target="python")(A(at), tangents=way)[1] == slope
    assert srcad.jvp(lined_up, target="python")(A(at), tangents=way[None])[1][0] == slope
    for mode in ("forward", "reverse"):
        assert np.sum(way * srcad.jacobian(lined_up, mode=mode, target="python")(A(at))) == slope


@pytest.mark.slow
def test_compiled_strides():
    """Compiled, the helpers do the same."""
    import numba

    @numba.njit
    def answers(a, shape):
        return in_c_order(a), reshapes_in_place(a, shape), reshaped(a, shape), zeros_as(a)

    for a in (np.arange(24.0).reshape(4, 6)[:, ::2], np.arange(12.0).reshape(3, 4).T, np.arange(12.0)[::-1]):
        for shape in ((3, 4), (2, -1), (12, 1)):
            ordered, in_place, view, zeros = answers(a, shape)
            assert (ordered, in_place) == (in_c_order(a), reshapes_in_place(a, shape))
            assert view.tolist() == reshaped(a, shape).tolist()
            assert zeros.strides == zeros_as(a).strides and zeros.tolist() == zeros_as(a).tolist()
