"""Functions that make arrays from numbers."""

import numpy as np

from srcad.lang.lists import elastic
from srcad.rules.axes import as_number, has_rows, is_tuple, rows
from srcad.rules.dtypes import has_mixed_rows, is_complex, is_real, is_without_axes, scalar_type, single
from srcad.rules.rule import constant, lowers, rule
from srcad.runtime import zeros_as

constant(
    np.zeros, np.zeros_like, np.ones, np.ones_like, np.empty, np.empty_like, np.eye, np.identity, np.tri, np.indices,
    zeros_as, elastic,
)  # fmt: skip


@rule(np.array)
def array(y, object, dtype=None):
    y.dot = np.real(object.dot) if is_complex(object) and not is_complex(y) else np.array(object.dot)
    if is_tuple(object):
        for i, row in enumerate(object):
            if is_tuple(row):
                for j, x in enumerate(row):
                    if is_tuple(x):
                        for k, z in enumerate(x):
                            if is_tuple(z):
                                for n, u in enumerate(z):
                                    if is_tuple(u):
                                        raise NotImplementedError("np.array of 5 levels has no rule; instead: np.stack")
                                    u.bar += y.bar[i, j, k, n]
                            else:
                                z.bar += y.bar[i, j, k]
                    else:
                        x.bar += y.bar[i, j]
            else:
                row.bar += y.bar[i]
    else:
        object.bar += y.bar


@rule(np.full)
def full(y, shape, fill_value, dtype=None):
    y.dot = np.full(shape, np.real(fill_value.dot) if is_complex(fill_value) and not is_complex(y) else fill_value.dot)
    fill_value.bar += y.bar


@rule(np.full_like)
def full_like(y, a, fill_value, dtype=None):
    y.dot = np.full_like(a, np.real(fill_value.dot) if is_complex(fill_value) and not is_complex(y) else fill_value.dot)
    fill_value.bar += y.bar


@rule(np.linspace)
def linspace(y, start, stop, num=50):
    if start.ndim > 0 or stop.ndim > 0:
        raise AssertionError("the library spaces numbers between arrays")
    y.dot = start.dot * np.linspace(1.0, 0.0, num) + stop.dot * np.linspace(0.0, 1.0, num)
    start.bar += y.bar * np.linspace(1.0, 0.0, num)
    stop.bar += y.bar * np.linspace(0.0, 1.0, num)


@rule(np.arange)
def arange(y, start, stop=None, step=None, dtype=None):
    # The length is a constant. One bound alone is the stop, on which no element depends.
    if stop is None and step is not None:
        raise NotImplementedError("np.arange with a step needs a start and a stop; instead: np.arange(0, n, step)")
    if stop is not None:
        y.dot = start.dot + step.dot * np.arange(y.shape[0])
        start.bar += y.bar
        step.bar += y.bar * np.arange(y.shape[0])


@lowers(np.copy)
def copy_of_number(a):
    if a.ndim == 0:
        return np.array(as_number(a))


@lowers(np.array)
def array_of(object, dtype=None):
    if is_tuple(object):
        if has_mixed_rows(object):
            return np.stack(rows(object, dtype))
        if has_rows(object) and dtype is None:
            return np.stack(object)
    elif object.ndim > 0:
        return np.copy(object) if dtype is None else object.astype(scalar_type(dtype))
    elif is_without_axes(object):
        return np.array(as_number(object), dtype)


@lowers(np.full)
def full_of_array(shape, fill_value, dtype=None):
    if fill_value.ndim > 0:
        return np.copy(np.broadcast_to(fill_value, shape))
    if dtype is not None and is_complex(fill_value) and is_real(dtype):
        return np.full(shape, np.real(fill_value), dtype)


@lowers(np.full_like)
def full_of_array_like(a, fill_value, dtype=None):
    if fill_value.ndim > 0:
        return np.copy(np.broadcast_to(fill_value, a.shape))
    if dtype is None and is_complex(fill_value) and not is_complex(a):
        return np.full_like(a, np.real(fill_value))


@lowers(np.linspace)
def linspace_of_singles(start, stop, num=50):
    if single(start, stop):
        return np.linspace(float(start), float(stop), num)
