"""What Python's own modules have: copies, numbers, statistics, getters."""

from __future__ import annotations

import copy
import math
import operator
import statistics
import sys

import numpy as np

from tests.corpus import normal, program
from tests.corpus.identities import Field, Mass


@program(0.7, normal(4), tags="nojit")
def copies_of_structures(x, v):
    d = {"a": v, "b": [x, x * 2]}
    e = copy.copy(d)
    e["a"] = copy.deepcopy(v) * x
    f = copy.copy(d)
    f["c"] = 1.0
    w = copy.copy(v)
    w[1] = 0.0
    return np.sum(d["a"] ** 2) * d["b"][0] + np.sum(e["a"]) + np.sum(w) * len(f)


@program(0.7, normal(4), tags="nojit")
def copies_of_objects(x, v):
    a = Field(v.copy(), x)
    b = copy.copy(a)
    a.grow()
    b.scale *= 2
    p = Mass(x, v[0])
    best = copy.copy(p)
    for _ in range(4):
        p.kick(0.3)
        if p.v < best.v:
            best = copy.copy(p)
        p.x += 0.1 * best.x
    total = np.sum(a.values) * a.scale + np.sum(b.values) * b.scale
    return total + best.x * best.v


@program(normal(4), tags="nojit")
def sorted_by_getters(x):
    pairs = sorted(zip(x, x**2), key=operator.itemgetter(1))
    others = sorted([(v, w) for v, w in zip(x, x[::-1])], key=operator.itemgetter(0), reverse=True)
    top = max([Mass(x[0], x[1]), Mass(x[2], x[3])], key=operator.attrgetter("x"))
    both = operator.methodcaller("sum")(x) * operator.methodcaller("mean", axis=0)(x)
    for k, (name, v) in enumerate(sorted({"b": x[0], "ab": x[1]}.items(), key=operator.itemgetter(0))):
        both = both * v + k * len(name)
    return pairs[0][0] * pairs[1][1] + others[0][1] * 3 + top.v * both


@program(normal(4), 5, tags="nojit nof32")
def functions_of_numbers(x, n):
    s = 0.0
    for k in range(n):
        s += math.remainder(7 * x[k % 4] * k, 1.3 + k) * k.bit_length() + math.remainder(k * 1.0, 2.0) * x[0]
        if math.isclose(x[k % 4], x[1], abs_tol=0.5):
            s += x[k % 4] ** 2
        if (k * 0.5).is_integer():
            s *= x[1]
        s += pow(3, k, 7) * x[2] * k.bit_count()
    return s + math.ulp(x[0]) + math.nextafter(x[1], 2.0) + max(x[:0], default=x[3]) * max(x, default=1.0)


@program(normal(4), tags="nojit")
def statistics_of_numbers(x):
    ys = [v * v for v in x]
    s = statistics.mean(x) + statistics.fmean(ys) * statistics.pstdev(x) + statistics.variance(ys)
    s += statistics.geometric_mean(ys) * statistics.harmonic_mean(ys) + statistics.stdev(x) * statistics.pvariance(ys)
    return s + statistics.variance(x, 0.5) + statistics.median(x) * operator.abs(x[0])


if sys.version_info >= (3, 11):  # before, it takes no weights

    @program(normal(4), tags="nojit")
    def weighted_mean_of_numbers(x):
        return statistics.fmean([v * v for v in x], [1, 2, 3, 4]) * x[0]


@program(normal(5), tags="nojit")
def names_that_loops_give_to_counters(x):
    """Before the loop the name is a number, behind it an index."""
    i = 0.5 * x[1]
    s = i
    for i in range(1, 4):
        s += x[i]
        k = i
        for k in range(2):
            s *= x[k] + 2
    return s * x[i] + x[k]
