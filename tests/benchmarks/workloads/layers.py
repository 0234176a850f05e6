"""Layers of neurons in whole arrays: one of them, and a perceptron with a hidden layer."""

import numpy as np

from tests.benchmarks.workload import Workload, compiled


def layer(W, X, Y):
    error = np.tanh(X @ W) - Y
    return 0.5 * np.sum(error * error)


@compiled
def layer_by_hand(W, X, Y):
    y = X @ W
    total = 0.0
    for i in range(y.shape[0]):
        for j in range(y.shape[1]):
            y_ij = np.tanh(y[i, j])
            error = y_ij - Y[i, j]
            total += error * error
            y[i, j] = error * (1.0 - y_ij * y_ij)
    return 0.5 * total, X.T @ y


def layer_of(np, scan):
    return lambda W, X, Y: 0.5 * np.sum((np.tanh(X @ W) - Y) ** 2)


def perceptron(W1, b1, W2, b2, X, Y):
    hidden = np.tanh(X @ W1 + b1)
    scores = hidden @ W2 + b2
    norm = np.log(np.sum(np.exp(scores), axis=1))
    return np.mean(norm - np.sum(Y * scores, axis=1))


@compiled
def perceptron_by_hand(W1, b1, W2, b2, X, Y):
    n = X.shape[0]
    one = X.dtype.type(1)
    hidden = X @ W1
    for i in range(n):
        for j in range(hidden.shape[1]):
            hidden[i, j] = np.tanh(hidden[i, j] + b1[j])
    scores = hidden @ W2
    total = 0.0 * one
    for i in range(n):
        norm = 0.0 * one
        for j in range(scores.shape[1]):
            score = scores[i, j] + b2[j]
            total -= Y[i, j] * score
            scores[i, j] = np.exp(score)
            norm += scores[i, j]
        total += np.log(norm)
        for j in range(scores.shape[1]):
            scores[i, j] = (scores[i, j] / norm - Y[i, j]) / n
    hidden_bar = scores @ W2.T
    W2_bar = hidden.T @ scores
    b1_bar, b2_bar = np.zeros_like(b1), np.zeros_like(b2)
    for i in range(n):
        for j in range(scores.shape[1]):
            b2_bar[j] += scores[i, j]
        for j in range(hidden.shape[1]):
            hidden_bar[i, j] *= one - hidden[i, j] * hidden[i, j]
            b1_bar[j] += hidden_bar[i, j]
    return total / n, (X.T @ hidden_bar, b1_bar, W2_bar, b2_bar)


def perceptron_of(np, scan):
    def function(W1, b1, W2, b2, X, Y):
        scores = np.tanh(X @ W1 + b1) @ W2 + b2
        return np.mean(np.log(np.sum(np.exp(scores), axis=1)) - np.sum(Y * scores, axis=1))

    return function


def workloads(random):
    W, Y = random.normal(size=(64, 32)), random.normal(size=(1000, 32))
    Z = random.normal(size=(1000, 64))
    yield Workload("layer 1000 x 64 x 32", {"arrays": layer}, layer_by_hand, (W, Z, Y), layer_of)
    labels = np.eye(10)[random.integers(10, size=256)]
    parts = (random.normal(size=(784, 256)) / 28, random.normal(size=256), random.normal(size=(256, 10)) / 16,
             random.normal(size=10), random.normal(size=(256, 784)), labels)  # fmt: skip
    for dtype, tolerance in (("float64", 1e-9), ("float32", 1e-3)):
        arguments = tuple(part.astype(dtype) for part in parts)
        yield Workload(f"perceptron {dtype}", {"arrays": perceptron}, perceptron_by_hand, arguments, perceptron_of,
                       wrt=(0, 1, 2, 3), tolerance=tolerance)  # fmt: skip
