"""Writing: a function of the IR as Python source, with a map from its lines to the user's."""

from __future__ import annotations

import ast
import operator
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from srcad.lang import comments
from srcad.lang.expressions import BINARY, Expressions, load
from srcad.lang.ir import (
    Accum, Block, Call, Const, Effect, Expr, For, Function, If, Let, Move, Return, Stmt, Store, Var, While,
    assert_, raise_,
)
from srcad.lang.origin import Origin
from srcad.lang.recursive import HELPERS
from srcad.lang.symbols import Symbols
from srcad.lang.types import INT, Array, Scalar, TupleType
from srcad.lang.walk import is_const, names, statements, stmt_exprs, subexprs, targets
from srcad.runtime.threads import prange

_IN_PLACE = (operator.add, operator.sub, operator.mul, operator.truediv)


@dataclass(frozen=True)
class Written:
    """A module of generated source and what it needs."""

    text: str
    constants: dict[str, Any] = field(default_factory=dict)
    lines: dict[int, Origin] = field(default_factory=dict)
    imports: tuple[str, ...] = ()


def write(fn: Function, helpers: Mapping[Any, Function] = MappingProxyType({})) -> Written:
    """The source of a function as a module, after the functions that it calls by the keys of `helpers`.

    >>> from srcad.lang.ir import Const, Param
    >>> from srcad.lang.types import FLOAT
    >>> x = Var("x", FLOAT)
    >>> body = (Let("y", Call(operator.mul, (x, Call(operator.add, (x, Const(1.0)))))), Return(Var("y", FLOAT)))
    >>> print(write(Function("f", (Param("x"),), body)).text, end="")
    def f(x):
        y = x * (x + 1.0)
        return y
    """
    from srcad.lang.unparse import unparse

    symbols = Symbols(set().union(*map(local_names, (fn, *helpers.values()))))
    names = {helper: symbols.reserve(helper, function.name, fn.name) for helper, function in helpers.items()}
    functions = [*(replace(function, name=names[helper]) for helper, function in helpers.items()), fn]
    trees = [_Writer(symbols).function(function) for function in functions]
    imports = symbols.imports()
    head = ast.parse("\n".join(imports)).body
    text, lines = unparse(ast.Module([*head, *trees], []))
    return Written(text, symbols.constants, lines, tuple(imports))


def local_names(fn: Function) -> set[str]:
    """Every local name of a function, and its own."""
    found = {fn.name, *(p.name for p in fn.params)}
    for stmt in statements(fn.body):
        found.update(targets(stmt))
        found.update(e.name for expr in stmt_exprs(stmt) for e in subexprs(expr) if isinstance(e, Var))
    return found


def unpackings(block: Block) -> list[Stmt]:
    """The statements, with ``a, b = f(x)`` for a call that returns several values and what takes them apart.

    >>> from srcad.lang.recursive import Callee, Instance
    >>> from srcad.lang.types import FLOAT
    >>> pair, called = TupleType((FLOAT, FLOAT)), Instance(Callee("f", (), Origin()), ())
    >>> second = Let("b", Call(operator.getitem, (Var("t", pair), Const(1)), (), FLOAT))
    >>> unpackings((Let("t", Call(called, (), (), pair)), second))[0].targets
    ('_', 'b')
    """
    out: list[Stmt] = []
    position = 0
    while position < len(block):
        stmt = block[position]
        position += 1
        if isinstance(stmt, Let) and isinstance(stmt.value, Call) and isinstance(stmt.value.fn, HELPERS):
            parts: dict[int, str] = {}
            end = position
            while end < len(block) and (part := _part(block[end], stmt.target)) is not None and part[0] not in parts:
                parts[part[0]] = part[1]
                end += 1
            kind = stmt.value.type
            if parts and isinstance(kind, TupleType) and not _is_read(stmt.target, block[end:]):
                stmt = Move(tuple(parts.get(k, "_") for k in range(len(kind.items))), (stmt.value,), stmt.origin)
                position = end
        out.append(stmt)
    return out


def _is_read(name: str, block: Block) -> bool:
    """Whether statements read a name before they give it another value."""
    for stmt in block:
        if any(name in names(expr) for inner in statements((stmt,)) for expr in stmt_exprs(inner)):
            return True
        if isinstance(stmt, Let) and stmt.target == name:
            return False
    return False


def _part(stmt: Stmt, whole: str) -> tuple[int, str] | None:
    match stmt:
        case Let(target, Call(operator.getitem, (Var(name), Const(value=int() as k)))) if name == whole:
            return k, target
    return None


class _Writer(Expressions):
    """Statements of the IR as Python's own."""

    def function(self, fn: Function) -> ast.FunctionDef:
        defaults = [self.expr(p.default) for p in fn.params if p.default is not None]
        arguments = ast.arguments([], [ast.arg(p.name) for p in fn.params], None, [], [], None, defaults)
        body = self.block(fn.body, comments.place(fn.body))
        if fn.doc:
            body.insert(0, ast.Expr(ast.Constant(fn.doc)))
        return ast.FunctionDef(fn.name, arguments, body, [])

    def block(self, block: Block, notes: comments.Notes) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for stmt in unpackings(block):
            note = notes.get(id(stmt))
            if note is not None:
                from srcad.lang.unparse import Comment

                out.append(Comment(note))
            for tree in self.stmt(stmt, notes):
                tree.origin = stmt.origin  # type: ignore[attr-defined]
                out.append(tree)
        return out or [ast.Pass()]

    def stmt(self, stmt: Stmt, notes: comments.Notes) -> list[ast.stmt]:
        match stmt:
            case Let(target, value):
                return [self.let(target, value)]
            case Move(targets_, values):
                return self.move(targets_, values)
            case Store(base, index, value):
                return [self.store(base, index, value)]
            case Accum(target, value):
                return [self.accumulate(target, value)]
            case For(index, start, stop, step, body, flag, shared=shared, said=said):
                over = prange if shared else range
                return [self.loop(index, over, (start, stop, step), self.block(body, notes), flag, said)]
            case While(test, body):
                return [ast.While(self.expr(test), self.block(body, notes), [])]
            case If(test, then, orelse):
                return [ast.If(self.expr(test), self.block(then, notes), self.block(orelse, notes) if orelse else [])]
            case Effect(call):
                return [self.effect(call)]
            case Return(value):
                return [ast.Return(self.expr(value))]
        raise TypeError(stmt)

    def let(self, target: str, value: Expr) -> ast.stmt:
        match value:
            case Call(fn, (Var(name, Scalar()), right)) if name == target and _reads_well(fn, name, right):
                return ast.AugAssign(load(target), BINARY[fn](), self.expr(right))
        return ast.Assign([load(target)], self.expr(value))

    def move(self, variables: tuple[str, ...], values: tuple[Expr, ...]) -> list[ast.stmt]:
        if len(values) == 1 < len(variables):
            return [ast.Assign([ast.Tuple([load(n) for n in variables])], self.expr(values[0]))]
        if len(variables) == 1:
            return [self.let(variables[0], values[0])]
        return [ast.Assign([ast.Tuple([load(n) for n in variables])], ast.Tuple([self.expr(v) for v in values]))]

    def store(self, base: Expr, index: Expr, value: Expr) -> ast.stmt:
        target = self.place(base, index)
        match value:
            case Call(fn, (Call(operator.getitem, old, _, Scalar()), right)) if old == (base, index) and _in_place(fn):
                return ast.AugAssign(target, BINARY[fn](), self.expr(right))
            case Call(fn, (Var() as old, right), _, type) if old == base and _whole(base, index, right, type):
                if _in_place(fn):
                    return ast.AugAssign(load(old.name), BINARY[fn](), self.expr(right))
        return ast.Assign([target], self.expr(value))

    def place(self, base: Expr, index: Expr) -> Any:
        """``base[index]``; all of an array is ``base[:]``."""
        if is_const(index) and index.value is Ellipsis and isinstance(base.type, Array) and base.type.ndim:
            return ast.Subscript(self.expr(base), ast.Slice())
        return self.expr(Call(operator.getitem, (base, index)))

    def accumulate(self, target: Expr, value: Expr) -> ast.stmt:
        match target:
            case Call(operator.getitem, (base, index)):
                place = self.place(base, index)
            case Var(name):
                place = load(name)
            case _:
                raise TypeError(target)
        match value:
            case Call(operator.neg, (positive,)):
                return ast.AugAssign(place, ast.Sub(), self.expr(positive))
        return ast.AugAssign(place, ast.Add(), self.expr(value))

    def loop(
        self, index: str, over: Any, bounds: tuple[Expr, Expr, Expr], body: list[ast.stmt], flag: str | None,
        said: Any,
    ) -> ast.stmt:  # fmt: skip
        start, stop, step = bounds
        if is_const(step, 1):
            bounds = (stop,) if is_const(start, 0) else (start, stop)  # type: ignore[assignment]
        if flag is not None:
            body = [s for s in body if not isinstance(s, ast.Pass)] + [ast.If(load(flag), [ast.Break()], [])]
        if said is not None:
            over, bounds = said, (Call(over, bounds, (), INT),)  # type: ignore[assignment]
        return ast.For(load(index), self.call(over, bounds), body, [])

    def effect(self, call: Call) -> ast.stmt:
        match call:
            case Call(fn, (test, *message)) if fn is assert_:
                message = [m for m in message if not (is_const(m) and m.value is None)]
                return ast.Assert(self.expr(test), self.expr(message[0]) if message else None)
            case Call(fn, (exception, *args)) if fn is raise_:
                made = ast.Call(self.expr(exception), [self.expr(a) for a in args], [])
                return ast.Raise(made if args else made.func, None)
        return ast.Expr(self.expr(call))


def _in_place(fn: Any) -> bool:
    """Whether ``a = fn(a, b)`` has a short form; a callable may not be hashable."""
    return any(fn is each for each in _IN_PLACE)


def _reads_well(fn: Any, name: str, right: Expr) -> bool:
    """``x += dt * x`` is usual, ``x *= x`` is not; Numba multiplies no number in place with an array of rank 0."""
    if isinstance(getattr(right, "type", None), Array):
        return False
    return _in_place(fn) and (fn in (operator.add, operator.sub) or name not in names(right))


def _whole(base: Expr, index: Expr, right: Expr, type: Any) -> bool:
    """Whether a store changes all of a named array by a number, in the array's own dtype."""
    return (isinstance(base, Var) and is_const(index) and index.value is Ellipsis
            and isinstance(base.type, Array) and isinstance(type, Array) and base.type.dtype == type.dtype
            and isinstance(getattr(right, "type", None), Scalar))
