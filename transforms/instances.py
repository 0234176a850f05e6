"""Recursive functions for arguments of certain types; part of `infer`.

The type of what such a function returns is that of the paths on which it does not call itself, until a call of itself
turns out to give something wider. So a body is typed again and again, until what it returns is what its own calls were
taken to return.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from srcad.analysis.buffers import Buffers, buffers
from srcad.analysis.untouched import untouched
from srcad.lang import walk
from srcad.lang.errors import Problem
from srcad.lang.ir import Block, Call, Const, Effect, Expr, Function, Let, Param, Return, Store, Var, hint
from srcad.lang.lists import slot
from srcad.lang.recursive import Callee, Instance, called
from srcad.lang.types import UNKNOWN, Array, Dim, Scalar, TupleType, Type, is_array
from srcad.transforms import handback
from srcad.transforms.split import split
from srcad.typing.join import join
from srcad.typing.lists import NewElement
from srcad.typing.table import Refusal

if TYPE_CHECKING:
    from srcad.transforms.infer import Inference

_WIDE = frozenset(("bool", "int64", "float64", "complex128"))
_MOST = 8  # signatures of one function
_ROUNDS = 12


@dataclass
class _Lists:
    """What the lists of one function hold."""

    elements: dict[str, Type] = field(default_factory=dict)
    outset: dict[str, list[tuple[Dim, ...]]] = field(default_factory=dict)


def call(inference: Inference, callee: Callee, args: tuple[Expr, ...]) -> Expr:
    """A call of a recursive function with typed arguments."""
    types = tuple(getattr(arg, "type", UNKNOWN) for arg in args)
    if UNKNOWN in types:
        raise Refusal("", poisoned=True)
    types = tuple(_plain(type, inference.wide) for type in types)
    key = tuple(_without_layout(type) for type in types)
    instance = callee.instances.get(key)
    if instance is None:
        if len(callee.instances) >= _MOST:
            reason = f"recursion of {callee.name} with arguments of other types at every call"
            raise Refusal(reason, "arguments of the same types at every call")
        instance = callee.instances[key] = Instance(callee, types)
    joined = tuple(map(_joined, instance.types, types))
    if joined != instance.types:
        instance.types, instance.settled = joined, False
    instance.asked = True
    if not instance.open and not instance.settled:
        _settle(inference, instance)
    if instance.result == UNKNOWN:
        raise Refusal("", poisoned=True)
    if instance.written:
        return handback.called(inference, instance, args)
    return Call(instance, args, (), instance.type_of(args, inference.fresh))


def ask_of_lists(inference: Inference, callee: Callee, args: tuple[Expr, ...]) -> None:
    """Where lists are empty that a function changes: raise what it puts into them, as `NewElement`.

    Of what depends on calls of itself no type is known yet; it is taken to be a number.
    """
    source = callee.function
    assert source is not None
    types = tuple(_type_of(inference, arg) for arg in args)
    unknown = [name for name, type in zip((*callee.params, *callee.extras), types) if type == UNKNOWN]
    if callee.asking or not unknown:
        return
    if not set(unknown) <= _keys(callee):
        if inference.problems or inference.open_calls:
            return
        reason = f"what {hint(unknown[0])} holds, with which {callee.name} is called,"
        raise Refusal(f"{reason} is not known", "a first element: xs = [0.0], or an array") from None
    callee.asking = True
    try:
        _typed(inference, callee, split(source), types, _Lists(_own(inference, callee)))
    finally:
        callee.asking = False
    raise NewElement(unknown[0], Scalar("float64"))


def _type_of(inference: Inference, arg: Expr) -> Type:
    try:
        return getattr(inference.expr(arg), "type", UNKNOWN)
    except Refusal:
        return UNKNOWN


def _keys(callee: Callee) -> set[Any]:
    """The lists into which a function puts something, or those that it calls."""
    found, waiting = set[Any](), [callee]
    for each in waiting:
        body = each.function.body if each.function is not None else ()
        places = (stmt.index for stmt in walk.statements(body) if isinstance(stmt, Store))
        slots = (place.args[0] for place in places if isinstance(place, Call) and place.fn is slot)
        found |= {key.value for key in slots if isinstance(key, Const)}
        waiting += [inner for inner in called(body, Callee) if inner not in waiting]
    return found


def _own(inference: Inference, callee: Callee) -> dict[str, Type]:
    """What is known of the elements of lists that are a function's arguments."""
    return {key: type for key, type in inference.elements.items() if key in (*callee.params, *callee.extras)}


def _settle(inference: Inference, instance: Instance) -> None:
    """Type the body of an instance until its result is what its calls of itself were taken to give."""
    callee = instance.callee
    assert callee.function is not None
    source = split(callee.function)
    instance.open = True
    inference.open_calls.append(instance)
    lists = _Lists(_own(inference, callee))
    try:
        trial, tried = _rounds(inference, instance, source, lists)
    finally:
        instance.open = False
        inference.open_calls.pop()
    inference.problems += trial.problems
    if instance.result == UNKNOWN and not trial.problems:
        raise Refusal(f"recursion of {callee.name} that never ends", "a path that returns without a further call")
    if trial.problems:
        raise Refusal("", poisoned=True)
    inference.unread |= trial.unread
    inference.left_out += trial.left_out
    instance.typed = handback.returning(trial.widen(tried), instance.written)
    instance.settled = not any(outer.asked for outer in inference.open_calls)
    _note(instance, buffers(instance.typed))


def _rounds(
    inference: Inference, instance: Instance, source: Function, lists: _Lists
) -> tuple[Inference, Function]:
    """Type the body again and again until nothing new is known."""
    for _ in range(_ROUNDS):
        types, value, written = instance.types, instance.value, instance.written
        instance.asked = False
        trial, params, body = _typed(inference, instance.callee, source, types, lists)
        last = body[-1] if body else None
        if isinstance(last, Return):
            found = _plain(getattr(last.value, "type", UNKNOWN), inference.wide)
            instance.value = join(value, found, "result", "the result")
        tried = replace(source, params=params, body=body)
        instance.written = handback.written(tried)
        instance.result = handback.result_type(tried, instance.value, instance.written)
        if (instance.types, instance.value, instance.written) == (types, value, written) or trial.problems:
            break
    return trial, tried


def _typed(
    inference: Inference, callee: Callee, source: Function, types: tuple[Type, ...], lists: _Lists
) -> tuple[Inference, tuple[Param, ...], Block]:
    """The statements of a function with types; once more when more is known of what its lists hold."""
    while True:
        trial = replace(inference.another(source), elements=lists.elements, outset=lists.outset)
        try:
            params = tuple(map(trial.param, source.params, types))
            return trial, params, tuple(trial.block(source.body))
        except NewElement as found:
            if found.key in (*callee.params, *callee.extras):  # a list of the caller's
                if isinstance(found.type, Array):
                    raise Refusal("a list of arrays that a function which calls itself changes is not supported",
                                  "a list of numbers, or an array of rows that it fills") from None  # fmt: skip
                raise
            lists.elements[found.key] = found.type


def _note(instance: Instance, found: Buffers) -> None:
    """Note effects, and whether the result may be an argument."""
    function = instance.typed
    assert function is not None
    instance.effects = _has_effects(function.body)
    last = function.body[-1]
    assert isinstance(last, Return)
    sites = {site for e in walk.subexprs(last.value) if isinstance(e, Var) for site in found.of(e.name)}
    instance.aliases = bool(sites & {param.name for param in function.params})


def _has_effects(body: Block) -> bool:
    stmts = any(isinstance(stmt, Effect) for stmt in walk.statements(body))
    return stmts or any(each.effects for each in called(body, Instance))


def check_aliases(fn: Function, found: Buffers) -> list[Problem]:
    """Calls whose result may be an argument, where one of the two is written to: which one is, cannot be told."""
    calls = {stmt.target: (stmt, stmt.value) for stmt in walk.statements(fn.body)
             if isinstance(stmt, Let) and isinstance(stmt.value, Call) and isinstance(stmt.value.fn, Instance)
             and stmt.value.fn.aliases}  # fmt: skip
    given = {name: tuple(a.name for a in call.args if isinstance(a, Var) and is_array(a.type))
             for name, (_, call) in calls.items()}  # fmt: skip
    changed = {name for name in calls if any(map(found.mutated, (name, *given[name])))}
    problems = []
    for name in sorted(changed - untouched(fn.body, changed, found, given)):
        stmt, call = calls[name]
        callee = call.fn.callee.name  # type: ignore[union-attr]
        reason = f"what {callee} returns may be its own argument, and one of them is changed"
        problems.append(Problem(stmt.origin, reason, f"return x.copy() in {callee}"))
    return problems


# ---------------------------------------------------------------- types of arguments


def is_wide(type: Type) -> bool:
    """Whether a value is in double precision throughout."""
    if isinstance(type, TupleType):
        return all(map(is_wide, type.items))
    return not isinstance(type, (Scalar, Array)) or type.dtype in _WIDE


def _plain(type: Type, wide: bool) -> Type:
    """A type without the lengths of one call; where all is of double precision, Python's numbers are NumPy's."""
    if isinstance(type, TupleType):
        return replace(type, items=tuple(_plain(item, wide) for item in type.items))
    if isinstance(type, Scalar):
        return replace(type, weak=type.weak or wide)
    return type


def _without_layout(type: Type) -> Type:
    if isinstance(type, TupleType):
        return replace(type, items=tuple(map(_without_layout, type.items)))
    return Array(type.dtype, ("",) * type.ndim) if isinstance(type, Array) else type


def _joined(a: Type, b: Type) -> Type:
    """The type of an argument that has been of one layout and length and now is of another."""
    match a, b:
        case TupleType(items), TupleType(others):
            return replace(a, items=tuple(map(_joined, items, others)))
        case Array(), Array():
            lengths = tuple(one if one == other else "n" for one, other in zip(a.shape, b.shape))
            shape = tuple(n if isinstance(one, int) else one for one, n in zip(a.shape, lengths))
            return Array(a.dtype, shape, a.layout if a.layout == b.layout else "A")
    return a
