"""Loops over all places of arrays whose number of axes is not written, and loops that rebind what they go over."""

from __future__ import annotations

import itertools

import numpy as np

from tests.corpus import integers, normal, program


def weighted(A):
    s = 0.0
    for place in np.ndindex(A.shape):
        s += A[place] ** 2 * (place[0] + 1)
    return s


@program(normal(3, 2), normal(4), normal(2, 3, 2), tags="nojit")
def squares_at_all_places(A, v, B):
    largest = max(A[place] * A[0, 0] for place in np.ndindex(*A.shape) if place[0] != place[1])
    return weighted(A) * weighted(v.reshape(2, 2)) + weighted(B[:, ::2]) + weighted(v) + largest


@program(normal(2, 3), tags="nojit inplace")
def places_and_elements(A):
    B = np.zeros_like(A)
    for place, a in np.ndenumerate(A):
        B[place] = a * a * (place[1] + 1)
        A[place] = a * A[0, 0]
    for k, place in enumerate(np.ndindex(A.shape)):
        if k == 4:
            break
        B[place] *= A[place]
    return np.sum(A * B) + sum(a * (i - j) for (i, j), a in np.ndenumerate(B))


@program(normal(2, 3, 2), 3, tags="nojit")
def vectors_at_all_places(A, n):
    s = 0.0
    for place in np.ndindex(A.shape[:2]):
        s += np.sum(A[place]) ** 2
    for place in np.ndindex(n):
        s *= 1.0 + 0.1 * A[0, place[0], 1]
    return s


@program(normal(4), tags="nojit")
def pairs_of_what_is_rebound(v):
    s = 0.0
    for a, b in itertools.product(v, v):
        s += a * b * b
        v = v * 0.9
    for a, b in itertools.combinations(v, 2):
        s += a * b
        v = v * s
    for (i,), a in np.ndenumerate(v):
        s += a * i
        v = v * 0.5
    return s


def scaled(row, by):
    for k in range(len(row)):
        row[k] *= by


@program(normal(4), normal(4, 4), integers(4, 4), normal(4), tags="nojit inplace")
def block_raveled_after_rows_moved(x, A, k, y):
    if k[0] < 2:
        x[k] -= y[k[0]]
    else:
        u, w = x, A.flat[k * 2]
        for _ in range(3):
            A[k, k[::-1]] += x
            u, w = w, u
    v = A[1:3, 1:3].ravel()
    scaled(A[1], 0.5)
    return np.sum(v * v)
