"""Statistics and machine learning: losses, likelihoods, filters, networks."""

import math

import numpy as np

from tests.corpus import booleans, integers, normal, program, spd, uniform


@program(normal(4), 0.2, normal(6, 4), normal(6))
def linear_regression(w, b, X, y):
    r = X @ w + b - y
    return np.mean(r**2)


@program(normal(4), normal(6, 4), normal(6), 0.3)
def ridge_regression(w, X, y, penalty):
    r = np.dot(X, w) - y
    return 0.5 * np.dot(r, r) + penalty * np.sum(w * w)


@program(normal(4), normal(6, 4), booleans(6))
def logistic_regression(w, X, y):
    z = X @ w
    return np.mean(np.logaddexp(0.0, z) - y * z)


@program(normal(5), integers(5, 1))
def softmax_cross_entropy_vector(z, label):
    z = z - np.max(z)
    return np.log(np.sum(np.exp(z))) - z[label[0]]


@program(normal(4, 3), normal(3), normal(5, 4), integers(3, 5), tags="nojit")
def softmax_classifier(W, b, X, labels):
    z = X @ W + b
    z = z - z.max(axis=1, keepdims=True)
    logp = z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))
    return -np.mean(logp[np.arange(5), labels])


@program(normal(3, 4), normal(4), normal(4, 2), normal(2), normal(6, 3), normal(6, 2), tags="core")
def multilayer_perceptron(W1, b1, W2, b2, X, Y):
    h = np.tanh(X @ W1 + b1)
    r = h @ W2 + b2 - Y
    return np.sum(r * r) / X.shape[0]


@program(normal(3, 4), normal(4, 2), normal(6, 3), tags="nojit")
def relu_network(W1, W2, X):
    h = np.maximum(X @ W1, 0.0)
    p = 1.0 / (1.0 + np.exp(-(h @ W2)))
    return -np.sum(np.log(p)) / len(X)


@program(normal(5, 3), 1.2, 0.1, tags="nojit")
def batch_norm(X, gamma, beta):
    mu = np.mean(X, axis=0)
    var = np.var(X, axis=0)
    Z = gamma * (X - mu) / np.sqrt(var + 1e-5) + beta
    return np.sum(Z**3)


@program(normal(3, 5), normal(5), normal(5), tags="nojit")
def layer_norm(X, gain, bias):
    mu = X.mean(axis=-1, keepdims=True)
    sd = X.std(axis=-1, keepdims=True)
    return np.sum(np.tanh((X - mu) / (sd + 1e-5) * gain + bias))


@program(normal(4, 3), normal(4, 3), normal(4, 2), tags="nojit")
def attention_head(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    weights = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    weights /= np.sum(weights, axis=1, keepdims=True)
    return np.sum((weights @ V) ** 2)


@program(normal(3, 3), normal(3, 2), normal(4, 2), normal(3), tags="core")
def rnn_unrolled(W, U, x, h):
    for t in range(x.shape[0]):
        h = np.tanh(W @ h + U @ x[t])
    return np.sum(h * h)


@program(normal(3, 3), normal(3), normal(5))
def rnn_with_loss_every_step(W, u, x):
    h = np.zeros(3)
    loss = 0.0
    for t in range(len(x) - 1):
        h = np.tanh(W @ h + u * x[t])
        loss += (h.sum() - x[t + 1]) ** 2
    return loss / len(x)


@program(normal(8, 2, scale=0.7), normal(8, 1), normal(8), normal(4))
def lstm_unrolled(W, U, b, x):
    h = np.zeros(2)
    c = np.zeros(2)
    for t in range(len(x)):
        z = W @ h + U[:, 0] * x[t] + b
        i = 1.0 / (1.0 + np.exp(-z[:2]))
        f = 1.0 / (1.0 + np.exp(-z[2:4]))
        o = 1.0 / (1.0 + np.exp(-z[4:6]))
        c = f * c + i * np.tanh(z[6:])
        h = o * np.tanh(c)
    return np.sum(h**2) + np.sum(c)


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


@program(normal(6, 2), normal(6, 2), normal(4, 2), tags="nojit")
def gru_unrolled(W, U, x):
    h = np.zeros(2)
    for t in range(4):
        r = sigmoid(W[:2] @ x[t] + U[:2] @ h)
        z = sigmoid(W[2:4] @ x[t] + U[2:4] @ h)
        n = np.tanh(W[4:] @ x[t] + U[4:] @ (r * h))
        h = (1 - z) * n + z * h
    return h @ h


@program(normal(3), normal(3, 2), normal(3, 2, scale=0.3), normal(6, 2), tags="core")
def gaussian_mixture(alpha, means, log_scales, X):
    total = 0.0
    K = len(alpha)
    term = np.empty(K)
    for n in range(X.shape[0]):
        for k in range(K):
            q = 0.0
            s = 0.0
            for d in range(X.shape[1]):
                z = (X[n, d] - means[k, d]) * math.exp(-log_scales[k, d])
                q += z * z
                s += log_scales[k, d]
            term[k] = alpha[k] - s - 0.5 * q
        top = np.max(term)
        total += top + np.log(np.sum(np.exp(term - top)))
    return total - X.shape[0] * np.log(np.sum(np.exp(alpha)))


@program(normal(3, 2, scale=2.0), normal(8, 2))
def kmeans_loss(centres, X):
    total = 0.0
    for n in range(X.shape[0]):
        best = 1e30
        for k in range(centres.shape[0]):
            d = 0.0
            for j in range(X.shape[1]):
                d += (X[n, j] - centres[k, j]) ** 2
            if d < best:
                best = d
        total += best
    return total


@program(normal(3, 2, scale=2.0), normal(8, 2), tags="nojit")
def kmeans_loss_numpy(centres, X):
    d = np.sum((X[:, None, :] - centres[None, :, :]) ** 2, axis=-1)
    return np.sum(np.min(d, axis=1))


@program(uniform(0.1, 1.0, 3), uniform(0.1, 1.0, 3, 3), uniform(0.1, 1.0, 3, 4), integers(4, 5), tags="core")
def hmm_forward(prior, transition, emission, observed):
    alpha = prior * emission[:, observed[0]]
    loglik = 0.0
    for t in range(1, len(observed)):
        s = np.sum(alpha)
        loglik += np.log(s)
        alpha = (alpha / s) @ transition * emission[:, observed[t]]
    return loglik + np.log(np.sum(alpha))


@program(uniform(0.1, 1.0, 3), uniform(0.1, 1.0, 3, 3), uniform(0.1, 1.0, 3, 4), integers(4, 5))
def hmm_forward_in_log_space_by_loops(prior, transition, emission, observed):
    a = np.log(prior) + np.log(emission[:, observed[0]])
    b = np.empty(3)
    for t in range(1, len(observed)):
        for j in range(3):
            top = -1e30
            for i in range(3):
                top = max(top, a[i] + math.log(transition[i, j]))
            s = 0.0
            for i in range(3):
                s += math.exp(a[i] + math.log(transition[i, j]) - top)
            b[j] = top + math.log(s) + math.log(emission[j, observed[t]])
        a[:] = b
    return np.log(np.sum(np.exp(a)))


@program(0.9, 0.4, 0.7, normal(8), tags="core")
def kalman_filter_scalar(phi, q, r, y):
    m = 0.0
    p = 1.0
    nll = 0.0
    for t in range(len(y)):
        m = phi * m
        p = phi * p * phi + q**2
        s = p + r * r
        e = y[t] - m
        nll += 0.5 * (math.log(s) + e * e / s)
        k = p / s
        m += k * e
        p *= 1.0 - k
    return nll


@program(normal(2, 2, scale=0.6), spd(2), normal(2), normal(5))
def kalman_filter_matrix(F, Q, H, y):
    m = np.zeros(2)
    P = np.eye(2)
    nll = 0.0
    for t in range(len(y)):
        m = F @ m
        P = F @ P @ F.T + Q
        s = H @ P @ H + 1.0
        K = P @ H / s
        e = y[t] - H @ m
        m = m + K * e
        P = P - np.outer(K, H @ P)
        nll += np.log(s) + e**2 / s
    return nll


@program(0.1, 0.2, 0.6, normal(8))
def garch_likelihood(omega, alpha, beta, r):
    v = np.empty(len(r))
    v[0] = 1.0
    for t in range(1, len(r)):
        v[t] = omega + alpha * r[t - 1] ** 2 + beta * v[t - 1]
    return 0.5 * np.sum(np.log(v) + r**2 / v)


@program(0.8, 0.3, normal(8), normal(8))
def gaussian_process_kernel_sum(length, noise, x, y):
    s = 0.0
    for i in range(len(x)):
        for j in range(len(x)):
            k = math.exp(-0.5 * ((x[i] - x[j]) / length) ** 2)
            if i == j:
                k += noise**2
            s += y[i] * k * y[j]
    return s


@program(normal(6), normal(6))
def correlation(x, y):
    a = x - np.mean(x)
    b = y - np.mean(y)
    return np.sum(a * b) / np.sqrt(np.sum(a * a) * np.sum(b * b))


@program(normal(6), 0.7)
def huber_loss(r, delta):
    s = 0.0
    for i in range(len(r)):
        a = abs(r[i])
        if a <= delta:
            s += 0.5 * a**2
        else:
            s += delta * (a - 0.5 * delta)
    return s


@program(normal(6), 0.7)
def huber_loss_where(r, delta):
    a = np.abs(r)
    return np.sum(np.where(a <= delta, 0.5 * r**2, delta * (a - 0.5 * delta)))


@program(uniform(0.5, 3.0, 6), 1.5, 0.8)
def gamma_log_likelihood(x, shape, rate):
    s = 0.0
    for i in range(len(x)):
        s += shape * math.log(rate) - math.lgamma(shape) + (shape - 1) * math.log(x[i]) - rate * x[i]
    return s


@program(uniform(0.1, 1.0, 4), uniform(0.1, 1.0, 4))
def kl_divergence(p, q):
    p = p / p.sum()
    q = q / q.sum()
    return np.sum(p * np.log(p / q))


@program(normal(4), normal(5, 4), 4, 0.1)
def gradient_descent_unrolled(w, X, steps, rate):
    for _ in range(steps):
        z = X @ w
        g = X.T @ np.sin(z)
        w = w - rate * g
    return np.sum(w * w)


@program(normal(4), 0.3, 0.9, 5)
def momentum_unrolled_in_place(w0, rate, beta, steps):
    w = w0.copy()
    v = np.zeros_like(w)
    for _ in range(steps):
        v *= beta
        v += 4 * w**3 - 2 * w
        w -= 0.1 * rate * v
    return np.sum(w**2)


@program(normal(6, 6), normal(3, 3))
def convolution_2d(image, kernel):
    out = np.zeros((4, 4))
    for i in range(4):
        for j in range(4):
            out[i, j] = np.sum(image[i : i + 3, j : j + 3] * kernel)
    return np.sum(np.maximum(out, 0.0) ** 2)


@program(normal(4, 4))
def max_pooling(image):
    out = np.empty((2, 2))
    for i in range(2):
        for j in range(2):
            out[i, j] = np.max(image[2 * i : 2 * i + 2, 2 * j : 2 * j + 2])
    return np.sum(out**2)


@program(normal(5, 3), integers(5, 4), normal(3))
def embedding_bag(table, words, v):
    s = np.zeros(3)
    for k in range(len(words)):
        s += table[words[k]]
    return np.tanh(s / len(words)) @ v


@program(normal(4), normal(4))
def cosine_similarity(x, y):
    return (x @ y) / (np.sqrt(x @ x) * np.sqrt(y @ y))


@program(normal(5))
def log_sum_exp_by_loops(x):
    top = x[0]
    for i in range(1, len(x)):
        top = max(top, x[i])
    s = 0.0
    for i in range(len(x)):
        s += math.exp(x[i] - top)
    return top + math.log(s)


@program(normal(9), 0.3, 0.2)
def exponential_smoothing(y, a, b):
    level = y[0]
    trend = y[1] - y[0]
    sse = 0.0
    for t in range(2, len(y)):
        forecast = level + trend
        e = y[t] - forecast
        sse += e * e
        old = level
        level = forecast + a * e
        trend = b * (level - old) + (1 - b) * trend
    return sse


@program(normal(3, 6), normal(2, 3), normal(4, 7, scale=2.0))
def bundle_adjustment_residual(cameras, focal_centre, points):
    total = 0.0
    for c in range(cameras.shape[0]):
        for p in range(points.shape[0]):
            x = points[p, 0] + cameras[c, 3]
            y = points[p, 1] + cameras[c, 4]
            z = points[p, 2] + cameras[c, 5] + 9.0
            u = x / z
            v = y / z
            d = 1.0 + cameras[c, 0] * (u * u + v * v)
            total += (d * u * focal_centre[0, 0] - cameras[c, 1]) ** 2
            total += (d * v * focal_centre[1, 0] - cameras[c, 2]) ** 2
    return total / points.shape[0]


@program(normal(3, 2), normal(3), normal(5, 2), integers(3, 5))
def softmax_in_loops(W, b, X, labels):
    total = 0.0
    z = np.empty(W.shape[0])
    for i in range(X.shape[0]):
        for c in range(W.shape[0]):
            z[c] = b[c]
            for j in range(X.shape[1]):
                z[c] += W[c, j] * X[i, j]
        top = np.max(z)
        total += top + np.log(np.sum(np.exp(z - top))) - z[labels[i]]
    return total / X.shape[0]


@program(normal(4, 2), 1.3)
def kernel_of_pairs(X, length):
    total = 0.0
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            square = 0.0
            for k in range(X.shape[1]):
                square += (X[i, k] - X[j, k]) ** 2
            total += np.exp(-0.5 * square / length**2)
    return total


@program(normal(3), normal(5, 3), normal(5))
def poisson_with_a_bound(w, X, y):
    total = 0.0
    for i in range(X.shape[0]):
        z = 0.0
        for j in range(X.shape[1]):
            z += X[i, j] * w[j]
        if z > 0.8:
            total += 2.0 * z
        else:
            total += np.exp(z) - y[i] * z
    return total


@program(normal(5, 2), normal(2), integers(6, 5))
def embedded_words(E, w, words):
    total = 0.0
    for i in range(words.shape[0]):
        z = 0.0
        for j in range(E.shape[1]):
            z += E[words[i], j] * w[j]
        total += np.log1p(np.exp(-z))
    return total


@program(normal(4, 3), normal(2), normal(2, 5), normal(2, 7), normal(5))
def cell_of_joined_inputs(x, h, W, V, b):
    for t in range(x.shape[0]):
        v = np.concatenate((x[t], h))
        gate = 1.0 / (1.0 + np.exp(-(W @ v)))
        h = gate * h + (1.0 - gate) * np.tanh(V @ np.concatenate((h, v + b)))
    return np.sum(h**2)
