"""Final IR as text: names as in the IR (``x.2~bar``), types given by hint, a string opens the reverse of a line."""

from __future__ import annotations

import ast
import math
import operator
import re
from dataclasses import replace

import numpy as np

from srcad.lang import ir
from srcad.lang.origin import Origin
from srcad.lang.types import BOOL, FLOAT, INT, NONE, Array, Scalar, TupleType
from srcad.lang.walk import map_expr

F1, F2 = Array("float64", ("n",), "C"), Array("float64", ("n", "m"), "C")
TYPES = {"f": FLOAT, "i": INT, "b": BOOL, "f1": F1, "f2": F2, "f3": Array("float64", ("k", "n", "m"), "C")}
DOT, TILDE = "ꞏ", "ǃ"
OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.MatMult: operator.matmul, ast.USub: operator.neg,
    ast.Not: operator.not_, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip
TESTS = {operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, operator.not_, ir.and_, ir.or_}


def function(text: str, **kinds: str) -> ir.Function:
    """The IR that a text stands for; `kinds` gives the kind of each hint, floats by default."""
    text = re.sub(r"(?<=[A-Za-z_])\.(?=\d)", DOT, re.sub(r"(?<=\w)~(?=\w)", TILDE, text))
    tree = ast.parse(text.strip()).body[0]
    assert isinstance(tree, ast.FunctionDef)
    reader = Reader(kinds)
    defaults = [None] * (len(tree.args.args) - len(tree.args.defaults)) + tree.args.defaults
    params = tuple(
        ir.Param(a.arg, reader.type(a.arg), None if d is None else reader.expr(d))
        for a, d in zip(tree.args.args, defaults)
    )
    return ir.Function(tree.name, params, reader.block(tree.body))


class Reader:
    def __init__(self, kinds: dict[str, str]):
        self.kinds = kinds
        self.origin = Origin()
        self.globals = {"np": np, "math": math, **{f.__name__: f for f in (abs, len, max, min, range, print)}}

    def type(self, name: str):
        own = name.replace(DOT, ".").replace(TILDE, "~")
        kind = TYPES[self.kinds.get(own, self.kinds.get(ir.hint(own), "f"))]
        if "~tape" in own and own not in self.kinds:
            return {FLOAT: F1, F1: F2, F2: TYPES["f3"]}[kind]
        return kind

    def block(self, body) -> ir.Block:
        return tuple(s for s in map(self.stmt, body) if s is not None)

    def name(self, name: str) -> str:
        return name.replace(DOT, ".").replace(TILDE, "~")

    def stmt(self, tree):
        stmt = self._stmt(tree)
        if stmt is not None and not isinstance(stmt, (ir.For, ir.While, ir.If)):
            stmt = replace(stmt, origin=self.origin)
        return stmt

    def _stmt(self, tree):
        match tree:
            case ast.Pass():
                return None
            case ast.Expr(ast.Constant(str() as text)):
                self.origin = Origin("f.py", len(text), 0, "f", text, True) if text else Origin()
                return None
            case ast.Assign([ast.Name(name)], value):
                return ir.Let(self.name(name), self.expr(value))
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
                return ir.Move(tuple(self.name(t.id) for t in targets), tuple(map(self.expr, values)))
            case ast.Assign([ast.Subscript(base, index)], value):
                return ir.Store(self.expr(base), self.expr(index), self.expr(value))
            case ast.AugAssign(target, ast.Add(), value):
                return ir.Accum(self.expr(target), self.expr(value))
            case ast.For(ast.Name(index), ast.Call(args=args), body):
                bounds = [self.expr(a) for a in args]
                bounds = [ir.Const(0, INT), *bounds] if len(bounds) == 1 else bounds
                bounds = [*bounds, ir.Const(1, INT)] if len(bounds) == 2 else bounds
                flag = None
                match body[-1]:
                    case ast.If(ast.Name(own), [ast.Break()]):
                        flag, body = self.name(own), body[:-1]
                return ir.For(self.name(index), *bounds, self.block(body), flag, self.origin)
            case ast.While(test, body):
                return ir.While(self.expr(test), self.block(body), self.origin)
            case ast.If(test, then, orelse):
                return ir.If(self.expr(test), self.block(then), self.block(orelse), self.origin)
            case ast.Return(value):
                return ir.Return(self.expr(value))
        raise TypeError(ast.dump(tree))

    def expr(self, tree) -> ir.Expr:
        match tree:
            case ast.Name(name):
                return ir.Var(self.name(name), self.type(name))
            case ast.Constant(value):
                kind = {bool: BOOL, int: INT, float: FLOAT}.get(type(value), NONE)
                return ir.Const(value, kind)
            case ast.UnaryOp(ast.USub(), ast.Constant(value)):
                return ir.Const(-value, INT if isinstance(value, int) else FLOAT)
            case ast.UnaryOp(op, operand):
                return self.call(OPERATORS[type(op)], operand)
            case ast.BinOp(left, op, right):
                return self.call(OPERATORS[type(op)], left, right)
            case ast.Compare(left, [op], [right]):
                return self.call(OPERATORS[type(op)], left, right)
            case ast.BoolOp(op, values):
                return self.call(ir.and_ if isinstance(op, ast.And) else ir.or_, *values)
            case ast.IfExp(test, then, orelse):
                return self.call(ir.select, test, then, orelse)
            case ast.Subscript(base, index):
                return self.element(self.expr(base), self.expr(index))
            case ast.Attribute(value, "shape"):
                array = self.expr(value)
                return ir.Attr(array, "shape", TupleType((INT,) * array.type.ndim))
            case ast.Slice(lower, upper, step):
                return ir.Slice(*(None if e is None else self.expr(e) for e in (lower, upper, step)))
            case ast.Tuple(items):
                return ir.Tuple(tuple(map(self.expr, items)))
            case ast.Call(func, args):
                return self.call(eval(ast.unparse(func), dict(self.globals)), *args)
        raise TypeError(ast.dump(tree))

    def element(self, base: ir.Expr, index: ir.Expr) -> ir.Expr:
        if isinstance(base.type, TupleType):
            return ir.Call(operator.getitem, (base, index), (), INT)
        items = index.items if isinstance(index, ir.Tuple) else (index,)
        whole = any(isinstance(i, ir.Const) and i.value is Ellipsis for i in items)
        left = base.type.ndim - sum(isinstance(getattr(i, "type", None), Scalar) for i in items)
        part = Scalar(base.type.dtype) if left == 0 else Array(base.type.dtype, ("n", "m")[:left], "C")
        kind = base.type if whole else part
        return ir.Call(operator.getitem, (base, index), (), kind)

    def call(self, fn, *trees) -> ir.Expr:
        args = tuple(map(self.expr, trees))
        return ir.Call(fn, args, (), self.result(fn, args))

    def result(self, fn, args):
        if fn in TESTS:
            return BOOL
        if fn in (np.sum, np.dot) or (fn is operator.matmul and args[0].type == args[1].type == F1):
            return Scalar("float64")
        if fn in (np.empty, np.zeros):
            return TYPES[f"f{len(args[0].items)}"] if isinstance(args[0], ir.Tuple) else F1
        kinds = [a.type for a in args if isinstance(getattr(a, "type", None), (Scalar, Array))]
        arrays = [k for k in kinds if isinstance(k, Array)]
        if arrays:
            return max(arrays, key=lambda k: k.ndim)
        floats = isinstance(fn, np.ufunc) or fn is operator.truediv or any(k.dtype.startswith("float") for k in kinds)
        return FLOAT if floats else INT


def strip_types(expr: ir.Expr) -> ir.Expr:
    """The expression without types, for comparisons."""
    return map_expr(lambda e: replace(e, type=NONE) if hasattr(e, "type") else e, expr)
