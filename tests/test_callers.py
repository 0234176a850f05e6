"""Functions that change dicts, dataclasses and lists of their callers: gradients, and what callers find afterwards."""

from __future__ import annotations

import copy
import dataclasses
import re
from dataclasses import dataclass, replace

import numpy as np
import pytest

import srcad
from srcad.testing import check_grads

both = pytest.mark.parametrize("target", ["python", "cpu"])


@dataclass
class Body:
    pos: float
    vel: float

    def step(self, dt):
        return Body(self.pos + dt * self.vel, self.vel - dt * self.pos**2)

    def kick(self, force, dt):
        self.vel += dt * force
        self.pos += dt * self.vel


@dataclass
class Cloud:
    pos: np.ndarray
    vel: np.ndarray
    steps: int = 0
    state: str = "new"


@dataclass
class Pair:
    left: Body
    right: Body
    k: float


def attributes(body, dt):
    body.vel = body.vel + 2.0 * dt
    body.pos = body.pos + body.vel * dt
    return body.pos**2 + body.vel


def methods(body, dt):
    for _ in range(3):
        body.kick(-body.pos, dt)
    return body.pos * body.vel


def on_one_path(body, dt):
    if body.pos > 0.5:
        body.vel = body.vel * dt
        return body.vel * body.pos
    body.pos = 3.0
    return body.pos * dt


def while_loop(body, dt):
    while body.pos < 3.0:
        body.pos += dt * body.vel + 0.2
        if body.vel > 5.0:
            break
    return body.pos * body.vel


def bodies_in_a_list(bodies, dt):
    for t in range(2):
        for i, b in enumerate(bodies):
            force = 0.0
            for j, other in enumerate(bodies):
                if i != j:
                    force += other.pos - b.pos
            b.vel += dt * force
        for b in bodies:
            b.pos += dt * b.vel
    return sum(b.pos * b.vel for b in bodies)


def by_number(bodies):
    k = 0
    while bodies[k].pos < 2.0:
        bodies[k].pos *= 2.0
        k += 1
    return bodies[0].pos


def pairs_by_number(bodies, dt):
    n = len(bodies)
    for i in range(n):
        for j in range(i + 1, n):
            d = bodies[j].pos - bodies[i].pos
            bodies[i].vel += dt * d
            bodies[j].vel -= dt * d
    for k in range(n):
        bodies[k].pos += dt * bodies[k].vel
    return bodies[0].pos * bodies[-1].pos


def one_of_them(bodies, k, dt):
    body = bodies[k]
    if body.pos > 0.1:
        body.kick(-body.pos, dt)
        other = bodies[k - 1]
        body.pos += other.vel
        other.vel *= body.pos
    return sum(b.pos * b.vel for b in bodies)


def new_bodies(bodies, dt):
    for _ in range(3):
        bodies = [body.step(dt) for body in bodies]
    return sum(body.pos * body.vel for body in bodies)


def moved_on(bodies, dt):
    while bodies[0].pos < 3.0:
        new = []
        for body in bodies:
            new.append(body.step(dt))
        bodies = [new[-1], *new[:-1]] if bodies[0].pos > 1.5 else new
    return bodies[0].vel * bodies[1].pos


def nested(pair, dt):
    force = pair.k * (pair.right.pos - pair.left.pos)
    pair.left.vel += dt * force
    pair.right = Body(pair.right.pos, pair.right.vel - dt * force)
    for b in (pair.left, pair.right):
        b.pos += dt * b.vel
    return pair.left.pos * pair.right.pos


def arrays(cloud, x):
    cloud.pos[0] = x * cloud.vel[1]
    cloud.pos += cloud.vel
    cloud.vel = cloud.vel[1:] * x
    cloud.vel[0] = cloud.pos[2]
    cloud.steps += 1
    cloud.state = "moved"
    return np.sum(cloud.pos**2) * np.sum(cloud.vel)


def under_another_name(body, x):
    other = body
    other.pos = other.pos * x
    mine = replace(body)
    mine.vel = mine.vel * body.pos
    return body.pos * mine.vel + body.vel


def rebound(body, x):
    y = body.pos * x
    body = Body(x, y)
    body.pos *= body.vel
    return body.pos * body.vel


def dict_items(p, lr):
    grads = {k: v * v for k, v in p.items()}
    for k in p:
        p[k] = p[k] - lr * grads[k]
    p["w"] *= 2.0
    p["sum"] = np.sum(p["w"])
    return p["sum"] * p["b"]


def nested_dicts(p, x):
    p["one"]["b"] = x * p["two"]["b"]
    p["two"] = {"b": x, "c": p["one"]["b"]}
    p.update(last=x)
    return p["one"]["b"] * p["two"]["c"]


def keys_by_the_path(p, x):
    for v in x:
        key = "a" if v > 1.5 else "b"
        p[key] *= v
        p["ab"[int(v) % 2]] -= 0.5 * p[key]
        p[key] = p[key] + p["a"] ** 2
    return p["a"] * p["b"]


def keys_that_are_numbers(p, x):
    for k in (1, -2, 1):
        p[k] *= x
    for k in list(p):
        p[k] = p[k] * x + k
    p[3] = {"w": p[1]}
    p[3]["w"] *= x
    return p[1] * p[3]["w"]


def dicts_under_numbers(p, x):
    for k in range(2):
        layer = p[k]
        x = layer["w"] @ x + layer["b"]
        layer["b"] *= 0.9
    return np.sum(x) * p[0]["b"][0]


def _descend(p, n):
    if n == 0:
        return p["a"]
    p["a"] = p["a"] * p["b"]
    return _descend(p, n - 1) + p["b"]


def solved(A, b):
    n = len(A)
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(A[i][k]) > abs(A[p][k]):
                p = i
        A[k], A[p] = A[p], A[k]
        b[k], b[p] = b[p], b[k]
        for i in range(k + 1, n):
            factor = A[i][k] / A[k][k]
            for j in range(k, n):
                A[i][j] -= factor * A[k][j]
            b[i] -= factor * b[k]
    for i in range(n - 1, -1, -1):
        b[i] = (b[i] - sum(A[i][j] * b[j] for j in range(i + 1, n))) / A[i][i]
    return b[0] * b[1] + b[2]


def longer_and_shorter(xs, y):
    while len(xs) > 2:
        xs[0] += y * xs.pop()
    xs.append(xs[0] * y)
    return xs[0] * xs[2]


def by_rows(A):
    for row in A:
        norm = sum(a * a for a in row) ** 0.5
        for j in range(len(row)):
            row[j] /= norm
    A[0], A[1] = A[1], A[0]
    return A[0][0] * A[1][1]


PROGRAMS = {
    attributes: (Body(1.0, 0.5), 0.3),
    methods: (Body(1.0, 0.5), 0.1),
    on_one_path: (Body(1.0, 0.5), 0.3),
    while_loop: (Body(1.0, 0.5), 0.3),
    bodies_in_a_list: ([Body(1.0, 2.0), Body(0.5, 0.3), Body(0.2, 0.1)], 0.1),
    by_number: ([Body(1.0, 2.0), Body(3.0, 4.0)],),
    pairs_by_number: ([Body(1.0, 2.0), Body(0.5, 0.3), Body(0.2, 0.1)], 0.1),
    one_of_them: ([Body(1.0, 2.0), Body(0.5, 0.3)], 1, 0.1),
    new_bodies: ([Body(1.0, 2.0), Body(0.5, 0.3), Body(0.2, 0.1)], 0.1),
    moved_on: ([Body(1.0, 2.0), Body(0.5, 3.0)], 0.3),
    nested: (Pair(Body(1.0, 2.0), Body(0.5, 0.3), 2.0), 0.1),
    arrays: (Cloud(np.array([1.0, 2.0, 3.0]), np.array([0.3, 0.4, 0.5])), 0.7),
    under_another_name: (Body(1.0, 0.5), 0.3),
    rebound: (Body(1.0, 0.5), 0.3),
    dict_items: ({"w": np.array([1.0, 2.0]), "b": 0.5}, 0.1),
    nested_dicts: ({"one": {"b": 1.0}, "two": {"b": 2.0}}, 0.3),
    keys_by_the_path: ({"a": 1.0, "b": 0.5}, np.array([1.1, 2.2, 3.3])),
    keys_that_are_numbers: ({1: 1.0, -2: 0.5}, 1.3),
    dicts_under_numbers: (
        {1: {"w": np.array([[1.0, 2.0], [0.3, 1.0]]), "b": np.array([0.1, 0.2])},
         0: {"w": np.array([[0.5, 0.2], [0.1, 2.0]]), "b": np.array([0.3, 0.7])}},
        np.array([1.0, 0.5]),
    ),
    solved: ([[2.0, 1.3, -1.0], [-3.0, -1.1, 2.0], [-2.0, 0.7, 2.2]], [1.0, 2.0, 0.5]),
    longer_and_shorter: ([1.0, 3.0, 2.0, 0.5], 0.7),
    by_rows: ([[1.0, 2.0], [0.5, 3.0]],),
    _descend: ({"a": 1.0, "b": 2.0}, 3),
}


def parts(value):
    if dataclasses.is_dataclass(value):
        return [(name, parts(part)) for name, part in vars(value).items()]
    if isinstance(value, dict):
        return [(key, parts(part)) for key, part in value.items()]
    if isinstance(value, (list, tuple)):
        return [*map(parts, value)]
    if isinstance(value, float):
        return float(f"{round(value, 12):.12g}")
    return value if isinstance(value, (str, int)) else np.round(value, 12).tolist()


@pytest.mark.parametrize("fn, target", [
    pytest.param(fn, target, id=f"{fn.__name__}-{target}", marks=pytest.mark.slow if target == "cpu" and k % 6 else ())
    for k, fn in enumerate(PROGRAMS) for target in ("python", "cpu")
])  # fmt: skip
def test_the_gradient_and_what_the_caller_finds(fn, target):
    check_grads(fn, PROGRAMS[fn], target=target)
    for mode in ("grad", "value_and_grad", "jvp", "function") if target == "python" else ("value_and_grad",):
        own, theirs = copy.deepcopy(PROGRAMS[fn]), copy.deepcopy(PROGRAMS[fn])
        value = fn(*own)
        found = getattr(srcad, mode)(fn, target=target)(*theirs)
        assert parts(theirs) == parts(own)
        if mode != "grad":
            assert (found if mode == "function" else found[0]) == pytest.approx(value)


@both
def test_arrays_stay_the_objects_that_they_are(target):
    def moved(cloud, x):
        cloud.vel = x
        cloud.pos += 1.0
        return np.sum(cloud.vel * cloud.pos)

    pos, x = np.ones(3), np.arange(3.0)
    cloud = Cloud(pos, np.zeros(3))
    srcad.grad(moved, target=target)(cloud, x)
    assert cloud.pos is pos and cloud.vel is x and pos.tolist() == [2.0, 2.0, 2.0]


@both
def test_what_else_the_function_returns(target):
    def moved(body, x):
        body.pos *= x
        return body.pos**2, {"vel": body.vel}

    aux = {"vel": 0.5}
    for mode, expected in (("grad", (16.0, aux)), ("value_and_grad", ((4.0, aux), 16.0)), ("jacobian", (16.0, aux))):
        body = Body(4.0, 0.5)
        found = getattr(srcad, mode)(moved, wrt="x", has_aux=True, target=target)(body, 0.5)
        assert (found, body) == (expected, Body(2.0, 0.5))


@both
def test_one_object_passed_twice(target):
    def moved(a, b):
        a.pos = a.pos * b.vel
        return a.pos * b.pos

    body = Body(1.0, 2.0)
    with pytest.raises(ValueError, match="a and b hold one Body, and the function changes what it is passed"):
        srcad.grad(moved, target=target)(body, body)


def test_one_row_twice_in_a_list():
    row = [1.0, 2.0]
    with pytest.raises(ValueError, match="A holds twice one list, and the function changes what it is passed"):
        srcad.grad(by_rows)([row, row])


def test_the_next_derivative_is_refused():
    with pytest.raises(srcad.UnsupportedError, match="a derivative of a derivative of a function that changes its arg"):
        srcad.hessian(attributes, wrt=1)(Body(1.0, 2.0), 0.1)


def exchanged(pair):
    pair.left, pair.right = pair.right, pair.left
    return pair.left.pos


def twice_in_it(pair):
    pair.left = pair.right = Body(pair.k, 1.0)
    return pair.left.pos * pair.right.pos


def on_some_paths(p):
    if p["b"] > 0.0:
        p["c"] = 2.0 * p["b"]
    return p["b"]


def at_a_number_by_the_path(p):
    p[int(p[0] > 0.5)] *= 2.0
    return p[0] * p[1]


def at_an_unknown_number(p):
    p[0] = 2.0 * p[1]
    for k in range(int(p[0])):
        p[k % 2] *= 2.0
    return p[0] * p[1]


def of_two_lengths(A):
    row = A[0]
    A[1] = row
    row.append(2.0)
    return A[0][0]


@pytest.mark.parametrize("fn, arg, reason", [
    (of_two_lengths, [[1.0, 2.0], [3.0, 4.0]],
     "lists of the caller's that get other lengths, or stand in two places, are not supported"),
    (exchanged, Pair(Body(1.0, 2.0), Body(3.0, 4.0), 2.0), "an object that has another place, too, put into 'left' of"),
    (twice_in_it, Pair(Body(1.0, 2.0), Body(3.0, 4.0), 2.0), "an object that has another place, too, put into 'right'"),
    (at_a_number_by_the_path, {0: 1.0, 1: 2.0}, "a store at an index or a key that is not known at compile time"),
    (at_an_unknown_number, {0: 1.0, 1: 2.0}, "a key that is not known at compile time, of a dict that is changed in"),
    (on_some_paths, {"b": 1.0}, "the key 'c' that a dict of the caller's gets on some paths only"),
])  # fmt: skip
def test_refused(fn, arg, reason):
    with pytest.raises(srcad.UnsupportedError, match=re.escape(reason)):
        srcad.grad(fn)(arg)


def test_the_source_says_what_comes_beside():
    source = srcad.source(srcad.grad(methods), Body(1.0, 2.0), 0.1)
    assert "The new body.pos, body.vel come last" in " ".join(source.split())


def test_lint_without_types():
    assert not srcad.lint(attributes)
    assert not srcad.lint(attributes, Body(1.0, 2.0), 0.1)
