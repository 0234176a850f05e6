"""Reading the body of a rule: statements on ``.bar`` and ``.dot``, as data.

A body is parsed at its first use and never run. What a rule may say is what `Statement` lists.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Union

import gast

from srcad.lang.errors import unsupported
from srcad.lang.ir import Const, Expr, Var
from srcad.lang.read import Source, read, read_expression


@dataclass(frozen=True, slots=True)
class Temporary:
    """``e = value``, or ``a, b = value`` where the value is a tuple at compile time."""

    names: tuple[str, ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class Tangent:
    """``y.dot = value``"""

    value: Expr


@dataclass(frozen=True, slots=True)
class Cotangent:
    """``operand.bar += value``"""

    operand: Expr
    value: Expr
    sign: int


@dataclass(frozen=True, slots=True)
class Result:
    """``return value``, in a lowering."""

    value: Expr


@dataclass(frozen=True, slots=True)
class Branch:
    """``if`` with a test that the call decides."""

    test: Expr
    then: Body
    orelse: Body


@dataclass(frozen=True, slots=True)
class Loop:
    """``for`` over a tuple; unrolled."""

    names: tuple[str, ...]
    over: Iteration | Expr
    body: Body


@dataclass(frozen=True, slots=True)
class Refusal:
    """``raise NotImplementedError("reason")``: this form of the call has no rule."""

    reason: str


Statement = Union[Temporary, Tangent, Cotangent, Result, Branch, Loop, Refusal]
Body = tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Iteration:
    """What a loop runs over: an expression, or ``range``, ``enumerate``, ``zip`` of such."""

    fn: Any
    args: tuple[Iteration | Expr, ...]


ITERATORS = {"range": range, "enumerate": enumerate, "zip": zip, "reversed": reversed}


def parse(fn: Callable[..., Any]) -> Body:
    """The statements of a rule's body.

    >>> import numpy as np
    >>> def sin(y, x):
    ...     x.bar += y.bar * np.cos(x)
    >>> parse(sin)  # doctest: +SKIP
    (Cotangent(...),)
    """
    source = read(fn)
    return _Reader(source).body(source.tree.body)


class _Reader:
    def __init__(self, source: Source):
        self.source = source
        self.local = source.locals

    def expr(self, node: gast.AST) -> Expr:
        return read_expression(node, self.resolve, self.source.place)

    def resolve(self, name: str) -> Expr:
        return Var(name) if name in self.local else Const(self.source.lookup(name))

    def body(self, nodes: list[gast.AST]) -> Body:
        return tuple(stmt for node in nodes if (stmt := self.statement(node)) is not None)

    def statement(self, node: gast.AST) -> Statement | None:
        match node:
            case gast.Expr(value=gast.Constant()) | gast.Pass():
                return None
            case gast.AugAssign(target=gast.Attribute(value=operand, attr="bar"), op=gast.Add() | gast.Sub()):
                sign = 1 if isinstance(node.op, gast.Add) else -1
                return Cotangent(self.expr(operand), self.expr(node.value), sign)
            case gast.Assign(targets=[gast.Attribute(value=gast.Name(), attr="dot")], value=value):
                return Tangent(self.expr(value))
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                return Temporary((name,), self.expr(value))
            case gast.Assign(targets=[gast.Tuple(elts=elements)], value=value):
                return Temporary(self.names(elements), self.expr(value))
            case gast.If(test=test, body=body, orelse=orelse):
                return Branch(self.expr(test), self.body(body), self.body(orelse))
            case gast.For(target=target, iter=over, body=body, orelse=[]):
                elements = target.elts if isinstance(target, gast.Tuple) else [target]
                return Loop(self.names(elements), self.iterable(over), self.body(body))
            case gast.Return(value=value) if value is not None:
                return Result(self.expr(value))
            case gast.Raise(exc=gast.Call(args=[gast.Constant(value=str(reason))])):
                return Refusal(reason)
        raise unsupported(
            self.source.place(node), "this statement has no meaning in a rule",
            "x.bar += ..., y.dot = ..., a temporary, or if and for that the call decides",
        )

    def names(self, nodes: list[gast.AST]) -> tuple[str, ...]:
        for node in nodes:
            if not isinstance(node, gast.Name):
                raise unsupported(self.source.place(node), "a rule assigns plain names only", "a name on the left side")
        return tuple(node.id for node in nodes)

    def iterable(self, node: gast.AST) -> Iteration | Expr:
        match node:
            case gast.Call(func=gast.Name(id=name), args=args) if name in ITERATORS:
                return Iteration(ITERATORS[name], tuple(self.iterable(arg) for arg in args))
        return self.expr(node)
