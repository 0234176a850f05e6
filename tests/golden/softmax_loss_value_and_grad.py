import numpy as np
from srcad.runtime import sum_to


def softmax_loss_value_and_grad(W, b, X, labels, grad_ys=1.0):
    """Value and gradient of softmax_loss with respect to W, b, for W: float64[:, :],
    b: float64[:], X: float64[:, :], labels: int64[:].
    """
    total = 0.0
    total_bar = grad_ys / X.shape[0]
    b_bar = np.zeros_like(b)
    W_bar = np.zeros_like(W)
    for i in range(X.shape[0]):
        X_i = X[i]
        X_i_W = X_i @ W
        z = X_i_W + b
        exp_z = np.exp(z)
        sum_exp_z = np.sum(exp_z)
        total += np.log(sum_exp_z) - z[labels[i]]
        z_bar = np.zeros_like(z)
        # adjoint of  total += np.log(np.sum(np.exp(z))) - z[labels[i]]
        z_bar[labels[i]] -= total_bar
        z_bar += total_bar / sum_exp_z * exp_z
        # adjoint of  z = X[i] @ W + b
        b_bar += sum_to(z_bar, b)
        W_bar += np.outer(X_i, sum_to(z_bar, X_i_W))
    return total / X.shape[0], (W_bar, b_bar)
