import numpy as np
from srcad.runtime import LengthsDiffer


def ridge_grad(w, X, y, strength, grad_ys=1.0):
    """Gradient of ridge with respect to w, for w: float64[:], X: float64[:, :], y: float64[:],
    strength: float64.
    """
    if w.shape[0] != X.shape[1] or X.shape[0] != y.shape[0]:
        raise LengthsDiffer
    X_w = X @ w
    residual_bar = np.empty(X_w.shape[0])
    for i in range(X_w.shape[0]):
        residual = X_w[i] - y[i]
        residual_bar[i] = grad_ys * 2.0 * residual
    w_bar = grad_ys * strength * 2.0 * w
    # adjoint of  residual = X @ w - y
    w_bar += X.T @ residual_bar
    return w_bar
