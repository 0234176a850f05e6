"""What is gone through one after the other: itertools, iter and next, zip of several kinds."""

from __future__ import annotations

import itertools
import operator
from itertools import accumulate, chain, combinations, pairwise, product

import numpy as np

from tests.corpus import normal, program


@program(normal(4), tags="nojit")
def pairs_of_combinations(x):
    s = 0.0
    for a, b in combinations(x, 2):
        s += a * b**2
    for k, (a, b) in enumerate(itertools.permutations(x, 2)):
        s += k * a * b**3
    return s


@program(normal(4), tags="nojit")
def product_left_early(x):
    s = 0.0
    for i, j in product(range(4), range(4)):
        if i == j:
            continue
        if i + j > 5:
            break
        s += x[i] * x[j] ** 2
    else:
        s += 100.0 * x[0]
    for a, b in product(x[:2], repeat=2):
        s += a * b
    return s


@program(normal(5), tags="nojit")
def sums_and_products_accumulated(x):
    s = 0.0
    for v in accumulate(x, operator.mul, initial=2.0):
        s += v * v
    for v in accumulate(x):
        s += v**2
    return s * list(accumulate(x, max))[3] + sum(accumulate(x, lambda a, b: a * 0.5 + b))


@program(normal(5), normal(3), tags="nojit")
def chained_until_large(x, y):
    t = 1.0
    for a in chain(x[1:], [y[0] * 2, 3.0], y):
        if a > 5:
            break
        t = t * 1.1 + a * a
    return t + sum(v * v * k for k, v in enumerate(chain.from_iterable((x, y))))


@program(normal(5), normal(3), tags="nojit")
def neighbours_and_slices(x, y):
    s = np.max([a * b for a, b in pairwise(x)])
    for a in itertools.islice(x, 1, None, 2):
        s += a * a
    for a, b in itertools.zip_longest(x, y, fillvalue=1.5):
        s += a * a * b
    a, b, c = itertools.islice(x, 3)
    return s * a * b + c


@program(normal(6), tags="nojit")
def weights_in_turn(x):
    s = 0.0
    for a, w, k in zip(x, itertools.cycle((1.0, 4.0, 2.0)), itertools.count(1)):
        s += w * a * a * k
    for v in itertools.cycle(x):
        s += v * v
        if s > 90.0:
            break
    return s


@program(normal(6), tags="nojit")
def some_of_the_elements(x):
    s = sum(itertools.takewhile(lambda v: v < 0.8, x)) * sum(itertools.dropwhile(lambda v: v < 0.8, x))
    for v in itertools.filterfalse(lambda v: v > 0, x):
        s += v**3
    return s + sum(itertools.compress(x, [1, 0, 1, 0, 1, 1])) * sum(itertools.starmap(operator.mul, zip(x, x[1:])))


@program(normal(5))
def first_of_an_iterator(x):
    it = iter(x)
    low = high = next(it)
    for v in it:
        low, high = min(low, v), max(high, v)
    pairs = iter(zip(x, x[1:]))
    a, b = next(pairs)
    for c, d in pairs:
        a = a * c + b * d
    return (high - low) * a


@program(normal(4), tags="nojit")
def arrays_from_iterators(x):
    a = np.fromiter((v * v for v in x), dtype=np.float64)
    b = np.fromiter(map(np.sin, x), float, count=3)
    return np.sum(a[1:] * b)


@program(normal(4), tags="nojit")
def element_changed_while_it_is_gone_through(x):
    x = x.copy()
    for v in accumulate(x):
        x[3] = v * 0.1
    for k, a in enumerate(v * v for v in x):
        x[3] = a * k
    return np.sum(x**2)


def until(values, limit):
    total = 0.0
    for v in values:
        if total > limit:
            return
        total += v * v
        yield total


def levels(values):
    yield from until(values, 0.5)
    yield values[0] * values[-1]


@program(normal(4), tags="nojit")
def generator_functions_go_through(x):
    def pairs(n):
        for i in range(n):
            for j in range(i):
                if (i + j) % 3 == 0:
                    continue
                yield i, x[i] * x[j]

    s = 0.0
    for i, (k, w) in enumerate(pairs(len(x))):
        if i == 4:
            break
        s += w * k
    else:
        s = -s
    return s + sum(levels(x)) * max(until(x, 2.0)) + np.sum(np.array([a * a for a in levels(x)]))


@program(normal(4, 3), tags="nojit")
def weights_of_a_method_times_its_stages(a):
    stages = np.zeros((4, 3))
    y = a[0]
    for _ in range(2):
        for i in range(4):
            stages[i] = np.sin(a[i] + y)
        y = y + 0.1 * sum(b * k for b, k in zip((1 / 6, 1 / 3, 1 / 3, 1 / 6), stages))
    return np.sum(y**2)


@program(normal(4, 3), 3)
def weights_by_a_computed_index(a, n):
    weights = (0.5, 1.5, -2.0, 1.0)
    s = np.zeros_like(a[0])
    for i in range(n):
        s = s + weights[i] * a[i] ** 2
    return np.sum(np.sin(s))


@program(normal(3, 3), tags="nojit")
def ranges_as_indices(x):
    p = np.exp(x)
    p = p / np.sum(p, axis=1, keepdims=True)
    y = x * 2.0
    y[range(3), range(3)] = 0.0
    y[range(1, 3)] *= x[1, 1]
    return np.sum(np.log(p[range(len(x)), [2, 0, 1]])) + np.sum(y**2)


@program(normal(6), tags="nojit")
def ranges_under_a_name(x):
    order = range(1, len(x))
    s = 0.0
    for i in order:
        s += x[i] ** 2 * i
    for i, k in zip(reversed(order), order[::2]):
        s = s * 0.5 + x[i] * x[k]

    def total(places):
        return sum(x[i] for i in places)

    return s + sum([x[i] * i for i in order]) * len(order) + total(range(2, 5)) * x[order[-1]]


@program(normal(4), tags="nojit")
def generators_gone_through_once(v):
    def squares(u, by):
        for a in u:
            yield a * a * by

    def total(values):
        s = 0.0
        for k, value in enumerate(values):
            s += value * (k + 1)
        return s

    result = total(squares(v, 1.0))
    for k in range(2):
        found = squares(v, k + 2.0)
        result += max(found) * (k + 1)
        if v[0] < 100.0:
            found = itertools.accumulate(v)
            result += sum(found) ** 2
    return result


class Powers:
    def __init__(self, base):
        self.base = base

    def up_to(self, n):
        for k in range(n):
            yield self.base**k

    @property
    def few(self):
        yield self.base
        yield self.base**2


@program(0.7, tags="nojit")
def generator_methods_gone_through_once(x):
    powers = Powers(x)

    def weighted(values):
        return sum(v * (k + 1) for k, v in enumerate(values))

    def twice(gen):
        return sum(gen(3)) * sum(gen(4))

    found = powers.up_to(4)
    s = weighted(found) + twice(powers.up_to)
    table = {"up": powers.up_to}
    for k in range(2, 4):
        s += max(table["up"](k)) + sum(powers.few)
    return s


class Pair:
    def __init__(self, first, second):
        self.first, self.second = first, second

    def __iter__(self):
        return iter([self.first, self.second])


class Bag:
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        return iter(self.items)

    def __len__(self):
        return len(self.items)


@program(0.4, 1.5, tags="nojit")
def objects_that_are_gone_over(a, b):
    pair, total = Pair(a, b), 0.0
    for item in pair:
        pair.second = 3.0
        total += item * item
    for k, item in enumerate(pair):
        total += k * item * a
    for weight, item in zip([0.5, 2.0], Bag([a * b, a, b])):
        total += weight * item**2
    return total * sum(Pair(a * b, b)) * max(pair) + list(Bag([a, b]))[1]


@program(normal(5), 3, tags="nojit")
def bags_of_any_size(x, n):
    items, total = [], 0.0
    for k in range(n):
        items.append(x[k] * k)
    bag = Bag(items)
    for item in bag:
        total += item * x[-1]
        for other in bag:
            total += item * other
    return total * len(bag)
