"""Lists that begin as ``[None] * n`` and are filled."""

from copy import deepcopy

import numpy as np

from tests.corpus import normal, program


@program(normal(5), tags="nojit")
def squares_in_place_of_none(x):
    n = len(x)
    xs = [None] * n
    for i in range(n):
        xs[i] = x[i] * x[i]
    s = 0.0
    for v in xs:
        s += v * v
    return s


@program(normal(5, 3), tags="nojit")
def arrays_in_place_of_none(x):
    n = len(x)
    xs = [None] * n
    for i in range(n):
        xs[i] = x[i] * 2
    t = np.zeros(3)
    for k in range(n):
        t = t + xs[k] * xs[n - 1 - k]
    return np.sum(t)


@program(normal(4), tags="nojit")
def table_in_place_of_none(x):
    n = len(x)
    T = [[None] * n for _ in range(n)]
    for i in range(n):
        T[i][0] = x[i] ** 2
        for j in range(1, i + 1):
            T[i][j] = T[i][j - 1] + (T[i][j - 1] - T[i - 1][j - 1]) / (4.0 ** j - 1.0)
    return T[n - 1][n - 1]


@program(normal(5), 2, tags="nojit")
def three_in_place_of_none(x, n):
    xs = [None] * 3
    for k in range(3):
        xs[k] = x[k] * k
    return xs[2] * xs[1]


@program(normal(5), 4, tags="nojit")
def values_from_the_end_in_place_of_none(x, n):
    V = [None] * (n + 1)
    V[n] = x[n] ** 2
    for k in range(n - 1, -1, -1):
        V[k] = x[k] + 0.9 * np.sin(V[k + 1])
    return V[0]


@program(normal(5, 2, 2), 4, tags="nojit")
def matrices_in_place_of_none(A, n):
    P = [None] * (n + 1)
    P[0] = np.eye(2)
    for k in range(n):
        P[k + 1] = A[k] @ P[k] @ A[k].T + np.eye(2)
    return np.trace(P[n]) + P[2][0, 1]


@program(normal(5), 4, tags="nojit")
def places_in_place_of_none(x, n):
    order = [None] * 5
    for k in range(5):
        order[k] = 4 - k
    return x[order[1]] * x[order[2]] ** 2


class Filter:
    def __init__(self, n, m):
        self.size = m
        self.x = np.zeros((n, 1))
        self.z = np.array([[None] * self.size]).T

    def update(self, z, gain=None):
        if z is None:
            self.z = np.array([[None] * self.size]).T
            return
        if gain is None:
            gain = 0.5
        self.x = self.x + gain * (z - self.x[:1])
        self.z = deepcopy(z)


@program(normal(2), normal(3), tags="nojit")
def asks_of_what_is_no_element_whether_it_is_none(x, zs):
    model = Filter(2, 1)
    model.x = x.reshape(2, 1)
    for z in zs:
        model.update(z)
    model.update(np.array([[0.3]]))
    return np.sum(model.x**2) + model.z[0, 0]


@program(normal(2), tags="nojit")
def array_of_none_to_be_filled(x):
    z = np.array([None, 2.0, None])
    for k in range(2):
        z[2 * k] = x[k] * z[1]
    return np.sum(z * z)


def _scaled(a, by=None, twice=False):
    if twice:
        a = a * 2.0 + by
        by **= 2
        return a * by
    return a


@program(normal(3), 2, tags="nojit")
def none_where_no_path_leads(x, n):
    scale = None if n > 1 else x[0]
    s = 0.0
    for i in range(n):
        if i > 5:
            s += x[i] * None
        s += _scaled(x[i], twice=False) * _scaled(x[i], x[0], True)
    return s + (np.sum(x * scale) if scale is not None else 0.0)


def _weight(label):
    return 5.0 if label is None else 2.0 * label


@program(normal(5), tags="nojit")
def lists_in_which_all_is_none(x):
    pairs, total = [(v, None) for v in x], 0.0
    for pair in pairs:
        total += pair[0] * _weight(pair[1])
    return total + sum(v * v for v, label in pairs if label != 3)


@program(normal(6), tags="nojit")
def parents_compared_where_some_have_none(x):
    n = len(x)
    parent, s = [None] * n, 0.0
    for k in range(1, n):
        if x[k] > 0.0:
            parent[k] = (k - 1) // 2
    for k, p in enumerate(parent):
        s += 3.0 * x[k] if p == 0 else x[k] ** 2
        if parent[k] != 1:
            s += x[k] ** 3
    return s


@program(normal(6), tags="nojit")
def parents_read_where_a_walk_has_been(x):
    n = len(x)
    parent, seen, waiting = [None] * n, [False] * n, [0]
    seen[0] = True
    while waiting:
        u = waiting.pop()
        for v in range(n):
            if not seen[v] and x[u] < x[v]:
                seen[v], parent[v] = True, u
                waiting.append(v)
    return sum(x[v] * x[parent[v]] for v in range(1, n) if seen[v])


@program(normal(3), tags="nojit")
def waiting_list_that_stays_empty(x):
    waiting, s = [], x[0]
    while waiting:
        k = waiting.pop()
        s += x[k] * x[0]
        waiting.append(k + 1)
    return s * x[1]


class Control:
    """A system that may be steered, and by what in which step."""

    def __init__(self, state):
        self.state = state
        self.gain = None

    def step(self, u, gain=None):
        if gain is None:
            gain = self.gain
        self.state = self.state * u + 1.0 if gain is None else self.state + gain * u

    def steps(self, us, gains=None):
        n = len(us)
        if gains is None:
            gains = [self.gain] * n
        for k, (u, gain) in enumerate(zip(us, gains)):
            self.step(u * (k + 1), gain=gain)


@program(normal(2), normal(4), tags="nojit")
def gains_of_which_none_is_given(x, us):
    control = Control(x)
    control.steps(us)
    return np.sum(control.state**2)


@program(normal(4), None, tags="nojit")
def weights_of_which_none_is_given(x, weights):
    if weights is None:
        weights = [None] * len(x)
    s = 0.0
    for k in range(len(x)):
        s += x[k] ** 2 if weights[k] is None else x[k] * weights[k]
    return s


@program(normal(6), 6, tags="nojit")
def parents_of_which_only_those_given_are_read(x, n):
    parent, depth = [None] * n, [0] * n
    for k in range(1, n):
        parent[k] = (k - 1) // 2
    s = 0.0
    for k in range(n):
        if k > 0 and parent[k] < 2:
            depth[k] = depth[parent[k]] + 1
            for j in range(parent[k]):
                s += x[j] * x[k]
        top = parent[k] if k > 2 else 0
        s += x[top] * x[k] ** 2 / (1 + depth[k])
    return s
