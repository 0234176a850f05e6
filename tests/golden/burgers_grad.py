import numpy as np


def burgers_grad(u0, nu, dt, dx, steps, grad_ys=1.0):
    """Gradient of burgers with respect to u0, for u0: float64[:], nu: float64, dt: float64,
    dx: float64, steps: int64.
    """
    u = np.copy(u0)
    n = u.shape[0]
    u_tape = np.empty((max(steps, 0) + 1, u.shape[0]))
    ratio = dt / (2 * dx)
    ratio_1 = nu * dt / dx**2
    u_tape[0] = u
    for t in range(steps):
        u = u_tape[t]
        v = u_tape[t + 1]
        v[0] = u[0]
        v[n - 1] = u[n - 1]
        for i in range(1, n - 1):
            v[i] = (u[i] - ratio * u[i] * (u[i + 1] - u[i - 1])
                    + ratio_1 * (u[i + 1] - 2 * u[i] + u[i - 1]))
    u = u_tape[-1]
    u_bar = grad_ys * 2.0 * u
    v_bar = np.zeros_like(u)
    for t in range(steps - 1, -1, -1):
        u = u_tape[t]
        u_bar, v_bar = v_bar, u_bar
        u_bar_carried = 0.0
        u_bar_carried_1 = 0.0
        u_bar[-2:] = 0.0
        # adjoint of  v[i] = (u[i] - dt / (2 * dx) * u[i] * (u[i + 1] - u[i - 1]) + nu * dt / dx ...
        for i in range(1, n - 1):
            value_bar = v_bar[i]
            value_bar_1 = value_bar * ratio_1
            value_bar_2 = -value_bar * ratio * u[i]
            u_bar_next = value_bar_1 + value_bar_2
            u_bar_next_1 = (u_bar_carried_1 + value_bar * (1.0 - ratio * (u[i + 1] - u[i - 1]))
                            - 2.0 * value_bar_1)
            u_bar[i - 1] = u_bar_carried + value_bar_1 - value_bar_2
            u_bar_carried = u_bar_next_1
            u_bar_carried_1 = u_bar_next
        if n > 2:
            u_bar[n - 2] += u_bar_carried
            u_bar[n - 1] += u_bar_carried_1
        # adjoint of  v[n - 1] = u[n - 1]
        value_bar = v_bar[n - 1]
        v_bar[n - 1] = 0.0
        u_bar[n - 1] += value_bar
        # adjoint of  v[0] = u[0]
        value_bar = v_bar[0]
        v_bar[0] = 0.0
        u_bar[0] += value_bar
    return u_bar
