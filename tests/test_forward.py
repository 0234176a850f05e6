"""Forward mode on every program of the corpus: against finite differences, and against reverse mode."""

import numpy as np
import pytest

import srcad
from tests.programs import CORE, PROGRAMS, marks
from tests.reference import complete, difference, reference, tolerance
from tests.test_programs import allowed, check_effects, check_same, check_value

SLOW = pytest.mark.slow
CHOSEN = sorted(CORE)[::10]
COMPILED = [pytest.param(name, "cpu", id=f"{name}-cpu", marks=() if name in CHOSEN else SLOW) for name in PROGRAMS]


@pytest.mark.parametrize("name, target", [
    *(pytest.param(name, "python", marks=marks(name, 1, 8)) for name in PROGRAMS), *COMPILED,
])  # fmt: skip
def test_tangent(name, target):
    program = PROGRAMS[name]
    check(program, target, np.float64)


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=marks(name, 2, 16)) for name in PROGRAMS if "nof32" not in PROGRAMS[name].tags
])  # fmt: skip
def test_tangent_in_single_precision(name):
    check(PROGRAMS[name], "python", np.float32)


@pytest.mark.parametrize("name", [pytest.param(name, marks=marks(name, 1, 24)) for name in PROGRAMS])
def test_forward_and_reverse_agree(name):
    """The dot-product test: <seed, J direction> is <J^T seed, direction>.

    By turns, since both modes are compared with finite differences for all programs.
    """
    program = PROGRAMS[name]
    moved = directions(program, np.float64, 3)
    forward = srcad.jvp(program.fn, wrt=program.wrt, target="python")
    value, tangent = allowed(program, forward, *program.example(), tangents=moved)
    seed = like(value, np.random.default_rng(4))
    reverse = srcad.grad(program.fn, wrt=program.wrt, target="python")
    gradients = allowed(program, reverse, *program.example(), grad_ys=seed)
    left, right = inner(seed, tangent), sum(inner(g, d) for g, d in zip(gradients, moved))
    assert abs(left - right) <= 1e-9 * max(1.0, abs(left))


def check(program, target, dtype):
    df = srcad.jvp(program.fn, wrt=program.wrt, target=target)
    alone, args = program.example(dtype), program.example(dtype)
    value = program.fn(*alone)
    moved = directions(program, dtype)
    before = [np.copy(d) for d in moved]
    result = allowed(program, df, *args, tangents=moved)
    check_value(result[0], value, dtype)
    check_kinds(result[1], result[0])
    check_effects(args, alone, dtype)
    for direction, given in zip(moved, before):
        assert np.array_equal(direction, given), "the tangents that were passed are left alone"
    exact = sum(np.sum(g * d) for g, d in zip(reference(program, dtype), moved))
    assert difference(total(result[1]), exact) < tolerance(program, dtype)
    check_same(df(*program.example(dtype), tangents=moved), result, target)


def check_kinds(tangent, value):
    """A tangent has the structure, the shape and the dtype of its value."""
    if isinstance(value, tuple):
        assert len(value) == len(tangent)
        for part, moved in zip(value, tangent):
            check_kinds(moved, part)
    elif tangent is not None:
        assert np.shape(tangent) == np.shape(value)
        if isinstance(value, np.ndarray):
            assert tangent.dtype == value.dtype


def directions(program, dtype, seed=9):
    """Tangents for the parameters that a program is differentiated with respect to."""
    rng = np.random.default_rng(seed)
    args = complete(program, program.example(dtype))
    return tuple(like(args[position], rng) for position in program.positions())


def like(value, rng):
    if isinstance(value, tuple):
        return tuple(like(part, rng) for part in value)
    sample = rng.uniform(-1.0, 1.0, np.shape(value))
    if not np.ndim(value):
        return float(sample)
    moved = np.empty_like(value, dtype=value.dtype if value.dtype.kind == "f" else float)  # in the order of the value
    moved[...] = sample
    return moved


def total(tangent):
    if tangent is None:
        return 0.0
    return sum(map(total, tangent)) if isinstance(tangent, tuple) else float(np.sum(tangent))


def inner(one, other):
    if one is None or other is None:
        return 0.0
    if isinstance(one, tuple):
        return sum(map(inner, one, other))
    return float(np.sum(np.asarray(one) * np.asarray(other)))


def corner_changed(A):
    L = A @ A.T + np.eye(2)
    L[0, 0] = 2.0 * L[0, 1]
    return np.sum(L * L)


def test_a_tangent_that_is_repeated_can_be_written_to():
    A, moved = np.array([[0.3, 1.2], [0.7, -0.4]]), np.array([[0.5, -0.1], [0.2, 0.9]])
    _, slope = srcad.jvp(corner_changed, target="python")(A, tangents=moved)
    h = 1e-6
    expected = (corner_changed(A + h * moved) - corner_changed(A - h * moved)) / (2 * h)
    assert slope == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_a_complex_matrix_times_a_stack(target):
    """The tangent of its real part, which is read across its rows, has three axes."""

    def f(z, b, c):
        r = np.tensordot(z, b, axes=[(1,), (0,)])
        return np.sum(c * np.real(r) ** 2) + np.sum(c * np.imag(r)) + np.sum(c * np.real(r) * np.imag(r))

    rng = np.random.default_rng(5)
    z, b = rng.normal(size=(1, 3)) + 1j * rng.normal(size=(1, 3)), rng.normal(size=(3, 4, 2))
    c = rng.normal(size=(1, 4, 2))
    value, tangent = srcad.jvp(f, wrt=(0, 1), target=target)(z, b, c, tangents=(z, b))
    step = 1e-6
    difference = (f(z + step * z, b + step * b, c) - f(z - step * z, b - step * b, c)) / (2 * step)
    np.testing.assert_allclose([value, tangent], [f(z, b, c), difference], rtol=1e-7)
