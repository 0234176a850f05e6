"""Arrays under several names: overlapping copies, one of several buffers chosen, swapped, listed, and written to."""

import numpy as np

from tests.corpus import fortran, normal, program, strided


# ---------------------------------------------------------------- overlapping copies


@program(normal(4, 4), tags="nojit inplace core")
def column_from_a_row(A):
    A[:, 3] = A[-2]
    return np.sum(A**3)


@program(fortran(4, 4), tags="nojit inplace")
def row_from_a_column(A):
    A[-2] = A[:, 3]
    return np.sum(A**3)


@program(normal(4, 4), tags="nojit")
def column_from_a_ravelled_matrix(A):
    B = A * 1.0
    B[:, 1] = B.ravel()[3:7]
    return np.sum(B**3)


@program(normal(4, 4), tags="nojit")
def row_and_column_by_name(A):
    B = A * A
    row, column = B[-2], B[:, 3]
    row[:] = column
    return np.sum(B**3)


@program(normal(4, 4), tags="nojit")
def transposed_onto_itself(A):
    B = A * 1.0
    B[:] = B.T
    B.T[1:] = B[:, :3].T
    return np.sum(B**3 * A)


@program(normal(4, 4), tags="nojit core")
def rows_and_columns_in_a_loop(A):
    B = A * 1.0
    for i in range(4):
        B[:, i] = B[3 - i]
        B[i] = B[:, (i + 1) % 4]
    return np.sum(B**3 * A)


@program(normal(4, 4))
def lower_triangle_from_the_upper(A):
    B = A * 1.0
    for i in range(4):
        B[i + 1 :, i] = B[i, i + 1 :]
    return np.sum(B**3 * A)


@program(normal(8), tags="nojit")
def vectors_of_unlike_strides(x):
    a = x * 1.0
    a[::2] = a[:4]
    a[:4] = a[::2]
    a[1::2] = a[3:7]
    a[::-1] = a
    a[::-2] = a[6:2:-1]
    return np.sum(a**3)


@program(strided(8), 3, tags="nojit inplace")
def unlike_strides_in_a_loop(x, k):
    for t in range(3):
        x[::k] = x[: len(x[::k])] * 1.0
        x[t::k] = x[: len(x[t::k])]
    return np.sum(x**3)


@program(normal(8), tags="nojit")
def copied_between_shapes(x):
    a = x * 1.0
    M = a.reshape(2, 4)
    M[0] = a[1::2]
    a[1::2] = M[1]
    np.copyto(a[::2], a[:4])
    return np.sum(a**3)


@program(normal(8), 0.3, tags="nojit")
def copied_from_a_chosen_half(x, t):
    a = x * 1.0
    half = a[:4] if t > 0 else a[4:]
    a[::2] = half
    return np.sum(a**3)


# ---------------------------------------------------------------- one of several buffers


@program(normal(6), normal(6), 0.3)
def buffer_chosen_in_an_expression(x, y, t):
    a = x * 1.0
    b = y * 1.0
    w = a if t > 0.5 else b
    w[1] = x[0] * y[2]
    return np.sum(a * a) + np.sum(b * b * b)


@program(normal(6), normal(6), 0.7)
def buffer_chosen_in_a_branch(x, y, t):
    a = x * 1.0
    b = y * 1.0
    if t > 0.5:
        w = a
    else:
        w = b
    w[1] = x[0] * y[2]
    w[2:] *= 2.0
    return np.sum(a * a) + np.sum(b * b * b)


@program(normal(6), normal(6), 0.7, tags="inplace core")
def argument_chosen_and_written(x, y, t):
    w = x if t > 0.5 else y
    w[0] = w[1] * w[2]
    return np.sum(x * x) + np.sum(y * y * y)


@program(normal(6), normal(6), 0.3)
def source_and_target_chosen(x, y, t):
    a = x * 1.0
    b = y * 1.0
    src, dst = (a, b) if t > 0.5 else (b, a)
    for i in range(6):
        dst[i] = src[i] * src[i - 1]
    return np.sum(a * a) + np.sum(b * b * b)


@program(normal(6), 3)
def swapped_while_the_first_names_live_on(x, n):
    a = x.copy()
    b = np.zeros_like(x)
    u, v = a, b
    for t in range(n):
        for i in range(6):
            v[i] = u[i] * u[i - 1]
        u, v = v, u
    return np.sum(a * a) + np.sum(b * b * b) + np.sum(u)


@program(normal(6), normal(6))
def list_of_buffers(x, y):
    bufs = [x * 1.0, y * 1.0]
    bufs[0][1] = bufs[1][2] * 2.0
    for i in range(1, 6):
        bufs[1][i] = bufs[0][i] * bufs[1][i - 1]
    return np.sum(bufs[0] ** 2) + np.sum(bufs[1])


@program(normal(6), normal(6), 3, tags="core")
def buffers_listed_and_found_by_a_remainder(x, y, n):
    bufs = [x * 1.0, y * 1.0]
    for t in range(n):
        cur = bufs[t % 2]
        nxt = bufs[(t + 1) % 2]
        for i in range(6):
            nxt[i] = cur[i] * cur[i - 1]
    return np.sum(bufs[0] ** 2) + np.sum(bufs[1])


@program(normal(6), normal(6))
def each_buffer_of_a_list(x, y):
    bufs = [x * 1.0, y * 1.0]
    for k in range(2):
        bufs[k][0] = bufs[k][1] * 3.0
        bufs[k][1:] *= x[1:]
    return np.sum(bufs[0] ** 2) + np.sum(bufs[1] ** 3)


@program(normal(6), normal(6))
def loop_over_buffers(x, y):
    a = x * 1.0
    b = y * 1.0
    for w in (a, b):
        w[0] = w[1] * 3.0
        w *= 2.0
    return np.sum(a**2) + np.sum(b**3)


@program(normal(6), normal(6), 3)
def tuple_of_buffers_swapped(x, y, n):
    p = (x * 1.0, y * 1.0)
    for t in range(n):
        p = (p[1], p[0])
        p[0][t] = p[1][t] * p[0][t + 1]
    return np.sum(p[0] ** 2) + np.sum(p[1] ** 3)


@program(normal(6), normal(4, 4), 0.3)
def row_chosen(x, A, t):
    M = A * 1.0
    row = M[0] if t > 0.5 else M[1]
    row[0] = row[1] * x[0]
    return np.sum(M * M)


@program(normal(6), normal(4, 4), 0.3, tags="core")
def row_or_column_chosen(x, A, t):
    M = A * 1.0
    row = M[0] if t > 0.5 else M[:, 1]
    row[0] = row[1] * x[0]
    row *= 2.0
    return np.sum(M * M)


@program(normal(6), normal(6), 0.7)
def names_exchanged_in_a_branch(x, y, t):
    a = x * 1.0
    b = y * 1.0
    if t > 0.5:
        a, b = b, a
    a[0] = b[1] * a[1]
    return np.sum(a * a) + np.sum(b**3)


@program(normal(6), 3)
def buffers_swapped_in_a_while_loop(x, n):
    a = x.copy()
    b = x * 0.5
    k = 0
    while k < n:
        b[:] = a * a
        a, b = b, a
        k += 1
    return np.sum(a * b)


@program(normal(6), normal(6), normal(6), 3)
def three_buffers_in_turn(x, y, z, n):
    bufs = [x * 1.0, y * 1.0, z * 2.0]
    for t in range(n):
        bufs[(t + 1) % 3][1:] += bufs[t % 3][:-1] * bufs[t - 1][1:]
        bufs[-t - 1][0] = t
    return np.sum(bufs[0] ** 2) + np.sum(bufs[1] ** 3) + np.sum(bufs[2])


@program(normal(6), 5)
def numbers_in_turn(x, n):
    s = (x[0], x[1] * 2, x[2])
    t = 0.0
    for k in range(n):
        t += s[k % 3] ** 2
    return t


@program(normal(6), normal(6), 3)
def buffers_of_a_dict_swapped(x, y, n):
    d = {"old": x * 1.0, "new": y * 1.0}
    for t in range(n):
        d["new"][1:] = d["old"][:-1] * d["old"][1:]
        d["old"], d["new"] = d["new"], d["old"]
    return np.sum(d["old"] * d["new"])


@program(normal(4, 4), 3)
def row_of_a_matrix_or_of_its_transpose(A, n):
    M = A * 1.0
    for t in range(n):
        r = M[t] if t % 2 else M.T[t]
        r[1:] *= r[0]
    return np.sum(M**2)


@program(normal(6), normal(6), 3)
def list_swapped_while_a_name_lives_on(x, y, n):
    b = [x * 1.0, y * 1.0]
    a0 = b[0]
    for t in range(n):
        b[0][t] = b[1][t + 1] * b[0][t + 1]
        b[0], b[1] = b[1], b[0]
    return np.sum(b[0] ** 2) + np.sum(b[1] ** 3) + np.sum(a0)


@program(normal(6), normal(6), 0.3)
def chosen_buffer_passed_to_a_helper(x, y, t):
    def scale(v, c):
        v *= c

    a = x * 1.0
    b = y * 1.0
    scale(a if t > 0.5 else b, t)
    return np.sum(a * a) + np.sum(b**3)


@program(normal(4, 4), 3)
def rows_swapped_while_the_matrix_changes(A, n):
    M = A * 1.0
    top, bot = M[0], M[1]
    for t in range(n):
        top[0] = bot[1] * top[2]
        top, bot = bot, top
        M[2] += M[0]
    return np.sum(M * M) + top[0]


@program(normal(6), normal(6), 0.3)
def chosen_anew_until_a_break(x, y, t):
    a = x * 1.0
    b = y * 1.0
    cur = a
    for k in range(5):
        cur[k + 1] = cur[k] * t + a[k]
        if cur[k] > 0:
            cur = b
        else:
            cur = a
        if k == 3:
            break
    return np.sum(a * a) + np.sum(b)


@program(normal(6), normal(6), 0.3)
def chosen_before_an_early_return(x, y, t):
    a = x * 1.0
    b = y * 1.0
    w = a
    if t < 0.5:
        w = b
        if t < 0.2:
            return np.sum(w)
    w[2] = t * w[1]
    return np.sum(a * a) + np.sum(b)


@program(normal(6), normal(6), 3, tags="core")
def two_chosen_buffers_in_an_inner_loop(x, y, n):
    a = x * 1.0
    b = y * 1.0
    for i in range(n):
        u = a if i % 2 == 0 else b
        v = b if i % 2 == 0 else a
        for j in range(1, 6):
            u[j] = u[j - 1] * v[j] + u[j]
        v[0] = u[5] * 0.1
    return np.sum(a * a) + np.sum(b)


@program(normal(6), normal(6), 3)
def best_of_three_carried(x, y, n):
    a = x * 1.0
    b = y * 1.0
    c = np.ones_like(a)
    best = a
    for i in range(n):
        if best[i] < b[i]:
            best = b
        elif best[i] < 0:
            best = c
        best[i + 1] = best[i] * 2.0
    return np.sum(a * a) + np.sum(b * c)
