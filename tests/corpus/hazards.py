"""Hazards: aliases, views, swaps and the order of reads and writes; each program is tiny and has one idea."""

import math

import numpy as np

from tests.corpus import integers, normal, program, uniform

# ---------------------------------------------------------------- views


@program(normal(3, 4))
def store_through_row_view(A):
    B = A.copy()
    row = B[1]
    row[2] = row[0] * row[1]
    return np.sum(B * B)


@program(normal(3, 4), tags="inplace core")
def store_through_row_of_argument(A):
    for i in range(A.shape[0]):
        row = A[i]
        for j in range(1, len(row)):
            row[j] = row[j] * row[j - 1]
    return np.sum(A)


@program(normal(3, 4))
def store_through_column_view(A):
    B = A * 1.0
    column = B[:, 2]
    column *= A[:, 0]
    B[0] = 2.0
    return np.sum(column) + np.sum(B**2)


@program(normal(3, 4))
def store_through_transpose(A):
    B = A.copy()
    T = B.T
    T[1, 2] = T[0, 0] * B[1, 1]
    B[0, 3] = T[2, 0] ** 2
    return np.sum(T * T) + np.sum(B)


@program(normal(6))
def store_through_reshape(x):
    y = x * 1.0
    M = y.reshape(2, 3)
    M[1] = M[0] * M[1]
    y[0] = M[1, 2]
    return np.sum(M**2) + y[5]


@program(normal(2, 3))
def store_through_ravel(A):
    B = A.copy()
    flat = B.ravel()
    flat[4] = flat[0] ** 2
    return np.sum(B**3) + np.sum(flat)


@program(normal(2, 3))
def flatten_is_a_copy(A):
    B = A.copy()
    flat = B.flatten()
    flat[4] = 7.0
    return np.sum(B**3) + np.sum(flat**2)


@program(normal(6), tags="core")
def view_of_view(x):
    y = x * x
    a = y[1:]
    b = a[::2]
    b[1] = b[0] * y[2]
    a[0] = 1.0
    return np.sum(y * y) + b[0]


@program(normal(6), tags="inplace")
def view_sees_later_store(x):
    v = x[2:5]
    x[3] = x[0] * x[1]
    return v[1] * v[0] + np.sum(v)


@program(normal(6))
def copy_does_not_see_later_store(x):
    a = x * 2.0
    b = a[2:5].copy()
    a[3] = a[0] * a[1]
    return b[1] * b[0] + a[3] * b[2]


@program(normal(6))
def two_names_one_buffer(x):
    a = x * 1.0
    b = a
    b[2] = a[0] * a[1]
    a[4] = b[2] ** 2
    return np.sum(a * b)


@program(normal(6))
def alias_then_rebind(x):
    a = x * 1.0
    b = a
    a = a * 2.0
    b[0] = 3.0
    a[1] = b[0] * b[1]
    return np.sum(a * b)


@program(normal(6), tags="core")
def alias_augmented(x):
    a = x * 1.0
    b = a
    a += x
    c = b * a
    a *= 2.0
    return np.sum(c * b)


@program(normal(4))
def argument_alias_augmented_into_new_name(x):
    y = x
    y = y + 1.0
    y *= x
    return np.sum(y * x)


@program(normal(4), tags="inplace")
def argument_alias_augmented(x):
    y = x
    y *= x
    y += 0.5
    return np.sum(y * x)


@program(normal(3, 3))
def diagonal_loop_and_transpose_alias(A):
    B = A.copy()
    T = B.T
    for i in range(3):
        B[i, i] = T[i, 0] * B[0, i]
    return np.sum(B @ T)


@program(normal(3, 4), 1)
def view_with_dynamic_index(A, k):
    B = A * A
    row = B[k]
    row[k + 1] = row[k]
    k = k + 1
    row[0] = B[k, 0]
    return np.sum(B * A)


@program(normal(4, 3))
def view_rebound_in_loop(A):
    B = A.copy()
    row = B[0]
    for i in range(1, 4):
        row[1] = row[1] * B[i, 0]
        row = B[i]
        row[0] = row[2] ** 2
    return np.sum(B * B) + row[0]


@program(normal(5), normal(5), 0.4, tags="may_refuse")
def alias_chosen_by_branch(x, y, t):
    a = x * 1.0
    b = y * 1.0
    c = a if t > 0 else b
    c[1] = c[0] * t
    return np.sum(a * a) + np.sum(b**3)


@program(normal(5), normal(5), 4, tags="may_refuse")
def alias_chosen_by_parity(x, y, n):
    a = x * 1.0
    b = y * 1.0
    for i in range(n):
        if i % 2 == 0:
            c = a
        else:
            c = b
        c[i] = c[i + 1] ** 2
    return np.sum(a * b)


@program(normal(4, 4))
def view_carried_out_of_loop(A):
    B = A.copy()
    best = B[0]
    for i in range(1, 4):
        if B[i, 0] > best[0]:
            best = B[i]
    best[1] = best[2] * best[3]
    return np.sum(B * B)


# ---------------------------------------------------------------- overlapping sides


@program(normal(6))
def shift_left_overlapping(x):
    a = x * x
    a[:-1] = a[1:]
    return np.sum(a * x)


@program(normal(6), tags="nojit")
def shift_right_overlapping(x):
    a = x * x
    a[1:] = a[:-1]
    a[1:] += a[:-1]
    return np.sum(a * x)


@program(normal(6), tags="nojit")
def reverse_overlapping(x):
    a = x * x
    a[:] = a[::-1]
    a[1:] *= a[:-1]
    return np.sum(a * x)


@program(normal(3, 3), tags="nojit")
def transpose_into_itself(A):
    B = A.copy()
    B[:] = B.T
    B += B.T
    return np.sum(B * A)


@program(normal(6))
def store_into_own_operand(x):
    a = x.copy()
    a[0] = a[0] * a[0]
    a[0] = a[0] + a[1]
    a[1] = a[1]
    a[2] = 2.0 * a[2]
    a[3] = -a[3]
    a[:] = a * a[0]
    return np.sum(a)


@program(normal(5))
def same_element_stored_twice(x):
    a = np.zeros(5)
    a[2] = x[0] ** 2
    a[2] = x[1] ** 2
    a[2] += x[2]
    return a[2] * a[2]


@program(normal(5))
def same_element_by_two_indices(x):
    a = x * 1.0
    i = 3
    j = 9 // 3
    a[i] = a[i] * a[0]
    a[j] = a[j] * a[i]
    a[-2] = a[i] + a[1]
    return np.sum(a)


@program(normal(5))
def index_changes_after_store(x):
    a = x.copy()
    k = 1
    a[k] = a[k] ** 2
    k = k + 1
    a[k] = a[k - 1] * a[k]
    k = k + 1
    return a[k - 1] * a[k]


@program(normal(5))
def index_read_from_changing_array(x):
    p = np.array([4, 3, 2, 1, 0])
    a = x.copy()
    for i in range(5):
        a[p[i]] = a[p[i]] * a[i]
        p[i] = (p[i] + 2) % 5
    return np.sum(a * x)


@program(normal(6))
def swap_elements(x):
    a = x.copy()
    a[0], a[1] = a[1], a[0] * 2.0
    a[2], a[3] = a[3] ** 2, a[2]
    t = a[4]
    a[4] = a[5]
    a[5] = t
    return np.sum(a * np.arange(6)) + a[4] ** 2


@program(normal(3, 4))
def swap_rows(A):
    B = A.copy()
    t = B[0].copy()
    B[0] = B[2]
    B[2] = t
    return np.sum(B[0] * A[1]) + np.sum(B[2] ** 3)


@program(normal(3, 4))
def swap_rows_wrongly_through_view(A):
    B = A.copy()
    t = B[0]
    B[0] = B[2]
    B[2] = t
    return np.sum(B[0] * A[1]) + np.sum(B[2] ** 3)


@program(normal(4), normal(4))
def swap_arrays_then_store(x, y):
    a = x * 1.0
    b = y * 1.0
    a, b = b, a
    a[0] = b[0] * 2.0
    b[1] *= a[1]
    return np.sum(a * a * b)


@program(normal(4), normal(4), 3, tags="core")
def swap_arrays_odd_times(x, y, n):
    a = x * 1.0
    b = y * 1.0
    for i in range(n):
        a[i] = a[i] * b[i + 1]
        a, b = b, a
    return np.sum(a * a) + b[0]


@program(normal(4), normal(4), 3, tags="inplace")
def swap_arguments_in_loop(x, y, n):
    for _ in range(n):
        for i in range(1, len(x)):
            y[i] = x[i - 1] * x[i]
        x, y = y, x
    return np.sum(x * x)


@program(normal(4), normal(4), 0.3)
def swap_in_branch(x, y, t):
    a = x * 1.0
    b = y * 1.0
    if t > 0:
        a, b = b, a
    c = a * a * b
    return np.sum(c)


@program(normal(4), normal(4), 0.3, tags="may_refuse")
def swap_in_branch_then_store(x, y, t):
    a = x * 1.0
    b = y * 1.0
    if t > 0:
        a, b = b, a
    a[0] = b[1] * t
    return np.sum(a * a * b)


# ---------------------------------------------------------------- values that are needed later


@program(normal(5))
def factor_overwritten_after_use(x):
    a = x.copy()
    s = a[0] * a[1]
    a[0] = 5.0
    s = s * a[1]
    a[1] = s
    return s * a[1] * a[0]


@program(normal(5))
def scalar_overwritten_after_use(x):
    s = x[0]
    t = s * x[1]
    s = t * s
    t = s * t
    s = math.sin(t)
    return s * t


@program(normal(5))
def whole_array_overwritten_after_use(x):
    a = x.copy()
    b = a * a
    a[:] = b
    c = a * b
    a.fill(2.0)
    return np.sum(c * a)


@program(normal(5))
def nonlinear_use_before_reset(x):
    acc = np.zeros(3)
    total = 0.0
    for i in range(5):
        acc[0] = x[i]
        acc[1] += acc[0] ** 2
        acc[2] = acc[1] * acc[0]
        total += acc[2] ** 2
        acc[0] = 0.0
    return total


@program(normal(5))
def read_only_in_later_iteration(x):
    a = np.zeros(6)
    s = 0.0
    for i in range(5):
        s += a[i] * a[i]
        a[i + 1] = x[i] * math.cos(a[i])
    return s + a[5]


@program(normal(6))
def loop_reads_ahead_and_behind(x):
    a = x.copy()
    for i in range(1, 5):
        a[i] = a[i - 1] * a[i + 1] + a[i]
    return np.sum(a)


@program(normal(6))
def two_loops_over_one_array(x):
    a = np.zeros(6)
    for i in range(6):
        a[i] = math.sin(x[i])
    for i in range(5):
        a[i] = a[i] * a[i + 1]
    for i in range(5, 0, -1):
        a[i] = a[i] * a[i - 1]
    return np.sum(a)


@program(normal(6), 0)
def store_in_zero_trip_loop(x, n):
    a = x * x
    for i in range(n):
        a[i] = 0.0
    return np.sum(a * x)


@program(normal(6), -0.5)
def store_in_branch_not_taken(x, t):
    a = x * x
    if t > 0:
        a[0] = 0.0
        a = a * 2
    return np.sum(a * x) * t


@program(normal(6))
def early_exit_skips_store(x):
    a = x * x
    if a[0] < 100.0:
        return np.sum(a * x)
    a[1] = 0.0
    return np.sum(a)


@program(normal(6))
def early_exit_in_loop_skips_store(x):
    a = x * x + 0.1
    for i in range(6):
        if i == 3:
            return np.sum(a * x)
        a[i] = a[i] * a[i + 1]
    return a[0]


@program(normal(4, 3))
def row_overwritten_in_time_loop(A):
    state = A[0].copy()
    for t in range(1, 4):
        old = state.copy()
        state[0] = old[1] * A[t, 0]
        state[1] = old[2] * state[0]
        state[2] = math.sin(old[0]) + A[t, 2]
    return np.sum(state**2)


@program(uniform(0.5, 1.5, 3, 3))
def pivot_element_used_while_row_changes(A):
    B = A.copy()
    for j in range(3):
        for k in range(3):
            B[1, k] = B[1, k] / B[1, j] + 0.2
    return np.sum(B)


@program(normal(5))
def accumulate_into_read_element(x):
    a = x.copy()
    for i in range(4):
        a[i + 1] += a[i] * a[i + 1]
        a[i] -= a[i + 1] ** 2
    return np.sum(a)


@program(normal(5))
def parameter_name_rebound_to_new_array(x):
    x = x * 2.0
    x[0] = x[1] ** 2
    return np.sum(x * x)


@program(normal(5), 0.2, tags="may_refuse")
def parameter_rebound_in_branch(x, t):
    if t > 0.1:
        x = x * t
    x[0] = x[1] * 2.0
    return np.sum(x * x)


@program(normal(5), tags="inplace tuple")
def argument_and_value_returned(x):
    s = np.sum(x * x)
    x[0] = s
    return s, x


@program(normal(5), tags="array")
def argument_returned_itself(x):
    return x


@program(normal(5), tags="array")
def view_of_argument_returned(x):
    return x[1:4]


@program(0.7)
def scalar_stored_many_times(s):
    a = np.zeros(5)
    for i in range(5):
        a[i] = s * i
        s = s + a[i] * 0.1
    a[:2] = s
    return np.sum(a * a)


@program(normal(4))
def integer_array_is_no_alias(x):
    k = np.zeros(4, dtype=np.int64)
    a = np.zeros(4)
    for i in range(4):
        k[i] = (i * 3 + 1) % 4
        a[k[i]] = x[i] * x[k[i]]
    return np.sum(a * x)


@program(normal(4), normal(4))
def infinity_elsewhere(x, y):
    s = 0.0
    for i in range(4):
        if abs(y[i]) > 1e-9:
            s += x[i] / y[i]
        else:
            s += 1.0 / y[i]
    return s


@program(-0.5, 1.5)
def square_root_guarded(x, y):
    r = math.sqrt(x) if x > 0 else 0.0 * x
    return r + x * y


@program(normal(5), tags="core")
def recurrence_that_wraps_around(x):
    a = x * 1.0
    for i in range(5):
        a[i] = a[i - 1] * a[i] + 0.5
    return np.sum(a * a)


@program(normal(4, 4), tags="inplace")
def row_by_its_negative_number(A):
    for i in range(4):
        A[-1, i] = A[3, 1] * A[i, 2]
    return np.sum(A * A)


@program(normal(4), tags="inplace")
def array_doubled_in_a_branch(y):
    if y[0] < 5.0:
        for _ in range(2):
            y += y
    return np.sum(y * y)


@program(normal(4, 4), tags="inplace")
def view_and_base_in_one_loop(A):
    v = A[3]
    for i in range(0, 4, 2):
        A[3 - i] += v[i - 1] - 1.0
    return np.sum(v * v) + np.sum(np.sin(A))


@program(normal(4), normal(4), 0.3)
def one_cotangent_for_two_sums(x, y, b):
    r = x * x
    r[0] = x[1]
    t = (x * b + x) * y
    return np.sum((r + t) ** 2)


@program(normal(4), normal(4), tags="inplace")
def reversed_view_carried(y, x):
    k = 0
    while k < 2:
        y = y[::-1]
        for m in range(4):
            y[m] *= math.cos(x[m])
        k += 1
    return np.dot(y, y * x)


@program(normal(4), 1.5, tags="nojit")
def numbered_names(x, s):
    v = x * 2.0
    v_1 = x * 3.0
    if s > 0:
        v = v + x[0]
        v = v * v_1 + v
        w = np.sin(v * v_1 + v)
    else:
        w = v
    return np.sum(w) * s


@program(normal(5))
def diagonal_of_a_square_in_a_loop(x):
    square = np.outer(x, x)
    total = 0.0
    for i in range(len(x)):
        total += np.sin(square[i, i])
    return total


@program(normal(5, 5), normal(5), normal(5), 5, tags="inplace nojit")
def row_of_a_column_read_behind_a_loop_over_another_row(a, x, y, n):
    column = a[:, 0]
    for i in range(n - 2 - 1, -1, -1):
        for k in range(i):
            a[(i + 1) % n][-k] += np.dot(y, x)
        for k in range(i, i + 1):
            part = column[1:4]
            x[::-1] = np.tanh(part[k])
    return np.sum(a)


@program(normal(4), normal(4), normal(4, 4), tags="inplace")
def last_number_beside_sums_in_place(x, y, A):
    a = 0.0
    for i in range(4):
        y -= A @ y * 0.3
        a = np.sin(x[i - 1] * y[3 - i])
    return a + np.sum(y)


@program(normal(2, 2), normal(2), tags="nojit")
def matrix_that_no_path_has_made(a, b):
    total = 0.0
    if b[0] > 50.0:
        m = a @ a
    if b[0] > 50.0:
        total += np.sum(m * m)
    for k in range(2):
        if b[0] > 50.0:
            total += np.sum(m * a) * k
    return total + np.sum(a * b)


@program(normal(4), normal(4), 3)
def copied_again_in_an_inner_loop(x, y, n):
    u = y * 1.0
    for i in range(2):
        for _ in range(n, -1, -1):
            u = y.copy()
        u[(i * i + 1) % n] += x[2]
    return np.sum(np.sin(u))


@program(normal(4, 4), integers(3, 4), tags="inplace nojit")
def added_at_beside_a_view(A, k):
    for _ in range(2):
        np.add.at(A, (k, 0), np.sin(A[:, k[1]]))
    return np.sum(np.sin(A))
