"""Stores in the bodies of ``try``, behind all that may fail, and bodies that ask what something is."""

from __future__ import annotations

import math

import numpy as np
from numpy import sin, tanh

from tests.corpus import normal, program


@program(normal(6), tags="nojit")
def stores_at_the_end_of_attempts(x):
    w, sums = x.copy(), {"logs": 0.0, "others": 1.0}
    counts = np.ones(3)
    back = w[::-1]
    for i in range(len(x)):
        try:
            back[i] = math.sqrt(w[i]) * 2.0
        except ValueError:
            w[i] = 0.5 * back[i] ** 2
        try:
            sums["logs"] += math.log(x[i])
        except (ValueError, ZeroDivisionError):
            sums["others"] *= x[i]
        try:
            counts[i] *= 1.0 + x[i] ** 2
        except IndexError:
            counts[i % 3] += x[i]
    return np.sum(w * w) + sums["logs"] * sums["others"] + np.prod(counts)


@program(normal(5), 2, tags="nojit")
def pairs_in_attempts(x, n):
    pairs, total = [], 0.0
    for k, a in enumerate(x):
        try:
            pairs.append((math.log(a) / (k - n), a))
        except (ValueError, ZeroDivisionError):
            pairs.append((0.1, a * a))
        else:
            total += a
        finally:
            total *= 1.1
    return total + sum(a * b for a, b in pairs)


@program(normal(6), tags="nojit")
def appended_in_attempts(x):
    logs, signs, n = [], [], 0
    for a in x:
        try:
            y = math.log(a)
            logs.append(y)
            signs.append(a)
            n += 1
        except ValueError:
            logs.append(logs[-1] * a if logs else a)
            signs.append(0.5)
    last = [1.0]
    for a in x:
        try:
            last.append(math.sqrt(a) * last[-1])
        except ValueError:
            continue
        last[-1] *= 1.5
    return sum(a * b for a, b in zip(logs, signs)) * n + last[-1] * len(last)


def bounded(power, load):
    """As packages write what is to take numbers and arrays."""
    power = np.minimum(power, 0.9)
    small = load < 0.1
    try:
        power[small] = -0.5
    except TypeError:
        if small:
            power = -0.5
    return power


def rounded(e, n):
    try:
        e[abs(e) < 1e-3] = 0.0
        n[abs(n) < 1e-3] = 0.0
    except TypeError:
        if abs(e) < 1e-3:
            e = 0.0
        if abs(n) < 1e-3:
            n = 0.0
    return e * n


def turned(height, inside):
    try:
        if inside.any():
            height[inside] = -height[inside]
    except (TypeError, AttributeError):
        if inside:
            height = -height
    return height


@program(normal(4), normal(4), 0.3, tags="nojit")
def stores_into_what_may_be_a_number(x, y, a):
    total = np.sum(bounded(x * 1.5, y) * x) + bounded(a * x[0], a) * a + bounded(a * 7.0, a / 4.0)
    total += np.sum(rounded(x * y, x - y)) + rounded(a * x[1], 1e-4 * a)
    return total + np.sum(turned(x * y, x > y) * x) + turned(a * x[2], a < 2.0) * a


@program(normal(3), 0.3, tags="nojit")
def attributes_that_nothing_has(x, a):
    def named(values):
        scaled = np.clip(values, -1.0, 1.0)
        try:
            scaled.name = "scaled"
        except AttributeError:
            pass
        try:
            scaled.fillna(0.0, inplace=True)
        except AttributeError:
            scaled = np.where(np.isnan(scaled), 0.0, scaled * scaled)
        return scaled

    return np.sum(named(x * 0.7) * x) + named(a * x[0]) * a


@program(normal(3), 0.3, tags="nojit")
def what_has_a_length(x, a):
    def many(values):
        try:
            n = len(values)
        except TypeError:
            n, values = 1, np.array([values])
        return np.sum(values * values) / (n + 1)

    def both(values):
        try:
            first, second = values
        except TypeError:
            first = second = values
        return first * second * a

    found = []
    for k in range(3):
        found.append(a * k)
    try:
        n = len(found)
    except TypeError:
        n = 1
    return many(x) + many(a * x[1]) + both(a) + both(x[1:]) + n * found[2]


class Limited:
    def __init__(self, value):
        self.value = value

    def more(self):
        if self.value > 10.0:
            raise AttributeError("more")
        return self.value * self.value


@program(0.7, tags="nojit")
def methods_that_raise_what_is_missing(x):
    total = 0.0
    for start in (x, 20.0 * x):
        held = Limited(start)
        try:
            total += held.more()
        except AttributeError:
            total += start * x
        try:
            total += held.less()
        except AttributeError:
            total += x * total
    return total


@program(normal(3), 0.4, tags="nojit")
def errors_of_floating_point_are_not_shown(x, a):
    np.seterr(all="ignore")
    old = np.seterr(invalid="ignore", divide="ignore")
    logs = a * np.log(x * x)
    np.seterr(**old)
    before = np.geterr()
    total = np.sum(logs / a)
    np.seterr(**before)
    return total * x[0]


@program(normal(4), 1.2, tags="nojit")
def stores_in_try_with_functions_by_their_own_names(x, s):
    total = 0.0
    for r in (x * x, s * s):
        a = r * 2.0
        small = np.abs(r) <= 0.5
        try:
            a[small] = sin(r[small]) * tanh(r[small])
        except TypeError:
            if small:
                a = sin(r) * 3.0
        total += np.sum(a)
    return total


class Weighted:
    def __init__(self, value):
        self.value = value
        self.weight = 2.0


@program(0.7, 4, tags="nojit")
def attributes_of_objects_in_lists(x, n):
    bodies = [Weighted(x * k) for k in range(n)] + [Weighted(2.0 * x)]
    total = 0.0
    for body in bodies:
        if hasattr(body, "weight"):
            total += body.weight * body.value
        if hasattr(body, "missing"):
            total += x
    return total * x
