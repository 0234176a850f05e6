"""Rules that users state for functions of their own and of libraries."""

import numba
import numpy as np
import pytest
from numba.extending import overload

import srcad
from srcad.rules.rule import table
from srcad.testing import check_rule


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
