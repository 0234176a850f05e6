"""Stores in the bodies of ``try``, behind all that may fail."""

from __future__ import annotations

import math

import numpy as np

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
