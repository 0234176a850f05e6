"""A long short-term memory whose weights are diagonal, as in ADBench (Srajer, Kukelova, Fitzgibbon 2018)."""

import numpy as np

from tests.benchmarks.workload import Workload, compiled


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def arrays(main, extra, state, sequence):
    """`main`: weights and biases of the four gates of each layer; `extra`: in, out, bias; `state`: hidden, cell."""
    layers = main.shape[0]
    state = state.copy()
    total = 0.0
    for t in range(sequence.shape[0] - 1):
        x = sequence[t] * extra[0]
        for k in range(layers):
            weight, bias = main[k, 0], main[k, 1]
            hidden, cell = state[k, 0], state[k, 1]
            forget = sigmoid(x * weight[0] + bias[0])
            ingate = sigmoid(hidden * weight[1] + bias[1])
            outgate = sigmoid(x * weight[2] + bias[2])
            change = np.tanh(hidden * weight[3] + bias[3])
            state[k, 1] = cell * forget + ingate * change
            state[k, 0] = outgate * np.tanh(state[k, 1])
            x = state[k, 0].copy()
        y = x * extra[1] + extra[2]
        total += np.sum(sequence[t + 1] * (y - np.log(np.sum(np.exp(y)) + 2.0)))
    return -total / (sequence.shape[1] * (sequence.shape[0] - 1))


def loops(main, extra, state, sequence):
    layers, width = main.shape[0], sequence.shape[1]
    state = state.copy()
    x, y = np.empty(width), np.empty(width)
    total = 0.0
    for t in range(sequence.shape[0] - 1):
        for j in range(width):
            x[j] = sequence[t, j] * extra[0, j]
        for k in range(layers):
            for j in range(width):
                forget = sigmoid(x[j] * main[k, 0, 0, j] + main[k, 1, 0, j])
                ingate = sigmoid(state[k, 0, j] * main[k, 0, 1, j] + main[k, 1, 1, j])
                outgate = sigmoid(x[j] * main[k, 0, 2, j] + main[k, 1, 2, j])
                change = np.tanh(state[k, 0, j] * main[k, 0, 3, j] + main[k, 1, 3, j])
                state[k, 1, j] = state[k, 1, j] * forget + ingate * change
                state[k, 0, j] = outgate * np.tanh(state[k, 1, j])
                x[j] = state[k, 0, j]
        norm = 2.0
        for j in range(width):
            y[j] = x[j] * extra[1, j] + extra[2, j]
            norm += np.exp(y[j])
        norm = np.log(norm)
        for j in range(width):
            total += sequence[t + 1, j] * (y[j] - norm)
    return -total / (width * (sequence.shape[0] - 1))


@compiled
def logistic(x):
    return 1.0 / (1.0 + np.exp(-x))


@compiled
def by_hand(main, extra, state, sequence):
    layers, width = main.shape[0], sequence.shape[1]
    steps = sequence.shape[0] - 1
    # Of each step and layer: the four gates, tanh of the cell, hidden and cell before it.
    gates = np.empty((steps, layers, 5, width))
    before = np.empty((steps + 1, layers, 2, width))
    before[0] = state
    shares = np.empty((steps, width))
    total = 0.0
    for t in range(steps):
        for k in range(layers):
            weight, bias, gate, old, new = main[k, 0], main[k, 1], gates[t, k], before[t, k], before[t + 1, k]
            for j in range(width):
                x = sequence[t, j] * extra[0, j] if k == 0 else before[t + 1, k - 1, 0, j]
                gate[0, j] = logistic(x * weight[0, j] + bias[0, j])
                gate[1, j] = logistic(old[0, j] * weight[1, j] + bias[1, j])
                gate[2, j] = logistic(x * weight[2, j] + bias[2, j])
                gate[3, j] = np.tanh(old[0, j] * weight[3, j] + bias[3, j])
                new[1, j] = old[1, j] * gate[0, j] + gate[1, j] * gate[3, j]
                gate[4, j] = np.tanh(new[1, j])
                new[0, j] = gate[2, j] * gate[4, j]
        norm, chosen, share = 2.0, 0.0, shares[t]
        for j in range(width):
            y = before[t + 1, layers - 1, 0, j] * extra[1, j] + extra[2, j]
            share[j] = np.exp(y)
            norm += share[j]
            chosen += sequence[t + 1, j]
            total += sequence[t + 1, j] * y
        total -= chosen * np.log(norm)
        for j in range(width):
            share[j] *= chosen / norm
    scale = -1.0 / (width * steps)
    main_bar, extra_bar = np.zeros_like(main), np.zeros_like(extra)
    state_bar, x_bar = np.zeros_like(state), np.zeros(width)
    for t in range(steps - 1, -1, -1):
        for j in range(width):
            y_bar = scale * (sequence[t + 1, j] - shares[t, j])
            extra_bar[1, j] += y_bar * before[t + 1, layers - 1, 0, j]
            extra_bar[2, j] += y_bar
            x_bar[j] = y_bar * extra[1, j]
        for k in range(layers - 1, -1, -1):
            weight, gate, old = main[k, 0], gates[t, k], before[t, k]
            weight_bar, bias_bar = main_bar[k, 0], main_bar[k, 1]
            for j in range(width):
                x = sequence[t, j] * extra[0, j] if k == 0 else before[t + 1, k - 1, 0, j]
                hidden_bar = state_bar[k, 0, j] + x_bar[j]
                out_bar = hidden_bar * gate[4, j] * gate[2, j] * (1.0 - gate[2, j])
                cell_bar = state_bar[k, 1, j] + hidden_bar * gate[2, j] * (1.0 - gate[4, j] ** 2)
                forget_bar = cell_bar * old[1, j] * gate[0, j] * (1.0 - gate[0, j])
                in_bar = cell_bar * gate[3, j] * gate[1, j] * (1.0 - gate[1, j])
                change_bar = cell_bar * gate[1, j] * (1.0 - gate[3, j] ** 2)
                weight_bar[0, j] += forget_bar * x
                weight_bar[1, j] += in_bar * old[0, j]
                weight_bar[2, j] += out_bar * x
                weight_bar[3, j] += change_bar * old[0, j]
                bias_bar[0, j] += forget_bar
                bias_bar[1, j] += in_bar
                bias_bar[2, j] += out_bar
                bias_bar[3, j] += change_bar
                state_bar[k, 1, j] = cell_bar * gate[0, j]
                state_bar[k, 0, j] = in_bar * weight[1, j] + change_bar * weight[3, j]
                x_bar[j] = forget_bar * weight[0, j] + out_bar * weight[2, j]
        for j in range(width):
            extra_bar[0, j] += x_bar[j] * sequence[t, j]
    return scale * total, (main_bar, extra_bar)


def library(np, scan):
    def sigmoid(x):
        return 1.0 / (1.0 + np.exp(-x))

    def function(main, extra, state, sequence):
        def step(carried, pair):
            states, total = carried
            now, then = pair
            x, new = now * extra[0], []
            for k, (hidden, cell) in enumerate(states):
                weight, bias = main[k, 0], main[k, 1]
                change = sigmoid(hidden * weight[1] + bias[1]) * np.tanh(hidden * weight[3] + bias[3])
                cell = cell * sigmoid(x * weight[0] + bias[0]) + change
                x = sigmoid(x * weight[2] + bias[2]) * np.tanh(cell)
                new.append((x, cell))
            y = x * extra[1] + extra[2]
            return (tuple(new), total + np.sum(then * (y - np.log(np.sum(np.exp(y)) + 2.0)))), None

        states = tuple((layer[0], layer[1]) for layer in state)
        count = sequence.shape[0] - 1
        (_, total), _ = scan(step, (states, 0.0), (sequence[:-1], sequence[1:]), count)
        return -total / (sequence.shape[1] * count)

    return function


def workloads(random):
    sequence = np.eye(14)[random.integers(14, size=1024)]
    main, extra, state = (random.normal(size=shape) for shape in ((2, 2, 4, 14), (3, 14), (2, 2, 14)))
    styles = {"loops": loops, "arrays": arrays}
    yield Workload("LSTM 2 layers, 1024 steps", styles, by_hand, (main, extra, state, sequence), library, wrt=(0, 1))
