"""Distributions outside their support, at its ends, with parameters that they do not have, and compiled."""

import numpy as np
import pytest
from scipy import stats

import srcad
from srcad import library
from srcad.rules.rule import table
from srcad.testing import check_grads
from tests.library.cases import CASES
from tests.library.scipy_table import distribution

X = np.array([-2.0, -1e-9, 0.0, 0.4, 1.0, 1.5, 7.0, np.nan])
CALLS = {
    "expon": lambda method, x, p: method(x, scale=p),
    "gamma": lambda method, x, p: method(x, 2.5, scale=p),
    "lognorm": lambda method, x, p: method(x, p),
    "uniform": lambda method, x, p: method(x, scale=p),
    "beta": lambda method, x, p: method(x, 2.5, 1.5, scale=p),
    "poisson": lambda method, x, p: method(x, p),
    "binom": lambda method, x, p: method(x, 5, p / 3.0),
    "norm": lambda method, x, p: method(x, scale=p),
    "t": lambda method, x, p: method(x, 2.5, scale=p),
    "cauchy": lambda method, x, p: method(x, scale=p),
    "laplace": lambda method, x, p: method(x, scale=p),
    "logistic": lambda method, x, p: method(x, scale=p),
}


def methods(name):
    density = "pmf" if hasattr(getattr(stats, name), "pmf") else "pdf"
    return [density, f"log{density}", "cdf", "logcdf", "sf", "logsf"]


NAMES = [(name, method) for name in CALLS for method in methods(name)]
each = pytest.mark.parametrize("name, method", NAMES)


@each
@pytest.mark.parametrize("p", [0.7, 1.9, -1.0, 0.0])
def test_values(name, method, p):
    function, call = getattr(getattr(stats, name), method), CALLS[name]
    with np.errstate(all="ignore"):
        expected = call(function, X, p) if p >= 0.0 else np.full(X.shape, np.nan)
    found, _ = srcad.jvp(lambda x, p: call(function, x, p), target="python", wrt="p")(X, p, tangents=1.0)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


@each
def test_no_derivative_outside_the_support(name, method):
    """Nothing but zeros where the density is zero, and numbers inside."""
    function, call = getattr(getattr(stats, name), method), CALLS[name]
    points = np.array([-2.0, -0.5, 0.3, 0.6, 3.0, 9.5]) if "pmf" not in methods(name)[0] else np.arange(-2.0, 9.0, 0.5)
    p = np.full(points.shape, 1.3)
    with np.errstate(all="ignore"):
        outside = ~np.isfinite(call(getattr(getattr(stats, name), methods(name)[1]), points, 1.3))
    gradient = srcad.grad(lambda x, p: np.sum(call(function, x, p)), wrt="p", target="python")(points, p)
    forward = srcad.jvp(lambda x, p: call(function, x, p), wrt="p", target="python")
    _, tangent = forward(points, p, tangents=np.ones_like(p))
    assert np.all(np.isfinite(gradient)) and np.all(np.isfinite(tangent))
    np.testing.assert_allclose(tangent, gradient, rtol=1e-12, atol=1e-14)
    if "pmf" in method or "pdf" in method:
        assert not np.any(gradient[outside])
        assert np.all(gradient[~outside] != 0.0)


# ---------------------------------------------------------------- distributions that hold their parameters

PRIOR = stats.gamma(2.5, scale=0.8)
COUNTS = stats.poisson(1.5)


def held_inside(x, m, s):
    return np.sum(stats.norm(m, scale=s).logpdf(x)) + stats.beta(2.0, b=s).pdf(0.3)


def held_under_a_name(x, m, s):
    d = stats.gamma(a=2.0, scale=s)
    s = 2.0 * s + m
    return np.sum(d.logpdf(x) + d.cdf(x)) * s


def held_in_the_surroundings(x, m, s):
    return np.sum(PRIOR.logpdf(x) * s) + COUNTS.logpmf(3) * m


def held_of_several_variables(x, m, s):
    return stats.multivariate_normal(m + np.zeros(3), s).logpdf(x)


@pytest.mark.parametrize("function", [
    held_inside, held_under_a_name, held_in_the_surroundings, held_of_several_variables,
])  # fmt: skip
def test_held(function):
    args = (np.array([0.4, 1.5, 2.0]), 0.3, 1.2)
    value, _ = srcad.value_and_grad(function, target="python")(*args)
    assert value == pytest.approx(function(*args), rel=1e-13)
    check_grads(function, args, order=2, target="python")


def test_a_distribution_without_a_rule_is_named():
    def inside(x):
        return stats.recipinvgauss(1.5).logpdf(x)

    def outside(x):
        return stats.recipinvgauss.logpdf(x, 1.5)

    for function in (inside, outside):
        with pytest.raises(srcad.NoGradientError) as caught:
            srcad.grad(function, target="python")(0.7)
        assert "no derivative rule for scipy.stats.recipinvgauss.logpdf in\n" in str(caught.value)
        assert "return stats.recipinvgauss" in str(caught.value)
        assert "@srcad.rule(scipy.stats.recipinvgauss.logpdf)" in str(caught.value)


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_a_distribution_without_a_rule_is_not_tried(target):
    """The entropy at ``p = 1`` is a sum without an end, for which SciPy takes all memory."""

    def of_constants(x, p):
        return np.sum(x * stats.logser.entropy(p))

    x, p = np.array([1.5, 2.0]), np.array([0.3, 0.6])
    gradient = srcad.grad(of_constants, target=target)(x, p)
    np.testing.assert_allclose(gradient, stats.logser.entropy(p), rtol=1e-14)
    with pytest.raises(srcad.NoGradientError, match="no derivative rule for scipy.stats.logser.entropy in"):
        srcad.grad(of_constants, wrt="p", target=target)(x, p)


def test_a_rule_of_ones_own():
    @srcad.rule(stats.argus.logpdf)
    def argus(y, x, loc=0.0):
        x.bar += y.bar * (1.0 / (x - loc) - (x - loc))

    try:
        found = srcad.grad(lambda x: stats.argus.logpdf(x, 0.2), target="python")(0.7)
    finally:
        del table[stats.argus.logpdf]
    assert found == pytest.approx(1.5, rel=1e-14)


def test_third_derivatives_by_shapes_are_refused_by_name():
    second = srcad.grad(srcad.grad(lambda x, a: stats.gamma.cdf(x, a), wrt="a", target="python"), 1, target="python")
    assert np.isfinite(second(0.7, 2.0))
    with pytest.raises(srcad.UnsupportedError, match="no derivative here with respect to a a third time"):
        srcad.grad(second, wrt=1, target="python")(0.7, 2.0)


def test_quantiles_at_the_ends():
    """Where a quantile is infinite, there is nothing to move; at a finite end, location and scale move it."""
    q = np.array([-0.1, 0.0, 0.25, 1.0, 1.1])
    for name in ("norm", "expon", "uniform", "pareto"):
        for method in ("ppf", "isf"):
            function = getattr(getattr(stats, name), method)
            shapes = (2.0,) if name == "pareto" else ()
            found, (by_q, by_loc) = srcad.value_and_grad(
                lambda q, loc: function(q, *shapes, loc, 1.5), wrt=(0, 1), target="python"
            )(q, np.full(5, 0.3))
            np.testing.assert_allclose(found, function(q, *shapes, 0.3, 1.5), rtol=1e-14)
            assert np.isfinite(by_q).all() and by_loc.tolist() == [0.0, 1.0, 1.0, 1.0, 0.0]


def test_every_method_has_a_call():
    library.load()
    known = [f for f in library.table if str(getattr(f, "__module__", "")).startswith("scipy.stats")]
    methods, functions = [f for f in known if hasattr(f, "__self__")], [f for f in known if not hasattr(f, "__self__")]
    text = "\n".join(expression for expression, _ in CASES)
    assert len(methods) > 70 and len(functions) > 15
    assert not [f for f in methods if f"stats.{distribution(f)}.{f.__name__}(" not in text]
    assert not [f for f in functions if f"stats.{f.__name__}(" not in text]


def test_a_function_with_several_results_is_named():
    with pytest.raises(srcad.NoGradientError, match="no derivative rule for scipy.stats.kendalltau"):
        srcad.grad(lambda x: stats.kendalltau(x, x).statistic, target="python")(np.arange(3.0))


def test_random_numbers_are_refused():
    with pytest.raises(srcad.UnsupportedError, match="scipy.stats.norm.rvs, which gives other numbers at every call"):
        srcad.grad(lambda x: np.sum(stats.norm.rvs(size=3) * x), target="python")(np.ones(3))


def test_a_density_by_kernels():
    def density(x, w, h, p):
        along = stats.gaussian_kde(x, "silverman", w)
        several = stats.gaussian_kde(p).pdf(p[:, 0])[0]
        return np.sum(along(0.3) * stats.gaussian_kde(x, bw_method=h).logpdf(p[0])) + several

    args = np.array([0.1, 1.2, -0.7]), np.array([1.0, 2.0, 0.5]), 0.4, np.array([[0.3, 1.0, 0.2], [-0.3, 0.7, 0.9]])
    assert srcad.function(density, target="python")(*args) == pytest.approx(density(*args), rel=1e-12)
    check_grads(density, args, target="python")
    with pytest.raises(srcad.UnsupportedError, match="scipy.stats.gaussian_kde with this bw_method"):
        srcad.grad(lambda x: stats.gaussian_kde(x, "wide")(0.3)[0], target="python")(args[0])


@pytest.mark.slow
def test_a_number_as_an_array():
    """Its one element is not repeated."""
    of_one = srcad.function(lambda x: np.reshape(x, (1, -1)))
    assert of_one(0.3).shape == (1, 1)
    with pytest.raises(ValueError, match="total size"):
        srcad.function(lambda x: np.reshape(x, (2,)))(0.3)
