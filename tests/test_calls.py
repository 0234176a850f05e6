"""What is differentiated need not be a plain function; what calls itself is differentiated at any depth and order."""

import functools
import math
import operator
import pickle
import re

import numpy as np
import pytest

import srcad
from srcad.testing import check_grads
from tests.programs import PROGRAMS
from tests.reference import reference, ridders, total


def weighted(scale, x, shift=0.0):
    return scale * x * x + shift * x


class Spring:
    """A spring of some stiffness."""

    def __init__(self, stiffness):
        self.stiffness = stiffness

    def energy(self, x, factor=0.5):
        """The energy of a displacement."""
        return factor * self.stiffness * x * x

    def __call__(self, x):
        return self.energy(x)

    @classmethod
    def unit(cls, x):
        return x * x

    def all_of(self, *xs):
        return sum(xs)


BOUND = [
    (functools.partial(weighted, 2.0), (3.0,), {}, 12.0),
    (functools.partial(functools.partial(weighted, 2.0), shift=4.0), (3.0,), {}, 16.0),
    (functools.partial(weighted, 2.0, shift=4.0), (3.0,), {"shift": 1.0}, 13.0),
    (functools.partial(weighted, x=3.0), (2.0,), {}, 9.0),
    (functools.partial(lambda scale, x: scale * x * x, 2.0), (3.0,), {}, 12.0),
    (Spring(4.0).energy, (3.0,), {}, 12.0),
    (Spring(4.0).energy, (3.0,), {"factor": 1.0}, 24.0),
    (Spring(4.0), (3.0,), {}, 12.0),
    (Spring.unit, (3.0,), {}, 6.0),
    (functools.lru_cache(weighted), (3.0, 2.0), {}, 4.0),
]


@pytest.mark.parametrize("target", ["python", "cpu"])
@pytest.mark.parametrize("fn, args, kwargs, expected", BOUND)
def test_what_binds_arguments_is_differentiated_with_respect_to_the_others(fn, args, kwargs, expected, target):
    df = srcad.grad(fn, target=target)
    assert df(*args, **kwargs) == expected
    assert srcad.value_and_grad(fn, target=target)(*args, **kwargs) == (fn(*args, **kwargs), expected)


@pytest.mark.parametrize("fn", [functools.partial(weighted, 2.0), Spring(4.0).energy])
def test_what_binds_arguments_is_pickled(fn):
    df = srcad.grad(fn)
    assert pickle.loads(pickle.dumps(df))(3.0) == df(3.0) == 12.0


def test_a_method_lends_its_name_and_documentation():
    df = srcad.grad(Spring(4.0).energy, wrt="factor", target="python")
    assert df.__name__ == "energy_grad" and "The energy of a displacement." in df.__doc__
    assert df(3.0) == 36.0


# ---------------------------------------------------------------- any number of arguments, functions of libraries


def doubled(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        return 2.0 * fn(*args, **kwargs)

    return wrapper


@doubled
def scaled(x, scale=1.0):
    return scale * x


def powers(x, *rest, **named):
    return x ** named["n"] + sum(rest) * named.get("by", 1.0)


def test_any_number_of_arguments():
    df = srcad.grad(lambda *args: np.concatenate(args), wrt=(0, -1), target="python")
    assert [g.shape for g in df(np.ones(2), np.ones(3), np.ones(1))] == [(2,), (1,)]
    assert [g.shape for g in df(np.ones(2), np.ones(4))] == [(2,), (4,)]
    assert "np.concatenate((args_0, args_1))" in df.source()
    assert srcad.source(df, "float64[:]", "float64[:]") == df.source()
    df = srcad.grad(powers, wrt=("x", "rest_1", "by"), target="python")
    assert df(3.0, 1.0, 2.0, n=2.0, by=5.0) == (6.0, 5.0, 3.0)
    assert srcad.grad(powers, target="python")(n=3.0, x=2.0) == 12.0
    assert srcad.grad(Spring(4.0).all_of, target="python")(2.0, 3.0) == 1.0
    assert srcad.gradients_function(lambda *xs: xs[0] * xs[1], target="python")(2.0, 3.0) == [3.0, 2.0]
    assert srcad.hessian(lambda *xs: xs[0] ** 3 * xs[1], target="python")(2.0, 5.0) == 60.0


def test_decorated_functions_have_the_parameters_of_what_they_wrap():
    df = srcad.grad(scaled, wrt=("x", "scale"), target="python")
    assert df(3.0, 5.0) == df(scale=5.0, x=3.0) == (10.0, 6.0)
    with pytest.raises(ValueError, match="scaled has no parameter 'scale'; it has x"):
        df(3.0)


LIBRARY = [
    (np.sin, (0.5,), {}, math.cos(0.5)), (math.sin, (0.5,), {}, math.cos(0.5)), (abs, (-2.0,), {}, -1.0),
    (operator.mul, (2.0, 3.0), {}, 3.0), (np.linalg.inv, (2.0 * np.eye(2),), {}, -np.full((2, 2), 0.25)),
    (np.sum, (np.ones((2, 2)),), {"axis": 0, "grad_ys": np.array([1.0, 2.0])}, [[1.0, 2.0], [1.0, 2.0]]),
    (functools.partial(np.cumsum, axis=1), (np.ones((1, 3)),), {}, [[3.0, 2.0, 1.0]]),
]


@pytest.mark.parametrize("fn, args, kwargs, expected", LIBRARY)
def test_functions_of_libraries(fn, args, kwargs, expected):
    np.testing.assert_allclose(srcad.grad(fn, target="python")(*args, **kwargs), expected, rtol=1e-12)


def test_functions_of_libraries_have_a_rule_and_are_not_read():
    special, stats = pytest.importorskip("scipy.special"), pytest.importorskip("scipy.stats")
    df = srcad.grad(special.logsumexp, target="python")
    np.testing.assert_allclose(df(np.zeros(4)), np.full(4, 0.25))
    dp = srcad.grad(stats.norm.logpdf, wrt=(0, 1, 2), target="python")
    np.testing.assert_allclose(dp(0.5, 0.2, 2.0), (-0.075, 0.075, -0.48875))


def test_derivatives_of_libraries_functions_of_second_order_and_inside_of_others():
    slope = srcad.grad(np.sin, target="python")
    assert srcad.grad(slope, target="python")(0.5) == -math.sin(0.5)
    assert srcad.grad(lambda x: 2.0 * slope(x), target="python")(0.5) == -2.0 * math.sin(0.5)
    assert srcad.grad(lambda x: srcad.grad(np.sin)(x), target="python")(0.5) == -math.sin(0.5)
    assert srcad.jacobian(np.linalg.inv, target="python")(np.eye(2)).shape == (2, 2, 2, 2)
    assert srcad.grad(np.sin)(0.5) == pytest.approx(math.cos(0.5))
    assert pickle.loads(pickle.dumps(slope))(0.5) == slope(0.5)
    assert "sin" in repr(slope) and "sin with respect to x" in str(srcad.explain(slope, args=(0.5,)))
    assert not srcad.lint(lambda *xs: xs[0] * xs[1], 1.0, 2.0)
    with pytest.raises(ValueError, match="no source yet"):
        srcad.grad(np.cos).source()


# ---------------------------------------------------------------- arguments in their order


def grown(v):
    w = v * 2.0
    w += v
    return w


def part_of(v, part, w):
    return np.sum(v[part] * w[part])


def a_slice_before_a_call(v):
    return part_of(v, slice(1, 3), grown(v))


def test_a_slice_is_passed_before_a_call_that_changes_something():
    df = srcad.grad(a_slice_before_a_call, target="python")
    np.testing.assert_allclose(df(np.arange(4.0)), [0.0, 6.0, 12.0, 0.0])


# ---------------------------------------------------------------- recursion


def chain(x, n):
    if n == 0:
        return x
    return math.sin(chain(x, n - 1)) * x


def binary(x, n):
    if n == 0:
        return x
    return math.sin(binary(0.9 * x, n - 1) * binary(1.1 * x, n - 1))


def halves(x):
    if len(x) == 1:
        return x[0] ** 2
    return halves(x[: len(x) // 2]) + halves(x[len(x) // 2 :])


def slope(fn, x):
    return ridders(lambda h: fn(x + h), 1e-2)[0]


@pytest.mark.parametrize("fn, n", [(chain, 4), (binary, 3)])
def test_second_derivatives_of_recursion(fn, n):
    first = srcad.grad(fn, target="python")
    second = srcad.grad(first, target="python")
    assert second(1.1, n) == pytest.approx(slope(lambda x: first(x, n), 1.1), rel=1e-8)


@pytest.mark.parametrize("name", [name for name, p in PROGRAMS.items() if "corpus.recursion" in p.fn.__module__])
def test_forward_mode(name):
    program = PROGRAMS[name]
    gradients = reference(program)
    rng = np.random.default_rng(0)
    draws = (rng.standard_normal(np.shape(g)) for g in gradients)
    tangents = tuple(draw if np.shape(draw) else float(draw) for draw in draws)
    _, moved = srcad.jvp(program.fn, wrt=program.wrt, target="python")(*program.example(), tangents=tangents)
    expected = sum(np.sum(np.asarray(g) * t) for g, t in zip(gradients, tangents))
    assert total(moved) == pytest.approx(expected, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("fn, n", [(chain, 4), (binary, 3)])
def test_forward_over_reverse(fn, n):
    first = srcad.grad(fn, target="python")
    _, second = srcad.jvp(first, target="python")(1.1, n)
    assert second == pytest.approx(slope(lambda x: first(x, n), 1.1), rel=1e-8)


def test_a_derivative_of_recursion_inside_of_a_function():
    def f(x):
        return srcad.grad(chain)(x, 3) * x

    assert srcad.grad(f, target="python")(1.1) == pytest.approx(
        slope(lambda x: srcad.grad(chain, target="python")(x, 3) * x, 1.1), rel=1e-8
    )


def test_deep_recursion():
    exact = slope(lambda x: chain(x, 400), 1.1)
    assert srcad.grad(chain, target="python")(1.1, 400) == pytest.approx(exact, rel=1e-7)
    df = srcad.grad(chain)
    assert df(1.1, 400) == pytest.approx(exact, rel=1e-7)
    assert math.isfinite(df(1.1, 20_000))


def test_sums_over_a_tree_need_nothing_of_the_primal():
    """The reverse of a sum does not call the function itself."""
    source = srcad.source(srcad.grad(halves, target="python"), np.ones(4))
    assert "halves_reverse(x[:m]" in source.replace("x.shape[0] // 2", "m") and "= halves(" not in source


def test_the_reverse_of_a_chain_calls_each_level_once():
    """Deep recursion of numbers costs a constant factor of the primal: derivatives come with the values."""
    calls = []

    def counted(x):
        calls.append(x)
        return math.sin(x)

    def step(x, n):
        return x if n == 0 else counted(step(x, n - 1)) * x

    @srcad.rule(counted)
    def _(y, x):
        x.bar += y.bar * np.cos(x)

    df = srcad.grad(step, target="python")
    assert df(1.1, 30) == pytest.approx(slope(lambda x: step(x, 30), 1.1), rel=1e-8)
    calls.clear()
    df(1.1, 30)
    assert len(calls) == 30


def test_exceptions_of_recursive_functions_are_raised():
    def root(x, n):
        if n > 3:
            raise ValueError("too deep")
        return x if x < 1.01 else root(math.sqrt(x), n + 1) + x

    df = srcad.grad(root, target="python")
    with pytest.raises(ValueError, match="too deep"):
        df(1e9, 0)


# ---------------------------------------------------------------- attributes as parameters


class Coil:
    scale = 3.0

    def __init__(self, k, w):
        self.k, self.w, self.name = k, np.array(w), "coil"

    def energy(self, x):
        return 0.5 * self.k * x * x * self.scale + self.bend(x)

    def bend(self, x):
        return (self.w**2).sum() * x + self.k

    def __call__(self, x, *, y=2.0):
        return self.energy(x) * y


COIL = Coil(2.0, [1.0, 2.0])


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_derivatives_by_attributes(target):
    by_k = srcad.grad(COIL.energy, wrt="self.k", target=target)
    assert by_k(3.0) == 0.5 * 9.0 * 3.0 + 1.0 == by_k(3.0, self_k=5.0)
    slope, by_w, k = srcad.grad(COIL.energy, wrt=("x", "self.w", "self.k"), target=target)(3.0)
    assert slope == 2.0 * 3.0 * 3.0 + 5.0 and by_w.tolist() == [6.0, 12.0] and k == 14.5
    assert srcad.grad(COIL.energy, wrt="self.scale", target=target)(3.0) == 9.0
    assert srcad.value_and_grad(COIL, wrt="self.k", target=target)(3.0, y=1.0) == (44.0, 14.5)


def test_other_derivatives_by_attributes():
    assert srcad.jvp(COIL.energy, wrt="self.k", target="python")(3.0, tangents=2.0) == (44.0, 29.0)
    assert srcad.hessian(COIL.energy, wrt="self.w", target="python")(3.0).tolist() == [[6.0, 0.0], [0.0, 6.0]]


@pytest.mark.parametrize("f, wrt, said", [
    (COIL.energy, "self.nope", "this Coil has no number or array self.nope"),
    (COIL.energy, "self.bend", "this Coil has no number or array self.bend"),
    (COIL.energy, "k", "energy has no parameter 'k'; it has x"),
    (Coil.bend, "self.k", "is no method of an object"),
])  # fmt: skip
def test_attributes_that_are_no_parameters(f, wrt, said):
    with pytest.raises(ValueError, match=said):
        srcad.grad(f, wrt=wrt)


def squeezed(x):
    return np.squeeze(x)


def product_of_squeezed(x, y):
    return np.squeeze(x) * y.squeeze()


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_lengths_decide_the_rank_of_a_result(target):
    """One derivative of one function: its source is made anew for other lengths."""
    df = srcad.value_and_grad(squeezed, target=target)
    for shape in ((5, 1, 4), (5, 2), (1, 1)) if target == "python" else ((5, 1), (1, 1)):
        x = np.arange(1.0, 1.0 + np.prod(shape)).reshape(shape)
        value, gradient = df(x)
        assert np.shape(value) == np.shape(np.squeeze(x)) and np.all(value == np.squeeze(x))
        np.testing.assert_array_equal(gradient, np.ones(shape))


def test_lengths_of_several_arguments_decide():
    x, y = np.array([[1.0, 2.0]]), np.array([[3.0], [5.0]])
    np.testing.assert_array_equal(srcad.grad(product_of_squeezed, wrt=(0, 1), target="python")(x, y)[1], [[1.0], [2.0]])
    found = srcad.hvp(lambda x: product_of_squeezed(x, x), target="python")(x, tangents=np.ones((1, 2)))
    np.testing.assert_array_equal(found, [[2.0, 2.0]])


def test_the_rank_of_what_is_squeezed_is_not_known_by_types():
    with pytest.raises(srcad.UnsupportedError, match="depends on lengths of arrays; instead: arrays, not their types"):
        srcad.source(srcad.grad(squeezed), "float64[:, :]")


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_none_fails_on_the_path_that_computes_with_it(target):
    def f(x, scale=None, twice=0):
        y = x
        if twice > 0:
            y = scale * x
        return y * x

    df = srcad.grad(f, target=target)
    assert df(2.0) == 4.0
    with pytest.raises(TypeError, match="unsupported operand"):
        df(2.0, None, 1)
    assert df(2.0, 3.0, 1) == 12.0


def test_reduction_of_a_list_that_stays_empty():
    def f(v):
        large = []
        for a in v:
            if a > 10.0:
                large.append(a)
        return functools.reduce(lambda a, b: a * b, large)

    df = srcad.grad(f, target="python")
    np.testing.assert_array_equal(df(np.array([11.0, 2.0, 12.0])), [12.0, 0.0, 11.0])
    with pytest.raises(TypeError, match=re.escape("reduce() of empty iterable with no initial value")):
        df(np.ones(2))


@pytest.mark.parametrize("mode", ["square", "unknown"])
def test_functions_by_a_key_or_another_one(mode):
    table = {"square": lambda t: t * t, "sine": np.sin}

    def f(x):
        return table.get(mode, np.exp)(x) * {"a": math.cos}.get("b", math.exp)(x)

    check_grads(f, (0.7,), target="python")
