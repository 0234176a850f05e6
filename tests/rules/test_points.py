"""Derivatives where functions have kinks, poles and ties."""

import math
import operator

import numpy as np
import pytest
from scipy import special

import srcad

from srcad.checking import _case, _reverse
from srcad.lang.ir import Const
from srcad.rules.rule import FormError, find
from tests import ruleless

NAN, INF = math.nan, math.inf


def gradients(primitive, *operands, seed=1.0, **named):
    case = _case(primitive, find(primitive), operands, named, np.float64)
    with np.errstate(all="ignore"):
        found = _reverse(case, np.full(np.shape(case.result), seed))
    return [np.asarray(found[name]).tolist() for name in case.values if name in found]


POINTS = [
    (abs, (0.0,), [0.0]),
    (np.absolute, (np.array([0.0, -2.0]),), [[0.0, -1.0]]),
    (np.hypot, (0.0, 0.0), [0.0, 0.0]),
    (np.sinc, (0.0,), [0.0]),
    (np.maximum, (2.0, 2.0), [1.0, 0.0]),
    (np.minimum, (2.0, 2.0), [1.0, 0.0]),
    (np.maximum, (np.array([1.0, 2.0]), np.array([1.0, 3.0])), [[1.0, 0.0], [0.0, 1.0]]),
    (max, (2.0, 2.0), [1.0, 0.0]),
    (min, (2.0, 2.0), [1.0, 0.0]),
    (max, (1.0, 2.0, 2.0), [0.0, 1.0, 0.0]),
    (np.fmax, (NAN, 2.0), [0.0, 1.0]),
    (np.fmax, (2.0, NAN), [1.0, 0.0]),
    (np.fmin, (NAN, 2.0), [0.0, 1.0]),
    (np.max, (np.array([2.0, 2.0, 1.0]),), [[0.5, 0.5, 0.0]]),
    (np.min, (np.array([1.0, 2.0, 1.0]),), [[0.5, 0.0, 0.5]]),
    (np.clip, (0.5, 0.5, 1.0), [1.0, 0.0, 0.0]),
    (np.clip, (1.0, 0.5, 1.0), [1.0, 0.0, 0.0]),
    (np.clip, (0.2, 0.5, 1.0), [0.0, 1.0, 0.0]),
    (np.clip, (0.2, 2.0, 1.0), [0.0, 0.0, 1.0]),
    (operator.pow, (0.0, 0), [0.0]),
    (operator.pow, (0.0, 1), [1.0]),
    (operator.pow, (0.0, 2), [0.0]),
    (operator.pow, (0.0, 3), [0.0]),
    (operator.pow, (0.0, Const(2.0)), [0.0]),
    (operator.pow, (np.array([0.0, 2.0]), np.array([0, 2])), [[0.0, 4.0]]),
    (np.power, (np.array([0.0, 2.0]), np.array([0.0, 1.0])), [[0.0, 1.0], [0.0, 2.0 * math.log(2.0)]]),
    (np.power, (np.array([-2.0]), np.array([2.0])), [[-4.0], [0.0]]),
    (np.sqrt, (np.float64(0.0),), [INF]),
    (np.nansum, (np.array([1.0, NAN, 3.0]),), [[1.0, 0.0, 1.0]]),
    (np.nanmean, (np.array([1.0, NAN, 3.0]),), [[0.5, 0.0, 0.5]]),
    (np.nanmax, (np.array([3.0, NAN, 3.0]),), [[0.5, 0.0, 0.5]]),
    (np.nanmin, (np.array([NAN, NAN]),), [[0.0, 0.0]]),
    (np.prod, (np.array([0.0, 0.0, 3.0]),), [[0.0, 0.0, 0.0]]),
    (np.prod, (np.array([0.0, 2.0, 3.0]),), [[6.0, 0.0, 0.0]]),
    (np.where, (np.array([True, False]), np.array([1.0, NAN]), np.array([NAN, 1.0])), [[1.0, 0.0], [0.0, 1.0]]),
    (np.linalg.norm, (np.zeros(2),), [[0.0, 0.0]]),
    (special.xlogy, (0.0, 2.0), [math.log(2.0), 0.0]),
    (special.xlogy, (0.0, 0.0), [-INF, 0.0]),
    (special.xlog1py, (0.0, -1.0), [-INF, 0.0]),
    (special.exprel, (0.0,), [0.5]),
    (special.boxcox, (2.0, 0.0), [0.5, math.log(2.0) ** 2 / 2]),
    (special.boxcox, (0.0, 2.0), [0.0, 0.25]),
    (special.inv_boxcox, (2.0, 0.0), [math.exp(2.0), -2.0 * math.exp(2.0)]),
    (special.entr, (np.array([-1.0, 0.0]),), [[0.0, INF]]),
    (special.rel_entr, (np.array([0.0, 0.0, -1.0]), np.array([1.0, 0.0, 1.0])), [[-INF, 0.0, 0.0], [0.0, 0.0, 0.0]]),
    (special.kl_div, (0.0, 1.0), [-INF, 1.0]),
    (special.i1, (0.0,), [0.5]),
    (special.i0e, (0.0,), [0.0]),
    (special.j1, (0.0,), [0.5]),
    (special.ellipk, (0.0,), [math.pi / 8]),
    (special.spence, (1.0,), [-1.0]),
    (special.huber, (1.0, np.array([0.0, 1.0, -3.0])), [2.0, [0.0, 1.0, -1.0]]),
    (special.log_ndtr, (np.array([-INF, INF]),), [[INF, 0.0]]),
    (special.expit, (np.array([-INF, INF, 800.0]),), [[0.0, 0.0, 0.0]]),
    (special.log_expit, (np.array([-INF, INF, 800.0]),), [[1.0, 0.0, 0.0]]),
    (special.erf, (np.array([-INF, INF]),), [[0.0, 0.0]]),
    (special.ndtri, (np.array([0.0, 1.0]),), [[INF, INF]]),
    (special.gammainc, (Const(1.0), 0.0), [1.0]),
    (special.logit, (np.array([0.0, 1.0]),), [[INF, INF]]),
    (special.gammaln, (0.0,), [-INF]),
]


@pytest.mark.parametrize("primitive, operands, expected", POINTS, ids=lambda v: getattr(v, "__name__", None))
def test_point(primitive, operands, expected):
    assert gradients(primitive, *operands) == expected


def minors(a):
    """The signed minors of a matrix."""
    rest = [np.delete(np.delete(a, i, 0), j, 1) for i, j in np.ndindex(a.shape)]
    signs = np.where(np.indices(a.shape).sum(0) % 2, -1.0, 1.0)
    return signs * np.reshape([np.linalg.det(m) for m in rest], a.shape)


def test_determinants_of_singular_matrices():
    two = np.array([[1.0, 2.0, 3.0], [0.2, 0.4, 0.6], [1.0, 0.5, -1.0]])
    one = np.outer([1.0, 2.0, -1.0], [0.1, 0.3, 0.2])
    move = np.array([[0.4, -1.0, 0.3], [2.0, 0.1, 0.7], [-0.6, 1.0, 0.5]])
    grad, hvp = srcad.grad(np.linalg.det, target="python"), srcad.hvp(np.linalg.det, target="python")
    for a in (two, one, np.zeros((3, 3)), two + 1e-12 * move, np.diag([1.0, 0.0, 3.0])):
        np.testing.assert_allclose(grad(a), minors(a), atol=1e-13)
        # Minors of three rows are quadratic: central differences are exact.
        np.testing.assert_allclose(hvp(a, tangents=move), (minors(a + move) - minors(a - move)) / 2.0, atol=1e-13)
    np.testing.assert_allclose(grad(two + 1j * two), np.conj(minors(two + 1j * two)), atol=1e-13)


def test_a_branch_not_taken_gives_no_nan():
    a, b = gradients(np.where, np.array([True, False]), np.ones(2), np.ones(2), seed=INF)
    assert a == [INF, 0.0] and b == [0.0, INF]


def test_operands_without_a_formula_are_refused_by_name():
    x, order = 1.5, 0.7
    with pytest.raises(FormError, match="scipy.special.jv has no derivative here with respect to its order"):
        gradients(special.jv, order, x)

    def bessel(v, x):
        return special.jv(v, x)

    for derivative in (srcad.grad(bessel, wrt="v", target="python"), srcad.jvp(bessel, wrt="v", target="python")):
        with pytest.raises(srcad.UnsupportedError, match="scipy.special.jv has no derivative here") as caught:
            derivative(order, x, **({"tangents": 1.0} if "jvp" in repr(derivative) else {}))
        assert caught.value.text.strip() == "return special.jv(v, x)"
    assert srcad.grad(bessel, wrt="x", target="python")(order, x) == pytest.approx(special.jvp(order, x), rel=1e-13)


def test_functions_of_scipy_without_a_rule_are_named():
    with pytest.raises(srcad.NoGradientError) as caught:
        srcad.grad(lambda x: ruleless.one(1.0, x), target="python")(1.5)
    assert f"no derivative rule for scipy.special.{ruleless.one.__name__} in" in str(caught.value)
    assert f"@srcad.rule(scipy.special.{ruleless.one.__name__})" in str(caught.value)
