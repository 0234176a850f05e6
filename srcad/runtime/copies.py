"""What NumPy makes of ``target[...] = source`` where the two overlap."""

from __future__ import annotations

import numpy as np
from numba.extending import overload, register_jitable

from srcad.runtime.overlap import address, overlaps


def received(target: np.ndarray, source: np.ndarray) -> np.ndarray:
    """Which element of `source` each element of the vector `target` holds after ``target[...] = source``.

    NumPy copies vectors element by element: from the back where the target begins inside of the source, else from the
    front. Where the two overlap in unlike strides, elements are read that have been written to already.

    >>> a = np.arange(6)
    >>> received(a[::2], a[:3])
    array([0, 1, 1])
    >>> a[::2] = a[:3]
    >>> a[::2]
    array([0, 1, 1])
    """
    if not _in_turn(target, source) or not overlaps(target, source):
        return _each(target, source)
    if target.dtype != source.dtype:
        raise ValueError("a vector is copied into one of another dtype that overlaps it: take a copy of it first")
    places = [x.__array_interface__["data"][0] for x in (target, source)]
    return _received(target, source, places[0], places[1])


@overload(received)
def _received_compiled(target, source):
    if getattr(source, "dtype", None) != target.dtype:

        def other(target, source):
            if _in_turn(target, source) and overlaps(target, source):
                raise ValueError(
                    "a vector is copied into one of another dtype that overlaps it: take a copy of it first"
                )
            return _each(target, source)

        return other

    def same(target, source):
        if not _in_turn(target, source) or not overlaps(target, source):
            return _each(target, source)
        return _received(target, source, address(target), address(source))

    return same


@register_jitable
def _in_turn(target, source):
    """Whether the elements are copied one after the other, in steps of unlike length."""
    a, b = target.strides[0], source.strides[0]
    return target.shape[0] == source.shape[0] and a != b and a * b > 0


@register_jitable
def _each(target, source):
    """Every element receives its own; a single one goes to all."""
    return np.arange(target.shape[0]) if target.shape == source.shape else np.zeros(target.shape[0], np.int64)


@register_jitable
def _received(target, source, begin, start):
    n, step, stride = target.shape[0], target.strides[0], source.strides[0]
    flipped = step < 0
    if flipped:
        begin, start, step, stride = begin + (n - 1) * step, start + (n - 1) * stride, -step, -stride
    backwards = start < begin < start + n * stride
    order = np.arange(n)
    for count in range(n):
        k = n - 1 - count if backwards else count
        place = start + k * stride - begin
        written = place // step
        if place % step == 0 and 0 <= written < n and (written > k if backwards else written < k):
            order[k] = order[written]
    return n - 1 - order[::-1] if flipped else order
