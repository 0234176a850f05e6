"""Calls in forms that Numba does not compile, written as what it does."""

import math
import operator

import numpy as np

from srcad.rules.axes import (
    as_number, every_axis, is_number, kept, lines_of, no_axes, some_axes, turned, with_units, without_units,
)  # fmt: skip
from srcad.rules.dtypes import (
    common, integral, is_complex, is_contiguous, is_product, is_real, left, right, scalar_type,
)  # fmt: skip
from srcad.rules.rule import known, lowers
from srcad.runtime import (
    all_along, any_along, integer_matmul, max_along, mean_along, min_along, prod_along, products_along,
    reshaped, stacked_matmul, sum_along, true_places, var_along,
)  # fmt: skip

# ---------------------------------------------------------------- reductions


@lowers(np.sum)
def total(a, axis=None, dtype=None, *, keepdims=False):
    if a.ndim == 0:
        return as_number(a)
    if keepdims:
        return kept(np.sum(a, axis=axis, dtype=dtype), axis, a.ndim)
    if some_axes(axis, a.ndim) is not None:
        if is_product(a):
            return products_along(left(a), right(a), some_axes(axis, a.ndim))
        return sum_along(a, some_axes(axis, a.ndim))


@lowers(np.mean)
def mean(a, axis=None, dtype=None, *, keepdims=False):
    if a.ndim == 0:
        return as_number(a)
    if keepdims:
        return kept(np.mean(a, axis=axis), axis, a.ndim)
    return np.mean(a) if some_axes(axis, a.ndim) is None else mean_along(a, some_axes(axis, a.ndim))


@lowers(np.max)
def max_of_all(a, axis=None, *, keepdims=False):
    if a.ndim == 0:
        return as_number(a)
    if keepdims:
        return kept(np.max(a, axis=axis), axis, a.ndim)
    return np.max(a) if some_axes(axis, a.ndim) is None else max_along(a, some_axes(axis, a.ndim))


@lowers(np.min)
def min_of_all(a, axis=None, *, keepdims=False):
    if a.ndim == 0:
        return as_number(a)
    if keepdims:
        return kept(np.min(a, axis=axis), axis, a.ndim)
    return np.min(a) if some_axes(axis, a.ndim) is None else min_along(a, some_axes(axis, a.ndim))


@lowers(np.prod)
def prod(a, axis=None, dtype=None, *, keepdims=False):
    if a.ndim == 0:
        return as_number(a)
    if keepdims:
        return kept(np.prod(a, axis=axis), axis, a.ndim)
    return np.prod(a) if some_axes(axis, a.ndim) is None else prod_along(a, some_axes(axis, a.ndim))


@lowers(np.any)
def any_of_all(a, axis=None, *, keepdims=False):
    if keepdims:
        return kept(np.any(a, axis=axis), axis, a.ndim)
    return np.any(a) if some_axes(axis, a.ndim) is None else any_along(a, some_axes(axis, a.ndim))


@lowers(np.all)
def all_of_all(a, axis=None, *, keepdims=False):
    if keepdims:
        return kept(np.all(a, axis=axis), axis, a.ndim)
    return np.all(a) if some_axes(axis, a.ndim) is None else all_along(a, some_axes(axis, a.ndim))


@lowers(np.var)
def var(a, axis=None, dtype=None, *, ddof=0, keepdims=False):
    if keepdims:
        return kept(np.var(a, axis=axis, ddof=ddof), axis, a.ndim)
    if some_axes(axis, a.ndim) is not None:
        return var_along(a, some_axes(axis, a.ndim), ddof)
    if a.ndim == 0 and not integral(a) and known(ddof) and ddof == 0:  # no number where it is not finite
        return np.real(a - a) if is_complex(a) else a - a
    return np.var(a) if known(ddof) and ddof == 0 else var_along(a, every_axis(a.ndim), ddof)


@lowers(np.std)
def std(a, axis=None, dtype=None, *, ddof=0, keepdims=False):
    if keepdims or axis is not None or not (known(ddof) and ddof == 0):
        return np.sqrt(np.var(a, axis=axis, ddof=ddof, keepdims=keepdims))


@lowers(np.linalg.norm)
def norm(x, ord=None, axis=None, keepdims=False):
    if axis is not None or keepdims:
        squares = np.square(np.abs(x)) if is_complex(x) else np.square(x)
        return np.sqrt(np.sum(squares, axis=axis, keepdims=keepdims))
    if x.ndim > 2:
        return np.linalg.norm(np.ravel(x))
    if ord is not None and (ord == "fro" or x.ndim == 1):
        return np.linalg.norm(x)


# ---------------------------------------------------------------- products


@lowers(np.matmul, operator.matmul)
def matmul(a, b):
    x, y = common(a, b)
    if a.ndim > 2 or b.ndim > 2:
        return stacked_matmul(x, y)
    if not integral(a, b):
        return x @ y
    if a.ndim == 1 and b.ndim == 1:
        return np.sum(a * b)
    if a.ndim == 1:
        return integer_matmul(np.expand_dims(a, 0), b)[0]
    return integer_matmul(a, np.expand_dims(b, 1))[:, 0] if b.ndim == 1 else integer_matmul(a, b)


@lowers(np.dot)
def dot(a, b):
    x, y = common(a, b)
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    if b.ndim > 2:
        columns = np.reshape(np.moveaxis(y, -2, 0), (b.shape[-2], lines_of(b, b.ndim, -2)))
        product = np.reshape(x, (lines_of(a, a.ndim), a.shape[-1])) @ columns
        return np.reshape(product, a.shape[:-1] + b.shape[:-2] + b.shape[-1:])
    if a.ndim > 2 or integral(a, b):
        return a @ b
    return np.dot(x, y)


@lowers(np.inner)
def inner(a, b):
    if a.ndim <= 1 or b.ndim <= 1:
        return np.dot(b, a) if a.ndim == 1 and b.ndim > 1 else np.dot(a, b)
    if a.ndim == 2 and b.ndim == 2:
        return np.dot(a, b.T)
    rows = np.reshape(a, (lines_of(a, a.ndim), a.shape[-1]))
    product = rows @ np.reshape(b, (lines_of(b, b.ndim), b.shape[-1])).T
    return np.reshape(product, a.shape[:-1] + b.shape[:-1])


@lowers(np.vdot)
def vdot(a, b):
    if is_complex(a):
        return np.dot(np.conj(np.ravel(a) if a.ndim != 1 else a), np.ravel(b) if b.ndim != 1 else b)
    return np.dot(np.ravel(a) if a.ndim != 1 else a, np.ravel(b) if b.ndim != 1 else b)


@lowers(np.outer)
def outer(a, b):
    if a.ndim > 2 or b.ndim > 2:
        return np.outer(np.ravel(a) if a.ndim > 2 else a, np.ravel(b) if b.ndim > 2 else b)


# ---------------------------------------------------------------- shapes


@lowers(np.reshape)
def reshape(a, shape, order="C"):
    if a.ndim == 0 and no_axes(shape):
        return a
    if is_number(a):
        return np.reshape(np.full(1, a), shape)
    if a.ndim > 0 and not is_contiguous(a):
        return reshaped(a, shape) if a.ndim == 1 else np.reshape(np.ascontiguousarray(a), shape)


@lowers(np.ravel)
def ravel(a, order="C"):
    if is_number(a):
        return np.full(1, a)
    if a.ndim > 1 and not is_contiguous(a):
        return np.ravel(np.ascontiguousarray(a))


@lowers(np.ndarray.flatten)
def flatten(a, order="C"):
    if a.ndim == 0:
        return np.full(1, a)


@lowers(np.squeeze)
def squeeze(a, axis=None):
    return without_units(a, axis, a.ndim)


@lowers(np.expand_dims)
def expand_dims(a, axis):
    return with_units(a, axis, a.ndim)


@lowers(np.atleast_1d)
def atleast_1d(a):
    if a.ndim == 0:
        return np.full(1, a)


@lowers(np.atleast_2d)
def atleast_2d(a):
    if a.ndim == 0:
        return np.full((1, 1), a)


@lowers(np.atleast_3d)
def atleast_3d(a):
    if a.ndim == 0:
        return np.full((1, 1, 1), a)


@lowers(np.flatnonzero)
def flatnonzero(a):
    if a.ndim > 0 and a.dtype == np.bool_:
        return true_places(a)


@lowers(np.diagonal)
def diagonal(a, offset=0):
    return np.diag(a, k=offset)


@lowers(np.flip)
def flip(m, axis=None):
    if axis is not None:
        return turned(m, axis, m.ndim)


# ---------------------------------------------------------------- elementwise


@lowers(np.clip)
def clip(a, a_min=None, a_max=None, *, min=None, max=None):
    low = min if a_min is None else a_min
    high = max if a_max is None else a_max
    if (a.ndim == 0 and low.ndim == 0 and high.ndim == 0) or (a.ndim > 0 and (low.ndim > 0 or high.ndim > 0)):
        raised = a if low is None else np.maximum(a, low)
        return raised if high is None else np.minimum(raised, high)
    if min is not None or max is not None:
        return np.clip(a, low, high)


@lowers(abs)
def absolute(x):
    if x.ndim > 0:
        return np.abs(x)


@lowers(np.heaviside)
def heaviside(x, h):
    return np.where(x == 0.0, h, np.where(x > 0.0, 1.0, 0.0))


@lowers(np.fix)
def fix(x):
    return np.trunc(x)


@lowers(float)
def real(x):
    if x.dtype == np.bool_:
        return float(int(x))


@lowers(np.ndarray.astype)
def astype(a, dtype):
    return (np.real(a) if is_complex(a) and is_real(dtype) else a).astype(scalar_type(dtype))


@lowers(math.fmod)
def fmod(a, b):
    return np.fmod(a, b)


@lowers(math.log)
def log(x, base=None):
    if base is not None:
        return math.log(x) / math.log(base)


if hasattr(math, "cbrt"):

    @lowers(math.cbrt)
    def cbrt(x):
        return np.cbrt(x)
