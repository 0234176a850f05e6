"""Syntax trees that stand where a call stands; part of `desugar`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from srcad.lang.forms import REFUSED, is_data, listed
from srcad.lang.ir import Call, Const, Var
from srcad.lang.nodes import nodes
from srcad.library import tables
from srcad.transforms.names import assigned_in

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer

HIDDEN: dict[str, Any] = {  # what is meant whatever the user's names are
    "~len": len, "~range": range, "~zip": zip, "~enumerate": enumerate, "~chain": itertools.chain,
    "~count": itertools.count, "~tuple": tuple, "~list": list,
    "~stop": StopIteration, "~islice": itertools.islice, "~wrong": ValueError,
    "~prod": math.prod, "~places": np.unravel_index, **{f"~{fn.__name__}": fn for fn in tables.IN_TURN},
}  # fmt: skip
_READ = (np.ndarray, list, dict, set, str, np, math, itertools)  # whose functions and methods write to nothing, but
_WRITING = frozenset(
    """fill itemset partition put resize setflags sort append clear extend insert pop remove reverse
    popitem setdefault update add discard copyto put_along_axis putmask place fill_diagonal""".split()
)
MOST = 4  # loops, one in the other


def called_by(d: Desugarer, node: gast.Call) -> Any:
    """What a call calls, if that is known."""
    func = node.func
    while isinstance(func, gast.Attribute):
        func = func.value
    if not isinstance(func, gast.Name):
        return None
    problems = len(d.problems)
    meaning = d.expr(node.func)
    del d.problems[problems:]
    known = isinstance(meaning, Const) and meaning is not REFUSED and not is_data(meaning.value)
    return meaning.value if known else None  # type: ignore[union-attr]


def is_range(node: Any) -> bool:
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id in ("range", "~range")


def may_write(node: gast.AST) -> bool:
    """Whether something may write into arrays, lists or objects: a store, or a call of what is no library's.

    >>> [may_write(gast.parse(text, mode="eval").body) for text in ("np.sin(x)", "x.sum()", "x.fill(0)", "f(x)")]
    [False, False, True, True]
    """
    match node:
        case gast.Subscript(ctx=gast.Store()) | gast.AugAssign():
            return True
        case gast.Call(func=gast.Attribute(value=gast.Name(), attr=name)):
            return name in _WRITING or not any(hasattr(kind, name) for kind in _READ)
        case gast.Call():
            return True
    return isinstance(node, gast.Expr) and isinstance(node.value, gast.Call)


def in_each_branch(call: Any, shared: set[str]) -> gast.IfExp | None:
    """The call of a method of one object or another as a choice of calls: ``a.append(x) if c else b.append(x)``.

    What is taken from a dict by one key or another is such an object, unless its name is one of those that a call may
    assign, `shared`.

    >>> gast.unparse(in_each_branch(gast.parse("d['a' if c else 'b'].append(x)", mode="eval").body, set()))
    "d['a'].append(x) if c else d['b'].append(x)"
    """
    if not isinstance(call, gast.Call) or not isinstance(call.func, gast.Attribute):
        return None
    match call.func.value:
        case gast.IfExp() as choice:
            objects = choice.body, choice.orelse
        case gast.Subscript(value=gast.Name(id=name) as base, slice=gast.IfExp() as choice) if name not in shared:
            if any(isinstance(each, gast.NamedExpr) for each in nodes(choice)):
                return None
            keys = choice.body, choice.orelse
            objects = tuple(gast.copy_location(gast.Subscript(base, key, gast.Load()), base) for key in keys)
        case _:
            return None
    calls = [_method_of(each, call) for each in objects]
    return gast.copy_location(gast.IfExp(choice.test, *calls), call)


def _method_of(base: Any, call: gast.Call) -> gast.Call:
    func = gast.copy_location(gast.Attribute(base, call.func.attr, gast.Load()), call.func)
    return gast.copy_location(gast.Call(func, call.args, call.keywords), call)


class Maker:
    """Makes syntax trees that stand where a call stands."""

    def __init__(self, d: Desugarer, node: gast.Call, body: Sequence[gast.AST] | None = ()):
        """`body`: the statements of a loop that goes over what is made; None where no statements do."""
        self.d, self.node, self.changes = d, node, body is not None
        self.given = assigned_in([*(body or ())])  # the names that a loop gives something else
        self.writes = any(may_write(inner) for stmt in body or () for inner in nodes(stmt))

    def at(self, tree: Any) -> Any:
        for each in nodes(tree):
            if not hasattr(each, "lineno"):
                gast.copy_location(each, self.node)
        return tree

    def name(self, name: str) -> Any:
        return self.at(gast.Name(name, gast.Load(), None, None))

    def call(self, fn: str, *args: Any) -> Any:
        return self.at(gast.Call(self.name(fn), [*args], []))

    def number(self, value: int) -> Any:
        return self.at(gast.Constant(value, None))

    def more(self, name: str, by: int) -> Any:
        return self.name(name) if not by else self.at(gast.BinOp(self.name(name), gast.Add(), self.number(by)))

    def head(self, target: str, over: Any, *tests: Any) -> gast.comprehension:
        name = self.at(gast.Name(target, gast.Store(), None, None))
        return gast.comprehension(name, over, [*tests], 0)

    def all(self, element: Any, *heads: gast.comprehension) -> gast.GeneratorExp:
        return self.at(gast.GeneratorExp(element, [*heads]))

    def each(self, names: list[str], element: Callable[[str], Any]) -> Any:
        return self.at(gast.Tuple([element(name) for name in names], gast.Load()))

    def refuse(self, reason: str, remedy: str) -> None:
        self.d.refuse(self.node, reason, remedy)

    def count(self, node: Any, what: str) -> int | None:
        """A number of loops."""
        value = getattr(self.d.expr(node), "value", None) if node is not None else None
        if isinstance(value, int) and 1 <= value <= MOST:
            return value
        self.refuse(f"{what} that is no constant from 1 to {MOST} is not supported", "loops, one in the other")
        return None

    def settled(self, node: Any) -> Any:
        """An expression that means the same whenever it is computed."""
        keeps = isinstance(node, gast.Name) and node.id not in self.given
        if not self.changes or keeps or isinstance(node, gast.Constant) or is_range(node):
            return node
        value = self.d.temporary(self.d.sequence(node))
        if isinstance(value, Const):
            return node
        self.d.names.assigned.add(value.name)
        return self.name(value.name)

    def copied(self, node: Any) -> Any:
        """Values as they are before a loop that may write into what holds them."""
        if not self.writes or is_range(node) or isinstance(value := self.d.sequence(node), Const):
            return self.settled(node)
        held = self.d.temporary(Call(listed, (value,)))
        assert isinstance(held, Var)
        self.d.names.assigned.add(held.name)
        return self.name(held.name)


def let(make: Maker, name: str, value: Any) -> gast.Assign:
    """``name = value``, of a name that becomes the function's."""
    make.d.names.assigned.add(name)
    return gast.Assign([gast.Name(name, gast.Store(), None, None)], value, None)
