"""overlap: read the whole right side before writing.

NumPy computes ``a[1:] += a[:-1]`` as if the right side were copied first; Numba adds element by element in place and so
reads what it has just written. Written as ``a[1:] = a[1:] + a[:-1]`` both agree.
"""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy as np

from srcad.analysis.classes import Classes
from srcad.analysis.contents import content_names
from srcad.lang.ir import Accum, Block, Call, Const, Effect, For, Function, If, Stmt, Store, Var, While
from srcad.lang.types import NONE, is_array
from srcad.runtime import add_at


def overlap(fn: Function) -> Function:
    """Rewrite in-place additions whose sides may share memory.

    >>> from srcad.lang.types import Array
    >>> a = Var("a", Array("float64", ("n",)))
    >>> overlap(Function("f", (), (Accum(a, a),))).body[0].value.fn.__name__
    'add'
    """
    return replace(fn, body=_block(fn.body, Classes.of(fn.body)))


def _block(block: Block, classes: Classes) -> Block:
    return tuple(_statement(stmt, classes) for stmt in block)


def _statement(stmt: Stmt, classes: Classes) -> Stmt:
    match stmt:
        case Accum(Var(base, type) as target, value) if is_array(type) and _shares(base, value, classes):
            return Store(target, Const(..., NONE), Call(operator.add, (target, value), (), type), stmt.origin)
        case Accum(Call(_, (Var(base) as array, index), type=type) as target, value) if is_array(type):
            if _shares(base, value, classes):
                return Store(array, index, Call(operator.add, (target, value), (), type), stmt.origin)
        case Effect(Call(fn, (Var(base), index, value)) as call) if fn is add_at and _shares(base, value, classes):
            copied = Call(np.copy, (value,), (), replace(value.type, layout="C"))  # type: ignore
            return replace(stmt, call=replace(call, args=(call.args[0], index, copied)))
        case If(_, then, orelse):
            return replace(stmt, then=_block(then, classes), orelse=_block(orelse, classes))
        case For(body=body) | While(body=body):
            return replace(stmt, body=_block(body, classes))
    return stmt


def _shares(base: str, value, classes: Classes) -> bool:
    return is_array(getattr(value, "type", None)) and classes.find(base) in map(classes.find, content_names(value))
