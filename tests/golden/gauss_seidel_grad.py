import numpy as np
from srcad.runtime import overlaps


def gauss_seidel_grad(u, f, sweeps, grad_ys=1.0):
    """Gradient of gauss_seidel with respect to u, f, for u: float64[:], f: float64[:],
    sweeps: int64.
    """
    if overlaps(u, f):
        raise ValueError("u and f share memory, and u is written to: pass a copy of one of them")
    u_tape = np.empty((max(sweeps, 0), max(u.shape[0] - 2, 0)))
    for k in range(sweeps):
        for i in range(1, u.shape[0] - 1):
            u_tape[k, i - 1] = u[i]
            u[i] = 0.5 * (u[i - 1] + u[i + 1] - f[i] * u[i] ** 2)
    u_bar = np.full_like(u, grad_ys)
    f_bar = np.zeros_like(f)
    # adjoint of  u[i] = 0.5 * (u[i - 1] + u[i + 1] - f[i] * u[i] ** 2)
    for k in range(sweeps - 1, -1, -1):
        for i in range(u.shape[0] - 2, 0, -1):
            value_bar = 0.5 * u_bar[i]
            u_bar[i] = -value_bar * f[i] * 2.0 * u_tape[k, i - 1]
            f_bar[i] -= value_bar * u_tape[k, i - 1] ** 2
            u_bar[i + 1] += value_bar
            u_bar[i - 1] += value_bar
    return u_bar, f_bar
