import numpy as np
from srcad.runtime import LengthsDiffer


def orbit_value_and_grad(y0, dt, steps, grad_ys=1.0):
    """Value and gradient of orbit with respect to y0, for y0: float64[:], dt: float64,
    steps: int64.
    """
    if 4 != y0.shape[0]:
        raise LengthsDiffer
    y_0 = y0[0]
    y_1 = y0[1]
    y_2 = y0[2]
    y_3 = y0[3]
    y_0_tape = np.empty(max(steps, 0))
    y_1_tape = np.empty(max(steps, 0))
    for k in range(steps):
        y_0_tape[k] = y_0
        y_1_tape[k] = y_1
        r = np.sqrt(y_0**2 + y_1**2)
        r_cubed = r**3
        y_0_1 = y_0 + dt * y_2
        y_1_1 = y_1 + dt * y_3
        y_2 += dt * (-y_0 / r_cubed)
        y_3 += dt * (-y_1 / r_cubed)
        y_0 = y_0_1
        y_1 = y_1_1
    # adjoint of  return y[0] ** 2 + y[1] ** 2
    y_1_bar = 2.0 * grad_ys * y_1
    y_0_bar = 2.0 * grad_ys * y_0
    y_3_bar = 0.0
    y_2_bar = 0.0
    for k in range(steps - 1, -1, -1):
        y_0_1 = y_0_tape[k]
        y_1_1 = y_1_tape[k]
        r = np.sqrt(y_0_1**2 + y_1_1**2)
        inverse_r = 1.0 / r
        r_cubed = r**3
        inverse = 1.0 / r_cubed
        y_2_bar_1 = y_2_bar
        y_3_bar_1 = y_3_bar
        # adjoint of  y = y + dt * np.array([y[2], y[3], -y[0] / r**3, -y[1] / r**3])
        y_3_bar += y_1_bar * dt
        y_2_bar += y_0_bar * dt
        r_bar = (-r**2 * dt
                 * (3.0 * y_3_bar_1 * (-y_1_1 * inverse) + 3.0 * y_2_bar_1 * (-y_0_1 * inverse))
                 * inverse)
        # adjoint of  r = np.sqrt(y[0] ** 2 + y[1] ** 2)
        y_1_bar += r_bar * inverse_r * y_1_1 - y_3_bar_1 * dt * inverse
        y_0_bar += r_bar * inverse_r * y_0_1 - y_2_bar_1 * dt * inverse
    y0_bar = np.zeros_like(y0)
    # adjoint of  y = y0.copy()
    y0_bar[3] = y_3_bar
    y0_bar[2] = y_2_bar
    y0_bar[1] = y_1_bar
    y0_bar[0] = y_0_bar
    return y_0**2 + y_1**2, y0_bar
