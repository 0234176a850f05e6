"""Views and copies as the order of elements in memory has it: ravel and reshape, flips, diagonals, chosen buffers."""

import numpy as np

from tests.corpus import fortran, normal, program, strided

# ---------------------------------------------------------------- copies of what lies otherwise, views of what does not


@program(fortran(3, 4), tags="nojit inplace")
def ravelled_argument_by_columns(A):
    r = A.ravel()
    c = A.T.ravel()
    r[0] = A[1, 2] * 2.0
    c[1] = r[0] * c[2]
    return np.sum(A**2) + np.sum(r**3) + np.sum(c * r)


@program(normal(3, 4), tags="nojit")
def ravelled_transposes(A):
    B = (A * 2.0).T
    r = B.ravel()
    r[1] = A[0, 1] ** 2
    C = B * 1.0
    C.T.ravel()[2] = A[1, 1] * r[0]
    C.ravel()[0] = 100.0
    return np.sum(B**2) + np.sum(C**3) + np.sum(r**3)


@program(normal(3, 4), tags="nojit")
def made_by_columns(A):
    B = np.zeros((4, 3), order="F")
    B[:] = A.T
    r = B.reshape(-1)
    r[2:5] *= 3.0
    c = B.reshape(12, order="F")
    c[1] *= c[2]
    D = A.T.copy()
    D.ravel()[3] = A[0, 0] * 2.0
    E = np.asfortranarray(A)
    E[0, 1] *= E[0, 0]
    return np.sum(B**2) + np.sum(r**3) + np.sum(D**3) + np.sum(E**2)


@program(normal(2, 3, 4), tags="nojit")
def parts_of_a_stack_in_a_line(A):
    B = A * 1.0
    r = B[1].ravel()
    r[0] = 2.0 * r[1]
    q = B[:, 1].ravel()
    q[0] = 2.0 * q[1]
    p = B[:, :, 0].reshape(-1)
    p[0] *= p[1]
    return np.sum(B**2) + np.sum(r**3) + np.sum(p**3) + np.sum(q**3)


@program(strided(8), tags="nojit inplace")
def strided_argument_as_a_matrix(x):
    M = x.reshape(2, 4)
    r = x.ravel()
    M[0] *= M[1]
    r[0] = x[2] * 3.0
    return np.sum(x**2) + np.sum(M**3) + np.sum(r**2)


@program(normal(4, 6), 1, tags="nojit")
def turned_or_not(A, n):
    B = A * 1.0
    if n > 0:
        B = B.T
    r = B.ravel()
    r[1] = r[2] * r[5]
    return np.sum(B**2) + np.sum(r**3)


@program(normal(3, 4), tags="nojit inplace")
def flat_elements_of_a_transpose(A):
    A.T.flat[1] = 2.0 * A[0, 0]
    A.T.flat[3:5] *= A[1, 1]
    return np.sum(A**3)


@program(fortran(3, 4), normal(3, 4), tags="nojit array")
def seeds_and_factors_by_columns(M, A):
    B = A * 1.0
    B.ravel()[1] = 5.0 * A[1, 1]
    return B * M


# ---------------------------------------------------------------- flips, diagonals, what is broadcast


@program(normal(3, 4), tags="nojit inplace")
def flips_are_views(A):
    f, g, h = np.flip(A, 1), np.flipud(A), np.fliplr(A)
    f[0, 0] = A[0, 0] * A[1, 1]
    g[0, 1] = A[2, 2] * h[1, 1]
    h[0, 1] *= A[2, 2]
    r = np.rot90(A)
    r[0, 0] = A[0, 0] * 2.0
    return np.sum(A**3) + np.sum(f * g) + np.sum(h[0] * A[1])


@program(normal(3, 3), tags="nojit inplace")
def diagonals_are_views(A):
    d, e = A.diagonal(), np.diag(A, 1)
    b = np.broadcast_to(A[0], (2, 3))
    A[1, 1] = 3.0 * A[0, 0]
    A[0, 1:] *= A[2, 1:]
    D = np.diag(d)
    A[2, 2] *= d[0]
    i = np.einsum("ii->i", A)
    i[0] = A[0, 1] * i[2]
    return np.sum(d**2) + np.sum(e**3) + np.sum(D**2) + np.sum(b * b[0] * A[1])


@program(normal(4), normal(2, 3), tags="nojit inplace complex")
def more_axes_are_views(x, A):
    m, c = np.atleast_2d(x), np.atleast_3d(A)
    m[0, 1] = x[0] * 2.0
    x[2] *= m[0, 1]
    c[1, 1, 0] = A[0, 0] * 3.0
    A[0, 2] *= c[1, 1, 0]
    k = A.conj()
    k[1, 0] *= x[1]
    return np.sum(m**2) + np.sum(c**3) + np.sum(A**2) + np.sum(np.tile(x, 1) * x)


@program(normal(4), tags="nojit inplace complex")
def these_are_copies(x):
    t, r = np.tile(x, 1), np.repeat(x, 1)
    g = np.meshgrid(x, x, sparse=True)[0]
    c = np.conj(x)
    x[0] = 3.0 * x[1]
    return np.sum(t**2) + np.sum(r**3) + np.sum(g**2) + np.sum(c * x)


# ---------------------------------------------------------------- of its own, or another array


@program(normal(3, 3), normal(3, 3), tags="nojit")
def these_are_copies_of_matrices(x, w):
    y = x * 1.0
    for part in (np.asarray(y, order="F"), np.choose(0, [y, w]), np.resize(y, (2, 3))):
        part[0] *= y[1]
    y.flat[:] *= 2.0
    ys = y.flat[1:3]
    ys *= x[0, :2]
    return np.sum(y * w) + np.sum(ys**3)


@program(normal(3, 3), normal(3, 3), tags="inplace nof32 nojit")
def these_are_the_array_itself(x, w):
    y = np.float64(x)
    y[0] = 2.0 * x[1] * w[0]
    z = np.rot90(x, 4)
    z[1] *= y[0]
    flipped = np.flip(x, ())
    flipped[2] = z[0] ** 2
    d = np.diag(x[0])
    d *= 3.0
    return np.sum(x * w) + np.sum(np.sin(y) + d)


@program(normal(4), 1)
def the_array_or_a_copy(x, c):
    a = x * 2.0
    w = a if c else a.copy()
    w[0] = x[1] * x[2]
    return np.sum(a**2) + np.sum(w**3)


@program(normal(4), 0)
def a_view_or_another_array(x, n):
    a = x * 1.0
    if n > 1:
        b = a[1:]
    else:
        b = x[1:] * 2.0
    b[0] = 3.0 * x[0]
    a[2] = x[1] * 5
    return np.sum(a**2) + np.sum(b**3)


@program(normal(5))
def relaxed_until_done(x):
    a = x * 1.0
    n = 0
    while True:
        b = a.copy()
        for i in range(1, 4):
            b[i] = 0.5 * (a[i - 1] * b[i - 1] + a[i + 1])
        n += 1
        if n > 3:
            break
        a = b
    return np.sum(a * b)


# ---------------------------------------------------------------- arrays of rank 0


@program(lambda rng: np.array(rng.standard_normal()), normal(3), tags="nojit inplace nof32 array")
def a_number_in_place(x, v):
    x[...] = x * x
    x *= 3.0
    v += x
    x += v[0]
    v[...] = v * x
    return v * x[()]


@program(lambda rng: np.array(1.3), lambda rng: np.array(0.4), tags="nojit inplace")
def a_number_under_two_names_in_a_loop(x, v):
    y = x
    for _ in range(2):
        x += 0.5 * y
        if x > 2.0:
            y = x
    z = v[...]
    z *= 2.0
    return x * y * v


@program(fortran(5, 5))
def column_into_a_row_of_a_copy(A):
    B = A.copy()  # in C order
    B[4, 1:4] = B[::2, 2]
    return np.sum(B * B * A)


@program(normal(3, 4), normal(9), tags="core")
def weights_from_a_vector(x, theta):
    w = theta[:8].reshape(2, 4)
    return np.sum(np.tanh(x @ w.T + theta[8]) ** 2)


@program(normal(4, 4), normal(4, 3), tags="core nojit")
def solutions_and_views_reshaped(A, B):
    M = A @ A.T + np.eye(4)
    rows = np.linalg.inv(M).reshape(2, 8)  # Numba's inverse and solution lie by columns
    flat = np.linalg.solve(M, B).reshape(-1) + np.stack((B.T, B.T * A[0, 1])).reshape(2, -1)[1]
    q = np.linalg.qr(B)[0].reshape(2, 6)
    return np.sum(rows[1] ** 2) * flat[1] + A[1:].reshape(-1)[2] * A[1:, :].reshape(-1)[3] * rows[0, 5] + q[1, 2]


@program(normal(12), 2, tags="may_refuse nojit")
def turned_and_reshaped_in_a_loop(p, n):
    a = p.reshape(3, 4)
    for _ in range(n):
        a = (a.T @ a @ a.T).T / 5
        a = a.reshape(-1)[:12].reshape(3, 4)
    return np.sum(a**2)


@program(normal(2, 3, 3), tags="nojit")
def rows_of_a_stack_of_squares(A):
    """Behind an ellipsis, the whole axes at the end say which axis is meant."""
    smallest = np.sort(A[..., :2, :] * A[..., 0, :][:, None], axis=-1)[..., 0]
    return np.sum(np.cumsum(A[..., 1, :], axis=-1) ** 2) + np.sum(smallest)


@program(lambda rng: np.array(1.3), lambda rng: np.array(0.4), 4, tags="nojit complex")
def numbers_or_arguments_without_axes(x, y, n):
    def powers(a, b, k):
        if k == 0:
            return a
        return b if k == 1 else 0.5 * powers(b, a * b, k - 1)

    first, second = (x, 0.2) if y > x else (y * x, x)
    for k in range(n):
        first = first * second if k else y
    return first + powers(x, y, n) * max(x, y) * complex(x, y).real


@program(lambda rng: np.array(1.3), lambda rng: np.array(0.4), tags="nojit inplace")
def number_of_an_argument_without_axes(x, y):
    z = np.float64(x)
    z += y
    chosen = x if y < 1.0 else 0.0
    chosen *= y
    return z * x * chosen


@program(normal(3, 4), tags="nojit")
def cotangents_of_other_shapes_that_are_read_again(x):
    """Of what is repeated and reshaped, where the cotangent before it is read, or written to, behind it."""
    y = np.reshape(np.repeat(x * x, 2, axis=1), (4, 6))
    z = np.ravel(np.tile(y, (2, 1)))
    w = z.copy()
    w[1:3] = y[0, :2] * y[1, 1]
    return np.sum(z**2) + np.sum(w**3) + np.sum(np.reshape(z, (6, 8))[1:, ::2] * w[0]) + np.sum(y)


@program(normal(6), tags="nojit")
def shapes_of_one_cotangent(x):
    a = np.reshape(np.sin(x), (2, 3))
    b = np.reshape(np.tile(a, (2, 2)), (24,))
    c = np.reshape(b.copy(), (4, 6)).flatten()
    return np.sum(b[::3] * c[::3]) + np.sum(np.repeat(np.reshape(c, (2, 3, 4)), 3, axis=1) ** 2) + a[0, 1]


@program(normal(3, 2), 1.5, tags="nojit")
def copy_in_fortran_order_read_in_its_order(A, s):
    B = np.asfortranarray(A)
    B[0] += A[-1]
    r = B.T.ravel()
    r[1] = s * s
    return np.sum(B * A) * s


@program(normal(3, 2), 1.5, tags="inplace nojit")
def copy_in_c_order_of_a_product_read_in_its_order(A, s):
    t = A.T * s
    B = np.ascontiguousarray(t)
    B[0] += A[-1, 0]
    r = B.reshape(-1)
    r[1] = s * s
    A[0] = B[:, 1]
    return np.sum(B * A.T)


def squared_in_fortran_order(A, depth, *, scale):
    if depth == 0:
        return np.sum(A) * scale
    B = np.asfortranarray(A * A)
    B[0] += A[-1]
    return squared_in_fortran_order(B, depth - 1, scale=scale * 0.5) + A[0, 0]


@program(normal(3, 2), 1.5, tags="nojit")
def fortran_order_at_each_level(A, s):
    return squared_in_fortran_order(A, 3, scale=s)


@program(normal(3, 2), 1.5, tags="nojit")
def fortran_order_of_what_a_function_returned(A, s):
    for _ in range(2):
        B = np.asfortranarray(A * s)
        B[0] += A[-1]
        B[:, 0] *= B[:, 1]
        A = B
    C = np.asfortranarray(A.T @ A)
    C[1] *= C[0]
    return np.sum(C) * s


@program(normal(5, 3), 1.5, tags="nojit")
def copy_or_view_in_fortran_order_read_in_its_order(A, s):
    t = A * A
    B = np.asfortranarray(A[::2])
    C = np.asfortranarray(t)
    C[1] = B[0] * s
    t[0] = C[1] * 2
    r = C.T.ravel()
    r[1] = s * s
    B[1] += A[0]
    q = B.T.reshape(-1)
    q[2] = s
    return np.sum(B * A[1:4]) * s + np.sum(C * t)


@program(normal(4, 3), 0.1, tags="nojit")
def a_turned_state_that_steps_make_anew(x, h):
    u = x.T
    for _ in range(5):
        u = u + h * np.stack([u[1], u[2] * u[0], -u[0]])
    return np.sum(u * u)


@program(normal(4, 3), 0.1, tags="nojit")
def a_turned_state_of_no_step(x, h):
    u = x.T
    for _ in range(int(h)):
        u = u + h * np.stack([u[1], u[2] * u[0], -u[0]])
    return np.sum(u * u)


@program(normal(4, 3), 0.1, tags="nojit")
def a_turned_state_whose_matrix_changes(x, h):
    y = x * 1.0
    u = y.T
    for t in range(3):
        y[1] = y[1] * 1.3 + t
        u = u + h * np.stack([u[1], u[2] * u[0], -u[0]])
    return np.sum(u * u) + np.sum(y**3)


@program(normal(4, 3, 2), 0.1)
def a_turned_stack_that_steps_make_anew(x, h):
    u = np.swapaxes(x, 0, 2)
    for _ in range(3):
        u = np.tanh(u) + h * np.ones((2, 3, 4))
    return np.sum(u * u)
