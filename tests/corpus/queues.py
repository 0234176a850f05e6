"""Lists that are cut off and extended: queues, windows, stacks; slices and sums of lists and tuples."""

from __future__ import annotations

import collections

import numpy as np

from tests.corpus import normal, program


@program(normal(2), 4)
def delay_line(x, n):
    queue = [x[0], x[1], x[0] * x[1]]
    for i in range(n):
        y = queue[0] * 0.5 + queue[-1] ** 2 * 0.1
        queue = queue[1:] + [y]
    return queue[0] * queue[1] + queue[2]


@program(normal(2), 4, tags="nojit")
def delay_line_in_a_tuple(x, n):
    queue = tuple(x[i % 2] for i in range(3))
    for i in range(n):
        queue = (queue[-1] * 0.5 + queue[0],) + queue[:-1]
    return queue[0] * queue[1] + queue[2]


@program(normal(2), 4, 3)
def delay_line_of_unknown_length(x, n, k):
    queue = [x * i for i in range(k)]
    for i in range(n):
        y = queue[0] * 0.5 + queue[-1] ** 2 * 0.1 + x[1]
        queue = queue[1:] + [y]
    return sum(queue[0] ** 2 + queue[1])


@program(normal(2), 4)
def two_numbers_that_are_three(x, n):
    queue = [x[0]] * 3
    for i in range(n):
        y = queue[0] * 0.5 + queue[-1] ** 2 * 0.1 + x[1]
        queue = [y] + queue[:2]
    return queue[0] ** 2 + queue[1]


@program(normal(6), 3, tags="nojit")
def moving_window(x, k):
    history = []
    s = 0.0
    for v in x:
        history.append(v)
        history = history[-k:]
        s += sum(history) * v
    return s


@program(normal(6), 0)
def window_of_nothing_cut_off(x, k):
    xs = list(x)
    for i in range(3):
        xs = xs[-k:] + [x[i] * i]
    return xs[0] * xs[1] ** 2 + sum(xs[3:])


@program(normal(4))
def polynomial_of_roots_in_a_list(c):
    p = [1.0]
    for r in c:
        p = [0.0] + p
        for i in range(len(p) - 1):
            p[i] -= r * p[i + 1]
    return p[0] + 2 * p[1] + p[2] ** 2


@program(normal(6))
def window_of_a_nested_function(x):
    hist = [x[0]]

    def push(v):
        nonlocal hist
        hist = hist[-2:] + [v]

    for v in x:
        push(v * hist[0])
    return sum(hist)


class Recent:
    def __init__(self):
        self.values = []


@program(normal(6), tags="nojit")
def window_of_an_object(x):
    recent = Recent()
    for v in x:
        recent.values.append(v * v)
        if len(recent.values) > 3:
            recent.values = recent.values[1:]
    return sum(recent.values) * recent.values[0]


@program(normal(6), tags="nojit")
def runs_of_positive_numbers(x):
    totals = []
    run = []
    for v in x:
        if v > 0:
            run.append(v)
        else:
            totals.append(sum(run) ** 2)
            run = []
    return sum(totals) + sum(run)


@program(normal(6))
def list_taken_apart(x):
    rest = list(x)
    s = 0.0
    while rest:
        first, rest = rest[0], rest[1:]
        s = s * 0.5 + first * first
    return s


@program(normal(3))
def slices_of_lists_are_copies(x):
    xs = [x[0], x[1], x[2], 1.0]
    while len(xs) > 2:
        ys = xs[1:]
        ys[0] = 7.0 * xs[1]
        a = np.asarray(ys)
        a[1] = 3.0 * xs[2]
        xs = [u * v for u, v in zip(ys, xs)]
    return xs[0] * xs[1] + len(xs)


@program(normal(6))
def arrays_of_lists_are_copies(x):
    xs = [x[0]]
    for v in x:
        xs.append(v)
    a = np.asarray(xs)
    a[0] = x[1] * 2.0
    xs[2] = x[2] * 3.0
    return np.sum(a) * sum(xs)


@program(normal(3, 2), tags="nojit")
def sum_of_rows_that_are_lists(A):
    rows = A.tolist()
    joined = rows[0] + rows[1]
    return joined[0] * joined[3] + len(joined) * A[0, 0]


@program(normal(3), normal(4, 3), tags="nojit")
def rows_unpacked(x, A):
    a, *rest = x
    s = a * rest[1]
    for u, v, w in A:
        s += u * v + w * rest[0]
    return s


@program(normal(5), normal(3))
def list_of_two_arrays_under_one_name(x, y):
    values = []
    row = x
    for v in row:
        values.append(v)
    row = y
    for v in row:
        values.append(v)
    s = 0.0
    for k in range(len(values)):
        s += k * values[k] ** 2
    return s


@program(normal(4), 0.3, tags="nojit")
def deque_from_both_ends(x, c):
    from_left, n, s = collections.deque([x[0], c]), 0, 0.0
    while from_left and n < 9:
        a = from_left.popleft()
        s += a * a * (1.0 + from_left[-1] if from_left else 2.0)
        if n % 3 == 1:
            from_left.appendleft(a * x[1])
        if n < 6:
            from_left.append(np.sin(a) * x[n % 4])
        n += 1
    recent = collections.deque(x, maxlen=3)
    recent.rotate(1)
    recent.extend((s, c))
    return s + max(recent) * sum(v * v for v in recent) + recent.pop() * len(recent)
