"""Arguments that share memory, arrays from outside the function, arguments that only serve as workspace."""

import inspect

import numba
import numpy as np
import pytest

import srcad
from srcad.runtime import received
from tests.random_memory import outcome
from tests.reference import difference, richardson

TARGETS = ("python", "cpu")
W = np.array([1.0, 2.0, 3.0])


def writes_first(x, y):
    x[0] = y[1] * 2.0
    return np.sum(x * y)


def writes_neither(x, y):
    return np.sum(x * y)


def writes_result(x, out):
    for i in range(len(x)):
        out[i] = x[i] ** 2
    return np.sum(out * x)


@pytest.mark.parametrize("target", TARGETS)
def test_arguments_that_share_memory(target):
    df = srcad.grad(writes_first, wrt=("x", "y"), target=target)
    x = np.arange(1.0, 7.0)
    for one, other in ((x, x), (x[1:], x[:-1]), (x[:3], x[2::-1])):
        before = x.copy()
        with pytest.raises(ValueError, match="x and y share memory, and x is written to: pass a copy"):
            df(one, other)
        assert np.array_equal(x, before)
    assert difference(df(x[::2], x[1::2])[1], [8.0, 7.0, 5.0]) < 1e-12
    same = srcad.grad(writes_neither, wrt=("x", "y"), target=target)(x, x)
    assert np.array_equal(same[0], x) and np.array_equal(same[1], x)


def shifted(x, y):
    for i in range(len(x)):
        s = 0.0
        for k in range(3):
            s += np.exp(-k * x[i])
        y[i] = s
    return np.sum(y)


@pytest.mark.parametrize("target", TARGETS)
def test_functions_whose_arguments_share_memory(target):
    """Their loops go in an order of their own; so what they would leave is not what Python does."""
    f, x = srcad.function(shifted, target=target), np.linspace(0.1, 0.5, 20)
    before = x.copy()
    with pytest.raises(ValueError, match="x and y share memory, and y is written to: pass a copy"):
        f(x[:-1], x[1:])
    assert np.array_equal(x, before)
    expected = shifted(before[::2], before[1::2])
    assert difference(f(x[::2], x[1::2]), expected) < 1e-12 and difference(x, before) < 1e-12
    forward = srcad.jvp(shifted, wrt=("x", "y"), target=target)
    by_seeds = srcad.jacobian(shifted, wrt=("x", "y"), target=target)
    for df, more in ((forward, {"tangents": (x[1:] * 0, x[1:] * 0)}), (by_seeds, {})):
        with pytest.raises(ValueError, match="x and y share memory, and y is written to: pass a copy"):
            df(x[:-1], x[1:], **more)


def test_seed_that_is_an_argument():
    def doubled(x):
        x *= 2.0
        return x

    x = np.ones(3)
    with pytest.raises(ValueError, match="x and grad_ys share memory"):
        srcad.grad(doubled, target="python")(x, grad_ys=x)
    assert np.array_equal(srcad.grad(doubled, target="python")(x, grad_ys=np.ones(3)), [2.0, 2.0, 2.0])


def test_functions_that_write_to_no_argument_check_nothing():
    assert "overlaps" not in srcad.source(srcad.grad(writes_neither), W, W)


@pytest.mark.parametrize("target", TARGETS)
def test_workspace_need_not_be_differentiated(target):
    x, out = np.array([0.5, -1.0, 2.0]), np.empty(3)
    gradient = srcad.grad(writes_result, target=target)(x, out)
    assert difference(gradient, 3 * x**2) < 1e-12
    assert np.array_equal(out, x**2)
    zeros = srcad.grad(writes_result, wrt="out", unconnected_gradients="zero", target=target)(x, out)
    assert not np.any(zeros)


# ---------------------------------------------------------------- arrays from outside


def through_a_name(x):
    a = W
    a[0] = x[0]  # <-
    return np.sum(a * x)


def through_a_view(x):
    a = W[1:].T
    a *= x[:2]  # <-
    return np.sum(a)


def in_a_branch(x):
    a = x.copy()
    if x[0] > 0:
        a = W
    a[1] = x[0]  # <-
    return np.sum(a * x)


def through_an_output(x):
    a = W
    np.copyto(a, x)  # <-
    return np.sum(a * x)


@pytest.mark.parametrize("fn", [through_a_name, through_a_view, in_a_branch, through_an_output])
def test_stores_into_arrays_from_outside_are_refused(fn):
    before = W.copy()
    with pytest.raises(srcad.UnsupportedError, match=r"'W', an array from outside.*W\.copy\(\)") as caught:
        srcad.grad(fn, target="python")(np.array([0.5, 1.0, 2.0]))
    lines, first = inspect.getsourcelines(fn)
    assert caught.value.lineno == first + next(k for k, line in enumerate(lines) if "# <-" in line)
    assert np.array_equal(W, before)


def copied_and_written(x):
    a = W.copy()
    a[0] = x[0] ** 2
    return np.sum(a * x)


def test_copies_of_arrays_from_outside_can_be_written():
    x = np.array([0.5, 1.0, 2.0])
    expected, _ = richardson(copied_and_written, [x], 0)
    assert difference(srcad.grad(copied_and_written, target="python")(x), expected) < 1e-9


# ---------------------------------------------------------------- overlaps that NumPy copies as it goes


def some_vector(rng, base):
    step, first = int(rng.choice([1, 2, 3, 5, -1, -2, -3])), int(rng.integers(40, 60))
    return base[first::step]


def test_received_is_what_numpy_copies():
    rng = np.random.default_rng(0)
    compiled = numba.njit(lambda target, source: received(target, source))
    unlike = 0
    for _ in range(300):
        base, n = np.arange(100.0), rng.integers(1, 8)
        target, source = some_vector(rng, base)[:n], some_vector(rng, base)[:n]
        order = received(target, source)
        assert np.array_equal(compiled(target, source), order)
        expected = source[order]
        unlike += not np.array_equal(order, np.arange(n))
        target[...] = source
        assert np.array_equal(target, expected)
    assert unlike > 5
    assert received(base[:3], base[:1]).tolist() == [0, 0, 0]


def test_received_of_another_dtype():
    z = np.arange(6) * (1 + 1j)
    with pytest.raises(ValueError, match="another dtype"):
        received(z[::2], z.imag[2:5])
    assert received(z, z.imag).tolist() == list(range(6))


# ---------------------------------------------------------------- random programs


@pytest.mark.parametrize("first", range(0, 50, 10))
def test_random_programs_about_memory(first):
    found = [outcome(seed, "python") for seed in range(first, first + 10)]
    assert not [one for one in found if one.startswith("FAILED")]
    assert found.count("right") >= 3


@pytest.mark.slow
def test_random_programs_about_memory_compiled():
    found = [outcome(seed, "cpu") for seed in range(100, 130)]
    assert not [one for one in found if one.startswith("FAILED")]


def additions(z, y):
    z = z * 1.0
    for i in range(2):
        z[i:] += y
    return np.sum(z * z)


@pytest.mark.parametrize("length", [2, 6])
def test_additions_to_a_place_of_another_length_raise_in_machine_code_too(length):
    with pytest.raises(ValueError, match="broadcast"):
        srcad.grad(additions, target="python")(np.ones(4), np.ones(length))
    df = srcad.grad(additions, target="cpu")
    with pytest.raises(ValueError, match="cannot add an array to a place of another shape"):
        df(np.ones(4), np.ones(length))
    np.testing.assert_allclose(df(np.ones(4), np.ones(1)), [4.0, 6.0, 6.0, 6.0])
