"""Gray and Scott's model: two substances that react and spread in the plane, explicit steps, the border fixed."""

import numpy as np

from tests.benchmarks.workload import Workload, compiled


def loops(u0, v0, du, dv, feed, kill, steps):
    u, v = u0.copy(), v0.copy()
    u_next, v_next = u0.copy(), v0.copy()
    n, m = u.shape
    for t in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                lap_u = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j]
                lap_v = v[i - 1, j] + v[i + 1, j] + v[i, j - 1] + v[i, j + 1] - 4.0 * v[i, j]
                r = u[i, j] * v[i, j] * v[i, j]
                u_next[i, j] = u[i, j] + du * lap_u - r + feed * (1.0 - u[i, j])
                v_next[i, j] = v[i, j] + dv * lap_v + r - (feed + kill) * v[i, j]
        u, u_next = u_next, u
        v, v_next = v_next, v
    return np.sum(v * v) + np.sum(u)


def laplacian(a):
    return a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] - 4.0 * a[1:-1, 1:-1]


def arrays(u0, v0, du, dv, feed, kill, steps):
    u, v = u0.copy(), v0.copy()
    for _ in range(steps):
        a, b = u[1:-1, 1:-1], v[1:-1, 1:-1]
        r = a * b * b
        u_next = a + du * laplacian(u) - r + feed * (1.0 - a)
        v_next = b + dv * laplacian(v) + r - (feed + kill) * b
        u[1:-1, 1:-1] = u_next
        v[1:-1, 1:-1] = v_next
    return np.sum(v * v) + np.sum(u)


@compiled
def by_hand(u0, v0, du, dv, feed, kill, steps):
    """The states are the records, and each reverse step gathers for both cotangents.

    What belongs to the border lies in arrays of its own, so that the stencils read zeros there.
    """
    n, m = u0.shape
    u_states, v_states = np.empty((steps + 1, n, m)), np.empty((steps + 1, n, m))
    u_states[0], v_states[0] = u0, v0
    for t in range(steps):
        u, v, p, q = u_states[t], v_states[t], u_states[t + 1], v_states[t + 1]
        p[0], p[n - 1], q[0], q[n - 1] = u[0], u[n - 1], v[0], v[n - 1]
        for i in range(1, n - 1):
            p[i, 0], p[i, m - 1], q[i, 0], q[i, m - 1] = u[i, 0], u[i, m - 1], v[i, 0], v[i, m - 1]
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                lap_u = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j]
                lap_v = v[i - 1, j] + v[i + 1, j] + v[i, j - 1] + v[i, j + 1] - 4.0 * v[i, j]
                r = u[i, j] * v[i, j] * v[i, j]
                p[i, j] = u[i, j] + du * lap_u - r + feed * (1.0 - u[i, j])
                q[i, j] = v[i, j] + dv * lap_v + r - (feed + kill) * v[i, j]
    value = np.sum(v_states[steps] * v_states[steps]) + np.sum(u_states[steps])
    u_edge, v_edge = np.ones((n, m)), 2.0 * v_states[steps]
    u_edge[1:-1, 1:-1] = 0.0
    v_edge[1:-1, 1:-1] = 0.0
    p_bar, q_bar = 1.0 - u_edge, 2.0 * v_states[steps] - v_edge
    u_bar, v_bar = np.zeros((n, m)), np.zeros((n, m))
    for t in range(steps - 1, -1, -1):
        u, v = u_states[t], v_states[t]
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                r_bar = q_bar[i, j] - p_bar[i, j]
                near_u = p_bar[i - 1, j] + p_bar[i + 1, j] + p_bar[i, j - 1] + p_bar[i, j + 1]
                near_v = q_bar[i - 1, j] + q_bar[i + 1, j] + q_bar[i, j - 1] + q_bar[i, j + 1]
                u_bar[i, j] = p_bar[i, j] * (1.0 - 4.0 * du - feed) + du * near_u + r_bar * v[i, j] * v[i, j]
                v_bar[i, j] = (q_bar[i, j] * (1.0 - 4.0 * dv - feed - kill) + dv * near_v
                               + 2.0 * r_bar * u[i, j] * v[i, j])  # fmt: skip
        for i in range(1, n - 1):
            u_edge[i, 0] += du * p_bar[i, 1]
            u_edge[i, m - 1] += du * p_bar[i, m - 2]
            v_edge[i, 0] += dv * q_bar[i, 1]
            v_edge[i, m - 1] += dv * q_bar[i, m - 2]
        for j in range(1, m - 1):
            u_edge[0, j] += du * p_bar[1, j]
            u_edge[n - 1, j] += du * p_bar[n - 2, j]
            v_edge[0, j] += dv * q_bar[1, j]
            v_edge[n - 1, j] += dv * q_bar[n - 2, j]
        u_bar, p_bar = p_bar, u_bar
        v_bar, q_bar = q_bar, v_bar
    return value, (p_bar + u_edge, q_bar + v_edge)


def library(np, scan):
    def framed(whole, inner):
        return np.concatenate((whole[:1], np.concatenate((whole[1:-1, :1], inner, whole[1:-1, -1:]), 1), whole[-1:]))

    def function(u0, v0, du, dv, feed, kill, steps):
        def step(state, _):
            u, v = state
            a, b = u[1:-1, 1:-1], v[1:-1, 1:-1]
            r = a * b * b
            u_next = a + du * laplacian(u) - r + feed * (1.0 - a)
            v_next = b + dv * laplacian(v) + r - (feed + kill) * b
            return (framed(u, u_next), framed(v, v_next)), None

        u, v = scan(step, (u0, v0), None, 100)[0]
        return np.sum(v**2) + np.sum(u)

    return function


def workloads(random):
    u0, v0 = random.uniform(0.4, 1.0, (2, 96, 96))
    arguments = (u0, v0, 0.16, 0.08, 0.035, 0.065, 100)
    styles = {"loops": loops, "arrays": arrays}
    yield Workload("reaction 96 x 96 x 100", styles, by_hand, arguments, library, wrt=(0, 1))
