"""counted: innermost loops that begin at a variable count from zero. For machine code only.

Python counts negative subscripts from the end. Of ``for j in range(i + 1, n)``, LLVM cannot prove that `j` is none, and
looks at every subscript anew; of ``i + 1 + k`` with a `k` that counts from zero it can, and the loop vectorises.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace

from srcad.lang.ir import Block, Call, Const, For, Function, Let, Slice, Stmt, Tuple, Var, While
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
    return replace(fn, body=_block(fn.body, fresh_names(used)))


def _block(block: Block, fresh: Callable[[str], str]) -> Block:
    return tuple(map_stmt(lambda e: e, _loop(stmt, fresh), lambda inner: _block(inner, fresh)) for stmt in block)


def _loop(stmt: Stmt, fresh: Callable[[str], str]) -> Stmt:
    if not (isinstance(stmt, For) and is_const(stmt.step, 1)) or isinstance(stmt.start, Const):
        return stmt
    changed = assigned(stmt.body)
    if any(isinstance(s, (For, While)) for s in statements(stmt.body)) or changed & names(stmt.start):
        return stmt
    if not any(_at(expr, stmt.index) for s in statements(stmt.body) for expr in stmt_exprs(s)):
        return stmt
    count = Var(fresh("_k"), INT)
    place = simplified(Call(operator.add, (stmt.start, count), (), INT))
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
