"""Numbers that may be None: in conditional expressions that loops carry, as arguments, in structures, with ``or``."""

from __future__ import annotations

import numpy as np

from tests.corpus import normal, program


class Body:
    def __init__(self, mass, drag=None):
        self.mass, self.drag = mass, drag

    def force(self, x, stiffness=None):
        if stiffness is None:
            stiffness = 2.0
        force = -stiffness * x * self.mass
        return force if self.drag is None else force - self.drag * x**2


def first_above(v, limit):
    for a in v:
        if a > limit:
            return a * a
    return None


@program(normal(6), tags="nojit")
def positive_one_before(v):
    """None in every other iteration, from a number or from nothing at all before the loop."""
    before, factor, s = v[0], None, 0.0
    for k in range(len(v)):
        if before is not None:
            s += before * v[k]
        s += v[k] ** 2 * (1.0 if factor is None else factor)
        if k > 0 and square is not None:  # noqa: F821
            s += square * before if before is not None else square  # noqa: F821
        before = v[k] if v[k] > 0.0 else None
        square = None if v[k] > 0.5 else v[k] ** 2  # noqa: F841
        factor = 0.5 if k % 2 else None
    return s


@program(normal(6), tags="nojit")
def product_of_neighbours_or_one(v):
    a, s = None, 0.0
    for x in v:
        s += a and a * x or x
        a = x * x if x > 0.0 else None
    return s


@program(normal(4), tags="nojit")
def nearest_of_others(v):
    s = 0.0
    for i in range(len(v)):
        best = None
        for j in range(len(v)):
            apart = (v[i] - v[j]) ** 2 if i != j else None
            if apart is not None and (best is None or apart < best):
                best = apart
        s += best
    return s


@program(normal(5), tags="nojit")
def found_or_else(v):
    found = first_above(v, 30.0) or v[0]
    other = first_above(v, -30.0) or v[1]
    nothing = v[2] if v[2] > 30.0 else None
    return found * other * (nothing or v[3] ** 2) + (nothing and 2.0 * nothing or v[4])


@program(normal(5), tags="nojit")
def stiffness_for_some_steps(v):
    body, s = Body(v[0]), 0.0
    for k in range(5):
        s += body.force(v[k], v[1] if k % 2 else None)
        s += Body(v[k], v[2] if v[k] > 0.0 else None).force(v[3])
    return s


@program(normal(5), tags="nojit")
def one_of_three(v):
    s = 0.0
    for a in v:
        y = a**2 if a > 0.5 else (None if a < 0.0 else a)
        s += 0.1 * a if y is None else y
    return s


@program(normal(5), tags="nojit")
def last_positive_in_a_dict(v):
    last, s = None, 0.0
    for a in v:
        state, pair = {"last": last, "now": a}, (last, a * a)
        s += a * a if state["last"] is None else state["last"] * state["now"]
        s += 0.0 if pair[0] is None else pair[0] * pair[1]
        if a > 0.0:
            last = a * a
    return s


@program(normal(5), tags="nojit")
def squares_once_in_a_table(v):
    table, s = {}, 0.0
    for k in range(5):
        square = table.get(k % 2)
        if square is None:
            square = v[k] ** 2
            table[k % 2] = square
        s += square * v[k] + table.get(k + 1, 0.5) * v[0]
    return s


@program(normal(5), tags="nojit")
def momentum_now_and_then(v):
    x, velocity = v.copy(), None
    for k in range(5):
        slope = 2.0 * x + np.sin(x)
        velocity = slope if velocity is None else 0.9 * velocity + slope
        x = x - 0.1 * velocity
        velocity = None if k == 2 else velocity
    return np.sum(x**2)


@program(normal(4), 1.0, tags="inplace nojit")
def array_or_none_written(x, c):
    M = None
    if c > 0.0:
        M = np.zeros_like(x)
    view = x if c > -1.0 else None
    for i in range(len(x)):
        if M is not None:
            M[i] += x[i] ** 2
    if view is not None:
        view[1:] = view[:-1] * 2.0
        view *= x[2]
    return np.sum(x**2) if M is None else np.sum(M * x)


@program(1.1)
def nothing_before_the_first_turn_of_a_while(k):
    before, x, t = None, 1.0, 0.0
    while t < 1.0:
        error = 1.5 - x
        rate = 0.0 if before is None else error - before
        before = error
        x += k * rate + 0.1 * x
        t += 0.3
    return x


@program(1.1, 3)
def nothing_before_the_first_of_some_steps(k, step):
    before, x = None, 1.0
    for i in range(0, 10, step):
        if before is None:
            before = x
        x += k * (x - before) + 0.1 * i
    return x


class Controller:
    def __init__(self, gain):
        self.gain = gain
        self.before = None

    def __call__(self, error):
        rate = 0.0 if self.before is None else error - self.before
        self.before = error
        return self.gain * rate


@program(1.1, tags="nojit")
def controlled_until_it_is_late(gain):
    control, x, t = Controller(gain), 1.0, 0.0
    while t < 1.0:
        x += control(1.5 - x) + 0.1 * x
        t += 0.3
    return x
