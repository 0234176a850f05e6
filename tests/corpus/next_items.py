"""Iterators that loops and branches ask for the next item, and what they leave."""

from __future__ import annotations

import itertools
from itertools import tee

from tests.corpus import normal, program


@program(normal(6), tags="nojit")
def next_in_a_while_loop(x):
    squares = (v * v for v in x)
    s = next(squares)
    while s < 0.5:
        s += next(squares, 1.0)
    return s * x[0]


@program(normal(6), tags="nojit")
def next_in_a_branch_of_its_loop(x):
    it = iter(x)
    s = 0.0
    for v in it:
        if v > 0:
            s += v * next(it, 1.0) ** 2
        else:
            s -= v * v
    return s


@program(normal(3, 4))
def two_next_of_a_statement(x):
    s = 0.0
    for row in x:
        it = iter(row)
        s += next(it) * next(it) ** 2
        for _ in range(2):
            s += next(it) ** 2
    return s


@program(normal(5), 2, tags="nojit")
def rest_of_an_iterator(x, n):
    it = iter(x)
    for _ in range(n):
        next(it)
    return sum(v * v for v in it)


@program(normal(5), tags="nojit")
def until_next_is_none(x):
    it = iter(range(4))
    s = 0.0
    while True:
        k = next(it, None)
        if k is None:
            break
        s += x[k] ** 2
    return s


@program(normal(5), tags="nojit")
def tee_and_one_ahead(x):
    a, b = tee(x)
    next(b, None)
    first, second, third = itertools.tee((v * v for v in x), 3)
    return sum((v - u) ** 2 for u, v in zip(a, b)) + sum(first) * sum(second) + next(third)
