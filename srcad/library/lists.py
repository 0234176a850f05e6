"""Lists of the values that something gives one after the other."""

from __future__ import annotations

import copy
import functools
import itertools
import math

import numpy as np

from srcad.library import instead_of, refuse
from srcad.library.axes import array_of


def places_in_order(values, *, key=None, reverse=False):
    """Where the elements of a list are that ``sorted`` gives one after the other."""
    ranks = []
    for value in values:
        ranks.append(compared_in_turn(value if key is None else key(value)))
    return order_of(np.array(ranks), reverse)


@instead_of(sorted)
def in_order(values, *, key=None, reverse=False):
    items = []
    ranks = []
    for value in values:
        items.append(value)
        ranks.append(compared_in_turn(value if key is None else key(value)))
    result = []
    for k in order_of(np.array(ranks), reverse):
        result.append(items[int(k)])
    return result


def compared_in_turn(value):
    """Of a tuple with tuples in it, all that is compared; the compiler knows what that is.

    >>> compared_in_turn(((1, 2), 3.5))
    (1, 2, 3.5)
    """
    if not isinstance(value, tuple):
        return value
    parts = ()
    for each in value:
        parts += compared_in_turn(each) if isinstance(each, tuple) else (each,)
    return parts


def order_of(ranks, reverse):
    if ranks.ndim == 2:
        order = np.arange(len(ranks))
        for k in range(ranks.shape[1] - 1, -1, -1):
            column = ranks[order, k]
            order = order[np.argsort(-1 * column if reverse else column, kind="stable")]
        return order
    if ranks.ndim != 1:
        return refuse("sorted() of other things than numbers", "sorted(..., key=...) with a key that is a number")
    return np.argsort(-1 * ranks if reverse else ranks, kind="stable")


@instead_of(itertools.accumulate)
def accumulate(iterable, func=None, *, initial=None):
    items = []
    if initial is None:
        for value in iterable:
            if len(items) == 0:
                items.append(value)
            else:
                items.append(items[-1] + value if func is None else func(items[-1], value))
        return items
    items.append(initial)
    for value in iterable:
        items.append(items[-1] + value if func is None else func(items[-1], value))
    return items


def each_copied(values):
    """``copy.deepcopy`` of a list."""
    items = []
    for value in values:
        items.append(copy.deepcopy(value))
    return items


@instead_of(itertools.takewhile)
def takewhile(predicate, iterable):
    items = []
    for value in iterable:
        if not predicate(value):
            break
        items.append(value)
    return items


@instead_of(itertools.dropwhile)
def dropwhile(predicate, iterable):
    items = []
    for value in iterable:
        if len(items) > 0 or not predicate(value):
            items.append(value)
    return items


@instead_of(math.fsum)
def fsum(seq):
    return np.sum(array_of(seq)) * 1.0


@instead_of(math.prod)
def prod(iterable, *, start=1):
    return start * np.prod(array_of(iterable))


@instead_of(functools.reduce)
def reduce(function, iterable, *initial):
    if len(initial) == 0 and len(iterable) == 0:
        raise TypeError("reduce() of empty iterable with no initial value")
    total = initial[0] if len(initial) > 0 else iterable[0]
    for k in range(1 - len(initial), len(iterable)):
        total = function(total, iterable[k])
    return total


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


def least(items):
    """``min(items)`` of tuples"""
    if len(items) == 0:
        raise ValueError("max() or min() of an empty sequence")
    best = items[0]
    for k in range(1, len(items)):
        if items[k] < best:
            best = items[k]
    return best


def greatest(items):
    """``max(items)`` of tuples"""
    if len(items) == 0:
        raise ValueError("max() or min() of an empty sequence")
    best = items[0]
    for k in range(1, len(items)):
        if items[k] > best:
            best = items[k]
    return best


def in_step(columns):
    """``list(zip(*columns))`` of as many columns as are known, of any length"""
    items = []
    for k in range(min([len(column) for column in columns])):
        items.append(tuple([column[k] for column in columns]))
    return items


def rows_listed(values):
    """``values.tolist()`` of an array of several axes: its rows, which are lists of their own"""
    items = []
    for value in values:
        items.append(np.copy(value))
    return items


def in_numbers(values):
    """``values.tolist()`` of a vector"""
    return listed(numbers_of(values))


def numbers_of(values):
    if np.ndim(values) > 1:
        return refuse("tolist() of an array that has more than one axis", "a list of its rows: list(x)")
    return values


def numbers_to_sort(values):
    """What ``values.sort()`` puts in order."""
    if np.ndim(values) > 1:
        return refuse("sort of a list of lists or arrays", "xs.sort(key=...) with a key that is a number")
    return values


def part_of(values, start, stop):
    """``values[start:stop]`` of a list of structures"""
    items = []
    for k in range(start, stop):
        items.append(values[k])
    return items


def part_in_steps_of(values, lower, upper, step):
    """``values[lower:upper:step]`` of a list of structures"""
    count = len(values)
    if step > 0:
        start = 0 if lower is None else max(lower + count, 0) if lower < 0 else min(lower, count)
        stop = count if upper is None else max(upper + count, 0) if upper < 0 else min(upper, count)
    else:
        start = count - 1 if lower is None else max(lower + count, -1) if lower < 0 else min(lower, count - 1)
        stop = -1 if upper is None else max(upper + count, -1) if upper < 0 else min(upper, count - 1)
    taken = max(start - stop if step == -1 else -((start - stop) // step), 0)
    items = []
    for k in range(taken):
        items.append(values[start + k * step])
    return items


def elements_at(values, places, start, stop):
    """The elements of a list of structures at some places."""
    items = []
    for k in range(start, stop):
        items.append(values[places[k]])
    return items


def joined(first, second):
    """``first + second``"""
    items = []
    for value in first:
        items.append(value)
    for value in second:
        items.append(value)
    return items


def chained(rows, first):
    """``sum(rows, first)`` of lists"""
    items = []
    for value in first:
        items.append(value)
    for values in rows:
        for value in values:
            items.append(value)
    return items


def added(values, first):
    """``sum(values, first)`` of objects"""
    total = first
    for value in values:
        total = total + value
    return total


def place_of(values, value, start=0):
    """``values.index(value, start)``"""
    for k in range(start, len(values)):
        if values[k] == value:
            return k
    raise ValueError("the value is not in the list")


def count_of(values, value):
    """``values.count(value)``"""
    count = 0
    for each in values:
        if each == value:
            count += 1
    return count


def is_in(values, value):
    """``value in values``"""
    found = False
    for each in values:
        if each == value:
            found = True
            break
    return found


def repeated(values, times):
    """``values * times``"""
    items = []
    for _ in range(times):
        for value in values:
            items.append(value)
    return items
