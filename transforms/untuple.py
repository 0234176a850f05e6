"""untuple: a name for each element of a tuple instead of one for the whole.

A tuple stays whole where it is an argument (a shape, axes, the arrays to concatenate), an index, or the result.
"""

from __future__ import annotations

import operator
from dataclasses import replace

from srcad.lang import walk
from srcad.lang.ir import (
    Attr, Block, Call, Const, Expr, For, Function, If, Let, Move, Param, Stmt, Tuple, Var, While, hint,
    element_at, select,
)  # fmt: skip
from srcad.lang.promote import type_of
from srcad.lang.recursive import Instance
from srcad.lang.structure import word
from srcad.lang.types import UNKNOWN, Static, TupleType, Type
from srcad.typing.join import join
from srcad.typing.table import constant_items
from srcad.transforms.flatten import fresh_names


def untuple(fn: Function) -> Function:
    """Split the names of tuples into names of their elements.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import FLOAT
    >>> x = Var("x", FLOAT)
    >>> pair = TupleType((FLOAT, FLOAT))
    >>> first = Call(operator.getitem, (Var("p", pair), Const(0)), (), FLOAT)
    >>> body = (Let("p", Tuple((x, Const(2.0, FLOAT)), pair)), Let("y", first), Return(Var("y", FLOAT)))
    >>> [(s.target, s.value.name) for s in untuple(Function("f", (Param("x", FLOAT),), body)).body[:-1]]
    [('p_0', 'x'), ('y', 'p_0')]
    """
    if not _has_tuples(fn):
        return fn
    splitter = _Untuple({p.name for p in fn.params} | walk.assigned(fn.body))
    packed = tuple((p, splitter.parameter(p)) for p in fn.params)
    leaves = tuple(p for param, parts in packed for p in _leaf_params(param, parts))
    splitter.declare(fn.body)
    return replace(fn, params=leaves, body=splitter.block(fn.body), packed=packed)


def _leaf_params(param: Param, parts: Expr) -> list[Param]:
    """The parameters that stand for one of the user's."""
    if not isinstance(parts, Tuple):
        return [param]
    return [Param(e.name, e.type) for e in walk.subexprs(parts) if isinstance(e, Var)]


def _has_tuples(fn: Function) -> bool:
    if any(isinstance(p.type, TupleType) for p in fn.params):
        return True
    exprs = (expr for stmt in walk.statements(fn.body) for expr in walk.stmt_exprs(stmt))
    return any(isinstance(getattr(e, "type", None), TupleType) for expr in exprs for e in walk.subexprs(expr))


class _Untuple:
    """`parts` gives, for the name of a tuple, what stands for it: a `Tuple`, or the shape of an array."""

    def __init__(self, used: set[str]) -> None:
        self.fresh = fresh_names(used)
        self.parts: dict[str, Expr] = {}

    def elements(self, name: str, type: TupleType) -> Tuple:
        """Names for the elements of a tuple, nested ones, too."""
        items: list[Expr] = []
        for key, item in zip(type.form.keys or range(len(type.items)), type.items):
            if isinstance(item, Static):
                items.append(Const(item.value, item))
                continue
            part = self.fresh(f"{hint(name)}_{word(key)}")
            items.append(self.elements(part, item) if isinstance(item, TupleType) else Var(part, item))
        return Tuple(tuple(items), type)

    def parameter(self, param: Param) -> Expr:
        """What stands for a parameter: its name, or the names of its elements."""
        if not isinstance(param.type, TupleType):
            return Var(param.name, param.type)
        self.parts[param.name] = parts = self.elements(param.name, param.type)
        return parts

    def declare(self, body: Block) -> None:
        """Names for the elements of every tuple that a branch or a loop joins, before any is read."""
        types: dict[str, Type] = {}
        for stmt in walk.statements(body):
            if isinstance(stmt, Move):
                for target, value in zip(stmt.targets, stmt.values):
                    if isinstance(value.type, TupleType):
                        types[target] = join(types.get(target, UNKNOWN), value.type, target, hint(target), wide=True)
        for target, type in types.items():
            assert isinstance(type, TupleType)
            self.parts.setdefault(target, self.elements(target, type))

    def open(self, var: Var) -> list[Stmt]:
        """Take a whole tuple, from outside or from a call, apart."""
        parts = self.elements(var.name, var.type)  # type: ignore[arg-type]
        self.parts[var.name] = parts
        return self.taken(parts, var)

    def taken(self, parts: Tuple, whole: Expr) -> list[Stmt]:
        out: list[Stmt] = []
        for k, part in enumerate(parts.items):
            item = Call(operator.getitem, (whole, _position(k)), (), part.type)
            if isinstance(part, Tuple):
                out += self.taken(part, item)
            elif isinstance(part, Var):
                out.append(Let(part.name, item))
        return out

    # ------------------------------------------------------------ statements

    def block(self, block: Block) -> Block:
        return tuple(new for stmt in block for new in self.statement(stmt))

    def statement(self, stmt: Stmt) -> list[Stmt]:
        match stmt:
            case Let(target, value) if isinstance(value.type, TupleType):
                return self.let(stmt, target, self.expr(value))
            case Let(target, value):
                value = self.expr(value)
                return [stmt if value is stmt.value else replace(stmt, value=value)]
            case Move(targets, values):
                pairs = [pair for t, v in zip(targets, values) for pair in self.moved(t, self.expr(v))]
                moved = Move(tuple(t for t, _ in pairs), tuple(v for _, v in pairs), stmt.origin)
                return [moved] if pairs else []
            case For() | While() | If():
                return [walk.map_stmt(self.expr, stmt, self.block)]
        return [walk.map_stmt(self.expr, stmt)]

    def let(self, stmt: Let, target: str, value: Expr) -> list[Stmt]:
        value = _whole(value) if isinstance(value, Const) else value  # Numba takes no lists as constants
        if isinstance(value, Tuple):
            parts = self.elements(target, value.type)  # type: ignore[arg-type]
            self.parts[target] = _with_constants(parts, value)
            leaves = _leaves(parts, value)
            return [replace(stmt, target=p.name, value=v) for p, v in leaves if not isinstance(v, Const)]
        if isinstance(value, Attr):
            self.parts[target] = value
            return []
        opened = self.open(Var(target, value.type))
        return [replace(stmt, value=value), *(replace(s, origin=stmt.origin) for s in opened)]

    def moved(self, target: str, value: Expr) -> list[tuple[str, Expr]]:
        if target not in self.parts:
            return [(target, value)]
        return [(p.name, v) for p, v in _leaves(self.parts[target], _whole(value))]

    # ------------------------------------------------------------ expressions

    def expr(self, expr: Expr) -> Expr:
        return walk.map_expr(self.node, expr)

    def node(self, expr: Expr) -> Expr:
        match expr:
            case Var(name) if name in self.parts:
                return self.parts[name]
            case Call(operator.getitem, (Tuple(items), Const(int() as k)), ()):
                return items[k]
            case Call(fn, (Tuple(items), Const(int() as k)), ()) if fn is element_at:
                return items[k]
            case Call(Instance(), args):
                return replace(expr, args=arguments(args))
            case Call(fn, (test, Tuple() as a, Tuple() as b), ()) if fn is select:
                return _selected(test, a, b)
        return expr


def arguments(args: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The arguments of a recursive function, tuples as their elements."""
    flat: list[Expr] = []
    for arg in args:
        if isinstance(arg.type, TupleType):  # type: ignore[union-attr]
            flat += arguments(tuple(item for item in _whole(arg).items if not isinstance(item.type, Static)))  # type: ignore[union-attr]
        else:
            flat.append(arg)
    return tuple(flat)


def _position(k: int) -> Const:
    return Const(k, type_of(k))


def _whole(value: Expr) -> Tuple:
    """Any tuple as its elements."""
    match value:
        case Tuple():
            return value
        case Const():
            return Tuple(constant_items(value), value.type)
    items = value.type.items
    return Tuple(tuple(Call(operator.getitem, (value, _position(k)), (), t) for k, t in enumerate(items)), value.type)


def _leaves(parts: Expr, value: Expr) -> list[tuple[Var, Expr]]:
    """The names of a tuple's elements beside their values."""
    found: list[tuple[Var, Expr]] = []
    for part, item in zip(_whole(parts).items, _whole(value).items):
        if isinstance(part, Tuple):
            found += _leaves(part, item)
        elif isinstance(part, Var):
            found.append((part, item))
    return found


def _with_constants(parts: Tuple, value: Tuple) -> Tuple:
    """The names of elements, those that are constants as such."""
    items: list[Expr] = []
    for part, item in zip(parts.items, value.items):
        if isinstance(part, Tuple):
            item = _whole(item)
            items.append(_with_constants(part, item))  # type: ignore[arg-type]
        else:
            items.append(item if isinstance(item, Const) else part)
    return Tuple(tuple(items), parts.type)


def _selected(test: Expr, a: Tuple, b: Tuple) -> Tuple:
    """``(a0, a1) if test else (b0, b1)``, element by element."""
    types: tuple[Type, ...] = tuple(item.type for item in a.items)
    items = (
        _selected(test, x, y) if isinstance(x, Tuple) and isinstance(y, Tuple) else Call(select, (test, x, y), (), t)
        for x, y, t in zip(a.items, b.items, types)
    )
    return Tuple(tuple(items), a.type)
