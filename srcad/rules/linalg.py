"""Products of vectors, matrices and stacks of matrices; solving linear equations."""

import operator

import numpy as np

from srcad.rules.axes import conjugate, lines_of, swapped
from srcad.rules.dtypes import is_complex
from srcad.rules.rule import rule
from srcad.runtime import on_diagonal


@rule(np.matmul, operator.matmul)
def matmul(c, a, b):
    c.dot = a.dot @ b + a @ b.dot
    if a.ndim == 1 and b.ndim == 1:
        a.bar += c.bar * b
        b.bar += c.bar * a
    elif a.ndim <= 2 and b.ndim <= 2:
        a.bar += np.outer(c.bar, b) if b.ndim == 1 else c.bar @ b.T
        b.bar += np.outer(a, c.bar) if a.ndim == 1 else a.T @ c.bar
    elif b.ndim == 1:
        a.bar += c.bar[..., None] * b
        b.bar += c.bar[..., None] * a
    elif a.ndim == 1:
        a.bar += np.sum(c.bar[..., None, :] * b, axis=-1)
        b.bar += c.bar[..., None, :] * a[:, None]
    else:
        a.bar += c.bar @ np.transpose(b, swapped(b.ndim, -1, -2))
        b.bar += np.transpose(a, swapped(a.ndim, -1, -2)) @ c.bar


@rule(np.dot)
def dot(c, a, b):
    if a.ndim == 0 or b.ndim == 0:
        c.dot = a.dot * b + a * b.dot
        a.bar += c.bar * b
        b.bar += c.bar * a
    elif a.ndim == 1 and b.ndim == 1:
        c.dot = np.dot(a.dot, b) + np.dot(a, b.dot)
        a.bar += c.bar * b
        b.bar += c.bar * a
    elif a.ndim <= 2 and b.ndim <= 2:
        c.dot = np.dot(a.dot, b) + np.dot(a, b.dot)
        a.bar += np.outer(c.bar, b) if b.ndim == 1 else np.dot(c.bar, b.T)
        b.bar += np.outer(a, c.bar) if a.ndim == 1 else np.dot(a.T, c.bar)
    elif b.ndim <= 2:
        c.dot = a.dot @ b + a @ b.dot
        a.bar += c.bar[..., None] * b if b.ndim == 1 else c.bar @ b.T
        b.bar += c.bar[..., None] * a if b.ndim == 1 else np.transpose(a, swapped(a.ndim, -1, -2)) @ c.bar
    else:
        c.dot = np.dot(a.dot, b) + np.dot(a, b.dot)
        rows = np.reshape(c.bar, (lines_of(a, a.ndim), lines_of(b, b.ndim, -2)))
        lines = np.reshape(np.swapaxes(b, -1, -2), (lines_of(b, b.ndim, -2), b.shape[-2]))
        a.bar += np.reshape(rows @ lines, a.shape)
        by_row = np.reshape(a, (lines_of(a, a.ndim), a.shape[-1])).T @ rows
        b.bar += np.moveaxis(np.reshape(by_row, b.shape[-2:-1] + b.shape[:-2] + b.shape[-1:]), 0, -2)


@rule(np.inner)
def inner(c, a, b):
    if a.ndim == 0 or b.ndim == 0 or (a.ndim == 1 and b.ndim == 1):
        c.dot = np.inner(a.dot, b) + np.inner(a, b.dot)
        a.bar += c.bar * b
        b.bar += c.bar * a
    elif a.ndim <= 2 and b.ndim <= 2:
        c.dot = np.inner(a.dot, b) + np.inner(a, b.dot)
        a.bar += np.outer(c.bar, b) if b.ndim == 1 else c.bar @ b
        b.bar += np.outer(c.bar, a) if a.ndim == 1 else c.bar.T @ a
    else:
        c.dot = np.inner(a.dot, b) + np.inner(a, b.dot)
        rows = np.reshape(c.bar, (lines_of(a, a.ndim), lines_of(b, b.ndim)))
        a.bar += np.reshape(rows @ np.reshape(b, (lines_of(b, b.ndim), b.shape[-1])), a.shape)
        b.bar += np.reshape(rows.T @ np.reshape(a, (lines_of(a, a.ndim), a.shape[-1])), b.shape)


@rule(np.convolve)
def convolve(y, a, v):
    y.dot = np.convolve(a.dot, v) + np.convolve(a, v.dot)
    # np.correlate conjugates its second operand.
    a.bar += np.correlate(y.bar, conjugate(v, v), "valid")
    v.bar += np.correlate(y.bar, conjugate(a, a), "valid")


@rule(np.vdot)
def vdot(c, a, b):
    c.dot = np.vdot(a.dot, b) + np.vdot(a, b.dot)
    left = a if a.ndim == 1 and b.ndim == 1 else np.reshape(a, b.shape)
    right = b if a.ndim == 1 and b.ndim == 1 else np.reshape(b, a.shape)
    if is_complex(a, b):
        # The first operand is conjugated.
        a.bar += np.conj(c.bar * right)
        b.bar += c.bar * np.conj(left)
    else:
        a.bar += c.bar * right
        b.bar += c.bar * left


@rule(np.outer)
def outer(c, a, b):
    c.dot = np.outer(a.dot, b) + np.outer(a, b.dot)
    if a.ndim == 1 and b.ndim == 1:
        a.bar += c.bar @ b
        b.bar += c.bar.T @ a
    else:
        a.bar += np.reshape(c.bar @ np.ravel(b), a.shape)
        b.bar += np.reshape(c.bar.T @ np.ravel(a), b.shape)


@rule(np.trace)
def trace(y, a, offset=0):
    if a.ndim != 2:
        raise AssertionError("np.trace has a rule for matrices only")
    y.dot = np.trace(a.dot, offset=offset)
    a.bar += y.bar * np.eye(a.shape[0], a.shape[1], k=offset)


@rule(np.diag)
def diag(y, v, k=0):
    y.dot = np.diag(v.dot, k=k)
    v.bar += np.diag(y.bar, k=k) if v.ndim == 1 else on_diagonal(y.bar, v, k=k)


@rule(np.diagonal)
def diagonal(y, a, offset=0):
    if a.ndim != 2:
        raise AssertionError("np.diagonal has a rule for matrices only")
    y.dot = np.diagonal(a.dot, offset=offset)
    a.bar += on_diagonal(y.bar, a, k=offset)
