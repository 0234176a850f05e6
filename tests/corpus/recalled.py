"""Time loops whose inner loops compute what is dear: what is recorded of it, and whether it is the right one."""

import numpy as np

from tests.corpus import normal, program, uniform


@program(normal(2, 3), normal(2, 3), 4)
def cells_in_layers(w, h0, steps):
    h = h0.copy()
    x = np.ones_like(h0[0])
    total = 0.0
    for t in range(steps):
        for k in range(w.shape[0]):
            for j in range(w.shape[1]):
                gate = 1.0 / (1.0 + np.exp(-x[j] * w[k, j]))
                h[k, j] = np.tanh(h[k, j] * gate + x[j])
                x[j] = h[k, j]
        total += np.sum(x * x)
    return total


@program(normal(2, 3), normal(2, 3), 0)
def cells_in_layers_without_steps(w, h0, steps):
    h = h0.copy()
    total = np.sum(w * w)
    for t in range(steps):
        for k in range(w.shape[0]):
            for j in range(w.shape[1]):
                h[k, j] = np.tanh(h[k, j] * np.exp(w[k, j]))
        total += h[0, 0]
    return total + np.sum(h)


@program(normal(3, 4), normal(3, 4), 3)
def layers_counted_down_from_elsewhere(w, h0, steps):
    h = h0.copy()
    x = np.full(4, 0.5)
    for t in range(2, 2 + 2 * steps, 2):
        for k in range(w.shape[0] - 1, 0, -1):
            for j in range(1, w.shape[1]):
                a = np.tanh(x[j] * w[k, j] + h[k, j - 1])
                h[k, j] = h[k, j] * a + np.sin(x[j - 1]) * t
                x[j] = a * h[k, j]
    return np.sum(h * h) + np.sum(x)


@program(normal(2, 3), normal(2, 3), 3)
def layers_with_branches(w, h0, steps):
    h = h0.copy()
    x = np.full(3, 0.3)
    for t in range(steps):
        for k in range(2):
            for j in range(3):
                if x[j] > 0.1:
                    a = np.exp(-x[j] * w[k, j])
                    h[k, j] = h[k, j] * a + 0.2
                else:
                    a = np.tanh(h[k, j] * w[k, j])
                    h[k, j] = a * h[k, j] - np.exp(x[j])
                x[j] = h[k, j] * a
    return np.sum(h * x)


@program(normal(2, 3), normal(2, 3), 3)
def layers_left_early(w, h0, steps):
    h = h0.copy()
    x = np.full(3, 0.3)
    for t in range(steps):
        for k in range(2):
            for j in range(3):
                a = np.exp(-x[j] * w[k, j])
                h[k, j] = np.tanh(h[k, j] * a)
                x[j] += a * h[k, j]
                if x[j] > 1.0:
                    break
    return np.sum(h * h) + np.sum(x * x)


@program(normal(4, 4), normal(4), 3)
def neurons_in_loops(w, h0, steps):
    h, new = h0.copy(), np.empty(4)
    for t in range(steps):
        for i in range(4):
            z = 0.0
            for j in range(4):
                z += w[i, j] * h[j]
            new[i] = np.tanh(z)
        for i in range(4):
            h[i] = new[i] * (1.0 + h[i])
    return np.sum(h * h)


@program(normal(4, 4), normal(4), 3)
def neurons_in_a_triangle(w, h0, steps):
    h = h0.copy()
    for t in range(steps):
        for i in range(4):
            z = 0.0
            for j in range(i + 1):
                z += np.exp(w[i, j] * h[j])
            h[i] = np.log(z)
    return np.sum(h * h)


@program(normal(2, 3), normal(3), 3)
def layers_that_swap(w, x0, steps):
    x, y = x0.copy(), np.zeros_like(x0)
    for t in range(steps):
        for k in range(2):
            for j in range(3):
                y[j] = np.tanh(x[j] * w[k, j]) + y[j] * x[j]
            if t != 1:
                x, y = y, x
    return np.sum(x * x) - np.sum(y)


@program(normal(2, 3), normal(3), 3)
def layers_in_whole_arrays(w, x0, steps):
    state = np.zeros_like(w)
    total = 0.0
    for t in range(steps):
        x = x0 * (1.0 + t)
        for k in range(2):
            old = state[k]
            gate = 1.0 / (1.0 + np.exp(-x * w[k]))
            state[k] = old * gate + np.tanh(x)
            x = state[k].copy() * old
        total += np.sum(x * state[0])
        state[1, 0] = total
    return total + np.sum(state * state)


@program(normal(2, 3), normal(2, 3), 3)
def two_names_for_a_layer(w, x0, steps):
    x = x0.copy()
    y = x[:, 1:]
    for t in range(steps):
        for k in range(w.shape[0]):
            for j in range(w.shape[1] - 1):
                a = np.exp(-x[k, j] * w[k, j])
                y[k, j] = np.tanh(y[k, j] * a) + x[k, j]
                x[k, j] = x[k, j] * a
    return np.sum(x * x) + np.sum(y)


@program(normal(2, 3), normal(2, 3), 3)
def what_changes_between_two_reads(w, x0, steps):
    x = x0.copy()
    total = 0.0
    for t in range(steps):
        for k in range(w.shape[0]):
            for j in range(w.shape[1]):
                a = x[k, j] * np.exp(w[k, j])
                x[k, j] = np.tanh(a)
                b = x[k, j] * np.exp(-w[k, j])
                x[k, j] = b * b + x[k, j]
                total += x[k, j] * x[0, j] + x[k, j]
            x[k, 0] = x[k, 1] * x[k, 0]
    return total


@program(normal(3, 2), normal(3), 3, 3)
def rounds_in_rounds(w, x0, steps, inner):
    x = x0.copy()
    for t in range(steps):
        for s in range(inner):
            for j in range(3):
                x[j] = np.tanh(x[j] * w[j, 0] + np.exp(x[j - 1] * w[j, 1]))
    return np.sum(x * x)


@program(normal(2, 3), normal(2, 3), 2)
def layers_read_after_the_loop(w, h0, steps):
    h = h0.copy()
    sums = np.zeros_like(h0[:, 0])
    for t in range(steps):
        for k in range(w.shape[0]):
            s = 0.0
            for j in range(w.shape[1]):
                h[k, j] = np.tanh(h[k, j] * w[k, j])
                s += h[k, j] * h[k, j]
            sums[k] += np.sqrt(s + 1.0) * h[k, 0]
            h[k] = h[k] / np.sqrt(s + 1.0)
    h[0] = h[0] * sums[0]
    return np.sum(h * h) + np.sum(sums)


@program(normal(5, 6), normal(5, 6), 0.5, 2, tags="core")
def sweeps_over_rows(w, u0, x, steps):
    u = u0.copy()
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                u[i, j] = 0.3 * np.exp(-u[i - 1, j] * x) + 0.2 * u[i + 1, j] * np.tanh(w[i, j] * u[i, j - 1])
        x = x + u[1, 1]
    return np.sum(u * u)


@program(normal(5), normal(5, 5), tags="inplace")
def row_that_one_branch_reads(y, A):
    for i in range(A.shape[1]):
        if i == 1:
            A[i, i] *= 0.7
        else:
            y[i] = np.dot(y, A[-1, :])
    return np.sum(y)


@program(normal(4, 4), normal(4, 3))
def orthogonalised_in_place(A, Q):
    H = np.zeros((3, 2))
    for k in range(2):
        v = A @ Q[:, k]
        for j in range(k + 1):
            H[j, k] = np.dot(Q[:, j], v)
            v -= H[j, k] * Q[:, j]
    return np.sum(H**2)


@program(normal(2, 3), normal(2), 0.7, tags="inplace")
def rows_that_are_scaled_again_and_again(A, h, s):
    total = 0.0
    for k in range(2):
        v = A[k] * s
        for j in range(2):
            h[j] = np.dot(v, v)
            v *= h[j]
        total += v[0] + h[1]
    return total


@program(normal(5, 4))
def rotations_of_neighbouring_rows(A):
    A = A.copy()
    m, n = A.shape
    for j in range(n):
        for i in range(m - 1, j, -1):
            r = np.sqrt(A[i - 1, j] ** 2 + A[i, j] ** 2)
            c, s = A[i - 1, j] / r, A[i, j] / r
            for k in range(j, n):
                a, b = A[i - 1, k], A[i, k]
                A[i - 1, k] = c * a + s * b
                A[i, k] = c * b - s * a
    return np.sum(A**2 * np.arange(n)) + A[0, 1] * A[1, 2]


@program(normal(5, 3))
def reflections_of_columns(A):
    A = A.copy()
    m, n = A.shape
    v = np.empty(m)
    total = 0.0
    for k in range(n):
        s = 0.0
        for i in range(k, m):
            s += A[i, k] * A[i, k]
        alpha = -np.sqrt(s) if A[k, k] > 0 else np.sqrt(s)
        for i in range(k, m):
            v[i] = A[i, k]
        v[k] -= alpha
        length = 0.0
        for i in range(k, m):
            length += v[i] * v[i]
        for j in range(k, n):
            d = 0.0
            for i in range(k, m):
                d += v[i] * A[i, j]
            d *= 2.0 / length
            for i in range(k, m):
                A[i, j] -= d * v[i]
        total += np.log(np.abs(A[k, k]))
    return total + A[0, 1] * A[1, 2]


@program(normal(4, 4), normal(4))
def rows_eliminated_whole(A, b):
    n = len(b)
    A, x = A + 4.0 * np.eye(n), b.copy()
    for k in range(n):
        for i in range(k + 1, n):
            f = A[i, k] / A[k, k]
            for j in range(k, n):
                A[i, j] -= f * A[k, j]
            x[i] -= f * x[k]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            x[i] -= A[i, j] * x[j]
        x[i] /= A[i, i]
    return np.sum(x**2)


@program(normal(5, 4))
def columns_made_orthogonal(A):
    Q = A.copy()
    m, n = A.shape
    total = 0.0
    for j in range(n):
        for k in range(j):
            r = 0.0
            for i in range(m):
                r += Q[i, k] * Q[i, j]
            for i in range(m):
                Q[i, j] -= r * Q[i, k]
        r = 0.0
        for i in range(m):
            r += Q[i, j] ** 2
        r = np.sqrt(r)
        total += np.log(r)
        for i in range(m):
            Q[i, j] /= r
    return total + Q[0, 1] * Q[1, 2]


@program(normal(3, 6), 7)
def layers_in_triangles(w, steps):
    h = np.ones_like(w)
    total = 0.0
    for t in range(2, steps):
        last = t - 1
        for k in range(2 * last, t + 4, 3):
            total += k * h[0, 0]
        for k in range(min(last, 2), -1, -1):
            for j in range(k, k + 4):
                h[k, j] = np.tanh(h[k, j] * np.exp(w[k, j] * h[k, j - k])) + 0.1 * h[k - 1, j]
            for j in range(steps - t, 4):
                h[k, j] = np.sin(h[k, j] * h[k, j + 1])
        total += h[1, 2]
    return total + np.sum(h * h)


@program(normal(4), normal(4), 3)
def filter_that_starts_anew(x, y, n):
    level, gain, size = x[0], y.copy(), 0.0
    for _ in range(2):
        for i in range(n):
            t = np.sqrt(1.0 + y[i] ** 2)
            level = 0.8 * level + t * gain[0]
            gain[1] += 0.3 * t
            for j in range(1, i):
                t = np.sin(y[j])
                level = 0.8 * level + t * gain[0]
                gain[1] += 0.3 * t
            size = np.sqrt(1.0 + level * level)
            level = 0.3 * (x @ y)  # so that the gradient alone needs what the loops make of it in the adjoint only
    return size + 0.7 * level


@program(normal(4, 3))
def gram_schmidt_by_loops_in_place(A):
    """Columns that are divided for good are read where they are; what is taken off the others is recorded."""
    Q = A.copy()
    m, n = Q.shape
    for k in range(n):
        s = 0.0
        for i in range(m):
            s += Q[i, k] ** 2
        r = np.sqrt(s)
        for i in range(m):
            Q[i, k] /= r
        for j in range(k + 1, n):
            d = 0.0
            for i in range(m):
                d += Q[i, k] * Q[i, j]
            for i in range(m):
                Q[i, j] -= d * Q[i, k]
    return np.sum(Q * np.arange(1.0, 4.0)) + Q[0, 2] ** 2


@program(normal(4, 3))
def columns_divided_again_in_place(A):
    Q = A.copy()
    m, n = Q.shape
    for k in range(n):
        s = 1.0
        for i in range(m):
            s += Q[i, k] ** 2
        for i in range(m):
            Q[i, k] /= np.sqrt(s)
        Q[:, k] /= s
        for j in range(k, n):
            d = 0.0
            for i in range(m):
                d += Q[i, k] * Q[i, j]
            for i in range(m):
                Q[i, j] -= 0.1 * d * Q[i, k]
            Q[:, k - 1] /= 1.0 + d * d
    return np.sum(Q * np.arange(1.0, 4.0)) + Q[0, 2] ** 2


@program(normal(6), normal(3, 6))
def places_filled_in_a_branch(x, noise):
    p = x.copy()
    for t in range(noise.shape[0]):
        for k in range(p.shape[0]):
            p[k] = np.tanh(p[k] + noise[t, k])
        if np.sum(p) > -9.0:
            places = np.zeros(p.shape[0], "i")
            for k in range(p.shape[0]):
                places[k] = (k * (t + 2)) % p.shape[0]
            p[:] = p[places]
    return np.sum(p * x)


@program(normal(6), normal(3, 6))
def gains_filled_in_a_branch(x, noise):
    p = x.copy()
    s = 0.0
    for t in range(noise.shape[0]):
        for k in range(p.shape[0]):
            s += np.tanh(p[k]) * np.exp(p[k])
        if s > -99.0:
            gains = np.zeros(p.shape[0])
            for k in range(p.shape[0]):
                gains[k] = np.sin(1.0 + k * t)
            p[:] = p * gains + noise[t]
        s += np.sum(p)
    return s


@program(uniform(0.1, 1.0, 4, 3), uniform(0.2, 0.8, 4), uniform(0.2, 0.8, 3), 0.3, 3, tags="nojit")
def transport_in_logarithms(cost, a, b, eps, steps):
    f = np.zeros(cost.shape[0])
    g = np.zeros(cost.shape[1])
    for t in range(steps):
        m = (g[None, :] - cost) / eps
        top = m.max(axis=1)
        f = eps * np.log(a) - eps * (top + np.log(np.sum(np.exp(m - top[:, None]), axis=1)))
        m = (f[:, None] - cost) / eps
        top = m.max(axis=0)
        g = eps * np.log(b) - eps * (top + np.log(np.sum(np.exp(m - top[None, :]), axis=0)))
    return np.sum(np.exp((f[:, None] + g[None, :] - cost) / eps) * cost)


@program(normal(3, 3), normal(3, 4), normal(3), lambda rng: np.array([0, 2, 1, 3, 2]), tags="nojit")
def hidden_states_in_logarithms(moves, shows, start, seen):
    alpha = start + shows[:, seen[0]]
    for t in range(1, seen.shape[0]):
        m = alpha[:, None] + moves
        top = m.max(axis=0)
        alpha = top + np.log(np.sum(np.exp(m - top), axis=0)) + shows[:, seen[t]]
    return np.max(alpha) + np.log(np.sum(np.exp(alpha - np.max(alpha))))


@program(normal(4, 3), normal(4), 3, tags="nojit")
def rows_reduced_of_a_state_that_changes(w, x, steps):
    total = 0.0
    x = x.copy()
    for t in range(steps):
        m = x[:, None] * w
        least = np.min(m, axis=1)
        size = np.sum(m * m, axis=1)
        if t != 1:
            x[:] = np.sqrt(size + least * least) * x
        total += np.mean(size * least)
    return total
