"""simplify: algebra that hides no NaN. In the primal it changes no bit, elsewhere nothing but the sign of a zero.

``x * 1.0``, ``x + 0``, ``a + (-b)``, ``x ** 1``, ``n - 1 + 1`` and the like. An operation on an array is dropped only
inside another operation: by itself it makes a new array, and dropping it would make a second name of an old one.
"""

from __future__ import annotations

import math
import operator
from dataclasses import replace
from typing import Any

import numpy as np

from srcad.lang.ir import Block, Call, Const, Expr, Function, Let, Move, Return, Slice, Stmt, Store, Tuple
from srcad.lang.types import INT, Array, Scalar
from srcad.lang.walk import is_const, map_stmt
from srcad.transforms.integers import integer, is_integer

ADD, SUB, MUL, DIV, POW, NEG = (
    operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, operator.neg,
)  # fmt: skip
ARITHMETIC = {ADD, SUB, MUL, DIV, POW, NEG, operator.floordiv, operator.mod, operator.matmul}
_SAME = {np.power: POW, np.float_power: POW, np.multiply: MUL, np.add: ADD, np.subtract: SUB, np.negative: NEG,
         np.divide: DIV}  # fmt: skip


def simplify(fn: Function) -> Function:
    """Simplify every expression of a typed function.

    >>> from srcad.lang.ir import Param, Var
    >>> from srcad.lang.types import FLOAT
    >>> x = Var("x", FLOAT)
    >>> y = Call(MUL, (Call(POW, (x, Const(1.0, FLOAT)), (), FLOAT), Const(2.0, FLOAT)), (), FLOAT)
    >>> z = Call(ADD, (y, Call(NEG, (x,), (), FLOAT)), (), FLOAT)
    >>> from srcad.lang.write import write
    >>> print(write(simplify(Function("f", (Param("x", FLOAT),), (Return(z),)))).text, end="")
    def f(x):
        return x * 2.0 - x
    """
    return replace(fn, body=_block(fn.body))


def _block(block: Block) -> Block:
    return tuple(_statement(stmt) for stmt in block)


def _statement(stmt: Stmt) -> Stmt:
    binds, primal = isinstance(stmt, (Let, Move, Return)), not stmt.origin.adjoint
    if isinstance(stmt, Store):
        stmt = replace(stmt, index=plain_index(stmt.index))
    return map_stmt(lambda e: _root(e, primal) if binds else simplified(e, True, primal), stmt, _block)


def _root(expr: Expr, primal: bool) -> Expr:
    """A value that gets a name or leaves the function: a fresh array stays one."""
    if isinstance(expr, Tuple):
        return replace(expr, items=tuple(_root(e, primal) for e in expr.items))
    return simplified(expr, False, primal)


def simplified(expr: Expr, inside: bool = True, primal: bool = False) -> Expr:
    """An expression simplified; `inside` says that its value is only computed with, never named."""
    match expr:
        case Call(fn, args, kwargs, type):
            elementwise = isinstance(fn, np.ufunc) or _member(fn, ARITHMETIC)
            new = tuple(simplified(a, elementwise or not _is_array(a), primal) for a in args)
            named = tuple((k, simplified(v, not _is_array(v), primal)) for k, v in kwargs)
            same = all(a is b for a, b in zip(args, new)) and all(a[1] is b[1] for a, b in zip(kwargs, named))
            return _step(expr if same else Call(fn, new, named, type), inside, primal)
        case Tuple(items):
            return replace(expr, items=tuple(simplified(e, not _is_array(e), primal) for e in items))
        case Slice(lower, upper, step):
            return Slice(*(None if e is None else simplified(e) for e in (lower, upper, step)))
    return expr


def _step(call: Call, inside: bool, primal: bool) -> Expr:
    """One call whose operands are simple already."""
    match call:
        case Call(operator.getitem, (Tuple(items), Const(int() as place))) if -len(items) <= place < len(items):
            return items[place]
    if is_integer(call.type):
        return integer(call)
    match call:
        case Call(operator.getitem, (array, Const(value))) if value is ... and _is_array(array):
            return array  # ``a[...]`` is the same memory
        case Call(operator.getitem, (array, index)) if _is_array(array) and index != plain_index(index):
            return replace(call, args=(array, plain_index(index)))
    fn = _SAME.get(call.fn, call.fn) if _member(call.fn, _SAME) else call.fn
    if call.kwargs or not _member(fn, ARITHMETIC):
        return call
    found = None if primal else _zeros(call, fn) or _scaled(call, fn)
    found = found or signs(call, fn) or _units(call, fn) or _constants(call, fn)
    if found is None:
        return call
    if _is_array(call) and not inside and not (isinstance(found, Call) and _member(found.fn, ARITHMETIC)):
        return call
    return found


def plain_index(index: Expr) -> Expr:
    """``int(k)`` of an integer as `k`, which names the same element."""
    if isinstance(index, Tuple):
        return replace(index, items=tuple(map(plain_index, index.items)))
    match index:
        case Call(fn, (number,), ()) if fn is int and is_integer(getattr(number, "type", None)):  # type: ignore
            return number
    return index


def _zeros(call: Call, fn: Any) -> Expr | None:
    """What may turn one zero into the other."""
    match fn, call.args:
        case operator.neg, (Call(operator.sub, (a, b)),) if not _is_array(call):
            return Call(SUB, (b, a), (), call.type)
        case operator.add, (x, zero) if is_const(zero, 0) and _alike(x, call):
            return x
        case operator.add, (zero, x) if is_const(zero, 0) and _alike(x, call):
            return x
        case operator.sub, (zero, x) if is_const(zero, 0) and _alike(x, call):
            return Call(NEG, (x,), (), call.type)
    return None


def _scaled(call: Call, fn: Any) -> Expr | None:
    """``2.0 * (0.5 * x)``: a power of two is taken into the other number, exactly but for what overflows."""
    match fn, call.args:
        case operator.mul, (Const(float() as a, kind, None), Call(operator.mul, (Const(float() as b, _, None), x))):
            if not isinstance(a, np.generic) and math.frexp(a)[0] == 0.5 and _alike(x, call):
                product = Call(MUL, (Const(a * b, kind), x), (), call.type)
                return x if a * b == 1.0 else product
    return None


def signs(call: Call, fn: Any) -> Expr | None:
    """Negations move into sums and cancel."""
    match fn, call.args:
        case operator.neg, (Call(operator.neg, (x,)),) if _alike(x, call):
            return x
        case operator.neg, (Call(operator.mul | operator.truediv as of, (Call(operator.neg, (a,)), b)),):
            return Call(of, (a, b), (), call.type) if _alike(call.args[0], call) else None
        case operator.neg, (Const(int() | float() as value, type, None),) if not isinstance(value, (bool, np.generic)):
            return Const(-value, type)
        case operator.add, (a, Call(operator.neg, (b,))):
            return Call(SUB, (a, b), (), call.type)
        case operator.add, (Call(operator.neg, (a,)), b):
            return Call(SUB, (b, a), (), call.type)
        case operator.sub, (a, Call(operator.neg, (b,))):
            return Call(ADD, (a, b), (), call.type)
        case operator.mul | operator.truediv, (Call(operator.neg, (a,)), Call(operator.neg, (b,))):
            return Call(fn, (a, b), (), call.type)
    return None


def _units(call: Call, fn: Any) -> Expr | None:
    """Neutral operands vanish where the other one has the result's type."""
    match fn, call.args:
        case (operator.mul | operator.truediv | operator.pow), (x, one) if is_const(one, 1) and _alike(x, call):
            return x
        case operator.mul, (one, x) if is_const(one, 1) and _alike(x, call):
            return x
        case (operator.mul | operator.truediv), (x, minus) if is_const(minus, -1) and _alike(x, call):
            return Call(NEG, (x,), (), call.type)
        case operator.mul, (minus, x) if is_const(minus, -1) and _alike(x, call):
            return Call(NEG, (x,), (), call.type)
        case operator.sub, (x, zero) if is_const(zero, 0) and _alike(x, call):
            return x
        case operator.pow, (_, zero) if is_const(zero, 0) and isinstance(call.type, Scalar):
            return Const(1.0, call.type) if call.type.dtype == "float64" else None
    return None


def _constants(call: Call, fn: Any) -> Expr | None:
    """Arithmetic of Python's own numbers."""
    if not (isinstance(call.type, Scalar) and call.type.dtype == "float64"):
        return None
    if not all(isinstance(a, Const) and a.name is None and type(a.value) in (int, float) for a in call.args):
        return None
    try:
        value = fn(*(a.value for a in call.args))  # type: ignore[union-attr]
    except (ArithmeticError, ValueError):
        return None
    return Const(float(value), call.type) if isinstance(value, (int, float)) else None


def _alike(operand: Expr, call: Call) -> bool:
    """Whether an operand has the type of the whole."""
    match getattr(operand, "type", None), call.type:
        case Scalar(a), Scalar(b):
            return a == b
        case Array(a, one), Array(b, two):
            return a == b and one == two
    return False


def _is_array(expr: Expr) -> bool:
    return isinstance(getattr(expr, "type", None), Array)


def _member(fn: Any, table: Any) -> bool:
    try:
        return fn in table
    except TypeError:
        return False


def plus(value: Expr, number: int) -> Expr:
    """``value + number``"""
    fn, size = (operator.add, number) if number >= 0 else (operator.sub, -number)
    return simplified(Call(fn, (value, Const(size, INT)), (), INT)) if number else value
