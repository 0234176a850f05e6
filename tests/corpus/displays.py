"""Lists that are written out with others in them, and what is found in lists."""

import numpy as np

from tests.corpus import normal, program


@program(normal(5), tags="nojit")
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


@program(normal(6), tags="nojit")
def products_of_neighbours_in_a_list(x):
    ys = list(map(lambda a, b: a * b, x[:-1], x[1:]))
    zs = [*map(abs, x), *ys]
    return sum((k + 1) * v for k, v in enumerate(zs))


@program(normal(4), tags="nojit")
def array_of_a_generator_and_more(a):
    return np.sum(np.array([0.0, *(v * v for v in a)]) ** 2)


@program(normal(4), tags="nojit")
def list_of_a_comprehension_behind_a_star(a):
    ys = [*[v * v for v in a]] + [a[1]]
    ys.append(a[0])
    return sum((k + 1) * v for k, v in enumerate(ys))


@program(normal(4), tags="nojit")
def tuples_with_stars(a):
    t = (*a[1:], 2.0)
    first, *others = (*t, a[0])
    b, c, d = (*a[:2], t[-1])
    return first * others[0] * b + c * d * len(others) + t[1]


def _weighted(scale, *values):
    return scale * sum((k + 1) * v for k, v in enumerate(values))


@program(normal(4), tags="nojit")
def rest_of_an_array_and_more(a):
    ys = [v * v for v in a]
    return _weighted(2.0, a[1], *ys, a[2], *a[2:]) * _weighted(*a)


@program(normal(4), tags="nojit")
def rest_without_what_parameters_take(a):
    positive = a[a > -100.0]
    return _weighted(*a) * _weighted(*positive) + _weighted(*(v * v for v in a))


@program(normal(5), tags="nojit")
def list_in_an_operation_with_differences(x):
    widths = [np.sort((x - x[i]) ** 2)[2] for i in range(len(x))]
    w = (x[:, None] - x[None, :]) ** 2 / widths
    return np.sum(np.exp(-w) * x)


@program(normal(4), tags="nojit")
def repeated_list_before_another(x):
    knots = [0.5 * x[0]] * 2 + list(x[1:-1] / x[-1]) + [x[1]] * 2
    return sum(k * knots[i] ** 2 for i, k in enumerate(knots))


class Line:
    def __init__(self, slope, height):
        self.slope, self.height = slope, height

    def at(self, x):
        return self.slope * x + self.height


@program(normal(2), normal(4, 2), tags="nojit")
def objects_of_rows_behind_a_star(v, A):
    last = Line(*v)
    return sum(Line(*row).at(last.slope) * last.height for row in A)
