"""Gradients inside of functions, tapes and variables that are refused, for what is said about them."""

# ruff: noqa
# fmt: off

from __future__ import annotations

import dataclasses
import math

import numpy as np

import srcad

WEIGHT = srcad.Variable(2.0)


@dataclasses.dataclass
class Line:
    k: float


class Spring:
    def __init__(self, k): self.k = k


# ---------------------------------------------------------------- srcad.gradients


def gradient_of_an_expression(x):
    y = x * x
    return srcad.gradients(y, [x * 2.0])[0]
def gradient_of_views(v):
    a = v * 2.0
    b = a[1:]
    a[0] = 3.0
    return srcad.gradients(np.sum(b * b), [a])[0][0]
def gradient_of_a_carried_value(x, n):
    s = x
    t = 0.0
    for i in range(n):
        s = s * x
        t = t + srcad.gradients(s, [x])[0]
    return t
def gradient_in_a_branch(v, x):
    a = v * 2.0
    y = x * 1.0
    a[0] = y
    g = 0.0
    if x > 0.0:
        a[1] = y * 3.0
        g = srcad.gradients(np.sum(a * a), [y])[0]
    return g


# ---------------------------------------------------------------- variables


def variable_of_two(x):
    WEIGHT.assign(x, 2.0)
    return x * WEIGHT
def variable_made_inside(x):
    w = srcad.Variable(2.0)
    return x * w


# ---------------------------------------------------------------- objects that loops carry, recursion


def carried_object_changed(x, n):
    s = Line(x)
    for i in range(n): s = Line(s.k * x)
    s.k = x * x
    return s.k
def carried_object_swapped(x, n):
    s = Spring(x)
    for i in range(n):
        t = s
        s = Spring(s.k * x)
        t.k = x
    return s.k
def recursion_of_classes(x, n):
    def go(k):
        if k > 0: go(k - 1)
        return Spring
    return go(n)(x).k
