"""Lists of all that a loop has made: what each iteration makes anew is put there as it is."""

from __future__ import annotations

import numpy as np

from tests.corpus import normal, program


@program(normal(4), 3)
def lists_made_anew_and_kept(x, n):
    pop = [x[i] for i in range(len(x))]
    history = []
    for _ in range(n):
        pop = [np.sin(a) + 0.5 * a for a in pop]
        history.append(pop)
    return sum(h[0] * h[-1] for h in history)


@program(normal(4), 3)
def lists_kept_before_the_next_is_made(x, n):
    pop = [a * 2 for a in x]
    history = [pop]
    for _ in range(n):
        new = []
        for a in pop:
            new.append(np.sin(a))
        history.append(pop)
        pop = new
    return sum(h[0] * h[-1] for h in history) + pop[1]


@program(normal(5), 3)
def states_kept_before_the_next_is_filled(x, n):
    u = x.copy()
    history = []
    for k in range(n):
        history.append(u)
        if k == 1:
            continue
        new = np.empty_like(u)
        new[:] = np.sin(u)
        new[0] += 1.0
        u = new
    return sum(np.sum(h**2) for h in history)


@program(normal(4), normal(4))
def lists_unpacked_from_a_map(a, d):
    a, d = map(list, (a, d))
    for i in range(1, len(d)):
        d[i] -= a[i] * d[i - 1]
    b, c = tuple([v * v for v in each] for each in (a, d))
    return sum(v**2 for v in d) + b[0] * c[1]
