"""The functions of `np.emath`: of real numbers for which the result is real, and of complex numbers.

NumPy gives complex results where one of the elements needs it. The dtype of a derivative does not hang on values: real
numbers give real ones here, and an error where NumPy's would be complex.
"""

from __future__ import annotations

import numpy as np

from srcad.library import instead_of


def below_zero(x):
    """Whether there is a number below zero; complex ones are not."""
    return False if np.iscomplexobj(x) else np.any(np.less(x, 0))


def beyond_one(x):
    """Whether there is a number beyond one on either side; complex ones are not."""
    return False if np.iscomplexobj(x) else np.any(np.abs(x) > 1)


@instead_of(np.emath.sqrt)
def sqrt(x):
    if below_zero(x):
        raise ValueError("np.emath.sqrt of a number below zero is complex: write np.sqrt(x + 0j)")
    return np.sqrt(x)


@instead_of(np.emath.log)
def log(x):
    if below_zero(x):
        raise ValueError("np.emath.log of a number below zero is complex: write np.log(x + 0j)")
    return np.log(x)


@instead_of(np.emath.log2)
def log2(x):
    if below_zero(x):
        raise ValueError("np.emath.log2 of a number below zero is complex: write np.log2(x + 0j)")
    return np.log2(x)


@instead_of(np.emath.log10)
def log10(x):
    if below_zero(x):
        raise ValueError("np.emath.log10 of a number below zero is complex: write np.log10(x + 0j)")
    return np.log10(x)


@instead_of(np.emath.logn)
def logn(n, x):
    if below_zero(n) or below_zero(x):
        raise ValueError("np.emath.logn of a number below zero is complex: write np.log(x + 0j) / np.log(n + 0j)")
    return np.log(x) / np.log(n)


@instead_of(np.emath.power)
def power(x, p):
    if below_zero(x):
        raise ValueError("np.emath.power of a number below zero is complex: write np.power(x + 0j, p)")
    return np.power(x, p)


@instead_of(np.emath.arccos)
def arccos(x):
    if beyond_one(x):
        raise ValueError("np.emath.arccos of a number beyond one is complex: write np.arccos(x + 0j)")
    return np.arccos(x)


@instead_of(np.emath.arcsin)
def arcsin(x):
    if beyond_one(x):
        raise ValueError("np.emath.arcsin of a number beyond one is complex: write np.arcsin(x + 0j)")
    return np.arcsin(x)


@instead_of(np.emath.arctanh)
def arctanh(x):
    if beyond_one(x):
        raise ValueError("np.emath.arctanh of a number beyond one is complex: write np.arctanh(x + 0j)")
    return np.arctanh(x)
