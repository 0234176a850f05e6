"""Texts read at positions that loops compute, and values behind a star whose number is not known."""

import collections
from typing import NamedTuple

import numpy as np

from tests.corpus import normal, program


class Point(NamedTuple):
    x: float
    y: float


@program(normal(4))
def alignment_of_two_texts(v):
    a, b = "kitten", "sitting"
    n, m = len(a), len(b)
    costs = [[0.0] * (m + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        costs[i][0] = costs[i - 1][0] + v[0] ** 2
    for j in range(1, m + 1):
        costs[0][j] = costs[0][j - 1] + v[1] ** 2
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            change = 0.0 if a[i - 1] == b[j - 1] else v[2] ** 2
            costs[i][j] = costs[i - 1][j - 1] + change + 0.1 * costs[i][j - 1] * costs[i - 1][j]
    return costs[n][m]


@program(normal(4))
def letters_under_names(v):
    word, rates = "abcabd", {"a": v[0], "b": v[1], "c": v[2] ** 2, "d": 2.0}
    k, s = 0, 1.0
    while k < len(word) - 1:
        here, next_one = word[k], word[-1 - k]
        if here != next_one and here >= "b":
            s *= rates[here]
        elif here in "ax" and next_one != "ab":
            s += rates[next_one] * v[3]
        k += 1
    return s


@program(normal(5), tags="nojit")
def any_number_behind_a_star(v):
    def mean_of(scale, *values, shift=0.0):
        if not values:
            return shift
        return scale * sum(values) / len(values) + shift * values[0]

    squares = [a * a for a in v if a * a > 0.01]
    return mean_of(v[0], *v) + mean_of(v[1], *squares, shift=v[2]) + mean_of(v[3], *v[5:], shift=v[4])


@program(normal(3, 2), tags="nojit")
def rows_behind_a_star(a):
    s = np.hypot(*a[1])
    for k in range(len(a)):
        point = Point(*a[k])
        s += point.x * point.y**2
    return s


@program(normal(5), tags="nojit")
def array_and_list_in_one_operation(v):
    w = [1.0 + a * a for a in v]
    mask = v * v < 100.0
    return np.sum((v / w - w) * w) + np.sum(v[mask] * [a for a in v if a * a < 100.0])


@program(normal(2), 3)
def list_that_nobody_may_want(v, n):
    def run(x, out=None):
        for _ in range(n):
            x = x - 0.1 * x**2
            if out is not None:
                out.append(x)
        return x

    path = []
    return run(v[0], path) * run(v[1]) + path[1] * len(path)


@program(normal(3), 12, tags="array")
def length_of_text_made_at_run_time(v, n):
    text = f"{n}:{n + 1}"
    return v * len(text) * (2.0 if "2" in text else 3.0)


@program(normal(4), 1.5)
def verdict_that_is_printed(v, limit):
    state, steps = "running", 0
    while steps < 20:
        v = v * 0.8
        steps += 1
        if np.sum(v * v) < limit:
            state = "converged"
            break
    print(f"{state} after {steps} steps:", "few" if steps < 10 else "many")
    if state == "running":
        raise RuntimeError("state " + state)
    return np.sum(v**3) * steps


@program(normal(4), 3)
def moves_of_a_table(v, n):
    """A table of texts, which is filled and followed back."""
    costs = [[0.0] * (n + 1) for _ in range(n + 1)]
    moves = [[""] * (n + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        costs[i][0], moves[i][0] = i * v[0], "up"
        costs[0][i], moves[0][i] = i * v[1], "left"
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            up, left = costs[i - 1][j] + v[2] ** 2, costs[i][j - 1] + v[3] ** 2
            costs[i][j] = min(up, left)
            moves[i][j] = "up" if up < left else "left"
    i = j = n
    s = costs[n][n]
    while i > 0 or j > 0:
        if moves[i][j] == "up":
            i -= 1
            s += v[0] * v[2]
        else:
            j -= 1
            s += v[1] ** 2
    return s


@program(normal(5), tags="nojit")
def texts_that_come_on_some_paths_as_keys(v):
    sums, counts = {}, collections.defaultdict(int)
    for x in v:
        name = "large" if x > 1.0 else "small" if x > 0.0 else "negative"
        sums[name] = sums.get(name, 0.0) + x * x
        counts[name] += 1
    if "large" in counts:
        sums["large"] *= v[0]
    s = 0.0
    for name, value in sums.items():
        s = 0.5 * s + (value if name == "small" else value**2) * counts[name]
    return s + sum(sums.values()) + len(sums)


@program(normal(5), tags="nojit")
def lists_by_texts_of_the_path(v):
    parts = collections.defaultdict(list)
    for x in v:
        parts["large" if x > 0.5 else "small"].append(x * v[0])
    return max(parts["large"], default=1.0) + sum(parts["small"]) * len(parts["large"])


@program(normal(4))
def stack_of_texts(v):
    waiting, s, k = ["begin"], 0.0, 0
    while waiting:
        name = waiting.pop()
        if name == "begin":
            waiting += ["end", "middle"]
        elif name == "middle":
            s += v[k] ** 2
            k += 1
            if k < 3:
                waiting.append("middle")
        else:
            s *= v[3]
    return s


@program(normal(5))
def texts_of_the_path(v):
    rows, s = [["left", "up"], ["right", "up"]], 0.0
    for k in range(5):
        row = rows[0]
        row[1] = "down" if v[k] > 0.5 else rows[0][1]
        kind = rows[0][1] if v[k] > 0.0 else rows[1][0]
        label = kind[0] + "-" + kind[-1].upper()
        for letter in kind:
            s += v[k] ** 2 if letter in "updt" else 0.1 * v[k]
        s += len(label + kind) * v[k] + (v[k] ** 3 if label.endswith("N") and kind != "up" else 0.0)
    return s


@program(normal(6), tags="nojit")
def operations_of_the_cheapest_path(v):
    a, b = "kitten", "sitting"
    n, m = len(a), len(b)
    costs = [[0.0] * (m + 1) for _ in range(n + 1)]
    moves = [[""] * (m + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        costs[i][0], moves[i][0] = i * v[0] ** 2, "delete"
    for j in range(1, m + 1):
        costs[0][j], moves[0][j] = j * v[1] ** 2, "insert"
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            change = 0.0 if a[i - 1] == b[j - 1] else v[2] ** 2
            options = [(costs[i - 1][j] + v[0] ** 2, "delete"), (costs[i][j - 1] + v[1] ** 2, "insert"),
                       (costs[i - 1][j - 1] + change, "change")]
            costs[i][j], moves[i][j] = min(options, key=lambda option: option[0])
    i, j, path = n, m, []
    while moves[i][j]:
        path.append(moves[i][j])
        i, j = i - (moves[i][j] != "insert"), j - (not moves[i][j].startswith("del"))
    return costs[n][m] * path.count("change") + v[3] * len(path)


FORMULA = "3*0 -2*1 0.5*2"


@program(normal(3), tags="nojit")
def terms_of_a_formula_that_a_text_holds(x):
    total, order = 0.0, int("2")
    for term in FORMULA.split():
        factor, place = term.split("*")
        total += float(factor) * x[int(place)] ** order
    return total * x[1]
