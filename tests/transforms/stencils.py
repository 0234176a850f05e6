"""Time steps on grids, in which two arrays change places; `f(u0, a, steps)`, for any length of `u0`."""

import numpy as np


def moved(u, i, a):
    return u[i] - a * u[i] * (u[i + 1] - u[i - 1]) + 0.1 * (u[i + 1] - 2.0 * u[i] + u[i - 1])


def points_at_the_ends(u0, a, steps):
    u, v = u0.copy(), np.empty_like(u0)
    n = u.shape[0]
    for t in range(steps):
        v[0], v[n - 1] = u[0], u[n - 1]
        for i in range(1, n - 1):
            v[i] = moved(u, i, a)
        u, v = v, u
    return np.sum(u**2)


def ends_left_alone(u0, a, steps):
    u, v = u0.copy(), u0.copy()
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            v[i] = moved(u, i, a)
        u, v = v, u
    return np.sum(u**2)


def ends_of_a_copy_of_the_state(u0, a, steps):
    u = u0.copy()
    v = u.copy()
    n = len(u)
    total = 0.0
    for t in range(steps):
        for i in range(1, n - 1):
            v[i] = moved(u, i, a)
        u, v = v, u
        total += np.sum(u**2)
    return total


def ends_that_are_zero_every_other_time(u0, a, steps):
    u, v = u0.copy(), np.zeros_like(u0)
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            v[i] = moved(u, i, a)
        u, v = v, u
    return np.sum(u**2) + a * np.sum(v)


def ends_that_differ(u0, a, steps):
    u, v = u0.copy(), u0.copy()
    v[-1] = a * v[-1] ** 2
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            v[i] = moved(u, i, a)
        u, v = v, u
    return np.sum(u**2)


def one_end_written(u0, a, steps):
    u, v = u0.copy(), u0.copy()
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            v[i] = moved(u, i, a)
        v[-1] = a * v[0]
        u, v = v, u
    return np.sum(u**3)


def one_end_written_at_times(u0, a, steps):
    u, v = u0.copy(), u0.copy()
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            v[i] = moved(u, i, a)
        if v[0] > 0.3:
            v[0] = v[0] * u[0]
        u, v = v, u
    return np.sum(u**3)


def around_the_end(u0, a, steps):
    u, v = u0.copy(), np.empty_like(u0)
    n = u.shape[0]
    for t in range(steps):
        for i in range(n):
            v[i] = u[i] + a * u[i] * (u[(i + 1) % n] - u[i - 1])
        u, v = v, u
    return np.sum(u**2)


def ghosts(u0, a, steps):
    u, v = u0.copy(), np.zeros_like(u0)
    n = u.shape[0]
    for t in range(steps):
        for i in range(1, n - 1):
            v[i] = moved(u, i, a)
        v[0] = v[n - 2] * u[0]
        v[n - 1] = v[1]
        u, v = v, u
    return np.sum(u**2)


def waves(u0, a, steps):
    u, v = u0.copy(), u0.copy()
    n = u.shape[0]
    for t in range(steps):
        for i in range(1, n - 1):
            v[i] = 2.0 * u[i] - v[i] + a * (u[i + 1] - 2.0 * np.sin(u[i]) + u[i - 1])
        u, v = v, u
    return np.sum(u**2)


def changed_where_it_is(u0, a, steps):
    u, v = u0.copy(), np.empty_like(u0)
    n = u.shape[0]
    for t in range(steps):
        u[0] = np.sin(u[0]) * u[n - 1]
        v[0], v[n - 1] = u[0], u[n - 1]
        for i in range(1, n - 1):
            v[i] = moved(u, i, a)
        u, v = v, u
    return np.sum(u**2)


def both_read_in_the_end(u0, a, steps):
    u, v = u0.copy(), u0.copy()
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            v[i] = moved(u, i, a)
        u, v = v, u
    return np.sum(u**2) + a * np.sum(v**3)


def known_by_another_name(u0, a, steps):
    u, v = u0.copy(), u0.copy()
    w = v
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            v[i] = moved(u, i, a)
        u, v = v, u
    return np.sum(u**2) + a * np.sum(w**3)


def changing_places_at_times(u0, a, steps):
    u, v = u0.copy(), u0.copy()
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            v[i] = moved(u, i, a)
        if t != 1:
            u, v = v, u
    return np.sum(u**2)


def made_anew(u0, a, steps):
    u = u0.copy()
    for t in range(steps):
        v = np.empty_like(u)
        v[0] = u[0]
        v[-1] = u[-1] * a
        for i in range(1, u.shape[0] - 1):
            v[i] = moved(u, i, a)
        u = v
    return np.sum(u**2)


def in_slices(u0, a, steps):
    u, v = u0.copy(), u0.copy()
    for t in range(steps):
        v[1:-1] = u[1:-1] + a * u[1:-1] * (u[2:] - u[:-2])
        u, v = v, u
    return np.sum(u**2)


def copied_back(u0, a, steps):
    u, v = u0.copy(), u0.copy()
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            v[i] = moved(u, i, a)
        u[:] = v
    return np.sum(u**2)


def against_the_wind(u0, a, steps):
    u, v = u0.copy(), u0.copy()
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            if u[i] > 0.0:
                v[i] = u[i] - a * u[i] * (u[i] - u[i - 1])
            else:
                v[i] = u[i] - a * u[i] * (u[i + 1] - u[i])
        u, v = v, u
    return np.sum(u**2)


def ends_in_the_loop(u0, a, steps):
    u, v = u0.copy(), np.empty_like(u0)
    n = u.shape[0]
    for t in range(steps):
        for i in range(n):
            v[i] = u[i] if i == 0 or i == n - 1 else moved(u, i, a)
        u, v = v, u
    return np.sum(u**2)


def two_fields(u0, a, steps):
    u, w, u1, w1 = u0.copy(), np.sin(u0), u0.copy(), np.sin(u0)
    n = u.shape[0]
    for t in range(steps):
        w1[0], w1[n - 1] = w[0], w[n - 1]
        for i in range(1, n - 1):
            reaction = u[i] * w[i] ** 2
            u1[i] = moved(u, i, a) - reaction
            w1[i] = w[i] + 0.05 * (w[i + 1] - 2.0 * w[i] + w[i - 1]) + reaction
        u, w, u1, w1 = u1, w1, u, w
    return np.sum(u * w)


def shallow_water(u0, a, steps):
    h, m = 1.0 + u0**2, np.sin(u0)
    h1, m1 = h.copy(), m.copy()
    for t in range(steps):
        for i in range(1, h.shape[0] - 1):
            left, right = m[i - 1] ** 2 / h[i - 1] + a * h[i - 1] ** 2, m[i + 1] ** 2 / h[i + 1] + a * h[i + 1] ** 2
            h1[i] = 0.5 * (h[i - 1] + h[i + 1]) - 0.1 * (m[i + 1] - m[i - 1])
            m1[i] = 0.5 * (m[i - 1] + m[i + 1]) - 0.1 * (right - left)
        h, h1 = h1, h
        m, m1 = m1, m
    return np.sum(h * m)


def seen_step_by_step(u0, a, steps):
    u, v = u0.copy(), u0.copy()
    total = 0.0
    for t in range(steps):
        total += u[0] * u[-1]
        for i in range(1, u.shape[0] - 1):
            v[i] = moved(u, i, a)
            total += v[i] ** 2
        u, v = v, u
    return total


def the_same_element_twice(u0, a, steps):
    u, v = u0.copy(), u0.copy()
    n = u.shape[0]
    for t in range(steps):
        for i in range(1, n - 1):
            v[i] = moved(u, i, a)
        v[0] = u[0] * a
        v[n - 1] = u[n - 1] * u[0]
        v[0] = v[0] * u[n - 1]
        u, v = v, u
    return np.sum(u**2)


def an_argument_as_state(u0, a, steps):
    u, v = u0, u0.copy()
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            v[i] = moved(u, i, a)
        u, v = v, u
    return np.sum(u**2)


def plane(u0):
    return np.outer(u0, np.cos(u0)) + u0


def border_left_alone(u0, a, steps):
    u, v = plane(u0), plane(u0)
    n, m = u.shape
    for t in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                lap = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j]
                v[i, j] = u[i, j] + 0.1 * lap + a * u[i, j] * (1.0 - u[i, j])
        u, v = v, u
    return np.sum(u * u)


def border_of_copies(u0, a, steps):
    x = plane(u0)
    u, v = x.copy(), x.copy()
    n, m = u.shape
    for t in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                lap = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j]
                v[i, j] = u[i, j] + 0.1 * lap + a * u[i, j] * (1.0 - u[i, j])
        u, v = v, u
    return np.sum(u * u) + np.sum(x)


def border_in_lines(u0, a, steps):
    u = plane(u0)
    v = np.empty_like(u)
    n, m = u.shape
    for t in range(steps):
        for i in range(n):
            v[i, 0] = u[i, 0] * a
            v[i, m - 1] = u[i, m - 1]
        for j in range(m):
            v[0, j] = u[0, j] ** 2
            v[n - 1, j] = u[n - 1, j]
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                near = u[i - 1, j - 1] + u[i + 1, j + 1] + u[i, j - 1] * u[i, j + 1] - 3.0 * u[i, j]
                v[i, j] = u[i, j] + a * u[i, j] * near
        u, v = v, u
    return np.sum(u * u)


def border_in_slices(u0, a, steps):
    u = plane(u0)
    v = np.empty_like(u)
    for t in range(steps):
        v[1:-1, 1:-1] = u[1:-1, 1:-1] * (1.0 + a * (u[2:, 1:-1] - u[:-2, 1:-1] + u[1:-1, 2:] * u[1:-1, :-2]))
        v[0], v[-1] = v[1], u[-1]
        v[:, 0] = v[:, 1]
        v[:, -1] = u[:, -1] * a
        u, v = v, u
    return np.sum(u * u)


def around_the_plane(u0, a, steps):
    u = plane(u0)
    v = np.empty_like(u)
    n, m = u.shape
    for t in range(steps):
        for i in range(n):
            for j in range(m):
                near = u[i - 1, j] + u[(i + 1) % n, j] + u[i, j - 1] + u[i, (j + 1) % m] - 4.0 * u[i, j]
                v[i, j] = u[i, j] + a * u[i, j] * near
        u, v = v, u
    return np.sum(u * u)


STENCILS = tuple(f for name, f in list(globals().items()) if callable(f) and name not in ("moved", "plane"))
