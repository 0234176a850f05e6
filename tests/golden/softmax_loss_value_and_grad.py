import numpy as np
from srcad.runtime import LengthsDiffer


def softmax_loss_value_and_grad(W, b, X, labels, grad_ys=1.0):
    """Value and gradient of softmax_loss with respect to W, b, for W: float64[:, :],
    b: float64[:], X: float64[:, :], labels: int64[:].
    """
    if W.shape[1] != b.shape[0] or W.shape[0] != X.shape[1]:
        raise LengthsDiffer
    total = 0.0
    total_bar = grad_ys / X.shape[0]
    b_bar = np.zeros_like(b)
    W_bar = np.zeros_like(W)
    z_bar = np.empty(W.shape[1])
    for i in range(X.shape[0]):
        z = X[i] @ W + b
        exp_z = np.exp(z)
        sum_exp_z = np.sum(exp_z)
        total += np.log(sum_exp_z) - z[labels[i]]
        # adjoint of  total += np.log(np.sum(np.exp(z))) - z[labels[i]]
        for j in range(exp_z.shape[0]):
            z_bar[j] = total_bar / sum_exp_z * exp_z[j]
        z_bar[labels[i]] -= total_bar
        # adjoint of  z = X[i] @ W + b
        b_bar += z_bar
        for j in range(W_bar.shape[0]):
            for k in range(W_bar.shape[1]):
                W_bar[j, k] += X[i, j] * z_bar[k]
    return total / X.shape[0], (W_bar, b_bar)
