"""Stores: elements, slices, whole arrays; recurrences and sweeps in place; work arrays."""

import math

import numpy as np

from tests.corpus import booleans, integers, normal, program, uniform


@program(normal(6))
def recurrence_in_new_array(x):
    a = np.zeros(len(x))
    a[0] = x[0]
    for i in range(1, len(x)):
        a[i] = math.sin(a[i - 1]) * x[i]
    return np.sum(a)


@program(normal(6), tags="inplace core")
def recurrence_in_argument(a):
    for i in range(1, len(a)):
        a[i] = a[i - 1] * a[i] + a[i]
    return a[len(a) - 1]


@program(normal(6))
def prefix_sums(x):
    p = np.empty(len(x))
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        p[i] = s
    return np.dot(p, p)


@program(normal(6))
def backward_recurrence(x):
    a = x.copy()
    for i in range(len(a) - 2, -1, -1):
        a[i] = a[i] * a[i + 1]
    return a[0] + a[2]


@program(normal(7), tags="core")
def gauss_seidel_sweep(x):
    u = x.copy()
    for _ in range(3):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * (u[i - 1] * u[i + 1]) + 0.1 * u[i] ** 2
    return np.sum(u**2)


@program(normal(7))
def read_overwrite_read(x):
    u = x.copy()
    s = 0.0
    for i in range(len(u)):
        s += u[i] ** 2
        u[i] = math.sin(u[i])
        s += u[i] ** 3
    return s + np.sum(u)


@program(normal(5))
def augmented_elements(x):
    a = np.ones_like(x)
    for i in range(len(x)):
        a[i] += x[i]
        a[i] *= x[i]
        a[i] -= x[i] ** 2 * 0.5
        a[i] /= 2.0 + x[i] ** 2
        a[i] **= 2
    return np.sum(a)


@program(uniform(0.5, 2.0, 5), uniform(0.5, 2.0, 5), tags="core")
def augmented_arrays(x, y):
    a = x.copy()
    a += y
    a *= x
    a -= y * y
    a /= x + y
    a **= 2
    a += 1.0
    return np.sum(a * x)


@program(uniform(0.5, 2.0, 8), 0.7)
def augmented_slices(x, s):
    a = x.copy()
    a[1:4] += x[:3]
    a[::2] *= s
    a[2:] -= a[:-2] * 0.5
    a[:3] /= x[5:]
    a[-2:] **= 2
    return np.sum(a * a)


@program(uniform(0.5, 2.0, 4), uniform(0.5, 2.0, 4), tags="inplace")
def augmented_arguments(x, y):
    x += y
    y *= x
    x /= y
    x -= 0.1
    return np.sum(x * y)


@program(uniform(0.2, 0.8, 4))
def augmented_by_itself(x):
    a = x.copy()
    a += a
    a *= a
    a[1] += a[1]
    a[2] *= a[2] + a[1]
    a -= 0.1 * a * a
    return np.sum(a)


@program(normal(3, 4), normal(4), tags="core")
def augmented_with_broadcast(A, b):
    B = A.copy()
    B += b
    B *= b
    B[1] -= b
    B[:, 1] *= b[2]
    B += 1.5
    return np.sum(B * B)


@program(uniform(0.5, 1.5, 5))
def other_augmented_operators(x):
    s = x[0]
    s **= 3
    s //= 0.5
    t = x[1] * 7
    t %= 2.0
    return s * x[2] + t * t


@program(normal(3), normal(3, 3), tags="nojit")
def augmented_matrix_product(x, W):
    v = x * 1.0
    v @= W
    v @= W
    return np.sum(v * x)


@program(normal(6), tags="inplace array core")
def writes_and_returns_argument(x):
    x[0] = x[1] * x[2]
    x[3:] = x[:3] * 2.0
    return x


@program(normal(6), tags="inplace core")
def entry_value_matters(x):
    s = np.sum(x**2)
    x[:] = 0.0
    return s


@program(normal(6), tags="inplace")
def argument_overwritten_before_read(x):
    x[2] = 4.0
    return np.sum(x**2)


@program(normal(6), normal(6), tags="inplace")
def one_argument_written_into_another(x, y):
    x[:] = y * x
    y[1:3] = x[2:4]
    return np.sum(x * y)


@program(normal(6), tags="inplace")
def argument_swapped_in_place(x):
    n = len(x)
    for i in range(n // 2):
        x[i], x[n - 1 - i] = x[n - 1 - i], x[i] * 2.0
    return x[0] ** 2 * x[1] + x[5]


@program(normal(4, 4), tags="inplace")
def matrix_argument_scaled(A):
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            A[i, j] = A[i, j] * (i + 1) + A[j, i]
    return np.sum(A * A)


@program(normal(5), normal(5), tags="inplace")
def output_parameter(x, out):
    for i in range(len(x)):
        out[i] = x[i] ** 2
    return np.sum(out)


@program(normal(5), normal(5))
def element_of_constant_array_zeroed(x, y):
    z = x * y
    z[1] = 0.0
    z[3] = 2.0
    return np.sum(z**2) + z[1]


@program(normal(6))
def slice_zeroed_after_read(x):
    y = x[1:] * x[:-1]
    x2 = x.copy()
    x2[:3] = 0.0
    return np.sum(y) * np.sum(x2**2)


@program(normal(6), tags="inplace")
def argument_zeroed_after_read(x):
    y = x[1:] * x[:-1]
    x[0] = 0.0
    return np.sum(y * y)


@program(normal(6))
def slice_stores(x):
    a = np.zeros(6)
    a[:3] = x[3:]
    a[3:] = x[:3] * a[:3]
    a[1:5] = a[2:6] * x[1:5]
    a[::2] = a[1::2] + x[::2]
    return np.sum(a * a)


@program(normal(6), 0.4)
def slices_filled_with_scalars(x, s):
    a = x * x
    a[1:3] = s
    a[4] = s * s
    a[5:] = 1
    return np.sum(a * x)


@program(normal(3, 4), normal(4), normal(3))
def rows_and_columns_stored(A, r, c):
    B = A * A
    B[1] = r
    B[:, 2] = c * B[:, 1]
    B[0, :] = B[1, :] * r
    B[2, 1:3] = r[:2]
    return np.sum(B * B)


@program(normal(3, 4), normal(4))
def broadcast_in_store(A, r):
    B = A.copy()
    B[:] = r
    B[1:] *= A[1:]
    C = np.zeros((3, 4))
    C[...] = r * 2.0
    C[:2, 1:] = r[1:]
    return np.sum(B * C)


@program(normal(2, 3, 4))
def rank_three_stores(A):
    B = np.zeros((2, 3, 4))
    for i in range(2):
        for j in range(3):
            B[i, j] = A[i, j] * (i + 1)
            B[i, j, 0] = A[1 - i, j, 3] ** 2
    B[:, 1, :] += A[:, 2, :]
    B[0, :, 1] = A[1, :, 2]
    return np.sum(B * B)


@program(normal(2, 2, 2, 2))
def rank_four_stores(A):
    B = np.empty((2, 2, 2, 2))
    for i in range(2):
        for j in range(2):
            for k in range(2):
                for m in range(2):
                    B[m, k, j, i] = A[i, j, k, m] * A[0, j, 0, m]
    B[1, :, 0, :] = B[0, :, 1, :] ** 2
    return np.sum(B)


@program(normal(4, 4))
def negative_indices_stored(A):
    B = A.copy()
    B[-1] = B[-2] * B[0]
    B[:, -1] = 1.0
    B[-2, -2] = B[1, 1] ** 2
    return np.sum(B**2)


@program(normal(5), integers(5, 7))
def scatter_with_repeats_in_loop(x, index):
    a = np.zeros(5)
    for k in range(len(index)):
        a[index[k]] += x[k % 5] * (k + 1)
    return np.sum(a**2)


@program(normal(7), integers(5, 7))
def histogram_overwrites(x, index):
    a = np.ones(5)
    for k in range(len(index)):
        a[index[k]] = x[k] * a[index[k]]
    return np.sum(a * a)


@program(normal(6), integers(6, 3), tags="may_refuse")
def fancy_store(x, index):
    a = x * x
    a[index] = 0.0
    return np.sum(a**2)


@program(normal(6), booleans(6), tags="may_refuse")
def mask_store(x, mask):
    a = x * x
    a[mask] = 0.0
    return np.sum(a * x)


@program(normal(6), tags="core")
def store_in_branch(x):
    a = x.copy()
    for i in range(1, len(x)):
        if a[i] > 0:
            a[i] = a[i] * a[i - 1]
        elif a[i] > -0.5:
            a[i - 1] = a[i] ** 2
    return np.sum(a**2)


@program(normal(6))
def store_then_break(x):
    a = x.copy()
    for i in range(1, len(x)):
        a[i] = a[i] ** 2 + a[i - 1] ** 2
        if a[i] > 2.5:
            break
        a[i - 1] = a[i] * 0.5
    return np.sum(a * x)


@program(normal(7))
def store_in_while(x):
    a = x.copy()
    k = 0
    while k < 5:
        a[k + 1] = a[k + 1] * a[k] + 0.2
        k += 2 if a[k + 1] > 0 else 1
        a[k] += 1.0
    return np.sum(a**2)


@program(normal(6), tags="core")
def work_array_reused(x):
    w = np.zeros(3)
    s = 0.0
    for i in range(4):
        for j in range(3):
            w[j] = x[i + j - (i + j) // 6] * (j + 1)
        s += w[0] * w[1] + math.sin(w[2] * s)
    return s


@program(normal(5))
def work_array_allocated_in_loop(x):
    s = 0.0
    for i in range(len(x)):
        w = np.zeros(3)
        w[0] = x[i]
        w[1] = x[i] * w[0]
        w[2] = w[1] * x[i]
        s += np.sum(w) * s + w[2]
    return s


@program(normal(5))
def work_array_partly_overwritten(x):
    w = np.ones(3)
    s = 1.0
    for i in range(len(x)):
        w[i % 3] = x[i] * s
        s = w[0] * w[1] + w[2]
    return s


@program(normal(8), 6, tags="core")
def double_buffer(u0, steps):
    u = u0.copy()
    v = np.empty_like(u)
    n = len(u)
    for _ in range(steps):
        v[0] = u[0]
        v[n - 1] = u[n - 1]
        for i in range(1, n - 1):
            v[i] = u[i] + 0.1 * (u[i + 1] - u[i - 1]) * u[i]
        u, v = v, u
    return np.sum(u**2)


@program(normal(6), 5)
def double_buffer_slices(u, steps):
    old = u * 1.0
    new = u * 0.5
    for _ in range(steps):
        new[1:-1] = old[:-2] * old[2:] - 0.3 * old[1:-1]
        new[0] = old[-1]
        old, new = new, old
    return np.sum(old * new)


@program(normal(6), 5)
def triple_buffer(u, steps):
    a = u.copy()
    b = u * 0.9
    c = np.zeros_like(u)
    for _ in range(steps):
        for i in range(len(u)):
            c[i] = 2 * b[i] - a[i] + 0.1 * math.sin(b[i - 1])
        a, b, c = b, c, a
    return np.sum(a * b) + c[0]


@program(normal(4, 5), tags="core")
def dynamic_programming_softmin(C):
    n, m = C.shape
    D = np.zeros((n, m))
    D[0, 0] = C[0, 0]
    for j in range(1, m):
        D[0, j] = D[0, j - 1] + C[0, j]
    for i in range(1, n):
        D[i, 0] = D[i - 1, 0] + C[i, 0]
        for j in range(1, m):
            z = math.exp(-D[i - 1, j]) + math.exp(-D[i, j - 1]) + math.exp(-D[i - 1, j - 1])
            D[i, j] = C[i, j] - math.log(z)
    return D[n - 1, m - 1]


@program(normal(4, 4))
def dynamic_programming_min(C):
    n = C.shape[0]
    D = C.copy()
    for i in range(1, n):
        for j in range(n):
            best = D[i - 1, j]
            if j > 0:
                best = min(best, D[i - 1, j - 1])
            if j < n - 1 and D[i - 1, j + 1] < best:
                best = D[i - 1, j + 1]
            D[i, j] += best
    return D[n - 1].sum()


@program(uniform(0.1, 0.9, 6))
def pascal_row_in_place(p):
    c = np.zeros(7)
    c[0] = 1.0
    for i in range(len(p)):
        for k in range(i + 1, 0, -1):
            c[k] = c[k] * (1 - p[i]) + c[k - 1] * p[i]
        c[0] = c[0] * (1 - p[i])
    return c[3]


@program(normal(9), normal(3))
def convolution(x, kernel):
    n = len(x) - len(kernel) + 1
    y = np.zeros(n)
    for i in range(n):
        for k in range(len(kernel)):
            y[i] += x[i + k] * kernel[k]
    return np.sum(np.tanh(y))


@program(normal(6), normal(3))
def convolution_by_slices(x, kernel):
    y = np.zeros(8)
    for k in range(3):
        y[k : k + 6] += kernel[k] * x
    return np.sum(y**3)


@program(normal(5, 6))
def stencil_2d(u):
    n, m = u.shape
    v = np.zeros_like(u)
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            v[i, j] = u[i - 1, j] * u[i + 1, j] + u[i, j - 1] * u[i, j + 1] - 4 * u[i, j] ** 2
    return np.sum(v * v)


@program(normal(5, 5), 3)
def stencil_2d_slices_in_place(u0, steps):
    u = u0.copy()
    for _ in range(steps):
        u[1:-1, 1:-1] = 0.2 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] * u[1:-1, 2:] + u[1:-1, 1:-1])
    return np.sum(u**2)


@program(normal(8))
def bubble_pass(x):
    a = x.copy()
    for i in range(len(a) - 1):
        if a[i] > a[i + 1]:
            t = a[i]
            a[i] = a[i + 1]
            a[i + 1] = t
    return np.sum(a * np.arange(8))


@program(normal(6))
def insertion_sort(x):
    a = x.copy()
    for i in range(1, len(a)):
        j = i
        while j > 0 and a[j - 1] > a[j]:
            a[j - 1], a[j] = a[j], a[j - 1]
            j -= 1
    return a[0] * 1 + a[1] * 2 + a[2] ** 2 + a[5] ** 3


@program(normal(5))
def history_of_states(x):
    H = np.zeros((4, 5))
    H[0] = x
    for t in range(1, 4):
        H[t] = np.sin(H[t - 1]) * x
    return np.sum(H * H)


@program(normal(5))
def history_element_by_element(x):
    H = np.empty((4, 5))
    H[0, :] = x
    for t in range(3):
        for i in range(5):
            H[t + 1, i] = H[t, i] * H[t, (i + 1) % 5] + 0.1
    return np.sum(H[3])


@program(normal(4))
def rebind_array_in_loop(x):
    y = x
    for _ in range(4):
        y = y * x + np.sin(y)
    return np.sum(y)


@program(normal(4), normal(4))
def rebind_then_store(x, y):
    z = x * y
    z[0] = 1.0
    z = z * z
    z[1] = x[1]
    z = z + y
    return np.sum(z * z)


@program(normal(5))
def old_value_needed_after_overwrite(x):
    a = x.copy()
    b = np.sin(a)
    c = a * b
    a[2] = c[1]
    b *= 2.0
    c[0] = b[0] * a[0]
    return np.sum(a * b * c)


@program(normal(5))
def scalar_read_then_element_overwritten(x):
    a = x.copy()
    t = a[1]
    a[1] = a[0] * t
    u = a[1]
    a[1] = t * u
    return a[1] * u + t


@program(normal(5, 5), lambda rng: np.array([1, 3]), tags="nojit")
def rows_swapped_from_a_column_on(U, chosen):
    U = U.copy()
    for k in range(3):
        p = int(np.argmax(np.abs(U[k:, k]))) + k
        U[[k, p], k:] = U[[p, k], k:]
        U[chosen, : k + 1] = U[chosen[::-1], : k + 1] ** 2
    return np.sum(U**2 * np.arange(5.0))


@program(normal(3))
def elements_that_trade_places_with_their_own_array(v):
    a, xs = v * v, [v[0], v[1] * 2.0]
    same, ys = a, xs
    a[1], a[0], a[2] = same
    xs[1], xs[0] = ys
    a[1:][1], a[0] = a[:2]
    return a[0] ** 3 + a[1] * xs[0] + a[2] * xs[1] ** 2
