"""Functions of Python's own modules: `math`, `statistics`, `operator`, and methods of numbers."""

from __future__ import annotations

import math
import operator
import statistics

import numpy as np

from srcad.library import instead_of


@instead_of("is_integer")
def is_integer(x):
    return bool(np.isfinite(x)) and math.floor(x) == x


@instead_of("bit_length")
def bit_length(n):
    left = abs(n)
    bits = 0
    while left > 0:
        left = left // 2
        bits += 1
    return bits


@instead_of("bit_count")
def bit_count(n):
    left = abs(n)
    ones = 0
    while left > 0:
        ones += left % 2
        left = left // 2
    return ones


@instead_of(math.isclose, given=("rel_tol", "abs_tol"))
def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    if a == b:
        return True
    if np.isinf(a) or np.isinf(b):
        return False
    between = abs(b - a)
    return between <= abs(rel_tol * b) or between <= abs(rel_tol * a) or between <= abs_tol


@instead_of(math.remainder)
def remainder(x, y):
    # As Python has it: exact, and of two multiples that are as near the even one.
    sign = math.copysign(1.0, x)
    size, of = sign * x, math.copysign(1.0, y) * y
    left = math.fmod(size, of)
    missing = of - left
    if left < missing:
        return sign * left
    if left > missing:
        return -sign * missing
    return sign * (left - 2.0 * math.fmod(0.5 * (size - left), of))


@instead_of(math.nextafter)
def nextafter(x, y):
    return np.nextafter(x * 1.0, y * 1.0)


@instead_of(math.ulp)
def ulp(x):
    size = abs(x * 1.0)
    if np.isinf(size):
        return size
    above = np.nextafter(size, np.inf)
    return size - np.nextafter(size, 0.0) if np.isinf(above) else above - size


@instead_of(pow, given=("mod",))
def power_modulo(base, exp, mod):
    if exp < 0:
        raise ValueError("pow() with a negative exponent and a third argument")
    result = 1 % mod
    factor = base % mod
    left = exp
    while left > 0:
        if left % 2 == 1:
            result = result * factor % mod
        factor = factor * factor % mod
        left = left // 2
    return result


@instead_of(max, given=("default",))
def largest(iterable, *, default):
    return default if len(iterable) == 0 else max(iterable)


@instead_of(min, given=("default",))
def smallest(iterable, *, default):
    return default if len(iterable) == 0 else min(iterable)


@instead_of(operator.abs)
def absolute(a):
    return abs(a)


@instead_of(statistics.mean)
def mean(a):
    values = np.asarray(a)
    if len(values) < 1:
        raise statistics.StatisticsError("mean requires at least one data point")
    return np.sum(values) / len(values)


@instead_of(statistics.fmean)
def fmean(a, weights=None):
    values = np.asarray(a)
    if len(values) < 1:
        raise statistics.StatisticsError("fmean requires at least one data point")
    if weights is None:
        return np.sum(values) / len(values)
    return np.sum(values * np.asarray(weights)) / np.sum(np.asarray(weights))


def squares(values, middle):
    """The sum of the squares of the distances from the middle, or from the mean."""
    middle = np.sum(values) / len(values) if middle is None else middle
    return np.sum((values - middle) ** 2)


@instead_of(statistics.pvariance)
def pvariance(a, mu=None):
    values = np.asarray(a)
    if len(values) < 1:
        raise statistics.StatisticsError("pvariance requires at least one data point")
    return squares(values, mu) / len(values)


@instead_of(statistics.variance)
def variance(a, xbar=None):
    values = np.asarray(a)
    if len(values) < 2:
        raise statistics.StatisticsError("variance requires at least two data points")
    return squares(values, xbar) / (len(values) - 1)


@instead_of(statistics.pstdev)
def pstdev(a, mu=None):
    return math.sqrt(pvariance(a, mu))


@instead_of(statistics.stdev)
def stdev(a, xbar=None):
    return math.sqrt(variance(a, xbar))


@instead_of(statistics.geometric_mean)
def geometric_mean(a):
    return math.exp(fmean(np.log(np.asarray(a))))


@instead_of(statistics.harmonic_mean)
def harmonic_mean(a, weights=None):
    values = np.asarray(a)
    if len(values) < 1:
        raise statistics.StatisticsError("harmonic_mean requires at least one data point")
    if weights is None:
        return len(values) / np.sum(1.0 / values)
    return np.sum(np.asarray(weights)) / np.sum(np.asarray(weights) / values)
