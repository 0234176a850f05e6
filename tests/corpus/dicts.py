"""Dicts with texts for keys that are changed where they are: histories, records in lists, keys of some paths only."""

import collections

import numpy as np

from tests.corpus import normal, program


@program(normal(4), tags="nojit")
def history_of_lists(v):
    history = {"loss": [], "x": dict(steps=[], last=0.0)}  # noqa: C408
    again = history
    x = v[0]
    for k in range(4):
        loss = (x - v[k]) ** 2
        again["loss"].append(loss)
        history["x"]["steps"].append(x * loss)
        history["x"]["last"] = x
        x -= 0.2 * (x - v[k])
    s = history["loss"][-1] + history["x"]["last"] ** 2
    for name, values in history.items():
        s += sum(values) if name == "loss" else np.mean(values["steps"]) * values["steps"][0]
    return s


@program(normal(4), tags="nojit")
def histories_by_text(v):
    groups = {"odd": {"all": []}, "even": {"all": []}}
    for k in range(4):
        name = "odd" if k % 2 else "even"
        groups[name]["all"].append(v[k] ** 2)
    return sum(groups["odd"]["all"]) * groups["even"]["all"][1]


@program(normal(4), tags="nojit")
def history_of_default_lists(v):
    history = collections.defaultdict(list)
    other = {}
    for a in v:
        if a * a > 0.1:
            history["large"].append(a * a)
        else:
            history["small"].append(a)
        other.setdefault("all", []).append(a**3)
    s = other["all"][0] * history["large"][-1]
    return s * 10 if "none" in history else s + sum(other["all"])


@program(normal(4), tags="nojit")
def history_of_a_helper(v):
    def note(log, x):
        log["x"].append(x)
        log["n"] += 1

    def run(x, steps):
        log = {"x": [], "n": 0}
        for _ in range(steps):
            x = x - 0.1 * x**2
            note(log, x)
        return log

    first, none = run(v[0], 3), run(v[1], 0)
    return first["x"][1] * v[1] + sum(first["x"]) * first["n"] + len(none["x"]) * 5.0


@program(normal(4), tags="nojit")
def dicts_in_a_list_change(v):
    bodies = [{"x": a, "m": 0.0} for a in v]
    first = bodies[0]
    for _ in range(3):
        for k, body in enumerate(bodies):
            body["m"] = 0.9 * body["m"] + body["x"] * bodies[k - 1]["x"]
            body["x"] -= 0.1 * body["m"]
    first["x"] *= v[1]
    return sum(body["x"] for body in bodies) + bodies[0]["m"]


@program(normal(4))
def dicts_put_into_a_list_change(v):
    records = []
    for a in v:
        record = {"x": a, "w": 1.0}
        record["w"] = a * a
        records.append(record)
    for k in range(1, len(records)):
        records[k]["x"] += records[k - 1]["x"] * records[k]["w"]
    return records[-1]["x"]


@program(normal(4), tags="nojit")
def key_that_comes_later(v):
    seen = {"n": 0}
    s = 0.0
    for a in v:
        if "last" in seen:
            s += seen["last"] * a
        seen["last"] = a * a
        seen["best"] = seen.get("best", v[0]) * a
        seen["n"] += 1
    return s * seen["n"] + seen["best"] * seen["last"]


@program(normal(3))
def keys_of_one_path(v):
    d = {"x": v[0]}
    if v[1] ** 2 > 0.0:
        d["y"] = v[1] ** 2
    else:
        d["z"] = v[2]
    return d.get("y", 0.0) * d.get("z", v[2]) + d["x"]


@program(0.3)
def key_of_no_path(x):
    d = {"x": x * x}
    if x > 1.0:
        d["y"] = x
    return d["x"] * 2.0 if "y" not in d else d["y"]


@program(normal(3))
def dict_of_one_path_or_another(v):
    if v[0] ** 2 > 100.0:
        d = {"a": v[0], "b": v[1]}
    else:
        d = {"a": v[2] ** 2}
    return d.get("b", v[0]) * d["a"]


@program(0.4, 1.5, tags="nojit")
def dicts_joined_and_made_of_keys(a, b):
    rates = dict.fromkeys(["slow", "fast"], a)
    held = rates
    rates["slow"] *= b
    rates |= {"fast": a * b, "none": 1.0}
    both = {"slow": b} | rates | {"more": a}
    for k in range(2):
        both |= {"more": both["more"] * a + k}
    return held["none"] * both["slow"] * both["fast"] + both["more"] * len(both)


@program(0.4, tags="nojit")
def dicts_with_computed_keys_joined(a):
    powers = {}
    for k in range(4):
        powers[k * k % 3] = a**k
    powers |= {5: 2.0 * a}
    more = powers | {0: a}
    return sum(powers.values()) * more[0] * more[5]


def settings_taken_out(settings):
    scale = settings.pop("scale", 1.0)
    del settings["name"]
    settings["power"] = settings.pop("power") * 2.0
    return scale * settings["x"] ** settings["power"] + len(settings)


@program(0.7, 1.2, 3, tags="nojit")
def elements_taken_out_of_a_dict(x, y, n):
    d = {"x": x, "y": y, "z": x * y}
    settings = {"x": x, "scale": y, "name": 1.0, "power": 1.5}
    s = settings_taken_out(settings) * len(settings)
    for k in range(n):
        if k == 1:
            s += d.pop("x")
        d["y"] *= 1.1
        if "x" in d:
            d["x"] *= y
    return s * d["y"] + d.pop("w", d.pop("z"))


@program(normal(3), normal(3), tags="nojit")
def dicts_appended_empty(m, w):
    """Viterbi's table as a list of dicts: each is empty when the list gets it, and has other names beside."""
    table = [{}]
    for k, state in enumerate(("low", "high")):
        table[0][state] = m[k] * w[0]
    for t in range(1, 3):
        table.append({})
        for k, state in enumerate(("low", "high")):
            before = max(table[t - 1][other] + m[k] for other in ("low", "high"))
            table[t][state] = before * w[t]
    last = table[-1]
    last["low"] *= table[2]["high"]
    rows = []
    row = {}
    rows.append(row)
    row["low"] = last["low"]
    rows[0]["high"] = row["low"] * m[2]
    return max(table[-1].values()) + row["high"]


@program(normal(5), tags="nojit")
def counts_in_a_dict_by_call(v):
    sums, squares = dict(), list()  # noqa: C408
    for k in range(len(v)):
        squares.append(v[k] ** 2)
        sums[k % 2] = sums.get(k % 2, 0.0) + squares[-1]
    return sums[0] * sums[1] * squares[0]


@program(normal(4), 4, tags="nojit")
def dicts_that_displays_are_joined_to(x, n):
    d, e = {}, {"a": x[0]}
    for i in range(n):
        d |= {i: x[i] * x[i]}
        e |= {"a": e["a"] * x[i], "b": x[i]}
    f = d
    for i in range(2):
        d |= {i: d[i + 1] ** 2, i + 1: d[i] * 2.0}
    return sum((k + 1) * v for k, v in f.items()) + e["a"] + e["b"]


@program(normal(4), tags="nojit")
def dict_made_longer_by_making_it_anew(x):
    d = {}
    for k in range(len(x)):
        d = {**d, k: x[k] ** 2}
    e = {0: x[0]}
    for k in range(len(x)):
        e = e | {k % 2: e.get(k % 2, 0.0) + x[k], k + 1: len(e) * x[k]}
    return sum(d.values()) * d[1] + sum(v * (k + 1) for k, v in e.items())


@program(normal(4), tags="nojit")
def lists_by_key_that_get_begins(x):
    groups, parts = {}, {}
    for k in range(len(x)):
        j = int(x[k] > 0.5)
        groups[j] = groups.get(j, []) + [x[k], x[0]]
        parts[k % 2] = parts.get(k % 2, []) + [x[k] ** 2]
    return sum(len(v) * sum(v) for v in groups.values()) + sum(parts[0]) * sum(parts[1])


@program(normal(4), tags="may_refuse nojit")
def dicts_made_anew_that_others_hold(x):
    d, seen = {}, []
    for k in range(len(x)):
        d = {**d, k: x[k] ** 2}
        seen.append(d)
    return sum(seen[0].values()) + sum(seen[-1].values())
