"""from_records: what was recorded a moment ago is read from the record, so that the array can be written meanwhile.

``u_tape[t] = u`` and then ``u[1:-1] = u[1:-1] + nu * (u[2:] - 2 * u[1:-1] + u[:-2])``: no loop over elements may
write to `u` what its next iteration reads. Read from ``u_tape[t]``, which is the same, nothing stands in the way, and
no array is needed for the sum.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from dataclasses import dataclass, replace

from srcad.analysis.buffers import stored_name, stored_names, view_of
from srcad.analysis.contents import content_names
from srcad.analysis.pairs import Pairs
from srcad.lang import walk
from srcad.lang.ir import (
    Accum, Attr, Block, Call, Expr, For, Function, Let, Slice, Stmt, Store, Tuple, Var, While, hint,
)  # fmt: skip
from srcad.lang.types import Array, Scalar
from srcad.transforms.flatten import fresh_names


def from_records(fn: Function) -> Function:
    """Read from records what a statement on slices writes.

    >>> from srcad.lang.ir import Const, Param, Return, Slice
    >>> from srcad.lang.types import INT
    >>> u, tape = Var("u", Array("float64", ("n",), "C")), Var("u~tape", Array("float64", ("m", "n"), "C"))
    >>> part = Array("float64", ("n-1",), "C")
    >>> def cut(a, b): return Slice(a and Const(a, INT), b and Const(b, INT))
    >>> before = Call(operator.getitem, (u, cut(None, -1)), (), part)
    >>> body = (Store(tape, Var("t", INT), u), Store(u, cut(1, None), before))
    >>> loop = For("t", Const(0, INT), Const(9, INT), Const(1, INT), body)
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> params = Param("u", u.type), Param("u~tape", tape.type)
    >>> print(write(name(from_records(Function("f", params, (loop, Return(u)))))).text, end="")
    def f(u, u~tape):
        for t in range(9):
            u~tape[t] = u
            u_1 = u~tape[t]
            u[1:] = u_1[:-1]
        return u
    """
    if not any(record_of(stmt) for stmt in walk.statements(fn.body)):
        return fn
    used = {param.name for param in fn.params} | walk.assigned(fn.body)
    return replace(fn, body=_Reader(Pairs.of(fn.body), fresh_names(used)).block(fn.body))


def record_of(stmt: Stmt) -> tuple[Var, Var] | None:
    """The record that a statement writes an array to, and the array."""
    match stmt:
        case Store(Var(name, Array() as kind) as tape, Var(type=Scalar()), Var(type=Array() as own) as array):
            if name.endswith("~tape") and kind.ndim == own.ndim + 1 and kind.dtype == own.dtype:
                return tape, array
    return None


@dataclass
class _Reader:
    pairs: Pairs
    fresh: Callable[[str], str]

    def block(self, block: Block) -> Block:
        return tuple(walk.map_stmt(lambda e: e, stmt, self.body if isinstance(stmt, (For, While)) else self.block)
                     for stmt in block)  # fmt: skip

    def body(self, body: Block) -> Block:
        """An iteration that begins with records, perhaps."""
        for found in list(itertools.takewhile(bool, map(record_of, body))):
            assert found is not None
            position = next(k for k, stmt in enumerate(body) if record_of(stmt) == found)
            body = self.read(body, position, *found)
        return self.block(body)

    def read(self, body: Block, position: int, tape: Var, array: Var) -> Block:
        """An iteration that reads an array from its record, up to the statement that writes to a part of the array."""
        last = next((k for k in range(position + 1, len(body)) if self.writes(body[k], array)), None)
        if last is None or not self.is_slice(body[last], array):
            return body
        between = body[position + 1 : last]
        views = {stmt.target for stmt in between if isinstance(stmt, Let) and self.is_view(stmt, array)}
        reading = any(self.reads(stmt, array) for stmt in body[position + 1 : last + 1])
        exprs = (expr for stmt in walk.statements(body[last + 1 :]) for expr in walk.stmt_exprs(stmt))
        later = {name for expr in exprs for name in walk.names(expr)}
        changed = walk.assigned(between) & {array.name, tape.name}
        if not reading or views & later or changed or self.writes_to(between, tape):
            return body
        store = body[position]
        assert isinstance(store, Store) and isinstance(array.type, Array)
        row = Var(self.fresh(hint(array.name)), replace(array.type, layout="C"))
        origin = body[last].origin
        named = Let(row.name, Call(operator.getitem, (tape, store.index), (), row.type), origin)
        self.pairs.add(named)
        new = tuple(_reading(stmt, array.name, row) for stmt in body[position + 1 : last + 1])
        return (*body[: position + 1], named, *new, *body[last + 1 :])

    def writes(self, stmt: Stmt, array: Var) -> bool:
        return any(self.pairs.may_share(name, array.name) for name in stored_names((stmt,)))

    def writes_to(self, block: Block, tape: Var) -> bool:
        return any(self.pairs.may_share(name, tape.name) for name in stored_names(block))

    def is_slice(self, stmt: Stmt, array: Var) -> bool:
        """Whether a statement writes to several elements of an array at once."""
        value = stmt.value if isinstance(stmt, (Store, Accum)) else None
        return isinstance(getattr(value, "type", None), Array) and stored_name(stmt) == array.name

    def is_view(self, stmt: Let, array: Var) -> bool:
        return view_of(stmt.value) is not None and self.pairs.may_share(stmt.target, array.name)

    def reads(self, stmt: Stmt, array: Var) -> bool:
        value = getattr(stmt, "value", None)
        return value is not None and array.name in content_names(value)


def _reading(stmt: Stmt, name: str, row: Var) -> Stmt:
    """A statement that reads from the row what it read under the name; it writes where it did."""
    def new(expr: Expr) -> Expr:
        match expr:
            case Var() if expr.name == name:
                return row
            case Attr(Var(), "shape" | "size"):
                return expr
        return expr if isinstance(expr, Var) else _mapped(expr, new)

    if isinstance(stmt, (Store, Accum)):
        return replace(stmt, value=new(stmt.value))
    return walk.map_stmt(new, stmt)


def _mapped(expr: Expr, new: Callable[[Expr], Expr]) -> Expr:
    """An expression whose parts are replaced."""
    match expr:
        case Call(_, args, kwargs):
            return replace(expr, args=tuple(map(new, args)), kwargs=tuple((k, new(v)) for k, v in kwargs))
        case Attr(value):
            return replace(expr, value=new(value))
        case Tuple(items):
            return replace(expr, items=tuple(map(new, items)))
        case Slice(lower, upper, step):
            return Slice(*(None if e is None else new(e) for e in (lower, upper, step)))
    return expr
