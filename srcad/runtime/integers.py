"""Counting functions of `math` that Numba lacks.

Their results may be larger than machine integers: compiled, those that count are floats, exact up to 2**53.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload, register_jitable


def factorial(n: int) -> int:
    """`math.factorial`

    >>> factorial(5)
    120
    """
    return math.factorial(n)


def permutations(n: int, k: int) -> int:
    """`math.perm` of two numbers.

    >>> permutations(5, 2)
    20
    """
    return math.perm(n, k)


def combinations(n: int, k: int) -> int:
    """`math.comb`

    >>> combinations(5, 2)
    10
    """
    return math.comb(n, k)


def integer_sqrt(n: int) -> int:
    """`math.isqrt`

    >>> integer_sqrt(17)
    4
    """
    return math.isqrt(n)


def integer_power(base: int, exponent: int) -> int:
    """``base ** exponent`` of integers, which compiled code has for exponents of zero and more.

    >>> integer_power(-2, 3)
    -8
    """
    return base**exponent


@overload(integer_power)
def _integer_power(base, exponent):
    def power(base, exponent):
        if exponent < 0:
            raise ValueError("Integers to negative integer powers are not allowed.")
        return base**exponent

    return power


@overload(factorial)
def _factorial(n):
    def product(n):
        if n < 0:
            raise ValueError("factorial() not defined for negative values")
        result = 1.0
        for i in range(2, n + 1):
            result *= i
        return result

    return product


@overload(permutations)
def _permutations(n, k):
    def product(n, k):
        if n < 0 or k < 0:
            raise ValueError("perm() not defined for negative values")
        result = 1.0
        for i in range(n - k + 1, n + 1):
            result *= i
        return result

    return product


@overload(combinations)
def _combinations(n, k):
    def product(n, k):
        if n < 0 or k < 0:
            raise ValueError("comb() not defined for negative values")
        result = 1.0 if k <= n else 0.0
        for i in range(1, min(k, n - k) + 1):
            result = result * (n - i + 1) / i
        return result

    return product


@overload(integer_sqrt)
def _integer_sqrt(n):
    def root(n):
        if n < 0:
            raise ValueError("isqrt() argument must be nonnegative")
        result = int(math.sqrt(n))
        while result * result > n:
            result -= 1
        while (result + 1) * (result + 1) <= n:
            result += 1
        return result

    return root


def bit_counts(x: Any) -> Any:
    """How many bits of the absolute value of integers are set.

    >>> bit_counts(np.array([6, -1, 0]))
    array([2, 1, 0], dtype=uint8)
    """
    return np.vectorize(lambda n: bin(abs(n)).count("1"), otypes=[np.uint8])(x)[()]


@register_jitable
def _bits(n):
    n, count = abs(n), 0
    while n != 0:
        n &= n - 1
        count += 1
    return np.uint8(count)


@overload(bit_counts)
def _bit_counts(x):
    if not isinstance(x, types.Array):
        return lambda x: _bits(x)

    def each(x):
        result = np.empty(x.shape, np.uint8)
        flat = result.reshape(-1)
        for k, element in enumerate(x.flat):
            flat[k] = _bits(element)
        return result

    return each


def subscripts(index, lengths):
    """The subscripts of elements that are counted in the order of axes of these lengths."""
    return np.unravel_index(index, lengths)
