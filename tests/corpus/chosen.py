"""Names for one of several lists, dicts or objects that are changed by these names, and names that change places."""

from tests.corpus import normal, program


@program(normal(4), tags="nojit")
def one_of_two_dicts_by_a_name(x):
    d, e = {"a": x[0], "b": x[1]}, {"a": x[2], "b": x[3]}
    t = d if x[0] > x[1] else e
    t["a"] *= 2.0
    return d["a"] * d["b"] + e["a"] * e["b"] ** 2


@program(normal(4), tags="nojit")
def one_of_two_lists_by_branches(x):
    d, e = [x[0], x[1]], [x[2], x[3]]
    if x[0] > 0:
        t = d
    else:
        t = e
    t[0] = t[0] * t[1]
    return d[0] * d[1] + e[0] * e[1] ** 2


@program(normal(6))
def one_of_three_lists_that_grow(x):
    a, b, c = [1.0], [1.0], [1.0]
    for v in x:
        t = a if v > 0.5 else b if v > 0 else c
        t.append(v * v)
    return sum(a) + 2.0 * sum(b) + 3.0 * sum(c) * len(b)


@program(normal(6), tags="nojit")
def a_list_unless_another_one_and_exits(x):
    a, b = [0.0, 1.0], [1.0, 2.0]
    for v in x:
        t = a
        if v < 0.5:
            t = b
        if t[0] > 3.0:
            break
        t[0] += v
        if v < 0.0:
            continue
        t[1] *= t[0]
    return a[0] * a[1] + b[0] * b[1]


@program(normal(5), tags="nojit")
def one_of_two_records_in_a_dict(x):
    d = {"hot": {"n": 1, "s": 0.5}, "cold": {"n": 2, "s": 1.0}}
    for v in x:
        rec = d["hot"] if v > 0.5 else d["cold"]
        rec["n"] += 1
        rec["s"] += v * v
    return d["hot"]["s"] / d["hot"]["n"] + d["cold"]["s"] * d["cold"]["n"]


@program(normal(4), tags="nojit")
def one_of_two_dicts_with_computed_keys(x):
    a, b = {}, {}
    for i, v in enumerate(x):
        t = a if v > 0.5 else b
        t[i % 2] = t.get(i % 2, 0.0) + v
    return sum((k + 1) * w for k, w in a.items()) + sum(w * w for w in b.values())


@program(normal(4), tags="nojit")
def one_of_two_lists_in_a_while_loop(x):
    a, b = [x[0], x[1] ** 2], [x[2], x[3] ** 2]
    t = a if x[0] > 0 else b
    while t[0] < 3.0:
        t[0] += 0.5 + t[1]
    t = b if x[0] > 0 else a
    t[1] *= 2.0
    return a[0] * a[1] + b[0] * b[1]


@program(normal(4), tags="nojit")
def a_condition_that_does_not_last(x):
    d, e = [], [x[0]]
    t = d if e else e
    t.append(x[1])
    e.pop()
    t.append(x[2])
    return sum(d) * 2.0 + sum(t) * sum(t)


@program(normal(4), tags="nojit")
def dicts_that_change_places(x):
    cur, nxt = {0: x[0], 1: x[1]}, {0: 0.0, 1: 0.0}
    for v in x:
        nxt[0] = cur[0] * v + cur[1]
        nxt[1] = cur[1] * cur[0]
        cur, nxt = nxt, cur
    return cur[0] + 2.0 * nxt[1]


@program(normal(3), tags="nojit")
def rows_that_change_places(x):
    cur, nxt = [[v, v * v] for v in x], [[0.0, 0.0] for v in x]
    for _ in range(3):
        for i in range(len(x)):
            nxt[i][0] = cur[i][0] * 0.5 + cur[i - 1][1]
            nxt[i][1] = cur[i][1] * cur[i][0]
        cur, nxt = nxt, cur
    return sum(r[0] for r in cur) + sum(r[1] for r in nxt)


@program(normal(3), tags="nojit")
def dicts_that_change_places_and_are_cleared(x):
    cur, nxt = {0: 1.0}, {}
    for v in x:
        for k, p in cur.items():
            nxt[k] = nxt.get(k, 0.0) + 0.5 * p
            nxt[k + 1] = nxt.get(k + 1, 0.0) + v * p
        cur, nxt = nxt, cur
        nxt.clear()
    return sum(k * p for k, p in cur.items())


@program(normal(4), tags="nojit")
def lists_of_lists_that_change_places_while(x):
    a, b, i = [[1.0, 2.0]], [[3.0, 4.0]], 0
    while a[0][0] < 6.0 and i < 20:
        a[0][0] += x[3] ** 2 * b[0][1]
        b[0][1] += x[0]
        a, b = b, a
        i += 1
    return a[0][0] * b[0][0] + a[0][1]


@program(normal(4), tags="nojit")
def dicts_that_change_places_where_an_iteration_ends_early(x):
    a, b = {"p": x[0]}, {"p": x[1]}
    for v in x:
        a["p"] += b["p"] * v
        if v > 1.0:
            return a["p"]
        a, b = b, a
        if v < 0.0:
            continue
        b["p"] *= 2.0
    return a["p"] + 3.0 * b["p"]


@program(normal(4), tags="nojit")
def rows_that_a_name_of_one_branch_changes(x):
    rows = [[1.0, 2.0], [3.0, 4.0]]
    for v in x:
        if v > 0.5:
            r = rows[0]
            r[0] += v
        else:
            r = rows[1]
            r[0] *= v
    return rows[0][0] * rows[0][1] + rows[1][0] * rows[1][1] ** 2


@program(normal(4), tags="nojit")
def rows_that_branches_change_by_functions(x):
    def scaled(row, v):
        row[0] += v
        return row[0] * v

    rows, s = [[1.0, 2.0], [3.0, 4.0]], 0.0
    for v in x:
        if v > 0.5:
            rows[0][1] *= v
            s += scaled(rows[0], v)
        else:
            s += scaled(rows[1], v)
    return s + rows[0][0] * rows[1][0] * rows[0][1]


@program(normal(4), tags="nojit")
def a_row_that_a_branch_names_is_changed_behind_it(x):
    rows, s = [[1.0, 2.0], [3.0, 4.0]], 0.0
    if x[0] > x[1]:
        r = rows[0]
        r[0] += x[1]
    else:
        rows[1][1] += x[2]
    rows[0][0] *= x[3]
    if x[0] > x[1]:
        s = r[0]
    return s + rows[0][0] * rows[0][1] + rows[1][0] * rows[1][1] ** 2


@program(normal(4), tags="nojit")
def winners_and_losers_by_names(x):
    a, b = {"s": x[0]}, {"s": x[1]}
    for v in x:
        winner, loser = (a, b) if v > 0.5 else (b, a)
        winner["s"] += v * loser["s"]
        loser["s"] *= 0.5
    return a["s"] * b["s"] + a["s"]


@program(normal(4), tags="nojit")
def two_names_in_branches_that_do_more(x):
    a, b = {"s": x[0]}, {"s": x[1]}
    for v in x:
        if v > 0.5:
            a["s"] += 1.0
            w, l = a, b
        else:
            w, l = b, a
        w["s"] += v * l["s"]
        l["s"] *= 0.5
    return a["s"] * b["s"] + a["s"]


@program(normal(4), tags="nojit")
def bodies_that_collide_by_their_speeds(x):
    def collide(p, q):
        p["v"], q["v"] = q["v"] * 0.9, p["v"] * 0.9

    a, b = {"v": x[0], "m": 1.0}, {"v": x[1], "m": 2.0}
    for v in x:
        big, small = (a, b) if a["v"] > b["v"] else (b, a)
        collide(big, small)
        big["v"] += v
    return a["v"] * b["v"] + a["v"] * a["m"]


@program(normal(4), tags="may_refuse nojit")
def list_that_some_iterations_give_a_name_and_change(x):
    d = [x[0], x[1]]
    for k in range(4):
        if x[k] > 0:
            t = d
        if x[k] > 0:
            t[0] = t[0] * x[k] + t[1]
    return d[0]


@program(normal(4), tags="may_refuse nojit")
def one_of_two_lists_of_other_lengths_changed_in_the_next_iteration(x):
    d, t = [x[0], x[1]], [1.0]
    for k in range(3):
        t[0] += x[k]
        if x[k] > x[3]:
            t = d
    return d[0] * x[2] + t[0]


@program(normal(4), tags="may_refuse nojit")
def one_of_two_lists_of_other_lengths_returned_and_changed(x):
    d, e = [x[0], x[1]], [x[2]]

    def pick():
        if x[0] > 0:
            return d
        return e

    t = pick()
    t[0] *= 3
    return d[0] * e[0]


@program(normal(4), tags="may_refuse nojit")
def best_list_so_far_changed_under_its_other_name(x):
    best = None
    for k in range(len(x)):
        candidate = [x[k], x[k] ** 2]
        if best is None or candidate[1] > best[1]:
            best = candidate
        candidate[0] += 1.0
    return best[0] * best[1]


@program(normal(4), tags="may_refuse nojit")
def best_pair_so_far_with_a_list_that_goes_on_changing(x):
    best, row = None, [x[0], x[1]]
    for k in range(len(x)):
        if best is None or x[k] > best[1]:
            best = (row, x[k])
        row[0] += 1.0
    return best[0][0] * best[1]


@program(normal(4), tags="nojit")
def best_list_so_far_made_from_what_is_changed(x):
    best, row = None, [x[0], x[1]]
    for k in range(len(x)):
        row[0] += x[k]
        if best is None or row[0] > best[0]:
            best = list(row)
        row[1] *= x[k]
    return best[0] * best[1] + row[1]


@program(normal(4), tags="nojit")
def names_that_change_places_by_a_conditional_expression(x):
    a, b = [x[0], x[1]], [x[2], x[3]]
    for v in x:
        a, b = (b, a) if v > 0.5 else (a, b)
        a[0] += v * b[1]
        b, a = (b, a) if a[0] < b[0] else (a, b)
        b[1] *= 1.5
    return a[0] + 2 * b[0] + 3 * a[1]
