"""`heapq`, rows of lists that change places, and copies of lists of lists."""

from __future__ import annotations

import copy
import heapq

import numpy as np

from tests.corpus import normal, program


class Waiting:
    def __init__(self):
        self.items = []
        self.count = 0

    def push(self, rank, value):
        heapq.heappush(self.items, (rank, self.count, value))
        self.count += 1

    def pop(self):
        return heapq.heappop(self.items)


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)


class Bag:
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        return iter(self.items)


class Body:
    def __init__(self, mass):
        self.mass, self.pull = mass, 0.0


@program(normal(6), tags="nojit")
def merged_two_by_two(x):
    """What a Huffman tree costs; what is left of another heap, in its order."""
    heap = list(x**2)
    heapq.heapify(heap)
    cost = heapq.heapreplace(heap, x[0] * x[1] + 2.0) * heapq.heappushpop(heap, x[2])
    left = [k * v for k, v in enumerate(heap)]
    while len(heap) > 1:
        both = heapq.heappop(heap) + heapq.heappop(heap)
        cost += both**2
        heapq.heappush(heap, both)
    return cost + sum(left) + heapq.nsmallest(2, x)[1] * heapq.nlargest(1, x, key=lambda v: -v)[0]


@program(normal(5), tags="nojit")
def first_come_first_served(x):
    waiting = Waiting()
    for v in x:
        waiting.push(v * v, v)
    s = 0.0
    while waiting.items:
        rank, place, v = waiting.pop()
        s = 0.5 * s + rank * v * (place + 1)
    return s


@program(normal(3, 3), tags="nojit")
def eliminated_with_pivots(A):
    n = len(A)
    rows = [list(A[i]) + [1.0 + i] for i in range(n)]
    kept = copy.deepcopy(rows)
    for k in range(n):
        pivot = max(range(k, n), key=lambda r: abs(rows[r][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            for j in range(k, n + 1):
                rows[i][j] -= factor * rows[k][j]
    kept[0][1] *= kept[1][0]
    return rows[-1][-1] / rows[-1][-2] + kept[0][1] * A[0, 1]


@program(normal(3), tags="nojit")
def copied_with_all_inside(v):
    state = {"place": [v[0], v[1]], "speed": {"x": v[2]}}
    before = copy.deepcopy(state)
    state["place"][0] += state["speed"]["x"] * 2.0
    state["speed"]["x"] *= state["place"][0]
    return state["place"][0] * before["place"][0] + state["speed"]["x"] + before["speed"]["x"] ** 2


@program(normal(3), tags="nojit")
def pulled_by_those_behind(v):
    """A slice of a list of objects at a place that the loop around counts; a sum and a search of objects."""
    bodies = [Body(v[k] ** 2) for k in range(3)]
    for i, body in enumerate(bodies):
        for other in bodies[i + 1 :]:
            body.pull += other.mass * v[i]
            other.pull -= body.mass
    total = sum([Point(body.pull, body.mass) for body in bodies], Point(0.0, 1.0))
    return total.x * total.y + (v[0] if 3 in Bag([1, 3]) else 0.0)


@program(normal(4, 2), tags="nojit")
def sum_of_points(A):
    points = [Point(a, b) for a, b in A]
    total = sum(points, Point(0.0, 0.0))
    cuts = [len(A) // 3, len(A) - 1]
    first, middle, last = np.split(A[:, 0], cuts)
    return total.x * total.y + first.sum() * middle.prod() * last[0] * np.isscalar(first[0])


@program(normal(3, 3), tags="nojit")
def rows_that_change_places_in_a_dict(A):
    model = {"rows": [list(row) for row in A]}
    model["rows"][0], model["rows"][2] = model["rows"][2], model["rows"][0]
    model["rows"][0][1] *= 2.0
    return model["rows"][0][1] * model["rows"][1][1] + model["rows"][2][1] * A[2, 1]


@program(normal(4), 3, tags="nojit")
def rows_that_stand_twice_are_copied_once(v, n):
    rows = [[x * k for x in v] for k in range(n)]
    rows[0] = rows[1]
    rows[2].append(v[1])
    copied = copy.deepcopy(rows)
    copied[0][1] = v[0] * v[1]
    return copied[1][1] * rows[1][1] + copied[2][-1] ** 2


@program(normal(4), 3)
def one_array_computed_for_three_places(v, n):
    parts = [np.sin(v)] * 3
    parts[0][1] *= v[0]
    return parts[2][1] * parts[1][2]


@program(normal(3, 3), tags="nojit")
def eliminated_with_rows_of_an_array(A):
    rows, n, sign = A.tolist(), len(A), 1
    for k in range(n):
        pivot = max(range(k, n), key=lambda r: abs(rows[r][k]))
        if pivot != k:
            rows[k], rows[pivot] = rows[pivot], rows[k]
            sign = -sign
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            for j in range(k, n):
                rows[i][j] -= factor * rows[k][j]
    for k in range(n):
        sign *= rows[k][k]
    return sign * A[0, 0]


@program(0.9, 0.4, 0.7)
def heap_of_known_length(x, y, z):
    heap = [x, y, z]
    heapq.heapify(heap)
    s = heap[0] ** 2
    while heap:
        s = s * 0.5 + heapq.heappop(heap)
    return s
