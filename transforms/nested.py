"""nested: derivatives that a function calls, as in ``srcad.grad(g)(x)``; part of `inline`.

What is differentiated becomes a function of its own: its parameters, and the names around it that it reads. The
derivative is made when the types of the arguments are known, see `infer`.
"""

from __future__ import annotations

import inspect
import operator
import types
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from srcad.lang.forms import REFUSED, columns, constant
from srcad.lang.ir import (
    Attr, Block, Call, Const, Effect, Expr, Function, Let, Nested, Param, Return, Tuple, Var, hint,
)  # fmt: skip
from srcad.lang.origin import Origin
from srcad.lang.walk import assigned, names, rename, rename_expr, statements, stmt_exprs
from srcad.options import OUT
from srcad.library.lists import in_step
from srcad.runtime.custom import CustomGradient, custom_gradient, custom_reverse
from srcad.runtime.variable import Variable, assign
from srcad.transforms import custom, special_methods
from srcad.transforms.calls import folded
from srcad.transforms.pin import expands
from srcad.transforms.split import exposed
from srcad.transforms.tapes import tape_call
from srcad.transforms.values import Closure, Partial, describe

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees

UPDATES: dict[Any, Any] = {Variable.assign: None, Variable.assign_add: operator.add, Variable.assign_sub: operator.sub,
                           Variable.numpy: None}  # fmt: skip
Keywords = tuple[tuple[str, Expr], ...]


def derivative(inliner: Callees, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
    """A call that has to do with derivatives or variables, or None."""
    if (found := while_compiling(fn, args)) is not None:
        return found
    if fn in (custom_gradient, custom_reverse) and len(args) == 1 and isinstance(args[0], Const) and not kwargs:
        return Const(CustomGradient(args[0].value, tangent=fn is custom_reverse))
    if isinstance(fn, CustomGradient):
        return custom.call(inliner, fn, args, kwargs)
    if fn is zip:
        return pairs(inliner, args)
    if is_derivative(fn):
        return call_derivative(inliner, fn, args, kwargs)
    if makes_derivative(fn, args):
        return make_derivative(inliner, fn, args, kwargs)
    if (taped := tape_call(inliner, fn, args, kwargs)) is not None:
        return taped
    if fn in UPDATES and args and isinstance(args[0], Const) and isinstance(args[0].value, Variable):
        return update(inliner, fn, *args)
    if expands(fn):
        return inliner.named(Call(fn, args, kwargs), fn.__name__)
    return None


def while_compiling(fn: Any, args: tuple[Expr, ...]) -> Expr | None:
    """What a call stands for of a function that means something else in compiled code: see `srcad.runtime.asked`."""
    match getattr(fn, "while_compiling", None) if isinstance(fn, types.FunctionType) else None, args:
        case "argument", (first, *_):
            return first
        case "called", _ if all(isinstance(arg, Const) for arg in args):
            return constant(fn(*(arg.value for arg in args)), fn.__name__)  # type: ignore[union-attr]
    return None


def pairs(inliner: Callees, args: tuple[Expr, ...]) -> Expr:
    """``zip(gradients, variables)``, of which the number of one is known; ``zip(*rows)``."""
    if len(args) == 1 and isinstance(args[0], Call) and args[0].fn is columns:
        return inliner.columns(args[0].args[0])  # type: ignore[attr-defined]
    rows = [inliner.iterated(arg) for arg in args]  # type: ignore[attr-defined]
    if all(row is not None for row in rows):
        held = [tuple(map(inliner.named, row)) for row in rows]  # type: ignore[arg-type]
        return Tuple(tuple(Tuple(items) for items in zip(*held)))
    known = [arg.items if isinstance(arg, Tuple) else arg.value for arg in args
             if isinstance(arg, Tuple) or isinstance(arg, Const) and isinstance(arg.value, (tuple, list))]  # fmt: skip
    if not known:
        return inliner.enter_library(in_step, (Tuple(tuple(map(inliner.named, args))),), (), "zip")
    each = [inliner.named(arg) if not isinstance(arg, Tuple) else arg for arg in args]
    places = range(min(map(len, known)))
    return Tuple(tuple(Tuple(tuple(folded(Call(operator.getitem, (c, Const(k)))) for c in each)) for k in places))


def update(inliner: Callees, fn: Any, variable: Expr, *values: Expr) -> Expr:
    """``variable.assign(value)`` and its kin."""
    if fn is Variable.numpy:
        return inliner.kept(Attr(variable, "value"))
    if len(values) != 1:
        return inliner.refuse(f"{fn.__name__}() takes one value", f"variable.{fn.__name__}(value)", fn.__name__)
    value = values[0] if UPDATES[fn] is None else Call(UPDATES[fn], (variable, values[0]))
    inliner.changes += 1
    inliner.emit(Effect(Call(assign, (variable, value)), inliner.origin))
    return variable


def is_derivative(fn: Any) -> bool:
    """Whether a callable is a derivative that one of the transforms has made."""
    return bool(getattr(type(fn), "is_derivative", False))


def makes_derivative(fn: Any, args: tuple[Expr, ...]) -> bool:
    """Whether a call is that of a transform, such as ``srcad.grad(g)``."""
    return isinstance(fn, types.FunctionType) and getattr(fn, "is_transform", False) and bool(args)


def make_derivative(inliner: Callees, fn: Callable, args: tuple[Expr, ...], kwargs: Keywords) -> Expr:
    """``srcad.grad(g, wrt="x")``: the transform itself is called, while compiling."""
    args = (special_methods.function_of(inliner, args[0]), *args[1:])  # type: ignore[arg-type]
    values = [_known(value) for value in (*args, *dict(kwargs).values())]
    if any(value is None for value in values):
        return inliner.refuse(f"the arguments of {fn.__name__} must be known when this is compiled", "constants",
                              fn.__name__)  # fmt: skip
    known = [value.value for value in values if value is not None]
    named = dict(zip(dict(kwargs), known[len(args):]))
    try:
        return constant(fn(*map(_stand_in, known[: len(args)]), **named), fn.__name__)
    except (TypeError, ValueError) as error:
        return inliner.refuse(str(error), "", fn.__name__)


def _known(expr: Expr) -> Const | None:
    """A constant, or a tuple of constants as one."""
    if isinstance(expr, Tuple):
        items = [_known(item) for item in expr.items]
        return None if any(item is None for item in items) else Const(tuple(item.value for item in items if item))
    return expr if isinstance(expr, Const) and expr is not REFUSED else None


def _stand_in(value: Any) -> Any:
    """What a transform is given for a nested function, or one with its first arguments: a function with its name and
    the parameters that are left."""
    if not isinstance(value, (Closure, Partial)):
        return value
    space: dict[str, Any] = {}
    name, params = _signature(value)
    exec(f"def {name}({', '.join(params)}):\n    raise NotImplementedError", space)
    made: Any = space[name]
    made.__module__, made.closure = "<nested>", value
    return made


def _signature(value: Closure | Partial) -> tuple[str, list[str]]:
    if isinstance(value, Closure):
        function = value.template.function
        params = [f"{p.name}{'' if p.default is None else '=None'}" for p in function.params]
        params.insert(len(params) - value.template.keyword_only, "*") if value.template.keyword_only else None
        return function.name, params
    inner = inspect.signature(_stand_in(value.fn))
    named = dict(value.kwargs)
    left = [p for p in [*inner.parameters.values()][len(value.args):] if p.name not in named]
    plain = [p.replace(default=p.empty if p.default is p.empty else None, annotation=p.empty) for p in left]
    return describe(value.fn), [str(inspect.Signature(plain))[1:-1]]


def call_derivative(inliner: Callees, derivative: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr:
    """A call of a derivative: its function is inlined into a function of its own."""
    maker = derivative.bare
    if maker.options.mode == "function":
        return inliner.invoke(maker.fn, args, kwargs)
    try:
        bound = inspect.signature(maker.template()).bind(*args, **dict(kwargs)).arguments
    except TypeError as error:
        return inliner.refuse(f"{describe(derivative)}(): {error}", "", describe(derivative))
    if OUT in bound:
        remedy = f"g[...] = {describe(derivative)}(...)"
        return inliner.refuse("out= inside a function that is compiled is not supported", remedy, describe(derivative))
    own = maker.names[: len(maker.names) - len(maker.options.added)]
    wrt = [maker.names[position] for position in maker.options.wrt]
    given = {name: value for name, value in bound.items() if name in own}
    # What is known while compiling goes into the function.
    varying = [name for name, value in given.items() if name in wrt or not isinstance(value, Const)]
    params = {name: Var(inliner.fresh(name)) for name in varying}
    shared = set(inliner.fields)
    emitted, result = inliner.collect(lambda: _call(inliner, maker.fn, {**given, **params}))
    if result is REFUSED or inliner.problems:
        return REFUSED
    body = (*emitted, Return(result, inliner.origin))
    if changed := shared & assigned(body):
        what, names = describe(maker.fn), ", ".join(sorted(map(hint, changed)))
        return inliner.refuse(f"a derivative of {what}, which changes {names} around it, is not supported here",
                              f"{names} as a result of {what}", what)  # fmt: skip
    free = tuple(map(Var, sorted(exposed(body) - assigned(body) - {var.name for var in params.values()})))
    name = describe(maker.fn) if describe(maker.fn).isidentifier() else "lambda_"
    function = function_of(name, (*params.values(), *free), body, inliner.origin)
    options = replace(maker.options, wrt=tuple(list(params).index(name) for name in wrt))
    extras = tuple(name for name in bound if name not in own)
    actual = (*(given[name] for name in params), *free, *(bound[name] for name in extras))
    target = inliner.fresh("t")
    inliner.changes += 1
    inliner.emit(Let(target, Call(Nested(function, options, extras), actual), inliner.origin))
    return Var(target)


def function_of(name: str, params: tuple[Var, ...], body: Block, origin: Origin) -> Function:
    """A function of these names, under names that can be printed."""
    taken = assigned(body) | exposed(body)
    shown: dict[str, Param] = {}
    for param in params:
        base, used = hint(param.name), {p.name for p in shown.values()}
        candidates = (base, *(f"{base}_{number}" for number in range(1, len(params) + len(taken) + 2)))
        free = next(c for c in candidates if c == param.name or c not in taken and c not in used)
        shown[param.name] = Param(free, param.type)
    opening = tuple(Let(old, Var(p.name, p.type), origin) for old, p in shown.items() if old != p.name)
    return Function(name, tuple(shown.values()), (*opening, *body), origin)


def _call(inliner: Callees, fn: Any, given: dict[str, Expr]) -> Expr:
    closure = getattr(fn, "closure", None)
    return inliner.invoke(fn if closure is None else closure, (), tuple(given.items()))


def renamed(fn: Function, suffix: str) -> Function:
    """A split function with names that no other has.

    >>> from srcad.lang.ir import Return
    >>> renamed(Function("f", (Param("x"),), (Return(Var("x")),)), "t.1").body[0].value.name
    'x.t.1'
    """
    read = {name for stmt in statements(fn.body) for expr in stmt_exprs(stmt) for name in names(expr)}
    new = {name: f"{name}.{suffix}" for name in {p.name for p in fn.params} | assigned(fn.body) | read}
    params = tuple(replace(p, name=new[p.name]) for p in fn.params)
    packed = tuple((param, rename_expr(parts, new)) for param, parts in fn.packed)
    return replace(fn, params=params, body=rename(fn.body, new), packed=packed)
