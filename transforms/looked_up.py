"""looked_up: a loop that looks for the first place of something in a vector, as a call that gives it.

Dicts whose keys are computed are lists of keys beside values, and a loop looks for the key. Its place is a number that
is recorded as others are; a loop would run again in the reverse, and want the keys as they were.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, For, Function, If, Let, Move, Slice, Stmt, Var, and_
from srcad.lang.types import Array, Scalar
from srcad.runtime import first_equal, first_pair
from srcad.transforms.infer import typed
from srcad.transforms.taking import mentions

_FOUND = {1: first_equal, 2: first_pair}


def looked_up(fn: Function) -> Function:
    """Call what finds a place, where a loop ends at it and nothing else comes out of the loop.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import BOOL, INT
    >>> x, v, k, n = Var("x", Array("float64", ("n",), "C")), Var("v", Scalar("float64")), Var("k", INT), Var("n", INT)
    >>> done, found, here, met, place = (Var(name, type) for name, type in zip("dfhmp", (BOOL, BOOL, INT, INT, INT)))
    >>> is_it = Call(operator.eq, (Call(operator.getitem, (x, k), (), v.type), v), (), BOOL)
    >>> hit = (Let("h", k), Let("t", Const(True, BOOL)), Move(("f", "m"), (Var("t", BOOL), here)))
    >>> step = (If(is_it, hit, (Move(("f", "m"), (done, place)),)), Move(("d", "p"), (found, met)))
    >>> loop = For("k", Const(0, INT), n, Const(1, INT), step, "f")
    >>> missed = (Let("q", Const(-1, INT)), Move(("r",), (Var("q", INT),)))
    >>> behind = If(Call(operator.not_, (done,), (), BOOL), missed, (Move(("r",), (place,)),))
    >>> body = (Let("e", Const(False, BOOL)), Move(("d",), (Var("e", BOOL),)), loop, behind, Return(Var("r", INT)))
    >>> from srcad.lang.write import write
    >>> params = tuple(Param(each.name, each.type) for each in (x, v, n))
    >>> print(write(looked_up(Function("f", params, body))).text.split("\\n\\n\\n")[1], end="")
    def f(x, v, n):
        r = first_equal(x[:n], v)
        return r
    """
    if not any(isinstance(stmt, For) and stmt.flag for stmt in walk.statements(fn.body)):
        return fn
    return replace(fn, body=_block(fn.body, mentions(fn.body)))


def _block(block: Block, uses: Counter[str]) -> Block:
    out: list[Stmt] = []
    for stmt in block:
        out.append(walk.map_stmt(lambda e: e, stmt, lambda inner: _block(inner, uses)))
        if len(out) >= 4 and isinstance(stmt, If) and (call := _looked_up(out[-4:], uses)) is not None:
            out[-4:] = [call]
    return tuple(out)


def _looked_up(stmts: Sequence[Stmt], uses: Counter[str]) -> Let | None:
    match stmts:
        case (
            Let(_, Const(value=False)) as begin, Move(targets, values), For() as loop,
            If(Call(operator.not_, (Var(done),)), missed, (Move((result,), (Var(place),)),)) as behind,
        ) if {*targets} <= {done, place} and begin.target in map(_name, values):
            own = mentions(tuple(stmts))
            outside = {name for name in own if uses[name] > own[name]}
            inner = {name for stmt in (loop, *missed) for name in walk.assigned((stmt,))} | {begin.target, *targets}
            if not _ends_in(missed, result, -1) or outside & inner - {result} or not _finds(loop, done, place):
                return None
            call = _call(loop)
            return None if call is None else Let(result, call, behind.origin)
    return None


def _ends_in(block: Block, name: str, value: int) -> bool:
    """Whether a block gives a name a constant, and does nothing more that is read."""
    held = {stmt.target: stmt.value for stmt in block[:-1] if isinstance(stmt, Let)}
    match block[-1:]:
        case (Move((target,), (Var(source),)),) if target == name and len(held) == len(block) - 1:
            given = held.get(source)
            return isinstance(given, Const) and given.value == value
    return False


def _finds(loop: For, done: str, place: str) -> bool:
    """Whether a loop ends at the first element of which something is true, with its place."""
    match loop.body:
        case (If(_, (*lets, Move() as hit), (Move() as on,)), Move() as last):
            held = {s.target: s.value for s in lets if isinstance(s, Let)}
            found, kept = dict(zip(hit.targets, hit.values)), dict(zip(on.targets, on.values))
            handed = {target: _name(value) for target, value in zip(last.targets, last.values)}
            both = {*handed} == {done, place} and {*found} == {*kept} == {*handed.values()}
            if not both or len(held) != len(lets):
                return False
            ends = [held.get(_name(found[handed[name]])) for name in (done, place)]
            names = [_name(kept[handed[name]]) for name in (done, place)]
            is_true = isinstance(ends[0], Const) and ends[0].value is True
            return is_true and _name(ends[1]) == loop.index and names == [done, place] and loop.flag == handed[done]
    return False


def _call(loop: For) -> Expr | None:
    """The call that gives the place which a loop finds."""
    if not walk.is_const(loop.start, 0) or not walk.is_const(loop.step, 1):
        return None
    assert isinstance(loop.body[0], If)
    test = loop.body[0].test
    tests = test.args if isinstance(test, Call) and test.fn is and_ else (test,)
    vectors, keys = [], []
    for each in tests:
        sides = each.args if isinstance(each, Call) and each.fn is operator.eq else ()
        taken = [k for k, side in enumerate(sides) if _is_element(side, loop)]
        if len(taken) != 1:
            return None
        vector, key = sides[taken[0]].args[0], sides[1 - taken[0]]  # type: ignore[union-attr]
        if loop.index in walk.names(key) or not isinstance(getattr(key, "type", None), Scalar):
            return None
        vectors.append(typed(Call(operator.getitem, (vector, Slice(None, loop.stop)))))
        keys.append(key)
    found = _FOUND.get(len(tests))
    return None if found is None else typed(Call(found, (*vectors, *keys)))


def _is_element(side: Expr, loop: For) -> bool:
    match side:
        case Call(operator.getitem, (Var(_, Array(shape=(_,))), Var(loop.index))):
            return True
    return False


def _name(expr: Expr | None) -> str:
    return expr.name if isinstance(expr, Var) else ""
