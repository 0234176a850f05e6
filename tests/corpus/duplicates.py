"""``copy.deepcopy`` of objects, and of what holds one array or one object in several places."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np

from tests.corpus import normal, program


class Body:
    def __init__(self, mass, speed):
        self.mass = mass
        self.speed = speed

    def energy(self):
        return np.sum(self.mass * self.speed**2)


class Model:
    def __init__(self, weights, activation):
        self.weights = weights * 1.0
        self.same = self.weights
        self.activation = activation
        self.body = Body(weights[0], weights[1])
        self.log, self.rates = [weights[0]], {"a": weights[1]}

    def step(self, by):
        self.body.speed += by
        self.log.append(by * by)
        return self.body.energy()


@dataclass
class Layer:
    weights: np.ndarray
    bias: float
    body: Body


@program(normal(3), tags="core nojit")
def deep_copy_of_a_model(v):
    one = Model(v, np.sin)
    other = copy.deepcopy(one)
    other.weights[0] = 5.0 * v[1]
    other.body.mass, other.rates["a"] = 3.0, v[2]
    total = one.step(v[0]) * other.step(v[2]) + one.activation(other.body.mass * one.body.speed)
    return total + other.same[0] * one.same[0] + sum(other.log) * sum(one.log) + other.rates["a"] * one.rates["a"]


@program(normal(3), tags="nojit")
def deep_copy_of_a_dataclass(v):
    one = Layer(v * 2.0, v[0], Body(v[1], v[2]))
    other = copy.deepcopy(one)
    other.weights[1] *= 3.0
    other.body.speed += v[0]
    other.bias = v[1]
    return np.sum(one.weights * other.weights) + one.body.energy() * other.body.energy() + one.bias * other.bias


@program(normal(3), tags="nojit")
def deep_copy_of_one_object_in_two_places(v):
    body = Body(v[0], v[1])
    bodies = copy.deepcopy([body, Body(v[1], v[2]), body])
    bodies[0].speed = 7.0 * v[2]
    pair = copy.deepcopy(Body(body, body))
    pair.mass.speed = v[2] ** 2
    return bodies[2].energy() + body.energy() * bodies[1].mass + pair.speed.energy()


@program(normal(3), tags="nojit")
def best_state_so_far(v):
    body = Body(v[0], v[1])
    best, states = copy.deepcopy(body), []
    for k in range(3):
        body.speed = body.speed * 0.5 + v[k]
        body.mass += 0.1 * body.speed
        states.append(copy.deepcopy(body))
        if body.energy() > best.energy():
            best = copy.deepcopy(body)
    return best.energy() * 2.0 + body.mass + best.speed + sum(state.speed**3 for state in states)


@program(normal(3), tags="nojit")
def deep_copy_of_one_array_under_two_names(v):
    a = v * 1.0
    b = a
    listed, named = copy.deepcopy([a, b]), copy.deepcopy({"p": a, "q": b})
    listed[0][0] = 5.0 * v[1]
    named["p"][0] = 3.0 * v[1]
    return listed[1][0] * v[2] + a[0] + named["q"][0] * v[0]
