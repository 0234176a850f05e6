"""Generators without an end: a call of one is a function that gives the next value; part of `desugar`.

``while True: yield x; x = f(x)`` becomes a function around ``next.0``, which does what is done from one ``yield`` to
the next. `one_each` writes what goes over such a generator.
"""

from __future__ import annotations

import inspect
from typing import Any

import gast

from srcad.lang.errors import SrcadError
from srcad.lang.ir import Const, Expr
from srcad.lang.locate import unwrap
from srcad.lang.nodes import nodes
from srcad.lang.read import read
from srcad.transforms.generators import has_break
from srcad.transforms.names import assigned_in, own_nodes
from srcad.transforms.values import Closure

REMEDY = "for y in steps(x): ... with a break, zip(range(n), steps(x)), or itertools.islice(steps(x), n)"
_NEXT = "next.0"
_PLAIN = (gast.Assign, gast.AnnAssign, gast.AugAssign, gast.Pass)
Block = list[Any]


def parts(function: gast.FunctionDef) -> tuple[Block, Block, Any, Block] | None:
    """What a generator without an end does at first, before each ``yield``, what it yields, and what it does behind.

    None for others: those of several ``yield``, or in which there is more than assignments before the loop.
    """
    *before, loop = _body(function)
    found = [node for node in own_nodes(function) if isinstance(node, (gast.Yield, gast.YieldFrom, gast.Nonlocal))]
    body, behind = _round(loop)
    yielded = [k for k, stmt in enumerate(body) if isinstance(stmt, gast.Expr) and stmt.value in found]
    leaves = any(isinstance(node, gast.Return) for node in own_nodes(function))
    if len(found) != 1 or len(yielded) != 1 or leaves or has_break(body) or has_break(body, gast.Continue):
        return None
    counter = [] if not behind else [assigned(loop.target.id, (loop.iter.args or [gast.Constant(0, None)])[0])]
    plain = all(isinstance(stmt, _PLAIN) for stmt in before)
    if not plain or any(isinstance(node, gast.Subscript) for stmt in before for node in nodes(stmt)):
        return None
    k = yielded[0]
    value = body[k].value.value or gast.Constant(None, None)
    return [*before, *counter], body[:k], value, [*body[k + 1 :], *behind]


def _round(loop: Any) -> tuple[Block, Block]:
    """The body of a loop without an end, and what counts on behind it."""
    match loop:
        case gast.While(test=gast.Constant(value=test), body=body, orelse=[]) if test:
            return body, []
        case gast.For(
            target=gast.Name(id=name), body=body, orelse=[],
            iter=gast.Call(func=gast.Attribute(value=gast.Name(id="itertools"), attr="count"), args=args, keywords=[]),
        ) if name not in assigned_in(body):  # fmt: skip
            step = args[1] if len(args) > 1 else gast.Constant(1, None)
            return body, [assigned(name, gast.BinOp(name_of(name), gast.Add(), step))]
    return [], []


def _body(function: gast.FunctionDef) -> Block:
    match function.body:
        case [gast.Expr(value=gast.Constant(value=str())), *rest] if rest:
            return rest
    return function.body


def stepping(function: gast.FunctionDef) -> bool:
    """Let a generator without an end return a function that gives the next value; whether it is one.

    >>> tree = gast.parse("def f(x):\\n while True:\\n  yield x\\n  x = x * x").body[0]
    >>> print(gast.unparse(tree).strip() if stepping(tree) else "")
    def f(x):
        f_has_begun = False
    <BLANKLINE>
        def next.0():
            nonlocal f_has_begun, x
            if f_has_begun:
                x = x * x
            f_has_begun = True
            return x
        return next.0
    """
    found = parts(function)
    if found is None:
        return False
    before, first, value, behind = found
    begun = f"{function.name}_has_begun"
    own = (node for node in own_nodes(function) if isinstance(node, gast.Name))
    given = {node.id for node in own if isinstance(node.ctx, gast.Param)}
    handed_on = assigned_in(first) & {n.id for stmt in behind for n in nodes(stmt) if isinstance(n, gast.Name)}
    kept = assigned_in([*first, *behind]) & (given | assigned_in(before)) | handed_on
    begin = [assigned(begun, gast.Constant(False, None))] if behind else []
    again = [gast.If(name_of(begun), behind, []), assigned(begun, gast.Constant(True, None))] if behind else []
    shared = sorted(kept | {begun} if behind else kept)
    unbound = [gast.AnnAssign(name_of(each, gast.Store), gast.Constant(None, None), None, 1)
               for each in sorted(handed_on - given - assigned_in(before))]  # fmt: skip
    steps = [*([gast.Nonlocal(shared)] if shared else []), *again, *first, gast.Return(value)]
    function.body = [*before, *unbound, *begin, defined(_NEXT, steps), gast.Return(name_of(_NEXT))]
    return bool(placed(function.body, function))


def is_steps(value: Expr) -> bool:
    """Whether a value is the function that gives the next value of such a generator."""
    held = value.value if isinstance(value, Const) else None
    return isinstance(held, Closure) and held.template.function.name == _NEXT


def is_endless(called: Any) -> bool:
    """Whether something that is called is a generator without an end: a function, or the tree of one inside."""
    if isinstance(called, gast.FunctionDef):
        return bool(getattr(called, "endless", False))
    if not inspect.isgeneratorfunction(called):
        return False
    try:
        return parts(read(unwrap(called)).tree) is not None
    except (SrcadError, OSError, TypeError):
        return False


# ---------------------------------------------------------------- syntax trees


def name_of(name: str, ctx: Any = gast.Load) -> gast.Name:
    return gast.Name(name, ctx(), None, None)


def assigned(name: str, value: Any) -> gast.Assign:
    return gast.Assign([name_of(name, gast.Store)], value, None)


def called(fn: Any, *args: Any) -> gast.Call:
    return gast.Call(name_of(fn) if isinstance(fn, str) else fn, [*args], [])


def defined(name: str, body: Block) -> gast.FunctionDef:
    return gast.FunctionDef(name, gast.arguments([], [], None, [], [], None, []), body, [], None, None)


def placed(block: Block, where: Any) -> Block:
    for stmt in block:
        for node in nodes(stmt):
            if not hasattr(node, "lineno"):
                gast.copy_location(node, where)
    return block
