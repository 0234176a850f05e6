"""Expressions of the IR as expressions of Python."""

from __future__ import annotations

import ast
import cmath
import math
import operator
import types
from typing import Any

import numpy as np

from srcad.lang.ir import Attr, Call, Const, Expr, Method, Slice, Tuple, Var, and_, or_, select
from srcad.lang.symbols import Symbols
from srcad.lang.types import TUPLE, Scalar, is_complex

BINARY: dict[Any, type[ast.operator]] = {
    operator.add: ast.Add, operator.sub: ast.Sub, operator.mul: ast.Mult, operator.truediv: ast.Div,
    operator.floordiv: ast.FloorDiv, operator.mod: ast.Mod, operator.pow: ast.Pow, operator.matmul: ast.MatMult,
    operator.lshift: ast.LShift, operator.rshift: ast.RShift, operator.and_: ast.BitAnd, operator.or_: ast.BitOr,
    operator.xor: ast.BitXor,
}
UNARY: dict[Any, type[ast.unaryop]] = {
    operator.neg: ast.USub, operator.pos: ast.UAdd, operator.invert: ast.Invert, operator.not_: ast.Not,
}
COMPARE: dict[Any, type[ast.cmpop]] = {
    operator.lt: ast.Lt, operator.le: ast.LtE, operator.gt: ast.Gt, operator.ge: ast.GtE, operator.eq: ast.Eq,
    operator.ne: ast.NotEq, operator.is_: ast.Is, operator.is_not: ast.IsNot,
}


def load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def dotted(name: str) -> ast.expr:
    """``a.b.c`` as an expression."""
    head, *rest = name.split(".")
    tree: ast.expr = load(head)
    for part in rest:
        tree = ast.Attribute(tree, part, ast.Load())
    return tree


class Expressions:
    """Expressions of one module: the symbols say what objects are called in it."""

    def __init__(self, symbols: Symbols):
        self.symbols = symbols

    def expr(self, expr: Expr) -> ast.expr:
        match expr:
            case Var(name):
                return load(name)
            case Const():
                return self.const(expr)
            case Call(operator.getitem, (base, index)):
                return ast.Subscript(self.expr(base), self.expr(index), ast.Load())
            case Call(fn, args, kwargs):
                return self.call(fn, args, kwargs)
            case Attr(value, name):
                return ast.Attribute(self.expr(value), name, ast.Load())
            case Slice(lower, upper, step):
                return ast.Slice(*(None if e is None else self.expr(e) for e in (lower, upper, step)))
            case Tuple(items, type_):
                form = getattr(type_, "form", TUPLE)
                if form.native and form.named:
                    return self.call(form.cls, items)
                return ast.Tuple([self.expr(e) for e in items], ast.Load())
        raise TypeError(expr)

    # ------------------------------------------------------------ calls

    def call(self, fn: Any, args: tuple[Expr, ...], kwargs: tuple[tuple[str, Expr], ...] = ()) -> ast.expr:
        hashable = getattr(type(fn), "__hash__", None) is not None
        if hashable and fn in BINARY and len(args) == 2:
            return ast.BinOp(self.expr(args[0]), BINARY[fn](), self.expr(args[1]))
        if hashable and fn in COMPARE:
            return ast.Compare(self.expr(args[0]), [COMPARE[fn]()], [self.expr(args[1])])
        if fn is operator.contains:
            return ast.Compare(self.expr(args[1]), [ast.In()], [self.expr(args[0])])
        if fn is operator.not_:
            return self.negation(args[0])
        if hashable and fn in UNARY:
            return ast.UnaryOp(UNARY[fn](), self.expr(args[0]))
        if fn is and_ or fn is or_:
            return self.boolean(fn, args)
        if fn is select:
            test, then, orelse = map(self.expr, args)
            return ast.IfExp(test, then, orelse)
        if fn is np.transpose and len(args) == 1 and not kwargs:
            return ast.Attribute(self.expr(args[0]), "T", ast.Load())
        if (fn is np.real or fn is np.imag) and is_complex(getattr(args[0], "type", None)):
            return ast.Attribute(self.expr(args[0]), fn.__name__, ast.Load())
        keywords = [ast.keyword(name, self.expr(value)) for name, value in kwargs]
        if isinstance(fn, (Method, types.MethodDescriptorType)):
            name = fn.name if isinstance(fn, Method) else fn.__name__
            method = ast.Attribute(self.expr(args[0]), name, ast.Load())
            return ast.Call(method, list(map(self.expr, args[1:])), keywords)
        return ast.Call(dotted(self.symbols.name(fn)), list(map(self.argument, args)), keywords)

    def argument(self, expr: Expr) -> ast.expr:
        """An expression outside of brackets, where a part of an array is ``slice(k, None)``."""
        match expr:
            case Slice(lower, upper, step):
                parts = [lower, upper] if step is None else [lower, upper, step]
                parts = parts[1:] if lower is None and step is None else parts
                given = [self.literal(None) if e is None else self.expr(e) for e in parts]
                return ast.Call(dotted(self.symbols.name(slice)), given, [])
            case Tuple(items) if any(isinstance(item, Slice) for item in items):
                return ast.Tuple([self.argument(e) for e in items], ast.Load())
        return self.expr(expr)

    def negation(self, inner: Expr) -> ast.expr:
        """``not inner``, written ``a not in b`` and ``a is not b`` where that says the same."""
        match inner:
            case Call(operator.contains, (container, item)):
                return ast.Compare(self.expr(item), [ast.NotIn()], [self.expr(container)])
            case Call(operator.is_, (left, right)):
                return ast.Compare(self.expr(left), [ast.IsNot()], [self.expr(right)])
        return ast.UnaryOp(ast.Not(), self.expr(inner))

    def boolean(self, fn: Any, args: tuple[Expr, ...]) -> ast.expr:
        """``a and b or c``; comparisons that share their middle operand are chained."""
        parts: list[ast.expr] = []
        last: Expr | None = None
        for arg in args:
            match arg:
                case Call(op, (left, right)) if fn is and_ and op in COMPARE:
                    tree = self.expr(arg)
                    if isinstance(left, (Var, Const)) and left == last:
                        parts[-1].ops += tree.ops  # type: ignore[attr-defined]
                        parts[-1].comparators += tree.comparators  # type: ignore[attr-defined]
                    else:
                        parts.append(tree)
                    last = right
                case _:
                    parts.append(self.expr(arg))
                    last = None
        if len(parts) == 1:
            return parts[0]
        return ast.BoolOp(ast.And() if fn is and_ else ast.Or(), parts)

    # ------------------------------------------------------------ constants

    def const(self, const: Const) -> ast.expr:
        value, type_ = const.value, const.type
        if const.name is not None:
            return dotted(self.symbols.name(value, const.name))
        if type(value) is float and isinstance(type_, Scalar) and type_.dtype in ("float32", "float16"):
            value = np.dtype(type_.dtype).type(value)
        return self.literal(value)

    def literal(self, value: Any) -> ast.expr:
        """A value without a name of its own."""
        if value is None or value is Ellipsis or isinstance(value, (bool, int, str, bytes)):
            return ast.Constant(value)
        if isinstance(value, float):
            return self.real(value) if type(value) is float else self.scalar(np.float64(value))
        if isinstance(value, np.generic):
            return self.scalar(value)
        if isinstance(value, complex):
            if cmath.isfinite(value):
                return ast.Constant(value)
            return ast.Call(dotted(self.symbols.name(complex)), [self.real(value.real), self.real(value.imag)], [])
        if isinstance(value, tuple):
            return ast.Tuple([self.literal(v) for v in value], ast.Load())
        if isinstance(value, slice):
            return ast.Call(dotted(self.symbols.name(slice)), [self.literal(v) for v in
                                                               (value.start, value.stop, value.step)], [])
        if isinstance(value, np.dtype) and value.isbuiltin == 1:
            return dotted(self.symbols.name(value.type))
        return dotted(self.symbols.name(value))

    def real(self, value: float) -> ast.expr:
        if value == math.pi:
            return self.numpy("pi")
        if math.isnan(value):
            return self.numpy("nan")
        if math.isinf(value):
            return self.numpy("inf") if value > 0 else ast.UnaryOp(ast.USub(), self.numpy("inf"))
        return ast.Constant(value)

    def scalar(self, value: np.generic) -> ast.expr:
        """``np.float32(0.1)``: a scalar of NumPy keeps its dtype."""
        number = float(str(value)) if isinstance(value, np.floating) else value.item()  # the shortest that is the same
        return ast.Call(dotted(self.symbols.name(type(value))), [self.literal(number)], [])

    def numpy(self, name: str) -> ast.expr:
        return ast.Attribute(load(self.symbols.module("numpy", "np")), name, ast.Load())
