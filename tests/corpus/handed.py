"""Lists that are handed on by name from iteration to iteration, or chosen by a branch."""

import numpy as np

from tests.corpus import normal, program


@program(normal(6), 3, tags="nojit")
def frontier_and_the_next_swapped(v, n):
    a, b = [v[0], v[1]], []
    for k in range(n):
        for z in a:
            b.append(z * v[2])
            if k % 2 == 0:
                b.append(z + v[3])
        a, b = b, []
    s = 0.0
    for z in a:
        s += z ** 2
    return s


@program(normal(8))
def list_handed_on_and_begun_again(v):
    xs = [v[0]]
    total = 0.0
    for k in range(3):
        ys = xs
        xs = []
        for y in ys:
            xs.append(y * v[k])
            xs.append(y + v[k + 1])
        total += sum(ys)
    return total + sum(xs) ** 2


@program(normal(8))
def longer_of_two_lists(v):
    evens, odds = [], []
    for k in range(len(v)):
        if v[k] > 0:
            odds.append(v[k])
        else:
            evens.append(v[k] ** 2)
    rows = evens if len(evens) > len(odds) else odds
    s = 0.0
    for r in rows:
        s += np.sin(r)
    return s * rows[0] + sum(evens)


@program(normal(8))
def one_of_two_lists(v):
    a, b = [], []
    for k in range(len(v)):
        a.append(v[k] * v[0])
        if k > 2:
            b.append(v[k] ** 2)
    if v[0] > 0.3:
        L = a
    else:
        L = b
    s = 0.0
    for k in range(len(L)):
        s += L[k] * (k + 1)
    return s


@program(normal(9))
def window_that_begins_with_its_last(v):
    block = [v[0]]
    total = 0.0
    for k in range(len(v)):
        block.append(v[k] * block[-1])
        if len(block) == 4:
            total += np.sin(sum(block))
            block = [block[-1]]
    return total + sum(block)


@program(normal(5), 2)
def list_or_default(v, m):
    xs = []
    for a in v:
        if a > 0:
            xs.append(a ** 2)
    ys = xs or [v[0]]
    zs = xs if xs else [v[1], v[2]]
    return sum(ys) * zs[0]


@program(normal(8), tags="nof32 nojit")  # an empty list and one of float32 are two kinds of arrays
def longest_run(v):
    best, cur = [], []
    for k in range(8):
        if v[k] > 0:
            cur.append(v[k])
        else:
            cur = []
        if len(cur) > len(best):
            best = list(cur)
    return sum(best) ** 2 + len(best)


@program(normal(8))
def tree_of_lists(v):
    xs = [v[0]]
    total = 0.0
    for k in range(3):
        for j in range(2):
            new = []
            for x in xs:
                new.append(x * v[j])
                if j:
                    new.append(np.sin(x))
            xs = new
        total += sum(xs)
        xs.append(v[k])
    return total + xs[-1] * xs[0]


@program(normal(8), tags="nojit")
def pairs_across_rows(v):
    row = []
    rows = 0.0
    for i in range(4):
        for j in range(3):
            row.append(v[i] * v[j])
            if len(row) == 2:
                rows += row[0] * row[1]
                row = []
        if i == 2:
            row = [v[7], v[6]]
            row.pop()
    return rows + sum(row)


@program(normal(8))
def chosen_list_stored_to(v):
    a, b = [], []
    for k in range(4):
        a.append(v[k])
        b.append(v[k + 4] ** 2)
    L = a if v[0] > 100 else b
    b[1] = v[0] ** 3
    return sum(L) ** 2


@program(normal(8))
def chosen_list_stored_through(v):
    a, b = [], []
    for k in range(4):
        a.append(v[k])
        b.append(v[k + 4] ** 2)
    L = a if v[0] > 100 else b
    L[1] = v[0] ** 3
    return sum(b) ** 2


@program(normal(8), tags="nojit")
def chunks_filled_by_a_function(v):
    def push(xs, a):
        xs.append(a * a)
    xs = []
    out = 0.0
    for k in range(8):
        push(xs, v[k])
        if len(xs) == 3:
            out += np.sin(sum(xs))
            xs = []
    return out + sum(xs)


@program(normal(9), tags="nojit")
def runs_of_one_sign(v):
    sums = []
    cur = []
    for a in v:
        if cur and a < 0:
            sums.append(sum(cur) ** 2)
            cur = []
        cur.append(a)
    sums.append(sum(cur) ** 2)
    return sum(sums) * sums[0]


@program(normal(3), 4)
def one_of_two_lists_of_tuples(v, n):
    a, b = [], []
    for i in range(n):
        a.append((v[0] * i, v[1]))
        b.append((v[0] * i, v[1] ** i))
    xs = a if v[0] > 5 else b
    s = 0.0
    for x, y in xs:
        s += x * y ** 2
    y = xs[0] + xs[1]
    return s + len(y) * y[3] + xs[-1][0]


@program(normal(8), tags="nojit")
def stacks_emptied_into_each_other(v):
    cur, nxt = [v[0], v[1]], []
    k = 0
    while k < 4:
        while cur:
            nxt.append(cur.pop() * v[k])
        cur, nxt = nxt, cur
        k += 1
    return cur[0] + cur[1] ** 2


@program(normal(8))
def list_of_the_iteration_before(v):
    last = None
    s = 0.0
    for k in range(4):
        cur = []
        for j in range(k + 1):
            cur.append(v[j] * v[k])
        if last is not None:
            s += sum(last) * cur[0]
        last = cur
    return s


@program(normal(3, 3), 2, tags="inplace")
def row_and_copy_that_change_names_in_a_branch(A, k):
    if k > 1:
        p, q = A[1], 1.0 * A[0]
        for i in range(3):
            p[i] = q[0] * q[1]
            p, q = q, p
    return np.sum(A * A)
