"""Programs in single precision: loops like those in double precision, NumPy's dtypes, sums no worse than its own."""

import operator
import re

import numpy as np
import pytest

import srcad
from srcad.lang.ir import Accum, Call, Const, For, Function, Let, Param, Return, Stmt, Var
from srcad.lang.types import FLOAT, INT, Array, Scalar
from srcad.lang.write import write
from srcad.transforms.infer import typed
from srcad.transforms.single import single
from tests.forms_of_derivatives import interpreted

RANDOM = np.random.default_rng(0)
X, C = Var("x", Array("float32", ("n",), "C")), Var("c", FLOAT)
ELEMENT = typed(Call(operator.getitem, (X, Var("i", INT))))
S, T = Var("s", Scalar("float32")), Var("t", FLOAT)


def written(*body: Stmt) -> list[str]:
    """The lines of a function with these statements, as `single` leaves them."""
    made = single(Function("f", (Param("x", X.type), Param("c", FLOAT), Param("n", INT)), body))
    return [line.strip() for line in write(made).text.split("def f(x, c, n):\n")[1].splitlines()]


def times(a, b) -> Call:
    return typed(Call(operator.mul, (a, b)))


def loop(stop, *body: Stmt) -> For:
    return For("i", Const(0, INT), stop, Const(1, INT), body)


def test_numbers_beside_singles_are_single():
    assert written(Return(times(Const(0.5, FLOAT), times(C, times(ELEMENT, ELEMENT))))) == [
        "return np.float32(0.5) * (np.float32(c) * (x[i] * x[i]))"
    ]
    assert written(Return(typed(Call(operator.pow, (ELEMENT, Const(2, INT)))))) == ["return x[i] ** 2"]
    assert written(Return(typed(Call(operator.lt, (ELEMENT, Const(0.1, FLOAT)))))) == ["return x[i] < np.float32(0.1)"]
    assert written(Return(times(C, Const(0.1, FLOAT)))) == ["return c * 0.1"]


def test_numbers_of_numpy_widen():
    wide = Var("y", Scalar("float64"))
    assert written(Let("y", Const(np.float64(2.0), wide.type)), Return(times(wide, ELEMENT)))[-1] == "return y * x[i]"


def test_what_runs_over_all_iterations_is_a_double():
    adding = loop(Var("n", INT), Accum(S, times(ELEMENT, ELEMENT)))
    lines = written(Let("s", Const(0.0, FLOAT)), adding, Return(times(S, ELEMENT)))
    assert lines[0] == "s = 0.0"
    assert lines[-1] == "return np.float32(s) * x[i]"


def test_few_are_added_up_in_single_precision():
    lines = written(Let("s", Const(0.0, FLOAT)), loop(Const(100, INT), Accum(S, ELEMENT)), Return(times(S, ELEMENT)))
    assert lines[0] == "s = np.float32(0.0)"
    assert lines[-1] == "return s * x[i]"


def test_what_an_iteration_hands_on_is_single():
    body = (Accum(ELEMENT, T), Let("t", times(Const(2.0, FLOAT), ELEMENT)))
    lines = written(Let("t", Const(0.0, FLOAT)), loop(Var("n", INT), *body), Return(T))
    assert lines[0] == "t = np.float32(0.0)"
    inexact = written(Let("t", Const(0.1, FLOAT)), loop(Var("n", INT), *body), Return(T))
    assert inexact[0] == "t = 0.1"


def chain(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def softmax(x, w):
    z = x @ w
    e = np.exp(z - np.max(z, axis=1)[:, None])
    return np.mean(np.log(np.sum(e, axis=1)) - z[:, 0])


def heat(u0, nu, steps):
    u = u0.copy()
    for _ in range(steps):
        u[1:-1] = u[1:-1] + nu * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u**2)


def mixed(x, y):
    return np.sum(0.5 * x * y + x / 3) + np.sum(np.where(x > 0.1, x, 0.0) ** 2)


def nearest(centres, points):
    return np.sum(np.min(np.sum((points[:, None, :] - centres) ** 2, axis=2), axis=1))


PROGRAMS = {
    "chain": (chain, (RANDOM.normal(size=20),)),
    "softmax": (softmax, (RANDOM.normal(size=(7, 5)), RANDOM.normal(size=(5, 3)))),
    "heat": (heat, (RANDOM.normal(size=12), 0.2, 5)),
    "mixed": (mixed, (RANDOM.normal(size=9), RANDOM.normal(size=9))),
    "nearest": (nearest, (RANDOM.normal(size=(4, 3)), RANDOM.normal(size=(9, 3)))),
}


def singles(args) -> tuple:
    return tuple(arg.astype(np.float32) if isinstance(arg, np.ndarray) else arg for arg in args)


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_in_single_precision(name):
    f, args = PROGRAMS[name]
    value, gradient = srcad.value_and_grad(f, target="python")(*args)
    found, found_gradient = interpreted(srcad.value_and_grad(f), singles(args))
    assert found_gradient.dtype == np.float32
    np.testing.assert_allclose(found, value, rtol=1e-5)
    np.testing.assert_allclose(found_gradient, gradient, rtol=1e-4, atol=1e-5)


def test_an_array_in_double_precision_widens():
    x, y = RANDOM.normal(size=9).astype(np.float32), RANDOM.normal(size=9)
    _, gradients = interpreted(srcad.value_and_grad(mixed, wrt=(0, 1)), (x, y))
    assert [gradient.dtype for gradient in gradients] == [np.float32, np.float64]
    assert "product = np.float32(0.5) * x[i]\n" in srcad.source(srcad.value_and_grad(mixed, wrt=(0, 1)), x, y)


@pytest.mark.parametrize("name", ["chain", "softmax", "heat"])
def test_texts_in_both_precisions_have_the_same_loops(name):
    f, args = PROGRAMS[name]
    texts = [srcad.source(srcad.value_and_grad(f), *each) for each in (args, singles(args))]
    heads = [re.findall(r"^ *(?:for|while) .*:$", text, re.MULTILINE) for text in texts]
    assert heads[0] == heads[1]


def test_compiled_sums_are_as_precise_as_numpys():
    x = RANDOM.uniform(1.0, 2.0, 200_000).astype(np.float32)
    df = srcad.value_and_grad(lambda x: np.sum(0.1 * x * x))
    value, gradient = df(x)
    terms = np.float32(0.1) * x * x
    exact = np.sum(terms, dtype=np.float64)
    assert abs(value - exact) <= abs(float(np.sum(terms)) - exact) + np.spacing(np.float32(exact))
    assert gradient.dtype == np.float32
    np.testing.assert_allclose(gradient, np.float32(0.2) * x, rtol=3e-7)


def test_loops_whose_subscripts_have_no_hash_are_told_apart():
    def swapped(a):
        b = a.copy()
        for i in range(2):
            b[[i, 1 - i], :] = b[[1 - i, i], :] * 2.0  # the slice is a constant, which Python 3.11 cannot hash
            s = 0.0
            for j in range(2):
                s += b[i, j]
            b[i, 0] = s
        return b[0, 0] + 3.0 * b[1, 1]

    a = RANDOM.normal(size=(2, 2))
    exact = srcad.grad(swapped, target="python")(a)
    single_ = interpreted(srcad.grad(swapped), (a.astype(np.float32),))
    assert np.allclose(single_, exact, rtol=1e-6)
