"""How the middle one of three axes is reduced, for compiled code: lines of totals, or rows of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import types
from numba.extending import overload, register_jitable

LINE = 2048  # elements of a line that stay in the cache
LONG = 256  # elements of a row from which on folding pays


def above(x: complex, y: complex) -> bool:
    """Whether a number is larger; of complex ones, the real parts decide first, as in NumPy.

    >>> above(2 + 1j, 2 + 0j), above(1.0, 2.0)
    (True, False)
    """
    return bool(np.real(x) > np.real(y) or (np.real(x) == np.real(y) and np.imag(x) > np.imag(y)))


@overload(above)
def _above(x, y):
    if isinstance(x, types.Complex):
        return lambda x, y: (x.real > y.real) | ((x.real == y.real) & (x.imag > y.imag))
    return lambda x, y: x > y


def reducer(
    begin: Callable, step: Callable, join: Callable | None = None, several: bool = False, logical: bool = False,
    last: bool | None = None,
) -> Callable:  # fmt: skip
    """What reduces the middle axis: `begin` makes a total of an element, `step` of it and another, `join` of two.

    With `several`, an element is a total, too, and the order makes no difference. Of `logical` totals, the compiler
    knows that by itself. If it is known whether the middle axis is the `last` one of the array, the other way, which
    takes as long to compile, is left out; columns of one element are reduced in the simplest way.
    """
    lines = _lines(begin, step, several)
    rows = _plain_rows(begin, step) if logical else _rows(begin, step, step if join is None else join)
    longer = _folded_rows(step, rows) if several else rows
    if last:
        return longer
    if last is False:
        longer = rows if logical else _columns(begin, step)

    @register_jitable
    def reduced(a, result):
        if a.shape[2] == 1:
            longer(a, result)
        else:
            lines(a, result)

    return reduced


def _lines(begin: Callable, step: Callable, several: bool) -> Callable:
    at_once = _lines_by_fours(step) if several else _no_lines

    @register_jitable
    def lines(a, result):
        before, count, behind = a.shape
        for i in range(before):
            for start in range(0, behind, LINE):
                stop = min(start + LINE, behind)
                total, row = result[i, start:stop], a[i, 0, start:stop]
                for j in range(stop - start):
                    total[j] = begin(row[j])
                for k in range(at_once(a[i], start, stop, total), count):
                    row = a[i, k, start:stop]
                    for j in range(stop - start):
                        total[j] = step(total[j], row[j])

    return lines


def _lines_by_fours(step: Callable) -> Callable:
    """Go through the line of totals once for four others; gives the number of the first line that is left."""

    @register_jitable
    def lines_by_fours(a, start, stop, total):
        end = 1 + (a.shape[0] - 1) // 4 * 4
        for k in range(1, end, 4):
            # Each is cut from its own line, as Numba knows those to lie together: vector instructions need that.
            row, second = a[k, start:stop], a[k + 1, start:stop]
            third, fourth = a[k + 2, start:stop], a[k + 3, start:stop]
            for j in range(total.size):
                total[j] = step(total[j], step(step(row[j], second[j]), step(third[j], fourth[j])))
        return end

    return lines_by_fours


@register_jitable
def _no_lines(a, start, stop, total):
    return 1


def _rows(begin: Callable, step: Callable, join: Callable) -> Callable:
    @register_jitable
    def rows(a, result):
        # Four totals go on at once, where one would wait for itself.
        before, count, _ = a.shape
        flat = a.reshape((before, count))
        for i in range(before):
            row = flat[i]
            total = result.dtype.type(begin(row[0]))
            first = 1
            if count >= 8:
                second, third = result.dtype.type(begin(row[1])), result.dtype.type(begin(row[2]))
                fourth = result.dtype.type(begin(row[3]))
                first = count // 4 * 4
                for k in range(4, first, 4):
                    total, second = step(total, row[k]), step(second, row[k + 1])
                    third, fourth = step(third, row[k + 2]), step(fourth, row[k + 3])
                total = join(join(join(total, second), third), fourth)
            for k in range(first, count):
                total = step(total, row[k])
            result[i, 0] = total

    return rows


def _columns(begin: Callable, step: Callable) -> Callable:
    @register_jitable
    def columns(a, result):
        before, count, _ = a.shape
        for i in range(before):
            total = result.dtype.type(begin(a[i, 0, 0]))
            for k in range(1, count):
                total = step(total, a[i, k, 0])
            result[i, 0] = total

    return columns


def _plain_rows(begin: Callable, step: Callable) -> Callable:
    @register_jitable
    def rows(a, result):
        before, count, _ = a.shape
        flat = a.reshape((before, count))
        for i in range(before):
            row = flat[i]
            total = begin(row[0])
            for k in range(1, count):
                total = step(total, row[k])
            result[i, 0] = total

    return rows


def _folded_rows(step: Callable, rows: Callable) -> Callable:
    """Of a long row, quarters are laid upon each other, and then half upon half, in vector instructions."""

    @register_jitable
    def folded(a, result):
        before, count, _ = a.shape
        if count < LONG:
            rows(a, result)
            return
        flat, quarter = a.reshape((before, count)), count // 4
        left = np.empty(quarter, result.dtype)
        for i in range(before):
            row, n = flat[i], quarter
            second, third, fourth = row[n : 2 * n], row[2 * n : 3 * n], row[3 * n : 4 * n]
            for j in range(n):
                left[j] = step(step(row[j], second[j]), step(third[j], fourth[j]))
            while n > 16:
                half = n // 2
                upper = left[half : 2 * half]
                if n % 2 == 1:
                    left[0] = step(left[0], left[n - 1])
                for j in range(half):
                    left[j] = step(left[j], upper[j])
                n = half
            total = left[0]
            for j in range(1, n):
                total = step(total, left[j])
            for j in range(4 * quarter, count):
                total = step(total, row[j])
            result[i, 0] = total

    return folded
