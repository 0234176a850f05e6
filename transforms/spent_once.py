"""What gives its items once: a generator, ``zip(*rows)``; part of `desugar` and of `inline`.

These are lists to the passes that follow, and Python has nothing left for who goes through one a second time. So they
are refused wherever that is not seen to happen at most once. `desugar` knows functions by their names; that a method,
an argument or an element of a dict is a generator turns out when it is entered, and `inline` asks then.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import gast

from srcad.lang.errors import Problem, SrcadError
from srcad.lang.forms import apply, is_python
from srcad.lang.ir import Call, Method, Var
from srcad.lang.locate import stands_in
from srcad.lang.nodes import nodes
from srcad.lang.origin import physical
from srcad.lang.read import Source, read
from srcad.transforms.endless import is_endless
from srcad.transforms.generators import in_place
from srcad.transforms.meanings import Meanings
from srcad.transforms.names import own_nodes
from srcad.transforms.one_by_one import taken
from srcad.transforms.yielding import collected

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees
    from srcad.transforms.desugar import Desugarer

_LOOPS = (gast.For, gast.While, gast.GeneratorExp, gast.ListComp, gast.DictComp, gast.SetComp)
_SCOPES = (gast.FunctionDef, gast.Lambda)
_TAKING = ("extend", "extendleft", "update", "join")  # methods
_DEPTH = 8  # calls, one in the other


def once_only(d: Desugarer, tree: gast.AST) -> None:
    """Refuse what gives its items once and may be gone through twice."""
    calls = [node for node in nodes(tree) if isinstance(node, gast.Call)]
    reader = _Reader(tree, d.source)
    for node in calls:
        what = reader.gives_once(node)
        if what and not reader.taken(node):
            d.refuse(node, *_refusal(what))


def _refusal(what: str) -> tuple[str, str]:
    reason = f"{what} here is not supported: it gives nothing to who goes through it a second time"
    return reason, f"list({what}), or a for loop over it"


def entered_once(c: Callees, name: str) -> bool:
    """Whether a generator that is entered is gone through at most once where the statement that is at work calls it.

    It is called by its own `name`, or by what `c.called_by` says; by neither, any call of the statement may be meant.
    """
    source = _caller(c)
    if source is None:
        return True  # a function of the library, which makes a list of it, or goes over it
    reader = _Reader(in_place(taken(collected(source.tree, True))), source)
    parts = list(reader.of_statement(c.origin.line))
    meant = [node for node in parts if reader.called(node) in (name, c.called_by)] or parts
    asked = [node for node in meant if not (isinstance(node, gast.Call) and reader.gives_once(node))]
    found = next((node for node in asked if not reader.taken(node)), None)
    if found is not None:
        what = gast.unparse(getattr(found, "func", found)).strip() + "(...)" * isinstance(found, gast.Call)
        c.problems.append(Problem(source.place(found), *_refusal(what)))
    return found is None


def name_in(call: Call) -> str:
    """The name by which a call calls a method, or what is bound to a name."""
    match call:
        case Call(Method(name)):
            return name
        case Call(args=(Var(name), *_)) if call.fn is apply:
            return name
    return ""


def _caller(c: Callees) -> Source | None:
    """The user's function that the statement at work stands in."""
    here = physical(c.origin)
    for key, _ in reversed(c.stack):
        if hasattr(key, "__code__") and stands_in(key, here.filename, here.line):
            return read(key)
    return None


@dataclass
class _Reader:
    """The uses of values in one function and those inside of it."""

    tree: gast.AST
    source: Source
    depth: int = 0
    parents: dict[int, gast.AST] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.meanings = Meanings.of(self.tree, self.source)
        for node in nodes(self.tree):
            self.parents |= {id(child): node for child in gast.iter_child_nodes(node)}

    def of_statement(self, line: int) -> Iterator[gast.AST]:
        """The calls, and the attributes that are read, in the statements and lambdas that begin on a line."""
        for node in nodes(self.tree):
            reads = isinstance(node, gast.Attribute) and isinstance(node.ctx, gast.Load)
            if isinstance(node, gast.Call) or reads and getattr(self.parents[id(node)], "func", None) is not node:
                around = next((each for each in self.above(node) if isinstance(each, (gast.stmt, gast.Lambda))), None)
                if around is not None and around.lineno == line:
                    yield node

    @staticmethod
    def called(node: gast.AST) -> str:
        func = getattr(node, "func", node)
        return getattr(func, "attr", None) or getattr(func, "id", None) or ""

    def gives_once(self, node: gast.Call) -> str:
        """What a call is named in a message if it gives its items once; empty if it is none of these."""
        called = self.meanings.called(node.func)
        if called is zip and len(node.args) == 1 and isinstance(node.args[0], gast.Starred):
            return "zip(*...)"
        generator = getattr(called, "gives_once", False) or inspect.isgeneratorfunction(called)
        if generator and not is_endless(called) or called is itertools.accumulate:
            return f"{gast.unparse(node.func).strip()}(...)"
        return ""

    def taken(self, node: gast.AST) -> bool:
        """Whether an expression is gone through at most once each time it is computed."""
        parent = self.parents.get(id(node))
        match parent:
            case gast.For(iter=over) | gast.comprehension(iter=over):
                return over is node
            case gast.Starred() | gast.Expr() | gast.YieldFrom() | gast.Compare():
                return True
            case gast.Assign(targets=[gast.Tuple() | gast.List()]):
                return True
            case gast.Assign(targets=[gast.Name(id=name)]):
                return self.read_once(name, parent)
            case gast.keyword(arg=str(name)):
                call = self.parents[id(parent)]
                return isinstance(call, gast.Call) and self.taken_by(call, name)
            case gast.Call(args=args) if node is not parent.func:
                place = next(k for k, arg in enumerate(args) if arg is node)
                return not any(isinstance(arg, gast.Starred) for arg in args[:place]) and self.taken_by(parent, place)
        return False

    def taken_by(self, call: gast.Call, place: int | str) -> bool:
        """Whether what is called goes through its argument at most once."""
        called = self.meanings.called(call.func)
        if called is None:
            return isinstance(call.func, gast.Attribute) and call.func.attr in _TAKING
        if isinstance(called, gast.FunctionDef):
            return self.parameter_once(called, place)
        if not is_python(called):
            return called is not len
        if self.depth == _DEPTH or not inspect.isfunction(called):
            return False
        try:
            source = read(called)
        except (SrcadError, OSError, TypeError):
            return False
        return _Reader(source.tree, source, self.depth + 1).parameter_once(source.tree, place)

    def parameter_once(self, function: Any, place: int | str) -> bool:
        args = function.args
        names = [arg.id for arg in (*args.posonlyargs, *args.args)]
        if isinstance(place, str):
            name = place if place in (*names, *(arg.id for arg in args.kwonlyargs)) else None
        else:
            name = names[place] if place < len(names) else None
        return name is not None and self.read_once(name, function)

    # ------------------------------------------------------------ names

    def read_once(self, name: str, binding: gast.AST) -> bool:
        """Whether what a statement binds to a name is gone through at most once under it."""
        function = binding if isinstance(binding, _SCOPES) else self.around(binding)
        found = [node for node in nodes(function) if isinstance(node, gast.Name) and node.id == name]
        reads = [node for node in found if isinstance(node.ctx, gast.Load)]
        own = {id(node) for node in own_nodes(function)}
        if any(id(node) not in own for node in reads):
            return False
        bindings = [self.parents[id(node)] for node in found if isinstance(node.ctx, gast.Store)]
        loops = self.loops(binding) if binding is not function else []
        if any(self.loops(node) != loops or not self.taken(node) for node in reads):
            return False
        begin = [each for each in self.above(binding) if loops and id(each) == loops[0]]
        reads = [*begin, *sorted(reads, key=_place)]  # in a loop, it must be bound anew before the first reading, too
        return all(any(self.renews(b, one, other) for b in bindings) for one, other in zip(reads, reads[1:]))

    def renews(self, binding: gast.AST, one: gast.AST, other: gast.AST) -> bool:
        """Whether a name is surely bound anew between two readings."""
        between = isinstance(binding, gast.Assign) and _place(one) < _place(binding) < _place(other)
        return between and any(self.parents[id(binding)] is each for each in self.above(other))

    def above(self, node: gast.AST) -> Iterator[gast.AST]:
        while id(node) in self.parents:
            node = self.parents[id(node)]
            yield node

    def around(self, node: gast.AST) -> gast.AST:
        return next((each for each in self.above(node) if isinstance(each, _SCOPES)), self.tree)

    def loops(self, node: gast.AST) -> list[int]:
        """The loops of its function that an expression is computed in, again and again."""
        found = []
        inner = node
        for each in self.above(node):
            if isinstance(each, _SCOPES):
                break
            first = getattr(each, "iter", None) if isinstance(each, gast.For) else None
            heads = getattr(each, "generators", None)
            if isinstance(each, _LOOPS) and inner is not first and not (heads and inner is heads[0]):
                found.append(id(each))
            inner = each
        return found


def _place(node: Any) -> tuple[int, int]:
    return node.lineno, node.col_offset
