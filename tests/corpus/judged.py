"""Small programs as people write them who do not think of derivatives: closures, models, searches, parsers."""

import numpy as np

from tests.corpus import normal, program

# ---------------------------------------------------------------- closures that change what is around them


@program(normal(5), tags="nojit")
def running_product_by_nonlocal(x):
    scale = 1.0

    def add(v):
        nonlocal scale
        scale *= np.sin(v) + 2.0
        return scale

    before = scale + add(x[0])
    after = add(x[1]) + scale
    kept, new = scale, add(x[2])
    return before + 2 * after + 3 * kept * new + sum([scale, add(x[3]), scale * x[4]])


@program(2.408, tags="core")
def bisection_that_counts(x):
    calls = 0

    def residual(t):
        nonlocal calls
        calls += 1
        return t * t - x

    low, high = 0.0, 4.0
    for _ in range(20):
        middle = (low + high) / 2
        if residual(middle) > 0:
            high = middle
        else:
            low = middle
    t = high
    for _ in range(3):
        t = t - residual(t) / (2 * t)
    return t * calls


@program(normal(6))
def argument_that_is_changed_by_a_call(x):
    state = np.sum(x)

    def bump():
        nonlocal state
        state = state * 2 + x[0]

    def use(old):
        bump()
        return old * state

    return use(state) + state


@program(normal(4))
def bound_of_a_loop_that_the_loop_changes(x):
    n = 2

    def more():
        nonlocal n
        n += 1

    total = 0.0
    for i in range(n):
        more()
        total += x[i] * n
    return total * n


@program(normal(6), tags="nojit core")
def tree_sum_by_nonlocal(x):
    total = 0.0

    def visit(low, high):
        nonlocal total
        if high - low == 1:
            total += x[low] ** 2 * (low + 1)
            return
        middle = (low + high) // 2
        visit(low, middle)
        visit(middle, high)

    visit(0, len(x))
    return total


@program(1.070, tags="nojit")
def adaptive_simpson_with_a_counter(rate):
    evaluations = 0

    def f(t):
        nonlocal evaluations
        evaluations += 1
        return np.exp(-rate * t * t)

    def simpson(a, b, depth):
        middle = (a + b) / 2
        if depth == 0:
            return (b - a) / 6 * (f(a) + 4 * f(middle) + f(b))
        return simpson(a, middle, depth - 1) + simpson(middle, b, depth - 1)

    return simpson(0.0, 1.0, 3) * evaluations


class Visitor:
    def __init__(self, x):
        self.x = x
        self.total = 0.0
        self.calls = 0

    def visit(self, depth):
        self.calls += 1
        self.total += self.x * depth
        if depth > 0:
            self.visit(depth - 1)
            self.visit(depth - 2)


@program(1.070, tags="nojit")
def recursive_method_that_changes_its_object(x):
    visitor = Visitor(x)
    visitor.visit(4)
    return visitor.total * visitor.calls * x


@program(1.070, tags="nojit")
def mutual_recursion_with_two_counters(x):
    total, depth = 0.0, 0

    def even(n, v):
        nonlocal total
        total += v
        if n > 0:
            odd(n - 1, v * 1.1)

    def odd(n, v):
        nonlocal depth
        depth += 1
        if n > 0:
            even(n - 1, np.sin(v))

    even(5, x)
    return total * depth


# ---------------------------------------------------------------- lists that called functions change


@program(normal(5), tags="nojit core")
def list_that_a_closure_fills(x):
    found = []

    def emit(v):
        if v > 0:
            found.append(v)

    for v in x:
        found.append(v)
        emit(v * v)
        emit(np.sin(v))
    return sum(found[k] * (k + 1) for k in range(len(found)))


def keep(items, value):
    items.append((value, value * value))


@program(normal(5), tags="nojit")
def list_that_a_function_is_given(x):
    items = []
    i = 0
    while i < len(x):
        keep(items, x[i])
        i += 1
    total = 0.0
    for a, b in items:
        total += a * b
    return total + items[0][1]


class History:
    def __init__(self):
        self.values = []

    def add(self, value):
        self.values.append(value * value)

    def weighted(self):
        total = 0.0
        for k in range(len(self.values)):
            total += self.values[k] * (k + 1)
        return total


@program(normal(5), tags="nojit")
def list_in_an_object(x):
    history = History()
    for v in x:
        history.values.append(v)
    for v in x:
        if v > 0:
            history.add(v)
    return history.weighted()


@program(normal(4))
def stack_behind_two_functions(x):
    stack = [x[0]]

    def push(v):
        stack.append(v)

    def pop():
        return stack.pop()

    total = 0.0
    for v in x:
        push(v)
        push(2 * v)
        push(v * v)
        total += pop() * pop()
    return total + pop() * len(stack)


@program(normal(4))
def list_that_one_branch_fills_by_a_call(x):
    out = []

    def add(v):
        out.append(v)

    if x[0] + 3 > 0:
        add(x[1] ** 2)
    add(x[2])
    return out[-1] * len(out) + out[0]
