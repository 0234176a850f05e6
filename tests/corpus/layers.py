"""Lists and dicts of objects that are changed, under several names, too."""

from __future__ import annotations

import numpy as np

from tests.corpus import normal, program


class Scale:
    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        return x * self.w


class Shift:
    def __init__(self, b):
        self.b = b

    def __call__(self, x):
        return np.tanh(x + self.b)


class Dense:
    def __init__(self, W, b):
        self.W, self.b = W, b

    def __call__(self, x):
        return np.tanh(self.W @ x + self.b)


class Sequence:
    def __init__(self):
        self.layers = []

    def add(self, layer):
        self.layers.append(layer)

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Perceptron(Sequence):
    def __init__(self, sizes, p):
        super().__init__()
        k = 0
        for n, m in zip(sizes[:-1], sizes[1:]):
            W = p[k : k + n * m].reshape(m, n)
            k += n * m
            self.layers.append(Dense(W, p[k : k + m]))
            k += m


class ByName:
    def __init__(self, w):
        self.parts = {}
        self.parts["in"] = Scale(w)
        self.parts["out"] = Shift(w)

    def __call__(self, x):
        return self.parts["out"](self.parts["in"](x))


@program(normal(14), normal(3), tags="nojit")
def layers_appended_to_an_attribute(p, x):
    return np.sum(Perceptron([3, 2, 2], p)(x) ** 2)


@program(0.7, normal(3), tags="nojit")
def layers_added_by_a_method(w, x):
    net = Sequence()
    layers = net.layers
    net.add(Scale(w))
    layers.append(Shift(2.0 * w))
    same = net
    same.add(Scale(w * w))
    return np.sum(net(x)) * len(layers)


@program(0.7, normal(3), tags="nojit")
def layers_in_a_dict_that_an_object_holds(w, x):
    return np.sum(ByName(w)(x))


@program(0.7, tags="nojit")
def list_of_objects_under_two_names(x):
    first = [Scale(x)]
    second = first
    second += [Scale(2.0 * x)]
    first.insert(0, Scale(3.0 * x))
    taken = second.pop(1)
    third = first
    third = third + [Scale(x)]
    first[0] = Scale(x * x)
    return sum(each.w**2 for each in second) * taken.w + len(first) * x + len(third)


@program(0.7, tags="nojit")
def list_of_objects_and_copies_of_it(x):
    first = [Scale(x), 2.0 * x]
    second = list(first)
    third = first.copy()
    second.append(Scale(x * x))
    first.extend([3.0 * x, Scale(x)])
    return len(first) * x + len(second) * x**2 + len(third) * x**3 + second[2].w


@program(0.7, tags="nojit")
def list_of_objects_that_a_dict_holds(x):
    net = {"layers": [], "scale": x}
    layers = net["layers"]
    net["layers"].append(Scale(x))
    layers.append(Scale(2.0 * x))
    net["layers"][0] = Scale(x * x)
    pair = layers, x

    def more(found):
        found.append(Scale(3.0 * x))
        return len(pair[0])

    return more(layers) * sum(each.w for each in net["layers"]) * net["scale"]


@program(0.7, tags="nojit")
def dict_of_objects_under_two_names(x):
    first = {0: Scale(x), 1: Scale(2.0 * x)}
    second = first
    second[0] = Scale(3.0 * x)
    second.update({2: Scale(x * x)})
    first.setdefault(3, Scale(x))
    gone = second.pop(1)
    return sum(each.w**2 for each in first.values()) * gone.w + len(second) * x


@program(0.7, tags="nojit")
def lists_of_objects_made_twice(x):
    def made():
        found = []
        found.append(Scale(x))
        found.append(Scale(x * x))
        return found

    one, two = made(), made()
    one.append(Scale(3.0 * x))
    one, two = two, one
    two[0].w = two[0].w * x
    return len(one) * x + sum(each.w for each in two) + one[0].w


@program(normal(3, 3), normal(3, 3), normal(3, 3), normal(3), tags="nojit")
def caches_by_layer(w1, w2, w3, x):
    weights = {"W1": w1, "W2": w2, "W3": w3}
    cache = {"A0": x}
    layers = len(weights)
    for layer in range(1, layers + 1):
        z = np.dot(weights["W" + str(layer)], cache["A" + str(layer - 1)])
        cache["Z%d" % layer] = z  # noqa: UP031
        cache["A" + str(layer)] = np.tanh(z) if layer < layers else 1 / (1 + np.exp(-z))
    return np.sum(cache["A" + str(layers)]) + np.sum(cache["Z1"])


@program(normal(3, 3), normal(3), normal(3, 3), normal(3), normal(2, 3), tags="nojit")
def layers_by_written_out_numbers(w1, b1, w2, b2, x):
    weights = {("W", 1): w1, ("b", 1): b1, ("W", 2): w2, ("b", 2): b2}
    named, last = {}, 0
    for layer in (1, 2):
        x = np.tanh(x @ weights["W", layer] + weights["b", layer])
        last += 1
        named[f"h{last:02d}"] = x
    return np.sum(x) + np.sum(named["h01"] ** 2) * named["h{:02d}".format(len(weights) // 2)][0, 0]  # noqa: UP032


@program(normal(), normal())
def keys_counted_by_a_function(x, y):
    values, k = {"w1": x, "w2": y}, 1

    def following():
        nonlocal k
        k += 1
        return values["w1"] * k

    s = values[f"w{k}"] ** 2
    for _ in range(2):
        s += following()
    return s + y * k
