"""Long nests of loops that pick from lists and tuples of known length, and what else picks from these."""

import math

import numpy as np

from tests.corpus import normal, program


@program(1.3, (0, 1, 2, 1, -1))
def numbers_picked_by_places(r, ks):
    pos = [0.0, r, r * r]
    s = 0.0
    for i in range(len(ks)):
        for j in range(len(ks)):
            s += np.sin(pos[ks[i]]) * pos[ks[j]]
    return s


@program(1.3, normal(4), True)
def picked_from_a_list_of_one_path(r, x, flag):
    s = r
    if flag:
        w = [r, 2.0 * r]
    for k in range(len(x)):
        if flag:
            s += w[k % 2] ** 2 * x[k]
    return s


@program(1.3, normal(4), False)
def picked_from_no_list(r, x, flag):
    s = r
    if flag:
        w = [r, 2.0 * r]
    for k in range(len(x)):
        if flag:
            s += w[k % 2] ** 2 * x[k]
    return s + np.sum(x)


@program(1.3, normal(5))
def picked_from_lists_that_take_turns(r, x):
    w = [r, 2.0 * r]
    s = 0.0
    for k in range(len(x)):
        s += w[k % 2] ** 2 * x[k]
        w = [w[1], w[0] * r]
    for k in range(len(x)):
        s += w[k % 2] * x[k]
    return s + w[0]


@program(1.3, normal(5))
def picked_while_there_are_more(r, x):
    w = [r, 2.0 * r]
    s, n = 0.0, 0
    while n < len(x):
        s += w[n % 2] ** 2 * w[0] * x[n]
        n += 1
    w[0] = s
    for k in range(len(x)):
        s += w[k % 2] * x[k]
    return s


@program(1.3, 0.7)
def sums_over_exponents(r, z):
    ex, co, pos = [0.16, 0.62, 3.4], [0.44, 0.53, 0.15], [0.0, r]
    g = np.zeros((2, 2))
    for i in range(2):
        for j in range(2):
            for p in range(3):
                for q in range(3):
                    for t in range(3):
                        a, b = ex[p] * z, ex[q] * z + ex[t]
                        power = -a * b / (a + b) * (pos[i] - pos[j]) ** 2
                        g[i, j] += co[p] * co[q] * co[t] * math.exp(power)
    return np.sum(g**2)


@program(1.3, 0.7)
def sums_over_tuples_of_numbers(r, z):
    basis = [(0.16 * z, 0.44, 0.0), (0.62 * z, 0.53, r), (3.4, 0.15, 2 * r)]
    s = 0.0
    for a, c, u in basis:
        for b, d, v in basis:
            for e, f, w in basis:
                for g, h, y in basis:
                    s += c * d * f * h * math.exp(-a * b / (a + b) * (u - v) ** 2 - e * g / (e + g) * (w - y) ** 2)
                    s += u * v
    return s


@program(1.3, 0.7)
def list_that_a_long_nest_changes(r, z):
    w = [r, z, r * z]
    s = 0.0
    for i in range(3):
        for j in range(3):
            for k in range(3):
                for m in range(3):
                    s += w[i] * w[j] + w[k] * w[m] ** 2
                    w[i] = 0.1 * w[j] + 0.01 * s
    return s + w[2]


@program(1.3, 0.7)
def matrices_of_unlike_shapes_in_a_long_nest(r, z):
    layers = [np.array([[r, z], [z, 1.0]]), np.array([[r, z, 1.0], [z, r, 2.0]])]
    s = 0.0
    for i in range(2):
        for j in range(2):
            for k in range(2):
                for m in range(2):
                    for n in range(2):
                        a, b = layers[i], layers[j]
                        s += a[0, 0] * b[1, 1] + np.sum(layers[k]) * np.sum(layers[m] ** 2) * layers[n][0, 1]
    return s


@program(1.3, 0.7)
def appended_in_a_long_nest(r, z):
    out = []
    ws = [r, z, r + z]
    for i in range(3):
        for j in range(3):
            for k in range(3):
                for m in range(3):
                    out.append(ws[i] * ws[j] - ws[k] * ws[m] ** 2)
                    out.append(ws[i])
    return sum(out) + out[5]


@program(1.3, 0.7, tags="nojit")
def functions_picked_in_a_long_nest(r, z):
    fs = [math.sin, math.cos, math.exp]
    s = 0.0
    for i in range(3):
        for j in range(3):
            for k in range(3):
                for m in range(2):
                    s += fs[i](r) * fs[j](z) + fs[k](r * z) * fs[m](z - r)
                    s *= 0.99
    return s


@program(1.3, 0.7)
def long_nest_that_is_left(r, z):
    w = [r, z, r * z]
    s = 0.0
    for i in range(3):
        for j in range(i + 1, 3):
            for k in range(3):
                for m in range(3):
                    if w[i] > w[j]:
                        continue
                    s += w[i] * w[j] + w[k] * w[m] ** 2
                    if s > 40:
                        break
    return s * i + j


@program(1.3, 0.7)
def none_among_numbers_in_a_long_nest(r, z):
    w = [r, None, z]
    s = 0.0
    for i in range(3):
        for j in range(3):
            for k in range(3):
                for m in range(3):
                    if w[i] is not None and w[k] is not None:
                        s += w[i] * w[k] ** 2
                        s += 0.1 * i * j * m
    return s


@program(1.3, 0.7, tags="nojit")
def arrays_among_numbers_in_a_long_nest(r, z):
    w = [r, np.array([z, r]), z]
    s = 0.0
    for i in range(3):
        for j in range(3):
            for k in range(3):
                s += np.sum(w[i]) * np.sum(w[k]) ** 2 + np.sum(w[j])
                s += 0.1 * i * j
                s *= 0.99
                s -= 0.01 * k
    return s


@program(normal(3, 2), ((0, 1), (1, 2), (2, 0), (0, 2)), wrt="x")
def edges_in_a_long_nest(x, edges):
    s = 0.0
    for i, j in edges:
        for k, m in edges:
            for n, p in edges:
                d, e = x[i] - x[j], x[k] - x[m]
                s += d @ e + x[n, 0] * x[p, 1]
                s += np.sum(d)
    return s


def _turn(v):
    c, s = np.cos(v[2]), np.sin(v[2])
    return np.array([[c, -s, v[0]], [s, c, v[1]], [0.0, 0.0, 1.0]])


def _back(t):
    out = np.eye(3)
    out[:2, :2] = t[:2, :2].T
    out[:2, 2] = -t[:2, :2].T @ t[:2, 2]
    return out


@program(normal(4, 3), normal(4, 3), ((0, 1), (1, 2), (2, 3), (3, 0)), wrt="poses seen", tags="nojit")
def edges_between_poses(poses, seen, edges):
    cost = 0.0
    for k, (i, j) in enumerate(edges):
        e = _back(_turn(seen[k])) @ (_back(_turn(poses[i])) @ _turn(poses[j]))
        cost += np.sum(e[:2, 2] ** 2) + np.arctan2(e[1, 0], e[0, 0]) ** 2
    return cost


@program(1.3, 0.7, tags="nojit")
def keys_in_a_long_nest(r, z):
    d = {"w0": r, "w1": z * r}
    s = 0.0
    for i in range(2):
        for j in range(2):
            for k in range(2):
                for m in range(2):
                    for n in range(2):
                        s += d[f"w{i}"] * d[f"w{j}"] + d[f"w{k}"] * d[f"w{m}"] ** 2 * d[f"w{n}"]
                        s *= 0.9
    return s


@program(1.3, 0.7, tags="nojit")
def known_keys_in_a_long_nest(r, z):
    d = {"a": r, "b": z * r}
    s = 0.0
    for a in d:
        for b in d:
            for c in ("a", "b"):
                for e in d.values():
                    for f, v in d.items():
                        s += d[a] * d[b] + d[c] * e**2 * d[f] * v
                        s *= 0.9
    return s


class _Layer:
    def __init__(self, w, b):
        self.w = w
        self.b = [b, 2.0 * b]


@program(1.3, 0.7, tags="nojit")
def objects_in_a_long_nest(r, z):
    layers = [_Layer(r, z), _Layer(z, r * z)]
    s = 0.0
    for i in range(2):
        for j in range(2):
            for k in range(2):
                for m in range(2):
                    for n in range(2):
                        s += layers[i].w * layers[j].b[k] + layers[m].b[n] ** 2
                        layers[i].b[j] += 0.01 * s
                        s *= 0.9
    return s
