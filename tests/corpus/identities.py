"""Objects that are changed while loops and branches give their names to others."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from tests.corpus import normal, program


class Mass:
    def __init__(self, x, v):
        self.x = x
        self.v = v

    def kick(self, dt):
        self.v -= dt * self.x**3
        return self

    def step(self, dt):
        return Mass(self.x + dt * self.v, self.v)

    def __iadd__(self, other):
        self.x += other.x
        self.v += other.v
        return self


@dataclass
class Pendulum:
    angle: float
    speed: float

    def kick(self, dt):
        self.speed -= dt * math.sin(self.angle)

    def step(self, dt):
        return replace(self, angle=self.angle + dt * self.speed)


class Field:
    def __init__(self, values, scale):
        self.values = values
        self.scale = scale

    def grow(self):
        self.values[0] *= 1.1
        self.scale += self.values[1]

    def stretch(self):
        self.values *= 1.2

    def reset(self):
        self.values = self.values[::-1] * self.scale

    def next(self):
        return Field(self.values * 0.9, self.scale * 1.01)


@program(0.7, 0.3, 4, tags="nojit")
def object_rebound_in_nested_loops(x, v, n):
    p = Mass(x, v)
    for i in range(n):
        for j in range(i):
            p = p.step(0.1 * j + 0.1)
    return p.x * p.v


@program(0.7, 0.3, 3, tags="nojit")
def objects_rebound_in_inner_and_outer_loops(x, v, n):
    p, q = Mass(x, v), Mass(v, x)
    for i in range(n):
        for j in range(2):
            p = p.step(0.1)
            q = p if j else q.step(0.3)
        p = Mass(p.x * 1.1, q.v * p.x)
    return p.x * p.v + q.x


@program(0.7, 0.3, 5, tags="nojit core")
def object_changed_and_rebound(x, v, n):
    p = Mass(x, v)
    for _ in range(n):
        p.kick(0.1)
        p = p.step(0.1)
    return p.x * p.v


@program(0.7, 0.3, 5, tags="nojit")
def dataclass_changed_and_rebound(x, v, n):
    p = Pendulum(x, v)
    for _ in range(n):
        p.kick(0.1)
        p = p.step(0.1)
    return p.angle * p.speed


@program(normal(3), 0.3, 3, tags="nojit")
def fields_changed_and_rebound(x, s, n):
    w, u = Field(x.copy(), s), Field(x * 2.0, s)
    for k in range(n):
        w.grow()
        w = w.next()
        u.stretch()
        w, u = u, w
    for k in range(n):
        chosen = w if x[k % 3] > 0.1 else u
        chosen.grow()
        chosen.reset()
    return np.sum(w.values) * w.scale + np.sum(u.values**2) * u.scale


@program(0.7, 0.3, 5, tags="nojit")
def objects_swapped(x, v, n):
    a, b = Mass(x, v), Mass(v, x * 2)
    for k in range(n):
        b.x += 0.1 * a.v
        if k != 2:
            a, b = b, a
        a.kick(0.2)
    return a.x * a.v + 2 * b.v


@program(0.7, 0.3, 5, tags="nojit")
def object_that_a_branch_chooses(x, v, n):
    a, b = Mass(x, v), Mass(v, x * 2)
    c = a if x > v else b
    c.kick(0.1)
    for k in range(n):
        c.kick(0.4)
        if c.v < 0:
            c = b
    return a.x * a.v + 2 * b.v + c.v**2


@program(0.7, 0.3, 5, tags="nojit core")
def best_object_is_the_current_one(x, v, n):
    best = cur = Mass(x, v)
    for k in range(n):
        cur.kick(0.3)
        if k % 2:
            cur = cur.step(0.2)
        if cur.x > best.x:
            best = cur
    return best.x + 3 * best.v


@program(0.7, 0.3, 6, tags="nojit")
def old_objects_and_new_ones(x, v, n):
    p = old = Mass(x, v)
    q = p
    for k in range(n):
        q = p
        p = p.step(0.1)
        if k == 3:
            p = q
        q.kick(0.2)
        if k == 2:
            old = p
        p.kick(0.1)
        old.x += 0.01 * p.v
    return p.x * p.v + old.x * old.v + q.v


@program(0.7, 0.3, 6, tags="nojit")
def objects_traded_while(x, v, n):
    a, b = Mass(x, v), Mass(v, x)
    k = 0
    while a.x * b.x < 3 and k < n:
        a.kick(-0.2)
        b += a
        a, b = b, a.step(0.3)
        k += 1
    return a.x * b.v + k


@program(0.7, 0.3, 3, tags="nojit")
def one_object_under_two_names_in_an_inner_loop(x, v, n):
    a, b = Mass(x, v), Mass(v, x)
    for i in range(n):
        for _ in range(2):
            b.kick(0.3)
            a.x += 0.1 * b.v
            b = a
        a = a.step(0.1)
        b = Mass(b.v, b.x + i)
    return a.x * a.v + b.x * b.v


@program(0.7, 0.3, 4, tags="nojit")
def objects_swapped_in_nested_loops(x, v, n):
    a, b = Mass(x, v), Mass(v, x)
    best = a
    for i in range(n):
        for j in range(i + 1):
            a.kick(0.1 * j)
            if a.x > b.x:
                a, b = b, a.step(0.1)
            best.x *= 1.01
        b.kick(0.3)
        if i == 1:
            best = b
        if i == 2:
            b = best.step(0.1)
    return a.x * a.v + 2 * b.x * b.v + 3 * best.x * best.v


def pick(a, b, t):
    if t > 0:
        return a
    return b


def bump(p, q):
    p.x += q.v
    q.v *= p.x
    return p


@program(0.7, 0.3, 4, tags="nojit")
def objects_that_functions_return(x, v, n):
    a, b = Mass(x, v), Mass(v, x)
    for i in range(n):
        c = pick(a, b, a.x - b.x)
        c.kick(0.3)
        d = bump(c, a)
        d.v += 0.1
        if i % 2:
            a, b = b, d
    return a.x * a.v + 2 * b.x * b.v


@program(0.7, 0.3, 4, tags="nojit")
def whether_they_are_one_object(x, v, n):
    a, b = Mass(x, v), Mass(v, x)
    s = 0.0
    for i in range(n):
        if i == 1:
            b = a
        if i == 3:
            a = Mass(x * 2, v)
        a.kick(0.3)
        s += a.x * b.v if a is b else b.v * 3
    return s


@program(0.7, 0.3, 4, tags="nojit")
def attribute_read_before_and_after_it_changes(x, v, n):
    a = Mass(x, v)
    s = 0.0
    for i in range(n):
        s += a.v * a.kick(0.1).v + a.v
        a = a.step(0.1) if i % 2 else a
    return s


@program(0.7, 0.3, 4, tags="nojit")
def method_of_the_object_that_it_was(x, v, n):
    a = Mass(x, v)
    kick = a.kick
    for i in range(n):
        kick(0.1)
        a.kick(0.2)
        if i == 1:
            a = a.step(0.2)
    return a.x * a.v


@dataclass
class Bob:
    x: float
    v: float


def swings(a, b, n):
    for _ in range(n):
        a.v -= 0.3 * math.sin(a.x)
        a.x += 0.1 * b.v
        a, b = b, a
    return a.x * b.v


@program(0.7, 0.3, 4, tags="nojit")
def objects_that_were_passed_are_swapped(x, v, n):
    a, b = Bob(x, v), Bob(v, x)
    return swings(a, b, n) + 2 * a.x * b.v


@program(0.7, 0.3, 3, tags="nojit")
def object_that_two_tests_choose(x, v, n):
    a, b = Mass(x, v), Mass(v, x)
    c, s = a, 0.0
    if b.x > 2.0:
        c = c if b.x > 0.5 else b
    else:
        s += c.x * c.v if c is b else c.x
    for _ in range(n):
        c.kick(0.3)
        c = b.step(0.2)
        a = b.step(0.1)
    return s + a.x * a.v + 2 * b.x * b.v + 3 * c.x + c.v


class Body:
    def __init__(self, mass, place):
        self.mass, self.place = mass, place
        self.parent = None


@program(normal(4), tags="nojit")
def objects_that_equal_themselves_alone(x):
    bodies, energy = [Body(2.0, v * v) for v in (*x, x[0])], 0.0
    for one in bodies:
        for other in bodies:
            if one is other:
                continue
            energy += one.mass * other.mass / (1.0 + (one.place - other.place) ** 2)
    last = bodies[4]
    for k, one in enumerate(bodies):
        if one == last or bodies.index(one) == 1:
            energy *= 1.0 + one.place * k
    return energy + bodies.index(last) * x[1]


@program(normal(4), tags="nojit")
def objects_put_into_a_list_before_a_loop(x):
    first = Body(2.0, x[0])
    bodies = [first]
    for v in x[1:]:
        bodies.append(Body(1.0, v))
    first.place = x[1] * x[1]
    for body in bodies:
        body.place = np.sin(body.place) * (3.0 if body is first else body.mass)
    return sum(body.place * (k + 1) for k, body in enumerate(bodies)) + first.place
