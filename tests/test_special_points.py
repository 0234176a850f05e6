"""Gradients at zeros, ties and poles, and behind choices that keep what is not finite out of the result."""

import math
import warnings

import numpy as np
import pytest
from scipy import linalg, special, stats

import srcad
from srcad.testing import check_grads

NAN, INF = math.nan, math.inf
X, Y = np.array([0.0, -1.0, 2.0]), np.array([0.0, 1.0, 0.0])


def targets(name, compiled):
    """On the cpu, a chosen few are compiled in every run."""
    yield pytest.param("python", id="python")
    yield pytest.param("cpu", id="cpu", marks=() if name in compiled else pytest.mark.slow)


# ---------------------------------------------------------------- what is not chosen contributes nothing


def log_where_positive(x):
    return np.sum(np.where(x > 0, np.log(x), 0.0))


def quotient_where_defined(x, y):
    return np.sum(np.where(y > 0, x / y, 0.0))


def entropy(x):
    return np.sum(np.where(x > 0, x * np.log(x), 0.0))


def root_where_positive(x):
    return np.sum(np.where(x > 0, np.sqrt(x), 0.0))


def power_where_positive(x):
    return np.sum(np.where(x > 0, x**0.3, 0.0))


def three_halves_where_positive(x):
    return np.sum(np.where(x > 0, x**1.5, -x))


def root_times_mask(x):
    return np.sum((x > 0) * np.sqrt(np.abs(x)))


def root_times_converted_mask(x):
    m = (x > 0).astype(float)
    return np.sum(m * np.sqrt(np.abs(x)))


def root_times_chosen_weights(x):
    return np.sum(np.sqrt(np.maximum(x, 0.0)) * np.where(x > 0, 1.0, 0.0))


def elements_in_a_loop(x):
    s = 0.0
    for i in range(len(x)):
        s += np.where(x[i] > 0, np.sqrt(x[i]), 0.0)
    return s


def direction(x):
    r = np.sqrt(x * x)
    return np.sum(np.where(r > 0, x / r, 0.0))


def angle_where_defined(x):
    return np.sum(np.where(np.abs(x) < 1, np.arccos(x), 0.0))


def chain_of_poles(x):
    y = 1.0 / x
    z = np.exp(-y) * y
    return np.sum(np.where(x > 0, z, 0.0))


def sine_over_argument(x):
    return np.sum(np.where(x != 0, np.sin(x) / x, 1.0))


def distances(x):
    d = np.sqrt((x[:, None] - x[None, :]) ** 2)
    return np.sum(np.where(d > 0, 1.0 / d, 0.0))


def where_finite(x):
    ok = np.isfinite(np.log(x))
    return np.sum(np.where(ok, np.log(x), 0.0))


def replaced_by_mask(x):
    r = np.log(x)
    r[x <= 0] = 0.0
    return np.sum(r)


def bounded_below(x):
    return np.sum(np.maximum(np.log(np.abs(x)), -5.0))


def clipped(x):
    return np.sum(np.clip(np.log(np.abs(x)), -5.0, 5.0))


def without_infinities(x):
    return np.sum(np.nan_to_num(np.log(np.abs(x)), neginf=0.0))


def product_of_poles(x):
    return np.mean(np.where(np.logical_and(x > 0, x < 3), np.tan(x) * np.log(x) ** 2, 0.0))


def pairs(x):
    d = np.sqrt((x[:, None] - x[None, :]) ** 2)
    s = 0.0
    for i in range(len(x)):
        for j in range(i):
            s += d[i, j]
    return s


def largest_root(x):
    return np.max(np.sqrt(np.abs(x)))


def normalised(x):
    r = math.sqrt(x[0] * x[0])
    if r > 0:
        return x[0] / r
    return x[2]


def log_in_a_branch(x):
    s = 0.0
    for i in range(len(x)):
        s += math.log(x[i]) if x[i] > 0 else 0.0
    return s


t = math.tan(2.0)
GUARDED = {
    log_where_positive: [0.0, 0.0, 0.5], quotient_where_defined: [[0.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
    entropy: [0.0, 0.0, 1.0 + math.log(2.0)], root_where_positive: [0.0, 0.0, 0.5 / math.sqrt(2.0)],
    power_where_positive: [0.0, 0.0, 0.3 * 2.0**-0.7],
    three_halves_where_positive: [-1.0, -1.0, 1.5 * 2.0**0.5], root_times_mask: [0.0, 0.0, 0.5 / math.sqrt(2.0)],
    root_times_converted_mask: [0.0, 0.0, 0.5 / math.sqrt(2.0)],
    root_times_chosen_weights: [0.0, 0.0, 0.5 / math.sqrt(2.0)], elements_in_a_loop: [0.0, 0.0, 0.5 / math.sqrt(2.0)],
    direction: [0.0, 0.0, 0.0], angle_where_defined: [-1.0, 0.0, 0.0],
    chain_of_poles: [0.0, 0.0, math.exp(-0.5) * (0.125 - 0.25)],
    sine_over_argument: [0.0, math.sin(1.0) - math.cos(1.0), (2.0 * math.cos(2.0) - math.sin(2.0)) / 4.0],
    distances: [2.0 * (0.25 - 1.0), 2.0 * (1.0 + 1.0 / 9.0), -2.0 * (0.25 + 1.0 / 9.0)],
    where_finite: [0.0, 0.0, 0.5], replaced_by_mask: [0.0, 0.0, 0.5], bounded_below: [0.0, -1.0, 0.5],
    clipped: [0.0, -1.0, 0.5], without_infinities: [0.0, -1.0, 0.5],
    product_of_poles: [0.0, 0.0, ((1.0 + t * t) * math.log(2.0) ** 2 + t * math.log(2.0)) / 3.0],
    pairs: [0.0, -2.0, 2.0], largest_root: [0.0, 0.0, 0.5 / math.sqrt(2.0)], normalised: [0.0, 0.0, 1.0],
    log_in_a_branch: [0.0, 0.0, 0.5],
}  # fmt: skip
COMPILED = ("entropy", "root_times_converted_mask", "elements_in_a_loop", "quotient_where_defined", "normalised")


@pytest.mark.parametrize(
    "f, target", [pytest.param(f, *t.values, id=f"{f.__name__}-{t.id}", marks=t.marks)
                  for f in GUARDED for t in targets(f.__name__, COMPILED)]
)  # fmt: skip
def test_what_is_not_chosen_contributes_nothing(f, target):
    args = (X.copy(), Y.copy())[: f.__code__.co_argcount]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gradients = srcad.grad(f, wrt=tuple(range(len(args))), target=target)(*args)
    expected = GUARDED[f]
    np.testing.assert_allclose(gradients, expected if len(args) > 1 else [expected], rtol=1e-12, atol=1e-15)


def ramp(x):
    y = 500.0 * x
    return np.sum(np.where(y > 50.0, y, np.log1p(np.exp(y))))


def accepted(x):
    return np.sum(np.minimum(1.0, np.exp(-500.0 * x) * (x + 2.0)))


def in_a_loop(x):
    s = 0.0
    for v in x:
        s += np.where(v < 1.0, v * np.cosh(500.0 * v), 3.0 * v)
    return s


def by_masks(x):
    y = 500.0 * x
    e = np.exp(y)
    out = np.where(y > 50.0, y, 0.0)
    out[y <= 50.0] = np.log(1.0 + e[y <= 50.0])
    e[y > 50.0] = 0.0
    places = np.flatnonzero(x > 0)
    np.minimum(e, 1.0, out=e)
    return np.sum(out) + 0.0 * np.sum(e) + np.sum(np.log(x)[places])


@pytest.mark.parametrize("optimize", [True, False])
@pytest.mark.parametrize("f, expected", [
    (by_masks, [250.0, 0.0, 500.5]),
    (ramp, [250.0, 0.0, 500.0]), (accepted, [0.0, 0.0, 0.0]), (in_a_loop, [1.0, math.exp(500.0) * 250.5, 3.0]),
])  # fmt: skip
def test_what_overflows_where_it_is_not_chosen_contributes_nothing(f, expected, optimize):
    with np.errstate(over="ignore"):
        found = srcad.grad(f, target="python", optimize=optimize)(np.array([0.0, -1.0, 2.0]))
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-15)


def several_results(x):
    r = np.sqrt(x)
    return {"root": r, "logarithms": np.sum(np.log(x)), "double": 2.0 * x, "quotient": x / r}


def test_results_of_weight_zero_contribute_nothing():
    seed = {"root": np.array([0.0, 2.0]), "logarithms": 0.0, "double": np.ones(2), "quotient": np.zeros(2)}
    _, gradient = srcad.vjp(several_results, target="python")(np.array([0.0, 4.0]), grad_ys=seed)
    np.testing.assert_array_equal(gradient, [2.0, 2.5])
    _, gradient = srcad.vjp(lambda x: np.log(x), target="python")(np.array([0.0, 4.0]), grad_ys=np.array([0.0, 1.0]))
    np.testing.assert_array_equal(gradient, [0.0, 0.25])


def test_guards_read_well():
    text = srcad.source(srcad.grad(log_where_positive, target="python"), X)
    assert "x_bar = np.where(x > 0, grad_ys / x, 0.0)" in text


def test_what_needs_no_guard_gets_none():
    def ordinary(x, y):
        r = np.sqrt(x * x + y * y)
        return np.sum(np.log(r) / r) + r[0]

    text = srcad.source(srcad.grad(ordinary, target="python"), X, Y)
    assert "where" not in text and "!=" not in text


# ---------------------------------------------------------------- zeros, ties and poles


def norm_of(x):
    return np.linalg.norm(np.array([x, 2.0 * x]))


def length(x):
    return np.sqrt(np.sum(np.array([x, 2.0 * x]) ** 2))


POINTS = {
    "power_0": (lambda x: x**0, (0.0,), (0.0,)),
    "power_1": (lambda x: x**1, (0.0,), (1.0,)),
    "power_2": (lambda x: x**2, (0.0,), (0.0,)),
    "power_3/2": (lambda x: x**1.5, (0.0,), (0.0,)),
    "power_1/2": (lambda x: x**0.5, (0.0,), (INF,)),
    "power_0.3": (lambda x: x**0.3, (0.0,), (INF,)),
    "power_n=0": (lambda x, n: x**n, (0.0, 0), (0.0,)),
    "power_n=1": (lambda x, n: x**n, (0.0, 1), (1.0,)),
    "power_n=2": (lambda x, n: x**n, (0.0, 2), (0.0,)),
    "0**0.0": (lambda x, y: x**y, (0.0, 0.0), (0.0, 0.0)),
    "0**2.0": (lambda x, y: x**y, (0.0, 2.0), (0.0, 0.0)),
    "0**y": (lambda y: 0.0**y, (0.0,), (0.0,)),
    "sqrt": (lambda x: math.sqrt(x), (0.0,), (INF,)),
    "np.sqrt": (lambda x: np.sqrt(x), (0.0,), (INF,)),
    "cbrt": (lambda x: np.cbrt(x), (0.0,), (INF,)),
    "acos": (lambda x: math.acos(x), (1.0,), (-INF,)),
    "acosh": (lambda x: np.arccosh(x), (1.0,), (INF,)),
    "np.log": (lambda x: np.log(x), (0.0,), (INF,)),
    "abs": (lambda x: abs(x), (0.0,), (0.0,)),
    "hypot": (lambda x, y: math.hypot(x, y), (0.0, 0.0), (0.0, 0.0)),
    "norm": (norm_of, (0.0,), (0.0,)),
    "length": (length, (0.0,), (NAN,)),
    "arctan2": (lambda y, x: math.atan2(y, x), (0.0, 0.0), (NAN, NAN)),
    "sqrt_times_0": (lambda x: math.sqrt(x) * 0.0 + x, (0.0,), (1.0,)),
    "maximum": (lambda x, y: np.maximum(x, y), (1.0, 1.0), (1.0, 0.0)),
    "max": (lambda x, y: max(x, y), (1.0, 1.0), (1.0, 0.0)),
    "min": (lambda x, y: min(x, y), (1.0, 1.0), (1.0, 0.0)),
    "clip_at_a_bound": (lambda x: np.clip(x, 0.0, 1.0), (1.0,), (1.0,)),
    "prod_with_a_zero": (lambda x: np.prod(np.array([x, 2.0, 3.0])), (0.0,), (6.0,)),
    "nan_passes": (lambda x: x * x, (NAN,), (NAN,)),
    "inf_passes": (lambda x: x * x, (INF,), (INF,)),
}
ALWAYS_COMPILED = ("power_0.3", "sqrt", "0**0.0", "length")


@pytest.mark.parametrize(
    "name, target", [pytest.param(name, *t.values, id=f"{name}-{t.id}", marks=t.marks)
                     for name in POINTS for t in targets(name, ALWAYS_COMPILED)]
)  # fmt: skip
def test_points(name, target):
    f, args, expected = POINTS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = srcad.grad(f, wrt=tuple(range(len(expected))), target=target)(*args)
    np.testing.assert_array_equal(found, expected)
    assert all(type(g) is float for g in found)


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_ties_share_the_derivative_of_an_extreme(target):
    found = srcad.grad(lambda x: np.max(x), target=target)(np.array([2.0, 2.0, 1.0]))
    np.testing.assert_array_equal(found, [0.5, 0.5, 0.0])


def test_exceptions_of_the_function_stay():
    """What Python's own numbers raise on, they still raise on where Python runs the derivative."""
    with pytest.raises(ZeroDivisionError):
        srcad.value_and_grad(lambda x: 1.0 / x, target="python")(0.0)
    with pytest.raises(ValueError, match="math domain error"):
        srcad.value_and_grad(lambda x: math.log(x), target="python")(0.0)
    assert srcad.value_and_grad(lambda x: 1.0 / x)(0.0) == (INF, -INF)


def test_sums_of_derivatives_divide_as_numpy_does():
    def f(x):
        return x**0 + x**2 + abs(x) + math.sqrt(x * x) + np.hypot(x, 0.0)

    assert np.isnan(srcad.grad(f, target="python")(0.0))
    assert srcad.grad(f, target="python")(2.0) == 7.0


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_masks_keep_infinite_slopes_out_of_tangents(target):
    def f(x):
        return (x > 0) * np.sqrt(np.abs(x))

    points, directions = np.array([0.0, 1.0, 4.0, -1.0]), np.array([1.0, 2.0, 4.0, 8.0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _, tangents = srcad.jvp(f, target=target)(points, tangents=directions)
    np.testing.assert_array_equal(tangents, [0.0, 1.0, 1.0, 0.0])


def discarded_poles(x):
    y = special.xlogy(2.0, x) + special.xlog1py(3.0, x - 1.0) + special.logit(x) + special.gammaln(x) + special.entr(x)
    y = y + special.rel_entr(x, 2.0) + special.kl_div(x, 2.0) + special.ndtri(x) + special.exp1(x) + special.kv(0.5, x)
    y = y + special.boxcox(x, -0.5) + special.gamma(x) + special.betaln(x, 2.0) + special.erfinv(x - 1.0)
    y = y + special.ellipk(1.0 - x) + special.gammainc(0.5, x) + special.betainc(0.5, 0.5, x) + special.jv(0.5, x)
    y = y + special.zeta(1.0 + x) + special.polygamma(1, x) + special.digamma(x)
    return np.sum(np.where(x > 0.1, y, 0.0))


def discarded_parts(x):
    y = special.sici(x)[1] + special.shichi(x)[1] + 3.05 % x + np.divmod(2.3, x)[1]
    y = y + np.sinc(1.0 / x) + np.i0(1.0 / x) + np.angle(np.log(x) + 1j * x)
    return np.sum(np.where(x > 0.1, y, 0.0))


def discarded_after_they_are_taken(x):
    logs, rows = np.log(x), np.log(x)[:, None] * np.ones((1, 3))
    y = logs[::-1][::-1] + np.tile(logs, 2)[:3] + np.repeat(logs, 2)[::2] + np.concatenate([logs, x])[:3]
    y = y + np.pad(logs, 1)[1:-1] + np.take(logs, np.arange(3)) + np.max(np.stack([logs, x], axis=1), axis=1)
    return np.sum(np.where(x > 0.1, y + np.sum(rows, axis=1) + np.sort(rows, axis=1)[:, 0], 0.0))


def discarded_exponents(x, c):
    return np.sum(np.where(x > 0.1, special.xlogy(c, x) + special.boxcox(x, c), 0.0)) * special.gammaln(c)


def roots_left_out(x):
    return np.sum(special.entr(x)[1:] + special.gammaincc(0.5, x)[1:])


@pytest.mark.parametrize("target", targets("poles", ["poles"]))
@pytest.mark.parametrize("f, others", [
    (discarded_poles, ()), (discarded_exponents, (1.7,)), (roots_left_out, ()), (discarded_parts, ()),
    (discarded_after_they_are_taken, ()),
])  # fmt: skip
def test_special_functions_that_are_discarded_where_their_slopes_are_infinite(f, others, target):
    """Zero, as NumPy's logarithm has it; what is kept has its derivative."""
    x = np.array([0.0, 0.4, 0.7])
    wrt = tuple(range(1 + len(others)))
    got = srcad.grad(f, wrt=wrt, target=target)(x, *others)
    kept = srcad.grad(f, wrt=wrt, target="python")(np.array([0.5, 0.4, 0.7]), *others)
    np.testing.assert_allclose(got[0], [0.0, *kept[0][1:]])
    assert all(map(np.isfinite, got[1:]))
    check_grads(lambda x: f(np.append(0.0, x), *others), (x[1:],), target="python")


LIFETIMES = [
    (stats.gamma, (2.0,)), (stats.beta, (2.0, 3.0)), (stats.chi2, (4.0,)), (stats.weibull_min, (2.0,)),
    (stats.powerlaw, (2.0,)), (stats.f, (5.0, 7.0)), (stats.weibull_max, (2.0,)), (stats.burr12, (2.0, 3.0)),
    (stats.dweibull, (2.5,)), (stats.loglaplace, (2.5,)), (stats.nakagami, (1.5,)), (stats.fisk, (2.5,)),
]  # fmt: skip


@pytest.mark.parametrize("distribution, shapes", LIFETIMES, ids=lambda value: getattr(value, "name", ""))
def test_densities_that_begin_at_zero_have_derivatives_there(distribution, shapes):
    """As in curves over `np.linspace(0, 1)`."""
    density, x = distribution.pdf, np.linspace(0.0, 1.0, 5)

    def total(a, b, scale):
        return np.sum(density(x, a, 0.0, scale)) if len(shapes) == 1 else np.sum(density(x, a, b, 0.0, scale))

    given = (*shapes, 1.0)[:2] if len(shapes) == 1 else shapes
    check_grads(total, (*given, 1.5), target="python")


EDGES = [
    (stats.weibull_min, (1.0,)), (stats.fisk, (1.0,)), (stats.burr, (1.0, 1.0)), (stats.burr12, (1.0, 2.0)),
    (stats.exponweib, (1.0, 1.0)), (stats.f, (2.0, 3.0)), (stats.gengamma, (2.0, 0.5)), (stats.nakagami, (0.5,)),
    (stats.powerlaw, (0.5,)), (stats.triang, (0.0,)), (stats.triang, (1.0,)), (stats.arcsine, ()),
    (stats.weibull_max, (1.0,)), (stats.loglaplace, (1.0,)), (stats.dgamma, (1.0,)), (stats.wald, ()),
    (stats.genhalflogistic, (1.0,)), (stats.exponpow, (1.0,)), (stats.rdist, (2.0,)), (stats.halfgennorm, (0.5,)),
    (stats.kappa3, (0.5,)), (stats.truncpareto, (2.0, 1.5)), (stats.foldcauchy, (0.0,)), (stats.bradford, (2.0,)),
]  # fmt: skip


@pytest.mark.parametrize("distribution, shapes", EDGES, ids=lambda value: getattr(value, "name", ""))
def test_densities_at_the_ends_of_what_is_possible(distribution, shapes):
    """Where they are neither none nor without bound, either."""
    log_density, x = distribution.logpdf, np.array([-0.5, 0.0, 0.5, 1.0, 1.5])
    got = srcad.function(lambda x: log_density(x, *shapes), target="python")(x)
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(got, log_density(x, *shapes), atol=1e-12)


def test_roots_of_what_is_held_constant_do_not_move():
    def bounded(x):
        return np.sum(np.sqrt(2.0 * np.maximum(x, 0.0))) + math.sqrt(x[0] if x[0] > 0.0 else 0.0)

    for target in ("python", "cpu"):
        _, moved = srcad.jvp(bounded, target=target)(np.array([-1.0, 2.0, -3.0]), tangents=np.ones(3))
        assert moved == pytest.approx(0.5)


def of_roots_in_turn(p):
    v, s = np.maximum(p, 0), 0.0
    for _ in range(3):
        v = np.maximum(np.sqrt(v), 0)
        s += np.sum(v)
    return s


def of_variances_kept(p):
    v = np.full((4, 2), 0.5)
    v[0] = p
    for t in range(3):
        v[t + 1] = np.clip(v[t] + 0.1 - np.sqrt(v[t]) * np.array([2.0, 0.1]), 0, None)
    return np.sum(v)


@pytest.mark.parametrize("target", ["python", "cpu"])
@pytest.mark.parametrize("f, x", [(of_roots_in_turn, [-1.0, 2.0]), (of_variances_kept, [0.3, 0.6])])
def test_roots_of_what_loops_hold_constant_do_not_move(f, x, target):
    x = np.array(x)
    tangents = srcad.jvp(f, target=target)(x, np.eye(2))[1]
    np.testing.assert_allclose(tangents, srcad.grad(f, target=target)(x), rtol=1e-14)
    assert np.all(np.isfinite(tangents))


def test_a_root_that_nothing_is_made_of_does_not_raise():
    def powers(x, n):
        t = math.sqrt(x)
        s = 0.0
        for _ in range(n):
            s += t * t
        return s

    assert np.isnan(srcad.grad(powers, target="python")(0.0, 0))


# ---------------------------------------------------------------- eigenvalues that coincide


def of_eigenvalues(A):
    return np.sum(np.linalg.eigh(A)[0] ** 2)


def of_singular_values(A):
    return np.sum(np.linalg.svd(A)[1] ** 3)


def of_eigenvectors(A, C):
    w, v = np.linalg.eigh(A)
    return np.sum(C * (v @ np.diag(w**2) @ v.T))


def of_general_eigenvectors(A, C):
    w, v = np.linalg.eig(A)
    return np.sum(C * np.real(v @ np.diag(w**2) @ v.T))


def of_singular_vectors(A, C):
    u, s, vh = np.linalg.svd(A)
    return np.sum(C * ((u * s**2) @ vh))


def test_values_that_coincide():
    A = np.diag([1.0, 1.0, 2.0])
    np.testing.assert_allclose(srcad.grad(of_eigenvalues, target="python")(A), 2.0 * A, atol=1e-12)
    np.testing.assert_allclose(srcad.grad(of_singular_values, target="python")(A), 3.0 * A**2, atol=1e-12)


def of_polar(A):
    u, p = linalg.polar(A)
    v, q = linalg.polar(A, side="left")
    weights = np.arange(25.0).reshape(5, 5)
    left = np.sum(v * weights[: v.shape[0], -v.shape[1] :]) + np.sum(q**2 * weights[-q.shape[0] :, : q.shape[0]])
    return left + np.sum(u * weights[: u.shape[0], : u.shape[1]]) + np.sum(p * weights[: p.shape[0], : p.shape[1]])


def of_procrustes(A):
    r, scale = linalg.orthogonal_procrustes(np.eye(A.shape[0]), A)
    return np.sum(r * np.arange(1.0 * r.size).reshape(r.shape)) * scale


@pytest.mark.parametrize("f, A", [
    (of_polar, 3.0 * np.eye(4)[:, :2]), (of_procrustes, np.eye(2)),
    *(pytest.param(of_polar, A, marks=pytest.mark.slow) for A in (np.eye(3), np.eye(4)[:2])),
])  # fmt: skip
def test_polar_decompositions_are_smooth_where_singular_values_coincide(f, A):
    check_grads(f, (A,), order=2, target="python")


@pytest.mark.parametrize("f", [of_eigenvectors, of_general_eigenvectors, of_singular_vectors])
def test_vectors_of_values_that_coincide_have_no_derivative(f):
    """The limit is there for these functions, and cannot be had from the vectors: NaN, and not a number beside it."""
    C = np.arange(9.0).reshape(3, 3)
    assert np.isnan(srcad.grad(f, target="python")(np.eye(3), C)).any()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert np.isnan(srcad.jvp(f, target="python")(np.eye(3), C, tangents=C)[1])


def test_the_cardinal_sine_is_smooth_at_zero():
    def f(x):
        return np.sinc(x)

    second = srcad.grad(srcad.grad(f, target="python"), target="python")
    fourth = srcad.grad(srcad.grad(second, target="python"), target="python")
    for x in (0.0, 1e-12, 1e-8):
        assert second(x) == pytest.approx(-(np.pi**2) / 3.0, rel=1e-12)
        assert fourth(x) == pytest.approx(np.pi**4 / 5.0, rel=1e-12)
    assert srcad.grad(f, target="python")(1e-9) == pytest.approx(-(np.pi**2) / 3e9, rel=1e-12)


@pytest.mark.parametrize("f, x, expected", [
    (lambda x: np.i0(x), 0.0, (0.0, 1 / 2, 0.0, 3 / 8)),
    (lambda x: special.i1(x), 0.0, (1 / 2, 0.0, 3 / 8, 0.0)),
    (lambda x: special.jv(0, x), 0.0, (0.0, -1 / 2, 0.0, 3 / 8)),
    (lambda x: special.spence(x), 1.0, (-1.0, 1 / 2, -2 / 3, 3 / 2)),
    (lambda x: special.exprel(x), 0.0, (1 / 2, 1 / 3, 1 / 4, 1 / 5)),
    (lambda x: special.boxcox(math.e, x), 0.0, (1 / 2, 1 / 3, 1 / 4, 1 / 5)),
    (lambda x: special.lambertw(x).real, 0.0, (1.0, -2.0, 9.0, -64.0)),
    (lambda x: special.rgamma(x), 0.0, (1.0, 2.0 * np.euler_gamma)),
    (lambda x: special.log_ndtr(x), 40.0, (0.0, 0.0)),
    (lambda x: special.comb(5.0, x), 6.0, (0.0, 0.0)),
    (lambda x: special.kl_div(0.0, x), 0.0, (1.0, 0.0)),
    (lambda x: special.powm1(0.0, x), 2.0, (0.0, 0.0)),
])  # fmt: skip
def test_all_derivatives_where_the_formula_of_one_is_a_quotient_of_zeros(f, x, expected):
    for value in expected:
        f = srcad.grad(f, target="python")
        assert f(x) == pytest.approx(value, rel=1e-12, abs=1e-12)


def test_second_derivatives_at_zero_do_not_raise():
    assert srcad.hessian(lambda x: special.entr(x), target="python")(0.0) == -INF


def test_quotients_by_a_root_of_zero_do_not_raise():
    """As in machine code: zero by zero is no number."""
    assert math.isnan(srcad.grad(lambda x: math.sqrt(x) * x, target="python")(0.0))


@pytest.mark.parametrize("function, point", [(special.stdtr, 0.0), (special.stdtrit, 0.5)])
def test_student_in_the_middle(function, point):
    """The derivative with respect to the degrees of freedom is zero there, and has a slope."""
    def at(df, x):
        return function(df, x)

    check_grads(at, (3.0, point), order=2, target="python")
