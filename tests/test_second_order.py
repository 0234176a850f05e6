"""Derivatives of derivatives on the corpus: forward over reverse, and reverse over reverse."""

import functools

import numpy as np
import pytest
import scipy.special

import srcad
from tests.programs import CORE, PROGRAMS, marks
from tests.reference import complete, ridders
from tests.test_forward import directions, inner, total
from tests.test_programs import allowed

# At no angle at all, the formula that takes over is right to the first order only.
ONCE = {"small_rotation_by_nothing", "ravelled_argument_by_columns"}


@functools.cache
def curvature(name: str) -> float:
    """The second derivative along a direction, by differences of the tangent."""
    program = PROGRAMS[name]
    moved = directions(program, float)
    df = srcad.jvp(program.fn, wrt=program.wrt, target="python")

    def tangent(h):
        args = complete(program, program.example())
        for position, direction in zip(program.positions(), moved):
            shifted = args[position] + h * direction
            args[position] = np.asarray(shifted) if isinstance(args[position], np.ndarray) else shifted
        return total(df(*args, tangents=moved)[1])

    value, error = ridders(tangent, 1e-3, levels=4)
    if error > 1e-7 * max(1.0, abs(value)):
        pytest.skip("finite differences cannot tell")
    return value


@pytest.mark.parametrize("name", [pytest.param(n, marks=marks(n, 3, 16)) for n in PROGRAMS if n not in ONCE])
def test_forward_over_reverse(name):
    program = PROGRAMS[name]
    gradient = srcad.grad(program.fn, wrt=program.wrt, target="python")
    allowed(program, gradient, *program.example())
    exact, moved = curvature(name), directions(program, float)
    along = srcad.jvp(gradient, wrt=program.wrt, target="python")
    _, tangents = allowed(program, along, *program.example(), tangents=moved)
    assert abs(inner(tangents, moved) - exact) < 1e-6 * max(1.0, abs(exact))


@pytest.mark.parametrize("name", [pytest.param(n, marks=marks(n, 1)) for n in CORE])
def test_reverse_over_reverse(name):
    program = PROGRAMS[name]
    exact, moved = curvature(name), directions(program, float)
    gradient = srcad.grad(program.fn, wrt=program.wrt, target="python")
    second = srcad.grad(gradient, wrt=program.wrt, target="python")
    try:
        products = second(*program.example(), grad_ys=moved)
    except srcad.UnsupportedError as error:
        assert "records of arrays whose shape may change has no reverse sweep" in str(error)
        pytest.skip(str(error))
    assert abs(inner(products, moved) - exact) < 1e-6 * max(1.0, abs(exact))


def reduced(x):
    """What machine code has in terms of helpers, which have no rules."""
    y, s = x * 1.0, 0.0
    for _ in range(2):
        y = y * 0.9 + 0.1 * np.sin(y) * x
        s += np.sum(y.mean(axis=0) * y.var(axis=0) + y.max(axis=0) * y.prod(axis=0) + np.sort(y, axis=0)[0])
        s += np.sum(np.median(y, axis=0) * np.cumsum(y, axis=0)[1] * np.linalg.norm(y, axis=0))
    return s + np.sum(y.std(axis=0, ddof=1) * scipy.special.logsumexp(y, axis=0))


X = np.array([[0.31, 0.92], [0.74, 0.13], [0.42, 0.67]])
SECOND = {
    "hvp": lambda target: srcad.hvp(reduced, target=target),
    "jvp of grad": lambda target: srcad.jvp(srcad.grad(reduced, target=target), target=target),
    "grad of grad": lambda target: srcad.grad(srcad.grad(reduced, target=target), target=target),
    "hessian": lambda target: srcad.hessian(reduced, target=target),
}


@pytest.mark.parametrize("way", [way if way == "hvp" else pytest.param(way, marks=pytest.mark.slow) for way in SECOND])
def test_reductions_for_machine_code_can_be_differentiated_twice(way):
    assert srcad.source(SECOND[way]("cpu"), X)


@pytest.mark.slow
def test_reductions_in_machine_code_give_the_hessian_that_python_gives():
    expected = SECOND["hvp"]("python")(X, tangents=np.cos(X))
    assert np.allclose(SECOND["hvp"]("cpu")(X, tangents=np.cos(X)), expected, rtol=1e-9)


def shorter(x, n):
    s = x
    while np.sum(s) > 0.3 and len(s) > n:
        s = s[:-1] * np.sin(s[1:])
    return np.sum(s)


def test_records_of_arrays_that_change_their_shape_have_a_tangent_and_no_adjoint():
    x, direction = np.array([1.0, 1.2, 1.3, 1.4]), np.array([1.0, -0.5, 0.3, 0.2])
    gradient = srcad.grad(shorter, target="python")
    with pytest.raises(srcad.UnsupportedError, match="records of arrays whose shape may change") as caught:
        srcad.grad(lambda x: np.sum(gradient(x, 1)), target="python")(x)
    remedy = "forward mode: srcad.hessian, hvp, or jvp of the gradient"
    assert caught.value.problems[0].line > 0 and remedy in str(caught.value)
    _, moved = srcad.jvp(gradient, target="python")(x, 1, tangents=direction)
    slope = (gradient(x + 1e-6 * direction, 1) - gradient(x - 1e-6 * direction, 1)) / 2e-6
    np.testing.assert_allclose(moved, slope, rtol=1e-6)
