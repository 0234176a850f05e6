"""Arrays under several names: overlapping copies, one of several buffers chosen, swapped, listed, and written to."""

import numpy as np

from tests.corpus import fortran, normal, program, strided


# ---------------------------------------------------------------- overlapping copies


@program(normal(4, 4), tags="nojit inplace")
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


@program(normal(6), 3, tags="inplace")
def argument_as_one_of_two_buffers(x, n):
    bufs = [x, np.zeros_like(x)]
    for t in range(n):
        src, dst = bufs[t % 2], bufs[(t + 1) % 2]
        dst[1:-1] = src[:-2] * src[2:]
    return np.sum(bufs[n % 2] ** 2) + bufs[0][1]


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


@program(normal(6), normal(6), 3, tags="inplace")
def traded_or_made_anew(x, y, n):
    for i in range(n):
        if x[i] > 0.0:
            x, y = y, x
        else:
            y = np.sin(x)
        x[0] += y[1] * 0.5
        y[i] *= x[0]
    return np.sum(x * y)


@program(normal(6), normal(6), 3)
def new_on_one_path_of_a_loop(x, y, n):
    v = x
    for i in range(n):
        if y[i] > 0.0:
            v = np.sin(v)
        v[i] *= y[i]
    return np.sum(v * x)


@program(normal(6), normal(6), tags="inplace nojit")
def iterated_while_its_name_is_given_away(x, y):
    s = 0.0
    for u in reversed(x):
        if u > 0.3:
            x = np.sin(y * x)
        x[1] *= 0.5
        s += u * u
    return s + np.sum(x)


@program(normal(6), normal(4, 6), 0.3)
def row_or_new_in_a_while_loop(x, A, t):
    v = A[0] if t > 0.5 else np.sin(A[0])
    i = 0
    while i < 4 and v[0] < 0.9:
        if x[i] > 0:
            v = np.cos(v)
        v[i] *= x[i]
        i += 1
    return np.sum(v) + np.sum(A * A)


@program(normal(3, 3), 3, tags="inplace nojit")
def transposed_each_time(A, n):
    B = A
    s = 0.0
    for i in range(n):
        B[0] *= 0.5
        B[i] += B[:, 1]
        s += B[0, 2] ** 2
        B = B.T
    return s + np.sum(np.sin(A))


@program(normal(6), 3, tags="inplace")
def reversed_each_time(x, n):
    v = x
    for i in range(n):
        v[0] *= v[1]
        v[i] = v[0] * v[2]
        v = v[::-1]
    return np.sum(np.sin(x)) + v[1] ** 2


@program(normal(6), -0.3, 3, tags="nojit")
def made_and_changed_on_a_path_not_taken(x, t, n):
    if t > 0.0:
        m = np.sin(x)
    for i in range(n):
        if t > 0.0:
            m[i] *= m[i - 1]
            m = m * x
    return np.sum(m) if t > 0.0 else x[0]


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


# ---------------------------------------------------------------- recursion that writes into its arguments


def fill(a, i, n):
    if i < n:
        a[i] = a[i - 1] * a[i] + 0.5
        fill(a, i + 1, n)


def prefix(a):
    n = len(a)
    if n <= 1:
        return
    m = n // 2
    prefix(a[:m])
    prefix(a[m:])
    a[m:] += a[m - 1]


def swap_sort(a, lo, hi):
    if lo >= hi:
        return
    p = a[hi]
    i = lo
    for j in range(lo, hi):
        if a[j] < p:
            a[i], a[j] = a[j], a[i]
            i += 1
    a[i], a[hi] = a[hi], a[i]
    swap_sort(a, lo, i - 1)
    swap_sort(a, i + 1, hi)


def merge_sort(a):
    n = len(a)
    if n < 2:
        return
    m = n // 2
    left = a[:m].copy()
    right = a[m:].copy()
    merge_sort(left)
    merge_sort(right)
    i = 0
    j = 0
    for k in range(n):
        if j >= len(right) or (i < len(left) and left[i] <= right[j]):
            a[k] = left[i]
            i += 1
        else:
            a[k] = right[j]
            j += 1


def haar(a):
    n = len(a)
    if n == 1:
        return
    s = (a[::2] + a[1::2]) * 0.5
    d = a[::2] * a[1::2]
    h = n // 2
    a[:h] = s
    a[h:] = d
    haar(a[:h])


def transformed(z):
    n = len(z)
    if n == 1:
        return
    e = z[::2].copy()
    o = z[1::2].copy()
    transformed(e)
    transformed(o)
    for k in range(n // 2):
        w = np.exp(-2j * np.pi * k / n) * o[k]
        z[k] = e[k] + w
        z[k + n // 2] = e[k] - w


def fill_ret(a, i):
    if i == len(a):
        return 0.0
    a[i] *= a[i - 1]
    return a[i] + fill_ret(a, i + 1)


def hanoi(n, a, b, t):
    if n == 0:
        return
    hanoi(n - 1, b, a, t)
    b[n] = a[n - 1] * t + b[n - 1]
    hanoi(n - 1, a, b, t)


def flood(A, i, j, t):
    if i < 0 or j < 0 or i >= 4 or j >= 4 or A[i, j] > 5.0:
        return
    v = A[i, j]
    A[i, j] = v * v + 10.0
    flood(A, i + 1, j, t)
    flood(A, i, j + 1, t)


def quad(M):
    n = M.shape[0]
    if n == 1:
        M[0, 0] = M[0, 0] ** 2
        return
    h = n // 2
    quad(M[:h, :h])
    quad(M[h:, h:])
    M[:h, h:] = M[:h, :h] * M[h:, h:]


def sort_ret(a):
    n = len(a)
    if n < 2:
        return a
    m = n // 2
    l = sort_ret(a[:m].copy())
    r = sort_ret(a[m:].copy())
    i = 0
    j = 0
    for k in range(n):
        if j >= len(r) or (i < len(l) and l[i] <= r[j]):
            a[k] = l[i]
            i += 1
        else:
            a[k] = r[j]
            j += 1
    return a


def bump(a, i):
    if i >= len(a):
        return 1.0
    a[i] *= 2.0
    return a[i] * bump(a, i + 1)


def both(a, b, n):
    if n == 0:
        return
    a[n] = b[n - 1] * a[n - 1]
    both(b, a, n - 1)
    b[0] += a[n]


def pairs(a, n):
    if n <= 0:
        return 0.0, 1.0
    a[n] = a[n - 1] * 2.0 + a[n]
    s, t = pairs(a, n - 1)
    return s + a[n], t * a[n]


def ping(a, n):
    if n == 0:
        return
    a[n] *= a[n - 1]
    pong(a, n - 1)


def pong(a, n):
    if n == 0:
        return
    a[n] += a[n - 1] * 3.0
    ping(a, n - 1)


def mark(seen, a, i):
    if i >= len(a) or seen[i]:
        return 0.0
    seen[i] = True
    return a[i] ** 2 + mark(seen, a, (i * 2 + 1) % len(a))


def permuted_sum(a, k, t):
    if k == len(a):
        return a[0] * a[1] ** 2 + a[2] * t
    s = 0.0
    for i in range(k, len(a)):
        a[k], a[i] = a[i], a[k]
        s += permuted_sum(a, k + 1, t) * a[k]
        a[k], a[i] = a[i], a[k]
    return s


def backtracked(a, used, k, acc):
    if k == 3:
        return acc
    s = 0.0
    for i in range(3):
        if not used[i]:
            used[i] = 1
            s += backtracked(a, used, k + 1, acc * a[i] + k)
            used[i] = 0
    return s


def heat(u, v, n):
    if n == 0:
        return np.sum(u * u)
    for i in range(1, len(u) - 1):
        v[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]) * u[i]
    return heat(v, u, n - 1)


def orthonormalised(A, k):
    if k == A.shape[1]:
        return
    for j in range(k):
        A[:, k] -= np.dot(A[:, j], A[:, k]) * A[:, j]
    A[:, k] /= np.sqrt(np.sum(A[:, k] ** 2))
    orthonormalised(A, k + 1)


def eliminated(A):
    if A.shape[0] == 1:
        return A[0, 0]
    A[1:, 0] /= A[0, 0]
    A[1:, 1:] -= A[1:, 0][:, None] * A[0, 1:]
    return A[0, 0] * eliminated(A[1:, 1:])


@program(normal(6), tags="nojit")
def filled_recursively(x):
    a = x * 1.0
    fill(a, 1, 6)
    return np.sum(a * a)


@program(normal(8), tags="nojit core")
def prefix_sums_in_halves(x):
    a = x * x
    prefix(a)
    return np.sum(a * a * a)


@program(normal(6), tags="nojit core")
def quicksort_in_place(x):
    a = x * 1.0
    swap_sort(a, 0, len(a) - 1)
    return np.sum(a * np.arange(6.0)) + a[0] * a[1]


@program(normal(6), tags="nojit")
def merge_sort_in_place(x):
    a = x * 1.0
    merge_sort(a)
    return np.sum(a * np.arange(6.0)) + a[0] * a[1]


@program(normal(8), tags="nojit")
def haar_wavelets_in_place(x):
    a = x * 1.0
    haar(a)
    return np.sum(a**3)


@program(normal(8), tags="complex nojit")
def fft_in_place(x):
    z = x * (1 + 0j)
    transformed(z)
    return np.sum(np.abs(z) ** 3)


@program(normal(6), tags="inplace nojit")
def argument_filled_recursively(x):
    fill(x, 1, 6)
    return np.sum(x * x)


@program(normal(6), normal(6), 0.4, tags="nojit")
def two_arrays_written_in_turn(x, y, t):
    a = x * 1.0
    b = y * 1.0
    hanoi(3, a, b, t)
    return np.sum(a * b)


@program(normal(6), 0.3, tags="nojit")
def memory_of_a_recursion(x, t):
    memo = np.zeros(7)

    def go(k):
        if k < 2:
            return t * k + 1.0
        if memo[k] != 0.0:
            return memo[k]
        memo[k] = go(k - 1) * go(k - 2) * 0.5 + x[k - 1]
        return memo[k]

    return go(6) * go(5)


@program(normal(6), 0.4, tags="nojit")
def recursion_that_writes_in_a_loop(x, t):
    a = x * 1.0
    for k in range(3):
        fill(a, 1, 6)
        a *= t
    return np.sum(a * a)


@program(normal(4, 4), 0.4, tags="nojit")
def flooded_matrix(A, t):
    M = A * t
    flood(M, 0, 0, t)
    return np.sum(M * M)


@program(normal(4, 4), tags="nojit")
def quadrants_in_place(A):
    M = A * 1.0
    quad(M)
    return np.sum(M**2)


@program(normal(6), tags="nojit")
def sorted_and_returned(x):
    s = sort_ret(x * 1.0)
    return np.sum(s * np.arange(6.0) ** 2)


@program(normal(6), tags="nojit core")
def read_before_a_call_that_writes(x):
    a = x * 1.0
    return a[0] + bump(a, 0) * a[1] + a[0] ** 2


@program(normal(6), normal(6), tags="nojit")
def arrays_exchanged_at_every_call(x, y):
    a = x * 1.0
    b = y * 1.0
    both(a, b, 5)
    return np.sum(a**2) + np.sum(b**3)


@program(normal(6), tags="nojit")
def two_halves_of_one_array(x):
    a = x * 1.0
    m = len(a) // 2
    both(a[:m], a[m:], 2)
    return np.sum(a**2)


@program(normal(6), tags="nojit")
def pair_returned_beside_what_is_written(x):
    a = x * 1.0
    s, t = pairs(a, 4)
    return s * t * np.sum(a)


@program(normal(6), tags="inplace nojit")
def written_by_two_functions_in_turn(x):
    ping(x, 5)
    return np.sum(x**2)


@program(normal(6), tags="nojit")
def visited_marks(x):
    seen = np.zeros(6, dtype=bool)
    s = mark(seen, x, 0)
    for i in range(6):
        if not seen[i]:
            s += x[i]
    return s


@program(normal(6), 4, tags="inplace nojit")
def calls_itself_after_a_store(a, n):
    if n == 0:
        return np.sum(a * a)
    a[n] = a[n - 1] * a[n]
    return calls_itself_after_a_store(a, n - 1) * a[n]


@program(fortran(4, 4), tags="inplace nojit")
def quadrants_of_an_argument(A):
    def quad(M):
        n = M.shape[0]
        if n == 1:
            M[0, 0] = M[0, 0] ** 2
            return
        h = n // 2
        quad(M[:h, :h])
        quad(M[h:, h:])
        M[:h, h:] = M[:h, :h] * M[h:, h:]
        M[h:, 0] = M[0, h:]

    quad(A)
    return np.sum(A**3)


@program(normal(6), 0.3, tags="nojit")
def permutations_by_swaps(x, t):
    a = x[:3] * 1.0
    return permuted_sum(a, 0, t)


@program(normal(6), tags="nojit")
def backtracking_with_marks(x):
    return backtracked(x, np.zeros(3, dtype=np.int64), 0, 1.0)


@program(normal(6), tags="nojit")
def double_buffer_of_a_recursion(x):
    u = x.copy()
    v = np.zeros_like(x)
    return heat(u, v, 3) + np.sum(u * v)


@program(normal(6), tags="nojit")
def windows_passed_to_a_recursion(x):
    a = x * 1.0
    for k in range(3):
        row = a[k : k + 3]
        bump(row, 1)
    return np.sum(a**2)


@program(normal(4, 4), tags="nojit")
def orthonormal_columns_one_by_one(A):
    Q = A + 4 * np.eye(4)
    orthonormalised(Q, 0)
    return np.sum(Q**3)


@program(normal(4, 4), tags="nojit")
def elimination_by_recursion(A):
    return eliminated(A + 4 * np.eye(4))


@program(normal(6), 0.4, tags="nojit")
def total_and_array_around_a_recursion(x, t):
    a = x * 1.0
    total = 0.0

    def visit(k):
        nonlocal total
        if k > 4:
            return
        a[k] = a[k] * t + total
        total += a[k]
        visit(2 * k + 1)
        visit(2 * k + 2)

    visit(0)
    return total * np.sum(a)


# ---------------------------------------------------------------- parts of complex numbers


@program(normal(5), normal(5), 0.3, tags="nojit complex core")
def parts_of_complex_numbers_assigned(p, q, t):
    z = p + 1j * q
    w = z * 1.0
    w.real[1:] = w.imag[:-1] * t
    w.imag[0] = t
    w.real = 2.0 * w.imag
    w.imag = w.imag * w.real
    w.real *= 3.0
    w.imag[::2] += w.real[::2]
    return np.sum(np.abs(w) ** 2) + np.real(np.sum(w * w))


@program(normal(5), normal(5), 0.3, tags="complex")
def names_for_the_parts_of_complex_numbers(p, q, t):
    z = p + 1j * q
    w = z * 1.0
    r = w.real
    i = w.imag
    r[0] = t * i[1]
    i *= r
    return np.sum(np.abs(w) ** 2)


@program(normal(5), normal(5), normal(5), tags="complex")
def parts_of_an_argument_written(p, q, x):
    z = p + 1j * q
    z.real[:] = x * z.imag
    z.imag[1:] += x[:-1] ** 2
    return np.sum(np.abs(z) ** 2) + np.real(np.sum(z**2))


@program(normal(3, 4), normal(3, 4), tags="nojit complex core")
def parts_of_a_matrix_of_complex_numbers(p, q):
    Z = p + 1j * q
    W = Z * 1.0
    W[1].real[:] = W[0].imag * 2.0
    W.T.imag[0] = W.real[:, 1]
    W.real[W.imag > 0] = 0.5
    W.imag[[0, 1], [1, 2]] *= 3.0
    r = W.real[1:]
    r[:, 0] = r[:, 1] * r[:, 2]
    return np.sum(np.abs(W) ** 3)


@program(normal(5), normal(5), 0.3, tags="complex")
def parts_written_in_a_loop(p, q, t):
    z = p + 1j * q
    w = z.copy()
    re = w.real
    im = w.imag
    for i in range(1, 5):
        re[i] = re[i - 1] * im[i] + t
        im[i] -= re[i] * im[i - 1]
    s = np.sum(re * im)
    w *= 2j
    return s + np.sum(re**2) + np.sum(im**3)


@program(normal(5), normal(5), tags="complex nojit")
def parts_exchanged(p, q):
    z = p + 1j * q
    w = z * 1.0
    w.real, w.imag = w.imag.copy(), w.real.copy()
    w.real[0], w.imag[1] = w.imag[1], w.real[0]
    return np.sum(np.abs(w * z) ** 2)


@program(normal(5), normal(5), 0.4, tags="complex nojit")
def parts_filled(p, q, t):
    z = p + 1j * q
    w = z * 1.0
    w.imag.fill(t)
    w.real = t * t
    w.imag += z.real
    return np.sum(np.abs(w) ** 2)


@program(normal(5), normal(5), tags="complex nojit")
def parts_passed_to_a_helper(p, q):
    z = p + 1j * q

    def scale(v):
        v *= 2.0

    w = z * 1.0
    scale(w.real)
    scale(w.imag[1:])
    return np.sum(np.abs(w) ** 2) + np.sum(w.real * w.imag)


@program(normal(5), normal(5), normal(5), tags="complex nojit")
def parts_as_outputs(p, q, x):
    z = p + 1j * q
    w = z * 1.0
    np.multiply(x, x, out=w.real)
    np.copyto(w.imag, x)
    return np.sum(np.abs(w * z) ** 2)


@program(normal(5), normal(5), tags="complex")
def parts_read_after_a_store(p, q):
    z = p + 1j * q
    i = z.imag
    w = z * 1.0
    k = w.imag
    w[0] = 1j
    return np.sum(i * k)


@program(normal(5), 0.3, tags="nojit")
def real_part_of_real_numbers(x, t):
    a = x * 1.0
    a.real[0] = t
    a.real = a * 2.0
    return np.sum(a * a)


# ---------------------------------------------------------------- several at once


@program(normal(6), lambda rng: np.array([1, 1, 4, 0]), tags="nojit")
def repeated_indices_in_a_row(x, k):
    a = x * 1.0
    a[k] += x[:4]
    a[k] = a[k] * 2
    np.add.at(a, k, x[2:])
    return np.sum(a**3)


@program(normal(6), lambda rng: np.arange(6) % 3 != 1, lambda rng: np.array([1, 1, 4, 0]))
def copies_by_masks_are_no_views(x, m, k):
    a = x * 1.0
    b = a[m]
    b[0] = 5.0
    a[m] = b * a[m]
    a[m][0] = 100.0
    a[k][1] = 3.0
    return np.sum(a**2)


@program(normal(6), normal(6), tags="nojit")
def loop_over_pairs_of_buffers(x, y):
    a, b = x * 1.0, y * 1.0
    c = [a, b]
    for v, w in zip(c, reversed(c)):
        v[1:] = w[:-1]
        w[0] = v[2]
    c[0], c[1] = c[1], c[0]
    c[0] += 1.0
    c[-1] *= 2.0
    return np.sum(a * b) + np.sum(c[0] ** 2)


@program(normal(4, 4), tags="nojit")
def rows_and_columns_as_loop_variables(A):
    B = A * 1.0
    for r in B:
        r[1:] = r[:-1]
        r /= 2.0
    for i, c in enumerate(B.T):
        c[i] = c[i - 1] * c[0]
    B[0], B[1] = B[1].copy(), B[0].copy()
    B[[0, 1]] = B[[1, 0]]
    B[:, [2, 3]] = B[:, [3, 2]]
    return np.sum(B**3)


@program(normal(6))
def names_given_anew_between_stores(x):
    a = x * 1.0
    b = a
    b += 1.0
    b = b * 2.0
    b[0] = a[1]
    a = b
    a[1] = b[0] * 3
    return np.sum(a * b) + np.sum(x * a)


@program(normal(6), 0.3, tags="nojit")
def array_or_its_reverse_shifted(x, t):
    a = x * 1.0
    v = a if t > 0.5 else a[::-1]
    v[1:] = a[:-1]
    return np.sum(a**3) + np.sum(v)


@program(normal(6), 0.3)
def first_buffer_read_after_the_swaps(x, t):
    u = x * 1.0
    v = np.zeros_like(x)
    first = u
    for n in range(3):
        v[1:-1] = u[1:-1] + t * (u[2:] - 2 * u[1:-1] + u[:-2]) * u[1:-1]
        v[0] = v[1]
        v[-1] = u[-1]
        u, v = v, u
    return np.sum(u * first) + np.sum(v**2)


@program(normal(6), 3)
def array_reversed_in_every_iteration(x, n):
    a = x * 1.0
    while n > 0:
        a, b = a[::-1], a
        b[n] = a[n] * a[n - 1]
        n -= 1
    return np.sum(a * x)


@program(normal(6), normal(6))
def stacked_rows_unpacked_and_written(x, y):
    a = np.stack((x, y))
    r0, r1 = a
    r0[:] = r1 * 2
    r1 += r0
    p, q = a.T[1]
    return np.sum(a**2) * p * q


@program(normal(6))
def elements_exchanged_in_a_while_loop(x):
    a = x * 1.0
    i, j = 0, 3
    while i < j:
        a[i], a[j] = a[j] * a[i], a[i]
        i += 1
        j -= 1
    a[0], a[1], a[2] = a[2], a[0], a[1]
    a[1:3], a[3:5] = a[3:5], a[1:3]
    return np.sum(a**3 * x)


@program(normal(4), normal(4), normal(4, 4), tags="inplace core")
def argument_read_where_a_swapped_name_writes(x, y, A):
    u, v = x, y * 1.0
    for i in range(2):
        for j in range(4):
            v[::-1] += A[j - 1]
        for j in range(2):
            A[0] -= y * x[j]
        u, v = v, u
    return np.sum(u * u) + np.sum(v**2) + np.sum(np.sin(A))


@program(normal(4), normal(4), normal(3, 4))
def sum_of_vectors_of_unrelated_lengths(x, y, A):
    for k in range(2):
        y = np.where(x > 0.1, x, y[1])
        y = A[2] + (y[::-1] + y)
    return np.sum(y * y)


@program(normal(5), normal(5), normal(5, 5), tags="inplace")
def elements_of_an_array_that_is_swapped_meanwhile(x, y, A):
    for i in range(0, A.shape[0], 2):
        for j, element in enumerate(x):
            x[::-1] = 1.5
            x, y = y, x
            A[i][j - 1] = element
    return np.sum(A)


@program(normal(5), normal(5, 5), tags="inplace")
def zeros_or_a_column_that_was_written(x, A):
    u = np.zeros_like(x)
    A *= x[2]
    for _ in range(3):
        r = A[:, 1]
        u, r = r, u
    return np.sum(u)


@program(normal(4, 3))
def row_that_becomes_a_product_of_rows(z):
    out = 0.0
    xs = np.zeros((4, 3))
    for t in range(3):
        for k in range(4):
            xs[k] = z[k] * (t + 1) + 0.1 * xs[k]
        v = xs[-1]
        for k in range(2, -1, -1):
            v = xs[k] * v + 0.5 * v
        out += np.sum(v)
    return out


@program(normal(4, 3))
def rows_that_change_places_and_become_new_ones(z):
    xs = z * z
    xs[1] += 0.5
    v = xs[-1]
    w = xs[0]
    for k in range(3):
        v, w = w, xs[k] * v
    return np.sum(xs) + np.sum(v * w)


@program(normal(4), normal(4), tags="inplace")
def buffer_of_the_last_round_read_behind_the_loop(a, b):
    for k in range(3):
        a, b = b, a
        a[k] = b[k] * 2.0
        last = a
    last[0] *= 2.0
    return a @ b + np.sum(last * b)


@program(normal(4), normal(4), tags="inplace nojit")
def buffer_of_some_rounds_read_behind_the_loop(a, b):
    for k in range(3):
        a, b = b, a
        if k == 1:
            continue
        a[k] = b[k] * 2.0
        b[k + 1] = a[k]
        last = a
    last[0] *= 2.0
    return a @ b + np.sum(last)


@program(normal(4, 3), tags="nojit")
def rows_added_at_places_of_their_own_array(x):
    y = x * 1.0
    np.add.at(y[:, 1:], np.array([0, 1, 0]), y[:3, :-1])
    np.add.at(y, np.array([1, 2, 1]), y[:3, ::-1])
    return np.sum(y**2)
