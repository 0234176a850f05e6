import numpy as np


def loss_jvp(w, X, y, tangents=1.0):
    """Value and tangent of loss with respect to w, for w: float64[:], X: float64[:, :],
    y: float64[:].
    """
    if tangents.shape != w.shape:
        raise ValueError("tangents: the tangent of w must have the shape of w")
    w_dot = tangents
    s = 0.0
    s_dot = 0.0
    for i in range(X.shape[0]):
        z = 0.0
        z_dot = 0.0
        for j in range(X.shape[1]):
            # tangent of  z += X[i, j] * w[j]
            z_dot += X[i, j] * w_dot[j]
            z += X[i, j] * w[j]
        e = np.exp(-y[i] * z)
        # tangent of  s += np.log1p(np.exp(-y[i] * z))
        s_dot -= y[i] * z_dot * e / (1.0 + e)
        s += np.log1p(e)
    return s / X.shape[0], s_dot / X.shape[0]
