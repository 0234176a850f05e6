"""Lists of the states that a loop passes through: arrays of one length, which the compiler cannot always prove."""

import numpy as np

from tests.corpus import normal, program


def pendulum(y):
    return np.array([y[1], -np.sin(y[0])])


@program(normal(2), 0.05, 5, tags="core nojit")
def trajectory_of_a_pendulum(y0, h, n):
    y = y0
    states = [y]
    for _ in range(n):
        k1 = pendulum(y)
        k2 = pendulum(y + h * k1)
        y = y + h / 2 * (k1 + k2)
        states.append(y)
    states = np.array(states)
    return states[-1, 0] + states[:, 1].mean()


@program(normal(2), 0.05, 4, tags="nojit")
def times_and_states(y0, h, n):
    ts, ys = [], []
    y = y0.copy()
    t = 0.0
    while t < n * h:
        ts.append(t)
        ys.append(y)
        y = y + h * pendulum(y)
        t += h
    return np.stack(ys)[-1, 0] + sum(t * y[1] for t, y in zip(ts, ys))


@program(normal(3), normal(3), 0.05, 4, tags="nojit")
def states_of_joined_halves(r, v, h, n):
    s = np.concatenate([r, v])
    states = []
    for _ in range(n):
        r, v = s[:3], s[3:]
        s = np.concatenate([r + h * v, v - h * r])
        states.append(s)
    return states[-1][0] + sum(state[1] ** 2 for state in states)


@program(normal(6), 0.05, 4, tags="nojit")
def each_state_from_the_last_in_the_list(s, h, n):
    states = [s]
    t = 0.0
    while t < n * h:
        x, y, z, vx, vy, vz = states[-1]
        cube = (1.0 + x * x + y * y + z * z) ** 1.5
        states.append(states[-1] + h * np.array([vx, vy, vz, -x / cube, -y / cube, -z / cube]))
        t += h
    return states[-1][0] + np.stack(states)[:, 1].sum() + t


@program(normal(3), 0.05, 4, tags="nojit")
def first_parts_of_states(y, h, n):
    ends, starts = [], []
    for _ in range(n):
        starts.append(y[:2])
        ends.append(y[1:])
        y = y + h * np.array([y[1], y[2], -y[0]])
    return np.sum(np.array(starts) * np.array(ends)) + y[0]


@program(normal(4), normal(4), 0.1, 3)
def pair_of_arrays_as_state(x, v, h, n):
    state = (x, v)
    energy = 0.0
    for _ in range(n):
        q, p = state
        p = p - h * np.sin(q)
        state = (q + h * p, p)
        energy += state[1] @ state[1]
    return energy + np.sum(state[0] ** 2)


@program(normal(3), normal(3), 4)
def arrays_in_dicts_that_each_step_makes_anew(w, g, n):
    at = {"w": w, "moments": (g, w * w)}
    for k in range(n):
        slope, scale = at["moments"]
        slope = 0.9 * slope + 0.1 * at["w"]
        at = {"w": at["w"] - 0.1 * slope / np.sqrt(1.0 + scale), "moments": (slope, 0.9 * scale + 0.1 * slope * g)}
    return at["w"] @ at["moments"][0] + at["moments"][1].sum()


@program(normal(5), 4, tags="may_refuse")
def views_in_a_tuple_that_change_places(x, n):
    a = np.sin(x)
    pair = (a[1:], a[:-1])
    for _ in range(n):
        pair[0][:] = 0.5 * pair[1]
        pair = (pair[1], pair[0])
        a[0] *= 1.1
    return np.sum(pair[0] ** 2) + np.sum(a**3)
