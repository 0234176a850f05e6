"""Lists of tuples and objects whose elements others take the place of, which are put in order, and made anew."""

from dataclasses import dataclass

import numpy as np

from tests.corpus import normal, program


@dataclass
class Body:
    place: float
    speed: float

    def __iadd__(self, other):
        self.place += other.place
        self.speed += other.speed
        return self


@dataclass
class Pair:
    a: float
    b: float

    def __add__(self, other):
        return Pair(self.a + other.a, self.b + other.b)

    def __mul__(self, factor):
        return Pair(self.a * factor, self.b * factor)


@program(normal(6), tags="nojit")
def objects_added_in_place(x):
    bodies = [Body(a, a * a) for a in x]
    for k in range(6):
        bodies[k] += bodies[k - 1]
    return sum(body.place**2 * body.speed for body in bodies)


@program(normal(6), tags="nojit")
def objects_replaced_by_sums(x):
    pairs = [Pair(a, a * a) for a in x]
    last = pairs[2]
    for k in range(6):
        pairs[k] += pairs[k - 1]
        pairs[k] = pairs[k] * x[k]
    return sum(pair.a**2 * pair.b for pair in pairs) * last.a


@program(normal(6), tags="nojit")
def objects_of_a_short_list_replaced(x):
    pairs = [Pair(x[0], x[1]), Pair(x[2], x[3])]
    before = list(pairs)
    pairs[0] += pairs[1]
    pairs[-1] = pairs[1] * x[5]
    return pairs[0].a * pairs[1].b + before[0].a * before[1].b


@program(normal(6), 3, tags="nojit")
def objects_replaced_and_changed(x, n):
    bodies = [Body(a, a * a) for a in x]
    new = Body(x[0], x[1])
    bodies[n] = new
    new.place += 2.0
    bodies[3].speed *= 3.0
    for body in bodies:
        body += bodies[0]
    return new.place * new.speed * bodies[3].place + bodies[5].speed


@program(normal(6), tags="nojit")
def objects_in_a_dict_replaced(x):
    pairs = {"a": Pair(x[0], x[1]), "b": Pair(x[2], x[3])}
    same = pairs
    for k in range(3):
        pairs["a"] = pairs["a"] * x[k] + pairs["b"]
        pairs["b"] += same["a"]
    return same["a"].a * pairs["b"].b


@program(normal(6), tags="nojit")
def tuple_of_its_own_parts(x):
    pairs = [(a, 2 * a) for a in x]
    for k in range(6):
        pairs[k] = (pairs[k][1], pairs[k][0] * x[0])
    return sum(a * b * b for a, b in pairs)


@program(normal(6), tags="nojit")
def tuples_in_order_and_replaced(x):
    pairs = [(a * a, a * x) for a in x]
    for k in range(3):
        pairs = sorted(pairs, key=lambda pair: pair[0])
        pairs[-1] = (pairs[0][0] * 0.3, pairs[1][1] * x[k])
    return sum(a * b[0] for a, b in pairs)


@program(normal(6), tags="nojit")
def tuples_made_anew_on_some_paths(x):
    pairs = [(a * a, a) for a in x]
    for k in range(4):
        if x[k] > 0:
            pairs = [(a * 0.5 + x[k], b * a) for a, b in pairs if a > 0.1]
        else:
            pairs = sorted(pairs, key=lambda pair: pair[1])[:-1]
    return sum(a * b * (i + 1) for i, (a, b) in enumerate(pairs)) + len(pairs) * x[0]


@program(normal(6), tags="nojit")
def tuples_begun_again(x):
    pairs = []
    for k in range(4):
        pairs = pairs + [(x[k], x[k] ** 2)]
        pairs = [(b, a * x[k]) for a, b in pairs]
        if k == 2:
            pairs = []
    return sum(a * b * (i + 1) for i, (a, b) in enumerate(pairs))


@program(normal(6), tags="nojit")
def survivors_and_their_children(x):
    crowd = [(a * a, a) for a in x]
    for k in range(3):
        crowd = sorted(crowd)[:4]
        crowd = crowd + [((p[1] * 0.9 + x[k]) ** 2, p[1] * 0.9 + x[k]) for p in crowd[:2]]
    return sum(cost for cost, _ in crowd)


@program(normal(6), tags="nojit")
def list_of_tuples_in_a_list(x):
    pairs = [(a * a, a) for a in x]
    held = [pairs]
    pairs[0] = (x[0], x[1])
    return sum(a * b for part in held for a, b in part)


def cost(p, x):
    return (1 - p[0]) ** 2 + x[0] * (p[1] - p[0] ** 2) ** 2 + x[1] * p[0]


@program(normal(6), tags="nojit")
def nelder_mead_with_tuples(x):
    simplex = []
    for p in [np.array([0.0, 0.0]), np.array([1.0, 0.2]), np.array([0.1, 1.0])]:
        simplex.append((cost(p, x), p))
    for _ in range(4):
        simplex.sort(key=lambda pair: pair[0])
        middle = (simplex[0][1] + simplex[1][1]) / 2
        there = middle + x[2] * (middle - simplex[2][1])
        value = cost(there, x)
        if value < simplex[0][0]:
            further = middle + 2 * (middle - simplex[2][1])
            best = cost(further, x)
            simplex[2] = (best, further) if best < value else (value, there)
        elif value < simplex[1][0]:
            simplex[2] = (value, there)
        else:
            inside = middle + 0.5 * (simplex[2][1] - middle)
            within = cost(inside, x)
            if within < simplex[2][0]:
                simplex[2] = (within, inside)
            else:
                first = simplex[0][1]
                simplex = [simplex[0]] + [(cost(first + 0.5 * (p - first), x), first + 0.5 * (p - first))
                                          for _, p in simplex[1:]]  # fmt: skip
    simplex.sort(key=lambda pair: pair[0])
    return simplex[0][0]
