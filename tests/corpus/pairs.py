"""Lists that grow of tuples with tuples in them, and dicts with tuples for keys: sparse matrices, edges, paths."""

import collections
import heapq

import numpy as np

from tests.corpus import normal, program, uniform

Point = collections.namedtuple("Point", "x y")


@program(uniform(1, 2, 3), 4, tags="nojit")
def sparse_assembly(k, n):
    entries = {}
    for e in range(n - 1):
        for a in (0, 1):
            for b in (0, 1):
                key = (e + a, e + b)
                entries[key] = entries.get(key, 0.0) + (k[e] if a == b else -k[e])
    y = 0.0
    for (i, j), v in entries.items():
        y += v * v * (i + 1.0) * j
    return y


@program(uniform(1, 2, 4), 4, tags="nojit")
def pairs_sorted_by_their_keys(k, n):
    d = {}
    for e in range(n):
        d[(n - e, e % 2)] = k[e]
    s = 0.0
    for q, ((i, j), v) in enumerate(sorted(d.items())):
        s = 0.5 * s + v * v * (q + 1.0) * i + j
    best, b = max(d.items(), key=lambda item: item[1]), max(d, key=d.get)
    return s * best[1] * best[0][0] + b[0] * d[b] ** 2


@program(uniform(1, 2, 4), 4, tags="nojit")
def memo_that_begins_at_a_pair(k, n):
    memo = {(0, 0): k[0] ** 2, (0, 1): 1.5}
    for i in range(1, n):
        memo[i, i - 1] = memo[i - 1, max(i - 2, 0)] * k[i] + memo.get((i, 0), memo[0, 1])
    return memo[n - 1, n - 2] + sum(v * (i + 2 * j) for (i, j), v in memo.items())


@program(uniform(1, 2, 4), 4, tags="nojit")
def keys_with_pairs_in_them(k, n):
    d = {}
    for e in range(n):
        d[e, (e % 2, 1)] = k[e] ** 2
    turned = {(b, a): v for (a, (b, c)), v in d.items() if v > 1.7}
    return sum(v * a * (b + 1.0) * c for (a, (b, c)), v in d.items()) + sum(v * b for (a, b), v in turned.items())


@program(uniform(1, 2, 8), 8, tags="nojit")
def keys_with_pairs_in_them_again(k, n):
    d = {}
    for e in range(n):
        d[e % 2, (e % 3, 1)] = k[e] ** 2
    return sum(v * a for (a, (b, c)), v in d.items()) + d[1, (1, 1)]


@program(normal(4), 4, tags="nojit")
def pairs_in_pairs(k, n):
    xs = []
    for e in range(n):
        xs.append(((e, k[e]), k[e] * 2.0))
    for q in range(n):
        (i, a), b = xs[q]
        xs[q] = ((i, a * b), a + b)
    xs[0], xs[1] = xs[1], xs[0]
    return sum((q + 1) * a * b for q, ((i, a), b) in enumerate(xs))


@program(normal(4), 4, tags="nojit")
def pairs_of_what_lists_hold(k, n):
    ends = []
    for e in range(n):
        ends.append((e + 1.0, k[e]))
    xs = []
    for end in ends:
        xs.append((end, Point(end[1] ** 2, k[0])))
    return sum(i * a * p.x * p.y for (i, a), p in xs) + xs[-1][1].x


@program(normal(4), 4, tags="nojit")
def stack_of_pairs(k, n):
    stack = [((0, k[0]), 1.0)]
    s = 0.0
    while stack:
        (i, a), w = stack.pop()
        s += a * a * w
        if i < n - 1:
            stack.append(((i + 1, a * k[i]), w * 0.5))
            if i % 2 == 0:
                stack.append(((min(i + 2, n - 1), a + k[i]), w * 0.25))
    return s


@program(uniform(1, 2, 4), 4, tags="nojit")
def least_of_pairs_in_pairs(k, n):
    heap, xs = [], []
    for e in range(n):
        heapq.heappush(heap, (k[e], (e, k[e] ** 2)))
        xs.append(((k[e], e), k[e] * 3.0))
    s = 0.0
    while heap:
        cost, (i, z) = heapq.heappop(heap)
        s = s * 0.5 + cost * z + i
    (low, where), value = min(xs)
    return s * low * value + where


@program(normal(4), 3, tags="nojit")
def arrays_in_pairs_in_lists(k, n):
    xs = []
    for e in range(n):
        xs.append((e + 1.0, (k * e, k[e])))
    total = np.zeros(4)
    for i, (v, w) in xs:
        total = total + np.sin(v) * w * i
    return np.sum(total)
