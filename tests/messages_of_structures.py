"""Lists, dicts, objects, functions as values and recursion that are refused, for what is said about them."""

# ruff: noqa
# fmt: off

from __future__ import annotations

import copy
import dataclasses
import enum
import functools
import itertools
import math
import operator
import warnings
from typing import NamedTuple

import numpy as np


class Spring:
    def __init__(self, k): self.k = k
    def energy(self, x): return self.k * x * x


class Hooked:
    def __getattr__(self, name): return 1.0


class Samples:
    def __init__(self, values): self.values = values
    def squares(self):
        for a in self.values: yield a * a
    def halve(self, k): self.values[k] = 0.5 * self.values[k]; return self.values[k]
    def halves(self):
        for k in range(len(self.values)): yield self.halve(k)


class Bag:
    def __init__(self, items): self.items = items
    def __iter__(self): return iter(self.items)


class Generated(Bag):
    def __iter__(self):
        for item in self.items: yield item


class Countdown(Bag):
    def __iter__(self): return self
    def __next__(self): return self.items.pop()


class Copied(Spring):
    def __copy__(self): return Spring(self.k * 2)


class Empty:
    def energy(self, x): return x


class Position(NamedTuple):
    x: float
    y: float


class Diagonal(Position):
    def __new__(cls, x): return super().__new__(cls, x, x)


@dataclasses.dataclass
class Line:
    slope: float
    offset: float = 1.0


TABLE = {"a": 1.0}
PAIR = (1.0, 2.0)
ROWS = np.ones(4)


# ---------------------------------------------------------------- lists


def list_of_some_paths(v):
    out = []
    for i in range(len(v)):
        out.append(v[i] ** 2)
        if v[i] > 1.0:
            found = out
            break
    else:
        found = [v[0], v[1]]
    return sum(found)


def list_of_whole_numbers_handed_on(x, n):
    before = [0] * n
    for i in range(n):
        before[0] = before[1] + x
        x = x * before[0]
        after = [1] * n
        before = after
    return x
def list_of_text(x, n):
    values = []
    for i in range(n): values.append("a")
    return x * (values[0] + "b" == "ab")
def list_of_objects(x, n):
    values = []
    for i in range(n): values.append(math.sin)
    return values[0](x)
def list_of_slices(v, n):
    places = []
    for i in range(n): places.append(slice(i, i + 2))
    return np.sum(v[places[0]])
def list_of_parts(v, n):
    values = []
    for i in range(n): values.append((i, v[:i + 1]))
    return np.sum(values[0][1])
def list_of_parts_and_lists(v, n):
    values = []
    for i in range(n): values.append(v[:i + 1])
    values.append([v[0], v[1]])
    return np.sum(values[0])
def element_of_one_list_or_another_in_dict(v, n):
    d = {}
    for i in range(n): d[i] = [v[i], v[i] * 2.0]
    row = d[1] if v[0] > 0.0 else d[2]
    row[0] = 3.0 * v[2]
    return sum(d[1])
def draws_from_seed_inside(v, n):
    rng = np.random.default_rng(42)
    return np.sum(v * rng.normal(size=n))
def list_of_lists_compared(v, n):
    values = [[] for i in range(n)]
    for i in range(n): values[i // 2].append(v[i])
    return v[0] if [v[1]] in values else v[2]
def row_in_two_places_of_a_dict(A):
    g = {"rows": [list(r) for r in A]}
    g["rows"][0] = g["rows"][1]
    g["rows"][1][0] = 7.0 * A[0, 0]
    return g["rows"][0][0]


def list_of_other_structures(x, n):
    values = []
    for i in range(n): values.append((x, x * i))
    values.append((x, x, x))
    return values[0][0]
def array_popped_and_written(v, n):
    values = []
    for i in range(n): values.append(v * i)
    last = values[-1]
    top = values.pop()
    top[0] = 1.0
    return np.sum(last * top)
def element_written_while_its_list_grows(v, n):
    values = [v * 1.0]
    while len(values) < n:
        last = values[-1]
        values.append(last * 0.5)
        last[0] = 1.0
    return np.sum(values[0])
def array_put_in_list(v, n):
    rows = []
    a = v * 1.0
    for i in range(n):
        a[0] = a[0] * 2.0
        rows.append(a)
    return np.sum(rows[0])
def length_of_a_path(x, n):
    values = []
    others = []
    for i in range(n):
        if x > 0.5:
            values.append(x)
        else:
            others.append(x)
            values = others
    return len(values) * x
def list_of_the_last_iteration(x, n):
    def powers(a): return [a ** k for k in range(n)]
    for i in range(n): xs = powers(x * i)
    return len(xs) * x
def slice_of_rows(v):
    rows = []
    for a in v: rows.append([a, a * a])
    rows[0:1] = [[v[0], v[1]]]
    return rows[0][0]
def reversed_behind_a_name(v):
    rows = []
    for a in v: rows.append(a * v)
    first = rows[0]
    rows.reverse()
    return first[0] * rows[0][1]
def sorted_arrays(v):
    rows = []
    for a in v: rows.append(a * v)
    rows.sort()
    return rows[0][0]
def changed_list_of_a_choice(x, n):
    xs = []
    ys = []
    for i in range(n):
        xs.append(x * i)
        ys.append(x)
    longer = xs if x > 0.5 else ys
    xs = xs + [x]
    longer.append(x)
    return sum(xs)
def popped_in_an_expression(x, n):
    xs = []
    for i in range(n): xs.append(x * i)
    y = xs.pop() if x > 5.0 else x
    return len(xs) * y
def static_popped_in_an_expression(x):
    t = [x, 2.0]
    y = t.pop() if x > 5.0 else x
    return len(t) * y
def popped_in_a_test(x):
    t = [x, 2.0]
    y = 2.0
    if x > 5.0 and t.pop() > 0.0: y = 1.0
    return len(t) * x * y
def static_removed(x):
    values = [x, 2.0]
    values.remove(x)
    return values[0]
def static_popped_far(x):
    values = [x, 2.0]
    values.pop(7)
    return values[0]
def static_stored_far(x):
    values = [x, 2.0]
    values[7] = 1.0
    return values[0]
def two_loops(v, w): return np.sum(np.array([a * b for a in v for b in w]))
def unknown_items(x, v): return np.sum(np.array([a * x for a in {1.0: v}.items()]))
def step_counted(x, n, k):
    s = 0.0
    for i, j in enumerate(range(0, n, k)): s += x * j
    return s
def reversed_tuple_and_array(v, t):
    s = 0.0
    for a, b in reversed(list(zip(t, v))): s += a * b
    return s


# ---------------------------------------------------------------- dicts and tuples


def key_popped(x):
    d = {"a": x}
    return d.pop("b")
def dict_cleared(x):
    d = {"a": x}
    d.clear()
    return x
def dict_of_array(x, v):
    d = {"a": x}
    d.update(v)
    return d["a"]
def dict_merged(x, v):
    d = {"a": x, **v}
    return d["a"]
def dict_of_other_keys(x, n):
    d = {"a": x}
    for i in range(n): d = {"b": d["a"], "a": x}
    return d["a"]
def letter_with_a_text_before(v):
    word, before, s = "abba", "", 0.0
    for i in range(len(word)):
        if word[i] == before: s += v[i]
        before = word[i]
    return s
def dict_whose_keys_the_path_decides(v):
    h = {"x": []}
    for a in v:
        h["x"].append(a)
        if a > 2.0: h["large"] = a
    return len(h) * v[0]
def dict_without_the_key(v):
    h = {"x": []}
    for a in v: h["x"].append(a)
    return h["y"][0]
def dict_changed_in_place_popped(v):
    h = {"x": [], "y": v[0]}
    for a in v: h["x"].append(a)
    return h.popitem()[1]
def tuple_that_grows(x, n):
    t = (x,)
    for i in range(n): t = (*t, x)
    return t[0]
def constant_key(x): return x * TABLE["b"]
def constant_index(x): return x * PAIR[5]
def constant_text_index(x): return x * PAIR["a"]
def long_structure(x):
    s = x
    for i, a in enumerate((x,) * 20000): s = s + a
    return s


# ---------------------------------------------------------------- objects


def replaced_number(x): return dataclasses.replace(x, k=2.0).k
def replaced_field(model): return dataclasses.replace(model, z=2.0).scale
def dataclass_of_three(x): return Line(x, 1.0, 2.0).slope
def dataclass_without(x): return Line(offset=x).slope
def named_of_three(x): return Position(x, 1.0, 2.0).x
def named_without(x): return Position(x).x
def named_computed(x): return Diagonal(x).x
def hooked(x): return Hooked().a * x
def without_init(x): return Empty(x).energy(x)
def object_of_a_loop(x, n):
    s = Spring(x)
    for i in range(n):
        s.k = s.k * x
        s = Spring(s.k * x)
    s.length = x
    return s.k
def object_of_another_class(x, n):
    s = Spring(x)
    for i in range(n): s = Line(s.k * x)
    return x
def part_of_more_axes(c, A):
    a = c * 1.0
    a.real = A
    return abs(np.sum(a))
def number_called(x):
    s = Spring(x)
    return s.k(2.0)
def function_set_in_branch(x):
    s = Spring(x)
    if x > 0.5: s.f = math.sin
    return s.k


# ---------------------------------------------------------------- functions as values, recursion


def function_of_a_path(x, n):
    f = math.sin
    for i in range(n): f = math.cos
    return f(x)
def function_returned_by_recursion(x, n):
    def make(k):
        return math.sin if k <= 0 else make(k - 1)
    return make(n)(x)
def sum_of_function(x):
    f = lambda t: t
    return x * (f + 2.0)
def length_of_function(x):
    f = lambda t: t
    return x * len(f)
def names_of_array(x, v):
    def inner(**k): return 1.0
    return inner(**v) * x
def reduced_functions(x, n):
    f = functools.reduce(lambda f, i: (lambda t: f(t) * x), range(n), lambda t: t)
    return f(x)
def vectorized_of_nine(v):
    f = np.vectorize(lambda a, b, c, d, e, g, h, i, j: a * b * c * d * e * g * h * i * j)
    return np.sum(f(v, v, v, v, v, v, v, v, v))
def vectorized_of_rows(A):
    return np.sum(np.vectorize(lambda row: row[0] * row[1], signature="(n)->()")(A))
def vectorized_pairs(v):
    return np.sum(np.vectorize(lambda a: (a, a * a), otypes=[float, float])(v)[1])
def length_of_iterable(x):
    return x * len(Bag([x, x * x]))
def keywords_of_recursion(x, n):
    def go(k, **rest): return rest["a"] if k == 0 else go(k - 1, a=x)
    return go(n, a=x)
def types_of_recursion(x, n):
    def go(k, t): return 1.0 if k == 0 else go(k - 1, (t, t))
    return go(n, x) * x
def store_of_recursion(v, n):
    def fill(a, k):
        if k > 0:
            a[k] = v[k]
            fill(a, k - 1)
        return a[0]
    return fill(ROWS, n)
def alias_of_recursion(v, n):
    def last(a, k): return a if k == 0 else last(a, k - 1)
    a = v * 2.0
    b = last(a, n)
    b[0] = 5.0
    return np.sum(a)
def tolist_of_a_matrix(v):
    return sum(np.cumsum(np.outer(v, v), 0).tolist()[0])
def else_of_takewhile(v):
    s = 0.0
    for a in itertools.takewhile(lambda a: a < 1.0, v): s += a
    else: s *= 2.0
    return s
def generator_beside_a_loop(v):
    s = 0.0
    for k, a in zip(range(3), (b * b for b in v)):
        v[k] = 1.0
        s += a
    return s
def endless_comprehension(x):
    return sum(x for _ in itertools.repeat(x))
def slices_of_any_number(v):
    parts = []
    while len(parts) < v[0]: parts.append(slice(len(parts), None))
    return sum(v[part].sum() for part in parts)
def slice_with_a_step(v, n):
    return sum(itertools.islice(v, 0, 3, n))
def longest_without_a_value(v):
    return sum(a for a, b in itertools.zip_longest(v, v))
def cycle_of_nothing(v):
    return sum(a * b for a, b in zip(itertools.cycle(()), v))
def counted_in_reverse_of_uneven_items(v, x):
    s = x
    for k, (a, b) in enumerate(reversed(list(zip(v, (2.0, x))))): s = s * a + b * k
    return s
def strict_beside_uneven_items(v, x):
    return sum(a * b for a, (b, c) in zip((2.0, x), zip((x, 3.0), v), strict=True))
def combinations_of_many(v, n):
    return sum(a[0] for a in itertools.combinations(v, n))
def object_in_two_lists(v):
    springs, stiff = [Spring(a) for a in v], []
    for s in springs:
        s.k *= 2.0
        if s.k > 1.0: stiff.append(s)
    return sum(s.k for s in stiff)
def object_made_before_the_loop(v, n):
    s, springs = Spring(v[0]), []
    for _ in range(n): springs.append(s)
    for t in springs: t.k *= 2.0
    return sum(t.k for t in springs)
def pop_of_an_object_that_changes(v):
    springs = [Spring(a) for a in v]
    for s in springs: s.k *= 2.0
    return springs.pop().k
def new_attribute_of_an_object_in_a_list(v):
    springs = [Spring(a) for a in v]
    for s in springs: s.length = s.k
    return sum(s.k for s in springs)
def old_array_of_a_list_that_begins_anew(v, n):
    rows, t = [k * v for k in range(n)], 0.0
    for k in range(3):
        old = rows[0]
        rows[0] = k * rows[1]
        rows = [2.0 * v for _ in range(n)]
        t += np.sum(old * rows[0])
    return t
def old_array_of_a_list(v):
    rows = [a * v for a in v]
    old = rows[0]
    for k in range(len(rows)): rows[k] = rows[k] * 2.0
    return np.sum(old) + np.sum(rows[0])
def squares_of(v):
    for a in v: yield a * a
def loop_that_disturbs_a_generator(v):
    u = v.copy()
    for k, a in enumerate(squares_of(u)): u[k] = a
    return np.sum(u)
def loop_that_disturbs_a_generator_by_another_name(v):
    u = v.copy()
    squares = functools.partial(squares_of, u)
    for a in squares(): u[-1] = a
    return np.sum(u)
def counting_down(v, n):
    if n >= 0:
        yield v[n]
        yield from counting_down(v, n - 1)
def loop_that_disturbs_a_recursive_generator(v):
    u = v.copy()
    values = functools.partial(counting_down, u)
    for a in values(3): u[0] = a
    return np.sum(u)
def dict_that_a_loop_over_a_slice_of_items_changes(v):
    d = {"a": v[0], "b": v[1]}
    for a in itertools.islice(d.values(), 2): d["b"] = a * 2.0
    return d["b"]
def kind_of_a_set(v):
    found = set()
    for k in range(4): found.add(k // 2)
    return v[0] if isinstance(found, set) else v[1]
def endless_generator(x):
    def halves(a):
        while True:
            yield a
            a = a * 0.5
            yield -a
    for a in halves(x):
        if a < 1.0: break
    return a
def warnings_as_errors(x):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return x * x
def list_of_tuples_for_recursion(v):
    def first(a): return a[0][0] if len(a) < 2 else a[0][0] * first(a[1:])
    return first([(b, b * b) for b in v])
def list_that_recursion_extends(v):
    def visit(k, found):
        if k >= 0:
            found.append(v[k] * v[k])
            visit(k - 2, found + [v[k]])
    visit(4, [])
    return v[0]
def list_of_arrays_that_recursion_extends(v):
    def visit(k, found):
        if k >= 0:
            found.append(v[k] * v)
            visit(k - 2, found)
    found = []
    visit(4, found)
    return sum(found)[0]
def loop_that_changes_what_a_method_yields(v):
    samples, s = Samples(v.copy()), 0.0
    for a in samples.squares():
        samples.values[2] = a
        s += a
    return s
def loop_that_changes_what_a_bound_method_yields(v):
    samples, s = Samples(v.copy()), 0.0
    squares = samples.squares
    for k, a in enumerate(squares()): s += a * samples.halve(k)
    return s
def method_that_yields_what_it_changes(v):
    samples, s = Samples(v.copy()), 0.0
    for a in samples.halves(): s += a * samples.values[0]
    return s
def key_of_a_changed_dict(d, n):
    d["a"] = 2.0 * d["b"]
    d[n] = 1.0
    return d["a"]
def list_of_recursion_on_some_paths(v, n):
    def repeated(a, n): return [2.0 * b for b in a] if n == 0 else np.array(repeated(a, n - 1)) + 1.0
    return repeated(v, n)[0]
def loop_over_a_list_that_it_extends(v):
    found = [a * a for a in v]
    for a in found:
        if len(found) < 9: found.append(0.5 * a)
    return sum(found)
def list_kept_and_changed(v, n):
    state, kept = [a * a for a in v], []
    for k in range(n):
        kept.append(state)
        state[0] = state[0] * state[1]
    return sum(kept[1])
def rows_of_a_shallow_copy_changed(v, n):
    rows = [[a, a * a] for a in v if a > n - 9]
    others = rows.copy()
    others[0][1] = 5.0
    return sum(p * q for p, q in rows) + sum(p * q for p, q in others)
def truth_of_none_in_a_list(v, n):
    found = [None] * n
    found[0] = v[0]
    return sum(a for a in found if a)
def structures_with_none_compared(v, n):
    found = [(a, None) for a in v]
    return sum(a[0] for a in found for b in found if a == b)
def truth_values_and_none_in_a_list(v, n):
    small = [None] * n
    for k in range(1, n):
        small[k] = v[k] < 0.0
    return sum(v[k] for k in range(n) if small[k] == False)
def short_integers_and_none_in_a_list(v, n):
    places = [None] * n
    places[1] = np.int8(0)
    return sum(v[k] for k in range(n) if places[k] == 0)
def element_that_may_be_none_equal_to_none(v, n):
    parents = [None] * n
    parents[1] = 0
    return sum(v[k] for k in range(n) if parents[k] in (None, 1))
def none_in_a_list_asked_for(v, n):
    found = [None] * len(v)
    for k in range(n):
        found[k] = v[k] * v[k]
    return sum(a for a in found if a is not None)
def none_in_a_list_that_grows(v, n):
    found = [a * a if a > 0.0 else None for a in v]
    return sum(a for a in found if a is not None)
def list_on_one_path_and_array_on_the_other(v, n):
    rows = [[b * k for b in v] for k in range(n)]
    a = v * 2.0
    if n > 2:
        a = rows[1]
    return np.sum(np.array(a + a))


def dict_without_method(v):
    table = {}
    for k in range(3): table[k] = v[k]
    return table.popitem()[1]
def sorted_lists_of_different_lengths(v):
    rows = [[v[0]], [v[1]], [v[2]]]
    rows[0].append(v[1])
    return sorted(rows)[0][0]
def list_of_a_tuple_in_a_list_of_lists(v):
    pair, rows = ([v[1]], 2.0), []
    for i in range(3): rows.append([v[i]])
    rows.append(pair[0])
    rows[3].append(v[0])
    return sum(pair[0])
def sorted_pairs_with_lists_of_different_lengths(v):
    d, s = {"a": [v[0], v[1]], "b": [v[2]]}, 0.0
    for _, row in sorted(d.items(), key=lambda pair: pair[1][0]):
        s = 2.0 * s + sum(row)
    return s


def sorted_matrices(v): return np.sum(sorted([np.outer(v, v), np.outer(v, 2.0 * v)])[0])
def object_with_a_generator(x):
    total = 0.0
    for item in Generated([x, x * x]): total += item
    return total
def object_that_is_an_iterator(x):
    total = 0.0
    for item in Countdown([x, x * x]): total += item
    return total
def bag_that_grows(x):
    bag = Bag([x])
    for item in bag:
        if len(bag.items) < 4: bag.items.append(item * x)
    return sum(bag.items)
def bag_with_other_items(x):
    bag = Bag([x, x * x])
    total = 0.0
    for item in bag:
        bag.items = [x, 1.0]
        total += item
    return total
def memo_of_the_caller(x, n):
    return fibonacci(n, x)
def fibonacci(n, x, memo={}):
    if n in memo: return memo[n]
    result = x * n if n < 2 else fibonacci(n - 1, x) + fibonacci(n - 2, x)
    memo[n] = result
    return result
def named_list_in_a_display(v):
    values = [1, 2]
    lists = {0: values, 1: [0]}
    lists[0].append(0)
    return sum(v[k] for k in values) + sum(v[k] for n in range(2) for k in lists[n])
def lists_from_keys(x):
    lists = dict.fromkeys(["a", "b"], [])
    lists["a"].append(x)
    return lists["b"][0]
def dict_for_the_next_iteration(v):
    now = {0: v[0]}
    for k in range(3):
        then = {}
        for key in now: then[key + 1] = now[key] * v[k]
        now = then
    return sum(now.values())
def getter_of_a_dict_that_is_replaced(v):
    best = {}
    for j in range(2):
        get, new = best.get, {}
        for k in range(len(v)): new[k] = get(k - 1, 0.5) * v[k]
        best = new
    return sum(best.values())
def pairs_in_pairs_as_an_array(v):
    xs = []
    for k in range(len(v)): xs.append(((k, v[k]), (v[k], 1.0)))
    return np.sum(np.array(xs))
def attribute_set_to_what_may_be_none(v):
    spring, found = Spring(v[0]), None
    if v[0] > 0.0: found = v[1] * 2.0
    if found is not None: spring.k = found
    return spring.k
def set_to_array(v): return v[0] * np.sum(np.array({1, 2}))
def tuple_of_unknown_length_as_index(v):
    places = [k for k in range(len(v)) if k != 1]
    return v[tuple(places)]
def object_that_a_loop_hands_on(v):
    spring, best, total = Spring(v[0]), None, 0.0
    for a in v:
        if best is not None and spring is best: total += a * a
        if a > 0.5: best = spring
        spring = Spring(spring.k * a)
    return total + spring.k
def element_of_a_dict_in_a_list(v):
    tables = []
    for a in v: tables.append({"x": a, "m": a * a})
    tables[0]["x"] = v[1]
    return tables[1].pop("m")
def copy_of_an_object_that_says_how(x): return copy.copy(Copied(x)).k
def getter_of_what_is_not_known(v, n): return operator.itemgetter(n)(v)
def columns_read_twice(v):
    columns = zip(*[(v[0], v[1]), (v[1], v[2])])
    return sum(a * b for a, b in columns) + sum(a + b for a, b in columns)
def generator_function_read_twice(v):
    def squares(u):
        for a in u: yield a * a
    found = squares(v)
    largest = max(found)
    return sum(a / largest for a in found)
def generator_for_a_function_that_reads_twice(v):
    def squares(u):
        for a in u: yield a * a
    def mean(values): return sum(values) / sum(1 for _ in values)
    return mean(squares(v))
def running_totals_read_in_a_loop(v):
    totals = itertools.accumulate(v)
    total = 0.0
    for k in range(2): total += sum(totals) * k
    return total
def array_among_lists_of_different_lengths(v):
    rows = [[] for _ in range(len(v))]
    rows[0].append(v[0])
    rows.append(v)
    return rows[0][0] + rows[-1][1]
def list_in_a_tuple_and_in_a_list_of_lists(v):
    row = [v[0]]
    pair = (row, 1.0)
    rows = [[] for _ in range(len(v))]
    rows[0].append(v[1])
    rows.append(row)
    return rows[-1][0] + pair[0][0]
def generator_method_read_twice(v):
    found = Samples(v).squares()
    return max(found) * sum(found)
def generator_of_an_argument(v):
    def squares(w):
        for a in w: yield a * a
    def twice(gen):
        found = gen(v)
        return max(found) * sum(found)
    return twice(squares)
def generator_of_a_dict(v):
    kinds = {"squares": Samples(v).squares}
    found = kinds["squares"]()
    return max(found) * sum(found)


def _halved(x):
    while True:
        yield x
        x = 0.5 * x


class Halving:
    def __init__(self, x): self.x = x
    def steps(self):
        while True:
            yield self.x
            self.x = 0.5 * self.x


class Level(enum.Enum):
    LOW = 1


def generator_without_an_end_of_a_method(x):
    s = 0.0
    for y in Halving(x).steps():
        s += y
        if s > 1.0: break
    return s


def next_of_an_array(v):
    s = 0.0
    for _ in range(3):
        s += next(v)
    return s


class Modes:
    def __init__(self, x): self.mode, self.rates = "up", {"up": x}


def text_that_becomes_a_number(x, n):
    modes = Modes(x)
    for k in range(n):
        x = x * x if modes.mode == "up" else x + 1.0
        modes.mode = "down"
        if k > 2: modes.mode = 0
    return x


def dict_of_other_keys_in_an_attribute(x, n):
    modes = Modes(x)
    for k in range(n):
        if "down" in modes.rates: x = x * modes.rates["down"]
        modes.rates = {"down": 2.0}
    return x


def attribute_that_a_loop_begins(x, n):
    modes = Modes(x)
    for k in range(n):
        if not hasattr(modes, "kept"): modes.kept = x
        x = x * modes.kept
    return x


def attribute_of_no_known_name(x, v):
    halving = Halving(x)
    for name in v: setattr(halving, name, x)
    return halving.x


def member_that_is_missing(x):
    return x * Level["HIGH"].value


def order_of_members(x):
    return x if Level.LOW < Level.LOW else 2.0 * x


def inner_object_changed_and_exchanged(x):
    outer = Samples(Spring(x))
    for _ in range(2):
        outer.values = Spring(outer.values.k * x)
    outer.values.k = 2.0 * x
    return outer.values.energy(x)


def part_in_two_lists(v):
    parts, others, part = [], [], []
    for k in range(len(v)):
        part.append(v[k])
        if k % 3 == 2:
            parts.append(part)
            others.append(part)
            part = []
    parts[0].append(v[0])
    return sum(sum(each) ** 2 for each in others)


def part_that_goes_on_growing(v):
    parts, part = [], []
    for k in range(len(v)):
        part.append(v[k])
        if k % 3 == 2:
            parts.append(part)
        if k % 4 == 3:
            part = []
    return sum(sum(each) ** 2 for each in parts)


# ---------------------------------------------------------------- elements that others take the place of


def tuples_that_a_tuple_holds_replaced(v):
    pairs = [(a * a, a) for a in v]
    held = (pairs, 1.0)
    pairs[0] = (v[0], v[1])
    return sum(a * b for a, b in held[0])


def tuples_replaced_where_a_dict_holds_them(v):
    pairs = [(a * a, a) for a in v]
    held = {"p": pairs}
    held["p"][0] = (v[0], v[1])
    return sum(a * b for a, b in pairs)


def tuples_put_into_a_list_and_replaced(v):
    pairs, held = [(a * a, a) for a in v], []
    for k in range(3):
        pairs = [(a * 0.5 + v[k], b * a) for a, b in pairs]
        held.append(pairs)
        held[0][1] = (v[0], v[1])
    return sum(a * b for part in held for a, b in part)


def object_replaced_and_read(v):
    springs = [Spring(a) for a in v]
    first = springs[0]
    springs[0] = Spring(v[1])
    springs[0].k += 1.0
    return first.k


def object_replaced_and_read_in_a_loop(v):
    springs, s = [Spring(a) for a in v], 0.0
    first = springs[0]
    for k in range(len(v)):
        s += first.k
        springs[k] = Spring(s)
        springs[k].k += 1.0
    return s


def object_at_two_places(v):
    springs = [Spring(a) for a in v]
    springs[1] = springs[0]
    springs[1].k += 1.0
    return springs[0].k


def object_stored_at_an_unknown_place(x, n):
    springs = [Spring(x), Empty()]
    springs[n] = Spring(2.0 * x)
    return springs[0].energy(x)


def object_put_into_a_dict_of_numbers(x, n):
    springs = {0: Spring(x)}
    for _ in range(n):
        springs[0] = Spring(2.0 * springs[0].k)
    return springs[0].k


def list_of_objects_of_an_iteration_under_two_names(v):
    s, latest = 1.0, [Spring(v[0]), v[0]]
    for a in v:
        found = [Spring(a), a]
        latest = found
        found[1] = 2.0 * a
        s *= latest[1]
    return s


def run_that_is_gone_through_twice(v):
    s = 0.0
    for _, run in itertools.groupby(v, lambda a: a > 0.0): s += sum(run) + sum(run)
    return s
def runs_that_their_loop_changes(v):
    s = 0.0
    for _, run in itertools.groupby(v, lambda a: a > s): s += sum(run)
    return s
def runs_in_a_comprehension(v): return sum(len(list(run)) for _, run in itertools.groupby(v)) * v[0]
def else_behind_runs(v):
    for _, run in itertools.groupby(v):
        if sum(run) > 1.0: break
    else:
        return v[0]
    return v[1]
def items_that_change_before_they_are_taken(v):
    c, s = 1.0, 0.0
    it = (c * a for a in v)
    for _ in range(3):
        s += next(it)
        c *= 2.0
    return s
def another_name_of_what_a_list_has(v, n):
    history, u = [], v.copy()
    for _ in range(n):
        history.append(u)
        w = np.asarray(u)
        w[0] = w[0] * 2.0
    return sum(np.sum(h) for h in history)
def one_row_in_all_places(v, n):
    rows = [[0.0] * n] * n
    rows[0][0] = v[0]
    return rows[1][0]
def one_array_in_all_places(v, n):
    rows = [np.zeros(2)] * n
    rows[0][0] = v[0]
    return rows[1][0]
def one_row_twice_in_an_element(v, n):
    parts = []
    for k in range(n):
        row = [v[0], v[1] * k]
        parts.append([row] * 2)
    parts[0][1][0] = v[2]
    return parts[0][0][0]
def deep_copy_of_one_row_in_all_places(v, n):
    rows = copy.deepcopy([[0.0] * n] * n)
    rows[0][0] = v[0]
    return rows[1][0]
def copy_of_a_partial_function(x): return copy.copy(functools.partial(np.add, x))(x)
def deep_copy_of_one_array_on_one_path(v, n):
    a = v * 2.0
    b = a if n > 2 else v**2
    both = copy.deepcopy([a, b])
    both[0][0] = v[1]
    return both[1][0]
def largest_of_no_elements(x): return x * max([])
def deep_copy_of_a_short_row_in_all_places(v, n):
    row = [v[0], v[1]]
    rows = copy.deepcopy([row] * n)
    rows[0].append(v[0])
    return len(rows[1]) * v[0]
def list_of_blocks(A): return np.sum(np.block([2.0 * row for row in A]))
def items_of_a_dict_of_lists_in_order(v, n):
    groups = {}
    for k in range(n):
        groups.setdefault(k % 2, []).append(v[k])
    return sum(sum(values) for key, values in sorted(groups.items()))
def list_of_its_own_or_the_callers_in_recursion(v, n):
    held = [v[0]]
    def collect(k, found=None):
        if found is None:
            found = []
        if k < n:
            found.append(v[k])
            collect(k + 1, found)
        return found
    return sum(collect(0, held)) * len(held)
def list_of_an_element_in_recursion_that_may_be_new(v):
    begun = [v[0]]
    _walked(v, 1, begun)
    return sum(begun)
def _walked(v, i, found=None):
    if found is None:
        found = []
    if i < len(v):
        found.append(v[i] * len(found))
        _walked(v, i + 1, found)
    return found
def list_made_in_recursion_and_popped(v):
    begun = [v[0], v[1]]
    begun.append(v[2])
    return sum(_sorted(begun))
def _sorted(values):
    values = list(values)
    if len(values) < 2:
        return values
    last = values.pop()
    return _sorted([e for e in values if e < last]) + [last] + _sorted([e for e in values if e >= last])
class Linked:
    def __init__(self, v): self.v = v; self.link = None
def objects_with_none_that_change_places(v):
    a, b = Linked(v[0]), Linked(v[1])
    for k in range(3): a, b = (b, a) if v[k] > 0.5 else (a, b)
    c = a
    return 2 * a.v if a is c else b.v
