"""partners: the cosine is recorded beside the sine, not what both are of.

The derivative of a sine reads the cosine of what an earlier loop has computed and recorded. Where that loop computes
the sine, the cosine costs it little: both begin with the same reduction of the argument. A record of cosines is as long
as one of arguments, and its reader has nothing left to compute.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from srcad.analysis.contents import member, times_given
from srcad.lang import walk
from srcad.lang.ir import Attr, Block, Call, Expr, Function, Let, Store, Var
from srcad.transforms.flatten import fresh_names

SINES = np.sin, math.sin, np.sinh, math.sinh
COSINES = np.cos, math.cos, np.cosh, math.cosh


def partners(fn: Function) -> Function:
    """Record the cosines of what sines are computed of, where nothing else is read of a record.

    >>> from srcad.lang.ir import Accum, Const, For, Param, Return
    >>> from srcad.lang.types import FLOAT, INT, Array
    >>> x, a = (Var(name, Array("float64", ("n",), "C")) for name in "xa")
    >>> i, n, s, t, y = Var("i", INT), Var("n", INT), Var("s", FLOAT), Var("t", FLOAT), Var("y", FLOAT)
    >>> def at(array): return Call(operator.getitem, (array, i), (), FLOAT)
    >>> def loop(*body): return For("i", Const(0, INT), n, Const(1, INT), body)
    >>> first = loop(Let("t", at(x)), Let("y", Call(np.sin, (t,), (), FLOAT)), Accum(s, y), Store(a, i, t))
    >>> second = loop(Store(x, i, Call(operator.mul, (s, Call(np.cos, (at(a),), (), FLOAT)), (), FLOAT)))
    >>> body = (Let("s", Const(0.0, FLOAT)), Let("a", Call(np.empty, (n,), (), a.type)), first, second, Return(x))
    >>> from srcad.lang.write import write
    >>> fn = Function("f", (Param("x", x.type), Param("n", INT)), body)
    >>> print(write(partners(fn)).text.split("\\n\\n\\n")[1], end="")
    def f(x, n):
        s = 0.0
        _t = np.empty(n)
        for i in range(n):
            t = x[i]
            y = np.sin(t)
            s += y
            _t.1 = np.cos(t)
            _t[i] = _t.1
        for i in range(n):
            x[i] = s * _t[i]
        return x
    """
    waved = {e.args[0].args[0].name for e in _exprs(fn.body) if _is_cosine_of_element(e)}  # type: ignore[union-attr]
    if not waved:
        return fn
    mentions = Counter(e.name for e in _exprs(fn.body) if isinstance(e, Var))
    bound = times_given(fn.body)
    used = {p.name for p in fn.params} | walk.assigned(fn.body)
    fresh = fresh_names(used | {name.split("~")[0] for name in used})  # a cotangent is called after its primal
    for stmt in walk.statements(fn.body):
        if isinstance(stmt, Let) and stmt.target in waved and _is_empty(stmt.value) and bound[stmt.target] == 1:
            cosine = _only_reading(fn.body, stmt.target, mentions[stmt.target])
            if cosine is not None:
                fn = replace(fn, body=_recorded(fn.body, stmt.target, cosine, bound, fresh))
    return fn


def _exprs(block: Block) -> Iterator[Expr]:
    for stmt in walk.statements(block):
        for whole in walk.stmt_exprs(stmt):
            yield from walk.subexprs(whole)


def _is_empty(value: Expr) -> bool:
    return isinstance(value, Call) and value.fn is np.empty


def _only_reading(block: Block, array: str, mentions: int) -> Call | None:
    """A cosine of an element, where an array has one writer and nothing but such cosines is read of it."""
    cosines = [e for e in _exprs(block) if isinstance(e, Call) and _is_cosine_of(e, array)]
    shapes = sum(isinstance(e, Attr) and e.name == "shape" and _is(e.value, array) for e in _exprs(block))
    writers = [s for s in walk.statements(block) if isinstance(s, Store) and _is(s.base, array)]
    alike = all(cosine.fn is cosines[0].fn and cosine.type == cosines[0].type for cosine in cosines)
    only = len(writers) == 1 and mentions == len(cosines) + shapes + 1
    return cosines[0] if cosines and alike and only else None


def _is(expr: Expr, name: str) -> bool:
    return isinstance(expr, Var) and expr.name == name


def _is_cosine_of_element(expr: Expr) -> bool:
    match expr:
        case Call(fn, (Call(operator.getitem, (Var(), _)) as element,), ()):
            return member(fn, COSINES) and expr.type == element.type
    return False


def _is_cosine_of(expr: Expr, array: str) -> bool:
    return _is_cosine_of_element(expr) and expr.args[0].args[0].name == array  # type: ignore[union-attr]


def _recorded(block: Block, array: str, cosine: Call, bound: Counter[str], fresh: Callable[[str], str]) -> Block:
    """A block that writes cosines to an array, if it computes the sines; the same block otherwise."""
    new = fresh(f"{cosine.fn.__name__}~tape" if array.endswith("~tape") else "_t")

    def inside(part: Block) -> Block:
        part = tuple(walk.map_stmt(lambda e: e, stmt, inside) for stmt in part)
        for place, stmt in enumerate(part):
            match stmt:
                case Store(Var(name), _, Var(value, kind)) if name == array and kind == cosine.type:
                    if bound[value] == 1 and any(_is_sine(s, value, cosine.fn) for s in part[:place]):
                        beside = Var(fresh("_t"), cosine.type)
                        let = Let(beside.name, Call(cosine.fn, (Var(value, kind),), (), cosine.type), stmt.origin)
                        return *part[:place], let, replace(stmt, value=beside), *part[place + 1 :]
        return part

    written = inside(block)
    if written == block:
        return block
    read = walk.map_block(lambda e: e.args[0] if _is_cosine_of(e, array) else e, written)
    return walk.rename(read, {array: new})


def _is_sine(stmt: object, of: str, cosine: Callable) -> bool:
    match stmt:
        case Let(_, Call(fn, (Var(name),))):
            return name == of and any(fn is sine and cosine is other for sine, other in zip(SINES, COSINES))
    return False
