"""drawers: an array of numbers that loops pick from, made before them.

``pos[ks[i]]`` of a list of numbers is an element of an array of them. Where no iteration changes these, one array does
for all iterations, and for all places that pick: so one cotangent does, too.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, For, Function, Let, Move, Stmt, Tuple, Var, While, hint
from srcad.lang.types import INT, REAL, Array, Scalar, TupleType
from srcad.transforms.flatten import fresh_names

_NAME = "values"  # of numbers that have no name together


def drawers(fn: Function) -> Function:
    """Make arrays of what loops pick from before these.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import FLOAT, INT
    >>> a, k, n, s = Var("a", FLOAT), Var("k", INT), Var("n", INT), Var("s", FLOAT)
    >>> both = Tuple((a, Const(1.0, FLOAT)), TupleType((FLOAT, FLOAT)))
    >>> made = Call(np.array, (both,), (), Array("float64", (2,), "C"))
    >>> step = Let("s", Call(operator.getitem, (made, k), (), FLOAT))
    >>> loop = For("k", Const(0, INT), n, Const(1, INT), (step,))
    >>> params = tuple(Param(v.name, v.type) for v in (a, n, s))
    >>> from srcad.lang.write import write
    >>> print(write(drawers(Function("f", params, (loop, Return(s))))).text.split("\\n\\n\\n")[1], end="")
    def f(a, n, s):
        values = np.array((a, 1.0))
        for k in range(n):
            s = values[k]
        return s
    """
    bound = {param.name for param in fn.params}
    return replace(fn, body=_Drawers(fresh_names(bound | walk.assigned(fn.body))).block(fn.body, bound, {}))


@dataclass
class _Drawers:
    fresh: Callable[[str], str]

    def block(self, block: Block, bound: set[str], known: dict[Call, Var]) -> Block:
        """A block with such arrays before its loops: all of `bound` has a value here, whatever path was taken, and the
        arrays that are `known` are there.
        """
        out: list[Stmt] = []
        bound, known = set(bound), dict(known)
        for stmt in block:
            changed = walk.assigned((stmt,))
            if isinstance(stmt, (For, While)):
                entry = out[-1].targets if out and isinstance(out[-1], Move) else ()
                before = [each for each in _picked(stmt) if walk.names(each) <= bound - changed - {*entry}]
                new = {each: Var(self.fresh(_called(each)), each.type) for each in before if each not in known}
                at = len(out) - bool(entry)  # which stays beside its loop
                out[at:at] = [Let(var.name, each, stmt.origin) for each, var in new.items()]
                bound.update(var.name for var in new.values())
                known |= new
                stmt = _reading(stmt, {each: known[each] for each in before})
            known = {each: var for each, var in known.items() if not walk.names(each) & changed}
            inner = bound | ({stmt.index} if isinstance(stmt, For) else set())
            out.append(walk.map_stmt(lambda e: e, stmt, lambda part: self.block(part, inner, known)))  # noqa: B023
            if isinstance(stmt, (Let, Move)):
                bound |= changed
        return tuple(out)


def _picked(loop: Stmt) -> dict[Call, None]:
    """The arrays of numbers of which a loop reads one element at a time."""
    exprs = (e for stmt in walk.statements((loop,)) for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole))
    return dict.fromkeys(e.args[0] for e in exprs if _is_pick(e))  # type: ignore[attr-defined, misc]


def _is_pick(expr: Expr) -> bool:
    match expr:
        case Call(operator.getitem, (Call(np.array, (several,), (), Array(ndim=1, dtype=dtype)), index), ()):
            one = isinstance(getattr(index, "type", None), Scalar) and not isinstance(index, Const)
            return one and dtype in (*REAL, INT.dtype) and _is_of_numbers(several)
    return False


def _is_of_numbers(several: Expr) -> bool:
    kind = getattr(several, "type", None)
    numbers = isinstance(kind, TupleType) and all(isinstance(item, Scalar) for item in kind.items)
    return numbers and (isinstance(several, Var) or isinstance(several, Tuple) and all(map(_is_named, several.items)))


def _is_named(item: Expr) -> bool:
    """Whether a number is a constant or has a name, or is a known part of what has one."""
    match item:
        case Var() | Const():
            return True
        case Call(operator.getitem, (whole, Const()), ()):
            return isinstance(getattr(whole, "type", None), TupleType) and _is_named(whole)
    return False


def _called(made: Call) -> str:
    return hint(made.args[0].name) if isinstance(made.args[0], Var) else _NAME


def _reading(stmt: Stmt, arrays: dict[Call, Var]) -> Stmt:
    def read(e: Expr) -> Expr:
        if not isinstance(e, Call) or not _is_pick(e):
            return e
        array = arrays.get(e.args[0])  # type: ignore[arg-type]
        return e if array is None else replace(e, args=(array, *e.args[1:]))

    def within(block: Block) -> Block:
        return tuple(walk.map_stmt(lambda e: walk.map_expr(read, e), each, within) for each in block)

    return within((stmt,))[0]
