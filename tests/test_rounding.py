"""Functions that compute with their own rounding errors keep their values to the last bit, in spite of fast math."""

import math

import numpy as np
import pytest

import srcad

_rng = np.random.default_rng(0)
_half = _rng.normal(size=500) * 10.0 ** _rng.integers(-8, 16, 500)
X = np.concatenate([_half, -_half[::-1] * (1 - 1e-9)])
Y = _rng.normal(size=1000)


def kahan(x):
    s = c = 0.0
    for i in range(len(x)):
        y = x[i] - c
        t = s + y
        c = (t - s) - y
        s = t
    return s


def neumaier(x):
    s = c = 0.0
    for i in range(len(x)):
        t = s + x[i]
        if abs(s) >= abs(x[i]):
            c += (s - t) + x[i]
        else:
            c += (x[i] - t) + s
        s = t
    return s + c


def two_sum(a, b):
    s = a + b
    bb = s - a
    return s, (a - (s - bb)) + (b - bb)


def dd_sum(x):
    hi, lo = 0.0, 0.0
    for i in range(len(x)):
        s, e = two_sum(hi, x[i])
        hi, lo = s, lo + e
    return hi + lo


def split(a):
    c = 134217729.0 * a
    hi = c - (c - a)
    return hi, a - hi


def two_prod(a, b):
    p = a * b
    ah, al = split(a)
    bh, bl = split(b)
    return p, ((ah * bh - p) + ah * bl + al * bh) + al * bl


def dot2(x, y):
    s = c = 0.0
    for i in range(len(x)):
        p, e = two_prod(x[i], y[i])
        t, f = two_sum(s, p)
        s = t
        c += e + f
    return s + c


def magic(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * ((x[i] + 6755399441055744.0) - 6755399441055744.0)
    return s


def carried(x):
    s = old = y = e = 0.0
    for i in range(len(x)):
        e += (s - old) - y
        y = x[i]
        old = s
        s = s + y
    return s - e


def vectors(X):
    s, c = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for i in range(X.shape[0]):
        y = X[i] - c
        t = s + y
        c = (t - s) - y
        s = t
    return np.sum(s)


def elements(X):
    s, c = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            y = X[i, j] - c[j]
            t = s[j] + y
            c[j] = (t - s[j]) - y
            s[j] = t
    return s[0] + s[1]


def fast_two_sum(x):
    s, e = x[0], 0.0
    for i in range(1, len(x)):
        new = s + x[i]
        e = e + (x[i] - (new - s))
        s = new
    return s + e


CASES = {
    kahan: (X,), neumaier: (X,), dd_sum: (X,), dot2: (X, Y), magic: (Y,), carried: (X,), vectors: (X.reshape(-1, 2),),
    elements: (X.reshape(-1, 2),), fast_two_sum: (X,),
}  # fmt: skip
QUICK = (kahan, dot2, elements)


@pytest.mark.parametrize("f", [pytest.param(f, marks=() if f in QUICK else pytest.mark.slow) for f in CASES])
def test_values_are_those_of_the_function_to_the_last_bit(f):
    df = srcad.value_and_grad(f)
    value, gradient = df(*CASES[f])
    assert value == f(*CASES[f])
    assert df.maker.latest.exact
    np.testing.assert_array_equal(gradient, srcad.grad(f, target="python")(*CASES[f]))


def plain_sum(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return s


def differences(x):
    s = 0.0
    for i in range(1, len(x) - 1):
        s += ((x[i + 1] - x[i]) - (x[i] - x[i - 1])) ** 2
    return s


@pytest.mark.parametrize("f", [plain_sum, differences])
def test_other_sums_may_be_reordered(f):
    df = srcad.grad(f, target="python")
    df(Y)
    assert not df.maker.latest.exact


def test_the_sign_of_zero_is_that_of_the_function():
    def angle(x):
        return math.atan2(-(x - x), -1.0) + math.atan2(0.0 - (x - x), -1.0) * 2.0 + math.copysign(1.0, -x + 0) * x

    for x in (2.0, -3.0, 0.0):
        assert srcad.value_and_grad(angle, target="python")(x)[0] == angle(x)


def counted_from(s):
    return np.arange(s, s + 2.5) * s


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_ranges_of_single_numbers_are_in_double_precision(target):
    start = np.float32(0.5)
    value = srcad.function(counted_from, target=target)(start)
    assert value.dtype == counted_from(start).dtype == np.float64
    _, tangent = srcad.jvp(counted_from, target=target)(start, tangents=np.float32(1.0))
    np.testing.assert_array_equal(tangent, [1.0, 2.0, 3.0])
