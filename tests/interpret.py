"""A tiny interpreter of the IR: what a function means in each of its three forms, statement by statement.

``run(fn, *args)`` executes an `ir.Function` directly. Passes are tested by interpreting before and after.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from srcad.lang import ir
from srcad.lang.recursive import Callee, Instance
from srcad.lang.structure import rebuilder
from srcad.lang.types import TupleType
from srcad.transforms.rooms import rooms
from srcad.transforms.untuple import untuple



def run(fn: ir.Function, *args: Any, **kwargs: Any) -> Any:
    """Call a function of the IR."""
    env = dict(zip((param.name for param in fn.params), args))
    assert len(args) <= len(fn.params), f"{fn.name} takes {len(fn.params)} arguments"
    env.update(kwargs)
    for param in fn.params:
        if param.name not in env:
            assert param.default is not None, f"{fn.name} needs {param.name}"
            env[param.name] = evaluate(param.default, env)
    assert fn.body and isinstance(fn.body[-1], ir.Return), "a function ends with its return"
    block(fn.body[:-1], env)
    return evaluate(fn.body[-1].value, env)


UNBOUND = object()  # may be copied, before the first iteration that binds it, but nothing may be done with it


def evaluate(expr: ir.Expr, env: dict[str, Any]) -> Any:
    match expr:
        case ir.Var(name):
            return env.get(name, UNBOUND)
        case ir.Const(value):
            return value
        case ir.Attr(value, name):
            return getattr(evaluate(value, env), name)
        case ir.Tuple(items, TupleType(form=form)):
            return rebuilder((form, (None,) * len(items)))([evaluate(item, env) for item in items])
        case ir.Tuple(items):
            return tuple(evaluate(item, env) for item in items)
        case ir.Slice(lower, upper, step):
            return slice(*(None if e is None else evaluate(e, env) for e in (lower, upper, step)))
        case ir.Call(fn, args, kwargs):
            return call(fn, args, kwargs, env)
    raise TypeError(expr)


def call(fn: Any, args: tuple[ir.Expr, ...], kwargs: tuple[tuple[str, ir.Expr], ...], env: dict[str, Any]) -> Any:
    """A call; the lazy primitives evaluate only what Python would."""
    if fn is ir.select:
        test, then, orelse = args
        return evaluate(then if evaluate(test, env) else orelse, env)
    if fn is ir.and_ or fn is ir.or_:
        value: Any = None
        for arg in args:
            value = evaluate(arg, env)
            if bool(value) is (fn is ir.or_):
                break
        return value
    values = [evaluate(arg, env) for arg in args]
    named = {name: evaluate(arg, env) for name, arg in kwargs}
    if isinstance(fn, ir.Method):
        if fn.name == "copy" and np.isscalar(values[0]):  # of what copy.deepcopy is given, types tell later
            return values[0]
        return getattr(values[0], fn.name)(*values[1:], **named)
    if isinstance(fn, (Callee, Instance)):
        return run(fn.function if isinstance(fn, Callee) else rooms(untuple(fn.typed)), *values)
    return fn(*values, **named)


def block(stmts: ir.Block, env: dict[str, Any]) -> None:
    for stmt in stmts:
        statement(stmt, env)


def statement(stmt: ir.Stmt, env: dict[str, Any]) -> None:
    match stmt:
        case ir.Let(target, value):
            env[target] = evaluate(value, env)
        case ir.Move(targets, values):
            env.update(zip(targets, [evaluate(value, env) for value in values]))
        case ir.Store(base, index, value):
            array, where = evaluate(base, env), evaluate(index, env)
            array[where] = evaluate(value, env)
        case ir.Accum(target, value):
            accumulate(target, evaluate(value, env), env)
        case ir.If(test, then, orelse):
            block(then if evaluate(test, env) else orelse, env)
        case ir.For(index, start, stop, step, body, flag):
            for env[index] in range(*(evaluate(e, env) for e in (start, stop, step))):
                block(body, env)
                if flag is not None and env[flag]:
                    break
        case ir.While(test, body):
            while evaluate(test, env):
                block(body, env)
        case ir.Effect(effect):
            evaluate(effect, env)
        case _:
            raise TypeError(stmt)


def accumulate(target: ir.Expr, value: Any, env: dict[str, Any]) -> None:
    """Add into a name or into elements; the value takes the target's shape."""
    match target:
        case ir.Var(name) if isinstance(env[name], np.ndarray):
            env[name] += sum_to(value, env[name].shape)
        case ir.Var(name):
            env[name] = env[name] + sum_to(value, ())
        case ir.Call(_, (base, index)):
            array, where = evaluate(base, env), evaluate(index, env)
            np.add.at(array, where, sum_to(value, np.shape(array[where])))


def sum_to(value: Any, shape: tuple[int, ...]) -> Any:
    """The value with a given shape: summed where broadcasting would have repeated, repeated where it is short."""
    if np.shape(value) == shape:
        return value
    value = np.asarray(value)
    value = value.sum(axis=tuple(range(max(0, value.ndim - len(shape)))))
    axes = tuple(i for i, n in enumerate(value.shape) if shape[len(shape) - value.ndim + i] == 1 != n)
    return np.broadcast_to(value.sum(axis=axes, keepdims=True), shape) if shape else value[()]
