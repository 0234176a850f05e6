"""Dicts and lists inside of others, changed where they are, under several names."""

from __future__ import annotations

import numpy as np

from tests.corpus import normal, program


@program(normal(3), tags="nojit")
def layers_of_a_network(x):
    layers = [{"W": np.outer(x, x), "b": x * 0.1}, {"W": np.outer(x, x) * 0.5, "b": x + 0.0}]
    for layer in layers:
        layer["W"] = layer["W"] * 0.9
        layer["b"] -= 0.1
    h = x
    for layer in layers:
        h = np.tanh(layer["W"] @ h + layer["b"])
    return np.sum(h)


@program(normal(3), 3)
def positions_and_velocities_by_name(x, n):
    state = {"pos": {"x": x[0], "y": x[1]}, "vel": {"x": 1.0, "y": x[2]}}
    for _ in range(n):
        state["pos"]["x"] += 0.1 * state["vel"]["x"]
        state["pos"]["y"] += 0.1 * state["vel"]["y"]
        state["vel"]["y"] -= 0.1 * state["pos"]["y"]
    return state["pos"]["x"] * state["pos"]["y"]


@program(normal(3), 3)
def two_by_two_in_lists(x, n):
    m = [[x[0], x[1]], [x[2], 1.0]]
    for _ in range(n):
        m[0][1] += 0.1 * m[1][0]
        m[1][0] = m[0][0] * m[0][1]
    return m[0][1] * m[1][0]


@program(normal(3))
def element_under_its_own_name(x):
    inner = {"u": x[0]}
    outer = {"a": inner, "b": {"u": 1.0}}
    outer["a"]["u"] = x[1] * x[2]
    inner["u"] *= x[0]
    other = outer["b"]
    other["u"] = inner["u"] * 2.0
    return outer["a"]["u"] * outer["b"]["u"] + inner["u"]


def doubled(parameters):
    parameters["a"]["u"] = parameters["a"]["u"] * 2


@program(normal(3), tags="nojit")
def structure_changed_by_a_function(x):
    parameters = {"a": {"u": x[0], "v": x[1]}, "b": x[2]}
    doubled(parameters)
    if x[0] > -9.0:
        parameters["a"]["v"] += parameters["b"]
    return parameters["a"]["u"] * parameters["a"]["v"]


class Network:
    def __init__(self, x):
        self.parameters = {"w": x * 1.0, "b": 2.0}
        self.layers = [x, x * 2]


@program(normal(3), tags="nojit")
def structures_of_an_object(x):
    net = Network(x)
    net.parameters["w"] = net.parameters["w"] * net.parameters["b"]
    net.parameters["b"] += 1.0
    net.layers[0] = net.layers[1] * 2
    return np.sum(net.parameters["w"]) * net.parameters["b"] + np.sum(net.layers[0])


@program(normal(3), tags="nojit")
def list_extended_under_two_names(x):
    q = [x[0], x[1]]
    p = q
    q += [x[2]]
    d = {"q": q}
    d["q"] += [x[1] * 2.0]
    p.append(x[0] ** 2)
    return sum(p) * len(q) + q[3] * d["q"][4]


@program(normal(3), tags="nojit")
def tuple_extended_under_one_name(x):
    t = (x[0],)
    u = t
    t += (x[1],)
    return sum(t) * sum(u) * len(u)
