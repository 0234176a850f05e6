"""A spectral fit: a sum of damped waves through noisy samples, and its squared error."""

import math

import numpy as np

from tests.benchmarks.workload import Workload, compiled


def loops(a, w, p, d, t, y):
    total = 0.0
    for i in range(len(t)):
        signal = 0.0
        for k in range(len(a)):
            signal += a[k] * math.exp(-d[k] * t[i]) * math.sin(w[k] * t[i] + p[k])
        total += (signal - y[i]) ** 2
    return total


def arrays(a, w, p, d, t, y):
    signal = np.sum(a * np.exp(-np.outer(t, d)) * np.sin(np.outer(t, w) + p), axis=1)
    return np.sum((signal - y) ** 2)


@compiled
def by_hand(a, w, p, d, t, y):
    """Blocks of samples, one wave after the other: each sum over samples is a loop of its own."""
    n, count, size = t.shape[0], a.shape[0], 256
    rise, sine, cosine = np.empty((count, size)), np.empty((count, size)), np.empty((count, size))
    error = np.empty(size)
    a_bar, w_bar, p_bar, d_bar = np.zeros(count), np.zeros(count), np.zeros(count), np.zeros(count)
    total = 0.0
    for start in range(0, n, size):
        times, samples = t[start : start + size], y[start : start + size]
        m = times.shape[0]
        for i in range(m):
            error[i] = -samples[i]
        for k in range(count):
            amplitude, frequency, phase, damping = a[k], w[k], p[k], d[k]
            rise_k, sine_k, cosine_k = rise[k], sine[k], cosine[k]
            for i in range(m):
                rise_k[i] = np.exp(-damping * times[i])
                angle = frequency * times[i] + phase
                sine_k[i] = rise_k[i] * np.sin(angle)
                cosine_k[i] = rise_k[i] * np.cos(angle)
                error[i] += amplitude * sine_k[i]
        for i in range(m):
            total += error[i] * error[i]
        for k in range(count):
            sine_k, cosine_k = sine[k], cosine[k]
            of_sines, of_cosines, sines_later, cosines_later = 0.0, 0.0, 0.0, 0.0
            for i in range(m):
                of_sine, of_cosine = error[i] * sine_k[i], error[i] * cosine_k[i]
                of_sines += of_sine
                of_cosines += of_cosine
                sines_later += of_sine * times[i]
                cosines_later += of_cosine * times[i]
            a_bar[k] += 2.0 * of_sines
            p_bar[k] += 2.0 * a[k] * of_cosines
            w_bar[k] += 2.0 * a[k] * cosines_later
            d_bar[k] -= 2.0 * a[k] * sines_later
    return total, (a_bar, w_bar, p_bar, d_bar)


def library(np, scan):
    def function(a, w, p, d, t, y):
        signal = np.sum(a * np.exp(-t[:, None] * d) * np.sin(t[:, None] * w + p), 1)
        return np.sum((signal - y) ** 2)

    return function


def workloads(random):
    count = 12
    waves = (random.normal(size=count), random.uniform(1.0, 30.0, count), random.normal(size=count),
             random.uniform(0.0, 1.0, count))  # fmt: skip
    t, y = np.linspace(0.0, 5.0, 10000), random.normal(size=10000)
    yield Workload("waves 10000 x 12", {"loops": loops, "arrays": arrays}, by_hand, (*waves, t, y), library,
                   wrt=(0, 1, 2, 3))  # fmt: skip
