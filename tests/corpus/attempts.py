"""``try`` with handlers that go on, and what values have: the derivative follows what Python finds."""

from __future__ import annotations

import math

import numpy as np

from tests.corpus import normal, program

TABLE = {"up": 1.5, "down": 2.5}


def checked(x):
    if x < 0.0:
        raise ValueError("negative")
    return x**1.5


@program(0.7, -0.3, 0, tags="nojit")
def outside_of_the_domain(x, z, n):
    def root(t):
        try:
            return math.sqrt(t - x)
        except ValueError:
            return x * t

    try:
        s = x * (1.0 / n)
    except ZeroDivisionError:
        s = 3.0 * x
    try:
        s += math.log(z) * x
    except ValueError:
        s += z * x
    else:
        s = 0.0
    return s + root(2.0 * x) * root(0.5 * x)


@program(normal(4), tags="nojit")
def callee_that_raises(x):
    s = 0.0
    for k in range(len(x)):
        try:
            s += checked(x[k]) * k
        except OverflowError:
            pass
        except ValueError:
            s += x[k] * x[k]
            continue
        finally:
            s *= 1.5
        s *= x[0]
    return s


@program(normal(3, 3), normal(3), tags="nojit")
def not_positive_definite(A, y):
    K = A @ A.T + 0.5 * np.eye(3)
    s = 0.0
    for shift in (0.0, 20.0):
        try:
            L = np.linalg.cholesky(K - shift * np.eye(3))
        except np.linalg.LinAlgError:
            s += 10.0 * np.sum(y * y)
            continue
        s += np.sum(np.linalg.solve(L, y) ** 2)
    return s


@program(0.7, tags="nojit")
def overflowing(tau):
    y = 2.0 * tau
    for scale in (87.0, 25.0, 1e4):
        try:
            e = math.exp(scale * tau)
            y += 20.0 * e / (e + 0.5)
        except:  # noqa: E722
            y += scale * tau * 1e-3
    return y


@program(2.5, tags="nojit")
def leaves_the_loop(x):
    s, n = 0.0, 0
    while True:
        try:
            try:
                y = math.log(x - n)
            except ValueError:
                y = math.sqrt(x - n + 1.0)
            s += 1.0 / y
        except ValueError:
            break
        n += 1
        s *= x
    return s


@program(0.4, tags="nojit")
def known_when_it_is_read(x, key="UP"):
    try:
        k = TABLE[key.lower()]
    except (KeyError, AttributeError):
        k = 7.0
    try:
        more = float(key)
    except ValueError:
        more = 0.5
    return k * more * x * x


def refined(function, x0, derivative=None, second=None, steps=4, args=()):
    x = x0
    both = derivative == True  # noqa: E712
    three = second == True  # noqa: E712
    if three:
        other = function
    for _ in range(steps):
        if three:
            value, slope, _ = other(x, *args)
        elif both:
            value, slope = function(x, *args)
        else:
            value, slope = function(x, *args), derivative(x, *args)
        x = x - value / slope
    return x


@program(2.0, tags="nojit")
def decided_by_arguments(a):
    return refined(lambda x, a: (x * x - a, 2.0 * x), 0.5 * a, derivative=True, args=(a,)) * a


@program(normal(3), 0.7, tags="nojit")
def asked_what_they_have(v, x):
    s = 2.0 * x if hasattr(x, "index") or hasattr(x, "columns") else x
    if hasattr(v, "__len__"):
        for each in v:
            s += each * each
    return s * (v.sum() if hasattr(v, "sum") else v)


@program(normal(3), 0.7, tags="nojit")
def without_a_library(v, x):
    try:
        v = np.asarray(v)
        x = np.asarray(x)
    except NameError:
        pass
    return np.sum(v * v) * x


@program(normal(3), 0.7, tags="nojit")
def greatest_of_one(v, x):
    axes = list("xyz")
    s = x if any((x > 0,)) else -x
    s *= max(v.shape) * (2.0 if all([x < 5.0]) else 1.0)
    return s + max([x]) * min((v[0],)) * axes.index("z")


@program(normal(4), tags="nojit")
def counts_before_it_fails(x):
    n, s, last = 0, 0.0, x[0]
    for v in x:
        try:
            n += 1
            last = v
            y = n * math.log(v)
            y = y * s + 1.0
        except ValueError:
            y = n * last
        s += y
    return s


@program(normal(2), 0, tags="nojit")
def of_numbers_that_may_be_pythons(x, n):
    s = 0.0
    for k in range(n):
        s += x[k]
    s, m = float(s), float(max(0.0, -x[0] * x[0]))
    try:
        y = 1.0 / s
    except ZeroDivisionError:
        y = x[1] * x[1]
    try:
        return float(y) / m
    except ZeroDivisionError:
        return y * x[1]


def backtracked(x, step):
    for _ in range(6):
        try:
            y = x + math.log(x - step)
            break
        except ValueError:
            step = step / 2
    else:
        y = 0.0
    return y * step


@program(0.8, 3.0, tags="nojit")
def tried_once_more(x, step):
    return backtracked(x, step) + backtracked(2.0 * x, 0.1 * step)


@program(normal(3, 3), tags="nojit")
def inside_of_two_loops(x):
    s = 1.0
    for i in range(3):
        for j in range(3):
            try:
                s += x[i, j] * s * (1.0 / (i - j))
            except ZeroDivisionError:
                continue
            s *= math.cos(x[i, j])
    return s


class Spring:
    def __init__(self, k):
        self.k = k
        self.parts = [k, 2.0 * k]
        self.calls = 0

    def root(self, x):
        if x < 0.0:
            raise ValueError("negative")
        self.calls += 1
        return self._scaled(math.sqrt(x))

    def _scaled(self, x):
        return x * self.parts[1]

    def step(self, x):
        try:
            return self.root(x)
        except ValueError:
            return self.k


@program(0.7, 1.3, tags="nojit")
def methods_of_objects_that_fail(x, k):
    spring = Spring(k)
    table = {"spring": spring, "pair": (spring, "text", x)}
    total = spring.step(x) * spring.step(-x)
    for y in (x, -x, k):
        try:
            total += table["pair"][0].root(y) * table["spring"].k
        except (ValueError, KeyError):
            total -= table["pair"][2] * y
    return total * spring.calls


@program(0.7, 1.3, tags="nojit")
def local_functions_that_fail(x, a):
    def halved(z):
        return root(z) / 2.0

    def root(z):
        if z < 0.0:
            raise ValueError("negative")
        return math.sqrt(z) * a

    total = 0.0
    for y in (x, -x, a):
        try:
            total += halved(y)
        except ValueError:
            total -= a * y
        finally:
            total *= 1.1
    return total


@program(0.7, 1.3, 4, tags="nojit")
def lists_and_dicts_in_attempts(x, a, n):
    xs, table, total = [], {"first": a, "rest": [x, a * x]}, 0.0
    for k in range(n):
        xs.append(a * k + x)
    for k in range(n + 2):
        try:
            total += xs[k] * table["rest"][1] + math.sqrt(x - 0.2 * k)
        except (IndexError, ValueError):
            total += xs[-1] * table["first"]
    return total
