"""Runs of items that have one key."""

from __future__ import annotations

import itertools
from itertools import groupby

import numpy as np

from tests.corpus import normal, program


@program(normal(8), tags="nojit")
def sums_of_runs(x):
    s = 0.0
    for positive, run in itertools.groupby(x, key=lambda v: v > 0):
        s += sum(run) ** 2 * (2.0 if positive else 1.0)
    return s


@program(normal(8), tags="nojit")
def longest_of_negative_runs(x):
    best = x[0]
    for sign, run in groupby(x, np.sign):
        if sign > 0:
            continue
        run = [v * v for v in run]
        if len(run) > 2:
            break
        best += max(run) * sum(run)
    return best


@program(normal(6), tags="nojit")
def places_of_runs(x):
    s = 0.0
    for _, run in groupby(range(len(x)), key=lambda i: x[i] > 0):
        places = list(run)
        s += x[places[0]] * x[places[-1]] ** 2 * len(places)
    return s


@program(normal(5), tags="nojit")
def runs_of_constants(x):
    s = 0.0
    for letter, run in groupby("aabccc"):
        n = len(list(run))
        s += x[n - 1] * n if letter == "a" else x[n] ** 2
    for number, run in groupby([1, 1, 3]):
        s *= x[number] ** len(list(run))
    return s


@program(normal(5), tags="nojit")
def runs_of_sorted_pairs(x):
    pairs = sorted(zip([1, 0, 1, 0, 2], x), key=lambda pair: pair[0])
    s = 0.0
    for _, run in groupby(pairs, key=lambda pair: pair[0]):
        s += sum(v for _, v in run) ** 2
    return s


@program(normal(3, 2))
def flags_named_as_the_user_names_them(x):
    s = 0.0
    for stop, skip in np.ndindex(x.shape):
        if x[stop, skip] > 2.5:
            break
        if x[stop, skip] > 1.0:
            continue
        s += x[stop, skip] ** 2 * (stop + 2 * skip)
    return s
