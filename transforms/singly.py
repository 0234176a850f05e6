"""What an iteration does with whole arrays, element by element; part of `blocks`."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from srcad.analysis.contents import member, times_given
from srcad.analysis.live import Names, at_the_end
from srcad.analysis.overwritten import mentions
from srcad.analysis.pairs import Pairs
from srcad.analysis.regions import Regions
from srcad.lang.arrays import index_of, items_of
from srcad.lang import walk
from srcad.lang.ir import (
    Accum, Attr, Block, Call, Const, Effect, Expr, For, If, Let, Move, Stmt, Tuple, Var, and_, or_, raise_, select,
)  # fmt: skip
from srcad.lang.origin import Origin
from srcad.lang.types import BOOL, FLOAT, INT, REAL, Array, Scalar, Static
from srcad.transforms.elementwise import Weaver
from srcad.transforms.passing import Facts
from srcad.transforms.totals import in_blocks

EXTREMES = {np.max: np.maximum, np.min: np.minimum}
PLACES = {np.argmax: operator.gt, np.argmin: operator.lt}
_EMPTY = "zero-size array to reduction operation which has no identity"
_NO_PLACE = "attempt to get the place of an extreme of an empty sequence"


def singly(loop: For, behind: Names, fresh: Callable[[str], str]) -> Block | None:
    """The body of a loop without statements about whole arrays, as far as these can be written as loops.

    None where it reads the index of a loop behind it.
    """
    body = in_blocks(loop.body, lambda block: _reduced(block, fresh))
    counts = Counter(name for s in walk.statements(body) if isinstance(s, (Let, Move)) for name in walk.targets(s))
    again = frozenset(name for name, count in counts.items() if count > 1)
    weaver = Weaver(Facts(Pairs.of((replace(loop, body=body),))), fresh, again, eager=True)
    body = weaver.block(body, at_the_end(replace(loop, body=body), behind), Regions())
    body = _joined(in_blocks(body, _plain))
    return None if _indices_read(body, frozenset()) else in_blocks(body, partial(_counting, fresh))


def _plain(block: Block) -> Block:
    """A block in which moves of one value are plain."""
    return tuple(
        Let(s.targets[0], s.values[0], s.origin) if isinstance(s, Move) and len(s.targets) == 1 else s for s in block
    )


def _indices_read(block: Block, open_: frozenset[str]) -> bool:
    """Whether a block reads the index of a loop behind the loop."""
    closed = {s.index for s in walk.statements(block) if isinstance(s, For)} - open_
    for stmt in block:
        if any(walk.names(e) & closed for e in walk.stmt_exprs(stmt)):
            return True
        inner = open_ | {stmt.index} if isinstance(stmt, For) else open_
        if any(_indices_read(each, inner) for each in walk.blocks(stmt)):
            return True
    return False


def _counting(fresh: Callable[[str], str], block: Block) -> Block:
    """A block whose loops count each under a name of its own."""
    return tuple(_renamed(s, fresh(s.index)) if isinstance(s, For) else s for s in block)


def _renamed(loop: For, index: str) -> For:
    return replace(loop, index=index, body=walk.rename(loop.body, {loop.index: index}))


# ---------------------------------------------------------------- reductions


def _reduced(block: Block, fresh: Callable[[str], str]) -> Block:
    """A block whose largest and smallest elements, and counts of what is true, are found by loops."""
    result: list[Stmt] = []
    for stmt in block:
        before: list[Stmt] = []
        found = stmt
        if isinstance(stmt, (Let, Accum)):
            change = partial(_number, origin=stmt.origin, before=before, fresh=fresh)
            found = walk.map_stmt(partial(walk.map_expr, change), stmt)
        result += [*before, found]
    return tuple(result)


def _number(expr: Expr, origin: Origin, before: list[Stmt], fresh: Callable[[str], str]) -> Expr:
    match expr:
        case Call(fn, (array,), (), Scalar(dtype)) if _is_vector(array):
            kind = array.type
            if member(fn, EXTREMES) and kind.dtype == dtype in REAL:
                return _extreme(expr, array, origin, before, fresh)
            if member(fn, PLACES) and kind.dtype in REAL:
                return _place(expr, array, origin, before, fresh)
            if fn is np.sum and kind.dtype == "bool":
                found, k = Var(fresh("_t"), expr.type), Var(fresh("_k"), INT)
                before.append(Let(found.name, Const(0, INT), origin))
                before.append(_loop(k, 0, array, Accum(found, _element(array, k), origin)))
                return found
    return expr


def _is_vector(array: Expr) -> bool:
    """Whether something is an array of one axis, by name, or a row of one by its subscripts."""
    match array:
        case Var(_, Array(shape=(_,))):
            return True
        case Call(operator.getitem, (Var(_, Array() as kind), index), (), Array(shape=(_,))):
            return len(items_of(index)) == kind.ndim - 1 and all(
                isinstance(getattr(i, "type", None), Scalar) for i in items_of(index))  # fmt: skip
    return False


def _extreme(expr: Call, array: Expr, origin: Origin, before: list[Stmt], fresh: Callable[[str], str]) -> Var:
    found, k = Var(fresh("_t"), expr.type), Var(fresh("_k"), INT)
    before.append(_refused(array, _EMPTY, origin))
    before.append(Let(found.name, _element(array, Const(0, INT)), origin))
    better = Call(EXTREMES[expr.fn], (found, _element(array, k)), (), FLOAT)
    before.append(_loop(k, 1, array, Let(found.name, better, origin)))
    return found


def _place(expr: Call, array: Expr, origin: Origin, before: list[Stmt], fresh: Callable[[str], str]) -> Var:
    """The place of an extreme: the first one, or that of the first element that is no number."""
    first = _element(array, Const(0, INT))
    place, k = Var(fresh("_t"), expr.type), Var(fresh("_k"), INT)
    best, wins = Var(fresh("_t"), first.type), Var(fresh("_t"), BOOL)
    element = _element(array, k)
    number = Call(operator.eq, (best, best), (), BOOL)
    none_yet = Call(and_, (Call(np.isnan, (element,), (), BOOL), number), (), BOOL)
    better = Call(or_, (Call(PLACES[expr.fn], (element, best), (), BOOL), none_yet), (), BOOL)
    before.append(_refused(array, _NO_PLACE, origin))
    before += [Let(best.name, first, origin), Let(place.name, Const(0, INT), origin)]
    before.append(_loop(k, 1, array, Let(wins.name, better, origin),
                        Let(place.name, Call(select, (wins, k, place), (), INT), origin),
                        Let(best.name, Call(select, (wins, element, best), (), first.type), origin)))  # fmt: skip
    return place


def _refused(array: Expr, message: str, origin: Origin) -> If:
    """The error that an array without elements is."""
    none = Call(operator.eq, (_length(array), Const(0, INT)), (), BOOL)
    nothing = Call(raise_, (Const(ValueError, Static(ValueError)), Const(message, Static(message))))
    return If(none, (Effect(nothing, origin),), (), origin)


def _loop(k: Var, start: int, array: Expr, *body: Stmt) -> For:
    return For(k.name, Const(start, INT), _length(array), Const(1, INT), body, None, body[0].origin)


def _length(array: Expr) -> Call:
    base, before = array.args if isinstance(array, Call) else (array, Tuple(()))
    return Call(operator.getitem, (Attr(base, "shape"), Const(len(items_of(before)), INT)), (), INT)


def _element(array: Expr, k: Expr) -> Call:
    assert isinstance(array, (Var, Call)) and isinstance(array.type, Array)
    base, index = (array.args[0], (*items_of(array.args[1]), k)) if isinstance(array, Call) else (array, (k,))
    place = index_of(index)
    return Call(operator.getitem, (base, place), (), Scalar(array.type.dtype))


# ---------------------------------------------------------------- copies


def _joined(body: Block) -> Block:
    """A body without copies ``t = s`` of names that nobody else reads: `t` gets the value at once."""
    count = times_given(body)
    reads = Counter(e.name for s in walk.statements(body) for x in walk.stmt_exprs(s) for e in walk.subexprs(x)
                    if isinstance(e, Var))  # fmt: skip

    def shorter(block: Block) -> Block:
        result = list(block)
        for copy in block:
            if not (isinstance(copy, Let) and isinstance(copy.value, Var) and not isinstance(copy.value.type, Array)):
                continue
            source, target = copy.value.name, copy.target
            at = next(k for k, s in enumerate(result) if s is copy)
            made = next((k for k, s in enumerate(result[:at]) if isinstance(s, Let) and s.target == source), None)
            if made is None or count[source] != 1 or reads[source] != 1:
                continue
            if any(mentions(s, target) for s in result[made:at]):
                continue
            result[made] = replace(result[made], target=target)  # type: ignore[arg-type]
            del result[at]
        return tuple(result)

    return in_blocks(body, shorter)
