from srcad.runtime import sum_to


def ridge_grad(w, X, y, strength, grad_ys=1.0):
    """Gradient of ridge with respect to w, for w: float64[:], X: float64[:, :], y: float64[:],
    strength: float64.
    """
    X_w = X @ w
    residual = X_w - y
    # adjoint of  return np.sum(residual**2) + strength * np.sum(w**2)
    w_bar = grad_ys * strength * 2.0 * w
    residual_bar = grad_ys * 2.0 * residual
    # adjoint of  residual = X @ w - y
    w_bar += X.T @ sum_to(residual_bar, X_w)
    return w_bar
