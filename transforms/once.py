"""What can be called once only: functions that change what they have not made, or draw; part of `infer`.

Where a list turns out to hold arrays of different shapes, and the text takes them to have one, another text is called
with the same arguments. That must find what the first one found.
"""

from __future__ import annotations

from srcad.analysis.buffers import buffers, stored_name
from srcad.lang import walk
from srcad.lang.custom import Custom
from srcad.lang.draws import is_random
from srcad.lang.ir import Accum, Call, Const, Effect, Expr, Function, Let, Stmt, Store, Var, assert_, raise_
from srcad.lang.left import Left, OnlyOnce, current
from srcad.lang.recursive import HELPERS, Callee
from srcad.lang.types import TupleType, Type, is_array
from srcad.runtime import LengthsDiffer

_FAILURES = (raise_, assert_)


def once(fn: Function) -> Function:
    """The function, if it may be called once more where it raises `LengthsDiffer`; `OnlyOnce` is raised otherwise.

    >>> from srcad.lang.ir import Param
    >>> from srcad.lang.types import INT, Array
    >>> x, differ = Var("x", Array("float64", ("n",), "C")), Effect(Call(raise_, (Const(LengthsDiffer),)))
    >>> read = Function("f", (Param("x", x.type),), (differ,))
    >>> once(read) is read
    True
    >>> once(Function("f", read.params, (Store(x, Const(0, INT), Const(1, INT)), differ)))
    Traceback (most recent call last):
    srcad.lang.left.OnlyOnce
    """
    known = current()
    if known.exactly or not known.taken and not any(map(_differs, walk.statements(fn.body))):
        return fn
    owned = _made_here(fn)
    if any(_is_lasting(stmt, owned) or any(map(_tells, walk.stmt_exprs(stmt))) for stmt in walk.statements(fn.body)):
        raise OnlyOnce
    return fn


def _differs(stmt: Stmt) -> bool:
    """Whether a statement raises `LengthsDiffer`."""
    match stmt:
        case Effect(Call(fn, (Const(error), *_))) if fn is raise_:
            return error is LengthsDiffer
    return False


def _made_here(fn: Function) -> set[str]:
    """The names of arrays that the function makes itself."""
    found = buffers(fn)
    names = {s.target for s in walk.statements(fn.body) if isinstance(s, Let) and not _is_part(s.value)}
    return {name for name, sites in found.sites.items() if sites and sites <= names}


def _is_part(value: Expr) -> bool:
    """Whether a value is, or may be, what a structure holds."""
    parts = [each for each in walk.subexprs(value) if each is not value]
    return not isinstance(value, Call) or any(_holds_arrays(getattr(each, "type", None)) for each in parts)


def _holds_arrays(kind: Type | None) -> bool:
    return isinstance(kind, TupleType) and any(is_array(item) or _holds_arrays(item) for item in kind.items)


def _is_lasting(stmt: Stmt, owned: set[str]) -> bool:
    """Whether a statement changes something that is there when the function has raised."""
    match stmt:
        case Effect(call):
            return not (isinstance(call, Call) and call.fn in _FAILURES)
        case Store() | Accum(Call()):
            return stored_name(stmt) not in owned
        case Accum(Var(name, kind)):
            return is_array(kind) and name not in owned
    return False


def _tells(whole: Expr) -> bool:
    """Whether an expression calls what may give something else the next time."""
    return any(isinstance(e, Call) and (isinstance(e.fn, (Left, Custom, Callee, *HELPERS)) or is_random(e.fn))
               for e in walk.subexprs(whole))  # fmt: skip
