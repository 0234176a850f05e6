import numpy as np


def burgers_jvp(u0, nu, dt, dx, steps, tangents=1.0):
    """Value and tangent of burgers with respect to u0, nu, for u0: float64[:], nu: float64,
    dt: float64, dx: float64, steps: int64.
    """
    if tangents[0].shape != u0.shape:
        raise ValueError("tangents: the tangent of u0 must have the shape of u0")
    u0_dot = tangents[0]
    nu_dot = tangents[1]
    # tangent of  u = u0.copy()
    u_dot = np.copy(u0_dot)
    u = np.copy(u0)
    v = np.empty_like(u)
    v_dot = np.zeros_like(v)
    n = u.shape[0]
    for t in range(steps):
        # tangent of  v[0] = u[0]
        v_dot[0] = u_dot[0]
        v[0] = u[0]
        # tangent of  v[n - 1] = u[n - 1]
        v_dot[n - 1] = u_dot[n - 1]
        v[n - 1] = u[n - 1]
        for i in range(1, n - 1):
            ratio = dt / (2 * dx)
            ratio_u_i = ratio * u[i]
            difference = u[i + 1] - u[i - 1]
            dx_sq = dx**2
            ratio_1 = nu * dt / dx_sq
            total = u[i + 1] - 2 * u[i] + u[i - 1]
            # tangent of  v[i] = (u[i] - dt / (2 * dx) * u[i] * (u[i + 1] - u[i - 1]) + nu * dt ...
            v_dot[i] = (u_dot[i]
                        - (ratio * u_dot[i] * difference
                           + ratio_u_i * (u_dot[i + 1] - u_dot[i - 1]))
                        + (nu_dot * dt / dx_sq * total
                           + ratio_1 * (u_dot[i + 1] - 2 * u_dot[i] + u_dot[i - 1])))
            v[i] = u[i] - ratio_u_i * difference + ratio_1 * total
        u_dot, v_dot = v_dot, u_dot
        u, v = v, u
    total = 0.0
    total_1 = 0.0
    # tangent of  return np.sum(u**2)
    for i in range(u.shape[0]):
        total += u[i] ** 2
        total_1 += 2.0 * u_dot[i] * u[i]
    return total, total_1
