"""Generators: those bound to a name, those that a loop goes over, and those inside of others; part of `desugar`.

Each is rewritten, as a syntax tree, to loops and conditions that the language has.
"""

from __future__ import annotations

import builtins
import copy
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import gast

from srcad.lang.nodes import nodes
from srcad.transforms.iterators import loops_of
from srcad.transforms.names import assigned_in, names_of, own_nodes

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer

_BUILTINS = frozenset(("map", "filter", "zip", "enumerate", "reversed", "range"))
_HARMLESS = frozenset((*_BUILTINS, *"len sum max min any all abs float int list tuple sorted print".split()))
_FUNCTIONS = (gast.FunctionDef, gast.Lambda)


# ---------------------------------------------------------------- generators that are bound to a name


def in_place(tree: gast.AST) -> gast.AST:
    """A function with each generator that is bound to a name in the place of that name, if that is the same.

    It is where the name is read once, in a statement that follows in the same block, and nothing that the generator
    reads changes on the way.

    >>> tree = gast.parse("def f(x):\\n g = (v * v for v in x)\\n return sum(g)").body[0]
    >>> print(gast.unparse(in_place(tree)))
    <BLANKLINE>
    def f(x):
        pass
        return sum((v * v for v in x))
    """
    if not any(_is_bound_generator(node) for node in nodes(tree)):
        return tree
    tree = copy.deepcopy(tree)
    for function in [node for node in nodes(tree) if isinstance(node, gast.FunctionDef)]:
        for block in list(_blocks(function)):
            for position, stmt in enumerate(block):
                if _is_bound_generator(stmt):
                    _move(function, block, position)
    return tree


def _is_bound_generator(stmt: gast.AST) -> bool:
    match stmt:
        case gast.Assign(targets=[gast.Name()], value=gast.GeneratorExp()):
            return True
        case gast.Assign(targets=[gast.Name()], value=gast.Call(func=gast.Name(id=name))):
            return name in _BUILTINS
        case gast.Assign(targets=[gast.Name()], value=gast.Call(func=gast.Attribute(value=gast.Name(id=name)))):
            return name == "itertools"
    return False


def _blocks(function: gast.FunctionDef) -> Iterator[list[gast.AST]]:
    waiting: list[gast.AST] = [function]
    while waiting:
        node = waiting.pop()
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(node, part, None)
            if isinstance(inner, list):
                yield inner
                waiting += [each for each in inner if not isinstance(each, _FUNCTIONS)]


def _move(function: gast.FunctionDef, block: list[gast.AST], position: int) -> None:
    """Put a generator where its name is read, if it may go there."""
    name, value = block[position].targets[0].id, block[position].value
    reads = _reads(function, name)
    names = names_of(function)
    if len(reads) != 1 or name in names.shared or sum(_binds(node, name) for node in own_nodes(function)) != 1:
        return
    for end in range(position + 1, len(block)):
        if any(node is reads[0] for node in _once(block[end])):
            break
    else:
        return
    between = block[position + 1: end + 1]
    needed = {node.id for node in nodes(value) if isinstance(node, gast.Name)}
    if needed & (assigned_in(between) | names.shared) or any(map(_may_change, block[position + 1: end])):
        return
    if isinstance(block[end], gast.For) and any(map(_may_change, block[end].body)):
        return
    _Exchange(reads[0], value).visit(block[end])
    block[position] = gast.copy_location(gast.Pass(), block[position])


def _reads(function: gast.FunctionDef, name: str) -> list[gast.Name]:
    names = (node for node in nodes(function) if isinstance(node, gast.Name) and node.id == name)
    return [node for node in names if isinstance(node.ctx, gast.Load)]


def _binds(node: gast.AST, name: str) -> bool:
    return isinstance(node, gast.Name) and node.id == name and not isinstance(node.ctx, gast.Load)


def _once(stmt: gast.AST) -> Iterator[gast.AST]:
    """The expressions that a statement computes once."""
    head = {gast.For: "iter", gast.If: "test", gast.Match: "subject"}.get(type(stmt))
    if isinstance(stmt, (gast.While, gast.Try, gast.With, *_FUNCTIONS)):
        return
    waiting = [getattr(stmt, head) if head else stmt]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, (gast.GeneratorExp, gast.ListComp, gast.DictComp, gast.SetComp)):
            waiting.append(node.generators[0].iter)
        elif not isinstance(node, _FUNCTIONS):
            waiting += gast.iter_child_nodes(node)


def _may_change(stmt: gast.AST) -> bool:
    """Whether a statement may change an array or a list, or call what does."""
    for node in nodes(stmt):
        match node:
            case gast.Subscript(ctx=gast.Store()) | gast.AugAssign(target=gast.Subscript() | gast.Attribute()):
                return True
            case gast.Call(func=gast.Name(id=name)) if name not in _HARMLESS:
                return True
            case gast.Expr(value=gast.Call(func=gast.Attribute())):
                return True
    return False


class _Exchange(gast.NodeTransformer):
    def __init__(self, old: gast.AST, new: gast.AST):
        self.old, self.new = old, new

    def visit(self, node: gast.AST) -> Any:
        return self.new if node is self.old else super().visit(node)


# ---------------------------------------------------------------- generators that something goes over


def named(name: str, where: gast.AST, ctx: Any = gast.Load) -> gast.Name:
    return gast.copy_location(gast.Name(name, ctx(), None, None), where)


def is_filter(d: Desugarer, node: gast.AST) -> bool:
    """Whether an expression is ``filter(f, values)``."""
    match node:
        case gast.Call(func=gast.Name(id="filter"), args=[_, _], keywords=[]):
            return getattr(d.expr(node.func), "value", None) is builtins.filter
    return False


def generator_of(d: Desugarer, node: gast.AST, body: list[gast.AST] | None = None) -> gast.GeneratorExp | None:
    """A generator expression, a filter or what `itertools` gives, as a generator expression; `body`: of a loop."""
    if isinstance(node, gast.GeneratorExp):
        return node
    if not is_filter(d, node):
        return loops_of(d, node, body)
    function, values = node.args
    item = d.fresh("item")
    test: gast.AST = named(item, node)
    if not (isinstance(function, gast.Constant) and function.value is None):
        test = gast.copy_location(gast.Call(function, [test], []), node)
    head = gast.comprehension(named(item, node, gast.Store), values, [test], 0)
    return gast.copy_location(gast.GeneratorExp(named(item, node), [head]), node)


def flattened(d: Desugarer, node: Any) -> Any:
    """A comprehension over a generator as one: ``f(v) for v in (u * u for u in x)`` has two loops."""
    heads: list[gast.comprehension] = []
    for head in node.generators:
        inner = generator_of(d, head.iter)
        if inner is None:
            heads.append(head)
            continue
        inner = flattened(d, _apart(d, inner))
        single = gast.copy_location(gast.Tuple([inner.elt], gast.Load()), inner.elt)
        heads += [*inner.generators, gast.comprehension(head.target, single, head.ifs, 0)]
    if heads == node.generators:
        return node
    node = copy.copy(node)
    node.generators = heads
    return node


def loop_over(d: Desugarer, node: gast.For) -> gast.For | None:
    """``for v in (f(u) for u in x if c)`` as a loop over `x`, or several, one in the other; None where it is none."""
    inner = generator_of(d, node.iter, node.body)
    if inner is None:
        return None
    inner = _apart(d, inner)
    d.names.assigned |= assigned_in([head.target for head in inner.generators])
    first = gast.copy_location(gast.Assign([node.target], inner.elt, None), node.iter)
    body: list[gast.AST] = [first, *node.body]
    leaves = has_break(node.body)
    for depth, head in reversed([*enumerate(inner.generators)]):
        for test in reversed(head.ifs):
            body = [gast.copy_location(gast.If(test, body, []), node.iter)]
        inside = depth and leaves  # a break leaves the loop around, too
        orelse = [] if depth and not leaves else [gast.Continue()] if inside else node.orelse
        loop = gast.copy_location(gast.For(head.target, head.iter, body, orelse, None), node)
        body = [loop, *([gast.Break()] if inside else [])]
        for stmt in (*orelse, *body) if inside else ():
            gast.copy_location(stmt, node)
    return loop


def _apart(d: Desugarer, node: gast.GeneratorExp) -> gast.GeneratorExp:
    """A generator whose own names are fresh."""
    node = copy.deepcopy(node)
    first = node.generators[0].iter
    own = assigned_in([head.target for head in node.generators])
    new = {name: d.fresh(name) for name in sorted(own)}
    for each in nodes(node):
        if isinstance(each, gast.Name) and each.id in own:
            each.id = new[each.id]
    back = {number: name for name, number in new.items()}
    for each in nodes(first):  # is computed outside
        if isinstance(each, gast.Name) and each.id in back:
            each.id = back[each.id]
    return node


def has_break(parts: list[gast.AST], kind: type = gast.Break) -> bool:
    """Whether statements contain a break (or continue) of the loop around them."""
    return any(isinstance(node, kind) or has_break(_inside(node), kind) for node in parts)


def _inside(node: gast.AST) -> list[gast.AST]:
    """The statements in a statement that belong to the same loop: of a loop, those of its else clause."""
    if isinstance(node, gast.FunctionDef):
        return []
    parts = ["orelse"] if isinstance(node, (gast.For, gast.While)) else ["body", "orelse", "finalbody"]
    cases = [*getattr(node, "cases", ()), *getattr(node, "handlers", ())]
    return [stmt for part in parts for stmt in getattr(node, part, ())] + [s for case in cases for s in case.body]
