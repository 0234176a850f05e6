"""flatten: one primitive a statement on the paths that carry derivatives.

Operands of array and floating-point calls become names or constants. Integer and boolean expressions stay
trees, but what they read from arrays gets a name, so that a later write to the array cannot change it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from srcad.lang.arrays import tuple_of_ints
from srcad.lang import walk
from srcad.lang.ir import (
    Accum, Attr, Block, Call, Const, Effect, Expr, For, Function, If, Let, Move, Return, Slice, Stmt, Store, Tuple,
    Var, While, and_, or_, raise_, select,
)  # fmt: skip
from srcad.lang.origin import Origin
from srcad.lang.recursive import Instance
from srcad.lang.types import BOOL, INT, Array, Scalar, Static, TupleType, is_array, is_float
from srcad.transforms.bound import bound
from srcad.transforms.carries import fleeting
from srcad.transforms.half_bound import half_bound
from srcad.transforms.unfilled import unfilled


def flatten(fn: Function) -> Function:
    """Name every intermediate value that may carry a derivative.

    >>> from srcad.lang.ir import Param
    >>> from srcad.lang.types import FLOAT
    >>> x = Var("x", FLOAT)
    >>> y = Let("y", Call(operator.mul, (x, Call(operator.add, (x, x), (), FLOAT)), (), FLOAT))
    >>> [s.target for s in flatten(Function("f", (Param("x", FLOAT),), (y, Return(Var("y", FLOAT))))).body[:2]]
    ['_t', 'y']
    """
    used = {param.name for param in fn.params} | walk.assigned(fn.body)
    fresh = fresh_names(used)
    fn = bound(fn, fresh)
    flattener = _Flattener(fresh)
    flattener.moved = {
        v.name for s in walk.statements(fn.body) if isinstance(s, Move) for v in s.values if isinstance(v, Var)
    }
    flattener.begun = half_bound(fn.body)
    return replace(fn, body=unfilled(flattener.block(fn.body)))


def fresh_names(used: set[str]) -> Callable[[str], str]:
    """A source of names that are not in `used`."""
    count: dict[str, int] = {}

    def fresh(base: str) -> str:
        while True:
            number = count.get(base, 0)
            count[base] = number + 1
            name = base if number == 0 else f"{base}.{number}"
            if name not in used:
                used.add(name)
                return name

    return fresh


def neutral(kind: Scalar | Array) -> Expr:
    """A value for a name that is never read before it gets its own; the lengths that are known are relied on."""
    if isinstance(kind, Array):
        return nothing(kind, tuple(d if isinstance(d, int) else 0 for d in kind.shape))
    return Const(np.dtype(kind.dtype).type(0).item(), kind)


def nothing(kind: Array, dims: tuple[int, ...]) -> Expr:
    """An array without values."""
    dtype = Const(np.dtype(kind.dtype).type, Static(np.dtype(kind.dtype).type))
    shape = tuple_of_ints(tuple(Const(d, INT) for d in dims))
    return Call(np.empty, (shape, dtype), (), Array(kind.dtype, dims, "C"))


class _Flattener:
    def __init__(self, fresh: Callable[[str], str]) -> None:
        self.fresh = fresh
        self.copies: dict[str, Expr] = {}
        self.moved: set[str] = set()
        self.begun: set[str] = set()  # arrays that only one branch binds, and that loops begin with
        self.out: list[Stmt] = []
        self.origin = Origin()

    def block(self, block: Block) -> Block:
        outer, self.out = self.out, []
        for stmt in block:
            self.origin = stmt.origin
            if isinstance(stmt, (For, While)):
                self.bind_carried(stmt)
            self.statement(stmt)
        result, self.out = tuple(self.out), outer
        return result

    def bind_joined(self, block: Block, other: Block) -> Block:
        """A name that only the other branch binds, and that is handed on whichever was taken, is bound here too."""
        if block and isinstance(block[0], Effect) and block[0].call.fn is raise_:
            return block  # nothing is handed on
        end = block[-1] if block and isinstance(block[-1], Move) else Move((), (), self.origin)
        missing: list[tuple[str, Expr]] = []
        if other and isinstance(other[-1], Move):
            for target, value in zip(other[-1].targets, other[-1].values):
                kind = getattr(value, "type", None)
                needed = target in self.begun or target in self.moved and isinstance(kind, Scalar)
                if target not in end.targets and needed:
                    missing.append((target, neutral(kind)))  # type: ignore[arg-type]
        if not missing:
            return block
        names, values = (tuple(part) for part in zip(*missing))
        joined = replace(end, targets=(*end.targets, *names), values=(*end.values, *values))
        return (*(block[:-1] if end.targets else block), joined)

    def bind_carried(self, loop: For | While) -> None:
        """A name that only the loop assigns, and that a later iteration reads, needs a value in the first one too.

        The reverse sweep reads an array whose shape changes, if only for the shape that its cotangent had before.
        """
        end = loop.body[-1] if loop.body and isinstance(loop.body[-1], Move) else None
        if end is None:
            return
        entry = self.out.pop() if self.out and isinstance(self.out[-1], Move) else Move((), (), loop.origin)
        assert isinstance(entry, Move)
        read = set().union(set(), *(walk.names(e) for s in walk.statements(loop.body) for e in walk.stmt_exprs(s)))
        inside = walk.assigned(loop.body)
        for target, value in zip(end.targets, end.values):
            kind = getattr(value, "type", None)
            changes = isinstance(kind, Array) and any(fleeting(dim, inside) for dim in kind.shape)
            needed = (target in read or changes) and target not in entry.targets
            if needed and isinstance(kind, (Scalar, Array)):
                first = self.atom(neutral(kind))
                entry = replace(entry, targets=(*entry.targets, target), values=(*entry.values, first))
        if entry.targets:
            self.out.append(entry)

    def statement(self, stmt: Stmt) -> None:
        match stmt:
            case Let(target, value):
                self.let(target, value)
                return
            case Move(_, values):
                stmt = replace(stmt, values=tuple(self.atom(v) for v in values))
            case Store(base, index, value):
                stmt = replace(stmt, base=self.atom(base), index=self.index(index), value=self.atom(value))
            case Accum(Call(_, (base, index), type=type) as target, value):
                place = replace(target, args=(self.atom(base), self.index(index)), type=type)
                stmt = replace(stmt, target=place, value=self.atom(value))
            case Accum(target, value):
                stmt = replace(stmt, target=self.atom(target), value=self.atom(value))
            case If(test, then, orelse):
                header = self.test(test)
                then, orelse = self.bind_joined(then, orelse), self.bind_joined(orelse, then)
                stmt = replace(stmt, test=header, then=self.block(then), orelse=self.block(orelse))
            case For(_, start, stop, step, body):
                start, stop, step = self.tree(start), self.tree(stop), self.tree(step)
                stmt = replace(stmt, start=start, stop=stop, step=step, body=self.block(body))
                flag = self.copies.get(stmt.flag or "")
                stmt = replace(stmt, flag=flag.name) if isinstance(flag, Var) else stmt
            case While(test, body):
                stmt = replace(stmt, test=self.copied(test), body=self.block(body))
            case Effect(call):
                copied = self.copied(call)
                assert isinstance(copied, Call)
                stmt = replace(stmt, call=copied)
            case Return(value):
                stmt = replace(stmt, value=self.result(value))
        self.out.append(stmt)

    def let(self, target: str, value: Expr) -> None:
        value = self.copied(value)
        if isinstance(value, Var):
            self.copies[target] = value
        elif isinstance(value, Call) and value.fn is select and not self.cheap(value):
            self.branch(target, value)
        else:
            self.out.append(Let(target, self.operation(value), self.origin))

    def cheap(self, value: Call) -> bool:
        # Of two arrays the result is one under a second name: that is what a branch says.
        return not is_array(value.type) and all(isinstance(arg, (Var, Const)) for arg in value.args[1:])

    def branch(self, target: str, value: Call) -> None:
        """``a if test else b`` with work to do in a branch: an If, so that only the branch taken is computed."""
        test, *branches = value.args
        header = self.test(test)
        origin = self.origin
        blocks = []
        for side in branches:
            outer, self.out = self.out, []
            atom = self.atom(side)
            blocks.append((*self.out, Move((target,), (atom,), origin)))
            self.out = outer
        self.out.append(If(header, blocks[0], blocks[1], origin))

    def test(self, test: Expr) -> Expr:
        test = self.tree(test)
        if isinstance(test, (Var, Const)) or not walk.names(test):
            return test
        name = self.fresh("_c")
        self.out.append(Let(name, test, self.origin))
        return Var(name, getattr(test, "type", BOOL))

    def copied(self, expr: Expr) -> Expr:
        return walk.substitute(expr, self.copies) if self.copies else expr

    def result(self, value: Expr) -> Expr:
        if isinstance(value, Tuple):
            return Tuple(tuple(self.result(item) for item in value.items), value.type)
        if isinstance(value, Call) and isinstance(value.type, TupleType):
            name = self.fresh("_t")
            self.out.append(Let(name, self.tree(value, top=True), self.origin))
            return Var(name, value.type)
        return self.atom(value)

    def atom(self, expr: Expr) -> Expr:
        expr = self.copied(expr)
        if isinstance(expr, (Var, Const)):
            return expr
        if isinstance(expr, Tuple):
            return Tuple(tuple(self.atom(item) for item in expr.items), expr.type)
        if isinstance(expr, Slice):
            return self.index(expr)  # of what a derivative asks about an index
        if not (is_float(expr.type) or is_array(expr.type)):
            return self.tree(expr)
        name = self.fresh("_t")
        self.let(name, expr)
        return self.copies.get(name, Var(name, expr.type))

    def operation(self, value: Expr) -> Expr:
        if not isinstance(value, Call):
            return self.tree(value)
        if isinstance(value.fn, Instance):
            return replace(value, args=tuple(map(self.atom, value.args)))
        if not (is_float(value.type) or is_array(value.type)):
            return self.tree(value, top=True)
        if value.fn is operator.getitem:
            return replace(value, args=(self.atom(value.args[0]), self.index(value.args[1])))
        if value.fn is select:
            return replace(value, args=(self.test(value.args[0]), *value.args[1:]))
        kwargs = tuple((k, self.atom(v)) for k, v in value.kwargs)
        return replace(value, args=tuple(self.atom(a) for a in value.args), kwargs=kwargs)

    def index(self, index: Expr) -> Expr:
        match self.copied(index):
            case Tuple(items, type):
                return Tuple(tuple(self.index(item) for item in items), type)
            case Slice(lower, upper, step):
                return Slice(*(None if e is None else self.tree(e) for e in (lower, upper, step)))
            case other:
                return self.atom(other)

    def tree(self, expr: Expr, top: bool = False) -> Expr:
        """Keep an integer or boolean expression whole, naming what it reads from arrays or computes in floats."""
        expr = self.copied(expr)
        match expr:
            case Call(fn, args, kwargs, type):
                if fn in (and_, or_, select):
                    return replace(expr, args=(self.tree(args[0]), *args[1:]))
                touches = any(is_array(getattr(a, "type", None)) for a in args)
                if touches and not top:
                    name = self.fresh("_t")
                    self.out.append(Let(name, self.tree(expr, top=True), self.origin))
                    return Var(name, type)
                if fn is operator.getitem:
                    return replace(expr, args=(self.atom(args[0]), self.index(args[1])))
                named = tuple((k, self.tree(v)) for k, v in kwargs)
                return replace(expr, args=tuple(self.operand(a) for a in args), kwargs=named)
            case Attr(value, _, _) if not isinstance(value, Var):
                return replace(expr, value=self.atom(value))
            case Tuple(items, type):
                return Tuple(tuple(self.tree(item) for item in items), type)
        return expr

    def operand(self, expr: Expr) -> Expr:
        is_data = is_array(getattr(expr, "type", None))
        return self.atom(expr) if is_data else self.tree(expr)
