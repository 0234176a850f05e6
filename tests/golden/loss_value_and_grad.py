import numpy as np


def loss_value_and_grad(w, X, y, grad_ys=1.0):
    """Value and gradient of loss with respect to w, for w: float64[:], X: float64[:, :],
    y: float64[:].
    """
    s = 0.0
    s_bar = grad_ys / X.shape[0]
    w_bar = np.zeros_like(w)
    for i in range(X.shape[0]):
        z = 0.0
        for j in range(X.shape[1]):
            z += X[i, j] * w[j]
        e = np.exp(-y[i] * z)
        s += np.log1p(e)
        # adjoint of  s += np.log1p(np.exp(-y[i] * z))
        z_bar = s_bar / (1.0 + e) * e * -y[i]
        # adjoint of  z += X[i, j] * w[j]
        for j in range(X.shape[1]):
            w_bar[j] += z_bar * X[i, j]
    return s / X.shape[0], w_bar
