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
def gradient_and_store_in_a_branch(v, x):
    y = x * 1.0
    g = 0.0
    v[0] = y
    if x > 0.0:
        v[1] = y * 3.0
        g = srcad.gradients(np.sum(v * v), [y])[0]
    return g
def gradient_in_a_branch(v, x):
    y = x * 1.0
    g = 0.0
    v[0] = y
    if x > 0.0: g = srcad.gradients(np.sum(v * v), [y])[0]
    return g


# ---------------------------------------------------------------- variables


def variable_of_two(x):
    WEIGHT.assign(x, 2.0)
    return x * WEIGHT


# ---------------------------------------------------------------- objects that loops carry, recursion


def carried_object_changed(x, n):
    s, best = Line(x), None
    for i in range(n):
        s.k = s.k * x
        if best is None or s.k > 2.0: best = s
    return best.k
def carried_object_swapped(x, n):
    s = Spring(x)
    for i in range(n):
        t = s
        s = Spring(s.k * x)
        t.k = x * i
    s.k = s.k * x
    return t.k
def recursion_of_classes(x, n):
    def go(k):
        if k > 0: go(k - 1)
        return Spring
    return go(n)(x).k


# ---------------------------------------------------------------- tapes


def _taped(f): return srcad.function(f, target="python")


def tape_of_an_element(v):
    tapes = [None]
    with srcad.GradientTape() as tapes[0]: y = v * v
    return y
def tape_begun_twice(x):
    with srcad.GradientTape() as tape:
        tape.watch(x)
        with tape: y = x * x
    return tape.gradient(y, x)
def tape_paused_outside(x):
    with srcad.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    with tape.stop_recording(): y = y * x
    return tape.gradient(y, x)
def tape_reset_outside(x):
    with srcad.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.reset()
    return tape.gradient(y, x)
def tape_of_a_branch(x):
    y = x
    if x > 0.0:
        with srcad.GradientTape() as tape:
            tape.watch(x)
            y = x * x
    else:
        tape = srcad.GradientTape()
    return tape.gradient(y, x)
def tape_of_some_paths(x):
    y = x * 2.0
    with srcad.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        if x > 0.0: tape.reset()
    return tape.gradient(y, x)
def watch_before_the_block(x):
    tape = srcad.GradientTape()
    tape.watch(x)
    with tape: y = x * x
    return tape.gradient(y, x)
def watch_of_text(x):
    name = f"{x}"
    with srcad.GradientTape() as tape:
        tape.watch(name)
        y = x * x
    return tape.gradient(y, x)
def watch_of_an_integer(x, n):
    with srcad.GradientTape() as tape:
        tape.watch(n)
        y = x * n
    return tape.gradient(y, n)
def watch_of_a_value(x):
    with srcad.GradientTape() as tape:
        tape.watch(x * 2.0)
        y = x * x
    return tape.gradient(y, x)
def watch_of_an_element(v):
    with srcad.GradientTape() as tape:
        tape.watch(v[0])
        y = v[0] * v[0]
    return tape.gradient(y, v)
def watch_in_a_branch(x):
    with srcad.GradientTape() as tape:
        if x > 0.0: tape.watch(x)
        y = x * x
    return tape.gradient(y, x)
def view_in_a_pause(v):
    with srcad.GradientTape() as tape:
        tape.watch(v)
        a = v * 1.0
        with tape.stop_recording(): b = a[1:]
        a[1] = v[0]
        y = np.sum(b * a[1:])
    return tape.gradient(y, v)
def gradient_of_a_tape_by_an_expression(x):
    with srcad.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, x * 2.0)
def gradient_of_a_tape_by_a_text(x):
    with srcad.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, "x")
def jacobian_of_several(v):
    with srcad.GradientTape() as tape:
        tape.watch(v)
        y = v * v
        z = v * 2.0
    return tape.jacobian((y, z), v)
def tape_returned(x):
    with srcad.GradientTape() as tape: y = x * x
    return tape
def gradient_of_no_tape(x): return srcad.GradientTape.gradient(x, x, x)
def tape_with_other_arguments(x):
    with srcad.GradientTape(lasting=True) as tape: y = x * x
    return y
def tape_with_computed_arguments(x):
    with srcad.GradientTape(persistent=x > 0.0) as tape: y = x * x
    return y


# ---------------------------------------------------------------- custom gradients, derivatives of inner functions


@srcad.custom_gradient
def reads_a_variable(x):
    def pullback(dy): return dy
    return x * WEIGHT, pullback
@srcad.custom_gradient
def too_many_cotangents(x):
    def pullback(dy): return dy, dy, dy
    return x * x, pullback
@srcad.custom_gradient
def cotangent_of_another_rank(x):
    def pullback(dy): return np.sum(dy)
    return x * x, pullback
@srcad.custom_gradient
def pullback_that_assigns(x):
    def pullback(dy):
        WEIGHT.assign(dy)
        return dy
    return x * x, pullback
def custom_that_assigns(x): return pullback_that_assigns(x)
@srcad.custom_gradient
def structure_from_elsewhere(x):
    def pullback(dy): return dy
    return _twice(x, 2), pullback
def _twice(x, n): return (x, x) if n == 0 else _twice(x, n - 1)
def custom_that_reads(x): return reads_a_variable(x)
def custom_of_too_many(x): return too_many_cotangents(x)
def custom_of_another_rank(v): return np.sum(cotangent_of_another_rank(v))
def custom_of_a_structure(x): return structure_from_elsewhere(x)[0]
def custom_around(x):
    @srcad.custom_gradient
    def inner(t):
        def pullback(dy): return dy * 2.0
        return t * x, pullback
    return inner(x * 2.0)
def changes_around_a_derivative(x):
    s = Spring(x)
    def inner(t):
        s.k = t
        return t * t
    return srcad.grad(inner)(x) + s.k
def pairs_of_nothing_known(v, w):
    srcad.optimizers.SGD(0.1).apply_gradients(zip(v, w))
    return v[0]
