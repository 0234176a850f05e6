"""Jacobians and Hessians of the corpus and of a few functions made for it."""

import numpy as np
import pytest

import srcad
from tests.programs import CORE, PROGRAMS, marks
from tests.test_forward import directions
from tests.test_programs import allowed, check_effects
from tests.test_second_order import curvature

LARGEST = 200  # elements of the arguments of a program


def small(name) -> bool:
    without_axes = any(isinstance(arg, np.ndarray) and not arg.ndim for arg in PROGRAMS[name].example())
    return not without_axes and sum(np.size(d) for d in directions(PROGRAMS[name], float)) <= LARGEST


def test_an_array_without_axes_is_refused():
    with pytest.raises(srcad.UnsupportedError, match="with respect to an array without axes; instead: its number"):
        srcad.jacobian(lambda a: a * 2.0, target="python")(np.array(1.5))


@pytest.mark.parametrize("name, mode", [
    pytest.param(name, mode, marks=marks(name, turn, 24)) for name in PROGRAMS if small(name)
    for turn, mode in enumerate(("forward", "reverse"), 1)
])  # fmt: skip
def test_jacobian_times_direction_is_the_tangent(name, mode):
    program = PROGRAMS[name]
    moved = directions(program, float)
    _, tangent = allowed(program, srcad.jvp(program.fn, wrt=program.wrt, target="python"), *program.example(),
                         tangents=moved)  # fmt: skip
    alone, args = program.example(), program.example()
    program.fn(*alone)
    jacobian = allowed(program, srcad.jacobian(program.fn, wrt=program.wrt, mode=mode, target="python"), *args)
    check_product(jacobian, moved, tangent)
    check_effects(args, alone, float)


def check_product(jacobian, moved, tangent):
    """The sum over the arguments, for each result."""
    if isinstance(tangent, (tuple, list)):
        for part, rest in zip(jacobian, tangent):
            check_product(part, moved, rest)
        return
    if isinstance(tangent, dict):
        return check_product(list(jacobian.values()), moved, list(tangent.values()))
    parts = [(part, direction) for part, direction in zip(jacobian, moved) if part is not None]
    if tangent is None:
        assert not parts
        return
    total = sum(np.tensordot(part, direction, np.ndim(direction)) for part, direction in parts)
    np.testing.assert_allclose(total, tangent, rtol=1e-9, atol=1e-9 * max(1.0, np.max(np.abs(tangent), initial=0.0)))
    for part, direction in parts:
        assert np.shape(part) == np.shape(tangent) + np.shape(direction)


@pytest.mark.parametrize("name", [pytest.param(name, marks=marks(name, 1, 4)) for name in CORE if small(name)])
def test_hessian_along_a_direction_is_the_curvature(name):
    program = PROGRAMS[name]
    exact, moved = curvature(name), directions(program, float)
    hessian = srcad.hessian(program.fn, wrt=program.wrt, target="python")(*program.example())
    found = 0.0
    for row, left in zip(hessian, moved):
        for part, right in zip(row, moved):
            if part is not None:
                found += np.sum(left * np.tensordot(part, right, np.ndim(right)))
    assert abs(found - exact) < 1e-6 * max(1.0, abs(exact))


# ---------------------------------------------------------------- shapes, structures, options

by_target = pytest.mark.parametrize("target", ["python", "cpu"])
by_mode = pytest.mark.parametrize("mode", ["auto", "forward", "reverse"])


def outer_product(x, y, s):
    return {"outer": np.outer(x, y) * s, "sum": np.sum(x) * s, "n": 3}


@by_target
@by_mode
def test_shapes_of_every_rank(target, mode):
    x, y = np.array([1.0, 2.0]), np.array([3.0, 4.0, 5.0])
    found = srcad.jacobian(outer_product, wrt=("x", "y", "s"), mode=mode, target=target)(x, y, 2.0)
    dx, dy, ds = found["outer"]
    np.testing.assert_allclose(dx, 2.0 * np.einsum("ik,j->ijk", np.eye(2), y))
    np.testing.assert_allclose(dy, 2.0 * np.einsum("i,jk->ijk", x, np.eye(3)))
    np.testing.assert_allclose(ds, np.outer(x, y))
    np.testing.assert_allclose(found["sum"][0], [2.0, 2.0])
    assert found["sum"][1] is None and found["sum"][2] == 3.0
    assert found["n"] == (None, None, None)


def overwrites(a, t):
    for i in range(1, a.shape[0]):
        a[i] = a[i - 1] * a[i] * t
    return a[1:]


@by_target
@by_mode
def test_arguments_are_left_as_the_function_leaves_them(target, mode):
    a, alone = np.array([0.5, 2.0, 3.0]), np.array([0.5, 2.0, 3.0])
    overwrites(alone, 1.5)
    da, dt = srcad.jacobian(overwrites, wrt=("a", "t"), mode=mode, target=target)(a, 1.5)
    np.testing.assert_array_equal(a, alone)
    np.testing.assert_allclose(da, [[3.0, 0.75, 0.0], [13.5, 3.375, 2.25]])
    np.testing.assert_allclose(dt, [1.0, 9.0])


def mixes(p):
    return p["w"] * p["b"]


def test_a_structure_of_arguments():
    found = srcad.jacobian(mixes, target="python")({"w": np.array([1.0, 2.0]), "b": 3.0})
    np.testing.assert_array_equal(found["w"], 3.0 * np.eye(2))
    np.testing.assert_array_equal(found["b"], [1.0, 2.0])


def test_unconnected_parts_are_zeros_if_asked_for():
    jacobian = srcad.jacobian(lambda x, y: y * y, wrt=("x", "y"), unconnected_gradients="zero", target="python")
    zeros, diagonal = jacobian(np.ones(2), np.array([1.0, 2.0, 3.0]))
    np.testing.assert_array_equal(zeros, np.zeros((3, 2)))
    np.testing.assert_array_equal(diagonal, np.diag([2.0, 4.0, 6.0]))
    hessian = srcad.hessian(lambda x, t: x[0] ** 2, wrt=("x", "t"), unconnected_gradients="zero", target="python")
    (_, beside), (by_x, by_t) = hessian(np.ones(2), 0.5)
    assert beside.tolist() == by_x.tolist() == [0.0, 0.0] and by_t == 0.0


def test_values_that_do_not_move_are_computed_once():
    def f(x, A):
        return np.tanh(A @ A @ x)

    text = srcad.source(srcad.jacobian(f, mode="forward"), np.ones(2), np.ones((2, 2)))
    inside = text[text.index("for k in") :]
    assert "np.tanh" not in inside and "A @ A" not in inside
    text = srcad.source(srcad.jacobian(f, mode="reverse"), np.ones(2), np.ones((2, 2)))
    inside = text[text.index("for k in") :]
    assert "np.tanh" not in inside and "A @ A" not in inside


def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


@by_target
def test_hessian_of_rosenbrock(target):
    scipy = pytest.importorskip("scipy.optimize")
    x = np.array([0.3, -0.7, 1.1, 0.2])
    np.testing.assert_allclose(srcad.hessian(rosenbrock, target=target)(x), scipy.rosen_hess(x), rtol=1e-12)


@by_target
def test_hessian_of_several_arguments(target):
    (aa, ab), (ba, bb) = srcad.hessian(lambda a, b: np.sum(a * b**2), wrt=("a", "b"), target=target)(np.ones(2), 3.0)
    assert aa is None  # the gradient by a does not depend on a
    np.testing.assert_array_equal(ab, [6.0, 6.0])
    np.testing.assert_array_equal(ba, [6.0, 6.0])
    assert bb == 4.0


def test_jacobian_inside_a_function():
    def gauss_newton_step(x):
        def residual(x):
            return x**2 - np.array([2.0, 3.0])

        J = srcad.jacobian(residual)(x)
        return np.sum(x - np.linalg.solve(J, residual(x)))

    x = np.array([1.5, 1.6])
    exact = 0.5 - np.array([2.0, 3.0]) / (2.0 * x**2)
    np.testing.assert_allclose(srcad.grad(gauss_newton_step, target="python")(x), exact, rtol=1e-12)


def test_wrong_options():
    with pytest.raises(ValueError, match="mode must be 'auto', 'forward' or 'reverse', not 'both'"):
        srcad.jacobian(rosenbrock, mode="both")
    with pytest.raises(TypeError, match="hessian\\(\\) got an unexpected keyword argument 'mode'"):
        srcad.hessian(rosenbrock, mode="forward")
    with pytest.raises(srcad.UnsupportedError, match="the Jacobian of complex numbers"):
        srcad.jacobian(lambda z: z * z, target="python")(1j)
    with pytest.raises(TypeError, match="grad_ys"):
        srcad.jacobian(rosenbrock, target="python")(np.ones(2), grad_ys=1.0)


def test_lengths_are_those_of_arrays_that_are_made():
    """Of arrays that are read for their shape alone, one as long as another, neither is made."""
    function = PROGRAMS["rest_of_an_array_and_more"].fn
    a = np.linspace(0.5, 2.0, 4)
    found = srcad.jacobian(function, mode="forward", target="python")(a)
    np.testing.assert_allclose(found, srcad.grad(function, target="python")(a), rtol=1e-12)
