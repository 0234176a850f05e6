"""Operators of structures whose class has methods for them: what the class says, for arguments and for what is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import pytest

import srcad
from srcad.testing import check_grads


class Methods:
    """What an operator means differs from what it means for the fields."""

    def __mul__(self, k):
        return type(self)(self.x * k, self.y * k)

    def __eq__(self, other):
        return self.x > 0

    def __getitem__(self, i):
        return (self.x + 2 * self.y) * i

    def __len__(self):
        return 7

    def __bool__(self):
        return bool(self.x > 10)

    def __contains__(self, item):
        return True

    def __lt__(self, other):
        return self.y < other.y

    def __abs__(self):
        return self.x * self.y * 5

    def both(self):
        return abs(self) * (self * 2).x

    def __neg__(self):
        return type(self)(-self.x, self.y)


class Pair(NamedTuple):
    x: float
    y: float


for _name in vars(Methods).keys() - {"__module__", "__dict__", "__weakref__", "__doc__", "__hash__"}:
    setattr(Pair, _name, vars(Methods)[_name])


@dataclass(eq=False)
class Fields(Methods):
    x: float
    y: float


@dataclass(eq=False)
class Iterable(Methods):
    x: float
    y: float

    def __iter__(self):
        return iter([3 * self.x, self.y, self.x * self.y])


@dataclass
class Plain:
    x: float
    y: float


OPERATIONS = {
    "product": lambda p, q: (p * 2).x * (q * p.x).y,
    "equal": lambda p, q: p.x**2 if p == q else p.y,
    "element": lambda p, q: p[3] * q[1],
    "length": lambda p, q: p.x**2 * len(p),
    "truth": lambda p, q: p.x * p.y if p else p.y**2,
    "not": lambda p, q: p.x * p.y if not p else p.y**2,
    "within": lambda p, q: p.x**2 if 5 in p else p.y,
    "order": lambda p, q: p.x * q.y if p < q else p.y,
    "other order": lambda p, q: p.x * q.y if p > q else p.y**2,
    "absolute": lambda p, q: abs(p) * abs(q),
    "method": lambda p, q: p.both() * q.both(),
    "of results": lambda p, q: abs(p * 3) + (q * 2 * 3).both() if p * 2 < q * 3 else (-(p * 4)).y,
    "negative": lambda p, q: (-p).x * q.x + (-q).y * p.y,
}


@pytest.mark.parametrize("cls", [Pair, Fields])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_operators_of_arguments(operation, cls):
    check_grads(OPERATIONS[operation], (cls(1.3, 2.0), cls(3.0, 4.5)), target="python")


@pytest.mark.parametrize("cls", [Pair, Fields])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_operators_of_what_is_made(operation, cls):
    meaning = OPERATIONS[operation]
    check_grads(lambda a, b: meaning(cls(a, b), cls(b, 3.0)), (1.3, 2.0), target="python")


def test_unequal():
    check_grads(lambda p, q: p.x * q.x if p != q else p.y * q.y, (Fields(1.3, 2.0), Fields(3.0, 4.5)), target="python")
    check_grads(lambda a: a**2 if Fields(a, a) != Fields(a, 1.0) else a, (1.3,), target="python")
    check_grads(lambda a: a**2 if Plain(a, a) != Plain(a, 1.0) else a, (1.3,), target="python")
    check_grads(lambda a: a**2 if Plain(a, a) == Plain(a, 1.0) else a, (1.3,), target="python")


@pytest.mark.parametrize("use", [
    lambda p: sum(p),
    lambda p: max(p) * min(p),
    lambda p: sum(a**2 for a in p),
    lambda p: list(p)[2] * p.x,
])  # fmt: skip
def test_a_dataclass_is_gone_over_by_its_method(use):
    check_grads(use, (Iterable(1.3, 2.0),), target="python")


@pytest.mark.parametrize("use", [
    lambda p: sum(p),
    lambda p: sum(a**2 for a in p),
    lambda p: p.x * len(p),
    lambda p: p.x if 3.0 in p else p.y,
])  # fmt: skip
def test_fields_are_no_elements(use):
    with pytest.raises(srcad.UnsupportedError, match="Plain"):
        srcad.grad(use, target="python")(Plain(1.3, 2.0))
