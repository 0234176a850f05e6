import numpy as np


def logistic_map_grad(r, x0, n, grad_ys=1.0):
    """Gradient of logistic_map with respect to r, x0, for r: float64, x0: float64, n: int64."""
    x = x0
    x_tape = np.empty(max(n, 0))
    for k in range(n):
        x_tape[k] = x
        x = r * x * (1.0 - x)
    x_bar = grad_ys
    r_bar = 0.0
    for k in range(n - 1, -1, -1):
        x = x_tape[k]
        # adjoint of  x = r * x * (1.0 - x)
        r_bar += x_bar * x * (1.0 - x)
        x_bar = x_bar * r * (1.0 - 2.0 * x)
    return r_bar, x_bar
