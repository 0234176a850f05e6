"""destination: derivatives that are written into arrays of the caller's, ``df(x, out=g)``; part of `derive`.

What is passed has the structure of the gradients, with None where a new value is to be returned. It is checked before
anything is written: dtypes and layouts while compiling, shapes and memory at the call; a shape that only the function
tells, that of a Jacobian of an array, as soon as it is known.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from srcad.lang import walk
from srcad.lang.arrays import rank_of, shape_tuple
from srcad.lang.ir import (
    Block, Call, Const, Effect, Expr, Function, If, Let, Param, Stmt, Store, Tuple, Var, or_, raise_,
)  # fmt: skip
from srcad.lang.origin import NOWHERE, Origin
from srcad.lang.types import BOOL, NONE, Array, Scalar, Static, TupleType, Type
from srcad.options import OUT, Options
from srcad.runtime import overlaps
from srcad.transforms.apart import same_numbers
from srcad.transforms.cotangents import shape_check
from srcad.transforms.packing import element, leaves, order

_ORDERS = {"C": "C-contiguous", "F": "Fortran-contiguous"}


@dataclass
class Destination:
    """The parameter `out`, and what the arrays in it mean for the derivative."""

    param: Param
    gradients: list[Expr]  # the caller's arrays in the place of what is written into them
    opening: list[Stmt] = field(default_factory=list)  # takes `out` apart
    checks: list[Stmt] = field(default_factory=list)
    stores: list[Stmt] = field(default_factory=list)
    arrays: list[tuple[Var, str]] = field(default_factory=list)  # with what the caller calls them
    shapes: dict[str, Expr] = field(default_factory=dict)  # of Jacobians by name, where the function tells them
    told: dict[str, Stmt] = field(default_factory=dict)  # and the checks that ask for them

    def among(self, code: Block) -> Block:
        """The statements with the checks of shapes that they tell, each before a Jacobian is begun."""
        out: list[Stmt] = []
        waiting = dict(self.told)
        for stmt in code:
            out += [waiting.pop(name) for name in sorted(waiting.keys() & walk.assigned((stmt,)))]
            out.append(stmt)
        return (*out, *waiting.values())


def destination(
    options: Options, wrt: Sequence[Expr], gradients: Sequence[Expr], params: Sequence[Param], origin: Origin
) -> Destination:
    """Where the `gradients` with respect to `wrt` go; `params` are all numbers and arrays that are passed.

    Raises
    ------
    TypeError, ValueError
        if what is passed is not made as the gradients are.
    """
    name = _param_name(options, wrt, {p.name for p in params})
    found = Destination(Param(name, options.out, Const(None, NONE)), [])
    whole = Var(name, options.out)
    if options.single:
        found.gradients = [_part(found, wrt[0], gradients[0], whole, options.out, OUT, origin)]
    else:
        parts = tuple(gradients)
        both = Tuple(parts, TupleType(tuple(map(_type, parts))))
        made = _parts(found, Tuple(tuple(wrt)), both, whole, options.out, OUT, origin)
        found.gradients = list(made.items)
    _check_memory(found, params, origin)
    return found


def for_jacobian(options: Options, by: Expr, made: Expr, shapes: dict[str, Expr], fn: Function) -> Destination:
    """Where Jacobians go, `made` in the structure of the results and arguments; `by` are the arguments of each."""
    taken = {p.name for p in fn.params}
    name = next(n for n in (f"{OUT}{'_' * k}" for k in range(len(taken) + 1)) if n not in taken)
    found = Destination(Param(name, options.out, Const(None, NONE)), [], shapes=shapes)
    found.gradients = [_part(found, by, made, Var(name, options.out), options.out, OUT, fn.origin)]
    _check_memory(found, fn.params, fn.origin)
    return found


def _check_memory(found: Destination, params: Sequence[Param], origin: Origin) -> None:
    """Refuse arrays that share memory with arguments or with each other."""
    found.checks += [check for array in found.arrays if (check := _apart(*array, params, origin))]
    for (a, one), (b, other) in combinations(found.arrays, 2):
        if same_numbers(a.type, b.type):
            found.checks.append(_refusal(Call(overlaps, (a, b), (), BOOL), f"{one} and {other} share memory", origin))


def _param_name(options: Options, wrt: Sequence[Expr], taken: set[str]) -> str:
    """``x_bar`` for the gradient with respect to `x`, `out` for several."""
    name = f"{wrt[0].name}_bar" if options.single and isinstance(wrt[0], Var) and wrt[0].name.isidentifier() else OUT
    while name in taken:
        name += "_"
    return name


def _part(
    found: Destination, argument: Expr, gradient: Expr, place: Expr, kind: Type, said: str, origin: Origin
) -> Expr:
    """What is returned for a gradient that goes to `place`, of the type `kind`; the caller calls it as it is `said`."""
    if kind == NONE:
        return gradient
    if isinstance(gradient, Tuple):
        return _parts(found, argument, gradient, place, kind, said, origin)
    _check(argument, gradient, kind, said)
    array = place
    if not isinstance(array, Var):
        array = Var(f"{argument.name}~out", kind)  # type: ignore[union-attr]
        taken = {each.name for each, _ in found.arrays}
        while array.name in taken:
            array = replace(array, name=f"{array.name}~out")
        found.opening.append(Let(array.name, place, origin))
    assert isinstance(array, Var) and isinstance(argument, Var)
    found.arrays.append((array, said))
    if rank_of(gradient) == rank_of(argument):
        message = f"{said} must have the shape of {_shown(argument)}"
        found.checks.append(shape_check(array, argument, message, origin))
    else:
        message = f"{said} must have the shape of the result followed by that of {_shown(argument)}"
        name = gradient.name if isinstance(gradient, Var) else array.name
        zeros = isinstance(gradient, Call) and gradient.fn is np.zeros
        shape = found.shapes.get(name) or (gradient.args[0] if zeros else shape_tuple(gradient))  # type: ignore[union-attr]
        found.told[name] = _refusal(Call(operator.ne, (shape_tuple(array), shape), (), BOOL), message, origin)
    found.stores.append(Store(array, Const(..., NONE), gradient, NOWHERE))
    return replace(array, type=_type(gradient))


def _parts(
    found: Destination, argument: Expr, gradient: Tuple, place: Expr, kind: Type, said: str, origin: Origin
) -> Tuple:
    """As `_part`, for a structure of gradients."""
    assert isinstance(argument, Tuple) and isinstance(gradient.type, TupleType)
    form, count = gradient.type.form, len(gradient.items)
    if not isinstance(kind, TupleType):
        raise TypeError(f"{said} must be a {form.cls.__name__} of {count}, as the gradient is, with None for what is "
                        f"not to be written")  # fmt: skip
    if form.named and kind.form.cls is not form.cls:
        raise TypeError(f"{said} is a {kind.form.cls.__name__}, the gradient is a {form.cls.__name__}")
    if len(kind.items) != count:
        raise ValueError(f"{said} has {len(kind.items)} parts, the gradient has {count}")
    parts = []
    for position, k in enumerate(order(form, kind, count, said, "the gradient")):
        key = repr(form.keys[position]) if form.cls is dict else str(position)
        part = f"{said}.{form.keys[position]}" if form.named else f"{said}[{key}]"
        items = argument.items[position], gradient.items[position]
        parts.append(_part(found, *items, element(place, k), kind.items[k], part, origin))
    return replace(gradient, items=tuple(parts), type=replace(gradient.type, items=tuple(map(_type, parts))))


# ---------------------------------------------------------------- wrong ones


def _check(argument: Expr, gradient: Expr, kind: Type, said: str) -> None:
    """Refuse what the gradient of an argument cannot be written into."""
    wanted, name = _type(gradient), _shown(argument)
    what, like = "gradient", f"; pass np.empty_like({name})"
    if rank_of(gradient) != rank_of(argument):
        what, like = "Jacobian", ""
    if isinstance(gradient, Const) and gradient.value is None:
        raise ValueError(f"{said}: the {what} with respect to {name} is None, since nothing depends on it; pass None "
                         f"there, or take the derivative with unconnected_gradients='zero'")  # fmt: skip
    if not isinstance(wanted, Array) or not isinstance(argument, Var):
        raise TypeError(f"{said}: {name} is a number, and so is its gradient, which is returned; pass None there")
    if not isinstance(kind, Array):
        given = "a structure" if isinstance(kind, TupleType) else "a number" if isinstance(kind, Scalar) else "no array"
        raise TypeError(f"{said} is {given}; the {what} with respect to {name} needs an array"
                        f"{like.replace('; pass', ',')}")  # fmt: skip
    if kind.ndim != wanted.ndim:
        owner = name if like else f"the {what} with respect to {name}"
        raise ValueError(f"{said} has {kind.ndim} dimensions, {owner} has {wanted.ndim}{like}")
    if kind.dtype != wanted.dtype:
        raise TypeError(f"{said} is of dtype {kind.dtype}, the {what} with respect to {name} of {wanted.dtype}")
    layout = (argument if like else gradient).type.layout  # type: ignore[union-attr]
    if layout in _ORDERS and kind.layout != layout and kind.ndim:
        raise ValueError(f"{said} must be {_ORDERS[layout]}{f', as {name} is{like}' if like else ''}")


def _apart(array: Var, said: str, params: Sequence[Param], origin: Origin) -> Stmt | None:
    """Refuse at the call an array that shares memory with an argument."""
    others = [p for p in params if same_numbers(array.type, p.type)]
    tests = tuple(Call(overlaps, (array, Var(p.name, p.type)), (), BOOL) for p in others)
    if not tests:
        return None
    test = tests[0] if len(tests) == 1 else Call(or_, tests, (), BOOL)
    names = " or ".join(_shown(Var(p.name)) for p in others)
    return _refusal(test, f"{said} shares memory with {names}: pass an array of its own", origin)


def _refusal(test: Expr, message: str, origin: Origin) -> Stmt:
    error = Call(raise_, tuple(Const(v, Static(v)) for v in (ValueError, message)), (), NONE)
    return If(test, (Effect(error, origin),), (), origin)


def _shown(argument: Expr) -> str:
    return leaves(argument)[0].name.split("~")[0] if leaves(argument) else "this parameter"


def _type(expr: Expr) -> Type:
    return getattr(expr, "type", NONE)
