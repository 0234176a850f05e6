"""Memory: views, second names, overlaps, masks and arrays of indices, layouts, empty arrays, outputs into arrays."""

import math

import numpy as np

from tests.corpus import booleans, fortran, integers, normal, program, strided, uniform


def empty(*shape: int):
    """An array in which some axis has no length."""
    return lambda rng: np.zeros(shape)


def permuted(*shape: int):
    """An array whose axes lie in memory in the opposite order, and not densely."""
    every_other = tuple(slice(None, None, 2) for _ in shape)
    return lambda rng: rng.standard_normal(tuple(2 * n for n in shape[::-1])).T[every_other]


# ---------------------------------------------------------------- stores through views


@program(normal(5))
def view_written_to_and_its_array(x):
    """Both are summed up: the cotangent of the array is no mere number, as that of the view is a part of it."""
    a = x * 2.0
    w = a[:-1]
    w += 1.0
    return np.sum(w) * np.sum(a)


@program(uniform(1.0, 4.0, 5))
def view_written_to_and_its_array_where_a_mask_has_it(x):
    a = np.sqrt(x)
    w = a[:-1]
    w *= 2.0
    return np.sum(np.where(x > 2.5, a, 0.0)) + np.sum(w)


@program(normal(3, 4), tags="inplace core")
def rows_written_in_a_loop(A):
    for i in range(A.shape[0]):
        row = A[i]
        row[1:] = row[:-1] * row[0]
        row *= 2.0
    return np.sum(A * A)


@program(normal(4, 3), tags="inplace")
def columns_of_a_transpose(A):
    T = A.T
    for j in range(3):
        column = T[j]
        column[0] = column[1] * column[2]
    return np.sum(A**3)


@program(normal(12))
def reshaped_and_sliced(x):
    y = x * 1.0
    M = y.reshape(3, 4)
    inner = M[1:, ::2]
    inner *= x[0]
    inner[0, 1] = y[0] ** 2
    return np.sum(y * y) + np.sum(M)


@program(normal(3, 4))
def ravelled_and_written(A):
    B = A * A
    flat = B.ravel()
    flat[::3] = flat[1::3] * 2.0
    flat[0] = flat[11] * A[0, 0]
    return np.sum(B * A)


@program(normal(2, 3, 4))
def view_of_a_view_of_a_view(A):
    B = A.copy()
    v = B[1].T[1:, ::-1]
    v[0] = v[1] * v[2]
    v[:, 1] += 1.5
    return np.sum(B * B) + np.sum(v)


@program(normal(6), tags="nojit")
def views_that_overlap(x):
    a = x.copy()
    left, right = a[:4], a[2:]
    left *= x[:4]
    right += left
    left[3] = right[0] * right[3]
    return np.sum(a * a)


@program(normal(4, 3))
def view_of_a_row_rebound(A):
    B = A.copy()
    row = B[0]
    for i in range(4):
        row = B[i]
        row[0] = row[1] * row[2] + 0.1
    return np.sum(B * B) + row[0]


@program(normal(4, 3))
def rows_rebound_one_after_the_other(A):
    B = A.copy()
    row = B[0]
    row[1] = 2.0
    row = B[1]
    row[2] = row[0] * B[0, 1]
    row = B[2]
    row *= B[1]
    return np.sum(B * B * A)


@program(normal(4, 3))
def previous_row_carried(A):
    B = A.copy()
    previous = B[0]
    for i in range(1, 4):
        row = B[i]
        row += 0.5 * previous * previous
        previous = row
    return np.sum(B * B)


@program(normal(5, 3))
def previous_row_written_later(A):
    B = A.copy()
    previous = B[0]
    for i in range(1, 5):
        row = B[i]
        row *= previous
        previous[0] = row[1] * 2.0
        previous = row
    return np.sum(B * B)


@program(normal(3, 4), normal(3, 4), 3)
def view_of_alternating_buffers(A, B, n):
    u = A * 1.0
    v = B * 1.0
    for t in range(n):
        row = u[t]
        row[0] = row[1] * row[2]
        v[t] = row * v[t]
        u, v = v, u
    return np.sum(u * u) + np.sum(u * v)


@program(normal(2, 5), 4)
def two_rows_as_double_buffer(A, n):
    B = A.copy()
    for t in range(n):
        old = B[t % 2]
        new = B[(t + 1) % 2]
        new[1:] = old[:-1] * old[1:]
        new[0] = old[4] * 0.5
    return np.sum(B[0] * B[1])


@program(normal(2, 5), 4)
def rows_swapped_as_double_buffer(A, n):
    B = A.copy()
    old, new = B[0], B[1]
    for t in range(n):
        for i in range(1, 5):
            new[i] = old[i - 1] * old[i] + 0.1
        new[0] = old[4]
        old, new = new, old
    return np.sum(old * new)


@program(normal(6), normal(6), 0.3)
def buffer_chosen_by_a_flag(x, y, t):
    a = x * 1.0
    b = y * 1.0
    for i in range(6):
        w = a if i % 2 == 0 else b
        w[i] = w[i - 1] * t
    return np.sum(a * a) + np.sum(b * b)


@program(normal(6))
def one_array_two_names_in_a_loop(x):
    a = x.copy()
    b = a
    s = 0.0
    for i in range(1, 6):
        a[i] = b[i - 1] * a[i]
        s += b[i] ** 2
    return s + b[0]


@program(normal(4), tags="inplace")
def name_for_the_argument(x):
    y = x
    y[0] = x[1] * y[2]
    x[1] = y[0] * 3.0
    return np.sum(x * y)


@program(normal(5), tags="inplace")
def argument_under_two_names_after_a_copy(x):
    y = x
    x = x.copy()
    x[0] = y[1] * 2.0
    y[1] = x[0] * y[2]
    return np.sum(x * y)


@program(normal(5))
def swapped_elements_and_slices(x):
    a = x * x
    a[0], a[1] = a[1], a[0]
    a[1:3], a[3:] = a[3:] * 2.0, a[1:3].copy()
    i, j = 0, 4
    a[i], a[j] = a[j] * a[i], a[i]
    return np.sum(a * x)


@program(normal(5, 3))
def rows_swapped_with_copies(A):
    B = A.copy()
    for i in range(2):
        row = B[i].copy()
        B[i] = B[4 - i] * row
        B[4 - i] = row
    return np.sum(B * B * A)


@program(normal(6), tags="nojit")
def overlapping_slices_copied(x):
    a = x.copy()
    a[1:] = a[:-1]
    a[:-2] = a[2:] * a[1:-1]
    a[::-1] = a
    a[1:5] += a[:4]
    a[2:] *= a[:-2]
    return np.sum(a * x)


@program(normal(4, 4), tags="nojit inplace")
def overlapping_rows_and_columns(A):
    A[1:] = A[:-1]
    A[:, 1:] = A[:, :-1] * 2.0
    A[0] = A[:, 0]
    A[:] = A.T * A
    return np.sum(A * A)


@program(normal(4), normal(4), tags="inplace tuple")
def both_arguments_written(x, y):
    x += y
    y[:] = x * x
    x[1] = y[2]
    return np.sum(x), np.sum(x * y)


# ---------------------------------------------------------------- masks


@program(normal(6), normal(6), tags="core")
def masks_of_conditions(x, y):
    a = x * y
    a[a > 0] = 0.5
    a[x < 0] *= 2.0
    a[y > 0.2] += 1.0
    return np.sum(a * a) + np.sum(x[x > 0])


@program(normal(6), normal(6))
def mask_with_array_right_side(x, y):
    m = x > 0
    a = x.copy()
    a[m] = y[m] * x[m]
    a[~m] += y[~m]
    a[m] *= a[m]
    return np.sum(a * a)


@program(normal(3, 4), tags="nojit")
def two_dimensional_masks(A):
    B = A * A
    m = A > 0.1
    B[m] = A[m] * 3.0
    B[~m] = 0.0
    B[m] += 1.0
    return np.sum(B * A) + np.sum(A[m] ** 2)


@program(normal(4, 3), booleans(4), normal(3))
def mask_of_rows(A, m, r):
    B = A * 1.0
    B[m] = r
    B[~m] *= r
    B[m, 0] = r[0] * r[1]
    B[m, 1:] += A[m, 1:]
    return np.sum(B * B) + np.sum(A[m])


@program(normal(3, 4), booleans(4))
def mask_of_columns(A, m):
    B = A * 1.0
    B[:, m] = 2.0 * A[:, m]
    B[1, m] = 0.25
    B[:, ~m] *= A[:, ~m]
    return np.sum(B * B)


@program(normal(5), tags="inplace")
def mask_of_an_argument(x):
    x[x < 0] = 0.0
    x[x > 1] = 1.0
    return np.sum(x * x)


@program(normal(6), 0.4)
def mask_in_a_loop(x, t):
    a = x.copy()
    s = 0.0
    for k in range(3):
        m = a > t * k
        a[m] = a[m] * t + 0.1
        s += np.sum(a[m] ** 2)
    return s + np.sum(a)


@program(normal(6), booleans(6), 0.7)
def mask_with_scalar_right_sides(x, m, t):
    a = x * x
    a[m] = t
    a[~m] -= t * t
    a[m] /= 2.0 + t
    return np.sum(a * a)


# ---------------------------------------------------------------- arrays of indices


@program(normal(6), normal(3))
def store_through_distinct_indices(x, y):
    a = x * x
    idx = np.array([0, 2, 5])
    a[idx] = y * x[idx]
    a[idx] *= 2.0
    a[idx] += x[:3]
    return np.sum(a * a)


@program(normal(6), integers(4, 7), normal(7), tags="core")
def store_through_repeated_indices(x, idx, y):
    a = x * x
    a[idx] = y
    return np.sum(a * a * x)


@program(normal(6), integers(4, 7), normal(7))
def augmented_through_repeated_indices(x, idx, y):
    a = x * x
    a[idx] += y
    a[idx] *= y * y
    a[idx] -= 1.0
    return np.sum(a * a)


@program(normal(6), integers(4, 7), 0.6)
def scalar_through_repeated_indices(x, idx, t):
    a = x * x
    a[idx] = t * t
    a[idx] += t
    return np.sum(a * x)


@program(normal(5), integers(5, 8), normal(8), tags="nojit")
def added_at(x, idx, y):
    a = x * 1.0
    np.add.at(a, idx, y * y)
    np.add.at(a, idx[:3], 0.5)
    np.subtract.at(a, idx, y)
    return np.sum(a * a)


@program(normal(5, 3), integers(5, 6), normal(6, 3), tags="nojit")
def rows_added_at(A, idx, B):
    C = A.copy()
    np.add.at(C, idx, B)
    np.subtract.at(C, (idx, 1), B[:, 0])
    return np.sum(C**2)


@program(normal(5, 4), integers(5, 6), integers(4, 6))
def pairs_of_indices(A, i, j):
    B = A * A
    B[i, j] = A[j, i % 4] * 2.0
    B[i, j] += 1.0
    return np.sum(B * A) + np.sum(A[i, j] ** 2)


@program(normal(4, 5), integers(5, 3), integers(4, 2))
def columns_and_rows_by_indices(A, idx, jdx):
    B = A * 1.0
    B[:, idx] = A[:, idx] ** 2
    B[jdx, :] = A[jdx] * B[0]
    B[jdx] += 1.0
    B[2, idx] *= 0.5
    B[idx % 4, 0] = 1.5
    return np.sum(B * B) + np.sum(B[:, idx]) + np.sum(A[1, idx] * A[idx % 4, 2])


@program(normal(4, 5), tags="nojit")
def open_mesh(A):
    rows, columns = np.array([0, 2]), np.array([1, 3, 4])
    B = A * 1.0
    B[np.ix_(rows, columns)] = A[np.ix_(rows, columns)] ** 2
    return np.sum(B * B)


@program(normal(4, 5), integers(4, 2, 3), normal(2, 3))
def indices_in_two_dimensions(A, idx, y):
    b = A[:, 0] * 1.0
    b[idx] = y * y
    return np.sum(b * b) + np.sum(A[idx] ** 2) + np.sum(A[idx, 1])


@program(normal(6), integers(6, 4), normal(4), 3)
def fancy_store_in_a_loop(x, idx, y, n):
    a = x.copy()
    s = 0.0
    for k in range(n):
        s += np.sum(a[idx] ** 2)
        a[idx] = y * a[idx] + a[0]
        a[k] *= 0.5
    return s + np.sum(a * a)


@program(normal(6), normal(4), 4)
def fancy_store_with_changing_indices(x, y, n):
    a = x.copy()
    idx = np.array([0, 1, 2, 1])
    for k in range(n):
        a[idx] = y * a[idx]
        idx = (idx + k) % 6
        a[idx] += 0.1 * a[0]
    return np.sum(a * a)


@program(normal(6), normal(3))
def negative_indices_in_arrays(x, y):
    a = x * x
    idx = np.array([-1, 5, -2])
    a[idx] = y
    return np.sum(a * x) + np.sum(x[idx] ** 2)


@program(normal(5), integers(5, 5), tags="inplace")
def argument_permuted(x, idx):
    x[:] = x[idx] * 2.0
    x[idx] = x[::-1] + 1.0
    return np.sum(x**2)


@program(normal(3, 4, 2), integers(3, 5), integers(2, 5))
def advanced_around_a_slice(A, i, j):
    B = A * A
    B[i, :, j] = A[i, 1:3, j][:, :1] * 2.0
    B[i, 1] += 1.0
    return np.sum(B * A) + np.sum(A[i, :, j] ** 2)


# ---------------------------------------------------------------- calls that write


@program(normal(5), 0.3)
def filled(x, t):
    a = x * x
    a.fill(t)
    a[1:3].fill(t * t)
    a[0] = x[0]
    return np.sum(a * x)


@program(normal(5), normal(5), tags="nojit")
def copied_to(x, y):
    a = np.empty(5)
    np.copyto(a, x * y)
    np.copyto(a[1:3], y[0])
    return np.sum(a * a)


@program(normal(5), normal(5), tags="nojit")
def copied_to_where(x, y):
    a = x * x
    np.copyto(a, y, where=x > 0)
    np.copyto(a, 0.5, where=y > 0)
    return np.sum(a * a * x)


@program(normal(4, 3), tags="nojit")
def out_of_reductions(A):
    r = np.empty(3)
    np.sum(A * A, axis=0, out=r)
    c = np.empty(4)
    np.mean(A, axis=1, out=c)
    m = np.empty(3)
    A.max(axis=0, out=m)
    return np.sum(r * r) + np.sum(c**3) + np.sum(m)


@program(normal(3, 4), normal(4, 2), tags="nojit")
def out_of_products(A, B):
    C = np.empty((3, 2), dtype=A.dtype)
    np.dot(A, B, out=C)
    D = np.empty_like(C)
    np.matmul(A, B, out=D)
    return np.sum(C * D)


@program(normal(5), normal(5), tags="inplace nojit")
def out_into_an_argument(x, y):
    np.multiply(x, y, out=x)
    np.sin(x, out=y[:])
    np.add(x[:2], y[:2], out=x[3:])
    return np.sum(x * y)


@program(normal(3, 4), tags="nojit")
def out_into_rows(A):
    B = np.zeros((3, 4))
    for i in range(3):
        np.multiply(A[i], A[i], out=B[i])
    return np.sum(B * B)


# ---------------------------------------------------------------- ranks and layouts


@program(normal(2, 3, 2, 2))
def rank_four_views(A):
    B = A * 1.0
    v = B[1, :, 0]
    v[:, 1] = v[:, 0] * A[0, :, 1, 1]
    B[..., 0] += B[..., 1]
    B[0] *= B[1]
    return np.sum(B**2)


@program(normal(2, 2, 2, 2, 2))
def rank_five_views(A):
    B = A.copy()
    B[1, ..., 0] = B[0, ..., 1] * 2.0
    B[:, 1, :, 0, :] *= A[:, 0, :, 1, :]
    v = np.swapaxes(B, 0, 4)[1]
    v[0, 0] = 0.5
    return np.sum(B * B)


@program(fortran(3, 4), tags="nojit inplace core")
def fortran_argument_written(A):
    A[1:] *= A[:-1]
    A[:, 0] = A[:, 1] ** 2
    for i in range(3):
        A[i, 2] = A[i, 3] * A[i, 0]
    return np.sum(A * A)


@program(strided(6), tags="nojit inplace core")
def strided_argument_written(x):
    x[1:] += x[:-1]
    for i in range(1, 6):
        x[i] *= x[i - 1]
    return np.sum(x * x)


@program(permuted(2, 3, 2), tags="inplace")
def permuted_argument_written(A):
    A[0] *= A[1]
    A[:, 1] = A[:, 0] ** 2
    return np.sum(A * A)


@program(fortran(3, 4), tags="nojit")
def reshape_of_intermediate_written(A):
    B = A * 2.0
    v = B.reshape(-1)
    w = v.copy()
    w[0] = v[1] * v[2]
    return np.sum(w * w)


@program(normal(3, 4), tags="inplace")
def asarray_is_the_array(A):
    B = np.asarray(A)
    B[0] = A[1] * 2.0
    return np.sum(A * B)


@program(normal(3, 4), tags="inplace")
def ascontiguousarray_of_contiguous(A):
    B = np.ascontiguousarray(A)
    B[0, 0] = B[1, 1] * A[2, 2]
    return np.sum(A * B)


@program(normal(3, 3), tags="nojit")
def diagonal_of_a_changed_matrix(A):
    B = A * A
    d = np.diag(B)
    s = np.sum(d * d)
    B[1, 1] = 3.0 * A[0, 0]
    return s + np.sum(np.diag(B) ** 2) + np.sum(np.diagonal(B))


@program(normal(4), normal(3, 4), tags="nojit")
def array_made_from_an_array(x, A):
    a = np.array(x)
    a[0] = x[1] * 2.0
    B = np.array(A)
    B[0] = a
    x2 = np.copy(x)
    x2 *= a
    return np.sum(a * x) + np.sum(B * B) + np.sum(x2)


# ---------------------------------------------------------------- empty arrays, odd subscripts


@program(empty(0))
def empty_vector(x):
    a = x.copy()
    a *= 2.0
    for i in range(len(a)):
        a[i] = a[i] ** 2
    a[:] = 1.0
    return np.sum(a) + np.sum(x * x)


@program(empty(0, 3), empty(3, 0), normal(3))
def empty_matrices(A, B, y):
    C = A.copy()
    C[:] = y
    D = B * 2.0
    D[:, :] += 1.0
    return np.sum(C @ y) + np.sum(D) + np.sum(y[:0]) + np.sum(A @ B) + np.sum(y)


@program(normal(6), 2)
def negative_and_computed_subscripts(x, k):
    a = x * x
    a[-k] = a[-k - 1] * a[k - 6]
    a[-3:] = a[-6:-3]
    a[k:-k] *= x[-k:]
    a[k * 2 - 1] += a[len(a) // 2]
    for i in range(1, 4):
        a[-i] = a[-i - 1] * a[i]
    return np.sum(a * a)


@program(normal(4))
def new_axes(x):
    B = np.zeros((4, 4))
    B[:, :] = x[:, None] * x[None, :]
    B[1:2] = x[np.newaxis, :] ** 2
    row = B[None, 2]
    row[0, 1] = 3.0 * x[0]
    a = x * 1.0
    a[:, None][1:, 0] = 2.0 * x[1:]
    a[None, :] += x[0]
    return np.sum(B * B) + np.sum(a * a)


@program(normal(3, 4), normal(4))
def whole_array_stores(A, r):
    B = np.empty((3, 4))
    B[...] = A
    B[...] = B * r
    B[..., 1] = 2.0
    B[:] += r
    B[1, ...] -= A[0]
    return np.sum(B * B)


@program(normal(3, 4), normal(4))
def rows_augmented_in_a_loop(A, r):
    B = np.zeros((3, 4))
    for i in range(3):
        B[i] += r * A[i]
        B[i] -= A[i - 1] ** 2
        B[i] *= r
    return np.sum(B**2)


@program(normal(5), 2.4)
def integer_subscripts_of_every_kind(x, t):
    a = x * 1.0
    i = np.int64(3)
    a[i] = a[int(t)] * t
    a[round(t) - 1] *= 2.0
    a[a.size - 1] = a[len(a) - 2] ** 2
    return np.sum(a * a)


@program(normal(3, 4))
def row_of_row_of_element(A):
    B = A.copy()
    B[0][1] = B[1][2] * B[2][3]
    B[1][1:][0] = 4.0 * A[0][0]
    B[2][:2] += B[0][2:]
    return np.sum(B * B)


@program(normal(6), tags="nojit")
def store_in_a_called_function(x):
    a = x.copy()
    scale(a[1:4], x[0])
    scale(a, 2.0)
    b = shifted(a)
    b[0] = a[5]
    return np.sum(a * b)


def scale(v, s):
    for i in range(len(v)):
        v[i] = v[i] * s
    v[0] += s


def shifted(v):
    w = v[1:]
    w[0] = w[1] * 2.0
    return v


@program(normal(4), tags="inplace")
def argument_read_after_every_write(x):
    s = x[0] * x[1]
    x[0] = s * 2.0
    s += x[0] ** 2
    x *= s
    s += np.sum(x**2)
    x[1:] = x[:-1].copy()
    return s + np.dot(x, x)


@program(uniform(0.5, 1.5, 5), tags="inplace")
def argument_overwritten_in_while(x):
    k = 0
    while x[k] < 4.0:
        x[k] = x[k] * 1.7 + x[k - 1] * 0.1
        k = (k + 1) % 5
    return np.sum(np.log(x))


@program(normal(4, 4))
def lower_triangle_in_place(A):
    L = A @ A.T + 4.0 * np.eye(4)
    for j in range(4):
        L[j, j] = math.sqrt(L[j, j])
        L[j + 1 :, j] /= L[j, j]
        for k in range(j + 1, 4):
            L[k:, k] -= L[k:, j] * L[k, j]
    return np.sum(np.log(np.diag(L)))


# ---------------------------------------------------------------- indices that change


@program(normal(6), integers(6, 4), normal(4), tags="inplace")
def indices_changed_after_reading(x, idx, y):
    s = np.sum(x[idx] * y)
    idx[:] = 0
    return s


@program(normal(6), integers(6, 4), normal(4), tags="inplace")
def indices_changed_after_storing(x, idx, y):
    a = x * x
    a[idx] = y
    idx += 1
    idx %= 6
    a[idx] *= 2.0
    return np.sum(a * a)


@program(normal(6), booleans(6), normal(6), tags="inplace")
def mask_changed_after_storing(x, m, y):
    a = x * x
    a[m] = y[m]
    m[:3] = True
    a[m] *= 2.0
    m[3] = False
    return np.sum(a * a)


@program(normal(6), 4)
def indices_changed_in_a_loop(x, n):
    a = x * x
    idx = np.array([0, 2, 4])
    for k in range(n):
        a[idx] = a[idx] * x[idx]
        idx[k % 3] += 1
    return np.sum(a * a)


@program(normal(6), 4)
def mask_changed_in_a_loop(x, n):
    a = x * x
    m = x > 0
    for k in range(n):
        a[m] *= x[m]
        m[k] = not m[k]
        a[m] = a[k] * 0.5
    return np.sum(a * a)


@program(normal(6), integers(3, 6), tags="inplace")
def number_from_a_changed_array(x, k):
    a = x * x
    a[k[0]] = x[k[1]] ** 2
    k[0] = 5
    a[k[0]] *= a[k[2]]
    return np.sum(a)
@program(normal(5))
def array_without_axes(x):
    a = np.array(0.0)
    a[()] = x[0] * x[1]
    a[...] = a[()] * 2.0
    a += x[2]
    return a[()] * a


@program(normal(5), normal(5), tags="nojit core")
def out_of_ufuncs(x, y):
    a = np.empty(5)
    b = np.empty_like(x)
    np.multiply(x, y, out=a)
    np.sin(a, out=b)
    np.add(a, b, a)
    np.exp(b, b)
    np.subtract(a, 1.0, out=a[1:] if False else a)
    return np.sum(a * b)


@program(normal(5), normal(5), tags="nojit")
def out_whose_result_is_used(x, y):
    a = np.empty(5)
    b = np.multiply(x, y, out=a)
    c = np.add(a, b, out=b) * 2.0
    a[0] = 3.0
    return np.sum(b * c * a)


@program(normal(6), normal(3), tags="nojit")
def put(x, y):
    a = x * x
    np.put(a, [0, 2, 4], y)
    np.put(a, 1, 0.5)
    return np.sum(a * a * x)


@program(normal(3, 4), normal(2), tags="nojit")
def put_into_a_matrix(A, y):
    B = A * A
    np.put(B, np.array([1, 5]), y)
    B.put(7, y[0] * y[1])
    return np.sum(B * B)


@program(normal(5), 0.7, 1.3, tags="inplace nojit")
def put_numbers_before_a_sum(v, s, t):
    v.put([0, 1], [s, t])
    r = v * 2
    return np.sum(np.cos(np.arange(r.size) + 0.4) * np.ravel(r) ** 2)


@program(normal(3, 4), tags="nojit")
def flat_elements(A):
    B = A * 1.0
    B.flat[3] = A.flat[4] ** 2
    B.flat[::2] = A.flat[1::2]
    for k in range(A.size):
        B.flat[k] *= A.flat[k]
    return np.sum(B * B)


@program(fortran(3, 4), tags="nojit")
def flat_elements_of_fortran_order(A):
    s = 0.0
    for k in range(A.size):
        s += A.flat[k] * (k + 1)
    B = A.copy()
    B.flat[5] = 2.0
    B.flat = B.flat[0] * 2.0
    return s * np.sum(B * A)


@program(normal(6))
def sorted_in_place(x):
    a = x * x
    a.sort()
    return a[0] + 2.0 * a[1] * a[5]


@program(normal(4, 3))
def diagonal_filled(A):
    B = A[:3] * A[:3]
    np.fill_diagonal(B, 1.0)
    return np.sum(B * A[:3])


@program(normal(6), booleans(6), normal(6), tags="nojit")
def placed_by_putmask(x, m, y):
    a = x * x
    np.putmask(a, m, y)
    return np.sum(a * a)


@program(lambda rng: np.array(1.3))
def argument_without_axes(a):
    return a[()] * a * a


@program(lambda rng: np.array(0.7), tags="inplace")
def argument_without_axes_written(a):
    a[()] = a[()] ** 2
    a += 1.0
    return a[()] * 2.0


@program(normal(3, 4), tags="nojit")
def made_in_fortran_order(A):
    B = np.zeros((3, 4), order="F")
    B[:] = A * A
    C = np.empty((3, 4), order="F")
    for i in range(3):
        C[i] = B[i] * 2.0
    D = A.copy(order="F")
    D[0] = C[1]
    return np.sum(C * D * B)


@program(normal(3, 4), tags="nojit")
def reshaped_in_fortran_order(A):
    B = A * A
    v = B.reshape(4, 3, order="F")
    r = A.ravel(order="F")
    return np.sum(v[1] * v[2]) + np.sum(r[1:] * r[:-1]) + np.sum(A.flatten("F")[:3])


@program(fortran(3, 4), tags="nojit")
def ravel_of_fortran_order(A):
    B = A.copy()
    r = B.ravel()
    a = A.ravel("A")
    return np.sum(r[1:] * r[:-1]) + np.sum(a[1:] * a[:-1])


@program(normal(5), empty(0), booleans(5))
def empty_selections(x, e, m):
    a = x * x
    a[3:3] = e
    a[4:2] = 7.0
    none = m & ~m
    a[none] = 5.0
    a[np.where(none)[0]] = 2.0
    return np.sum(a * x) + np.sum(x[none] ** 2)




# ---------------------------------------------------------------- outputs under masks, in order, in branches


@program(normal(5), lambda rng: np.array([0.5, -1.0, 0.0, 2.0, 0.3]), tags="nojit core")
def divided_where_not_zero(x, y):
    a = np.zeros(5)
    np.divide(x, y, out=a, where=y != 0)
    b = np.divide(x, y, out=np.zeros_like(x), where=y > 0.1)
    return np.sum(a * b)


@program(normal(5), tags="nojit")
def root_where_positive(x):
    return np.sum(np.sqrt(x, out=np.zeros_like(x), where=x > 0)) + np.sum(np.log(x, out=np.ones(5), where=x > 0))


@program(normal(5), tags="nojit")
def outputs_inside_one_another(x):
    a = np.empty(5)
    return np.sum(np.sin(np.multiply(x, 2.0, out=a), out=a) * x) + a[0]


@program(normal(5), tags="nojit")
def output_that_is_not_reached(x):
    a = np.ones(5)
    s = 1.0 if x[0] > 100 else np.sum(np.exp(x, out=a))
    t = x[0] > 200 and np.sum(np.exp(x, out=a)) > 0
    return s + np.sum(a) + t


@program(normal(5), tags="nof32 nojit")
def outputs_that_overlap(x):
    a = x * 1.0
    np.add(a[1:], a[:-1], out=a[1:])
    np.negative(a, out=a, where=a > 0)
    np.maximum(a, 0.1, out=a)
    np.add.at(a, [0, 1, 0], x[:3])
    np.place(a, a > 0.5, [x[0], 2.0])
    np.putmask(a, a < 0, x * x)
    B = np.outer(a, a)
    np.fill_diagonal(B, x)
    np.copyto(B[0], x, where=[True, False, True, True, False])
    return np.sum(a * x) + np.sum(B * B)


@program(normal(4), tags="nof32 nojit")
def methods_with_outputs(x):
    A = np.reshape(x, (2, 2)) * 1.0
    r = np.empty(2)
    A.sum(axis=1, out=r)
    A.sort(axis=0)
    A.flat = A[0, 0] * 1.5
    for v in A.flat:
        r[0] += v * x[0]
    r.put([1], x[3])
    return np.sum(r) + np.sum(A.flat[1:3])


@program(normal(4), normal(4), 0.5, tags="nojit")
def columns_of_a_fortran_view(x, y, t):
    A = np.zeros((4, 2)).T
    A[0] = x * t
    A[1] = y
    A.flat[3:5] = t
    return np.sum(A[0] * A[1])


@program(normal(4, 3), 2, tags="may_refuse")
def row_first_named_in_a_loop(A, n):
    B = A.copy()
    for i in range(n):
        row = B[i]
        row[0] = row[1] * row[2]
        if row[0] > -10.0:
            row = B[i + 1]
        row[1] = row[0] * 2.0
    row[2] = row[1] * 0.5
    return np.sum(B * B * A)


@program(normal(4, 4))
def pivot_row_chosen_and_written(A):
    B = A.copy()
    for k in range(3):
        pivot = B[k]
        for i in range(k + 1, 4):
            row = B[i]
            if abs(row[k]) > abs(pivot[k]):
                pivot = row
        pivot *= 0.5 + pivot[k] ** 2
    return np.sum(B * A)


@program(normal(3, 4, 2), 3, tags="nojit")
def planes_and_rows_rebound(A, n):
    B = A * 1.0
    plane, row = B[0], B[0, :, 1]
    for k in range(n):
        plane[1] = plane[0] * row[:2]
        row = B[k % 3, :, k % 2]
        row[1:] *= row[:-1]
        plane = B[(k + 1) % 3]
    plane += 0.5
    return np.sum(B * B) + row[0]


@program(normal(4), tags="nojit core")
def number_in_an_array_without_axes(x):
    total = np.zeros(())
    total += x[0]
    total[...] = total * x[1]
    scale = np.array(x[2] * x[3])
    return float(total) * x[2] + float(scale) ** 2


@program(normal(4), tags="nojit inplace core")
def view_without_axes(x):
    v = x[2:3].reshape(())
    v += x[1] * 3
    return x[2] * x[0] + math.sin(v)


@program(lambda rng: np.array(1.3), normal(4), tags="inplace nojit")
def copies_and_arrays_of_a_number(c, v):
    e = c.copy()
    e[...] = c * e
    b = np.array([c, v[0], 1.0])
    c *= v[1]
    return b[0] * e * np.sum(np.full(3, c)) + np.dot(c, v).sum() * np.sum(np.full_like(v, e) * v)


@program(normal(2))
def number_in_an_array_recorded(v):
    t = np.empty(())
    t[()] = v[0]
    for k in range(3):
        t *= v[1]
        t[...] = t * t + k
    return t * v[0]


@program(lambda rng: np.array(1.3), lambda rng: np.array(0.4), tags="nojit")
def loops_that_begin_with_arrays_of_a_number(a, b):
    s = a
    for k in range(2):
        s = s * a + k
        while s < 5.0:
            s = s * 1.5
    while abs(a - b) > 1e-3:
        a, b = 0.5 * (a + b), np.sqrt(a * b)
    return s * a


@program(lambda rng: np.array(1.3), tags="inplace nojit")
def loop_that_writes_into_an_array_of_a_number(x):
    p, s = x, 0.0
    for _ in range(3):
        s += p
        p *= x * 0.5
    return s * x


@program(lambda rng: np.array(1.3), normal(3), tags="core inplace nojit")
def copies_without_axes_that_are_written_to(z, x):
    z[...] = z * x[0]
    y, w = z.copy(), np.array(z)
    y *= 3.0
    w[()] = y * w + x[1]
    return y * z + w * x[2]


@program(normal(3), tags="nojit")
def numbers_held_in_arrays_that_are_written_to(v):
    z = np.where(v[0] < 9.0, v[0] * v[1], 0.0)
    w = z
    d = {"b": np.select([v[1] < 9.0], [v[1]], 0.0)}
    b = d["b"]
    for k in range(2):
        w *= v[2] + k
        b += z
    e = np.array([v[2], v[0]])[..., 0]
    for t in (e, z.reshape(1)):
        t += v[1]
    prev, s = 0.0, 0.0
    for k in range(3):
        a = np.where(k < 2, v[1] * k, v[2])
        a *= 0.5
        s += (a - prev) ** 2
        prev = a
    return z * d["b"] + e * s


@program(0.7, normal(3))
def an_axis_for_an_array_without_axes(a, x):
    first = np.expand_dims(np.asarray(a * x[0]), -1)
    second = np.expand_dims(np.asarray(x[1]), 0)
    third = np.atleast_1d(np.asarray(a * a))
    fourth = np.reshape(np.asarray(a * x[2]), (1, 1))
    fifth = np.ravel(np.asarray(a * x[2]))
    return np.sum(first * x) + np.sum(second * 3.0) * a + third[0] * x[2] + fourth[0, 0] * a + fifth[0] * x[0]
