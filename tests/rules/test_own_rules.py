"""Rules that users state for functions of their own and of libraries."""

import ctypes
import importlib.util
import sys
import textwrap

import numba
import numpy as np
import pytest
import scipy.integrate
import scipy.linalg
import scipy.special
from numba.extending import overload

import srcad
from srcad.rules.rule import table
from srcad.testing import check_rule
from tests import ruleless


def softplus(x):
    return np.log1p(np.exp(x))


@numba.njit
def softplus_compiled(x):
    return np.log1p(np.exp(x))


def softplus_overloaded(x):
    return sum([float(v) for v in map(softplus, [x])])  # nothing that Numba compiles


@overload(softplus_overloaded)
def _overload(x):
    return lambda x: np.log1p(np.exp(x))


def sigmoid(y, x):
    y.dot = x.dot / (1.0 + np.exp(-x))
    x.bar += y.bar / (1.0 + np.exp(-x))


FUNCTIONS = [softplus, softplus_compiled, softplus_overloaded]
by_function = pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)


@pytest.fixture(autouse=True)
def with_rules():
    srcad.rule(*FUNCTIONS)(sigmoid)
    yield
    for function in FUNCTIONS:
        del table[function]


def derivative(function, target):
    def loss(x):
        return 3.0 * function(2.0 * x)

    return srcad.grad(loss, target=target)


@by_function
@pytest.mark.parametrize("target", ["python", "cpu"])
def test_rule_stands_for_the_source(function, target):
    df = derivative(function, target)
    assert df(0.5) == pytest.approx(6.0 / (1.0 + np.exp(-1.0)), rel=1e-14)
    assert "log1p" not in df.source()


def test_whole_arrays():
    def loss(x):
        return np.sum(softplus(x))

    for target in ("python", "cpu"):
        np.testing.assert_allclose(srcad.grad(loss, target=target)(np.zeros(3)), np.full(3, 0.5), rtol=1e-14)


def test_another_rule_is_no_case_for_the_cache():
    assert derivative(softplus, "python")(0.0) == 3.0

    @srcad.rule(softplus)
    def steep(y, x):
        x.bar += y.bar * 100.0

    assert derivative(softplus, "python")(0.0) == 600.0


@pytest.mark.parametrize("function", [softplus, softplus_compiled], ids=lambda f: f.__name__)
def test_check_rule(function):
    check_rule(function, x=(3,))


def test_wrong_rule_is_found():
    @srcad.rule(softplus)
    def wrong(y, x):
        y.dot = x.dot / (1.0 + np.exp(x))
        x.bar += y.bar / (1.0 + np.exp(x))

    with pytest.raises(AssertionError, match="x.bar and finite differences"):
        check_rule(softplus, x=(3,), compiled=False)


def one_way(x):
    return x * x


def test_a_rule_for_one_mode_is_refused_in_the_other():
    def forward(y, x):
        y.dot = x.dot * 2.0 * x

    def reverse(y, x):
        x.bar += y.bar * 2.0 * x

    try:
        srcad.rule(one_way)(forward)
        assert srcad.jvp(one_way_of, target="python")(3.0) == (9.0, 6.0)
        with pytest.raises(srcad.UnsupportedError, match="one_way has no statement on cotangents"):
            srcad.grad(one_way_of, target="python")(3.0)
        srcad.rule(one_way)(reverse)
        assert srcad.grad(one_way_of, target="python")(3.0) == 6.0
        with pytest.raises(srcad.UnsupportedError, match="one_way has no statement on tangents"):
            srcad.jvp(one_way_of, target="python")(3.0)
    finally:
        del table[one_way]


def one_way_of(x):
    return one_way(x)


# ---------------------------------------------------------------- in every mode and order, for functions of every kind


def sinc(x):
    return np.sin(x) / x


def sinc_rule(y, x):
    slope = (np.cos(x) - np.sin(x) / x) / x
    y.dot = x.dot * slope
    x.bar += y.bar * slope


sinc_compiled = numba.njit(lambda x: np.sin(x) / x)


@pytest.fixture
def stated():
    srcad.rule(sinc, sinc_compiled)(sinc_rule)
    kept = {function: table.get(function) for function in (scipy.special.exp1, np.nextafter)}

    @srcad.rule(scipy.special.exp1)
    def _(y, x):
        y.dot = -x.dot * np.exp(-x) / x
        x.bar -= y.bar * np.exp(-x) / x

    @srcad.rule(np.nextafter)
    def _(y, x, towards):
        y.dot = x.dot
        x.bar += y.bar

    yield
    del table[sinc], table[sinc_compiled]
    for function, rule in kept.items():
        table.pop(function)
        if rule is not None:
            table[function] = rule


@pytest.mark.parametrize("target", ["python", "cpu"])
@pytest.mark.parametrize("function", [sinc, sinc_compiled], ids=["python", "njit"])
def test_every_mode_and_order(function, target, stated):
    def loss(x):
        return 3.0 * function(2.0 * x)

    x, z = 0.7, 1.4
    s, c = np.sin(z), np.cos(z)
    first, second = (c - s / z) / z, -s / z - 2 * c / z**2 + 2 * s / z**3
    assert srcad.grad(loss, target=target)(x) == pytest.approx(6 * first, rel=1e-12)
    assert srcad.jvp(loss, target=target)(x)[1] == pytest.approx(6 * first, rel=1e-12)
    assert srcad.grad(srcad.grad(loss, target=target), target=target)(x) == pytest.approx(12 * second, rel=1e-12)
    assert srcad.hvp(loss, target=target)(x) == pytest.approx(12 * second, rel=1e-12)
    v = np.array([0.5, 0.7])
    diagonal = srcad.jacobian(lambda v: function(2.0 * v), target=target)(v)
    assert np.allclose(diagonal, np.diag(2 * (np.cos(2 * v) - np.sin(2 * v) / (2 * v)) / (2 * v)))


def test_functions_of_libraries(stated):
    check_grads = srcad.testing.check_grads
    check_grads(lambda x: scipy.special.exp1(x) * x, (0.7,), order=2, target="python")
    assert srcad.grad(lambda x: np.nextafter(x * x, 5.0), target="python")(3.0) == 6.0


@pytest.mark.parametrize("transform", [srcad.grad, srcad.jvp])
def test_the_zero_rule(transform):
    @numba.njit
    def steps(x):
        return np.floor(10 * x)

    srcad.rule(steps, zero=True)(lambda y, x: None)
    result = transform(lambda x: steps(x) * x, target="python")(0.75)
    assert result == (7.0 if transform is srcad.grad else (5.25, 7.0))
    del table[steps]


# ---------------------------------------------------------------- wrong rules


def wrong_name(y, x):
    x.bar += y.bar * slope  # noqa: F821


def wrong_operand(y, x):
    z.bar += y.bar  # noqa: F821


def too_few_parameters(y):
    pass


def too_many_parameters(y, x, order):
    x.bar += y.bar * order


def outer_cotangent(y, x):
    x.bar += np.outer(np.outer(y.bar, x), x)


def assigned_cotangent(y, x):
    x.bar = y.bar


def returns(y, x):
    x.bar += y.bar
    return x


@pytest.mark.parametrize("body, message", [
    (wrong_name, "slope"),
    (wrong_operand, "'?z'?"),
    (too_few_parameters, r"the arguments of its rule, \(\)"),
    (too_many_parameters, r"the arguments of its rule, \(x, order\)"),
    (outer_cotangent, "adds a value with 2 axes to a cotangent with 0; the result has 0"),
    (assigned_cotangent, r"this statement has no meaning in a rule; instead: x.bar \+= ..."),
], ids=lambda value: getattr(value, "__name__", ""))  # fmt: skip
def test_wrong_rules_are_refused(body, message):
    srcad.rule(one_way)(body)
    try:
        with pytest.raises(srcad.UnsupportedError, match=message):
            srcad.grad(one_way_of, target="python")(3.0)
    finally:
        del table[one_way]


def test_rules_are_for_functions():
    with pytest.raises(TypeError, match="a rule is for functions, not 'sin'"):
        srcad.rule("sin")
    with pytest.raises(TypeError, match=r"write @srcad.rule\(function\)"):
        srcad.rule()
    foreign = ctypes.pythonapi.Py_GetVersion
    with pytest.raises(TypeError, match="write a def around it"):
        srcad.rule(foreign)


def pivots(A):
    return scipy.linalg.ldl(A)[1]


def through_the_interpreter(x):
    return np.sum(ruleless.one(x, 2.0)) + np.sum(pivots(np.diag(x)) * x)


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_functions_that_numba_lacks(target):
    """Machine code calls them through the interpreter: those of a library, and one's own that call such."""

    @srcad.rule(ruleless.one)
    def _(r, x, y):
        x.bar += r.bar * (r - 1.0 / np.sqrt(x)) / (2.0 * (y - x))

    @srcad.rule(pivots)
    def _(y, A):
        A.bar += y.bar

    x = np.array([0.5, 1.5])
    try:
        value, gradient = srcad.value_and_grad(through_the_interpreter, target=target)(x)
    finally:
        del table[ruleless.one], table[pivots]
    r = ruleless.one(x, 2.0)
    assert value == pytest.approx(np.sum(r) + np.sum(x * x))
    slope = (ruleless.one(x + 1e-6, 2.0) - ruleless.one(x - 1e-6, 2.0)) / 2e-6
    assert np.allclose(gradient, slope + 2.0 * x)


def test_what_to_write_for_one_of_several_results():
    with pytest.raises(srcad.NoGradientError) as caught:
        srcad.grad(lambda x: scipy.integrate.quad_vec(np.sin, 0.0, x)[0], target="python")(1.0)
    said = str(caught.value)
    assert "def part(f, a, b): return scipy.integrate.quad_vec(f, a, b)[0]" in said and "@srcad.rule(part)" in said


def test_what_to_write_works_as_it_stands(tmp_path, monkeypatch):
    """In the names of the user's file, with a line for each operand that moves."""
    def loaded(rule):
        file = tmp_path / f"users{len(rule)}.py"
        called = "def f(x, d):\n    return np.sum(special.elliprd(x, 2.0 * x, d))\n"
        file.write_text(f"import numpy as np\nfrom scipy import special\nimport srcad\n{rule}\n{called}")
        spec = importlib.util.spec_from_file_location(file.stem, file)
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, file.stem, module)
        spec.loader.exec_module(module)
        return srcad.grad(module.f, target="python")

    x = np.array([1.0, 2.0])
    with pytest.raises(srcad.NoGradientError) as caught:
        loaded("")(x, 3.0)
    lines = textwrap.dedent(str(caught.value).split("write one:\n")[1])
    assert lines.count(".bar += y.bar * ...") == 2
    try:
        np.testing.assert_array_equal(loaded(lines.replace("* ...", "* 5.0"))(x, 3.0), [15.0, 15.0])
    finally:
        del table[scipy.special.elliprd]
