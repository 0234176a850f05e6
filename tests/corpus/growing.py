"""Lists of which nobody knows how long they get, lists that loops begin, and tuples that grow."""

import copy
import functools
import math
import operator

import numpy as np

from tests.corpus import normal, program


@program(0.7)
def appended_until_it_is_large(x):
    xs = [x]
    while xs[-1] < 50.0:
        xs.append(xs[-1] * 1.1 + x)
    s = 0.0
    for v in xs:
        s += v * v
    return s / len(xs)


@program(normal(5), tags="nojit")
def appended_in_two_loops(x):
    xs = [x[0] + 1]
    for i in range(5):
        v = xs[-1]
        while v < 4.0 + i:
            v = v * 1.3 + x[i] ** 2 + 0.1
            xs.append(v * x[1])
        xs.append(v * v)
        xs.append(xs[0] * 0.1)
    s = 0.0
    for k in range(len(xs)):
        s += xs[k] * xs[len(xs) - 1 - k]
    return s


@program(normal(5), tags="nojit")
def overwritten_while_it_grows(x):
    xs = [x[0]]
    while len(xs) < 25:
        xs.append(xs[-1] * 0.9 + x[1])
        xs[len(xs) // 2] = xs[-1] * xs[len(xs) // 2]
    return sum(xs) * xs[3]


@program(normal(5), tags="nojit")
def inserted_while_it_grows(x):
    xs = [x[0]]
    while len(xs) < 15:
        xs.insert(0, xs[0] * 0.9 + x[1] * xs[-1])
        xs.insert(1, x[2])
    return sum(xs) * xs[3] + xs[1] * xs[2]


@program(normal(5), tags="nojit")
def slice_of_a_list_that_grows(x):
    xs = [x[0]]
    while len(xs) < 12:
        xs.append(xs[-1] * 0.5 + x[2])
    ys = xs[3:10]
    ys.append(x[0])
    xs[4] = x[3]
    while len(xs) < 16:
        xs.append(sum(ys) * xs[-1] * 0.1)
    return sum(xs) * ys[1] * ys[-1]


@program(normal(4), tags="nojit")
def states_until_there_are_enough(x):
    states = [np.outer(x, x)]
    while len(states) < 20:
        states.append(states[-1] @ states[0] * 0.1 + states[len(states) // 2])
        states[len(states) // 3][1] *= x[2]
    return np.sum(states[-1]) + np.trace(states[5])


@program(normal(5), tags="nojit")
def stack_of_intervals(x):
    stack = [(0, 5, 1.0)]
    s = 0.0
    while stack:
        a, b, w = stack.pop()
        if b - a == 1:
            s += w * x[a] ** 2
        else:
            m = (a + b) // 2
            stack.append((a, m, w * x[a]))
            stack.append((m, b, w * 0.5))
    return s


@program(normal(5), tags="nojit")
def list_begun_in_an_iteration(x):
    s = 0.0
    for i in range(3):
        for k in range(len(x)):
            if k == 0:
                xs = []
            xs.append(x[k] * x[i])
        s += sum(xs) * xs[-1]
    return s


@program(normal(5), tags="nojit")
def list_that_the_last_iteration_made(x):
    for i in range(3):
        xs = []
        for k in range(i + 1):
            xs.append(x[k] * x[i])
    return xs[0] * xs[-1] + len(xs)


@program(normal(5), 2, tags="nojit")
def lists_of_two_lengths(x, n):
    if n > 1:
        xs = [x[0]]
    elif n > 0:
        xs = []
    else:
        xs = [x[1], x[2] * 2]
    for i in range(len(x)):
        if len(xs) > 0:
            xs.append(x[i] * xs[-1])
    return xs[-1] + xs[0] * len(xs)


@program(normal(5), tags="nojit")
def lists_of_two_lengths_in_a_loop(x):
    s = 0.0
    for i in range(4):
        if i % 2:
            xs = [x[i]]
        else:
            xs = [x[i], x[0] * 2]
        xs.append(x[1])
        for v in xs:
            s += v * v * len(xs)
    return s


@program(normal(5), tags="nojit")
def tuple_that_grows(x):
    t = ()
    for i in range(len(x)):
        t = t + (x[i] ** 2,)
    s = 0.0
    for v in t:
        s += v * v
    return s * t[-1]


@program(normal(5), tags="nojit")
def tuple_that_grows_under_two_names(x):
    t = (x[0], x[1])
    first = t
    for i in range(len(x)):
        t += (x[i] * t[-1], 2.0)
    return sum(t) * sum(first) + len(first)


@program(normal(5), tags="nojit")
def rows_changed_in_many_ways(x):
    rows = [[], [], []]
    for i in range(5):
        rows[i % 3].append(x[i] ** 2)
        rows[(i + 1) % 3].insert(0, x[i])
    rows[0].reverse()
    s = rows[0].pop() * rows[1].pop(0)
    rows[0][1] = rows[2][-1] * x[0]
    del rows[1][0]
    rows[2] += [x[1], x[2] * 3]
    for row in rows:
        t = 0.0
        for k in range(len(row)):
            t += row[k] * (k + 1)
        s += t * t
    return s + np.sum(rows[2])


@program(normal(5), tags="nojit")
def row_under_a_name_of_its_own(x):
    rows = [[x[0]], [x[1], x[2]]]
    row = rows[0]
    for i in range(4):
        rows[i % 2].append(x[i] * row[-1])
        row.append(x[i])
    return sum(row) * rows[0][2] + rows[1][-1]


@program(normal(5), tags="nojit")
def rows_that_swap_and_grow(x):
    rows = [[x[0]], [x[1], x[2]], []]
    for i in range(4):
        rows[2].append(x[i])
        rows[0], rows[2] = rows[2], rows[0]
        rows[i % 3].append(x[4] * x[i])
    s = 0.0
    for row in rows:
        s += sum(row) ** 2 * (len(row) + 1)
    return s


@program(normal(5), tags="nojit")
def inserted_in_order(x):
    xs = [x[0]]
    for v in x[1:]:
        k = 0
        while k < len(xs) and xs[k] < v:
            k += 1
        xs.insert(k, v)
    s = 0.0
    for i in range(len(xs)):
        s += xs[i] * (i + 1)
    return s


@program(normal(5), tags="nojit")
def inserted_before_the_end(x):
    xs = []
    for i in range(6):
        xs.insert(-1, x[i % 5] * (i + 1))
        xs.insert(i - 4, x[i % 5])
        xs.insert(i + 5, x[0])
    s = 0.0
    for i in range(len(xs)):
        s += xs[i] * (i + 1) ** 2
    return s


@program(normal(5), tags="nojit")
def shallow_copy_of_a_list_that_grows(x):
    xs = []
    for i in range(5):
        xs.append(x[i] ** 2)
    ys = copy.copy(xs)
    for i in range(5):
        ys.append(xs[i] * 2)
    zs = ys.copy()
    zs.append(x[0])
    xs[0] = x[1]
    return sum(ys) * xs[0] * len(xs) + sum(zs)


@program(normal(5), tags="nojit")
def queue_of_states(x):
    queue = [x]
    s = 0.0
    n = 0
    while queue and n < 6:
        v = queue.pop(0)
        s += np.sum(v * v)
        queue.append(v * 0.5)
        queue.append(v + 1.0)
        n += 1
    return s


@program(normal(5), tags="nojit")
def last_steps_of_a_minimiser(x):
    steps = []
    changes = []
    g = x.copy()
    z = x
    for _ in range(4):
        q = g.copy()
        factors = []
        for i in range(len(steps) - 1, -1, -1):
            a = np.dot(steps[i], q) / np.dot(steps[i], changes[i])
            factors.append(a)
            q = q - a * changes[i]
        factors.reverse()
        for i in range(len(steps)):
            b = np.dot(changes[i], q) / np.dot(steps[i], changes[i])
            q = q + (factors[i] - b) * steps[i]
        new = z - 0.1 * q
        g_new = new + 0.1 * new**3
        steps.append(new - z)
        changes.append(g_new - g)
        if len(steps) > 2:
            steps.pop(0)
            changes.pop(0)
        z, g = new, g_new
    return np.sum(z * z)


@program(normal(5), 3, tags="nojit")
def last_of_the_lists_that_a_loop_begins(x, n):
    total = 0.0
    for k in range(n):
        path = [total, 1.0]
        for v in x:
            path.append(path[-1] * 0.5 + v * (k + 1))
        total += path[-1]
        doubled = [0.0] * len(x)
        for i in range(len(x)):
            doubled[i] = path[i] * path[i + 1]
    return total + sum(p * p for p in path) + sum(doubled)


@program(normal(4), 0.7)
def elements_changed_by_what_is_popped(x, y):
    values = list(x)
    while len(values) > 2:
        values[0] += y * values.pop()
    values[-1] *= y + values.pop()
    return values[0]


@program(normal(4), tags="nojit")
def products_and_reductions_of_a_list_that_grows(x):
    xs, pairs = [], []
    for v in x:
        if v > -10.0:
            xs.append(v * v + 0.1)
            pairs.append((v, v * 2.0))
    total = functools.reduce(lambda a, b: a * b + 1.0, xs, 2.0) + functools.reduce(operator.mul, xs)
    total += functools.reduce(lambda a, p: a + p[0] * p[1], pairs, 0.0)
    return total + math.prod(xs) * math.prod(xs[1:], start=2.0) + math.fsum(xs) + math.dist(xs, x)


def _products(x, k, begin, path):
    if len(path) == k:
        return math.prod(path)
    s = 0.0
    for j in range(begin, len(x)):
        path.append(x[j])
        s += _products(x, k, j + 1, path)
        path.pop()
    return s


@program(normal(4), 2, tags="nojit")
def elementary_symmetric_polynomial_by_paths(x, k):
    return _products(x, k, 0, [])


# ---------------------------------------------------------------- lists that an if makes and that the same if reads


@program(1.3, 5, tags="nojit")
def made_and_read_under_one_condition(x, n):
    y = x
    if n > 3:
        ys = []
        for i in range(n):
            ys.append(x * i)
    for k in range(2):
        if n > 3:
            y += ys[k + 1] * sum(ys) + len(ys) * x
    return y


@program(1.3, 1, tags="nojit")
def made_under_a_condition_that_does_not_hold(x, n):
    if n > 3:
        ys, pairs = [], [(x, 1.0)]
        for i in range(n):
            ys.append(x * i)
            pairs.append((ys[-1], x * i))
    else:
        a = x
    if n > 3:
        return ys[1] * ys[2] + sum(a * b for a, b in pairs)
    return a * a


@program(1.3, True, True, tags="nojit")
def made_and_changed_under_one_condition(x, flag, shorter):
    if flag:
        ys, pairs = [], [(x, 1.0)]
        for i in range(5):
            ys.append(x * i + 1.0)
            pairs.append((ys[-1], x * i))
        if shorter:
            ys.pop()
    y = x
    for k in range(2):
        if flag:
            ys[k] = ys[k + 1] * ys[2]
    if flag:
        for a, b in pairs:
            y += a * b * ys[0]
        while len(ys) > 2:
            y += ys.pop()
    if flag and len(ys) > 1:
        y += ys[-1] * len(ys)
    return y


class _Kept:
    def __init__(self, x, keep):
        self.keep = keep
        if keep:
            self.values = []
            for i in range(4):
                self.values.append(x * i)

    def product(self):
        return self.values[2] * self.values[1] if self.keep else 1.0


@program(1.3, True, tags="nojit")
def attribute_made_and_read_under_one_condition(x, keep):
    return _Kept(x, keep).product()


@program(1.3, True, tags="nojit")
def made_under_a_condition_and_anew_in_a_loop(x, flag):
    if flag:
        ys = [x, x * 2.0, x * 3.0]
    y = x
    for _k in range(2):
        if flag:
            y += ys[1] * ys[2] * 0.1
            ys = [y, y * 2.0, y * 3.0]
    return y


@program(1.3, False, tags="nojit")
def made_under_no_condition_and_anew_in_a_loop(x, flag):
    if flag:
        ys = [x, x * 2.0, x * 3.0]
    y = x
    for k in range(3):
        if k > 0 and (flag or k > 1):
            y += ys[1] * ys[2]
        ys = [y, y * 2.0, y * k]
    return y


@program(normal(4), tags="nojit")
def lists_that_branches_begin_and_others_grow(x):
    verbose, s = x[0] > -9.0, 1.0
    if verbose:
        log, ys = [], [1.0]
    for v in x:
        s *= v
        if verbose:
            log.append(s * s)
            ys.append(v)
    if verbose:
        return log[0] * log[-1] + s + sum(ys) * len(log)
    return s


@program(normal(4), tags="nojit")
def lists_that_some_of_three_branches_begin(x):
    if x[0] > 9.0:
        pts = []
    elif x[0] > -9.0:
        pts = [(1.0, x[0])]
    if x[0] > -9.0:
        for i, v in enumerate(x):
            pts.append((i, v))
        return sum(a * b * b for a, b in pts)
    return x[0]
