"""watch: checks that a user asks for, as statements among the others, which name the user's line.

`debug` checks indices and shapes, `nan_check` that no NaN and no infinity comes up. The primal is watched before it is
differentiated: a check is an effect, and what it looks at stays. The reverse sweep is watched when it is written.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from srcad.analysis.buffers import views_of
from srcad.analysis.contents import member
from srcad.lang.arrays import items_of, shape_tuple
from srcad.lang import walk
from srcad.lang.ir import (
    Accum, Block, Call, Const, Effect, Expr, Function, Let, Move, Return, Stmt, Store, Tuple, Var, and_, hint,
    is_temporary, or_, select,
)  # fmt: skip
from srcad.lang.origin import described
from srcad.lang.lists import elastic
from srcad.lang.promote import UFUNCS
from srcad.lang.symbols import unique
from srcad.lang.types import INT, NONE, Array, Static, is_array, is_elastic, is_float
from srcad.options import Options
from srcad.runtime import check_finite, check_index, check_mask, check_nan, check_product, check_shapes
from srcad.transforms.bounds import bounds
from srcad.transforms.infer import typed

MAKERS: frozenset[Any] = frozenset((
    np.empty, np.empty_like, np.zeros, np.zeros_like, np.ones, np.ones_like, np.full, np.full_like,
    elastic,
))  # fmt: skip
LAZY = frozenset((select, and_, or_))
_SYMBOLS = {operator.add: "+", operator.sub: "-", operator.mul: "*", operator.truediv: "/", operator.pow: "**",
            operator.mod: "%", operator.matmul: "@", operator.neg: "-", operator.floordiv: "//"}  # fmt: skip


def watched(fn: Function, options: Options, called: bool = False) -> Function:
    """A flat function with the checks that are asked for; machine code looks at arrays of indices in any case.

    What the next derivative is made of may become machine code.
    """
    if options.debug or options.nan_check:
        fn = watch(fn, options, called)
    return bounds(fn) if (options.target == "cpu" or options.marked) and not options.debug else fn


def watch(fn: Function, options: Options, called: bool = False) -> Function:
    """Put checks around the statements of a flat function; of one that is `called`, whose arguments others check.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import FLOAT
    >>> x, y = Var("x", FLOAT), Var("y", FLOAT)
    >>> from srcad.lang.origin import Origin
    >>> body = (Let("y", Call(np.log, (x,), (), FLOAT), Origin("f.py", 2, 4)), Return(y))
    >>> watched = watch(Function("f", (Param("x", FLOAT),), body), Options(nan_check=True))
    >>> [type(stmt).__name__ for stmt in watched.body]
    ['Effect', 'Let', 'Effect', 'Return']
    """
    checks = _Checks(options, _infinite(fn))
    if called:
        return replace(fn, body=checks.block(fn.body))
    arguments = [checks.finite(Var(p.name, p.type), f"the argument {p.name}", f"passed to {fn.name}")
                 for p in fn.params if options.nan_check and is_float(p.type)]  # fmt: skip
    return replace(fn, body=(*arguments, *checks.block(fn.body)))


def watch_cotangents(fn: Function, options: Options) -> Function:
    """Check what the statements of a derivative add up, and the tangent that they return."""
    if not options.nan_check:
        return fn
    body = _after_each(fn.body)
    return replace(fn, body=_returned(body) if options.direction == "forward" else body)


def _returned(body: Block) -> Block:
    match body[-1]:
        case Return(Tuple((value, Call(type=kind) as tangent), both), origin) if is_float(kind):
            name = Var(f"{unique('result', map(hint, walk.assigned(body)))}~dot", kind)
            where = described(replace(origin, tangent=True))
            check = _effect(check_finite, name, _text("the tangent of the result"), _text(where))
            check = replace(check, origin=origin)
            return (*body[:-1], Let(name.name, tangent, origin), check, Return(Tuple((value, name), both), origin))
    return body


# ---------------------------------------------------------------- the primal


@dataclass
class _Checks:
    options: Options
    infinite: set[str]  # names that may be infinite because the user wrote an infinity

    def block(self, block: Block) -> Block:
        done: set[Expr] = set()
        out: list[Stmt] = []
        for stmt in block:
            primal = not stmt.origin.adjoint and not stmt.origin.tangent and stmt.origin.line  # which a check names
            for check in self.before(stmt) if self.options.debug and primal else ():
                if check.call not in done:
                    done.add(check.call)
                    out.append(replace(check, origin=stmt.origin))
            out.append(walk.map_stmt(lambda e: e, stmt, self.block))
            if self.options.nan_check and primal and isinstance(stmt, Let) and _is_computed(stmt.value):
                assert isinstance(stmt.value, Call)
                what = _called(stmt.target, stmt.value)
                check = self.finite(Var(stmt.target, stmt.value.type), what, described(stmt.origin))
                out.append(replace(check, origin=stmt.origin))
        return tuple(out)

    def finite(self, value: Var, what: str, where: str) -> Effect:
        return _effect(check_nan if value.name in self.infinite else check_finite, value, _text(what), _text(where))

    def before(self, stmt: Stmt) -> Iterator[Effect]:
        """The checks of what a statement reads and computes, and of where it writes."""
        where = described(stmt.origin)
        for expr in walk.stmt_exprs(stmt):
            yield from _reads(expr, where)
        match stmt:
            case Store(base, index, value) | Accum(Call(_, (base, index)), value) if not is_elastic(base.type):
                yield from _index_checks(base, index, where)
                if is_array(getattr(value, "type", None)):
                    place = typed(Call(operator.getitem, (base, index)))
                    yield from _shape_checks((place, value), where)


def _reads(expr: Expr, where: str) -> Iterator[Effect]:
    """The checks of an expression, but not of parts that may not be evaluated."""
    if not isinstance(expr, (Call, Tuple)) or (isinstance(expr, Call) and member(expr.fn, LAZY)):
        return
    for part in expr.items if isinstance(expr, Tuple) else expr.args:
        yield from _reads(part, where)
    if not isinstance(expr, Call):
        return
    if expr.fn is operator.getitem:
        yield from _index_checks(expr.args[0], expr.args[1], where)
    elif expr.fn in (np.dot, np.matmul, operator.matmul):
        yield from _product_checks(expr.args, where)
    elif member(expr.fn, UFUNCS) or isinstance(expr.fn, np.ufunc):
        yield from _shape_checks(tuple(a for a in expr.args if isinstance(a, Var)), where)


def _index_checks(base: Expr, index: Expr, where: str) -> Iterator[Effect]:
    parts = items_of(index)
    plain = all(not isinstance(p, Const) or isinstance(p.value, (int, np.integer)) for p in parts)
    if not (isinstance(base, Var) and isinstance(base.type, Array) and plain):
        return
    axis = 0
    for part in parts:
        kind = getattr(part, "type", None)
        dtype = getattr(kind, "dtype", "")
        mask = isinstance(kind, Array) and dtype == "bool"
        if mask and base.type.shape[axis : axis + kind.ndim] != kind.shape:
            yield _effect(check_mask, shape_tuple(base), Const(axis, INT), shape_tuple(part), _text(where))
        elif dtype.startswith(("int", "uint")):
            yield _effect(check_index, base, Const(axis, INT), part, _text(_named(base.name)), _text(where))
        axis += kind.ndim if mask else 1


def _shape_checks(operands: tuple[Expr, ...], where: str) -> Iterator[Effect]:
    arrays = [arg for arg in operands if is_array(getattr(arg, "type", None))]
    if len(arrays) == 2 and arrays[0].type.shape != arrays[1].type.shape:
        yield _effect(check_shapes, *map(shape_tuple, arrays), _text(where))


def _product_checks(operands: tuple[Expr, ...], where: str) -> Iterator[Effect]:
    kinds = [getattr(arg, "type", None) for arg in operands]
    if len(kinds) == 2 and all(isinstance(kind, Array) and kind.ndim for kind in kinds):
        yield _effect(check_product, *map(shape_tuple, operands), _text(where))


def _is_computed(value: Expr) -> bool:
    """Whether a value is a result of arithmetic, and not one that was there before."""
    if not isinstance(value, Call) or not is_float(value.type):
        return False
    if value.fn is np.array:  # which puts values together
        return any(_is_computed(part) for part in walk.subexprs(value) if part is not value)
    return not member(value.fn, MAKERS) and not views_of(value) and value.fn is not operator.getitem


def _infinite(fn: Function) -> set[str]:
    """The names that may hold an infinity that the user wrote, or something made of one."""
    found: set[str] = set()
    while True:
        before = len(found)
        for stmt in walk.statements(fn.body):
            match stmt:
                case Let(target, value):
                    pairs = [(target, value)]
                case Move(targets, values):
                    pairs = list(zip(targets, values))
                case Store(Var(name), value=value):
                    pairs = [(name, value)]
                case _:
                    continue
            found.update(name for name, value in pairs if any(_is_infinite(e, found) for e in walk.subexprs(value)))
        if len(found) == before:
            return found


def _is_infinite(expr: Expr, found: set[str]) -> bool:
    if isinstance(expr, Var):
        return expr.name in found
    return isinstance(expr, Const) and isinstance(expr.value, float) and not np.isfinite(expr.value)


# ---------------------------------------------------------------- the reverse sweep


def _after_each(block: Block) -> Block:
    return tuple(new for stmt in block for new in _watched(walk.map_stmt(lambda e: e, stmt, _after_each)))


def _watched(stmt: Stmt) -> Iterator[Stmt]:
    yield stmt
    place: Expr | None = None
    match stmt:
        case Let(target, Call(type=type)) if is_float(type) and _is_computed(stmt.value):
            place = Var(target, type)
        case Accum(target):
            place = target
        case Store(Var() as array, Const(index), Call() as value) if index is ... and _is_computed(value):
            place = array  # Numba does not take [...] of arrays in Fortran's order
        case Store(Var() as array, index, Call() as value) if _is_computed(value):
            place = typed(Call(operator.getitem, (array, index)))
    if place is not None and (stmt.origin.adjoint or stmt.origin.tangent) and is_float(getattr(place, "type", None)):
        base = place.args[0] if isinstance(place, Call) else place
        assert isinstance(base, Var)
        where = described(stmt.origin)
        yield replace(_effect(check_finite, place, _text(_of(base.name)), _text(where)), origin=stmt.origin)


def _of(name: str) -> str:
    kind = {"bar": "the cotangent of ", "dot": "the tangent of "}.get(name.rpartition("~")[2], "")
    return kind + _named(name)


def _named(name: str) -> str:
    return "a value" if is_temporary(name) else hint(name)


# ---------------------------------------------------------------- words


def _called(target: str, value: Call) -> str:
    """What the user calls a value: by its name, or by the function that gives it."""
    if not is_temporary(target):
        return hint(target)
    name = _SYMBOLS.get(value.fn) if member(value.fn, _SYMBOLS) else getattr(value.fn, "__name__", "").strip("_")
    return f"the result of {name}" if name else "a value"


def _text(text: str) -> Const:
    return Const(text, Static(text))


def _effect(check: Callable, *args: Expr) -> Effect:
    return Effect(Call(check, args, (), NONE))
