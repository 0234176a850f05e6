"""Derivatives of derivatives on the corpus: forward over reverse, and reverse over reverse."""

import functools

import numpy as np
import pytest

import srcad
from tests.programs import CORE, PROGRAMS
from tests.reference import complete, ridders
from tests.test_forward import directions, inner, total
from tests.test_programs import allowed

# At no angle at all, the formula that takes over is right to the first order only.
ONCE = {"small_rotation_by_nothing"}


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


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in ONCE])
def test_forward_over_reverse(name):
    program = PROGRAMS[name]
    gradient = srcad.grad(program.fn, wrt=program.wrt, target="python")
    allowed(program, gradient, *program.example())
    exact, moved = curvature(name), directions(program, float)
    _, tangents = srcad.jvp(gradient, wrt=program.wrt, target="python")(*program.example(), tangents=moved)
    assert abs(inner(tangents, moved) - exact) < 1e-6 * max(1.0, abs(exact))


@pytest.mark.parametrize("name", CORE)
def test_reverse_over_reverse(name):
    program = PROGRAMS[name]
    exact, moved = curvature(name), directions(program, float)
    gradient = srcad.grad(program.fn, wrt=program.wrt, target="python")
    second = srcad.grad(gradient, wrt=program.wrt, target="python")
    try:
        products = second(*program.example(), grad_ys=moved)
    except srcad.NoGradientError as error:
        # Records of arrays that may change their shape have a tangent, and no adjoint.
        assert "recorded" in str(error)
        pytest.skip(str(error))
    assert abs(inner(products, moved) - exact) < 1e-6 * max(1.0, abs(exact))
