"""Objects, dicts and texts that a key puts into order, or of which a computed index picks one."""

from __future__ import annotations

import numpy as np

from tests.corpus import normal, program


class Item:
    def __init__(self, value, weight):
        self.value = value
        self.weight = weight

    def rate(self):
        return self.value / self.weight


NAMES = ["low", "mid", "high"]
SHARES = {"low": 1.0, "mid": 2.0, "high": 3.0}


@program(1.3, 2.5, 0.7, tags="core nojit")
def few_objects_in_order(a, b, c):
    items = [Item(a, 3.0), Item(b, 1.0), Item(c, 2.0)]
    total = 0.0
    for rank, item in enumerate(sorted(items, key=lambda item: -item.rate())):
        total += (rank + 1) * item.value * item.weight
    return total


@program(1.3, 2.5, 0.7, tags="nojit")
def few_objects_sorted_and_changed(a, b, c):
    items = [Item(a, 3.0), Item(b, 1.0), Item(c, 2.0)]
    ranked, others = sorted(items, key=Item.rate), items
    ranked[0].value = 7.0 * a
    items[1].weight = b * b
    items.sort(key=lambda item: item.value)
    return ranked[0].rate() * 2.0 + ranked[2].rate() * others[0].value + items[1].value * ranked[1].weight


@program(1.3, 2.5, 0.7, tags="nojit")
def few_objects_sorted_in_a_loop(a, b, c):
    items, total = [Item(a, 3.0), Item(b, 1.0), Item(c, 2.0)], 0.0
    for _ in range(4):
        items.sort(key=lambda item: item.value)
        items[0].value += 1.1 * a
        total += items[0].rate() * items[2].value
    return total


@program(1.3, 2.5, 0.7, tags="nojit")
def objects_of_a_dict_in_order(a, b, c):
    items = {"u": Item(a, 3.0), "vv": Item(b, 1.0), "www": Item(c, 2.0)}
    total = 0.0
    for item in sorted(items.values(), key=lambda item: item.rate()):
        total = 0.5 * total + item.value
    for name, item in sorted(items.items(), key=lambda pair: pair[1].value):
        total = 0.5 * total + item.value * len(name)
    return total


@program(1.3, 2.5, 0.7, tags="nojit")
def numbers_sorted_by_a_key(a, b, c):
    xs = [a, b * b, c]
    xs.sort(key=lambda t: -t)
    return xs[0] + 2.0 * xs[1] + 3.0 * xs[2] * a


@program(0.7, 2.0, tags="nojit")
def keys_in_the_order_of_values(x, y):
    table = {"u": x * y, "v": x + y, "w": x}
    ranked = sorted(table, key=table.get, reverse=True)
    for name in sorted(table, key=lambda name: table[name])[:2]:
        table[name] *= 3.0
    return table[ranked[0]] - 2.0 * table[ranked[2]] * table["u"]


@program(normal(3), tags="core nojit")
def texts_at_a_computed_index(v):
    name = NAMES[int(np.argmin(v))]
    if name == "mid":
        return v[1] ** 2 * SHARES[name]
    return v[0] * v[2] * SHARES[name] * len(name)


@program(normal(3), tags="nojit")
def texts_in_a_computed_order(v):
    total = 0.0
    for k in np.argsort(v):
        name = NAMES[k]
        total = 0.5 * total + v[k] * SHARES[name] * {"low": 1.5, "mid": 2.5, "high": 0.5}[name]
        if name.startswith("m"):
            total *= 2.0
    return total + v[0] * ("low", "high")[-1 if v[0] > v[1] else 0].count("h")


@program(normal(3), tags="nojit")
def texts_listed_in_a_computed_order(v):
    total = 0.0
    for name in [NAMES[k] for k in np.argsort(v)]:
        total = 0.5 * total + v[1] * SHARES[name]
        if name.startswith("m"):
            total *= v[0]
    return total


@program(normal(2), normal(4), normal(6), tags="core nojit")
def likeliest_states(starts, moves, signs):
    observed, states = ("normal", "cold", "dizzy"), ("Healthy", "Fever")
    start_p = {"Healthy": starts[0] ** 2, "Fever": starts[1] ** 2}
    trans_p = {a: {b: moves[2 * i + j] ** 2 for j, b in enumerate(states)} for i, a in enumerate(states)}
    emit_p = {a: {o: signs[3 * i + j] ** 2 for j, o in enumerate(observed)} for i, a in enumerate(states)}
    V = [{}]
    for st in states:
        V[0][st] = {"prob": start_p[st] * emit_p[st][observed[0]], "prev": None}
    for t in range(1, len(observed)):
        V.append({})
        for st in states:
            best, selected = V[t - 1][states[0]]["prob"] * trans_p[states[0]][st], states[0]
            for prev_st in states[1:]:
                prob = V[t - 1][prev_st]["prob"] * trans_p[prev_st][st]
                if prob > best:
                    best, selected = prob, prev_st
            V[t][st] = {"prob": best * emit_p[st][observed[t]], "prev": selected}
    last = max(states, key=lambda st: V[-1][st]["prob"])
    return V[-1][last]["prob"] * (2.0 if V[-1][last]["prev"] == "Fever" else 1.0) + V[1]["Fever"]["prob"]


@program(normal(3), tags="nojit")
def texts_in_dicts_that_grow(v):
    table = [{}, {}]
    for t in range(2):
        kind = "up" if v[t] > 0.0 else "down"
        table[t]["last"] = {"size": v[t] ** 2, "kind": kind}
        table.append({})
    return table[1]["last"]["size"] * v[2] * (2.0 if table[0]["last"]["kind"] == "up" else 1.0) * len(table)
