"""Functions of numbers that Numba lacks, or that raise there and do not in NumPy, written as what it has."""

import math
import operator

import numpy as np

from srcad.rules.dtypes import is_complex
from srcad.rules.rule import lowers
from srcad.runtime import combinations, factorial, integer_sqrt, permutations


@lowers(operator.truediv)
def quotient(a, b):
    # Numba raises where Python's own complex numbers are divided by zero; NumPy does not.
    if is_complex(a, b):
        return np.divide(a, b)


@lowers(math.factorial)
def factorial_of(n):
    return factorial(n)


@lowers(math.comb)
def comb_of(n, k):
    return combinations(n, k)


@lowers(math.perm)
def perm_of(n, k=None):
    return factorial(n) if k is None else permutations(n, k)


@lowers(math.isqrt)
def isqrt_of(n):
    return integer_sqrt(n)
