"""What the language has and what it has not, one small program a row: `docs/language.md` is made from these.

Parameters have values by their names (`VALUES`). The line that a row shows is marked ``# <-``. The docstring says
what the row is about.
"""

# ruff: noqa: F821
# fmt: off

from __future__ import annotations

import collections
import copy
import enum
import functools
import heapq
import itertools
import logging
import math
import operator
import statistics
import types
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numba
import numpy as np

import srcad

SUPPORTED: dict[str, list[Callable]] = {}
REFUSED: dict[str, list[Callable]] = {}
POINTS: list[tuple[Callable, Any, Any]] = []


def primes(n):
    sieved = {m for k in range(2, n) for m in range(2 * k, n + 1, k)}
    return len({*range(2, n + 1)} - sieved)


class Point(NamedTuple):
    x: float
    y: float


class Swing:
    def __init__(self, angle, speed):
        self.angle, self.speed = angle, speed

    def moved(self, dt):
        return Swing(self.angle + dt * self.speed, self.speed - dt * math.sin(self.angle))


@dataclass
class Model:
    scale: float
    weights: np.ndarray


VALUES: dict[str, Any] = {
    "params": {"scale": 0.5, "weights": [np.array([1.0, -2.0]), 3.0]},
    "swing": Swing(0.4, 1.1), "point": Point(0.5, 1.5), "model": Model(0.5, np.array([1.0, -2.0])),
    "x": 0.7, "y": 1.3, "n": 3, "k": 2, "flag": True, "kind": "square", "nothing": None, "pair": (0.4, 1.1),
    "rows": [[0.4, 1.1], [0.7, -0.3]],
    "v": np.array([0.3, -0.8, 1.2, 0.5]), "w": np.array([1.1, 0.2, -0.4, 0.9]),
    "A": np.array([[2.0, 0.3, -0.1], [0.4, 1.5, 0.2], [-0.3, 0.1, 1.8]]), "b": np.array([0.5, -1.0, 0.25]),
    "index": np.array([0, 2, 2]), "mask": np.array([True, False, True, True]), "z": 0.6 + 0.8j,
}


def supported(section: str) -> Callable:
    return lambda fn: SUPPORTED.setdefault(section, []).append(fn) or fn


def refused(section: str) -> Callable:
    return lambda fn: REFUSED.setdefault(section, []).append(fn) or fn


def point(at: Any, derivative: Any) -> Callable:
    """A derivative that is a convention."""
    return lambda fn: POINTS.append((fn, at, derivative)) or fn


# ---------------------------------------------------------------- Assignment


@supported("Assignment")
def names(x):
    """names, several at once"""
    a = b = x * x  # <-
    return a * b


@supported("Assignment")
def tuples(x, y):
    """tuples, nested ones, swaps"""
    (a, b), c = (x * y, y), x
    a, b = b, a  # <-
    return a * a + b * c


@supported("Assignment")
def starred(v):
    """a starred name"""
    first, *rest = v[0], v[1], v[2]  # <-
    return first * rest[1]


@supported("Assignment")
def augmented(x):
    """augmented"""
    s = x
    s *= s + 1.0  # <-
    return s


@supported("Assignment")
def annotated(x):
    """annotated"""
    y: float = x * x  # <-
    return y


@supported("Assignment")
def walrus(x):
    """inside of an expression"""
    if (y := x * 2.0) > 0.5:  # <-
        return y * y
    return y


@supported("Assignment")
def elements(v):
    """elements and slices of arrays"""
    a = np.zeros(4)
    a[0] = v[1] * v[2]  # <-
    a[1:3] = v[:2] ** 2  # <-
    return np.sum(a)


@supported("Assignment")
def deleted(x):
    """names that are deleted"""
    y = x * x
    z = y * x
    del y  # <-
    return z


@supported("Assignment")
def becomes_float(x, n):
    """a name that is an integer first and a float later"""
    s = 0
    for i in range(n):
        s = s + x * i  # <-
    return s * s


@supported("Assignment")
def bound_in_a_branch(x, flag):
    """a name that only one branch binds, where it is read under the same test"""
    if flag:
        y = x * x  # <-
    return y if flag else x


@refused("Assignment")
def attributes(v):
    """attributes"""
    v.scale = 2.0  # <-
    return v * 2.0


@refused("Assignment")
def list_items(x):
    """elements that are deleted"""
    a = np.full(3, x)
    del a[0]  # <-
    return np.sum(a)


COUNT = 0


@refused("Assignment")
def globals_(x):
    """globals"""
    global COUNT  # <-
    COUNT = 1
    return x * COUNT


TABLE = np.ones(4)


@refused("Assignment")
def outside(v):
    """arrays from outside the function"""
    TABLE[0] = v[0]  # <-
    return np.sum(TABLE * v)


# ---------------------------------------------------------------- Loops


@supported("Loops")
def for_range(x, n):
    """`for` over `range`, with start, stop and step"""
    s = 0.0
    for i in range(2 * n, 0, -2):  # <-
        s += x ** i
    return s


@supported("Loops")
def for_array(A):
    """`for` over arrays, their rows"""
    s = 1.0
    for row in A:  # <-
        s *= row[0]
    return s


@supported("Loops")
def range_under_a_name(v):
    """ranges under a name, and as indices"""
    order = range(1, 3)  # <-
    return sum([v[i] * i for i in order]) * np.prod(v[range(2)])


@supported("Loops")
def for_tuple(x, y):
    """`for` over tuples"""
    s = 1.0
    for factor in (x, 2.0, y):  # <-
        s *= factor
    return s


@supported("Loops")
def enumerated(v, w):
    """`enumerate`, `zip`, `reversed`"""
    s = 0.0
    for i, (a, b) in enumerate(zip(v, w)):  # <-
        s += i * a * b
    return s


@supported("Loops")
def while_(x):
    """`while`"""
    while x < 100.0:  # <-
        x = x * x + 1.0
    return x


@supported("Loops")
def exits(v):
    """`break`, `continue`, `else`"""
    s = 0.0
    for i in range(4):
        if v[i] < 0.0:
            continue
        s += v[i] ** 2
        if s > 1.0:
            break  # <-
    else:
        s = s * 2.0
    return s


@supported("Loops")
def nested(A):
    """one inside the other, with bounds that depend on the outer one"""
    s = 0.0
    for i in range(3):
        for j in range(i + 1):  # <-
            s += A[i, j] * A[j, i]
    return s


@supported("Loops")
def comprehensions(v, w):
    """generator expressions in `sum`, `max`, `min`, `any`, `all`, `math.prod`"""
    return sum(v[i] * w[i] for i in range(4) if v[i] > 0.0) * max(a * a for a in v)  # <-


@supported("Loops")
def listed(v, x):
    """lists of known length, and lists that NumPy makes an array of"""
    a, b, c = [x**k for k in range(3)]
    return np.sum(np.array([a * u + c for u in v])) * b  # <-


@supported("Numbers and arrays")
def lists_as_arrays(v, x):
    """lists and tuples where NumPy makes arrays of them"""
    return np.dot([x, 2.0, 3.0, x * x], v) + np.sum(np.maximum([0.1, x], 0.2)) + np.sum(v * (1.0, x, 2.0, 3.0))  # <-


@supported("Loops")
def growing_lists(x, n):
    """lists that grow in loops and branches"""
    xs = [x]
    for _ in range(n):
        if xs[-1] < 2.0:
            xs.append(xs[-1] * 1.1)  # <-
    return sum(xs) + xs[-1] ** 2


@supported("Structures and constants")
def keys_that_are_texts(v):
    """dicts whose keys are texts, by a text that the path taken decides"""
    sums = {"even": 0.0, "odd": 0.0}
    for k in range(len(v)):
        sums["odd" if k % 2 else "even"] += v[k] ** 2  # <-
    return sums["even"] * sums["odd"]


@supported("Structures and constants")
def tables_of_texts(v):
    """lists and tables of texts, and keys that come on some paths, `d.get(name, 0.0)`"""
    moves = [[""] * len(v) for _ in range(len(v))]
    for k in range(len(v)):
        moves[0][k] = "up" if v[k] > 0.0 else "down"  # <-
    sums = {}
    for k in range(len(v)):
        name = moves[0][k]
        sums[name] = sums.get(name, 0.0) + v[k] ** 2
    return sums.get("up", 0.0) - 2.0 * sums.get("down", 0.0)


@supported("Loops")
def numbers_written_in_texts(v):
    """numbers that known texts say"""
    s = 0.0
    for part in "2:0.5,0:1.5".split(","):
        place, weight = part.split(":")
        s += float(weight) * v[int(place)]  # <-
    return s


@supported("Loops")
def states_named_by_text(v):
    """names that hold one text or another, where they are compared with text or printed"""
    state, s = "off", 0.0
    for t in v:
        if state == "off" and t > 0.0:
            state = "on"  # <-
        elif state == "on":
            s += t * t
    print(f"{state}: {s}")
    return s


@supported("Structures and constants")
def texts_asked(v):
    """texts that the path taken decides: their letters, length and methods, joined with others, in tuples, as keys"""
    rates, best = {"rate_up": 2.0, "rate_down": 3.0}, (0.0, "none")
    for t in v:
        kind = "up" if t > 0.5 else "down"
        best = max(best, (t * t * rates["rate_" + kind], kind))  # <-
    return best[0] * len(best[1]) if best[1].startswith("u") else best[0]  # <-


@supported("Loops")
def objects_carried(x, n):
    """objects, and lists of objects, that each iteration makes anew"""
    swing = Swing(x, 1.0)
    for _ in range(n):
        swing = swing.moved(0.1)  # <-
    return swing.angle * swing.speed


@supported("Loops")
def sums_of_arrays(A):
    """sums of arrays that begin at the number 0"""
    s = 0
    for row in A:
        s = s + row * row[0]  # <-
    return np.sum(s**2)


@supported("Loops")
def goes_on(v):
    """`while True`, left by `break` or `return`; loops that run no time"""
    s, k = 0.0, 0
    while True:  # <-
        if k == len(v):
            break
        for _ in range(k - 10):
            s = s * 100.0
        s += v[k] ** 2
        k += 1
    return s


@supported("Loops")
def ended(v):
    """`else` of `for` and `while`"""
    for a in v:
        if a > 100.0:
            break
    else:  # <-
        return np.sum(v * v)
    return v[0]


def squares(values):
    for a in values:
        yield a * a


@supported("Loops")
def generator_functions(v, w):
    """generator functions that are called, where all that they yield can be computed first"""
    s = 0.0
    for a, b in zip(squares(v), w):  # <-
        s += a * b
    return s * sum(squares(w))


def newton(x, a):
    while True:
        yield x
        x = 0.5 * (x + a / x)


@supported("Loops")
def generators_without_an_end(x):
    """generator functions without an end, by `next`, loops, `zip` and `itertools`"""
    steps = newton(1.0, x)
    s = next(steps) * next(steps)
    for k, y in zip(range(3), newton(x, 2.0)):  # <-
        s += k * y
    return s + sum(itertools.islice(steps, 2))


@refused("Loops")
def generator_read_twice(x):
    """generator expressions under a name that is read more than once"""
    parts = (x * i for i in range(3))  # <-
    return max(parts) + sum(parts)


@refused("Loops")
def generator_gone_through_twice(v):
    """generator functions, `zip(*rows)` and `itertools.accumulate` that may be gone through twice"""
    found = squares(v)  # <-
    return max(found) + sum(found)


@supported("Loops")
def generator_of_a_name(v):
    """generator expressions, `map`, `filter`, `zip` under a name, read once"""
    squares = (a * a for a in v if a > 0)  # <-
    return sum(squares) + max(map(abs, v)) + sum(filter(lambda a: a > 1, v))


@supported("Loops")
def sorted_values(v):
    """`sorted`, `list(map(...))`, `next` with a generator"""
    ranked = sorted(v, key=lambda a: -a)  # <-
    return ranked[0] * list(map(math.sin, v))[-1] + next(a for a in v if a > 0)


@supported("Loops")
def axes(A):
    """`np.ndindex` and `np.ndenumerate`, with a name for each index or one for all"""
    s = 0.0
    for (i, j), v in np.ndenumerate(A):  # <-
        s += v**2 * (i + 2 * j)
    for place in np.ndindex(A.shape):
        s += A[place] * A[0, 0]
    return s


@supported("Loops")
def iterators(v):
    """`itertools`: `product`, `combinations`, `permutations`, `accumulate`, `chain`, `islice` and others"""
    s = 0.0
    for a, b in itertools.combinations(v, 2):  # <-
        s += a * b
    for total in itertools.accumulate(v):
        s += total * total
    return s


@supported("Loops")
def items_that_the_loop_changes(v):
    """items of a dict that the loop changes; what is combined from values that it changes"""
    d, u, s = {"a": v[0], "b": v[1]}, v.copy(), 0.0
    for name, a in d.items():  # <-
        s += a * len(name)
        d["b"] = s * 2.0
    for a, b in itertools.combinations(u, 2):
        u[-1] = a * b * s
    return s * u[-1]


@supported("Loops")
def iterator_under_a_name(v):
    """`it = iter(v)`, read by `next` and a loop behind; `np.fromiter`"""
    it = iter(v)
    s = next(it)  # <-
    for a in it:
        s = s * a
    return s * np.sum(np.fromiter((a * a for a in v), float))


@refused("Loops")
def over_set(x):
    """sets in their own order"""
    s = 0.0
    for i in {1, 2}:  # <-
        s += x * i
    return s


@refused("Loops")
def float_range(x, y):
    """a range of floats"""
    for i in range(y):  # <-
        x = x * 2.0
    return x


@refused("Loops")
async def asynchronous(x):  # <-
    """asynchronous functions"""
    return x * x


# ---------------------------------------------------------------- Branches


@supported("Branches")
def if_(x):
    """`if`, `elif`, `else`"""
    if x > 1.0:
        return x
    elif x > 0.5:  # <-
        return x * x
    return 0.0


@supported("Branches")
def conditional(x, flag):
    """conditional expressions"""
    return x * x if flag else x  # <-


@supported("Branches")
def logic(x, n):
    """`and`, `or`, `not`, lazily; chained comparisons"""
    if 0.0 < x < 1.0 and not n == 0 or x / n > 2.0:  # <-
        return x ** 3
    return x


@supported("Branches")
def matches(x, n):
    """`match` on values, tuples, built-in types, with guards"""
    match n:
        case 1 | 2:
            return x
        case k if k > 2:  # <-
            return x ** k
    return 0.0


@supported("Branches")
def decided(v):
    """tests that types decide: only the branch taken must make sense"""
    if v.ndim == 2:  # <-
        return np.trace(v)
    return np.sum(v ** 2)


@supported("Branches")
def values_of_or(x, n):
    """`x or y` and `x and y` of values"""
    return (x or 2.0) * (n and x)  # <-


@refused("Branches")
def truth_of_an_array(v):
    """the truth of an array"""
    if v > 0.0:  # <-
        return np.sum(v)
    return np.sum(v * 2.0)


@supported("Branches")
def two_ranks(x, v):
    """names that are a number on one path and an array on another; loops that begin with a number"""
    y = v if x > 100.0 else x  # <-
    s = 1.0
    for a in v:
        s = s * a + v * np.sum(s)
    return np.sum(y) + np.mean(s)


@supported("Branches")
def none_until_found(x, v):
    """names that are None until a loop finds something, numbers or arrays"""
    found = None
    for a in v:
        if a > x:
            found = a * x  # <-
            break
    return x if found is None else found


@refused("Branches")
def result_of_two_ranks(x, v):
    """a result that is a number on one path and an array on another"""
    y = x
    if x > 0.0:  # <-
        y = v
    return y


# ---------------------------------------------------------------- Results, errors, context


@supported("Results, errors and contexts")
def returns(x):
    """`return` anywhere, also out of loops"""
    for i in range(5):
        x = x * 1.5
        if x > 2.0:
            return x  # <-
    return x * x


@supported("Results, errors and contexts")
def raises(x):
    """`raise` and `assert`, with formatted messages; they stay in the derivative"""
    if x < 0.0:
        raise ValueError(f"x is {x}")  # <-
    assert x < 10.0, "x is too large"
    return math.sqrt(x)


@supported("Results, errors and contexts")
def prints(x):
    """`print`"""
    if x > 100.0:
        print("large", x)  # <-
    return x * x


@supported("Results, errors and contexts")
def finally_(x):
    """`try` with `finally`, or with handlers that raise"""
    try:  # <-
        y = np.log(x)
    except ValueError as error:
        raise RuntimeError("x must be positive") from error
    finally:
        z = x * 2.0
    return y * z


@supported("Results, errors and contexts")
def handlers(x):
    """`try` with handlers that go on; the body is done once more, by Python, to see which one is reached"""
    try:  # <-
        y = math.log(x)
    except ValueError:
        y = x
    return y


@supported("Results, errors and contexts")
def tried_stores(v):
    """stores in the body of such a `try` behind all that may fail; appending to a list"""
    logs = []
    for a in v:
        try:
            logs.append(math.log(a))  # <-
        except ValueError:
            logs.append(a)
    return sum(logs)


@supported("Results, errors and contexts")
def missing_keys(v):
    """handlers of `KeyError` around elements of dicts: the key is asked for"""
    d, s = {0: v[0], 2: v[1]}, 0.0
    for k in range(3):
        try:
            s += d[k] * v[k]  # <-
        except KeyError:
            s += v[2] ** 2
    return s


@supported("Results, errors and contexts")
def kinds(x, v):
    """handlers of `TypeError` and `AttributeError` around what numbers or arrays cannot do: types decide"""
    y = v * x
    try:
        y[y < 0.0] = 0.0  # <-
    except TypeError:
        y = max(y, 0.0)
    return sum(y * v)


@supported("Results, errors and contexts")
def errstate(x):
    """`with np.errstate(...)`"""
    with np.errstate(divide="ignore"):  # <-
        y = 1.0 / x
    return y * x * x


@supported("Results, errors and contexts")
def settings(x):
    """`np.seterr`, unless it lets errors be raised"""
    old = np.seterr(divide="ignore")  # <-
    y = 1.0 / x
    np.seterr(**old)
    return y * x * x


@refused("Results, errors and contexts")
def raising(x):
    """floating-point errors that are raised"""
    np.seterr(divide="raise")  # <-
    return x / (x - 1.0)


@refused("Results, errors and contexts")
def exception(x):
    """handlers that go on and read their exception"""
    try:  # <-
        y = 1.0 / x
    except ZeroDivisionError as error:
        y = float(str(error))
    return y


@refused("Results, errors and contexts")
def lost(x):
    """handlers that go on with what the body has assigned before it failed"""
    y = 0.0
    try:  # <-
        y = x * x
        z = math.log(x)
    except ValueError:
        z = y
    return z


@refused("Results, errors and contexts")
def tried_store(x, v):
    """handlers that go on after stores behind which something may fail"""
    try:  # <-
        v[0] = math.log(x)
        v[1] = math.sqrt(x)
    except ValueError:
        pass
    return v[0] * v[1]


@refused("Results, errors and contexts")
def contexts(x):
    """other contexts"""
    with open("numbers.txt") as file:  # <-
        return x * float(file.read())


class Clock:
    def __enter__(self):
        self.start = time.perf_counter()
        return self

    def __exit__(self, *error):
        self.spent = time.perf_counter() - self.start


class Hiding(Clock):
    def __exit__(self, *error):
        return True


@supported("Results, errors and contexts")
def quiet_contexts(x):
    """`with warnings.catch_warnings()`, and contexts of your own classes"""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with Clock() as clock:  # <-
            y = x * x
    return y if clock.spent >= 0.0 else x


@supported("Results, errors and contexts")
def warns(x):
    """`warnings.warn`, logs, `time.perf_counter`"""
    if x > 100.0:
        warnings.warn("large", RuntimeWarning)  # <-
    logging.debug("small") if x < 0.0 else None
    return x * x


@refused("Results, errors and contexts")
def hides_errors(x):
    """contexts whose `__exit__` may hide errors"""
    with Hiding():  # <-
        return x * x


@refused("Results, errors and contexts")
def yields(x):
    """generators"""
    yield x * x  # <-


@refused("Results, errors and contexts")
def returns_a_function(x):
    """a function as the result"""
    return lambda t: t * x  # <-


# ---------------------------------------------------------------- Numbers and arrays


@supported("Numbers and arrays")
def floats(x, n):
    """floats, integers, truth values; an integer carries no derivative"""
    return x * n + float(n) * 0.5 * x  # <-


@supported("Numbers and arrays")
def complex_numbers(x):
    """complex numbers"""
    z = np.exp(1j * x) * complex(x, 2.0)  # <-
    return abs(z) ** 2 + z.real


@supported("Numbers and arrays")
def making(x, n):
    """arrays made by `np.zeros`, `ones`, `empty`, `full`, each with `_like`; `np.array`, `arange`, `linspace`"""
    a = np.array([x, 2.0 * x]) * np.ones(2)  # <-
    return np.sum(a * np.linspace(0.0, 1.0, 2)) + np.sum(np.full(n, x))


@supported("Numbers and arrays")
def reading(v, A):
    """elements, slices with steps, `...`, `None`"""
    return v[-1] * np.sum(v[::2]) + np.sum(A[..., 1] * A[:, None, 0])  # <-


@supported("Numbers and arrays")
def places_of_slices(A):
    """slices under names, in lists and tuples, one for each axis"""
    total = 0.0
    for axis in range(A.ndim):
        place = [slice(None)] * A.ndim
        place[axis] = slice(1, None)  # <-
        total += np.sum(A[tuple(place)] ** 2)
    return total


@supported("Numbers and arrays")
def gathering(v, index, mask):
    """integer arrays and masks as indices"""
    return np.sum(v[index] ** 2) + np.sum(v[mask])  # <-


@supported("Numbers and arrays")
def scattering(v, index):
    """stores through integer arrays and masks; of repeated indices the last one counts"""
    a = np.zeros(4)
    a[index] = v[:3] ** 2  # <-
    a[v > 0.0] += 1.0
    np.add.at(a, index, v[1:])
    return np.sum(a * a)


@supported("Numbers and arrays")
def of_one_number(x):
    """masks of numbers and arrays without axes: `x[x > 0]` has one element, or none"""
    a = np.asarray(x)
    root = np.zeros_like(a)
    root[a > 0] = np.sqrt(a[a > 0])  # <-
    root[a <= 0] -= a[a <= 0]
    return root * np.sum(a[a < 5.0])


@supported("Numbers and arrays")
def outputs(v):
    """`out=` and `where=`, `x.fill`, `x.sort()`, `x.flat`, `np.copyto`, `np.put`, `np.fill_diagonal`"""
    a = np.zeros(4)
    np.divide(1.0, v, out=a, where=v > 0.0)  # <-
    return np.sum(a * v ** 2)


@supported("Numbers and arrays")
def views(v):
    """views: written through, they share one gradient"""
    a = v.copy()
    row = a[1:]
    row[0] = a[0] * 2.0  # <-
    return np.sum(a * a)


@supported("Numbers and arrays")
def arguments(v):
    """arguments that are overwritten: the gradient is with respect to their values on entry"""
    v[0] = v[1] * v[2]  # <-
    return np.sum(v * v)


@supported("Numbers and arrays")
def broadcasting(v, A, b):
    """broadcasting, in every operation"""
    return np.sum((A * b) / (1.0 + b[:, None] ** 2)) + np.sum(v) * np.sum(A)  # <-


@supported("Numbers and arrays")
def attributes_of_arrays(A):
    """`shape`, `ndim`, `size`, `dtype`, `T`, `real`, `imag`, `len()`"""
    return np.sum(A @ A.T) / A.shape[0] + A.size * A[0, 0] / len(A)  # <-


@supported("Numbers and arrays")
def views_of_views(A):
    """views of views, several names for one array"""
    a = A.copy()
    row = a[1:][0][::2]  # <-
    same = row
    same[1] = a[0, 0] * 3.0
    return np.sum(a * a)


@supported("Numbers and arrays")
def buffers(v, n):
    """two buffers that change their names"""
    u, w = v.copy(), np.zeros_like(v)
    for _ in range(n):
        for i in range(1, len(v) - 1):
            w[i] = u[i - 1] * u[i + 1]
        u, w = w, u  # <-
    return np.sum(u * u)


@supported("Numbers and arrays")
def overlapping(v):
    """copies between slices that overlap, as NumPy does them; in-place operators"""
    a = v * 1.0
    a[1:] = a[:-1]  # <-
    a *= v
    return np.sum(a * a)


@supported("Numbers and arrays")
def flattened(A):
    """writing through `x.flat`, `x.ravel()`, `x.reshape(...)`, views or copies as NumPy makes them; flips, diagonals"""
    a = A * 2.0
    a.flat[::2] = A[0, 1]
    line, copy = a.ravel(), a.T.ravel()  # <-
    line[1] = A[2, 2]
    copy[2] = np.flip(a)[0, 0]
    return np.sum(a * a) + np.sum(copy * line)


@supported("Numbers and arrays")
def one_or_the_other(v, n):
    """names that are a view on one path and an array of their own on another"""
    a = v * 2.0
    w = a[1:] if n > 2 else v[1:] * 3.0  # <-
    w[0] = v[0] * v[1]
    return np.sum(a * a) + np.sum(w * w)


@supported("Numbers and arrays")
def ranks(A):
    """arrays of any rank and layout, empty ones and those that must not be written to"""
    B = A[:, None, :, None] * A.T[None, :, :, None]  # <-
    return np.sum(B * B) + np.sum(A[:0])


@supported("Numbers and arrays")
def whole_numbers(x, n):
    """integer powers, `//` and `%`, also of floats"""
    return x ** n + x ** -2 + (x * 7.0) % 2.0 + n // 2 * x  # <-


@supported("Numbers and arrays")
def precisions(v):
    """single and double precision mixed, as in NumPy"""
    a = v.astype(np.float32).astype(np.float64) * 0.0 + v  # <-
    return np.sum(a * a)


@supported("Numbers and arrays")
def compensated(v):
    """sums that take care of their rounding errors"""
    s, c = 0.0, 0.0
    for a in v:
        y = a * a - c
        t = s + y
        c = (t - s) - y  # <-
        s = t
    return s


@refused("Numbers and arrays")
def float_index(v, x):
    """an index that is no integer"""
    return v[x]  # <-


@refused("Numbers and arrays")
def too_many_indices(v):
    """more indices than dimensions"""
    return v[0, 1]  # <-


@refused("Numbers and arrays")
def changing_methods(v):
    """methods that change the length of an array"""
    v.resize(3)  # <-
    return v[0]


# ---------------------------------------------------------------- Tuples and constants


@supported("Structures and constants")
def tuples_of_numbers(x, pair):
    """tuples as arguments, locals and results; the gradient of a structure is one of the same form"""
    a, b = pair
    t = (a * x, b * x)  # <-
    return t[0] * t[-1]


@supported("Structures and constants")
def dicts(params, x):
    """dicts with fixed keys, lists of fixed length, one in the other"""
    return params["scale"] * x + params["weights"][1] * np.sum(params["weights"][0])  # <-


@supported("Structures and constants")
def lists(x, n):
    """lists that grow, by `append`, `extend`, `+=`, and shrink by `pop`"""
    values = [x]
    for i in range(n):
        values.append(values[-1] * x)  # <-
    return values.pop() + np.sum(np.array(values))


@supported("Structures and constants")
def lists_begun_in_loops(v):
    """lists that an iteration begins, for those that follow and for what follows the loop"""
    for k in range(len(v)):
        if k % 2 == 0:
            last = []  # <-
        last.append(v[k] ** 2)
    return sum(last) + last[0]


@supported("Structures and constants")
def growing_tuples(v):
    """tuples to which loops add"""
    squares = ()
    for a in v:
        squares = squares + (a * a,)  # <-
    return sum(squares) * squares[0]


@supported("Structures and constants")
def queue_of_arrays(v):
    """arrays that are taken from lists"""
    recent = [v]
    for k in range(3):
        recent.append(recent[-1] * v)
        if len(recent) > 2:
            oldest = recent.pop(0)  # <-
    return np.sum(oldest * recent[-1])


@supported("Structures and constants")
def lists_handed_on(v):
    """lists that are handed on by name, or chosen by a branch"""
    front, after = [v[0], v[1]], []
    for k in range(len(v)):
        for a in front:
            after.append(a * v[k])
        front, after = after, []  # <-
    chosen = front if v[0] > 0.0 else [v[0]]
    return sum(chosen)


@supported("Structures and constants")
def nested_structures(x, y):
    """dicts and lists inside of others, changed under any of their names"""
    state = {"position": {"x": x, "y": y}, "speed": [1.0, y]}
    position = state["position"]
    state["position"]["x"] += state["speed"][1]  # <-
    return position["x"] * y


@supported("Structures and constants")
def one_of_two_by_a_name(v):
    """one of several lists, dicts or objects, changed by a name for it; names of them that change places in a loop"""
    a, b = [1.0, v[0]], [2.0, v[1]]
    for k in range(3):
        t = a if v[k] > 0.5 else b  # <-
        t[0] += v[k] ** 2  # <-
        a, b = b, a  # <-
    return a[0] * b[0] + a[1] * b[1]


@supported("Structures and constants")
def queues(x, n):
    """lists that are cut off and extended; slices and sums of lists and tuples"""
    queue = [x, x * x]
    for i in range(n):
        queue = queue[1:] + [queue[0] * 0.5]  # <-
    return queue[0] * queue[1]


@supported("Structures and constants")
def columns(v, x):
    """`zip(*rows)`: the columns of an array, of a list of tuples or of lists"""
    points = [(a, a * x) for a in v]
    xs, ys = zip(*points)  # <-
    return sum(xs) * sum(ys)


@supported("Structures and constants")
def objects_in_lists(v):
    """objects in lists of any length; `max`, `min` and `sorted` by a key, as long as they are not changed"""
    springs = [Spring(a * a) for a in v]  # <-
    stiffest = max(springs, key=lambda s: s.stiffness)
    return sum(s.stiffness for s in springs) * stiffest.stiffness


@supported("Functions")
def imports(x):
    """imports inside of a function"""
    import math  # <-
    from numpy.linalg import norm as length  # <-
    return math.sin(x) * length(np.array([x, 2.0]))


@supported("Functions")
def results_not_used(v):
    """calls whose result nobody uses"""
    np.union1d(v, v)  # <-
    v.round(2)
    sorted(v)
    return v[0] * v[1]


@supported("Structures and constants")
def deques(v):
    """`collections.deque`; objects whose `__len__` or `__bool__` says whether they are true"""
    window = collections.deque(maxlen=2)  # <-
    s = 0.0
    for a in v:
        window.append(a * a)
        s += sum(window) * window[0]
    while window:
        s += window.popleft() ** 2
    return s


@supported("Structures and constants")
def objects_changed_in_lists(v):
    """objects that are changed where they are, in lists of any length"""
    springs = [Spring(a * a) for a in v]
    for k, spring in enumerate(springs):
        spring.stiffness += 0.1 * springs[k - 1].stiffness ** 2  # <-
    return sum(s.stiffness for s in springs)


@supported("Structures and constants")
def lists_of_different_lengths(v):
    """lists of lists that grow one by one, or are of different lengths"""
    buckets = [[] for _ in range(len(v))]
    for k in range(len(v)):
        buckets[k // 2].append(v[k])  # <-
    return sum(sum(bucket) ** 2 for bucket in buckets)


@supported("Structures and constants")
def lists_that_are_begun_anew(v):
    """lists that are put into others and begun anew"""
    parts, part = [], []
    for a in v:
        part.append(a)
        if a > 1.0:
            parts.append(part)  # <-
            part = []
    return sum(sum(each) ** 2 for each in parts) + sum(part)


@supported("Structures and constants")
def arrays_of_different_lengths_in_lists(v):
    """lists of arrays of different shapes"""
    parts = []
    for k in range(len(v)):
        parts.append(v[k:])  # <-
    return np.sum(np.concatenate(parts) ** 2) + sum(part[0] for part in parts)


@supported("Structures and constants")
def arrays_in_lists(v):
    """arrays in lists of any length, changed or replaced"""
    rows = [np.array([a, a * a]) for a in v]
    for k in range(len(rows)):
        rows[k] = rows[k] * rows[k - 1]  # <-
    return sum(np.sum(row) for row in rows)


@supported("Structures and constants")
def changed(x, y):
    """dicts and lists that the function made are changed"""
    table = {"a": x}
    table["b"] = table["a"] * y  # <-
    return table["a"] * table["b"]


@supported("Structures and constants")
def named(point):
    """named tuples"""
    return point.x * point.y ** 2  # <-


@supported("Structures and constants")
def data(model):
    """dataclasses"""
    return model.scale * np.sum(model.weights ** 2)  # <-


@supported("Structures and constants")
def plain_objects(swing, x):
    """objects of plain classes: the gradient has the same attributes"""
    return swing.moved(x).angle ** 2  # <-


@supported("Structures and constants")
def changed_for_the_caller(model):
    """dataclasses and dicts of the caller's that are changed: the caller sees it once"""
    for k in range(3):
        model.scale = model.scale * model.weights[0] + 0.1 * k  # <-
    return model.scale * np.sum(model.weights ** 2)


@supported("Structures and constants")
def changed_list_of_the_caller(rows):
    """lists of numbers of the caller's, and of such lists: they are changed once, too, and may change places"""
    rows[0], rows[1] = rows[1], rows[0]  # <-
    rows[0][0] *= rows[1][0] ** 2
    return rows[0][0] * rows[1][1] * rows[0][1]


@supported("Structures and constants")
def strings(x, kind):
    """strings and None as arguments: each value has a derivative of its own"""
    if kind == "square":  # <-
        return x * x
    return x


@supported("Structures and constants")
def optional(x, nothing):
    """None"""
    return x * x if nothing is None else nothing  # <-


SCALE = 3.0


@supported("Structures and constants")
def constants(x):
    """globals, closures, constants of modules; their values when the derivative is made"""
    return x * SCALE * math.pi  # <-


class Spring:
    def __init__(self, stiffness):
        self.stiffness = stiffness

    def energy(self, x):
        return 0.5 * self.stiffness * x ** 2


class Moving:
    def __init__(self, place, speed):
        self.place, self.speed = place, speed


class Kind(enum.Enum):
    LINEAR = 1
    SQUARE = 2


@supported("Structures and constants")
def inner_objects(x, y):
    """objects in objects, which loops and branches exchange"""
    body = Moving(Swing(x, y), Swing(y, x))
    for _ in range(3):
        body.place = body.speed.moved(0.1)  # <-
        body.speed = Swing(body.place.speed, body.speed.angle)
    return body.place.angle * body.speed.speed


class Network:
    def __init__(self):
        self.layers = []


@supported("Structures and constants")
def lists_that_get_objects(x):
    """lists and dicts that get objects, under any of their names"""
    net = Network()
    net.layers.append(Spring(x))  # <-
    layers = net.layers
    layers += [Spring(x * x)]
    return sum(layer.stiffness for layer in net.layers)


@supported("Structures and constants")
def order_of_tuples(v):
    """tuples compared with each other, the best of several, all in order"""
    if (v[0], 1) < (v[1], 0):  # <-
        return v[2]
    best, place = max((v[k] * v[0], k) for k in range(3))  # <-
    ranked = sorted([(v[0], 2), (v[1], 1), (v[2], 0)])  # <-
    return best * place + ranked[0][0] * ranked[1][0]


@supported("Structures and constants")
def lists_of_objects(x):
    """lists that objects hold"""
    swing = Swing([x, 1.0], 0.0)
    swing.angle[0] += x * x  # <-
    return swing.angle[0] * swing.angle[1]


@supported("Structures and constants")
def members(x):
    """enumerations: loops over them, members as keys and in tests"""
    s = 0.0
    for kind in Kind:  # <-
        s += {Kind.LINEAR: x, Kind.SQUARE: x * x}[kind] * (2.0 if kind is Kind.SQUARE else kind.value)
    return s


class Dense:
    def __init__(self, sizes, scale):
        self.count = len(sizes)
        self.weights = [np.full((m, n), scale) for m, n in zip(sizes[1:], sizes[:-1])]

    def forward(self, a):
        for k in range(self.count - 1):
            a = np.tanh(self.weights[k] @ a)  # <-
        return np.sum(a)


@supported("Structures and constants")
def counts_in_attributes(x, v):
    """numbers that attributes keep, as bounds of short loops over arrays of different shapes"""
    return Dense([4, 2, 1], x).forward(v)


@supported("Structures and constants")
def states_with_names(x, v):
    """texts that loops change, in names, attributes and dicts: machines with states"""
    machine = {"state": "rising", "level": 0.0}
    for t in v:
        machine["level"] += t * x if machine["state"] == "rising" else -t
        machine["state"] = "falling" if machine["level"] > 0.5 else "rising"  # <-
    return machine["level"]


@supported("Structures and constants")
def slices_that_go(x, n):
    """slices of lists that are deleted, or become others of another length"""
    xs = [x * k for k in range(n)]
    for k in range(2):
        xs[1:2] = [xs[0] + x, x]  # <-
        del xs[:1]  # <-
    return sum((k + 1) * t for k, t in enumerate(xs))


@supported("Structures and constants")
def computed_texts(x):
    """keys that are made of known texts and of the index of a loop"""
    params = {f"w{k}": x + k for k in range(3)}
    for k in range(3):
        params["w" + str(k)] *= params[f"w{k}"]  # <-
    return sum(params.values())


class Row:
    def __init__(self, values):
        self.values = values * 2.0

    def __getitem__(self, k):
        return self.values[k]

    def __setitem__(self, k, value):
        self.values[k] = value


@supported("Structures and constants")
def objects(x, y):
    """objects of your own classes, made inside: attributes, properties, methods, operators"""
    spring = Spring(x * y)  # <-
    spring.stiffness = spring.stiffness + 1.0  # <-
    return spring.energy(x)


@supported("Structures and constants")
def object_of_a_path(x):
    """objects that depend on the path taken"""
    spring = Spring(x)
    if x > 0.5:
        spring = Spring(2.0 * x)  # <-
    return spring.energy(x)


@supported("Structures and constants")
def objects_under_several_names(x, n):
    """objects that are changed while loops and branches give their names to others; `is`"""
    a, b = Spring(x), Spring(x * x)
    best = a
    for k in range(n):
        a.stiffness += 0.1 * b.stiffness ** 2
        if a.stiffness > best.stiffness and a is not best:
            best = a
        a, b = b, a  # <-
    return a.stiffness * best.stiffness


@supported("Structures and constants")
def rows_at_any_index(v, x):
    """rows of lists and tuples at an index that is not known"""
    points, area = [(v[0], x), (x, v[1]), (v[2], v[0])], 0.0
    for i in range(len(v)):
        a, b = points[i % 3]  # <-
        area += a * b * points[i - 1][0]  # <-
    return area


@supported("Structures and constants")
def picked_and_ranked(v, x):
    """objects, dicts and texts at an index that is not known; `sorted` and `sort` of them by a key"""
    springs, names = [Spring(x), Spring(v[0] * x)], ("soft", "stiff")
    k = int(np.argmax([spring.stiffness for spring in springs]))
    softest = sorted(springs, key=lambda spring: spring.stiffness)[0]  # <-
    return springs[k].stiffness * softest.stiffness ** 2 * len(names[k])  # <-


@supported("Structures and constants")
def heaps(v):
    """`heapq`; rows of a list of lists that change places; `copy.deepcopy` of lists and dicts"""
    rows = [[a, a * a] for a in v]
    heap = []
    for k in range(len(v)):
        heapq.heappush(heap, (v[k], k))  # <-
        rows[0], rows[k] = rows[k], rows[0]  # <-
    kept = copy.deepcopy(rows)
    rows[0][0] *= kept[0][1]
    smallest, place = heapq.heappop(heap)
    return smallest * rows[0][0] * rows[place][1]


@supported("Structures and constants")
def copies(v):
    """`copy.copy` and `copy.deepcopy` of objects, lists, dicts and arrays"""
    spring = Spring(v[0])
    other, third = copy.copy(spring), copy.deepcopy([spring, v])  # <-
    other.stiffness *= v[1]
    return spring.stiffness * other.stiffness * third[0].stiffness


@supported("Structures and constants")
def taken_out_of_a_dict(v):
    """elements that are taken out of dicts, the caller's, too"""
    table = {"x": v, "scale": v[0] * 2.0}
    scale = table.pop("scale") * table.pop("power", 1.5)  # <-
    return np.sum(table["x"] ** 2) * scale


SPRING = Spring(2.0)


@supported("Structures and constants")
def global_objects(x):
    """global objects; what an attribute holds is a constant"""
    return SPRING.energy(x)  # <-


METER = types.SimpleNamespace(calls=0)


@supported("Structures and constants")
def counted(x, y):
    """attributes of global objects that the function sets: the object has them after the call, as after that of `f`"""
    METER.calls += 1  # <-
    METER.last = x * y  # <-
    return METER.last * x


@supported("Structures and constants")
def computed_keys(v, n):
    """dicts with computed keys, numbers or tuples of them, that hold numbers, arrays or lists"""
    table = {0: v[0]}
    for k in range(1, n):
        table[k] = table[k - 1] * v[1]  # <-
    cells = {}
    for k in range(4):
        cells.setdefault(k % 2, []).append(v[k])  # <-
    return sum(table.values()) + table.get(9, 0.5) * sum(cells[1])


@supported("Structures and constants")
def pairs_in_pairs(v, n):
    """tuples in the tuples of a list that grows, and loops over the items of dicts whose keys are tuples"""
    entries, path = {(0, 0): v[0]}, []
    for k in range(n):
        entries[k, k + 1] = entries.get((k, k), 0.0) + v[k] * v[k]
        path.append(((k, k + 1), v[k]))  # <-
    s = sum(a * (j - i) for (i, j), a in path)
    for (i, j), a in entries.items():  # <-
        s += a * (i + 1.0) * j
    return s


@supported("Structures and constants")
def histories(v):
    """dicts of lists that grow in loops; keys that a dict gets on some paths only; dicts in lists that are changed"""
    history = {"x": []}
    bodies = [{"x": a, "m": 1.0} for a in v]
    for body in bodies:
        history["x"].append(body["x"] ** 2)  # <-
        body["m"] *= body["x"]  # <-
        if body["m"] > 0.6:
            history["last"] = body["m"]
    return sum(history["x"]) * history.get("last", 2.0) + bodies[0]["m"]


@supported("Structures and constants")
def characters(v):
    """characters of texts, compared with each other and as keys, at positions that a loop computes"""
    word, rates = "abcab", {"a": v[0], "b": v[1], "c": 2.0}
    s = 0.0
    for i in range(1, len(word)):
        if word[i] != word[-i]:  # <-
            s += rates[word[i]] ** 2  # <-
    return s


@supported("Structures and constants")
def sets(v):
    """sets of numbers: what is in them, how many, `sorted`; `collections.defaultdict`, `collections.Counter`"""
    seen = {1}  # <-
    sums = collections.defaultdict(float)  # <-
    for k in range(4):
        if k not in seen:
            sums[k % 2] += v[k]
        seen.add(k % 3)
    counts = collections.Counter([0, 1, 1])  # <-
    return sums[0] * sums[1] + sum(v[k] for k in sorted(seen)) * counts[1] / len(seen)


@supported("Structures and constants")
def stored_by_index(v):
    """objects whose class has `__setitem__`"""
    row = Row(v)
    row[1] *= 3.0  # <-
    return row[1] * row[0]


@refused("Structures and constants")
def set_comprehensions(v):
    """set comprehensions"""
    return v[0] * len({k // 2 for k in range(3)})  # <-


# ---------------------------------------------------------------- Functions


def helper(t, scale=2.0):
    return t * t * scale


def energy(v):
    return np.sum(v ** 3)


def np_square(v):
    return v ** 2


@numba.njit
def compiled(t):
    return math.sin(t)


@supported("Functions")
def calls(x):
    """your own functions, with defaults and keywords; `@njit` functions"""
    return helper(x, scale=3.0) * helper(x) + compiled(x)  # <-


@supported("Functions")
def inner_functions(x):
    """nested functions and lambdas, with what they close over"""
    square = lambda t: t * t + x  # <-
    return square(square(x))


@supported("Functions")
def inner_function_that_counts(x):
    """nested functions that assign a `nonlocal` name, or change a list around them"""
    total = 0.0
    def add(t):
        nonlocal total  # <-
        total += t * t
    add(x)
    add(math.sin(x))
    return total


@supported("Functions")
def passed(x):
    """functions as arguments and results"""
    def twice(f, t):
        return f(f(t))
    return twice(helper, x)  # <-


@supported("Functions")
def partials(x):
    """`functools.partial`, `functools.reduce`, wrappers with `*args, **kwargs`"""
    return functools.partial(helper, scale=0.5)(x) * functools.reduce(operator.mul, (x, x))  # <-


@supported("Functions")
def chosen(x, n):
    """functions chosen by a test, in tuples and dicts of constants"""
    f = math.sin if n > 2 else math.cos  # <-
    return f(x)


@supported("Functions")
def vectorized_function(v):
    """`np.vectorize`, `numba.vectorize`, `np.apply_along_axis` of a matrix"""
    return np.sum(np.vectorize(lambda t: t * t if t > 0 else 0.1 * t)(v))  # <-


@numba.stencil
def neighbours(u):
    return u[-1] + u[1] - 2 * u[0]


@supported("Functions")
def with_neighbours(v):
    """`numba.stencil`, `numba.guvectorize` with or without the array for the result, `numba.typed.List` and `Dict`"""
    return np.sum(neighbours(v) ** 2)  # <-


def scaled(tree, x):
    return {key: scaled(tree[key], x) for key in tree} if isinstance(tree, dict) else x * tree


@supported("Functions")
def calls_itself_for_parts(x):
    """functions that call themselves for the parts of nested dicts, lists and tuples"""
    tree = scaled({"a": x, "more": {"b": 2.0}}, x)  # <-
    return tree["a"] + tree["more"]["b"]


@supported("Functions")
def calls_itself(x, n):
    """functions that call themselves, directly or through others"""
    return x if n == 0 else x * calls_itself(math.sin(x), n - 1)  # <-


@supported("Functions")
def fills_recursively(x):
    """functions that call themselves and write into their arguments"""

    def fill(a, k):
        if k > 0:
            fill(a, k - 1)
            a[k] = a[k - 1] * x  # <-
        return a[0]

    return fill(np.full(4, x), 3)


@supported("Functions")
def remembers_recursively(x):
    """functions that call themselves and change lists and dicts of their callers: what was found, or computed before"""
    known, path = {0: x, 1: x * x}, []

    def value(k):
        path.append(k)
        if k not in known:
            known[k] = value(k - 1) * x + value(k - 2)  # <-
        return known[k]

    return value(5) * len(path)


@supported("Functions")
def derivatives(x):
    """derivatives: `srcad.grad(f)(x)` inside of a function"""
    return srcad.grad(helper)(x) * x  # <-


@supported("Functions")
def products(v):
    """`srcad.jvp`, `vjp`, `hvp`, `jacobian`, `hessian` inside of a function"""
    back = srcad.vjp(energy)(v, 2.0)[1]
    matrices = np.sum(srcad.jacobian(np_square)(v)) + np.sum(srcad.hessian(energy)(v))
    return np.sum(srcad.hvp(energy)(v, tangents=v)) + np.sum(back) + matrices  # <-


@supported("Functions")
def held(x):
    """`srcad.stop_gradient`"""
    y = x * x
    return y * srcad.stop_gradient(2.0)  # <-


@supported("Functions")
def methods(v):
    """methods of arrays, those that sort and fill it, too"""
    v.sort()  # <-
    return v.sum() * v.max() + v.reshape(2, 2).mean()  # <-


@supported("Functions")
def stars(x, y):
    """`*args` and `**kwargs` in calls, keyword-only parameters"""
    def inner(a, b, *, scale=1.0): return a * b * scale
    return inner(*(x, y), **{"scale": x})  # <-


@supported("Functions")
def several_stars(v, w):
    """several stars in a call; a parameter `*rest` that arrays of any length fill"""
    def inner(first, *rest): return first * sum(r * r for r in rest)
    return inner(*v, *w)  # <-


@supported("Functions")
def of_python_modules(v):
    """`statistics`, `operator.itemgetter` and its kin, the methods of numbers that count"""
    pairs = sorted(zip(v, v ** 2), key=operator.itemgetter(1))
    return pairs[0][0] * statistics.pstdev(v) * len(v).bit_length()  # <-


@supported("Functions")
def off_the_path(x, n):
    """calls without a rule through which no derivative goes"""
    scale = 1.0 + len(np.union1d(np.ones(n), np.zeros(n)))  # <-
    return x * x * scale


@supported("Functions")
def left_alone(x, n):
    """functions with what the language leaves out, where no derivative goes through them: they log, build sets"""
    logging.debug("x is %s", x)  # <-
    return x * primes(n)  # <-


@supported("Functions")
def functions_of_lists(v):
    """`map`, `filter`, `sorted`, also with functions of your own"""
    return sum(map(np_square, v)) + sorted([v[0], v[1]])[0]  # <-


@refused("Functions")
def classes(x):
    """classes inside of a function"""
    class Point:  # <-
        scale = 2.0
    return x * Point.scale


@refused("Functions")
def imports_under_one_name(x):
    """imports that bind one name to several things, or a name that is a variable, too"""
    import math as m  # <-
    m = m.sin(x)
    return m


@refused("Functions")
def evaluation(x):
    """`eval`, `exec`, `open` and their kin"""
    return eval("x * x")  # <-


@refused("Functions")
def unknown(x):
    """names that are not defined"""
    return x * undefined  # <-


# ---------------------------------------------------------------- Where derivatives do not exist


@point(0.0, 0.0)
def absolute(x):
    """`abs(x)`, `np.sign(x)`"""
    return abs(x) + np.sign(x)


@point(0j, 0j)
def absolute_complex(z):
    """`abs(z)` of a complex number"""
    return abs(z)


@point(np.zeros(2), np.zeros(2))
def norm(v):
    """`np.linalg.norm(v)`, `np.hypot`"""
    return np.linalg.norm(v) + np.hypot(v[0], v[1])


@point(0.0, 1.0)
def powers(x):
    """`x**0 + x**1 + x**2`: as of a polynomial"""
    return x**0 + x**1 + x**2


@point(0.0, np.inf)
def root_power(x):
    """`x**0.5`"""
    return x**0.5


@point(0.7, 0.0)
def zero_to_the_power(y):
    """`0.0**y` with respect to `y`"""
    return 0.0**y


@point(0.0, np.inf)
def root(x):
    """`np.sqrt(x)`, `np.cbrt(x)`, `np.log(x)`: infinite, as in IEEE arithmetic"""
    return np.sqrt(x)


@point(np.zeros(2), np.array([np.nan, np.nan]))
def root_of_squares(v):
    """`np.sqrt(np.sum(v**2))`: NaN, as in TensorFlow and JAX"""
    return np.sqrt(np.sum(v**2))


@point(1.0, 1.0)
def maximum_first(x):
    """`np.maximum(x, 1.0)`, `np.minimum(x, 1.0)` at a tie: of the first argument"""
    return np.maximum(x, 1.0)


@point(1.0, 0.0)
def maximum_second(x):
    """`np.maximum(1.0, x)`, `np.minimum(1.0, x)` at a tie"""
    return np.maximum(1.0, x)


@point(np.array([2.0, 2.0, 1.0]), np.array([0.5, 0.5, 0.0]))
def largest(v):
    """`np.max(v)`, `np.min(v)` at a tie: shared equally"""
    return np.max(v)


@point(1.0, 1.0)
def clipped(x):
    """`np.clip(x, 0.0, 1.0)` at a bound: of the clipped argument"""
    return np.clip(x, 0.0, 1.0)


@point(np.array([0.0, 2.0, 3.0]), np.array([6.0, 0.0, 0.0]))
def product(v):
    """`np.prod(v)`: the product of the other elements"""
    return np.prod(v)


@point(2.0, 0.0)
def floor(x):
    """`np.floor(x)`, `ceil`, `round`, `trunc`, `//`, `int`"""
    return np.floor(x) + x // 1.0 + int(x)


@point(0.0, 0.0)
def branch(x):
    """`x if x > 0.0 else 0.0`: of the branch taken"""
    return x if x > 0.0 else 0.0


@point(0.0, 1.0)
def chosen_part(x):
    """`np.where(x > 0.0, np.log(x), x)`: of what is chosen; what is not chosen contributes 0"""
    return np.where(x > 0.0, np.log(x), x)
