"""What the body of a ``try`` puts into lists and arrays when nothing can fail any more; part of `desugar`.

What is put there is computed to see whether a handler is reached, and the rest is left to the derivative::

    try:                                try:
        found.append(math.log(x))           math.log(x)
        n += 1                   ->     except ValueError:
    except ValueError:                      ...
        n -= 1
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import gast

from srcad.lang.ir import Const
from srcad.transforms.lost import cannot_fail, is_certain

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer

_MISPLACED = (IndexError, KeyError, TypeError)  # what a store may raise that only computes what it stores


def without_stores(d: Desugarer, node: gast.Try, body: list[gast.AST]) -> list[gast.AST]:
    """Statements without what they put into lists and arrays in the end, where nothing behind that may fail."""
    end = len(body)
    while end and (cannot_fail(body[end - 1]) or _puts_what_is_there(d, body[end - 1])):
        end -= 1
    computed = _computed(d, node, body[end - 1]) if end else None
    if computed is not None:
        return [*body[: end - 1], gast.copy_location(gast.Expr(computed), body[end - 1])]
    return body[:end] if any(_puts_what_is_there(d, stmt) for stmt in body[end:]) else body


def _puts_what_is_there(d: Desugarer, stmt: gast.AST) -> bool:
    value = _appended(d, stmt)
    return value is not None and is_certain(value)


def _appended(d: Desugarer, stmt: gast.AST) -> gast.AST | None:
    """What a statement appends to a list that the function has made."""
    match stmt:
        case gast.Expr(value=gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="append"), args=[value])):
            return value if _is_list(d.source.tree, name) else None
    return None


def _computed(d: Desugarer, node: gast.Try, stmt: gast.AST) -> gast.AST | None:
    """What a statement computes before it puts it somewhere; None: it does something else."""
    match stmt:
        case gast.Assign(targets=[gast.Subscript(value=gast.Name(), slice=at)], value=value) if is_certain(at):
            return value if all(_is_of_numbers(d, handler.type) for handler in node.handlers) else None
        case gast.AugAssign(target=gast.Subscript(value=gast.Name(), slice=at) as place, op=op, value=value):
            read = gast.Subscript(place.value, at, gast.Load())
            return gast.BinOp(read, op, value) if is_certain(at) else None
    return _appended(d, stmt)


def _is_of_numbers(d: Desugarer, raised: gast.AST | None) -> bool:
    """Whether a handler is for none of the errors of a store at a wrong place."""
    match raised:
        case gast.Tuple(elts=several):
            return all(_is_of_numbers(d, each) for each in several)
        case gast.Name(id=name):
            found = d.resolve(name, raised)
            kind = found.value if isinstance(found, Const) else None
            return isinstance(kind, type) and not any(issubclass(error, kind) for error in _MISPLACED)
    return isinstance(raised, gast.Attribute) and raised.attr == "LinAlgError"


def _is_list(tree: gast.AST, name: str) -> bool:
    """Whether a name is only ever given lists that are made there."""
    own = [each for each in gast.walk(tree) if isinstance(each, gast.Name) and each.id == name]
    bound = sum(not isinstance(each.ctx, (gast.Load, gast.Del)) for each in own)
    pairs = (pair for stmt in gast.walk(tree) for pair in _assigned(stmt))
    return 0 < bound == sum(getattr(target, "id", "") == name and _makes_list(value) for target, value in pairs)


def _assigned(stmt: gast.AST) -> Iterator[tuple[gast.AST, gast.AST]]:
    """What a statement assigns, with its targets; one by one where tuples are."""
    match stmt:
        case gast.Assign(targets=[gast.Tuple(elts=targets)], value=gast.Tuple(elts=values)):
            yield from zip(targets, values)
        case gast.Assign(targets=targets, value=value):
            yield from ((target, value) for target in targets)
        case gast.AnnAssign(target=target, value=gast.AST() as value):
            yield target, value


def _makes_list(value: gast.AST) -> bool:
    match value:
        case gast.List() | gast.ListComp() | gast.Call(func=gast.Name(id="list" | "deque")):
            return True
        case gast.BinOp(left=left, op=gast.Mult()):
            return isinstance(left, gast.List)
    return False
