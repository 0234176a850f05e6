"""NumPy style: broadcasting, reductions, shapes, products of every rank."""

import numpy as np

from tests.corpus import booleans, fortran, integers, normal, program, strided, uniform


@program(normal(5), normal(5))
def elementwise(x, y):
    return np.sum(np.sin(x) * y - np.exp(-x * x) / (1.0 + y**2))


@program(normal(5), tags="array core")
def array_result(x):
    return np.tanh(x) * x


@program(normal(3, 4), 0.7, tags="array")
def matrix_result(A, s):
    return A * s + A**2


@program(normal(4), tags="tuple")
def array_and_scalar_result(x):
    y = x * x
    return y, y.sum()


@program(normal(3, 4), normal(4), tags="core")
def broadcast_row(A, b):
    return np.sum((A * b + b) ** 2)


@program(normal(3, 4), normal(3, 1), tags="core")
def broadcast_column(A, c):
    return np.sum(np.sin(A + c) * c)


@program(normal(4, 1), normal(1, 3))
def broadcast_outer(a, b):
    return np.sum((a - b) ** 3)


@program(normal(2, 3, 4), normal(3, 1), normal(4))
def broadcast_three_ranks(A, b, c):
    return np.sum(A * b + c * b - A * c)


@program(normal(3, 4), 0.6, -1.1)
def broadcast_scalars(A, s, t):
    return np.sum(s * A + t / (A * A + s * s) - (A + t) ** 2 * s)


@program(normal(1), normal(4))
def broadcast_length_one(a, b):
    return np.sum(a * b + np.exp(a))


@program(normal(4, 3), normal(4))
def broadcast_with_none(A, b):
    return np.sum(A * b[:, None] + b[:, np.newaxis] ** 2 - b[None, :3])


@program(normal(4), normal(5))
def pairwise_differences(x, y):
    d = x[:, None] - y[None, :]
    return np.sum(np.exp(-(d**2)))


@program(normal(3, 4), tags="nojit")
def keepdims_normalise(A):
    centred = A - A.mean(axis=1, keepdims=True)
    return np.sum(centred**3 / np.sum(A**2, axis=0, keepdims=True))


@program(normal(2, 3, 4), tags="nojit")
def reduce_axis_tuples(A):
    a = np.sum(A, axis=(0, 2))
    b = np.mean(A * A, axis=(1, 2), keepdims=True)
    c = np.sum(A, (0, -1))
    return np.sum(a * c * a) + np.sum(b * A)


@program(normal(3, 4))
def sum_over_axes(A):
    rows = np.sum(A, axis=0)
    columns = A.sum(axis=1)
    return np.sum(rows**2) * np.sum(np.sin(columns)) + A.sum()


@program(normal(2, 3, 4))
def negative_axes(A):
    return np.sum(np.sum(A, axis=-1) ** 2) + np.sum(A.sum(axis=-2) ** 3) + np.sum(np.sum(A, axis=-3) ** 2)


@program(normal(4, 3), tags="nojit")
def mean_var_std(A):
    m = np.mean(A, axis=0)
    v = A.var(axis=0)
    s = np.std(A, axis=1)
    return np.sum(m * v) + np.sum(s**2 * s) + np.var(A) * np.std(A) + A.mean()


@program(normal(4, 3), tags="nojit")
def variance_with_ddof(A):
    return np.std(A, ddof=1) + np.sum(np.var(A, axis=0, ddof=1)) + np.var(A[:, 0], ddof=1)


@program(normal(7))
def mean_var_std_of_vector(x):
    return np.mean(x) * np.var(x) + x.std() / (1 + x.var())


@program(uniform(0.5, 1.5, 3, 4), tags="nojit")
def products_over_axes(A):
    return np.prod(A) + np.sum(np.prod(A, axis=0) ** 2) + np.sum(A.prod(axis=-1, keepdims=True) * A)


@program(uniform(0.5, 1.5, 5))
def product_of_vector(x):
    return np.prod(x) * x.prod()


@program(normal(3, 4), tags="nojit")
def extrema_over_axes(A):
    top = np.max(A, axis=1)
    low = A.min(axis=0, keepdims=True)
    return np.sum(top**2) + np.sum(low * A) + np.max(A) * np.min(A) + np.amax(A) + A.max(axis=-1).sum()


@program(normal(6))
def extrema_of_vector(x):
    return np.max(x) * np.min(x) + x.max() ** 2


@program(normal(6), normal(6))
def index_of_extremum(x, y):
    k = np.argmax(x)
    m = np.argmin(y)
    return x[k] * y[m] + y[k] ** 2


@program(normal(6), normal(6))
def elementwise_extrema(x, y):
    return np.sum(np.maximum(x, y) * x + np.minimum(x, 0.3) - np.maximum(0.0, y) ** 2)


@program(normal(6), normal(6))
def fmax_and_fmin(x, y):
    return np.sum(np.fmax(x, y) * y + np.fmin(x, y) ** 2)


@program(normal(8), tags="core")
def where_guard(x):
    safe = np.where(x > 0, x, 1.0)
    return np.sum(np.where(x > 0, np.log(safe), x**2))


@program(normal(3, 4), normal(4), 0.5)
def where_broadcast(A, b, c):
    return np.sum(np.where(A > 0.2, b, c) * A) + np.sum(np.where(b > 0, A, 0.0) ** 2)


@program(normal(6), booleans(6))
def where_with_mask_argument(x, mask):
    return np.sum(np.where(mask, np.sin(x), x * x))


@program(normal(8))
def clip_array(x):
    return np.sum(np.clip(x, -0.5, 0.8) * x)


@program(normal(8), 0.9, tags="nojit")
def clip_one_side_and_scalar(x, t):
    y = x.clip(-0.6) * x.clip(-0.9, max=0.7)
    return np.sum(np.clip(x, -0.5, None) ** 2) + min(max(t, -1.0), 1.0) * x[0] + np.sum(y)


@program(normal(6))
def absolute_and_sign(x):
    return np.sum(np.abs(x) * x + np.sign(x) * x**2 + np.floor(x) * x)


@program(normal(4), normal(4))
def dot_vectors(x, y):
    return np.dot(x, y) * (x @ y) + x.dot(x)


@program(normal(3, 4), normal(4), tags="core")
def matrix_vector(A, x):
    y = A @ x
    return np.dot(y, y) + np.sum(np.dot(A, x) ** 3)


@program(normal(3), normal(3, 4))
def vector_matrix(x, A):
    y = x @ A
    return np.sum(np.sin(y)) + np.dot(x, A)[1]


@program(normal(3, 4), normal(4, 2), tags="core")
def matrix_matrix(A, B):
    C = A @ B
    return np.sum(C * C) + np.sum(np.dot(A, B)[0])


@program(normal(2, 3, 4), normal(2, 4, 3), tags="nojit")
def stacked_matmul(A, B):
    return np.sum(np.sin(A @ B))


@program(normal(2, 3, 4), normal(4, 5), normal(4), tags="nojit")
def stacked_matmul_broadcast(A, B, x):
    return np.sum(np.matmul(A, B) ** 2) + np.sum((A @ x) ** 3)


@program(normal(3, 2, 4), normal(1, 4, 3), normal(3, 9, 8), normal(3, 8, 9), tags="nojit")
def stacks_of_small_and_of_large_products(A, B, C, D):
    return np.sum(np.sin(A @ B)) + np.sum(np.cos(C @ D)) + np.sum((A[:, :, :0] @ B[:, :0]) + (C[:, :1] @ D[:, :, :1]))


@program(normal(3, 4, 2), normal(3, 2), normal(3, 4), tags="nojit")
def vectors_by_stacks_of_matrices(A, x, y):
    z = np.einsum("nij,nj->ni", A, x)
    w = np.einsum("nj,nij->in", x, A)
    forms = np.einsum("nij,nj,ni->n", A, x, y)
    return np.sum(np.tanh(z) * w.T) + np.sum(np.einsum("nij,ni->jn", A, y) ** 2) + np.sum(forms**3)


@program(normal(3, 4))
def gram_matrix(A):
    G = A.T @ A
    H = A @ A.T
    return np.sum(G * G) + np.trace(H) ** 2


@program(normal(3), normal(4))
def outer_inner_vdot(x, y):
    return np.sum(np.outer(x, y) ** 2) + np.vdot(x, x) * np.sum(y)


@program(normal(4), normal(4), tags="nojit")
def inner_of_vectors(x, y):
    return np.inner(x, y) ** 2


@program(normal(3, 3), normal(3))
def trace_and_diagonal(A, d):
    return np.trace(A @ A) + np.sum(np.diag(A) * d) + np.sum(np.diag(d) @ A)


@program(normal(2, 3))
def transposes(A):
    B = A.T
    C = np.transpose(A)
    return np.sum(B[0] ** 2) + np.sum(C[:, 1] * B[:, 0]) + A.T[2, 1] ** 3


@program(normal(2, 3, 4))
def transpose_with_axes(A):
    B = np.transpose(A, (2, 0, 1))
    return np.sum(B[1] * B[2]) + np.sum(B[0, 1] ** 3)


@program(normal(2, 6))
def reshape_and_ravel(A):
    B = A.reshape(3, 4)
    C = np.reshape(A, (4, 3))
    return np.sum((B @ C) ** 2) + np.ravel(A)[7] ** 2 * A.ravel()[1]


@program(normal(12), 3)
def reshape_with_minus_one(x, n):
    A = x.reshape((n, -1))
    return np.sum(A[1] * A[2]) + np.sum(A.reshape(-1)[2:4] ** 2)


@program(normal(3, 4), tags="nojit")
def flatten_copy(A):
    return np.sum(A.flatten()[3:7] ** 3)


@program(normal(4), normal(3), tags="core")
def concatenate_vectors(x, y):
    z = np.concatenate((x, y * 2, x))
    return np.sum(z[:-1] * z[1:])


@program(normal(2, 3), normal(1, 3))
def concatenate_matrices(A, B):
    C = np.concatenate((A, B), axis=0)
    D = np.concatenate((C, C * C), axis=1)
    return np.sum(D[:, 1:] * D[:, :-1])


@program(normal(4), normal(4))
def stack_vectors(x, y):
    S = np.stack((x, y, x * y))
    R = np.stack((x, y), axis=1)
    return np.sum(S @ R)


@program(normal(3), normal(3))
def hstack_and_vstack(x, y):
    return np.sum(np.hstack((x, y))[1:5] ** 2) + np.sum(np.vstack((x, y))[1] * x)


@program(normal(4))
def broadcast_to_matrix(x):
    A = np.broadcast_to(x, (3, 4))
    return np.sum(A * A * x)


@program(normal(3, 4), tags="nojit")
def expand_and_squeeze(A):
    B = np.expand_dims(A, 1)
    C = np.squeeze(B * B)
    return np.sum(C * A) + np.sum(np.expand_dims(A[0], axis=-1) * A[1])


@program(normal(6))
def cumulative_sum(x):
    c = np.cumsum(x)
    return np.sum(c * c * x)


@program(normal(3, 4), tags="nojit")
def cumulative_sum_axis(A):
    return np.sum(np.cumsum(A, axis=1) ** 2) + np.sum(np.cumsum(A, axis=0) * A)


@program(normal(8), tags="core")
def slices_read(x):
    return np.sum(x[1:] * x[:-1]) + np.sum(x[::2] * x[1::2]) + np.sum(x[::-1] * x) + np.sum(x[2:-2] ** 3)


@program(normal(4, 5))
def rows_and_columns_read(A):
    return np.sum(A[1] * A[-1]) + np.sum(A[:, 0] * A[:, 2]) + np.sum(A[1:3, ::2] ** 2) + A[0, 1] * A[-1, -2]


@program(normal(2, 3, 4))
def rank_three_reads(A):
    return np.sum(A[0, 1] * A[1, 2]) + np.sum(A[:, 1, :] ** 2) + np.sum(A[..., 0] * A[..., -1]) + A[1, 2, 3]


@program(normal(2, 2, 2, 3), tags="nojit")
def rank_four_reads(A):
    return np.sum(A[1, 0] * A[0, 1]) + A[0, 1, 0, 2] ** 2 + np.sum(A[:, 1, :, 0] ** 3)


@program(normal(5), integers(5, 8), tags="core")
def gather_with_repeats(x, index):
    return np.sum(np.sin(x[index]) * x[index])


@program(normal(5), integers(5, 8), normal(8))
def gather_in_loop(x, index, w):
    s = 0.0
    for k in range(len(index)):
        s += x[index[k]] * w[k] * x[index[-1 - k]]
    return s


@program(normal(4, 3), integers(4, 6), tags="nojit")
def gather_rows(A, index):
    return np.sum(A[index] ** 2 * A[index][:, ::-1])


@program(normal(6), tags="may_refuse")
def mask_select(x):
    return np.sum(x[x > 0] ** 2)


@program(normal(5), tags="core")
def local_allocations(x):
    n = x.shape[0]
    a = np.zeros(n)
    b = np.ones(n) * x
    c = np.full(n, 0.5)
    d = np.zeros_like(x)
    e = np.ones_like(x)
    f = np.arange(n) * x
    g = np.linspace(0.0, 1.0, n) * x
    h = np.empty_like(x)
    for i in range(n):
        h[i] = x[i] ** 2
    return np.sum((a + b + c * x + d + e) * f * g + h)


@program(normal(3, 4))
def local_matrices(A):
    Z = np.zeros(A.shape)
    U = np.ones((3, 4))
    F = np.full((3, 4), 2.0)
    L = np.full_like(A, 0.5)
    E = np.eye(3)
    return np.sum((Z + U * A + F) * L) + np.sum((E @ A) ** 2)


@program(0.3, 1.9)
def allocations_that_depend(x, y):
    a = np.full(5, x)
    b = np.linspace(x, y, 7)
    return np.sum(a**2) * np.sum(np.sin(b))


@program(strided(6), fortran(4, 3), tags="core")
def other_layouts(x, A):
    return np.sum(x[1:5] * (A @ x[:3])) + np.sum(A[:, 0] * A[:, 1])


@program(normal(0, scale=1.0), 0.4)
def empty_array(x, y):
    return np.sum(x * y) + y**2


@program(normal(1, 1))
def single_element(A):
    return A[0, 0] ** 2 + np.sum(A * A)


@program(normal(5))
def method_spelling(x):
    y = x.copy()
    y = y.reshape(5, 1)
    return (y.T @ y).sum() + y.mean() * y.max() + float(y.size) * y[0, 0] + y.ndim * len(y) * y[1, 0]


@program(normal(6))
def reductions_used_as_scalars(x):
    m = x.mean()
    s = x.std()
    z = (x - m) / s
    return np.sum(z**3) / (x.size - 1)


@program(normal(5), normal(5))
def distances(x, y):
    return np.sqrt(np.sum((x - y) ** 2)) + np.sum(np.abs(x - y)) + np.max(np.abs(x - y))


@program(normal(5))
def mixed_int_float_arrays(x):
    k = np.arange(5)
    m = k % 2 == 0
    return np.sum(x**k) + np.sum(x * m) + np.sum(x[k // 2])


@program(normal(3), normal(4))
def temporary_used_twice(x, y):
    u = np.outer(x, y)
    v = u.sum(axis=1)
    w = u.sum(axis=0)
    return np.sum(u @ w * v)


@program(normal(5))
def sum_of_generator_free_powers(x):
    total = np.zeros_like(x)
    term = np.ones_like(x)
    for k in range(1, 6):
        term = term * x / k
        total = total + term
    return np.sum(total * total)


@program(normal(3, 4), integers(4, 5))
def gather_columns(A, i):
    return np.sum(A[:, i] ** 2 * A[1, i])


@program(normal(4, 3, 5), integers(3, 6), tags="core")
def gather_between_slices(T, i):
    return np.sum(np.sin(T[1:3, i, 0])) + np.sum(T[..., i] ** 2) + np.sum(T[i, 1:, i])


@program(normal(3, 4), booleans(4))
def masked_columns(A, m):
    B = A * A[:1]
    return np.sum(B[:, m] ** 3)


OFFSETS = np.array([0.5, -1.5, 2.0])


@program(normal(3), 3)
def global_array_by_another_name(x, n):
    a = OFFSETS
    b = x
    if n > 2:
        b = OFFSETS
    return np.sum(a * x) + np.sum(b * x**2)


@program(normal(3), normal(2), tags="nojit array")
def arrays_of_values_behind_stars(a, b):
    y = np.array([0.0, *a, a[0] * b[1], *b])
    rows = np.array([[0.5, *a], [*a, b[0]]])
    z = np.asarray((*b, *a[1:]), dtype=np.float64)
    z[0] = b[1]
    stacked = np.array([a, *(rows[:, 1:] * 2.0)])
    return np.concatenate((y * y, rows[0] * rows[1], z * z, stacked[1] * stacked[0]))
