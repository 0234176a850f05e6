"""Arrays that only one branch of a test binds, and that only code on the same condition reads."""

from __future__ import annotations

from srcad.lang import walk
from srcad.lang.ir import Block, Expr, If, Var
from srcad.lang.types import is_array


def halves(block: Block) -> dict[str, tuple[Expr, bool]]:
    """The test of each such name, and whether it holds where the name is bound.

    >>> from srcad.lang.ir import Let, Move
    >>> from srcad.lang.types import BOOL, Array
    >>> a, test = Var("a", Array("float64", ("n",), "C")), Var("c", BOOL)
    >>> halves((If(test, (Let("b", a), Move(("b.1",), (Var("b", a.type),))), ()),))["b.1"][1]
    True
    """
    found: dict[str, tuple[Expr, bool]] = {}
    partly: set[str] = set()  # inside the branch that binds it, too, only on a condition
    for stmt in reversed([*walk.statements(block)]):
        if isinstance(stmt, If) and isinstance(stmt.test, Var):
            then, orelse = dict(walk.moves_of(stmt.then)), dict(walk.moves_of(stmt.orelse))
            for name in then.keys() ^ orelse.keys():
                value = then.get(name, orelse.get(name))
                found[name] = (stmt.test, name in then)
                if not is_array(getattr(value, "type", None)) or isinstance(value, Var) and value.name in partly:
                    del found[name]
                partly.add(name)
    return found
