"""Writing a rule out for one call: the rule's own names are replaced by the call's expressions."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from srcad.lang.errors import Problem, SrcadError
from srcad.lang.ir import Attr, Call, Const, Expr, Let, Slice, Tuple, Var, and_, or_, select
from srcad.lang.origin import Origin
from srcad.lang.symbols import library_name
from srcad.lang.types import UNKNOWN, Array, Scalar
from srcad.rules.parse import Body, Branch, Cotangent, Iteration, Loop, Refusal, Result, Tangent, Temporary
from srcad.rules.static import (
    ZERO, as_expr, fold, in_math, is_plain, one_of, plain, product, rank, statics, without_zeros,
)  # fmt: skip

Fresh = Callable[[str], str]
Typed = Callable[[Expr], Expr]


class FormError(SrcadError, LookupError):
    """The rule of a primitive does not cover this form of the call; what does may stand behind ``; instead:``."""

    def problem(self, origin: Origin) -> Problem:
        reason, _, remedy = str(self).partition("; instead: ")
        return Problem(origin, reason, remedy or "another form of this call, or a rule of your own")


class Unknown(Exception):
    """A derivative that exists and has no formula; the text says with respect to what."""


def untyped(expr: Expr) -> Expr:
    return expr


@dataclass
class Instance:
    """One call of a primitive, on which the statements of its rule act."""

    primitive: Any
    env: dict[str, Expr]  # the rule's names
    bars: dict[str, Expr] = field(default_factory=dict)  # the rule's name of the result -> its cotangent
    dots: dict[str, Expr] = field(default_factory=dict)  # the caller's names -> their tangents
    wanted: set[str] = field(default_factory=set)  # the caller's names whose cotangents are asked for
    typed: Typed = untyped
    temporaries: dict[int, tuple[str, Expr]] = field(default_factory=dict)  # by identity of the value
    found: list[tuple[Var, Expr]] = field(default_factory=list)  # contributions
    tangent: Expr | None = None
    said: set[type] = field(default_factory=set)  # what the rule has made statements on: tangents, cotangents
    result: Expr | None = None

    # ------------------------------------------------------------ statements

    def run(self, body: Body) -> None:
        for stmt in body:
            if self.result is None:
                self.said.add(type(stmt))
                self.statement(stmt)

    def statement(self, stmt: Any) -> None:
        match stmt:
            case Temporary(names, value):
                self.bind(names, self.expr(value))
            case Cotangent(operand, value, sign):
                self.contribute(self.expr(operand), value, sign)
            case Tangent(value):
                if not self.bars:
                    self.tangent = self.expr(value)
            case Branch(test, then, orelse):
                self.run(then if self.decide(test) else orelse)
            case Loop(names, over, inner):
                for item in self.items(over):
                    self.bind(names, item)
                    self.run(inner)
            case Result(value):
                self.result = self.expr(value)
            case Refusal(reason):
                raise FormError(reason)

    def bind(self, names: tuple[str, ...], value: Expr) -> None:
        if len(names) > 1:
            for name, item in zip(names, parts(value)):
                self.bind((name,), item)
            return
        self.env[names[0]] = value
        if isinstance(value, Call):
            self.temporaries.setdefault(id(value), (names[0], value))

    def contribute(self, operand: Expr, value: Expr, sign: int) -> None:
        if isinstance(operand, Var) and operand.name in self.wanted:
            term = self.expr(value)
            if term is not ZERO:
                self.found.append((operand, term if sign > 0 else Call(operator.neg, (term,))))

    def decide(self, test: Expr) -> bool:
        value = self.expr(test)
        if not is_plain(value):
            raise FormError("the rule tests what is not known at compile time; instead: a constant, or np.where")
        return bool(plain(value))

    def items(self, over: Iteration | Expr) -> list[Expr]:
        """What a loop runs over, one expression an iteration."""
        if not isinstance(over, Iteration):
            return list(parts(self.expr(over)))
        if over.fn is range:
            bounds = (plain(self.expr(arg)) for arg in over.args if not isinstance(arg, Iteration))
            return [Const(i) for i in range(*bounds)]
        columns = [self.items(arg) for arg in over.args]
        if over.fn is reversed:
            return columns[0][::-1]
        rows = zip(*columns) if over.fn is zip else ((Const(i), item) for i, item in enumerate(columns[0]))
        return [Tuple(tuple(row)) for row in rows]

    # ------------------------------------------------------------ expressions

    def expr(self, expr: Expr) -> Expr:
        match expr:
            case Var(name):
                return self.env[name]
            case Attr(Var(name), "bar"):
                return self.bars.get(name, ZERO)
            case Attr(value, "dot"):
                return self.dot(self.expr(value))
            case Attr(value, name):
                return self.attribute(self.expr(value), name)
            case Call(fn, args, kwargs):
                if fn in LAZY:
                    return self.lazy(fn, args)
                return self.call(fn, tuple(map(self.expr, args)), tuple((k, self.expr(v)) for k, v in kwargs))
            case Slice(lower, upper, step):
                return Slice(*(None if e is None else self.expr(e) for e in (lower, upper, step)))
            case Tuple(items):
                return Tuple(tuple(map(self.expr, items)))
        return expr

    def rank(self, expr: Expr) -> int:
        return rank(self.typed(expr))

    def dot(self, operand: Expr) -> Expr:
        """The tangent of an operand; that of a tuple has zeros where some of it moves and some does not."""
        if isinstance(operand, Tuple):
            dots = [self.dot(item) for item in operand.items]
            if all(d is ZERO for d in dots):
                return ZERO
            return Tuple(tuple(zeros_like(x) if d is ZERO else d for x, d in zip(operand.items, dots)))
        return self.dots.get(operand.name, ZERO) if isinstance(operand, Var) else ZERO

    def attribute(self, value: Expr, name: str) -> Expr:
        if isinstance(value, Const) and not isinstance(value.value, np.ndarray):
            return Const({"ndim": 0, "shape": (), "size": 1}.get(name, getattr(value.value, name, None)))
        if name == "ndim":
            return Const(self.rank(value))
        if name == "T":
            return Call(np.transpose, (value,)) if self.rank(value) > 1 else value
        kind = getattr(self.typed(value), "type", UNKNOWN)
        if name == "dtype" and isinstance(kind, (Array, Scalar)):
            return Const(np.dtype(kind.dtype).type)
        without = {"shape": (), "size": 1} if not self.rank(value) else {}
        return Const(without[name]) if name in without else Attr(value, name)

    def call(self, fn: Any, args: tuple[Expr, ...], kwargs: tuple[tuple[str, Expr], ...]) -> Expr:
        if fn in statics:
            return self.static_call(fn, args, kwargs)
        kwargs = tuple((k, v) for k, v in kwargs if not is_default(k, v))
        decided = None if kwargs else fold(fn, args)
        if decided is not None:
            return decided
        shorter = without_zeros(fn, args) or (product(*args) if fn is operator.mul else None)
        return Call(in_math(fn, args, self.primitive), args, kwargs) if shorter is None else shorter

    def static_call(self, fn: Any, args: tuple[Expr, ...], kwargs: tuple[tuple[str, Expr], ...]) -> Expr:
        """Call a static function: what is known goes in as a value, what is not as an expression."""
        if any(arg is ZERO for arg in args):
            return ZERO
        given = [plain(arg) if is_plain(arg) else arg for arg in args]
        try:
            return as_expr(fn(*given, **{k: plain(v) if is_plain(v) else v for k, v in kwargs}))
        except Unknown as what:
            name = library_name(self.primitive) or getattr(self.primitive, "__name__", repr(self.primitive))
            instead = "srcad.stop_gradient(...) of this operand, or a rule of your own"
            raise FormError(f"{name} has no derivative here with respect to {what}; instead: {instead}") from None

    def lazy(self, fn: Any, args: tuple[Expr, ...]) -> Expr:
        """Conditional expressions, ``and``, ``or``, ``not``: decided, or written for numbers or for arrays."""
        if fn is select:
            test = self.expr(args[0])
            if is_plain(test):
                return self.expr(args[1] if plain(test) else args[2])
            return one_of(test, self.expr(args[1]), self.expr(args[2]), self.typed)
        if fn is operator.not_:
            test = self.expr(args[0])
            if is_plain(test):
                return Const(not plain(test))
            return Call(np.logical_not if self.rank(test) else fn, (test,))
        return self.connect(fn, args)

    def connect(self, fn: Any, args: tuple[Expr, ...]) -> Expr:
        """``and`` (or ``or``) of what is not decided; the rest is not looked at once one argument decides."""
        decisive, tests = fn is or_, []
        for arg in args:
            test = self.expr(arg)
            if not is_plain(test):
                tests.append(test)
            elif bool(plain(test)) is decisive:
                return Const(decisive)
        if len(tests) < 2:
            return tests[0] if tests else Const(not decisive)
        if not max(map(self.rank, tests)):
            return Call(fn, tuple(tests))
        join = np.logical_or if fn is or_ else np.logical_and
        return functools.reduce(lambda a, b: Call(join, (a, b)), tests)


def is_default(name: str, value: Expr) -> bool:
    """Whether a keyword argument says what NumPy's functions do without it."""
    if not isinstance(value, Const):
        return False
    return value.value is None or value.value is False or (name in ("ddof", "k", "offset") and value.value == 0)


LAZY = (select, and_, or_, operator.not_)


def parts(value: Expr) -> tuple[Expr, ...]:
    """The items of a tuple that is known as one."""
    if isinstance(value, Const) and isinstance(value.value, (tuple, list)):
        return tuple(map(as_expr, value.value))
    if not isinstance(value, Tuple):
        raise FormError("the rule needs a tuple of known length; instead: (x, y)")
    return value.items


def zeros_like(operand: Expr) -> Expr:
    if isinstance(operand, Tuple):
        return Tuple(tuple(map(zeros_like, operand.items)))
    return Call(np.zeros_like, (operand,)) if rank(operand) else Const(0.0)


# ---------------------------------------------------------------- temporaries


def name_shared(instance: Instance, fresh: Fresh) -> list[Let | tuple[Var, Expr]]:
    """The contributions, each behind the temporaries that it reads; a temporary read once stands where it is read."""
    uses: dict[int, int] = {}
    for _, term in instance.found:
        _count(term, instance.temporaries, uses)
    result: list[Let | tuple[Var, Expr]] = []
    named: dict[int, Var] = {}

    def rebuild(expr: Expr) -> Expr:
        if id(expr) in named:
            return named[id(expr)]
        whole = expr if not isinstance(expr, Call) else Call(
            expr.fn, tuple(map(rebuild, expr.args)), tuple((k, rebuild(v)) for k, v in expr.kwargs), expr.type
        )
        if isinstance(expr, Tuple):
            whole = Tuple(tuple(map(rebuild, expr.items)), expr.type)
        if uses.get(id(expr), 0) < 2:
            return left_to_right(whole)
        name = fresh(instance.temporaries[id(expr)][0])
        whole = instance.typed(whole)
        named[id(expr)] = Var(name, getattr(whole, "type", UNKNOWN))
        result.append(Let(name, whole))
        return named[id(expr)]

    for operand, term in instance.found:
        result.append((operand, rebuild(term)))
    return result


def left_to_right(expr: Expr) -> Expr:
    """``a * (b * c)`` as ``a * b * c``, and ``a * (b / c)`` as ``a * b / c``."""
    match expr:
        case Call(operator.mul, (a, Call(operator.mul | operator.truediv as op, (b, c)))):
            return Call(op, (left_to_right(Call(operator.mul, (a, b))), c))
        case Call(operator.mul, (a, Call(operator.neg, (b,)))):
            return Call(operator.neg, (left_to_right(Call(operator.mul, (a, b))),))
    return expr


def _count(expr: Expr, temporaries: dict[int, tuple[str, Expr]], uses: dict[int, int]) -> None:
    if id(expr) in temporaries:
        uses[id(expr)] = uses.get(id(expr), 0) + 1
        if uses[id(expr)] > 1:
            return
    match expr:
        case Call(_, args, kwargs):
            for arg in (*args, *(v for _, v in kwargs)):
                _count(arg, temporaries, uses)
        case Tuple(items):
            for item in items:
                _count(item, temporaries, uses)
