"""Gradients that are written into arrays of the caller's: ``df(x, out=g)``."""

import inspect
import pickle
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest
from numba import njit
from scipy.optimize import minimize

import srcad

TARGETS = pytest.mark.parametrize("target", ["python", "cpu"])
SLOW_TARGETS = pytest.mark.parametrize("target", ["python", pytest.param("cpu", marks=pytest.mark.slow)])


def same(one, other):
    """To rounding: the addresses of the arrays may decide in which order machine code adds."""
    np.testing.assert_allclose(one, other, rtol=1e-14)


def local_terms(x):
    total = 0.0
    for i in range(x.shape[0] - 1):
        total += 100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2
    return total


def weighted(w, X, scale):
    return scale * np.sum(np.tanh(X @ w))


def in_branches(x, positive):
    if positive:
        y = x * x
    else:
        y = 3.0 * x
    return np.sum(y * x)


def carried(x, n):
    u = x
    for _ in range(n):
        u = np.sin(u) * x
    return np.sum(u)


def of_nothing(x, y):
    return np.sum(x)


def of_structure(p, q):
    return np.sum(p["w"] * q[0]) + np.sum(p["b"]) * q[1]


x0 = np.array([0.3, -0.4, 1.2, 0.7])
X0 = np.arange(12.0).reshape(3, 4) / 10


@TARGETS
@pytest.mark.parametrize("mode", [srcad.grad, srcad.value_and_grad, srcad.vjp])
def test_the_result_is_the_same_and_the_array_is_the_caller_s(target, mode):
    df = mode(local_terms, target=target)
    g = np.full(4, np.nan)
    made, written = df(x0), df(x0, out=g)
    if mode is not srcad.grad:
        same(made[0], written[0])
        made, written = made[1], written[1]
    assert written is g
    same(g, made)


PROGRAMS = [
    (weighted, (x0, X0, 2.0), 0), (weighted, (x0, X0, 2.0), 1), (in_branches, (x0, True), 0),
    (in_branches, (x0, False), 0), (carried, (x0, 0), 0), (carried, (x0, 3), 0),
]  # fmt: skip


@pytest.mark.parametrize("fn, args, wrt", PROGRAMS)
def test_gradients_of_all_kinds_of_functions(fn, args, wrt):
    df = srcad.grad(fn, wrt, target="python")
    g = np.full_like(args[wrt], np.nan)
    kept = [np.copy(arg) for arg in args]
    df(*args, out=g)
    np.testing.assert_array_equal(g, df(*args))
    for arg, before in zip(args, kept):
        np.testing.assert_array_equal(arg, before)


def test_it_is_written_in_the_place_of_the_gradient():
    text = srcad.source(srcad.value_and_grad(local_terms), x0, out=np.empty(4))
    assert "def local_terms_value_and_grad(x, grad_ys=1.0, x_bar=None):" in text
    assert "zeros" not in text and "empty" not in text and "x_bar = " not in text
    assert "out" not in text.split("\n    total = 0.0")[1]
    assert "out" not in srcad.source(srcad.value_and_grad(local_terms), x0)


def test_what_is_assigned_is_not_filled_with_zeros():
    text = srcad.source(srcad.grad(in_branches), x0, True, out=np.empty(4))
    assert "zeros" not in text and "= 0.0" not in text


@TARGETS
def test_several_gradients_go_into_a_tuple(target):
    df = srcad.grad(weighted, wrt=("X", "scale", "w"), target=target)
    out = np.empty((3, 4)), None, np.empty(4)
    made, written = df(x0, X0, 2.0), df(x0, X0, 2.0, out=out)
    assert written[0] is out[0] and written[2] is out[2] and written[1] == made[1]
    same(out[0], made[0])
    same(out[2], made[2])
    only = df(x0, X0, 2.0, out=(None, None, out[2]))
    assert only[0] is not out[0] and only[2] is out[2]


@TARGETS
def test_structures_have_the_structure_of_the_gradient(target):
    df = srcad.grad(of_structure, wrt=(0, 1), target=target)
    p, q = {"w": x0, "b": x0 + 1}, (X0[0].copy(), 2.0)
    out = {"b": np.empty(4), "w": np.empty(4)}, [np.empty(4), None]
    made, written = df(p, q), df(p, q, out=out)
    assert written[0]["w"] is out[0]["w"] and written[0]["b"] is out[0]["b"] and written[1][0] is out[1][0]
    for key in p:
        same(out[0][key], made[0][key])
    same(out[1][0], made[1][0])
    assert written[1][1] == made[1][1]


class Pair(NamedTuple):
    a: np.ndarray
    b: np.ndarray


@dataclass
class Model:
    a: np.ndarray
    b: np.ndarray


def of_pair(p):
    return np.sum(p.a * p.b)


@pytest.mark.parametrize("cls", [Pair, Model])
def test_fields_are_written_into_fields(cls):
    df = srcad.grad(of_pair, target="python")
    out = cls(np.empty(4), np.empty(4))
    found = df(cls(x0, x0 + 1), out=out)
    assert found.a is out.a
    np.testing.assert_array_equal(out.a, x0 + 1)
    with pytest.raises(TypeError, match=f"out is a tuple, the gradient is a {cls.__name__}"):
        df(cls(x0, x0 + 1), out=(out.a, out.b))


@TARGETS
def test_the_array_is_used_again_and_again(target):
    df, g = srcad.grad(local_terms, target=target), np.empty(4)
    for k in range(3):
        df(x0 + k, out=g)
        same(g, df(x0 + k))
    df(x0, 2.0, g)
    np.testing.assert_allclose(g, 2.0 * df(x0))


@SLOW_TARGETS
def test_rows_columns_and_other_layouts(target):
    df = srcad.grad(weighted, 1, target=target)
    expected = df(x0, X0, 2.0)
    for layout in (np.asfortranarray, lambda a: np.ascontiguousarray(a)):
        out = layout(np.empty((3, 4)))
        df(x0, layout(X0), 2.0, out=out)
        np.testing.assert_allclose(out, expected)
    table = np.zeros((5, 4))
    srcad.grad(local_terms, target=target)(x0, out=table[2])
    assert not table[[0, 1, 3, 4]].any() and table[2].all()
    strided = np.repeat(x0, 2)[::2]
    column = np.empty((4, 3))[:, 1]
    srcad.grad(local_terms, target=target)(strided, out=column)
    np.testing.assert_allclose(column, table[2])


@SLOW_TARGETS
def test_single_precision_and_complex_numbers(target):
    g = np.empty(4, np.float32)
    srcad.grad(local_terms, target=target)(x0.astype(np.float32), out=g)
    np.testing.assert_allclose(g, srcad.grad(local_terms)(x0), rtol=1e-5)

    def power(z):
        return np.sum(np.abs(z * z) ** 2)

    df, z = srcad.grad(power, target=target), x0 + 1j * x0[::-1]
    c = np.empty(4, complex)
    df(z, out=c)
    np.testing.assert_allclose(c, df(z))


def test_the_same_parameter_twice():
    a, b = np.empty(4), np.empty(4)
    srcad.grad(local_terms, wrt=(0, 0), target="python")(x0, out=(a, b))
    np.testing.assert_array_equal(a, b)


def test_an_aux_is_returned_beside_it():
    def f(x):
        return np.sum(x * x), x.shape[0]

    g = np.empty(4)
    assert srcad.grad(f, has_aux=True, target="python")(x0, out=g)[1] == 4
    (value, aux), same = srcad.value_and_grad(f, has_aux=True, target="python")(x0, out=g)
    assert aux == 4 and same is g


def test_a_gradient_of_nothing():
    df = srcad.grad(of_nothing, wrt=("x", "y"), target="python", unconnected_gradients="zero")
    out = np.empty(4), np.full((3, 4), np.nan)
    df(x0, X0, out=out)
    assert not out[1].any() and (out[0] == 1).all()


@SLOW_TARGETS
def test_second_order(target):
    def slope(x):
        return np.sum(srcad.grad(local_terms)(x) ** 2)

    g = np.empty(4)
    first, second = srcad.grad(slope, target=target), srcad.grad(srcad.grad(local_terms), target=target)
    first(x0, out=g)
    same(g, first(x0))
    second(x0, out=g)
    np.testing.assert_allclose(g, srcad.hessian(local_terms)(x0).sum(axis=0))


def test_in_compiled_functions():
    df = srcad.value_and_grad(local_terms)

    @njit
    def descent(x, steps):
        g = np.empty_like(x)
        for _ in range(steps):
            value, same = df(x, 1.0, g)
            x = x - 1e-4 * g
        return value, same, x[:2]

    value, g, x = descent(x0, 3)
    expected = x0
    for _ in range(3):
        before, slope = df(expected)
        expected = expected - 1e-4 * slope
    assert value == pytest.approx(before)
    np.testing.assert_allclose(g, slope)
    np.testing.assert_allclose(x, expected[:2])


def test_variables_and_pickles():
    w = srcad.Variable(2.0)

    def f(x):
        return np.sum(w * x * x)

    g = np.empty(4)
    assert srcad.grad(f)(x0, out=g) is g
    np.testing.assert_allclose(g, 4 * x0)
    pickle.loads(pickle.dumps(srcad.grad(local_terms)))(x0, out=g)
    same(g, srcad.grad(local_terms)(x0))


def test_a_list_of_gradients():
    out = [np.empty(4), None]
    found = srcad.gradients_function(lambda x, a: np.sum(a * x), target="python")(x0, 2.0, out=out)
    assert found[0] is out[0] and found[1] == pytest.approx(x0.sum())


def test_scipy_minimises():
    found = minimize(srcad.value_and_grad(local_terms), np.zeros(4), jac=True, method="BFGS")
    assert found.success and np.allclose(found.x, 1.0, atol=1e-4)


def test_a_parameter_called_out_is_the_user_s():
    def f(x, out):
        return np.sum(x * out)

    np.testing.assert_array_equal(srcad.grad(f, target="python")(x0, out=2.0), np.full(4, 2.0))
    assert list(inspect.signature(srcad.grad(f)).parameters) == ["x", "out", "grad_ys"]
    assert inspect.signature(srcad.grad(local_terms)).parameters["out"].default is None


READ_ONLY = np.empty(4)
READ_ONLY.flags.writeable = False
WRONG = [
    (local_terms, 0, (x0,), np.empty(5), ValueError, "out must have the shape of x"),
    (local_terms, 0, (x0,), np.empty((4, 1)), ValueError, "out has 2 dimensions, x has 1; pass np.empty_like"),
    (local_terms, 0, (x0,), np.empty(4, np.float32), TypeError, "out is of dtype float32, the .* x of float64"),
    (local_terms, 0, (x0,), np.empty(4, int), TypeError, "out is of dtype int64"),
    (local_terms, 0, (x0,), np.empty(8)[::2], ValueError, "out must be C-contiguous, as x is; pass np.empty_like"),
    (local_terms, 0, (x0,), (np.empty(4),), TypeError, "out is a structure; the gradient .* needs an array"),
    (local_terms, 0, (x0,), 3.0, TypeError, "out is a number"),
    (local_terms, 0, (x0,), "g", TypeError, "out is no array"),
    (local_terms, 0, (x0,), x0, ValueError, "out shares memory with x: pass an array of its own"),
    (local_terms, 0, (x0,), READ_ONLY, ValueError, "read-only"),
    (weighted, 1, (x0, X0, 2.0), np.empty((3, 4), order="F"), ValueError, "out must be C-contiguous, as X is"),
    (weighted, "scale", (x0, X0, 2.0), np.empty(()), TypeError, "out: scale is a number, .* pass None there"),
    (weighted, (0, 1), (x0, X0, 2.0), np.empty(4), TypeError, "out must be a tuple of 2"),
    (weighted, (0, 1), (x0, X0, 2.0), (np.empty(4),), ValueError, "out has 1 parts, the gradient has 2"),
    (weighted, (0, 1), (x0, X0, 2.0), (np.empty(4), np.empty((4, 3))), ValueError, r"out\[1\] must have the shape"),
    (weighted, (0, 2), (x0, X0, 2.0), (np.empty(4), np.empty(1)), TypeError, r"out\[1\]: scale is a number"),
    (weighted, (0, 0), (x0, X0, 2.0), (READ_ONLY, READ_ONLY), ValueError, "read-only|share memory"),
    (of_nothing, "y", (x0, X0), np.empty((3, 4)), ValueError, "y is None, since nothing .*unconnected_gradients"),
    (of_structure, 0, ({"w": x0, "b": x0 + 1}, (x0 + 2, 1.0)), {"w": np.empty(4)}, ValueError, "out has 1 parts"),
    (of_structure, 0, ({"w": x0, "b": x0 + 1}, (x0 + 2, 1.0)), {"w": np.empty(4), "c": None}, ValueError,
     "out has the keys 'w', 'c', the gradient has 'w', 'b'"),
]  # fmt: skip


@TARGETS
@pytest.mark.parametrize("fn, wrt, args, out, kind, message", WRONG)
def test_what_cannot_be_written_into_is_refused(target, fn, wrt, args, out, kind, message):
    before = np.copy(x0)
    with pytest.raises(kind, match=message):
        srcad.grad(fn, wrt, target=target)(*args, out=out)
    np.testing.assert_array_equal(x0, before)


@TARGETS
def test_arrays_that_overlap_are_refused(target):
    both = np.zeros(6)
    df = srcad.grad(local_terms, target=target)
    with pytest.raises(ValueError, match="out shares memory with x"):
        df(both[:4], out=both[2:])
    df(both[:3], out=both[3:])
    comb = np.zeros(8)
    df(comb[::2], out=comb[1::2])
    twice = np.empty(4)
    with pytest.raises(ValueError, match=r"out\[0\] and out\[1\] share memory"):
        srcad.grad(local_terms, (0, 0), target=target)(x0, out=(twice, twice))


def test_inside_a_compiled_function_it_is_refused_with_what_to_write():
    df = srcad.grad(local_terms)

    @srcad.function(target="python")
    def f(x, g):
        df(x, out=g)
        return np.sum(g)

    with pytest.raises(srcad.UnsupportedError, match="out= inside a function that is compiled.*\n?.*instead"):
        f(x0, np.empty(4))


def pulled_along(p, v, n):
    p, v = p.copy(), v.copy()
    pull = np.zeros(p.shape)
    for _ in range(n):
        for i in range(p.shape[0]):
            pull[i, 0] = 0.0
            pull[i, 0] += p[i, 1] ** 2
        for i in range(p.shape[0]):
            for k in range(p.shape[1]):
                v[i, k] += 0.1 * pull[i, k]
                p[i, k] += 0.1 * v[i, k]
    return np.sum(p**2)


def test_a_gradient_under_two_names_is_copied_when_it_is_complete():
    p, v = np.linspace(-1.0, 2.0, 6).reshape(3, 2), np.linspace(0.5, 1.0, 6).reshape(3, 2)
    _, expected = srcad.value_and_grad(pulled_along, wrt=(0, 1), target="python", optimize=False)(p, v, 3)
    for target in ("python", "cpu"):
        out = np.full((3, 2), np.nan), np.full((3, 2), np.nan)
        srcad.value_and_grad(pulled_along, wrt=(0, 1), target=target)(p, v, 3, out=out)
        for found, wanted in zip(out, expected):
            np.testing.assert_allclose(found, wanted, rtol=1e-12)
