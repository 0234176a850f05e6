"""Recursive functions that write into their arguments: such a function returns what it leaves in them; part of
`infer`.

``fill(a, i)`` becomes ``a[...] = fill(a, i)``, where `fill` writes into a copy of `a`. So a call has no effect but its
result, and its derivative is that of any other function.
"""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from srcad.analysis.buffers import buffers
from srcad.lang import walk
from srcad.lang.ir import Call, Const, Expr, Function, Let, Return, Stmt, Store, Tuple, Var, hint
from srcad.lang.recursive import Instance
from srcad.lang.types import INT, NONE, UNKNOWN, TupleType, Type, is_array
from srcad.transforms.apart import apart
from srcad.typing.table import Refusal, constant

if TYPE_CHECKING:
    from srcad.transforms.infer import Inference


def written(fn: Function) -> tuple[int, ...]:
    """The positions of the arrays among its parameters that a typed function writes to."""
    found = buffers(fn)
    return tuple(k for k, param in enumerate(fn.params) if is_array(param.type) and found.mutated(param.name))


def result_type(fn: Function, value: Type, positions: tuple[int, ...]) -> Type:
    """The type of a function's value together with what it leaves in its arguments."""
    if not positions or value == UNKNOWN:
        return value
    kinds = (*_values(value), *(fn.params[k].type for k in positions))
    return kinds[0] if len(kinds) == 1 else TupleType(kinds)


def _values(value: Type) -> tuple[Type, ...]:
    return () if value == NONE else (value,)


def returning(fn: Function, positions: tuple[int, ...]) -> Function:
    """The function that writes into copies of its arguments and returns them, behind its value."""
    if not positions:
        return fn
    own: dict[str, Expr] = {}
    copies: list[Stmt] = list(apart(fn.params, [fn.params[k].name for k in positions]))
    taken = {param.name for param in fn.params} | walk.assigned(fn.body)
    for k in positions:
        name, kind = fn.params[k].name, fn.params[k].type
        copy = _unused(name, taken)
        own[name] = Var(copy, kind)
        copies.append(Let(copy, Call(np.copy, (Var(name, kind),), (), kind), fn.origin))
    *body, last = walk.substitute_in(fn.body, own)
    assert isinstance(last, Return)
    value = () if getattr(last.value, "type", NONE) == NONE else (last.value,)
    results = (*value, *own.values())
    whole = results[0] if len(results) == 1 else Tuple(results, TupleType(tuple(e.type for e in results)))  # type: ignore[union-attr,attr-defined]
    return replace(fn, body=(*copies, *body, replace(last, value=whole)))


def _unused(name: str, taken: set[str]) -> str:
    count = 1
    while f"{hint(name)}.{count}" in taken:
        count += 1
    taken.add(f"{hint(name)}.{count}")
    return f"{hint(name)}.{count}"


def called(inference: Inference, instance: Instance, args: tuple[Expr, ...]) -> Expr:
    """A call, and stores of what it leaves in its arguments; its value is left."""
    named = tuple(_named(inference, "_t", arg) if is_array(arg.type) else arg for arg in args)  # type: ignore[union-attr,attr-defined]
    for k in instance.written:
        if isinstance(named[k], Const):
            raise Refusal("a store into an array from outside the function", "a copy of it: a = W.copy()")
    kind = instance.type_of(named, inference.fresh)
    whole = _named(inference, "_t", Call(instance, named, (), kind))
    first = 0 if instance.value == NONE else 1
    single = len(instance.written) + first == 1
    for place, k in enumerate(instance.written, first):
        left = whole if single else Call(operator.getitem, (whole, Const(place, INT)), (), kind.items[place])  # type: ignore[union-attr,attr-defined]
        store = Store(named[k], constant(Ellipsis), left, inference.origin)
        inference.levels[-1].out += inference.stored([store])
    if not first:
        return constant(None)
    return Call(operator.getitem, (whole, Const(0, INT)), (), kind.items[0])  # type: ignore[union-attr,attr-defined]


def _named(inference: Inference, stem: str, value: Expr) -> Expr:
    """A value under a name that nothing else has."""
    if isinstance(value, (Var, Const)):
        return value
    name = inference.name_afresh(stem)
    inference.levels[-1].out.append(Let(name, value, inference.origin))
    inference.learn(name, value)
    return Var(name, value.type)  # type: ignore[union-attr,attr-defined]
