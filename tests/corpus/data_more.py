"""Structures again: dicts of keys beside values, objects that are called, generators that are reduced."""

from __future__ import annotations

import functools
import math
import operator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np

from tests.corpus import normal, program


@program(normal(3), 0.7)
def dicts_of_zipped_keys(v, a):
    names = ["m", "k", "c"]
    p = dict(zip(names, v))
    q = {name: (i + 1) * u for i, (name, u) in enumerate(zip("ab", v[1:]))}
    pairs = [("u", v[0] * a), ("w", a)]
    r = dict(pairs)
    return p["m"] * p["k"] ** 2 * q["b"] + r["u"] * r["w"] * p["c"]


@dataclass
class Layer:
    weights: np.ndarray
    shift: float

    def __call__(self, x):
        return np.tanh(self.weights * x + self.shift)


@dataclass
class Pair:
    first: Layer
    second: Layer

    def __call__(self, x):
        return self.second(self.first(x))


@program(normal(3), 0.3, tags="nojit")
def objects_that_are_called(w, b):
    net = Pair(Layer(w, b), Layer(w * w, 2.0 * b))
    x = net(np.ones(3))
    for layer in [net.second, Layer(x, b)]:
        x = layer(x)
    return np.sum(x)


class Planar:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __mul__(self, other):
        if not isinstance(other, Planar):
            return Planar(self.x * other, self.y * other)
        return self.x * other.x + self.y * other.y

    __rmul__ = __mul__


@program(1.0, 0.3, tags="nojit")
def products_by_kind(x, y):
    v = 0.1 * Planar(x, y) * x
    return v.x * v.y + v * v


@program(normal(4), 0.8, tags="nojit")
def reduced_generators(v, a):
    total = functools.reduce(lambda s, u: s * 0.5 + u, map(np.sin, v))
    total += functools.reduce(lambda s, pair: s + pair[0] * pair[1], zip(v, v[1:]), a)
    total += functools.reduce(lambda s, u: s * u, (u * a for u in v if u < 9.0))
    return total * functools.reduce(operator.mul, filter(lambda u: u < 9.0, [v[0], a]))


@program(0.8, tags="nojit")
def last_function_first(x):
    def composed(*functions):
        def inner(t):
            for f in reversed(functions):
                t = f(t)
            return t

        return inner

    return composed(np.sin, lambda t: t * x, composed(np.exp))(x)


@program(normal(4), tags="nojit")
def how_many_kinds(v):
    return np.sum(v**2) * len(set(k // 2 for k in range(5)))  # noqa: C401


@program(0.8, tags="nojit")
def functions_by_name(x):
    y = x
    for name in ("tanh", "sin"):
        y = getattr(np, name)(y) * (x if hasattr(np, "no_such_function") else 2.0)
    return y


class Bag:
    def __init__(self, c):
        self.c = c

    def raised(self, t):
        self.c[0] += t
        return self


@program(normal(2), 0.3, tags="nojit")
def list_under_three_names(x, t):
    c = [2 * a for a in x]
    bag = Bag(c)
    other = Bag(bag.c)
    other.c[1] *= t
    other.raised(t).raised(2 * t)
    c[1] += 4.0
    return bag.c[0] * c[1] + other.c[0] ** 2 + 3.0 * c[0]


class Arrow(NamedTuple):
    x: float
    y: float

    def __add__(self, other):
        return Arrow(*(a + b for a, b in zip(self, other)))

    def __mul__(self, k):
        return self.x * k.x + self.y * k.y if isinstance(k, Arrow) else Arrow(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __abs__(self):
        return math.hypot(*self)


@program(normal(6), tags="nojit")
def arrows_with_operators(x):
    arrows = []
    for i in range(0, 6, 2):
        arrows.append(Arrow(x[i], x[i + 1]))
    total = Arrow(0.0, 0.0)
    for arrow in arrows:
        total += 2 * arrow * abs(arrow)
    return total * total


@program(0.4, normal(2), 4, tags="nojit")
def runge_kutta_on_tuples(stiffness, start, n):
    def slopes(t, y):
        return (y[1], -stiffness * y[0] * t)

    y, h = (start[0], start[1]), 0.1
    for i in range(n):
        k = slopes(i * h, y)
        k = slopes((i + 0.5) * h, tuple(a + 0.5 * h * b for a, b in zip(y, k)))
        y = tuple(a + h * b for a, b in zip(y, k))
    if y[0] > -5.0:
        y = tuple(a * a for a in y)
    return y[0] - 2.0 * y[1]


@program(normal(2), tags="nojit")
def pairs_made_anew_from_pairs(x):
    pairs = ((x[0], 1.0), (x[1], 2.0))
    for _ in range(3):
        pairs = tuple((a * b, b + a) for a, b in pairs)
    return pairs[0][0] + pairs[1][1]


class Edge(Enum):
    FIXED = 1
    FREE = 2
    PERIODIC = 3


class Cell:
    def __init__(self, value):
        self.value = value


@program(normal(4), tags="nojit")
def differences_at_edges(u, edge=Edge.PERIODIC):
    left = 0.0
    if edge == Edge.PERIODIC:
        left = u[-1]
    elif edge in (Edge.FIXED, Edge.FREE) and edge != Edge.FIXED:
        left = u[0]
    first, last = Cell(u[0]), Cell(u[3])
    cells, other = (first, last), first
    twice = 2.0 if other == first and other in cells and last != first else 1.0
    return (first.value - left) ** 2 * twice + last.value * last.value
