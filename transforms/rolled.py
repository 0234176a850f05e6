"""rolled: what is light to compute is computed where it is read around the end of an axis. For machine code only.

``f = 0.5 * u; v = np.roll(f, 1) - f`` needs a loop over all of `f` before the one for `v`, and an array between them.
As ``v = 0.5 * np.roll(u, 1) - 0.5 * u`` it is one loop, without `f`: a product takes less than a number in memory does.
And what is added to `v` then, ``v += np.roll(u, -1)``, is added in the expression, so that the loop needs to know
nothing of whether `u` and `v` share memory.
"""

from __future__ import annotations

import operator
from collections import Counter
from dataclasses import replace

import numpy as np

from srcad.analysis.buffers import stored_names
from srcad.analysis.classes import Classes
from srcad.analysis.contents import member
from srcad.analysis.rolls import is_rolled, multiplied
from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Expr, Function, Let, Stmt, Var
from srcad.lang.types import Array
from srcad.transforms.simplify import simplified

NEW = {np.roll, np.copy, operator.add, operator.sub, operator.mul, operator.neg, operator.truediv, operator.pow}


def rolled(fn: Function) -> Function:
    """Put arrays that are light to compute where they are rolled.

    >>> from srcad.lang.ir import Const, Param, Return
    >>> from srcad.lang.types import INT, Array
    >>> u, f = (Var(name, Array("float64", ("n",), "C")) for name in "uf")
    >>> half = Let("f", Call(operator.mul, (Const(0.5), u), (), u.type))
    >>> result = Let("v", Call(operator.sub, (Call(np.roll, (f, Const(1, INT)), (), u.type), f), (), u.type))
    >>> fn = rolled(Function("g", (Param("u", u.type),), (half, result, Return(Var("v", u.type)))))
    >>> from srcad.lang.write import write
    >>> print(write(fn).text.split("\\n\\n\\n")[1], end="")
    def g(u):
        v = np.roll(0.5 * u, 1) - 0.5 * u
        return v
    """
    exprs = [e for s in walk.statements(fn.body) for whole in walk.stmt_exprs(s) for e in walk.subexprs(whole)]
    if not any(map(is_rolled, exprs)):
        return fn
    reads = Counter(e.name for e in exprs if isinstance(e, Var))
    return replace(fn, body=_in_block(fn.body, Classes.of(fn.body), reads))


def _in_block(block: Block, classes: Classes, reads: Counter[str]) -> Block:
    block = tuple(walk.map_stmt(lambda e: e, stmt, lambda inner: _in_block(inner, classes, reads)) for stmt in block)
    known: Block = ()
    while known != block:
        known = block
        block = _once(_added_up(block), classes, reads)
    plain = lambda e: walk.map_expr(_sign_outside, e) if _has_rolled(e) else e
    return tuple(walk.map_stmt(plain, stmt, lambda inner: inner) for stmt in block)


def _once(block: Block, classes: Classes, reads: Counter[str]) -> Block:
    for place, stmt in enumerate(block):
        if isinstance(stmt, Let) and isinstance(multiplied(_not_copied(stmt.value)), Var) and _is_new(stmt.value):
            rest = _put_in(stmt, block[:place], block[place + 1 :], classes, reads)
            if rest is not None:
                return (*block[:place], *rest)
    return block


def _put_in(made: Let, before: Block, rest: Block, classes: Classes, reads: Counter[str]) -> Block | None:
    """What follows a statement with its value in place of its name; None where that would be another one, or dear."""
    name = made.target
    parts = [_parts(stmt.value) if isinstance(stmt, (Let, Accum)) else [] for stmt in rest]
    places = [k for k, found in enumerate(parts) if any(isinstance(e, Var) and e.name == name for e in found)]
    if not any(is_rolled(e) and name in walk.names(e) for found in parts for e in found):
        return None
    if sum(isinstance(e, Var) and e.name == name for found in parts for e in found) != reads[name]:
        return None
    if not _is_kept(walk.names(made.value), rest[: places[-1]], classes) or name in walk.assigned(rest):
        return None
    for k, each in enumerate(before):  # of an array that has to be there anyway, nothing more is computed
        if isinstance(each, Let) and each.target in walk.names(made.value) and _is_new(each.value):
            if not _is_kept(walk.names(each.value), (*before[k + 1 :], made, *rest[: places[-1]]), classes):
                return None
    for e in walk.subexprs(made.value):
        if isinstance(e, Var):
            reads[e.name] += reads[name] - 1
    new = _not_copied(made.value)
    return tuple(replace(s, value=made.value) if isinstance(s, Let) and s.value == Var(name, made.value.type)
                 else walk.map_stmt(lambda e: walk.substitute(e, {name: new}), s) for s in rest)  # fmt: skip


def _added_up(block: Block) -> Block:
    """A block in which what is added to a new array at once is added where it is made, if any of it is rolled."""
    result: list[Stmt] = []
    for stmt in block:
        last = result[-1] if result else None
        if isinstance(last, Let) and isinstance(stmt, Accum) and _is_new(last.value) and (
            stmt.target == Var(last.target, last.value.type) and getattr(stmt.value, "type", None) == last.value.type
            and last.target not in walk.names(stmt.value) and any(map(_has_rolled, (last.value, stmt.value)))
        ):  # fmt: skip
            result[-1] = replace(last, value=Call(operator.add, (last.value, stmt.value), (), last.value.type))
        else:
            result.append(stmt)
    return tuple(result)


def _sign_outside(e: Expr) -> Expr:
    """What is made of something negative, as the negative of what is made of it."""
    match e:
        case Call(operator.mul, (Call(operator.neg, (a,)), b)) | Call(operator.mul, (b, Call(operator.neg, (a,)))):
            return _negative(replace(e, args=(a, b)))
        case Call(np.roll, (Call(operator.neg, (a,)), *rest)):
            return _negative(replace(e, args=(a, *rest)))
    return simplified(e, inside=False, primal=True) if isinstance(e, Call) else e


def _negative(e: Call) -> Expr:
    return simplified(Call(operator.neg, (e,), (), e.type), inside=False, primal=True)


def _has_rolled(expr: Expr) -> bool:
    return any(map(is_rolled, walk.subexprs(expr)))


def _is_new(value: Expr) -> bool:
    return isinstance(value, Call) and member(value.fn, NEW) and isinstance(value.type, Array)


def _not_copied(value: Expr) -> Expr:
    return value.args[0] if isinstance(value, Call) and value.fn is np.copy else value


def _is_kept(names: frozenset[str] | set[str], block: Block, classes: Classes) -> bool:
    """Whether statements leave names, and what they hold, as they are; they may write to arrays that they make."""
    new: set[str] = set()
    for stmt in block:
        added = {s.target.name for s in walk.statements((stmt,)) if isinstance(s, Accum) and isinstance(s.target, Var)}
        written = stored_names((stmt,)) | added
        if walk.assigned((stmt,)) & names - added or any(
            classes.share(one, other) for one in written - new for other in names
        ):
            return False
        new -= walk.assigned((stmt,)) - added
        if isinstance(stmt, Let) and _is_new(stmt.value):
            new.add(stmt.target)
    return True


def _parts(expr: Expr) -> list[Expr]:
    """An expression and what it is made of element by element, or rolled; sums are loops over elements as well."""
    deeper = isinstance(expr, Call) and (isinstance(expr.fn, np.ufunc) or member(expr.fn, (*NEW, np.sum)))
    return [expr, *(e for part in walk.children(expr) if deeper for e in _parts(part))]
