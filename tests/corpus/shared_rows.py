"""Lists that are elements of several lists and dicts: what one does to them, the others see."""

from collections import defaultdict


from tests.corpus import normal, program


def pairs_by_number(v, n):
    d = {}
    for i in range(n):
        d[i] = [v[i], v[i] * 2.0]
    return d


def rows_of_two_lengths(v, n):
    rows = []
    for i in range(n):
        rows.append([v[i], v[i] * 2.0])
    rows[1].append(v[0])
    return rows


@program(normal(4), 4, tags="nojit")
def lists_of_a_dict_in_a_list(v, n):
    d = defaultdict(list)
    for i in range(n):
        d[i % 2].append(v[i])
    L = list(d.values())
    L[0][0] = v[3] * v[2]
    return sum(d[0]) ** 2 + L[1][0]


@program(normal(4), 4, tags="nojit")
def default_that_is_no_list_of_the_dict(v, n):
    d = {}
    for i in range(n):
        d.setdefault(i % 3, []).append(v[i] ** 2)
    r = d.get(5, [v[0]])
    r.append(v[1])
    q = d.get(1, [])
    q.append(v[2])
    return sum(d[1]) * sum(r) + len(d)


@program(normal(4), 4, tags="nojit")
def list_taken_out_of_a_dict(v, n):
    d = {}
    for i in range(n):
        d[i] = [v[i], v[i] * v[0]]
    p = d.pop(2)
    p.append(3.0 * v[1])
    d[0] = p
    p[0] = v[1] ** 2
    return sum(d[0]) + sum(p) + len(d)


@program(normal(4), 4, tags="nojit")
def list_with_a_name_put_into_a_dict(v, n):
    d = {}
    xs = [v[0], v[1]]
    for i in range(n):
        d[i] = [v[i]]
    d[0] = xs
    xs.append(v[2] ** 2)
    d[0].append(v[3])
    return sum(xs) * d[0][2]


@program(normal(4), 4, tags="nojit")
def list_under_two_keys(v, n):
    d = {}
    for i in range(n):
        d[i] = [v[i]]
    d[1] = d[0]
    d[1].append(v[2] ** 2)
    return sum(d[0]) * sum(d[1])


@program(normal(4), 4, tags="nojit")
def lists_of_a_dict_unpacked(v, n):
    d = pairs_by_number(v, n)
    a, *rest = d.values()
    rest[0].append(v[2] ** 2)
    a += [v[3]]
    return sum(d[0]) * sum(d[1])


@program(normal(4), 4, tags="nojit")
def list_of_a_dicts_lists_goes_on(v, n):
    d = pairs_by_number(v, n)
    L = list(d.values())
    L.append([v[0]])
    L[0] = [v[1], v[2]]
    L[0].append(v[3])
    return sum(d[0]) * sum(L[0]) + L[-1][0]


@program(normal(4), 4, tags="nojit")
def lists_of_a_dict_backwards(v, n):
    d = pairs_by_number(v, n)
    for row in reversed(list(d.values())):
        row[0] = v[2] * row[1]
    return sum(d[1]) * sum(d[0])


@program(normal(4), 4, tags="nojit")
def lists_of_a_dict_that_are_picked(v, n):
    d = pairs_by_number(v, n)
    L = [row for row in d.values() if row[0] > 0]
    L[0][0] = v[1] * v[2]
    return sum(d[0]) * sum(d[2])


@program(normal(4), 4, tags="nojit")
def smallest_list_of_a_dict(v, n):
    d = pairs_by_number(v, n)
    row = min(list(d.values()), key=lambda r: r[1])
    row[0] = v[1] * v[2]
    return sum(d[1]) * sum(d[2])


@program(normal(4), 4, tags="nojit")
def dict_of_lists_copied(v, n):
    d = pairs_by_number(v, n)
    e = dict(d)
    e[0].append(v[1])
    e[1] = [v[2]]
    return sum(d[0]) * sum(d[1]) + sum(e[1]) ** 2 + len(d[0])


@program(normal(4), 4, tags="nojit")
def dict_of_lists_updated(v, n):
    d = pairs_by_number(v, n)
    e = {9: [v[0], v[1]], 0: [v[2]]}
    d.update(e)
    d[9].append(v[3])
    return sum(d[0]) * sum(d[9]) + len(e[9])


@program(normal(4), 4, tags="nojit")
def lists_of_one_dict_in_another(v, n):
    d = pairs_by_number(v, n)
    e = pairs_by_number(v**2, n)
    e[0] = d[0]
    e[0].append(v[2])
    return sum(d[0]) * sum(e[1])


@program(normal(4), 4, tags="nojit")
def tuple_of_a_dicts_lists(v, n):
    d = defaultdict(list)
    for i in range(n):
        d[i % 2].append(v[i])
    L = tuple(d.values())
    d[0].append(v[1])
    d[5].append(v[0])
    return sum(L[0]) * sum(L[1]) + len(L)


@program(normal(4), 4, tags="nojit")
def list_of_a_dict_carried_by_a_loop(v, n):
    d = pairs_by_number(v, n)
    r = d[0]
    for i in range(n):
        if v[i] < 0:
            r = d[i]
        r.append(v[i])
    return sum(d[0]) * sum(d[1]) * sum(d[3])


@program(normal(4), 4, tags="nojit")
def lists_that_outlive_their_dict(v, n):
    d = pairs_by_number(v, n)
    L = list(d.values())
    d.clear()
    L[0].append(v[1])
    return sum(L[0]) * L[3][1] + len(d)


@program(normal(4), 4, tags="nojit")
def rows_sorted_and_changed(v, n):
    rows = rows_of_two_lengths(v, n)
    for row in sorted(rows, key=sum):
        row[0] = v[2] * row[1]
    return sum(rows[1]) * sum(rows[0])


@program(normal(4), 4, tags="nojit")
def loop_over_a_copy_of_a_list_that_grows(v, n):
    rows = rows_of_two_lengths(v, n)
    for row in list(rows):
        row[0] = v[2] * row[1]
        rows.append([v[0]])
    return sum(rows[1]) * sum(rows[0]) * len(rows)


@program(normal(4), 4, tags="nojit")
def rows_filtered_and_changed(v, n):
    rows = rows_of_two_lengths(v, n)
    for a in filter(lambda r: r[0] > 0, rows):
        a[0] = v[1] * a[1]
    return sum(rows[1]) * sum(rows[0]) * len(rows)


@program(normal(4), 4, tags="nojit")
def rows_in_a_dict(v, n):
    rows = rows_of_two_lengths(v, n)
    m = {k: rows[k] for k in range(n)}
    m[0][0] = v[2]
    return sum(rows[0]) * sum(rows[1])


@program(normal(4), 4, tags="nojit")
def rows_in_a_comprehension(v, n):
    rows = rows_of_two_lengths(v, n)
    good = [r for r in rows if r[0] > 0]
    return sum(good[0]) * sum(good[1])


@program(normal(4), 4, tags="nojit")
def lists_in_a_dict_comprehension(v, n):
    d = pairs_by_number(v, n)
    good = {k: r for k, r in d.items() if r[0] > 0}
    return sum(sum(r) ** 2 for r in good.values())


@program(normal(4), 4, tags="nojit")
def rows_sorted_in_place(v, n):
    rows = rows_of_two_lengths(v, n)
    rows.sort(key=lambda r: r[0])
    rows[0].append(v[1])
    return sum(rows[0]) * rows[1][0]


@program(normal(4), 4, tags="nojit")
def rows_of_lists_that_a_loop_makes(v, n):
    b = []
    t = 0.0
    for i in range(n):
        a = [[v[0]], [v[1]]]
        a[i % 2].append(v[i])
        b.append(a[i % 2])
        t += sum(a[0])
    b[0].append(v[3])
    return t * sum(b[1]) * sum(b[0])


@program(normal(4), 4, tags="nojit")
def row_put_in_the_place_of_another(v, n):
    a = [[v[1]]]
    b = []
    for i in range(n):
        b.append([v[i]])
    b[2] = a[0]
    b[2].append(v[3])
    return sum(b[1]) * sum(a[0])


@program(normal(4), 4, tags="nojit")
def row_of_an_array_in_a_dict(v, n):
    a = [[v[1]], [v[0]]]
    b = {}
    for i in range(n):
        b[i] = a[i % 2]
    b[1].append(v[3])
    return sum(b[1]) * sum(a[1])


@program(normal(4), 4, tags="nojit")
def row_replaced_at_an_index(v, n):
    L = []
    for i in range(n):
        L.append([v[i]])
    for i in range(n):
        if v[i] > 0:
            L[i] = [v[i] ** 2, v[0]]
        else:
            L[i].append(v[i] ** 3)
    L[n - 1] += [v[2], v[1]]
    return sum(sum(r) ** 2 for r in L)


class Holder:
    def __init__(self, v):
        self.rows = [[v[0]]]
        self.rows[0].append(v[1])

    def add(self, row):
        self.rows.append(row)


@program(normal(4), 4, tags="nojit")
def rows_of_an_object_in_another(v, n):
    h = Holder(v)
    g = Holder(v**2)
    for i in range(n):
        h.add(g.rows[0])
    g.rows[0].append(v[2])
    return sum(h.rows[-1]) * sum(h.rows[0])


@program(normal(4), 4, tags="nojit")
def row_of_a_list_put_into_another_and_changed(v, n):
    rows = [[a, a * a] for a in v if a > n - 9]
    others = [[a] for a in v]
    others.append(rows[0])
    others[-1][1] = 5.0
    return sum(p * q for p, q in rows) + sum(map(sum, others))
