"""Slices that begin or end at the index of a loop, and overlap or do not."""

import numpy as np

from tests.corpus import normal, program, spd, uniform


@program(spd(4))
def lu_by_outer_products_in_place(A):
    A = A.copy()
    for k in range(A.shape[0] - 1):
        A[k + 1 :, k] /= A[k, k]
        A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :])
    return np.sum(np.log(np.diag(A))) + A[-1, 0]


@program(spd(4))
def lu_by_columns_and_rows_in_place(A):
    A = A.copy()
    for k in range(A.shape[0] - 1):
        A[k + 1 :, k : k + 1] /= A[k, k]
        A[k + 1 :, k + 1 :] -= A[k + 1 :, k : k + 1] * A[k : k + 1, k + 1 :]
    return np.sum(np.log(np.diag(A))) + A[-1, 0]


@program(uniform(0.5, 1.5, 5), tags="nojit")
def element_for_all_in_place(x):
    """The one element that is repeated is overwritten on the way."""
    y = x.copy()
    y[:-1] *= y[1:2]
    y[:-1] += y[1:2] * 2.0
    return np.sum(y * y)


@program(normal(5))
def slices_in_step_overlap(x):
    """What is written lies behind what is read by more with each iteration, or before it."""
    y = x.copy()
    n = len(y)
    for k in range(n - 1):
        y[k + 1 :] += 0.5 * np.sin(y[: n - k - 1])
    for k in range(n - 1, 0, -1):
        y[: n - k] += 0.5 * y[k] * y[k:]
    return np.sum(y * y)


@program(normal(4, 3))
def gram_schmidt_by_outer_products_in_place(A):
    Q = A.copy()
    for k in range(Q.shape[1]):
        Q[:, k] /= np.sqrt(np.sum(Q[:, k] ** 2))
        Q[:, k + 1 :] -= np.outer(Q[:, k], Q[:, k] @ Q[:, k + 1 :])
    return np.sum(Q * np.arange(1.0, 4.0)) + Q[0, 2] ** 2


@program(normal(6), normal(6), tags="inplace")
def window_that_shrinks_in_place(a, x):
    w = a
    for k in range(3):
        w = w[1:]
        w *= x[k]
        w[0] += a[0] * a[k + 1]
    return np.sum(a * a) + w[-1]


@program(normal(7))
def window_that_shrinks_from_both_ends(v):
    s = 0.0
    while len(v) > 1:
        s += v[0] * v[-1]
        v = v[1:-1]
    return s * np.sum(v)


@program(spd(4))
def lu_of_what_is_left(A):
    """A window of two axes, and of an array that is read when all windows are done."""
    B = A.copy()
    rest = B
    while len(rest) > 1:
        rest[1:, 0] /= rest[0, 0]
        rest[1:, 1:] -= np.outer(rest[1:, 0], rest[0, 1:])
        rest = rest[1:, 1:]
    return np.sum(np.log(np.diag(B))) + B[-1, 0]


@program(normal(9), 3, -2)
def window_of_all_kinds_of_bounds(x, n, m):
    """Bounds from either end, beyond the ends, computed, and of a window that is empty in the end."""
    a = np.sin(x)
    w = a[:-1]
    s = 0.0
    for k in range(4):
        w += a[k] * a[-1]
        if k % 2 == 0:
            w = w[-n - 3 : 20]
        else:
            w = w[len(w) // n : m + 1]
        s += np.sum(w * w)
    w = w[n:]
    return s * np.sum(a) + np.sum(w)


@program(normal(5), tags="inplace")
def windows_of_windows(v):
    s = 0.0
    for k in range(2):
        inner = v
        while inner.size > k + 1:
            inner[0] *= inner[-1]
            s += inner[0]
            inner = inner[1:]
        v = v[:-1]
    return s * np.sum(v)


# ---------------------------------------------------------------- slices in lists and tuples, axes of loops


def _differences(a, axis):
    ahead = [slice(None)] * a.ndim
    behind = list(ahead)
    ahead[axis] = slice(1, None)
    behind[axis] = slice(None, -1)
    return a[tuple(ahead)] - a[tuple(behind)]


@program(normal(3, 4), tags="nojit")
def differences_along_each_axis(a):
    total = 0.0
    for axis in range(a.ndim):
        total += np.sum(_differences(a, axis) ** (2 + axis))
    return total


@program(normal(3, 4), 1, tags="nojit")
def slice_at_an_axis_that_is_given(a, axis):
    last = [slice(None) for _ in range(a.ndim)]
    last[axis] = -1
    return np.sum(_differences(a, axis) ** 2) * np.prod(a[tuple(last)])


@program(normal(4, 5), tags="inplace nojit")
def laplacian_by_tuples_of_slices(u):
    inner = tuple(slice(1, -1) for _ in range(u.ndim))
    for axis in range(u.ndim):
        left, right = (), ()
        for other in range(u.ndim):
            if other == axis:
                left += (slice(None, -2),)
                right += (slice(2, None),)
            else:
                left += (slice(1, -1),)
                right += (slice(1, -1),)
        u[inner] = u[inner] + 0.1 * (u[left] * u[right])
    return np.sum(u**2)


@program(normal(4, 4), 2)
def rolls_along_the_axes_of_a_loop(u, axes):
    for _ in range(2):
        flow = np.zeros_like(u)
        for axis in range(axes):
            flow += np.roll(u, 1, axis=axis) * u - np.roll(u, -1, 1 - axis)
        u = u + 0.1 * flow
    return np.sum(u**2)


@program(normal(7), 2, tags="inplace nojit")
def blocks_by_a_list_of_slices(x, k):
    blocks, start = [], 0
    for length in (k, 3, 2):
        blocks.append(slice(start, start + length))
        start += length
    x[blocks[0]] *= 2.0
    k = 7
    return sum((i + 1.0) * np.sum(x[block] ** 2) for i, block in enumerate(blocks)) * k


@program(normal(6, 5), normal(3, 3))
def convolved_slice_by_slice(x, w):
    n, m = x.shape[0] - 2, x.shape[1] - 2
    y = np.zeros((n, m))
    for a in range(3):
        for b in range(3):
            y += w[a, b] * x[a : a + n, b : b + m]
    return np.sum(np.tanh(y) ** 2)


@program(normal(6), normal(3))
def last_slice_cut_short(x, w):
    n, s = len(x) - 2, 0.0
    for k in range(4):
        s += np.sum(np.sin(x[k : k + n])) * w[k % 3]
    return s


@program(normal(1), normal(3))
def fewer_elements_than_are_taken_off(x, w):
    n, s = len(x) - 2, 0.0
    for k in range(3):
        s += np.sum(x[k : k + n] ** 2) * w[k]
    return s + x[0]


@program(normal(6))
def slices_stored_over_what_the_next_reads(x):
    n, z = len(x) - 2, x * 1.0
    for k in range(2):
        z[k : k + n] = z[k + 1 : k + 1 + n] * 0.5 + z[k : k + n]
    return np.sum(z**3)


@program(normal(3, 4), normal(4), 3, tags="nojit")
def weights_turned_in_a_loop(A, w, n):
    total = np.zeros(4)
    for i in range(n):
        total += A[i] * w
        w = np.roll(w, 1)
    return total @ w


@program(normal(6, 5), normal(3, 2))
def convolution_by_slices_of_windows(x, w):
    rows, columns = x.shape
    down, right = w.shape
    y = np.zeros((rows - down + 1, columns - right + 1))
    for a in range(down):
        for b in range(right):
            y += w[a, b] * x[a : a + rows - down + 1, b : b + columns - right + 1]
    return np.sum(np.tanh(y) ** 2)


@program(normal(5), normal(3))
def scaled_windows_of_one_length(x, w):
    total = 0.0
    for k in range(len(w)):
        y = np.ones(len(x) - len(w))
        y *= x[k : k + len(x) - len(w)] * w[k]
        total += np.sum(np.sin(y))
    return total
