"""`bisect`: where a number belongs in a list that is in order."""

from __future__ import annotations

import bisect

from srcad.library import instead_of


@instead_of(bisect.bisect_right)
def bisect_right(a, x, lo=0, hi=None):
    first, last = lo, len(a) if hi is None else hi
    while first < last:
        middle = (first + last) // 2
        if x < a[middle]:
            last = middle
        else:
            first = middle + 1
    return first


@instead_of(bisect.bisect_left)
def bisect_left(a, x, lo=0, hi=None):
    first, last = lo, len(a) if hi is None else hi
    while first < last:
        middle = (first + last) // 2
        if a[middle] < x:
            first = middle + 1
        else:
            last = middle
    return first
