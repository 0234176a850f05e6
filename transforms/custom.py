"""custom: calls of functions with a custom gradient; part of `inline`.

The statements of the function stand where it is called. Its results get a mark, and the mark holds the statements of
the pullback: a function of the cotangents of the results, and of the names that it reads.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from srcad.lang import walk
from srcad.lang.custom import Custom, Pullback
from srcad.lang.forms import REFUSED
from srcad.lang.ir import Block, Call, Const, Expr, Let, Return, Tuple, Var, hint, select
from srcad.runtime.custom import CustomGradient
from srcad.runtime.variable import Variable
from srcad.transforms.split import exposed
from srcad.transforms.values import Choice, Closure, choose, describe, is_static

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees

Keywords = tuple[tuple[str, Expr], ...]


def call(inliner: Callees, custom: CustomGradient, args: tuple[Expr, ...], kwargs: Keywords) -> Expr:
    """The statements of a function with a custom gradient, and its marked result."""
    from srcad.transforms.nested import function_of

    function = custom.function
    name = function.template.function.name if isinstance(function, Closure) else describe(function)
    given, defaults = _in_order(function, args, kwargs)
    passed = tuple((key, _named(inliner, value)) for key, value in given)
    args, kwargs = tuple(v for _, v in passed[: len(args)]), tuple(passed[len(args):])
    problems, known = len(inliner.problems), frozenset(inliner.used)
    emitted, result = inliner.collect(lambda: inliner.invoke(function, args, kwargs))
    own = inliner.used - known  # on one path or on all
    inliner.out += emitted
    if result is REFUSED or len(inliner.problems) > problems:
        return REFUSED
    value, pullback = _item(result, 0), _item(result, 1)
    if not (value is not None and isinstance(pullback, Const) and is_static(pullback)):
        return inliner.refuse(f"{name} has a custom gradient and does not return a function beside its value",
                              "return y, pullback", name)  # fmt: skip
    if (variable := _variable_in((*emitted, Return(value)))) is not None:
        return inliner.refuse(f"{name} has a custom gradient and reads {variable}, of which its pullback "
                              "says nothing", f"the Variable as an argument of {name}", name)  # fmt: skip
    leaves = results(value)
    seeds = [inliner.fresh(f"d{hint(leaf.name) if isinstance(leaf, Var) else name}") for leaf in leaves]
    body, bars = inliner.collect(lambda: inliner.invoke(pullback.value, tuple(map(Var, seeds)), ()))
    if bars is REFUSED or len(inliner.problems) > problems:
        return REFUSED
    block: Block = (*body, Return(bars, inliner.origin))
    reads = sorted(exposed(block) - set(seeds))
    operands = [value for _, value in passed if not is_static(value)]
    around = sorted(exposed((*emitted, Return(value))) - own - set().union(set(), *map(walk.names, operands)))
    names = tuple(key for key, value in passed if not is_static(value))
    pulled = function_of(name, tuple(map(Var, (*seeds, *reads))), block, inliner.origin)
    held = Pullback(name, pulled, len(leaves), names, defaults, tuple(map(hint, around)), custom.tangent)
    return _marked(inliner, value, held, (*operands, *map(Var, around), *map(Var, reads)))


def _named(inliner: Callees, value: Expr) -> Expr:
    """An argument under a name; that of a `Variable` means its value."""
    if not (isinstance(value, Const) and isinstance(value.value, Variable)):
        return inliner.named(value)
    name = inliner.fresh(value.value.name or "t")
    inliner.emit(Let(name, value, inliner.origin))
    return Var(name)


def _in_order(fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> tuple[list[tuple[str, Expr]], int]:
    """The arguments of a call under the names of their parameters, in their order; and how many are left out."""
    function = fn.template.function if isinstance(fn, Closure) else None
    names = [p.name for p in function.params] if function else list(inspect.signature(fn).parameters)
    own = [*names[: len(args)], *(f"argument {k}" for k in range(len(names), len(args)))]
    rest = sorted(kwargs, key=lambda pair: names.index(pair[0]) if pair[0] in names else len(names))
    return [*zip(own, args), *rest], max(0, len(names) - len(args) - len(rest))


def _item(result: Expr, position: int) -> Expr | None:
    """One of the two things that a function returns, or of those of them that it may return."""
    match result:
        case Tuple((value, pullback)):
            return (value, pullback)[position]
        case Const(value=Choice(test, then, orelse)):
            a, b = _item(then, position), _item(orelse, position)
            if a is None or b is None:
                return None
            return choose(test, a, b) if is_static(a) and is_static(b) else Call(select, (test, a, b))
    return None


def _variable_in(block: Iterable[Any]) -> str | None:
    """A trainable variable that statements read, in words."""
    for stmt in walk.statements(tuple(block)):
        for expr in walk.stmt_exprs(stmt):
            for e in walk.subexprs(expr):
                held = e.value if isinstance(e, Const) else None
                if isinstance(held, Variable) and held.trainable and held.dtype.kind in "fc":
                    return repr(held)
    return None


def results(value: Expr) -> list[Expr]:
    """The elements of a structure that is written out."""
    return [leaf for item in value.items for leaf in results(item)] if isinstance(value, Tuple) else [value]


def _marked(inliner: Callees, value: Expr, held: Pullback, context: tuple[Expr, ...]) -> Expr:
    """A result with a mark on each element; all of them are computed before the first mark."""
    position = 0

    def marked(part: Expr) -> Expr:
        nonlocal position
        if isinstance(part, Tuple):
            return replace(part, items=tuple(map(marked, part.items)))
        own = hint(part.name) if isinstance(part, Var) else "t"
        target = inliner.fresh(held.name if own == "t" and held.name.isidentifier() else own)
        inliner.emit(Let(target, Call(Custom(held, position), (part, *context)), inliner.origin))
        position += 1
        return Var(target)

    return marked(inliner.kept(value))
