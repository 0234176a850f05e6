"""apart: arguments that share memory, where one of them is written to; part of `derive`.

A derivative takes two parameters for two arrays. That holds in every call but those that pass one array twice, or two
overlapping parts of one; a function that writes into an argument then means something else, and its derivative says so.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

from srcad.lang.ir import Call, Const, Effect, If, Param, Stmt, Var, raise_
from srcad.lang.types import BOOL, NONE, Array, Static, Type
from srcad.runtime import overlaps


def apart(params: Sequence[Param], written: Collection[str]) -> list[Stmt]:
    """Refuse at the call what of the arguments overlaps an argument that is written to.

    >>> from srcad.lang.ir import Function
    >>> from srcad.lang.write import write
    >>> kind = Array("float64", ("n",))
    >>> print(write(Function("f", (), tuple(apart([Param("x", kind), Param("y", kind)], ["y"])))).text)
    from srcad.runtime import overlaps
    <BLANKLINE>
    <BLANKLINE>
    def f():
        if overlaps(x, y):
            raise ValueError("x and y share memory, and y is written to: pass a copy of one of them")
    <BLANKLINE>
    """
    result: list[Stmt] = []
    for a, b in combinations(params, 2):
        changed = " and ".join(p.name for p in (a, b) if p.name in written)
        if changed and same_numbers(a.type, b.type):
            verb = "are" if " and " in changed else "is"
            message = f"{a.name} and {b.name} share memory, and {changed} {verb} written to: pass a copy of one of them"
            error = Call(raise_, tuple(Const(v, Static(v)) for v in (ValueError, message)), (), NONE)
            test = Call(overlaps, (Var(a.name, a.type), Var(b.name, b.type)), (), BOOL)
            result.append(If(test, (Effect(error),)))
    return result


def same_numbers(a: Type, b: Type) -> bool:
    """Whether two arrays can share memory other than through a cast: their dtypes are one, or a part of the other."""
    if not (isinstance(a, Array) and isinstance(b, Array)):
        return False
    kinds = {a.dtype, b.dtype}
    return len(kinds) == 1 or kinds in ({"float64", "complex128"}, {"float32", "complex64"})
