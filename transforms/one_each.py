"""Loops over generators without an end, perhaps by `zip` or `itertools`: they call them once an iteration; part of
`desugar`.

`endless` says what such a generator becomes.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast

from srcad.lang.nodes import nodes
from srcad.lang.read import Source
from srcad.transforms.endless import Block, assigned, called, defined, is_endless, name_of, placed
from srcad.transforms.meanings import Meanings


@dataclass
class Steps:
    """What an iteration does to have the next item: statements, and the item; `over`, if anything there has an end."""

    steps: Block
    value: Any
    begin: Block = field(default_factory=list)
    over: tuple[Any, Any] | None = None  # the target and what the loop goes over
    test: Any = None  # whether this is one of the items
    ends: bool = False  # whether the steps leave the loop


class Stepper:
    """Writes loops over generators without an end."""

    def __init__(self, tree: Any, source: Source):
        self.meanings, self.count = Meanings.of(tree, source), 0
        bound = [pair for n in nodes(tree) if isinstance(n, gast.Assign) for pair in bindings(n)]
        found = [target.id for target, value in bound if isinstance(target, gast.Name) and self.is_call(value)]
        stores = [n.id for n in nodes(tree) if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)]
        self.names = {name for name in found if found.count(name) == stores.count(name)}
        self.any = bool(self.names) or any(map(self.is_call, nodes(tree)))

    def is_call(self, node: Any) -> bool:
        return isinstance(node, gast.Call) and is_endless(self.meanings.called(node.func))

    def fresh(self, hint: str) -> str:
        self.count += 1
        return f"{hint}.0{self.count}"

    # ------------------------------------------------------------ items

    def steps(self, node: Any) -> Steps | None:
        """How to have the items of what has a generator without an end in it; None where there is none, or no way."""
        if self.is_call(node):
            name = self.fresh("generator")
            return self.item(name, [assigned(name, node)])
        if isinstance(node, gast.Name) and node.id in self.names:
            return self.item(node.id, [])
        if not isinstance(node, gast.Call) or node.keywords or not node.args:
            return None
        make = _KINDS.get(self.meanings.called(node.func))
        return make(self, *node.args) if make is not None and not isinstance(node.args[0], gast.Starred) else None

    def item(self, name: str, begin: Block) -> Steps:
        value = self.fresh("item")
        return Steps([assigned(value, called(name_of(name)))], name_of(value), begin)

    def enumerated(self, over: Any, start: Any = None) -> Steps | None:
        found = self.steps(over)
        if found is None:
            return None
        number, here = self.fresh("number"), self.fresh("k")
        found.begin.append(assigned(number, start or gast.Constant(0, None)))
        more = gast.BinOp(name_of(number), gast.Add(), gast.Constant(1, None))
        found.steps += [assigned(here, name_of(number)), assigned(number, more)]
        found.value = gast.Tuple([name_of(here), found.value], gast.Load())
        return found

    def zipped(self, *over: Any) -> Steps | None:
        found = [self.steps(each) for each in over]
        if not any(found) or any(each and (each.over or each.test or each.ends) for each in found):
            return None
        finite = [each for each, steps in zip(over, found) if steps is None]
        if finite and (found[0] is not None or len(finite) > 1 and any(map(self.is_named, over))):
            return None
        names = [self.fresh("item") for _ in finite]
        left = iter(names)
        items = [steps.value if steps else name_of(next(left)) for steps in found]
        targets: list[Any] = [name_of(name, gast.Store) for name in names]
        head = None
        if finite:
            head = (targets[0], finite[0]) if len(finite) == 1 else (
                gast.Tuple(targets, gast.Store()), called(name_of("~zip"), *finite))  # fmt: skip
        begin = [stmt for steps in found if steps for stmt in steps.begin]
        every = [stmt for steps in found if steps for stmt in steps.steps]
        return Steps(every, gast.Tuple(items, gast.Load()), begin, head)

    def is_named(self, node: Any) -> bool:
        return any(isinstance(each, gast.Name) and each.id in self.names for each in nodes(node))

    def sliced(self, over: Any, *ends: Any) -> Steps | None:
        found = self.steps(over)
        start, stop, step = [*ends, None, None][:3] if len(ends) > 1 else [None, *ends, None]
        if found is None or found.over or found.test or found.ends or stop is None or _is_none(stop):
            return None
        index = self.fresh("k")
        found.over = (name_of(index, gast.Store), called(name_of("~range"), stop))
        if start is not None and not _is_none(start):
            found.test = gast.Compare(name_of(index), [gast.GtE()], [start])
            if step is not None and not _is_none(step):
                apart = gast.BinOp(gast.BinOp(name_of(index), gast.Sub(), start), gast.Mod(), step)
                each = gast.Compare(apart, [gast.Eq()], [gast.Constant(0, None)])
                found.test = gast.BoolOp(gast.And(), [found.test, each])
        return found

    def while_true(self, test: Any, over: Any) -> Steps | None:
        found = self.steps(over)
        if found is None or found.test:
            return None
        found.steps.append(gast.If(gast.UnaryOp(gast.Not(), called(test, found.value)), [gast.Break()], []))
        found.ends = True
        return found

    def mapped(self, function: Any, *over: Any) -> Steps | None:
        found = self.steps(over[0]) if len(over) == 1 else None
        if found is not None:
            found.value = called(function, found.value)
        return found

    # ------------------------------------------------------------ statements

    def block(self, stmts: Block) -> Block:
        return [new for stmt in stmts for new in self.statement(stmt)]

    def statement(self, stmt: Any) -> Block:
        made: Block = []
        if not isinstance(stmt, (gast.FunctionDef, gast.While)):
            made = self.lists(stmt)
        loop = self.loop(stmt) if isinstance(stmt, gast.For) else None
        new = loop or [stmt]
        for each in (*made, *new):
            for inner in [each, *getattr(each, "cases", ()), *getattr(each, "handlers", ())]:
                for part in ("body", "orelse", "finalbody"):
                    if isinstance(block := getattr(inner, part, None), list):
                        setattr(inner, part, self.block(block))
        return placed([*made, *new], stmt)

    def loop(self, node: Any) -> Block | None:
        """A loop over a generator without an end, as one that calls it."""
        found = self.steps(node.iter)
        if found is None or found.ends and node.orelse:
            return None
        body = [gast.Assign([node.target], found.value, None), *node.body]
        body = [*found.steps, *([gast.If(found.test, body, [])] if found.test else body)]
        if found.over is None:
            return [*found.begin, gast.While(gast.Constant(True, None), body, [])]
        return [*found.begin, gast.For(*found.over, body, node.orelse, None)]

    def lists(self, stmt: Any) -> Block:
        """Functions that make lists of what has an end, in the places where a statement goes over it by itself."""
        made: Block = []

        def visit(node: Any) -> Any:
            for name, value in gast.iter_fields(node):
                head = name == "iter" and isinstance(node, (gast.For, gast.comprehension))
                if isinstance(value, list) and not (isinstance(value[:1], list) and any(
                        isinstance(v, gast.stmt) for v in value)):  # fmt: skip
                    setattr(node, name, [one(v, False) if isinstance(v, gast.AST) else v for v in value])
                elif isinstance(value, gast.AST):
                    setattr(node, name, one(value, head))
            return node

        def one(node: Any, head: bool) -> Any:
            if isinstance(node, (gast.Lambda, gast.match_case, gast.ExceptHandler)):
                return node
            function = self.function(node) if not head else None
            if function is None:
                return visit(node)
            made.append(function)
            return gast.copy_location(called(name_of(function.name)), node)

        visit(stmt)
        return made

    def function(self, node: Any) -> Any:
        """A function without parameters for an expression; None where it goes over no such generator."""
        default: Block | None = None
        match node:
            case gast.Call(func=gast.Name(id="next"), args=[gast.GeneratorExp() as inner, *rest]):
                default = [gast.Return(rest[0]) if rest else gast.Raise(name_of("~stop"), None)]
                node = inner
            case gast.ListComp() | gast.GeneratorExp():
                pass
            case gast.Call() if (found := self.steps(node)) is not None and (found.over or found.ends):
                item = self.fresh("item")
                head = gast.comprehension(name_of(item, gast.Store), node, [], 0)
                node = gast.ListComp(name_of(item), [head])
            case _:
                return None
        first = self.steps(node.generators[0].iter)
        if first is None or default is None and not (first.over or first.ends):
            return None
        values = self.fresh("values")
        add = gast.Expr(called(gast.Attribute(name_of(values), "append", gast.Load()), node.elt))
        body: Block = [add] if default is None else [gast.Return(node.elt)]
        for head in reversed(node.generators):
            for test in reversed(head.ifs):
                body = [gast.If(test, body, [])]
            body = [gast.For(head.target, head.iter, body, [], None)]
        begin = [assigned(values, gast.List([], gast.Load()))] if default is None else []
        return defined(self.fresh("made"), [*begin, *body, *(default or [gast.Return(name_of(values))])])


def bindings(node: gast.Assign) -> list[tuple[Any, Any]]:
    """What an assignment binds, and to what: each of several names to its own value."""
    match node:
        case gast.Assign(targets=[gast.Tuple(elts=names)], value=gast.Tuple(elts=values)) if len(names) == len(values):
            return [*zip(names, values)]
    return [(target, node.value) for target in node.targets]


def _is_none(node: Any) -> bool:
    return isinstance(node, gast.Constant) and node.value is None


_KINDS: dict[Any, Callable[..., Steps | None]] = {
    enumerate: Stepper.enumerated, zip: Stepper.zipped, itertools.islice: Stepper.sliced,
    itertools.takewhile: Stepper.while_true, map: Stepper.mapped,
}  # fmt: skip


def stepped(tree: gast.AST, source: Source) -> gast.AST:
    """A function in which what goes over generators without an end calls them."""
    if not Stepper(tree, source).any:
        return tree
    tree = copy.deepcopy(tree)
    tree.body = Stepper(tree, source).block(tree.body)
    return tree
