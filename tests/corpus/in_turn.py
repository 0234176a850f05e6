"""What loops take when its turn comes, and what before: items of dicts that loops change, and what is combined."""

import collections
import itertools

import numpy as np

from tests.corpus import normal, program


def tied(d, value):
    d["c"] = value


@program(normal(3), tags="nojit")
def items_that_the_loop_changes(v):
    d = {"a": v[0], "b": v[1], "c": v[2]}
    other, s, p = d, 0.0, 1.0
    for k, (name, a) in enumerate(d.items()):
        s += a * (k + 1.0)
        d["c"] = s * 2.0 if name == "a" else d["c"] * v[0]
    for (_, a), x in zip(d.items(), v):
        s += a * x
        tied(d, s)
    for a in d.values():
        s += a * a
        other["b"] = s
    for pair in zip(d.values(), d.items()):
        s += pair[0] * pair[1][1]
        other["b"] = v[2] * s
    for name, a in d.items():
        p = p * a
        d[name] = a + p
    for a in list(d.values()):
        s += a
        d["c"] = 0.5
    return s * p + d["a"] * d["c"]


@program(normal(3), tags="nojit")
def items_that_generators_and_targets_change(v):
    d, e, s = {"a": v[0], "b": v[1], "c": v[2]}, {"x": v[1], "y": v[2]}, 0.0
    for a in (x * x for x in d.values()):
        s += a
        d["c"] = s
    for a in (x * y for x in d.values() for y in e.values()):
        s += a
        e["y"] = s * 0.5
    for k, d["c"] in d.items():
        s += d["c"] * d["b"] * len(k)
    return s + d["c"]


class Model:
    def __init__(self, v):
        self.p = {"w": v[0], "b": v[1], "c": v[2]}

    def tie(self, s):
        self.p["c"] = s

    def total(self):
        s = 0.0
        for name, a in self.p.items():
            s += a * len(name)
            self.tie(s * a)
        return s


@program(normal(3), tags="nojit")
def items_that_a_method_changes(v):
    d = {k: v[k] for k in range(3)}
    counts, s = collections.defaultdict(float), Model(v).total()
    for k in range(4):
        counts[k % 3] += v[k % 3] * k
    for k, a in d.items():
        s += a * (k + 1)
        d[2] = s * 2.0

    def last(a):
        counts[2] = a

    for a in counts.values():
        s += a
        last(s)
    return s + d[2] * counts[2]


@program(normal(2), tags="nojit")
def arrays_that_a_loop_over_items_changes(v):
    params = {"w": v * 1.0, "b": v * 2.0}
    speed = {"w": v**2, "b": v**3}
    for _ in range(2):
        for name, g in params.items():
            speed[name] = 0.9 * speed[name] + g
            params["b"][:] = params["b"] - 0.1 * speed["w"]
            params["w"] = params["w"] * 0.5
    return np.sum(params["w"] * speed["b"]) + np.sum(params["b"])


@program(normal(3), tags="nojit")
def combined_before_the_loop_changes_it(v):
    w, rows, s = v.copy(), np.outer(v, v), 0.0
    for a, b in itertools.combinations(w, 2):
        s += a * b
        w[2] = s
    for a, b in itertools.product(w, w):
        s += 0.1 * a * b
        w *= 0.9
    for k, (a, b) in enumerate(itertools.permutations(w, 2)):
        s += 0.1 * k * a * b
        w[k % 3] = s
    for a, b in itertools.combinations(rows, 2):
        s += a @ b
        rows[2, 0] = s

    def poke(k):
        w[k] = w[k] * 0.5

    numbers = [v[0], v[1] * 2.0, v[2]]
    for a, b in itertools.combinations_with_replacement(numbers, 2):
        s += a * b * w[0]
        numbers[1] = s
        poke(0)
    return s + np.sum(w) + numbers[1]


@program(normal(3), tags="nojit")
def asked_for_their_class(v):
    found, last, lists = {}, collections.deque(maxlen=2), collections.defaultdict(list)
    rows, first = [], {"x": v[0]}
    again = first
    again["x"] = v[1] * v[2]
    for k in range(3):
        found[k % 2] = v[k]
        last.append(v[k])
        lists[k % 2].append(v[k])
        rows.append(v[k:])
    s = found[0] if isinstance(found, dict) and type(found) is dict else 5.0 * v[0]
    s = s + last[0] * v[0] if isinstance(last, collections.deque) and not isinstance(last, list) else v[2]
    s = s + lists[0][1] ** 2 if isinstance(lists, dict) and isinstance(lists[0], list) else v[0]
    s = s + np.sum(rows[1]) * v[0] if isinstance(rows, (list, tuple)) else v[0]
    s = s + again["x"] if isinstance(first, collections.abc.Mapping) else v[0]
    return s if type(lists) is not dict and isinstance(lists, collections.defaultdict) else v[0]


def tree_map(f, *trees):
    if isinstance(trees[0], dict):
        return {k: tree_map(f, *[t[k] for t in trees]) for k in trees[0]}
    if isinstance(trees[0], (list, tuple)):
        return [tree_map(f, *parts) for parts in zip(*trees)]
    return f(*trees)


def inner_of(part, otherwise):
    return part["c"] if isinstance(part, dict) else otherwise


@program(normal(3), tags="nojit")
def trees_that_go_with_each_other(v):
    """What a comprehension puts into a list behind a star is a dict, a list or an array, and is asked which."""
    trees = [{"a": v, "b": [v[0], {"c": v[1]}]}, {"a": v + 1.0, "b": [2.0, {"c": v[2]}]}]
    made = tree_map(lambda p, q: p * q, *trees)
    parts = [t["b"][1] for t in trees]
    return np.sum(made["a"]) + made["b"][0] * made["b"][1]["c"] + inner_of(parts[1], 5.0)
