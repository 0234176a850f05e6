"""Structures that functions make for themselves: lists that grow, dicts, named tuples, dataclasses."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass, replace

import numpy as np

from tests.corpus import normal, program, uniform

Point = namedtuple("Point", "x y")


@dataclass(frozen=True)
class Spring:
    stiffness: float
    rest: float = 1.0

    def energy(self, length):
        return 0.5 * self.stiffness * (length - self.rest) ** 2

    @property
    def softer(self):
        return Spring(self.stiffness / 2, self.rest)


# ---------------------------------------------------------------- lists that grow


@program(normal(5))
def squares_in_a_list(x):
    squares = []
    for i in range(len(x)):
        squares.append(x[i] ** 2)
    return np.prod(1.0 + np.array(squares))


@program(0.3, 4)
def trajectory_in_a_list(x, n):
    xs = [x]
    for i in range(n):
        xs.append(xs[-1] * 1.1 + np.sin(xs[i]))
    return xs[-1] + sum(xs) + len(xs)


@program(1.1, wrt="x")
def growth_until_it_is_large(x):
    xs = []
    while x < 40.0:
        xs.append(x)
        x = x * 1.2
    total = 0.0
    for value in xs:
        total += value * value
    return total


@program(uniform(0.0, 1.0, 6), tags="core")
def chosen_elements(x):
    large = []
    for value in x:
        if value > 0.3:
            large.append(value * value)
    return sum(large) + max(large) - min(large)


@program(normal(4), tags="nojit core")
def rows_in_a_list(x):
    rows = []
    for i in range(3):
        rows.append(x * i + 1.0)
    return np.sum(np.stack(rows) ** 2) + np.sum(rows[-1]) + np.sum(np.concatenate(rows) ** 3)


@program(0.7)
def pairs_in_a_list(x):
    pairs = []
    for i in range(4):
        pairs.append((x * i, x + i))
    total = 0.0
    for a, b in pairs:
        total += a * b
    return total + pairs[2][0]


@program(0.4, 0.9, tags="core")
def pendulum_in_a_list(angle, speed):
    states = [(angle, speed)]
    for _ in range(6):
        p, q = states[-1]
        states.append((p + 0.1 * q, q - 0.1 * np.sin(p)))
    table = np.array(states)
    return np.sum(table[:, 0] ** 2) + states[-1][1]


@program(0.7, 5, tags="nojit")
def list_of_zeros(x, n):
    xs = [0] * n
    for i in range(n):
        xs[i] = x * i
    return sum(xs)


@program(1.3)
def stack_of_work(x):
    waiting = [x]
    total = 0.0
    while len(waiting) > 0:
        value = waiting.pop()
        total += value * value
        if value > 0.2:
            waiting.append(value / 2)
            waiting.append(value / 3)
    return total


@program(1.5)
def triangle_in_a_list(x):
    out = []
    for i in range(4):
        for j in range(i):
            out.append(x**i * j)
    return sum(out) + sum(out[1:]) * out[-1]


@program(uniform(0.1, 1.0, 5), 4)
def list_left_early(x, n):
    xs = [x[0]]
    for i in range(n):
        if xs[-1] > 1.5:
            break
        xs.append(xs[-1] * 1.7 + x[i])
    return xs[-1] * len(xs)


@program(normal(4))
def list_in_a_loop(x):
    sums = []
    for i in range(4):
        parts = []
        for j in range(3):
            parts.append(x[i] * j)
        sums.append(sum(parts))
    return np.prod(np.array(sums) + 1.0)


def collected(x):
    result = []
    for value in x:
        result.append(value * value)
    return result


@program(normal(4), tags="nojit")
def list_from_a_function(x):
    ys = collected(x)
    ys.append(x[0])
    return sum(ys) * len(ys)


@program(normal(4), tags="nojit")
def fresh_arrays_in_a_list(x):
    rows = []
    for i in range(3):
        row = x * i
        row[0] = 3.0 * x[1]
        rows.append(row)
    return np.sum(np.array(rows) ** 2)


@program(normal(4), tags="nojit")
def copies_in_a_list(x):
    history = []
    u = x * 1.0
    for _ in range(3):
        u[0] = u[0] * 2.0
        history.append(u.copy())
    return np.sum(np.array(history) ** 2)


@program(normal(4))
def two_appends_in_a_loop(x):
    xs = []
    for i in range(3):
        xs.append(x[i])
        xs.append(x[i] ** 2)
    return xs[1] * xs[4] + sum(xs[::2])


# ---------------------------------------------------------------- lists of known length


@program(0.7)
def list_of_known_length(x):
    xs = [1.0, x, x * x]
    ys = [*xs, x**3]
    ys[1] = ys[1] * 2
    ys.append(4.0 * x)
    ys.extend([x, x])
    last = ys.pop()
    ys += [last]
    return sum(ys) + ys[-2] * ys[1] + xs[1] + len(ys)


@program(1.5, 1, wrt="x")
def element_of_a_list_at_run_time(x, k):
    powers = [x, x * x, x**3]
    return powers[k]


@program(normal(3), tags="nojit")
def integer_that_becomes_a_float(x):
    sums = [1, 2]
    for i in range(3):
        sums[0] = sums[0] + x[i]
    return sums[0] * sums[1] * x[0]


@program(1.2, 0.3)
def matrix_of_a_list_of_lists(a, b):
    return np.linalg.det(np.array([[a, b], [b, a * a]]))


# ---------------------------------------------------------------- dicts


@program(1.3, tags="nojit core")
def dict_that_changes(x):
    d = {"a": x}
    d["b"] = x * 2
    d["a"] = d["a"] + d["b"]
    e = {**d, "c": x**2}
    e.update(a=x * 7)
    return sum(e.values()) * d["a"] + len(e)


@program(uniform(0.0, 1.0, 6))
def counts_in_a_dict(x):
    stats = {"sum": 0.0, "n": 0}
    for value in x:
        if value > 0.2:
            stats["sum"] += value * value
            stats["n"] += 1
    return stats["sum"] / stats["n"]


@program(normal(3))
def array_in_a_dict(x):
    d = {"g": x * 1.0}
    g = d["g"]
    d["g"] += 1.0
    return np.sum(g * d["g"])


@program(1.5, tags="nojit")
def items_of_a_dict(x):
    weights = dict(a=x, b=2.0 * x)  # noqa: C408
    total = 0.0
    for name, value in weights.items():
        total += value * (3.0 if name == "a" else 5.0)
    return total if "a" in weights and "z" not in weights else 0.0


# ---------------------------------------------------------------- named tuples and dataclasses


@program(1.5, tags="nojit core")
def named_tuple_replaced(x):
    p = Point(x, 2 * x)
    p = p._replace(x=p.x * 3)
    a, b = p
    return a * p.y + b


@program(1.5, 0.7, tags="nojit")
def dataclass_with_methods(k, length):
    spring = Spring(k)
    stiffer = replace(spring, stiffness=k * 2)
    return spring.energy(length) + stiffer.energy(length) * spring.softer.stiffness


# ---------------------------------------------------------------- changes on one path only


@program(0.7, 3)
def list_replaced_in_every_iteration(x, n):
    states = [x, 2.0 * x]
    for _ in range(n):
        following = []
        for j in range(len(states)):
            following.append(np.sin(states[j]) * x)
        states = following
    return states[0] + states[1]


@program(0.7)
def elements_put_before_and_turned_round(x):
    values = [x, 2.0]
    values.insert(0, x * x)
    values.reverse()
    table = {"a": x}
    table.setdefault("b", values[2] * x)
    return values[1] * table["b"] + table.pop("c", x) * table.pop("a")


@program(0.7, 3)
def defaults_that_are_functions(x, n):
    def apply(t, f=lambda u: u * x):
        return f(t)

    for _ in range(n):
        x = x + apply(x)
    return apply(x, lambda q: q * q)


@program(normal(2, 3), 0.5, normal(3), tags="nojit")
def parts_of_several_lengths_joined(w, b, scale):
    model = {"w": w, "b": b, "scale": scale}
    flat = np.concatenate([np.ravel(part) for part in model.values()])
    return np.sum(flat**2) + flat[0] * flat[-1]
