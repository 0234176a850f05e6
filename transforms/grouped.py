"""Loops over runs of items that have one key, ``for key, run in itertools.groupby(x)``; part of `desugar`.

A loop finds where each run ends, and the run is a slice. Python lets it be gone through once, so nothing else is taken.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import gast

from srcad.lang.nodes import nodes
from srcad.transforms.generators import has_break
from srcad.transforms.names import assigned_in
from srcad.transforms.next_items import base_of
from srcad.transforms.trees import Maker, let

_SCOPES = (gast.FunctionDef, gast.Lambda)
_COMPREHENSIONS = (gast.GeneratorExp, gast.ListComp, gast.DictComp, gast.SetComp)


def groups(make: Maker, node: gast.For, iterable: Any, key: Any = None) -> list[Any]:
    """The statements of a loop over runs; none where it is refused."""
    wrong = _wrong(node, iterable, key)
    if wrong is not None:
        make.refuse(*wrong)
        return []
    plain = key is None or isinstance(key, gast.Constant) and key.value is None
    known = _constants(iterable) if plain else None
    if known is not None:
        pairs = [_display([_constant(value), _display(list(map(_constant, run)))])
                 for value, run in itertools.groupby(known)]  # fmt: skip
        loop = gast.For(node.target, make.at(_display(pairs)), node.body, node.orelse, None)
        return [gast.copy_location(loop, node)]
    values, start, stop, own = make.settled(iterable), *map(make.d.fresh, ("start", "stop", "key"))

    def key_of(place: str) -> Any:
        item = gast.Subscript(values, make.name(place), gast.Load())
        return item if plain else gast.Call(key, [item], [])

    length = make.call("~len", values)
    more, further = (gast.Compare(make.name(place), [gast.Lt()], [length]) for place in (start, stop))
    same = gast.BoolOp(gast.And(), [further, gast.Compare(key_of(stop), [gast.Eq()], [make.name(own)])])
    slice_ = gast.Subscript(values, gast.Slice(make.name(start), make.name(stop), None), gast.Load())
    pair = _display([make.name(own), slice_])
    body = [let(make, own, key_of(start)), let(make, stop, make.more(start, 1)),
            gast.While(same, [let(make, stop, make.more(stop, 1))], []),
            gast.Assign([node.target], pair, None), let(make, start, make.name(stop)), *node.body]  # fmt: skip
    return [let(make, start, make.number(0)), gast.copy_location(gast.While(more, body, []), node), *node.orelse]


def _wrong(node: gast.For, iterable: Any, key: Any) -> tuple[str, str] | None:
    """Why a loop over runs is refused, and what to write instead."""
    match node.target:
        case gast.Tuple(elts=[_, gast.Name(id=run)]) if _once(node.body, run):
            pass
        case _:
            return ("a run of itertools.groupby that may be gone through twice, or not by a name, is not supported",
                    "for key, run in itertools.groupby(x): run = list(run)")  # fmt: skip
    if node.orelse and has_break(node.body):
        return "else after a loop over itertools.groupby is not supported", "a flag, and an if behind the loop"
    inside = [n for stmt in node.body for n in nodes(stmt)]
    stored = {base_of(n) for n in inside if isinstance(n, (gast.Subscript, gast.Attribute))
              and isinstance(n.ctx, gast.Store)} | assigned_in(node.body)  # fmt: skip
    names = [n for part in (iterable, key) if part is not None for n in nodes(part) if isinstance(n, gast.Name)]
    read = {n.id for n in names} - {n.id for n in names if not isinstance(n.ctx, gast.Load)}
    if changed := sorted(read & stored):
        reason = f"a loop over itertools.groupby that changes {changed[0]}, on which the runs depend, is not supported"
        return reason, f"a copy of {changed[0]}, which the loop leaves alone"
    return None


def _display(items: list[Any]) -> gast.Tuple:
    return gast.Tuple(items, gast.Load())


def _constants(iterable: Any) -> list[Any] | None:
    match iterable:
        case gast.Constant(value=str() as text):
            return [*text]
        case gast.Tuple(elts=items) | gast.List(elts=items) if all(isinstance(i, gast.Constant) for i in items):
            return [item.value for item in items]
    return None


def _constant(value: Any) -> gast.Constant:
    return gast.Constant(value, None)


def _once(body: list[Any], name: str) -> bool:
    """Whether statements go through what has a name at most once, or begin with a list of it under that name.

    >>> body = gast.parse("for k in x:\\n s += sum(run)").body
    >>> _once(body, "run"), _once(body[0].body, "run")
    (False, True)
    """
    found = [node for stmt in body for node in nodes(stmt) if isinstance(node, gast.Name) and node.id == name]
    reads = [node for node in found if isinstance(node.ctx, gast.Load)]
    again = {id(node) for stmt in body for part in _repeated(stmt) for node in nodes(part)}
    if len(reads) == len(found):
        return len(reads) < 2 and all(id(node) not in again for node in reads)
    match next(stmt for stmt in body if any(node is found[0] for node in nodes(stmt))):
        case gast.Assign(targets=[gast.Name(id=own)], value=value) if own == name:
            inside = [node for node in nodes(value) if any(node is read for read in reads)]
            return len(inside) == 1 and id(inside[0]) not in again
    return False


def _repeated(stmt: Any) -> Iterator[Any]:
    """The parts of a statement that may be computed several times."""
    for node in nodes(stmt):
        if isinstance(node, gast.For):
            yield from (*node.body, *node.orelse)
        elif isinstance(node, (gast.While, *_SCOPES)):
            yield node
        elif isinstance(node, _COMPREHENSIONS):
            first, *others = node.generators
            yield from (*first.ifs, *others, *(getattr(node, part) for part in ("elt", "key", "value")
                                               if hasattr(node, part)))  # fmt: skip
