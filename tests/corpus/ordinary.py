"""What stands beside the numbers in ordinary programs: computed keys, enumerations, contexts, warnings."""

from __future__ import annotations

import cmath
import enum
import time
import warnings

import numpy as np

from tests.corpus import normal, program


class Kind(enum.Enum):
    LINEAR = 1
    SQUARE = 2


class Parts(enum.Flag):
    DRAG = 1
    LIFT = 2


class Clock:
    def __init__(self):
        self.spent = 0.0

    def __enter__(self):
        self.start = time.perf_counter()
        return self

    def __exit__(self, *error):
        self.spent += time.perf_counter() - self.start


class Doubled:
    def __init__(self, factor):
        self.factor = factor

    def __enter__(self):
        self.factor = self.factor * 2.0
        return self.factor

    def __exit__(self, kind, error, trace):
        self.factor = 0.0
        return False


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def __radd__(self, other):
        return self if other == 0 else Point(self.x + other, self.y + other)


@program(0.3, 0.4, tags="nojit")
def keys_computed_of_known_names(a, b):
    params = {"a_w": a, "b_w": b, "a_c": 1.0, "b_c": 2.0}
    s = 0.0
    for name in ("a", "b"):
        params[name + "_w"] = params[name + "_w"] * 2.0 + params["_".join([name, "c"])]
        params[name + "_c"] += a
        s += params[f"{name}_w"] ** 2 * params[f"{name}_c"]
    scaled = {}
    for name in params:
        scaled["my " + name] = params[name] * b
    return s + scaled["my a_w"] * scaled["my b_c"]


@program(normal(4), tags="nojit")
def keys_with_numbers(v):
    layers = {f"w{k}": v[k] for k in range(4)}
    s = 1.0
    for k in range(3):
        layers["w" + str(k)] *= layers[f"w{k + 1}"]
        key = f"b{k}"
        layers[key] = v[k] ** 2
        s = s * layers[f"w{k}"] + layers[key]
    return s + layers["b2"]


def by_kind(x, kind):
    match kind:
        case Kind.LINEAR:
            return 3.0 * x
        case Kind.SQUARE:
            return x * x


@program(0.4, tags="nojit")
def members_of_enumerations(x):
    table, s = {Kind.LINEAR: x, Kind.SQUARE: x * x}, 0.0
    for kind in Kind:
        s = s * 2.0 + table[kind] + by_kind(x, kind)
        table[kind] = s * (x if kind == Kind.SQUARE else 1.0)
    parts = Parts.DRAG
    if parts & Parts.LIFT:
        s *= 100.0
    parts |= Parts.LIFT
    if Parts.LIFT in parts and parts != Parts.DRAG:
        s *= x
    return s * len(Kind) + table[Kind["LINEAR"]] * list(Kind)[1].value


@program(normal(4), tags="nojit")
def contexts_that_change_no_number(v):
    with warnings.catch_warnings(), np.printoptions(precision=3):
        warnings.simplefilter("ignore")
        w = v / (2.0 + v**2)
    clock = Clock()
    with Clock() as inner:
        w = w * v
    return np.sum(w) if inner.spent < 1e9 + clock.spent else 0.0


@program(0.4, tags="nojit")
def contexts_left_early(x):
    for k in range(3):
        with Doubled(x) as factor, np.errstate(all="ignore"):
            if k == 2:
                return factor * x * k
            if k == 1:
                continue
            x = x * factor + 1.0
    return x


@program(normal(4), tags="nojit")
def warned_of_large_sums(v):
    s = np.sum(v**2)
    warnings.warn(f"{s}") if s > 1e8 else None
    if s > 1e9:
        warnings.warn("large", RuntimeWarning, stacklevel=2)
    return s


@program(0.3, 0.4, tags="nojit")
def sums_of_objects(x, y):
    points = [Point(x * k, y + k) for k in range(4)]
    total, other = sum(points, Point(0.0, x)), sum(points)
    return total.x * total.y * other.y


@program(0.5, tags="nojit")
def attributes_by_their_names(x):
    point = Point(x, x * x)
    for name in ("x", "y"):
        setattr(point, name, getattr(point, name) * 2.0 + x)
    return point.x * point.y * (point == point) * (2.0 if point != Point(x, x) else 3.0)


@program(0.7, tags="complex nojit")
def nearest_of_complex_numbers(x):
    best = cmath.infj
    for k in range(3):
        z = complex(x, k - 1.0)
        if abs(z) < abs(best):
            best = z
    return abs(best) ** 2 + (best * best).real


@program(0.6)
def only_some_steps_are_taken(x):
    s, h = 0.0, x
    for n in range(5):
        trial = s + h * h
        if n % 2 == 1:
            s = trial
        h *= 0.9
    return s


@program(normal(5, 3))
def rows_are_added_or_taken_away(x):
    s = np.zeros(3)
    for i in range(5):
        trial = s + x[i] ** 2
        if x[i, 0] > 0:
            s = trial
        else:
            s = s - x[i]
    return np.sum(s**2)


@program(normal(6))
def the_sum_before_or_the_one_after(x):
    s = 0.0
    for v in x:
        trial = s + v * v
        s = s + v
        if v < 0:
            s = trial
    return s


@program(0.6)
def an_inner_sum_taken_or_not(x):
    s, h = 0.0, x
    for n in range(4):
        trial = s
        for _ in range(3):
            trial = trial + h * h
        if n != 2:
            s = trial
        h = h * 0.9
    return s
