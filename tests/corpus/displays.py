"""Lists that are written out with others in them, and what is found in lists."""

import numpy as np

from tests.corpus import normal, program


@program(normal(5))
def list_of_others_and_more(x):
    ys = [v * v for v in x]
    zs = [x[0], *ys, x[1] * 2, *x]
    return sum((k + 1) * v for k, v in enumerate(zs)) * len(zs)


@program(normal(5))
def places_of_numbers(x):
    ks = [3, 1, 2, 1]
    return x[ks.index(2)] ** 2 + ks.count(1) * x[3]


@program(normal(5))
def place_of_the_largest(x):
    xs = [v * v for v in x]
    k = xs.index(max(xs))
    j = xs.index(min(xs))
    return x[k] ** 3 + x[j]


@program(normal(6))
def products_of_neighbours_in_a_list(x):
    ys = list(map(lambda a, b: a * b, x[:-1], x[1:]))
    zs = [*map(abs, x), *ys]
    return sum((k + 1) * v for k, v in enumerate(zs))


@program(normal(4))
def array_of_a_generator_and_more(a):
    return np.sum(np.array([0.0, *(v * v for v in a)]) ** 2)
