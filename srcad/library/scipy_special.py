"""Functions of `scipy.special` in terms of others."""

from __future__ import annotations

import numpy as np
from scipy import special

from srcad.library import instead_of, known, refuse
from srcad.library.axes import chosen
from srcad.runtime import (
    cosine_integral, fresnel_cosine, fresnel_sine, hyperbolic_cosine_integral, hyperbolic_sine_integral, sine_integral,
    stop_gradient,
)  # fmt: skip


@instead_of(special.logsumexp)
def logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False):
    if return_sign and (np.iscomplexobj(a) or np.iscomplexobj(b)):
        return refuse("scipy.special.logsumexp of complex numbers with return_sign=True", "the call without it")
    terms = 1.0 * a if b is None else np.where(b == 0, -np.inf, a)
    if np.ndim(terms) == 0:
        if return_sign:
            return (terms, np.ones_like(terms)) if b is None else (np.log(np.abs(b)) + terms, np.sign(1.0 * b))
        return terms if b is None else np.log(b) + terms
    sizes = np.real(terms) if np.iscomplexobj(terms) else terms  # the logarithm itself keeps to the principal branch
    top = stop_gradient(np.max(sizes, axis=axis, keepdims=axis is not None))
    shift = chosen(np.isfinite(top), top, 0.0)
    powers = np.exp(terms - shift) if b is None else b * np.exp(terms - shift)
    total = np.sum(powers, axis=axis, keepdims=axis is not None)
    y = np.log(np.abs(total) if return_sign else total) + shift
    if return_sign:
        return as_reduced(y, terms, axis, keepdims), as_reduced(np.sign(total), terms, axis, keepdims)
    return as_reduced(y, terms, axis, keepdims)


def as_reduced(y, terms, axis, keepdims):
    """A sum over axes that it has kept, with them if they are to be kept; a number where all are gone."""
    if axis is None:
        return np.reshape(y, (1,) * terms.ndim) if keepdims else y
    return y if keepdims else np.squeeze(y, axis=axis)


@instead_of(special.softmax)
def softmax(x, axis=None):
    below = x - stop_gradient(np.max(x, axis=axis, keepdims=axis is not None))
    powers = np.exp(below)  # on its own, where loops become vector instructions
    return powers / np.sum(powers, axis=axis, keepdims=axis is not None)


@instead_of(special.log_softmax)
def log_softmax(x, axis=None):
    below = x - stop_gradient(np.max(x, axis=axis, keepdims=axis is not None))
    scale = np.log(np.sum(np.exp(below), axis=axis, keepdims=axis is not None))  # once for all that share it
    return below - scale


@instead_of(special.comb)
def comb(N, k, *, exact=False, repetition=False):
    if exact:
        return refuse("scipy.special.comb with exact=True", "the call without it")
    # SciPy makes arrays of numbers, which count in the precision.
    total, chosen = N if np.ndim(N) else np.float64(N), k if np.ndim(k) else np.float64(k)
    if repetition:
        empty = np.logical_and(chosen == 0, total >= 0)
        return np.where(empty, 1, special.binom(total + chosen - np.where(empty, 0, 1), chosen))
    inside = np.logical_and(chosen <= total, np.logical_and(total >= 0, chosen >= 0))
    return np.where(inside, special.binom(np.where(inside, total, 1.0), np.where(inside, chosen, 0.0)), 0)


@instead_of(special.factorial)
def factorial(n, exact=False, extend="zero"):
    if exact or extend != "zero":
        return refuse("scipy.special.factorial with these arguments", "scipy.special.gamma(n + 1)")
    if np.iscomplexobj(n):
        return refuse("scipy.special.factorial of complex numbers", "scipy.special.gamma(n + 1)")
    number = 1.0 * n if np.ndim(n) == 0 else n.astype(np.float64)
    return np.where(number < 0, 0.0, special.gamma(np.where(number < 0, 0.0, number) + 1))


@instead_of(special.sici)
def sici(x):
    return sine_integral(x), cosine_integral(x)


@instead_of(special.shichi)
def shichi(x):
    return hyperbolic_sine_integral(x), hyperbolic_cosine_integral(x)


@instead_of(special.fresnel)
def fresnel(z):
    return fresnel_sine(z), fresnel_cosine(z)


@instead_of(special.multigammaln)
def multigammaln(a, d):
    if not known(d):
        return refuse("scipy.special.multigammaln of a dimension that is no constant", "a number")
    y = 0.25 * d * (d - 1) * np.log(np.pi)
    for k in range(d):
        y = y + special.gammaln(a - 0.5 * k)
    return y


if hasattr(special, "softplus"):

    @instead_of(special.softplus)
    def softplus(x):
        return np.logaddexp(0, x)
