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
def widened(x, width):
    """Rows with zeros behind them, so that every vector is full."""
    result = np.zeros((*x.shape[:-1], width))
    result[..., : x.shape[-1]] = x
    return result


@compiled
def by_hand(main, extra, state, sequence):
    """One loop for each function of a row, since a loop over many arrays does not become vectors; full vectors only."""
    layers, width, steps = main.shape[0], sequence.shape[1], sequence.shape[0] - 1
    wide = (width + 7) // 8 * 8
    weights, ends, inputs = widened(main, wide), widened(extra, wide), widened(sequence, wide)
    # Of each step and layer: its input, the four gates, tanh of the cell; hidden and cell before it.
    rows = np.empty((steps, layers, 6, wide))
    before = np.empty((steps + 1, layers, 2, wide))
    before[0] = widened(state, wide)
    shares = np.empty((steps, wide))
    total = 0.0
    for t in range(steps):
        for k in range(layers):
            weight, bias, row, old, new = weights[k, 0], weights[k, 1], rows[t, k], before[t, k], before[t + 1, k]
            if k == 0:
                row[5] = inputs[t] * ends[0]
            else:
                row[5] = before[t + 1, k - 1, 0]
            for j in range(wide):
                row[0, j] = logistic(row[5, j] * weight[0, j] + bias[0, j])
            for j in range(wide):
                row[1, j] = logistic(old[0, j] * weight[1, j] + bias[1, j])
            for j in range(wide):
                row[2, j] = logistic(row[5, j] * weight[2, j] + bias[2, j])
            for j in range(wide):
                row[3, j] = np.tanh(old[0, j] * weight[3, j] + bias[3, j])
            for j in range(wide):
                new[1, j] = old[1, j] * row[0, j] + row[1, j] * row[3, j]
            for j in range(wide):
                row[4, j] = np.tanh(new[1, j])
            for j in range(wide):
                new[0, j] = row[2, j] * row[4, j]
        norm, chosen, share, last = 2.0, 0.0, shares[t], before[t + 1, layers - 1, 0]
        for j in range(wide):
            share[j] = np.exp(last[j] * ends[1, j] + ends[2, j])
        for j in range(width):
            norm += share[j]
            chosen += sequence[t + 1, j]
            total += sequence[t + 1, j] * (last[j] * extra[1, j] + extra[2, j])
        total -= chosen * np.log(norm)
        for j in range(wide):
            share[j] *= chosen / norm
    scale = -1.0 / (width * steps)
    main_bar, extra_bar = np.zeros_like(weights), np.zeros_like(ends)
    state_bar, x_bar, bars = np.zeros((layers, 2, wide)), np.zeros(wide), np.empty((4, wide))
    for t in range(steps - 1, -1, -1):
        share, last, then = shares[t], before[t + 1, layers - 1, 0], inputs[t + 1]
        for j in range(wide):
            y_bar = scale * (then[j] - share[j])
            extra_bar[1, j] += y_bar * last[j]
            extra_bar[2, j] += y_bar
            x_bar[j] = y_bar * ends[1, j]
        for k in range(layers - 1, -1, -1):
            weight, row, old = weights[k, 0], rows[t, k], before[t, k]
            hidden_bar, cell_bar = state_bar[k, 0], state_bar[k, 1]
            for j in range(wide):
                into = hidden_bar[j] + x_bar[j]
                bars[2, j] = into * row[4, j] * row[2, j] * (1.0 - row[2, j])
                cell_bar[j] += into * row[2, j] * (1.0 - row[4, j] * row[4, j])
            for j in range(wide):
                bars[0, j] = cell_bar[j] * old[1, j] * row[0, j] * (1.0 - row[0, j])
                bars[1, j] = cell_bar[j] * row[3, j] * row[1, j] * (1.0 - row[1, j])
                bars[3, j] = cell_bar[j] * row[1, j] * (1.0 - row[3, j] * row[3, j])
                cell_bar[j] *= row[0, j]
            for gate in range(4):
                came = row[5] if gate % 2 == 0 else old[0]
                weight_bar, bias_bar, bar = main_bar[k, 0, gate], main_bar[k, 1, gate], bars[gate]
                for j in range(wide):
                    weight_bar[j] += bar[j] * came[j]
                    bias_bar[j] += bar[j]
            for j in range(wide):
                hidden_bar[j] = bars[1, j] * weight[1, j] + bars[3, j] * weight[3, j]
                x_bar[j] = bars[0, j] * weight[0, j] + bars[2, j] * weight[2, j]
        for j in range(wide):
            extra_bar[0, j] += x_bar[j] * inputs[t, j]
    return scale * total, (main_bar[..., :width], extra_bar[..., :width])


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
