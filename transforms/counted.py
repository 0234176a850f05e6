"""counted: innermost loops that begin at a variable count from zero. For machine code only.

Python counts negative subscripts from the end. Of ``for j in range(i + 1, n)``, LLVM cannot prove that `j` is none, and
looks at every subscript anew; of ``i + 1 + k`` with a `k` that counts from zero it can, and the loop vectorises. Of an
`i` that counts down, LLVM does not know that it stops at zero: it is told by ``max(i + 1, 0)``.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from dataclasses import dataclass, replace

from srcad.analysis.encounters import Encounters
from srcad.lang.ir import Block, Call, Const, Expr, For, Function, Let, Slice, Stmt, Tuple, Var, While
from srcad.lang.types import INT, Array
from srcad.lang.walk import assigned, is_const, map_stmt, names, statements, stmt_exprs, subexprs
from srcad.transforms.flatten import fresh_names
from srcad.transforms.simplify import simplified


def counted(fn: Function) -> Function:
    """Let innermost loops count from zero that read or write at their index and begin at a variable.

    >>> from srcad.lang.ir import Accum, Param, Return
    >>> from srcad.lang.types import FLOAT
    >>> i, n, a = Var("i", INT), Var("n", INT), Var("a", Array("float64", ("n",), "C"))
    >>> element = Call(operator.getitem, (a, Var("j", INT)), (), FLOAT)
    >>> body = (For("j", i, n, Const(1, INT), (Accum(element, Const(1.0, FLOAT)),)), Return(a))
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> fn = counted(Function("f", (Param("a", a.type), Param("i", INT), Param("n", INT)), body))
    >>> print(write(name(fn)).text, end="")
    def f(a, i, n):
        for k in range(n - i):
            j = i + k
            a[j] += 1.0
        return a
    """
    used = {p.name for p in fn.params} | assigned(fn.body)
    return replace(fn, body=_Counter(fn, fresh_names(used)).block(fn.body, frozenset()))


@dataclass
class _Counter:
    fn: Function
    fresh: Callable[[str], str]

    def block(self, block: Block, falling: frozenset[str]) -> Block:
        """A block with loops from zero, in loops that count down by the indices `falling`."""
        result: list[Stmt] = []
        for stmt in block:
            inside = falling
            if isinstance(stmt, For) and not (isinstance(stmt.step, Const) and stmt.step.value > 0):
                inside = falling | {stmt.index}
            new = _loop(stmt, self.fresh, functools.partial(self.first, falling=falling))
            result.append(map_stmt(lambda e: e, new, functools.partial(self.block, falling=inside)))
        return tuple(result)

    def first(self, loop: For, falling: frozenset[str]) -> Expr:
        """Where a loop begins, such that LLVM knows that it is not negative."""
        if not names(loop.start) & falling or not self.encounters.never_negative(loop, loop.start):
            return loop.start
        return Call(max, (loop.start, Const(0, INT)), (), INT)

    @functools.cached_property
    def encounters(self) -> Encounters:
        return Encounters(self.fn)


def _loop(stmt: Stmt, fresh: Callable[[str], str], first: Callable[[For], Expr]) -> Stmt:
    if not (isinstance(stmt, For) and is_const(stmt.step, 1)) or isinstance(stmt.start, Const):
        return stmt
    changed = assigned(stmt.body)
    if any(isinstance(s, (For, While)) for s in statements(stmt.body)) or changed & names(stmt.start):
        return stmt
    if not any(_at(expr, stmt.index) for s in statements(stmt.body) for expr in stmt_exprs(s)):
        return stmt
    count = Var(fresh("_k"), INT)
    place = simplified(Call(operator.add, (first(stmt), count), (), INT))
    length = simplified(Call(operator.sub, (stmt.stop, stmt.start), (), INT))
    body = (Let(stmt.index, place, stmt.origin), *stmt.body)
    return replace(stmt, index=count.name, start=Const(0, INT), stop=length, body=body)


def _at(expr, index: str) -> bool:
    """Whether an expression reads, or is, an element at a subscript with this name in it."""
    for e in subexprs(expr):
        match e:
            case Call(operator.getitem, (Var(_, Array()), Tuple(items))):
                if any(not isinstance(item, Slice) and index in names(item) for item in items):
                    return True
            case Call(operator.getitem, (Var(_, Array()), item)) if index in names(item):
                return True
    return False
