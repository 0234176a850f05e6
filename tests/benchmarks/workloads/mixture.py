"""The log-likelihood of a mixture of Gaussians, as in ADBench (Srajer, Kukelova, Fitzgibbon 2018)."""

import numpy as np
import numpy as onp

from tests.benchmarks.workload import Workload, compiled


def loops(alphas, means, factors, x, gamma, m):
    n, d = x.shape
    k = alphas.shape[0]
    total = 0.0
    scores, q = np.empty(k), np.empty(d)
    for i in range(n):
        for c in range(k):
            for a in range(d):
                q[a] = np.exp(factors[c, a]) * (x[i, a] - means[c, a])
            place = d
            for a in range(d):
                for b in range(a + 1, d):
                    q[b] += factors[c, place] * (x[i, a] - means[c, a])
                    place += 1
            score = alphas[c]
            for a in range(d):
                score += factors[c, a] - 0.5 * q[a] * q[a]
            scores[c] = score
        top = np.max(scores)
        total += top + np.log(np.sum(np.exp(scores - top)))
    total -= n * np.log(np.sum(np.exp(alphas)))
    for c in range(k):
        for a in range(d):
            total += 0.5 * gamma**2 * np.exp(factors[c, a]) ** 2 - m * factors[c, a]
        for a in range(d, factors.shape[1]):
            total += 0.5 * gamma**2 * factors[c, a] ** 2
    return total


def arrays(alphas, means, factors, x, gamma, m):
    n, d = x.shape
    k = alphas.shape[0]
    scores = np.empty((n, k))
    prior = 0.0
    for c in range(k):
        L = np.zeros((d, d))
        place = d
        for a in range(d):
            L[a, a] = np.exp(factors[c, a])
            for b in range(a + 1, d):
                L[b, a] = factors[c, place]
                place += 1
        q = (x - means[c]) @ L.T
        scores[:, c] = alphas[c] + np.sum(factors[c, :d]) - 0.5 * np.sum(q * q, axis=1)
        prior += 0.5 * gamma**2 * np.sum(L * L) - m * np.sum(factors[c, :d])
    top = np.max(scores)
    total = n * top + np.sum(np.log(np.sum(np.exp(scores - top), axis=1)))
    return total - n * np.log(np.sum(np.exp(alphas))) + prior


@compiled
def by_hand(alphas, means, factors, x, gamma, m):
    """In blocks of points that stay in the cache, the products with the triangular factors by BLAS."""
    n, d = x.shape
    k = alphas.shape[0]
    L = np.zeros((k, d, d))
    base = np.empty(k)
    total = -n * np.log(np.sum(np.exp(alphas)))
    for c in range(k):
        place, base[c] = d, alphas[c]
        for a in range(d):
            base[c] += factors[c, a]
            total -= m * factors[c, a]
            L[c, a, a] = np.exp(factors[c, a])
            for b in range(a + 1, d):
                L[c, b, a] = factors[c, place]
                place += 1
    L_bar = gamma**2 * L
    total += 0.5 * np.sum(L * L_bar)
    alphas_bar, means_bar = np.zeros(k), np.zeros((k, d))
    size = min(n, 200)
    centred, q = np.empty((k, size, d)), np.empty((k, size, d))
    weights = np.empty((k, size))
    for start in range(0, n, size):
        count = min(size, n - start)
        for c in range(k):
            for i in range(count):
                for a in range(d):
                    centred[c, i, a] = x[start + i, a] - means[c, a]
            np.dot(centred[c, :count], L[c].T, q[c, :count])
            for i in range(count):
                square = 0.0
                for a in range(d):
                    square += q[c, i, a] ** 2
                weights[c, i] = base[c] - 0.5 * square
        for i in range(count):
            top = weights[0, i]
            for c in range(1, k):
                top = max(top, weights[c, i])
            norm = 0.0
            for c in range(k):
                weights[c, i] = np.exp(weights[c, i] - top)
                norm += weights[c, i]
            total += top + np.log(norm)
            for c in range(k):
                weights[c, i] /= norm
        for c in range(k):
            for i in range(count):
                alphas_bar[c] += weights[c, i]
                for a in range(d):
                    q[c, i, a] *= weights[c, i]
                    means_bar[c, a] += q[c, i, a]
            L_bar[c] -= np.dot(q[c, :count].T, centred[c, :count])
    factors_bar = np.empty_like(factors)
    for c in range(k):
        means_bar[c] = np.dot(means_bar[c], L[c])
        place = d
        for a in range(d):
            factors_bar[c, a] = alphas_bar[c] + L_bar[c, a, a] * L[c, a, a] - m
            for b in range(a + 1, d):
                factors_bar[c, place] = L_bar[c, b, a]
                place += 1
    alphas_bar -= n * np.exp(alphas) / np.sum(np.exp(alphas))
    return total, (alphas_bar, means_bar, factors_bar)


def library(np, scan):
    def function(alphas, means, factors, x, gamma, m):
        n, d = x.shape
        below = [(a, b) for a in range(d) for b in range(a + 1, d)]
        spread = onp.zeros((len(below), d, d))
        for place, (a, b) in enumerate(below):
            spread[place, b, a] = 1.0
        L = (factors[:, d:] @ np.asarray(spread.reshape(len(below), d * d))).reshape(-1, d, d)
        L = L + np.exp(factors[:, :d])[:, :, None] * np.asarray(onp.eye(d))
        q = (x[None] - means[:, None]) @ np.swapaxes(L, 1, 2)
        scores = (alphas + np.sum(factors[:, :d], 1))[:, None] - 0.5 * np.sum(q * q, 2)
        total = np.sum(np.log(np.sum(np.exp(scores), 0))) - n * np.log(np.sum(np.exp(alphas)))
        return total + 0.5 * gamma**2 * np.sum(L * L) - m * np.sum(factors[:, :d])

    return function


def workloads(random):
    for d in (10, 64):
        n, k = 1000, 25
        arguments = (random.normal(size=k), random.normal(size=(k, d)), 0.1 * random.normal(size=(k, d * (d + 1) // 2)),
                     random.normal(size=(n, d)), 1.5, 2.0)  # fmt: skip
        yield Workload(f"mixture d={d} K={k} n={n}", {"loops": loops, "arrays": arrays}, by_hand, arguments, library,
                       wrt=(0, 1, 2))  # fmt: skip
