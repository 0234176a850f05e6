"""Arrays of few elements, whose elements become numbers with names: views, copies, branches, loops, whole arrays."""

import numpy as np

from tests.corpus import integers, normal, program


def cross(a, b):
    r = np.empty(3)
    r[0] = a[1] * b[2] - a[2] * b[1]
    r[1] = a[2] * b[0] - a[0] * b[2]
    r[2] = a[0] * b[1] - a[1] * b[0]
    return r


def rotated(w, p):
    square = np.sum(w * w)
    if square == 0.0:
        return p + cross(w, p)
    angle = np.sqrt(square)
    axis = w / angle
    return p * np.cos(angle) + cross(axis, p) * np.sin(angle) + axis * (np.dot(axis, p) * (1.0 - np.cos(angle)))


@program(normal(4, 6), normal(5, 3), integers(4, 5), tags="core nojit")
def small_rotations(cameras, points, which):
    s = 0.0
    for n in range(points.shape[0]):
        camera = cameras[which[n]]
        p = rotated(camera[0:3], points[n] - camera[3:6])
        u = p[:2] / (4.0 + p[2])
        s += np.sum(u * u) * u[0]
    return s


@program(normal(6, scale=0.0), normal(3), tags="nojit")
def small_rotation_by_nothing(camera, point):
    p = rotated(camera[0:3], point - camera[3:6])
    return p[0] * p[1] + p[2] ** 2


@program(normal(4), 0.3, 5, tags="core array")
def small_state_in_time(y0, dt, n):
    y = y0.copy()
    for _ in range(n):
        f = np.empty(4)
        f[:2] = y[2:]
        f[2:] = -y[:2] / (1.0 + np.linalg.norm(y[:2])) ** 3
        y = y + dt * f
    return y


@program(normal(2), normal(6), tags="nojit")
def small_filter(q, z):
    F, x, P = np.array([[1.0, 0.1], [0.0, 1.0]]), np.zeros(2), np.eye(2)
    Q = np.array([[q[0] ** 2, 0.1], [0.1, 1]])
    s = 0.0
    for t in range(len(z)):
        x, P = F @ x, F @ P @ F.T + Q
        K = P[:, 0] / (P[0, 0] + q[1] ** 2 + 1.0)
        e = z[t] - x[0]
        x, P = x + K * e, P - np.outer(K, P[0])
        s += e * e + P.trace() + np.linalg.inv(P)[0, 1]
    return s


@program(normal(3), 4)
def small_views_written_through(x, n):
    m = np.zeros((3, 3))
    row, column, corner = m[1], m[:, 2], m.T[:2, 1:]
    for k in range(n):
        row[:] = x * (k + 1)
        column += row[::-1]
        corner[0, 1] = column[0] * m[1, 1]
        m[-1][0] *= 2.0 + m[2, 2]
    flat = m.reshape(9)
    flat[4] = flat[1] * flat[-1]
    return np.sum(m * m) + np.sum(m[1] * m[:, 1])


@program(normal(3), 0.5)
def small_arrays_in_branches(x, c):
    a = np.array([x[0], x[1] * c])
    b = np.zeros(2)
    if c > 0.2:
        b[0] = a[1]
        a[1] *= 3
        d = a * b
    else:
        d = a + 1.0
    if x[0] > 10.0:
        a = -a
    return np.sum(a * d) + b[0] * d[1]


@program(normal(3), 6)
def small_arrays_that_change_places(x, n):
    u, v = np.array([x[0], x[1]]), np.array([x[2], 1.0])
    for t in range(n):
        w = u + 0.1 * v * v
        u, v = v, w
        if t == 3:
            v = v * 2
    return u[0] * v[1] + np.sum(u)


@program(normal(3))
def small_arrays_swapped_and_written(x):
    u, v = np.zeros(2), np.zeros(2)
    u[0] = x[0]
    v[1] = x[1]
    for t in range(3):
        for k in range(2):
            v[k] = u[k] * x[2] + v[1 - k]
        u, v = v, u
    return u[0] + u[1] * v[0] + v[1] ** 2


@program(normal(4), 2)
def small_array_at_a_place_known_late(x, place):
    a = np.array([x[0], x[1], x[2]])
    a[place] = a[place - 1] * x[3]
    b = np.array([a[0] * a[1], a[2]])
    return b[0] * b[1] + a[place]


@program(normal(5))
def small_work_array_of_all_rounds(x):
    d, e = np.zeros(3), np.empty(2)
    s = 0.0
    for i in range(x.shape[0] - 1):
        for k in range(3):
            d[k] = x[i] * (k + 1) + x[i + 1] ** k
        if x[i] > 0.0:
            e[0] = d[0] * d[1]
        else:
            e[0] = d[2]
        e[1] = e[0] + d[2]
        s += e[1] * e[0]
    return s + d[0]


@program(normal(3))
def small_array_until_it_is_long(x):
    v = np.array([x[0] * 0.1, x[1] * 0.1])
    n = 0
    while v[0] ** 2 + v[1] ** 2 < 4.0 and n < 50:
        v = 1.5 * v + 0.1 * x[2]
        v[0] += 0.25
        n += 1
    return v[0] * v[1]


@program(normal(3), normal(3), tags="inplace nof32")
def small_argument_under_a_second_name(x, z):
    y = z
    if x[0] > 10.0:
        y = np.zeros(3)
    y[0] = x[0] * x[1]
    t = np.array([y[0], y[1] * x[2]])
    return t[0] * t[1]


@program(normal(4))
def small_integers_and_masks(x):
    order = np.array([2, 0, 1])
    a = np.array([x[0], 2, x[1]])
    a[1] = 3
    positive = a > 0.5
    s = 0.0
    for k in range(3):
        s += a[order[k]] * (k + 1)
        if positive[k]:
            s *= a[k]
    return s + np.sum(np.where(positive, a, x[3]) ** 2)


@program(normal(4))
def small_loop_that_ends_early(x):
    a = np.array([x[0], x[1], x[2], x[3]])
    s = 0.0
    for k in range(4):
        if a[k] > 1.0:
            break
        s += a[k] * a[3 - k]
    for k in range(4):
        if k == 2:
            continue
        s += a[k] ** 2
    return s


@program(normal(3), normal(4, 3), tags="array")
def small_forces_added_to_rows(m, x):
    total = np.zeros((4, 3))
    for i in range(4):
        for j in range(i):
            d = np.empty(3)
            for k in range(3):
                d[k] = x[i, k] - x[j, k]
            f = m * d / (0.1 + np.linalg.norm(d) ** 3)
            total[i] += f
            total[j] -= f
    return total


@program(normal(2), normal(3))
def small_vectors_of_all_kinds(a, b):
    u, v = np.array([a[0], a[1], 1.0]), np.array([b[0], b[1], b[2]])
    m = np.vstack((u, v))
    w = np.concatenate((u[:2], v[1:]))
    p = np.stack((u, v), axis=1) @ np.array([[1.0, 2.0], [a[0], b[0]]])
    return (np.sum(m, axis=0) @ v + np.mean(w) * np.prod(u) + np.sum(np.maximum(u, v) ** 2)
            + np.trace(np.outer(u, v)) + np.sum(p.sum(axis=1) * u) + np.max(w) + u.dot(np.cross(u, v)))  # fmt: skip


@program(1.5, 2)
def small_vector_at_the_origin(c, n):
    d = np.zeros(3)
    for k in range(n):
        d[0] += c * k
    away = np.array([c, d[0]]) - c
    return np.linalg.norm(d * 0.0) + np.linalg.norm(d) * np.linalg.norm(away * 0.0 + 1.0)


@program(normal(5))
def small_arrays_handed_on_by_few_rounds(x):
    u, v, w = np.array([x[0], x[1]]), np.array([x[2], x[3]]), np.zeros(3)
    for t in range(3):
        w[t] = u[0] * x[4] + v[1]
        u[1] += w[t] * v[0]
        u, v = v, u
    return u[0] * v[1] + np.sum(w * w) + u[1] * v[0]


@program(normal(4), tags="nojit")
def small_rows_of_a_matrix_with_a_new_name(x):
    a = np.array([x[0], x[1] * x[2], x[3]])
    m = np.array([[x[0], 1.0, x[1]], [0.0, x[2], 0.5], [x[3], 0.1, 0.2]])
    for k in range(2):
        m[k, k] = a[k] * x[3]
    for k in range(1, 3):
        m[k] = 0.5 * a
        m = m.T * 0.9
    return np.sum(m * m) + np.linalg.det(m)


def shortened_step(a, b, most):
    if b > 1.0:
        s = a * b
        if np.sum(s) <= most:
            return s, 0.0
    for _ in range(3):
        b = b + 0.1
    return a * b, b


@program(0.5, 1.2, tags="nojit")
def steps_of_two_numbers_that_a_branch_makes(x, b):
    y, tried = np.array([x, 2.0 * x]), 0
    while np.max(y) < 20.0:
        gained, new = -1.0, y
        while gained <= 0.0:
            tried += 1
            if tried > 20:
                raise RuntimeError("too many steps")
            s, d = shortened_step(y, b, 5.0)
            new = y + s
            gained = np.sum(new) - np.sum(y)
            if gained > 30.0:
                return np.sum(new if d > 0.0 else y)
        y = new
    return np.sum(y**2)
