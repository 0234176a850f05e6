"""Handlers for keys that are missing in dicts."""

import collections

from tests.corpus import normal, program


@program(normal(3), tags="nojit")
def names_of_which_one_is_missing(x):
    d, s = {"a": x[0], "b": x[1] * 2}, 0.0
    for name in ["a", "b", "c"]:
        try:
            v = d[name]
        except KeyError:
            v = x[2]
        s += v * v
    return s


@program(normal(6), 6, tags="nojit")
def sums_that_begin_where_a_key_is_missing(x, n):
    sums = {}
    for i in range(n):
        try:
            sums[i % 3] += x[i]
        except KeyError:
            sums[i % 3] = x[i] ** 2
    return sums[0] * sums[1] + sums[2]


@program(normal(4), 4, tags="nojit")
def keys_that_are_made_where_they_are_missing(x, n):
    d, s = collections.defaultdict(float), 0.0
    for i in range(0, n, 2):
        d[i] = x[i] ** 2
    for i in range(n):
        try:
            s += (d[i] + 1.0) * x[i]
        except KeyError:
            s += 100.0
    return s


@program(normal(3), 5, tags="nojit")
def results_that_are_kept_or_missing(x, n):
    memo = {}

    def term(k):
        try:
            return memo[k]
        except KeyError:
            pass
        memo[k] = x[k] if k < 2 else term(k - 1) * x[0] + term(k - 2) * x[2]
        return memo[k]

    return term(n)


@program(normal(4), 4, tags="nojit")
def pairs_of_which_most_are_missing(x, n):
    d, s = {}, 0.0
    for i in range(n):
        d[i, i] = x[i]
    for i in range(n):
        for j in range(n):
            try:
                s += d[i, j] * x[j]
            except KeyError:
                s += 0.1 * x[i] * x[j]
    return s


@program(normal(4), tags="nojit")
def several_keys_of_which_one_is_missing(x):
    d, e, s = {0: x[0], 1: x[3]}, {1: x[1]}, 0.0
    for i in range(3):
        try:
            s += d[i] * e[i + 1]
        except KeyError:
            s += x[2] * (i + 1)
        else:
            s *= 2.0
        finally:
            s += x[3] ** 2
    return s


@program(normal(4), 4, tags="nojit")
def places_that_are_missing(x, n):
    place, s = {}, 0.0
    for i in range(2):
        place[i] = i + 1
    for i in range(n):
        try:
            s += x[place[i]] ** 2
        except KeyError:
            continue
    return s


class Box:
    def __init__(self, x):
        self.x = x

    def __getitem__(self, k):
        if k > 1:
            raise KeyError(k)
        return self.x[k]


@program(normal(4), tags="nojit")
def keys_of_an_object_that_are_missing(x):
    box, s = Box(x), 0.0
    for i in range(3):
        try:
            s += box[i] ** 2
        except KeyError:
            s += x[3] ** 2
    return s
