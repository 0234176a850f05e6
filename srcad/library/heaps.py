"""`heapq`: lists whose smallest element comes first, in the order in which that module leaves them."""

from __future__ import annotations

import heapq

from srcad.library import instead_of


def pushed(heap):
    """A heap that has got another element at its end."""
    raised(heap, 0, len(heap) - 1)


def raised(heap, start, k):
    """A heap whose element at place k goes up, as far as to `start`, past those that it is smaller than."""
    item = heap[k]
    while k > start:
        above = (k - 1) // 2
        if not item < heap[above]:
            break
        heap[k] = heap[above]
        k = above
    heap[k] = item


def lowered(heap, start):
    """A heap with another element at a place: the smaller ones below it move up, and it goes up from there again."""
    n = len(heap)
    item = heap[start]
    k = start
    below = 2 * k + 1
    while below < n:
        if below + 1 < n and not heap[below] < heap[below + 1]:
            below = below + 1
        heap[k] = heap[below]
        k = below
        below = 2 * k + 1
    heap[k] = item
    raised(heap, start, k)


def popped(heap, last):
    """The smallest element, of a heap from which the last one has been taken."""
    if len(heap) > 0:
        result = heap[0]
        heap[0] = last
        lowered(heap, 0)
    else:
        result = last
    return result


@instead_of(heapq.heapify)
def heapify(heap):
    for k in range(len(heap) // 2 - 1, -1, -1):
        lowered(heap, k)


@instead_of(heapq.heapreplace)
def heapreplace(heap, item):
    result = heap[0]
    heap[0] = item
    lowered(heap, 0)
    return result


@instead_of(heapq.heappushpop)
def heappushpop(heap, item):
    result = item
    if len(heap) > 0 and heap[0] < item:
        result = heap[0]
        heap[0] = item
        lowered(heap, 0)
    return result


@instead_of(heapq.nsmallest)
def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[:n]


@instead_of(heapq.nlargest)
def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[:n]
