"""Generators without an end, and what goes over them."""

from __future__ import annotations

import itertools
import math

import numpy as np

from tests.corpus import normal, program


def newton(x, a):
    """Ever better square roots."""
    while True:
        yield x
        x = 0.5 * (x + a / x)


def sums(a, b):
    while True:
        yield a
        a, b = b, a + b * 0.5


def powers(x):
    for n in itertools.count():
        yield n, x**n


def halved(start):
    h, count = start, 0
    while True:
        h = h / 2.0
        count += 1
        yield h


def euler(y, h):
    while True:
        slope = np.sin(y) * h
        yield y
        y = y + slope


def few(steps, n):
    return [next(steps) for _ in range(n)]


@program(2.0, tags="nojit")
def roots_one_after_the_other(a):
    steps = newton(1.0, a)
    y = next(steps) * a
    for _ in range(4):
        y = next(steps) * math.sin(y)
    first = next(newton(a, a))
    return y * y * next(steps) + first


@program(0.3, 0.4, tags="nojit")
def generators_side_by_side(x, y):
    one, other, same = sums(x, y), sums(y, x), None
    s = 0.0
    for k in range(4):
        s += next(one) * next(other)
        if k % 2:
            same = one
            s += next(same)
    return s


@program(2.0, tags="nojit")
def some_of_the_roots(a):
    s = 0.0
    for y in itertools.islice(newton(1.0, a), 4):
        if y > 10.0:
            continue
        s += y * y
    for y in itertools.islice(newton(1.0, a), 1, 6, 2):
        s = s * 0.5 + y
    for k, y in zip(range(4), newton(1.0, a)):
        s += k * y
    else:
        s *= y
    for k, y in enumerate(itertools.takewhile(lambda y: abs(y * y - a) > 1e-3, newton(1.0, a)), 1):
        s += y / k
    return s


@program(2.0, tags="nojit")
def root_until_it_is_near(a):
    best = 0.0
    for k, (y, h) in enumerate(zip(newton(1.0, a), halved(a)), 1):
        best += y * h
        if abs(y * y - a) < 1e-6:
            break
        if k > 50:
            return 0.0
    return best * next(y for y in newton(1.0, a) if abs(y * y - a) < 1e-2)


@program(0.3, tags="nojit")
def series_of_powers(x):
    s = sum(p * n for n, p in itertools.islice(powers(x), 6))
    ys = list(itertools.islice(newton(1.0, x), 4))
    a, b, c = itertools.islice(halved(x), 3)
    return s * ys[1] * ys[-1] + sum([y * k for k, y in zip(range(3), newton(1.0, x))]) * a * b * c


@program(normal(3), tags="nojit")
def steps_given_to_a_function(v):
    steps = euler(v, 0.1)
    first, second, third = few(steps, 3)
    return np.sum(first * second * third) + np.sum(next(steps) ** 2)


@program(0.3, 4, tags="nojit")
def generator_inside_of_a_function(x, n):
    rate = 0.5

    def decay(y):
        nonlocal_rate = rate * x
        while True:
            yield y
            y *= nonlocal_rate

    s, left = 0.0, decay(x)
    for _, y in zip(range(n), left):
        s += y * y
    for y in left:
        s += y
        if y < 1e-3:
            return s * next(left)


@program(normal(4), tags="nojit")
def tuple_that_grows_beside_a_function_that_breaks(v):
    def near(t):
        s = 0.0
        for a in v:
            if a > t:
                break
            s += a
        return s

    grown = ()
    for k in range(3):
        grown = grown + (v[k] * k,)
    return near(0.1) + near(2.0) + grown[2] * v[0]


class Series:
    @staticmethod
    def halves(y):
        while True:
            yield y
            y = y * 0.5


@program(0.7, 4, tags="nojit")
def halves_of_a_class(x, n):
    halves = Series.halves(x * x)
    s = next(halves)
    for k, y in zip(range(n), Series.halves(x)):
        s += y * y * k
    return s * next(halves)
