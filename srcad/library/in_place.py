"""Functions and methods that write into their argument."""

from __future__ import annotations

import numpy as np

from srcad.library import instead_of, refuse


@instead_of("sort")
def sort_in_place(a, axis=-1, kind=None, *, stable=None):
    a[...] = np.sort(a, axis=axis)


@instead_of("partition")
def partition_in_place(a, kth, axis=-1, kind="introselect"):
    a[...] = np.partition(a, kth, axis=axis)


@instead_of(np.fill_diagonal)
def fill_diagonal(a, val, wrap=False):
    if a.ndim != 2 or wrap:
        refuse("np.fill_diagonal of more than two axes or with wrap=", "a loop: a[i, i] = v")
    for i in range(min(a.shape[0], a.shape[1])):
        a[i, i] = val if np.ndim(val) == 0 else val[i % np.size(val)]


@instead_of(np.put_along_axis)
def put_along_axis(arr, indices, values, axis):
    if arr.ndim == 1:
        arr[indices] = values
    elif arr.ndim == 2 and axis % arr.ndim == 1:
        for i in range(arr.shape[0]):
            arr[i, indices[i]] = values if np.ndim(values) == 0 else values[i]
    elif arr.ndim == 2:
        for j in range(arr.shape[1]):
            arr[indices[:, j], j] = values if np.ndim(values) == 0 else values[:, j]
    else:
        refuse("np.put_along_axis of more than two axes", "a loop over the first axis")


@instead_of(np.copyto, given=("where",))
def copyto(dst, src, casting="same_kind", where=True):
    dst[...] = np.where(where, src, dst)


@instead_of(np.putmask)
def putmask(a, mask, values):
    if np.ndim(values) != 0 and np.ndim(values) != a.ndim:
        refuse("np.putmask with values of another rank", "a[mask] = ...")
    a[...] = np.where(mask, values, a)


@instead_of(np.place)
def place(arr, mask, vals):
    if np.ndim(vals) != 0:
        refuse("np.place with several values", "arr[mask] = vals")
    arr[...] = np.where(mask, vals, arr)
