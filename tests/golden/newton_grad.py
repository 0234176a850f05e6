import numpy as np
from srcad.runtime import grow


def newton_grad(a, tolerance, grad_ys=1.0):
    """Gradient of newton with respect to a, for a: float64, tolerance: float64."""
    x = 1.0
    x_tape = np.empty(64)
    k = 0
    while abs(x * x - a) > tolerance:
        if k == x_tape.shape[0]:
            x_tape = grow(x_tape)
        x_tape[k] = x
        x = 0.5 * (x + a / x)
        k += 1
    x_bar = grad_ys
    a_bar = 0.0
    for k in range(k - 1, -1, -1):
        x = x_tape[k]
        inverse_x = 1.0 / x
        # adjoint of  x = 0.5 * (x + a / x)
        a_bar += 0.5 * x_bar * inverse_x
        x_bar = 0.5 * x_bar * (1.0 - a * inverse_x * inverse_x)
    return a_bar
