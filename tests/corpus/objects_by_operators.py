"""Objects and lists of lists that operators of augmented assignments change, in loops."""

from tests.corpus import normal, program


class Bag:
    def __init__(self):
        self.values = []

    def __iadd__(self, value):
        self.values.append(value)
        return self


class Total:
    def __init__(self, a):
        self.a = a

    def __iadd__(self, other):
        return Total(self.a + other)


class Sum:
    def __init__(self, a):
        self.a = a

    def __iadd__(self, other):
        self.a = self.a + other
        return self


@program(normal(4), 4, tags="nojit")
def bag_of_values_by_an_operator(v, n):
    b = Bag()
    for i in range(n):
        b += v[i]
    return sum(b.values) ** 2


@program(normal(4), 4, tags="nojit")
def set_that_a_loop_joins(v, n):
    s = set()
    for i in range(n):
        s |= {i % 2}
    return len(s) * v[0]


@program(normal(4), 4, tags="nojit")
def total_that_an_operator_makes_anew(v, n):
    b = Total(v[0])
    for i in range(n):
        b += v[i]
    return b.a**2


@program(normal(4), 4, tags="nojit")
def sums_that_change_places(v, n):
    b = Sum(v[0])
    c = Sum(v[1])
    for i in range(n):
        b += v[i]
        if v[i] > 0:
            b, c = c, b
    return b.a**2 * c.a


@program(normal(4), 4, tags="nojit")
def list_of_lists_by_an_operator(v, n):
    rows = []
    for i in range(n):
        rows += [[v[i]], [v[i] ** 2, v[0]]]
        rows[-1] += [v[1]]
    rows[2][0] = v[3]
    return sum(sum(r) ** 2 for r in rows) * len(rows)


@program(normal(4), 4, tags="nojit")
def list_of_lists_under_two_names_by_an_operator(v, n):
    rows = [[v[0]]]
    other = rows
    for i in range(n):
        rows += [[v[i]]]
        other[0].append(v[i])
    return sum(sum(r) ** 2 for r in other) * len(other)


@program(normal(4), 4, tags="nojit")
def rows_added_one_by_one_and_changed(v, n):
    rows = []
    for i in range(n):
        rows += [[v[i], v[i] * 2]]
    rows[1][0] = v[3]
    return rows[1][0] * rows[1][1] + rows[0][0]
