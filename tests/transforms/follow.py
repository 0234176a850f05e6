"""Interpreting a typed function while comparing every value with its type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from srcad.lang import ir, walk
from srcad.lang.promote import type_of
from srcad.lang.types import Array, Scalar, TupleType, Type
from srcad.transforms.rooms import rooms
from tests import interpret

WEAKLY = {"bool": (bool,), "int64": (bool, int), "float64": (bool, int, float), "complex128": (complex, float, int)}


def signature_of(value: Any) -> Type:
    """The type of an argument, its dimensions without a name."""
    kind = type_of(value)
    return Array(kind.dtype, tuple(map(str, range(kind.ndim))), kind.layout) if isinstance(kind, Array) else kind


def follow(fn: ir.Function, *args: Any) -> Any:
    """Run a typed function, checking each value as it is made."""
    follower = Follower()
    if len(args) < len(fn.params):
        args = tuple(leaves(args))
    for number, param in enumerate(fn.params):
        follower.bind(param.name, param.type, args[number] if number < len(args) else param.default.value)
    with np.errstate(all="ignore"):
        follower.block(rooms(fn).body[:-1])
        result = interpret.evaluate(fn.body[-1].value, follower.env)
    check(fn.body[-1].value.type, result, "the result", exact=False)
    return result


def leaves(values: tuple) -> Iterator[Any]:
    """The elements of tuples, which are parameters each."""
    for value in values:
        yield from leaves(value) if isinstance(value, tuple) else (value,)


class Follower:
    def __init__(self) -> None:
        self.env: dict[str, Any] = {}
        self.types: dict[str, Type] = {}

    def bind(self, name: str, type: Type, value: Any) -> None:
        self.env[name], self.types[name] = value, type
        check(type, value, name)
        self.lengths_agree()

    def block(self, block: ir.Block) -> None:
        for stmt in block:
            self.statement(stmt)

    def statement(self, stmt: ir.Stmt) -> None:
        match stmt:
            case ir.Let(target, value):
                self.bind(target, value.type, interpret.evaluate(value, self.env))
            case ir.If(test, then, orelse):
                self.block(then if interpret.evaluate(test, self.env) else orelse)
            case ir.For(index, start, stop, step, body, flag):
                for i in range(*(interpret.evaluate(e, self.env) for e in (start, stop, step))):
                    self.forget(body)
                    self.env[index] = i
                    self.block(body)
                    if flag is not None and self.env[flag]:
                        break
                self.forget(body)
            case ir.While(test, body):
                while interpret.evaluate(test, self.env):
                    self.forget(body)
                    self.block(body)
                self.forget(body)
            case ir.Move(targets, values):
                known = [(t, v) for t, v in zip(targets, values) if walk.names(v) <= self.env.keys()]
                self.env.update([(t, interpret.evaluate(v, self.env)) for t, v in known])
                self.types.update({t: v.type for t, v in zip(targets, values) if not isinstance(v.type, Array)})
            case _:
                interpret.statement(stmt, self.env)

    def forget(self, body: ir.Block) -> None:
        """An iteration's own values say nothing about those of the next."""
        for stmt in walk.statements(body):
            if isinstance(stmt, ir.Let):
                self.types.pop(stmt.target, None)

    def lengths_agree(self) -> None:
        """Arrays with one symbol have one length."""
        lengths: dict = {}
        for name, type in self.types.items():
            if isinstance(type, Array):
                for dim, length in zip(type.shape, np.shape(self.env[name])):
                    expected = dim if isinstance(dim, int) else lengths.setdefault(dim, length)
                    assert expected == length, f"{name}: {dim} is {expected} and {length}"


def check(type: Type, value: Any, what: str, exact: bool = True) -> None:
    """Whether a value is of its type; a number may have been joined with one of another type.

    What a name holds on a path on which the user's is None is of no type, and nobody reads it.
    """
    if value.__class__ is object:
        return
    if isinstance(type, TupleType):
        assert isinstance(value, tuple) and len(value) == len(type.items), what
        for item, part in zip(type.items, value):
            check(item, part, what, exact)
    elif isinstance(type, Array):
        assert isinstance(value, np.ndarray) and value.ndim == type.ndim, f"{what}: {value!r} is no {type}"
        assert value.dtype.name == type.dtype, f"{what}: {value.dtype} instead of {type}"
        if type.layout in "CF" and value.size:  # another one stands in the type alone
            assert value.flags.c_contiguous if type.layout == "C" else value.flags.f_contiguous, f"{what}: {type}"
    elif isinstance(type, Scalar):
        assert np.ndim(value) == 0, f"{what}: {value!r} is no number"
        if isinstance(value, (np.generic, np.ndarray)):  # np.where makes an array without axes of numbers
            assert np.can_cast(value.dtype, type.dtype) or not exact, f"{what}: {value.dtype} instead of {type}"
        else:
            assert isinstance(value, WEAKLY.get(type.dtype, (int, float))), f"{what}: {value!r} is no {type}"
