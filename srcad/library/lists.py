"""Lists of the values that something gives one after the other."""

from __future__ import annotations

import math

import numpy as np

from srcad.library import instead_of, refuse
from srcad.library.axes import array_of


@instead_of(sorted)
def in_order(values, *, key=None, reverse=False):
    items = []
    ranks = []
    for value in values:
        items.append(value)
        if key is None:
            ranks.append(value)
        else:
            ranks.append(key(value))
    result = []
    for k in order_of(np.array(ranks), reverse):
        result.append(items[k])
    return result


def order_of(ranks, reverse):
    if ranks.ndim != 1:
        return refuse("sorted() of other things than numbers", "sorted(..., key=...) with a key that is a number")
    return np.argsort(-1 * ranks if reverse else ranks, kind="stable")


@instead_of(math.fsum)
def fsum(seq):
    return np.sum(array_of(seq)) * 1.0


@instead_of(math.prod)
def prod(iterable, *, start=1):
    return start * np.prod(array_of(iterable))


@instead_of(math.dist)
def dist(p, q):
    return np.linalg.norm(array_of(p) - array_of(q))


@instead_of(math.hypot)
def hypot(*coordinates):
    if len(coordinates) == 2:
        return math.hypot(coordinates[0], coordinates[1])
    if len(coordinates) == 1:
        return np.linalg.norm(coordinates[0]) if np.ndim(coordinates[0]) > 0 else abs(coordinates[0])
    return np.linalg.norm(np.array(coordinates))


def listed(values):
    """``list(values)``"""
    items = []
    for value in values:
        items.append(value)
    return items


def joined(first, second):
    """``first + second``"""
    items = []
    for value in first:
        items.append(value)
    for value in second:
        items.append(value)
    return items


def repeated(values, times):
    """``values * times``"""
    items = []
    for _ in range(times):
        for value in values:
            items.append(value)
    return items
