"""Jacobians and Hessians of the corpus and of a few functions made for it."""

import numpy as np
import pytest

import srcad
from tests.programs import CORE, PROGRAMS
from tests.test_forward import directions
from tests.test_programs import allowed, check_effects
from tests.test_second_order import curvature

LARGEST = 200  # elements of the arguments of a program


def small(name) -> bool:
    return sum(np.size(d) for d in directions(PROGRAMS[name], float)) <= LARGEST


@pytest.mark.parametrize("mode", ["forward", "reverse"])
@pytest.mark.parametrize("name", [name for name in PROGRAMS if small(name)])
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


@pytest.mark.parametrize("name", [name for name in CORE if small(name)])
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
