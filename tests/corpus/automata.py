"""Tables whose keys are texts that depend on the path taken: hidden Markov models, automata, records."""

import numpy as np

from tests.corpus import normal, program, uniform

STATES = ("healthy", "fever")
SEEN = ("normal", "cold", "dizzy")


def model(v):
    """Probabilities that depend on numbers."""
    start = {"healthy": v[0], "fever": 1.0 - v[0]}
    change = {"healthy": {"healthy": v[1], "fever": 1.0 - v[1]}, "fever": {"healthy": v[2], "fever": 1.0 - v[2]}}
    healthy, fever = {"normal": v[3], "cold": v[4], "dizzy": 0.1}, {"normal": 0.1, "cold": 0.3, "dizzy": v[5]}
    return start, change, {"healthy": healthy, "fever": fever}


@program(uniform(0.3, 0.7, 6), tags="nojit")
def most_likely_states_by_records(v):
    start, change, emit = model(v)
    table = [{}]
    for state in STATES:
        table[0][state] = {"p": start[state] * emit[state][SEEN[0]], "from": None}
    for t in range(1, len(SEEN)):
        table.append({})
        for state in STATES:
            best, before = table[t - 1][STATES[0]]["p"] * change[STATES[0]][state], STATES[0]
            for other in STATES[1:]:
                p = table[t - 1][other]["p"] * change[other][state]
                if p > best:
                    best, before = p, other
            table[t][state] = {"p": best * emit[state][SEEN[t]], "from": before}
    best, last, path = 0.0, None, []
    for state, record in table[-1].items():
        if record["p"] > best:
            best, last = record["p"], state
    path.append(last)
    for t in range(len(table) - 2, -1, -1):
        path.insert(0, table[t + 1][last]["from"])
        last = table[t + 1][last]["from"]
    return best + sum(table[t][path[t]]["p"] * (t + 1) for t in range(len(table)))


@program(uniform(0.3, 0.7, 6), tags="nojit")
def most_likely_states_by_paths(v):
    start, change, emit = model(v)
    table, path = [{}], {}
    for y in STATES:
        table[0][y] = start[y] * emit[y][SEEN[0]]
        path[y] = [y]
    for t in range(1, len(SEEN)):
        table.append({})
        longer = {}
        for y in STATES:
            p, state = max((table[t - 1][before] * change[before][y] * emit[y][SEEN[t]], before) for before in STATES)
            table[t][y] = p
            longer[y] = path[state] + [y]
        path = longer
    p, state = max((table[-1][y], y) for y in STATES)
    return p + sum(emit[y][seen] for y, seen in zip(path[state], SEEN))


@program(0.7, 5)
def records_that_follow_their_texts(x, n):
    now = {"way": "up", "v": 0.0}
    weights = {"up": x, "down": x**3}
    for i in range(n):
        step = x if now["way"] == "up" else 2.0
        now = {"way": "down" if now["way"] == "up" else "up", "v": now["v"] * x + step * weights[now["way"]] * (i + 1)}
        weights = {"up": weights["down"] * 0.5, "down": weights["up"] + x}
    return now["v"]


@program(normal(6), tags="nojit")
def machine_of_a_table(v):
    following = {"a": {"low": "b", "high": "c"}, "b": {"low": "c", "high": "a"}, "c": {"low": "a", "high": "b"}}
    gain = {"a": {"gain": v[0], "step": (1.0, v[1])}, "b": {"gain": v[2], "step": (2.0, v[3])}}
    state, y = "a", v[4]
    for k in range(6):
        if state in gain:
            y = y * 0.3 + gain[state]["gain"] * v[k] + gain[state]["step"][1]
        state = following[state]["high" if y > 0.2 else "low"]
    return y * (3.0 if state in {"a": "c", "b": "a"} else 2.0)


@program(normal(5), 5, tags="nojit")
def kinds_in_a_list(v, n):
    kinds, records = [], []
    for k in range(n):
        kinds.append("large" if v[k] > 0.3 else "small")
        records.append({"kind": "small" if v[k] > 0.0 else "large", "v": v[k] * v[k]})
    weights = {"large": v[0], "small": np.sin(v[1])}
    return sum(weights[kind] * r["v"] * weights[r["kind"]] for kind, r in zip(kinds, records))


@program(0.8, tags="nojit")
def key_of_a_part_that_a_branch_sets(x):
    rates = {"on": x, "off": x * x}
    switch = {"way": "on", "v": 2.0 * x}
    if x > 0.5:
        switch["way"] = "off"
    names = ["on"] if x > 2.0 else ["off"]
    joined = names + [switch["way"]]
    return rates[switch["way"]] * switch["v"] + sum(rates[name] for name in joined) * rates[joined[0]]


@program(0.7, tags="nojit")
def texts_asked_whether_they_are_keys(x):
    parts = {"a": x, "b": x * x}
    record = {"kind": "a" if x > 0.5 else "b", "v": x}
    record = {"kind": "b" if record["kind"] in {"a": "b"} else "a", "v": parts[record["kind"]] * record["v"]}
    y = parts["a"] * (2.0 if record["kind"] in {"a": "b"} else 3.0)
    return record["v"] * y * (5.0 if record["kind"] not in {"a": x, "c": 1.0} else 7.0)
