"""desugar: the statements of Python as the few of the IR; part of `surface`.

What stays for later passes: early exits (`exits`), calls of Python functions and assignments inside of
expressions (`inline`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any, Union

import gast

from srcad.lang.errors import Problem, refuse
from srcad.lang.forms import REFUSED, Break, Continue, LocalFunction, LoopElse, constant, is_star
from srcad.lang.ir import (
    Block, Call, Const, Expr, Function, If, Let, Return, Tuple, Var, While,
)  # fmt: skip
from srcad.lang.read import Source, Unbound
from srcad.lang.refusals import STATEMENTS, unsupported_phrase
from srcad.lang.translate import Translator
from srcad.transforms.assign import assign, augment, delete, expression
from srcad.transforms.chosen import chosen
from srcad.transforms.comprehensions import dict_of, packed, sequence_of
from srcad.transforms.contexts import LOOP, Due, leave, try_statement, with_statement
from srcad.transforms.definitions import defaults_of, definition, function
from srcad.transforms.generators import has_break, in_place
from srcad.transforms.heaps import pop
from srcad.transforms.loops import for_loop
from srcad.transforms.matching import match_statement
from srcad.transforms.names import FLAGS, Names, declares, names_of
from srcad.transforms.one_by_one import taken
from srcad.transforms.one_each import stepped
from srcad.transforms.over_objects import without_iterators
from srcad.transforms.own_names import own_names
from srcad.transforms.rebuilt import rebuilt
from srcad.transforms.reductions import columns_of, is_lazy, listed_items, listed_stars, no_call
from srcad.transforms.spent_once import once_only
from srcad.transforms.texts import failure, formatted
from srcad.transforms.trees import HIDDEN, in_each_branch
from srcad.transforms.updates import updates
from srcad.transforms.yielding import collected

_NAMED = "each parameter by its name (of a decorated function, the function that is wrapped)"


def desugar(source: Source) -> Function:
    """The function in statements of the IR.

    >>> from srcad.lang.read import read
    >>> import colorsys
    >>> desugar(read(colorsys.rgb_to_yiq)).params[0].name
    'r'
    """
    template = desugar_callee(source, called=False)
    stars = [f"{star}{name}" for star, name in (("*", template.rest), ("**", template.keywords)) if name is not None]
    refuse([Problem(source.place(source.tree), f"{name} is not supported", _NAMED) for name in stars])
    return template.function


def desugar_callee(source: Source, called: bool = True) -> LocalFunction:
    """The function together with what a call of it needs to know; a generator that is called returns a list."""
    tree = in_place(taken(stepped(collected(without_iterators(updates(rebuilt(source.tree))), called), source)))
    desugarer = Desugarer(source, tree := own_names(chosen(tree)), None)
    once_only(desugarer, tree)
    result = function(desugarer, tree, source.name, _defaults(source))
    refuse(sorted(desugarer.problems, key=lambda p: (p.origin.line, p.origin.column)))
    return result


def _defaults(source: Source) -> dict[str, Expr]:
    args = source.tree.args
    positional = [arg.id for arg in (*args.posonlyargs, *args.args)]
    values = source.fn.__defaults__ or ()
    named = dict(zip(positional[len(positional) - len(values):], values)) | (source.fn.__kwdefaults__ or {})
    return {name: constant(value, name) for name, value in named.items()}


class Desugarer(Translator):
    """One function; `outer` is the function in which it is nested."""

    def __init__(self, source: Source, tree: gast.AST, outer: Desugarer | None, names: Names | None = None):
        self.source, self.outer = source, outer
        self.problems: list[Problem] = outer.problems if outer else []
        self.counts: dict[str, int] = outer.counts if outer else {}
        self.names = names or names_of(tree)
        self.out: list[Any] = []
        self.origin = source.origin(tree)
        self.due: list[Due] = []

    # ------------------------------------------------------------ what the translator asks

    def resolve(self, name: str, node: gast.AST) -> Expr:
        if name in HIDDEN:
            return constant(HIDDEN[name], name[1:])
        if name in self.names.assigned:
            return Var(name)
        if self.outer is not None:
            return self.outer.resolve(name, node)
        try:
            return constant(self.source.lookup(name), name)
        except Unbound as error:
            return self.refuse(node, str(error), error.remedy)

    def refuse(self, node: gast.AST, reason: str, remedy: str = "") -> Expr:
        self.problems.append(Problem(self.source.place(node), reason, remedy))
        return REFUSED

    def fresh(self, hint: str) -> str:
        self.counts[hint] = number = self.counts.get(hint, 0) + 1
        return f"{hint}.0.{number}" if hint in FLAGS else f"{hint}.{number}"

    def super(self, node: gast.AST) -> Expr:
        """``super()`` in a method: the class in whose body the method stands, and the object."""
        outermost = self
        while outermost.outer is not None:
            outermost = outermost.outer
        code = self.source.fn.__code__
        if outermost is not self or not code.co_argcount or "__class__" not in code.co_freevars:
            return super().super(node)
        return Call(super, (Const(self.source.lookup("__class__")), Var(code.co_varnames[0])))

    def nested(self, node: gast.Lambda) -> Expr:
        return Const(self.inner(node, "lambda_"))

    def known_tuple(self, expr: Expr) -> tuple[Expr, ...] | None:
        if not isinstance(expr, Var):
            known = super().known_tuple(expr)
            return None if known is not None and any(map(is_star, known)) else known
        if self.outer is not None and expr.name not in self.names.assigned:
            return self.outer.known_tuple(expr)
        count = self.names.displays.get(expr.name)
        return None if count is None else tuple(self.item(expr, position) for position in range(count))

    def expr(self, node: gast.AST) -> Expr:
        match node:
            case gast.JoinedStr():
                return formatted(self, node)
            case (gast.ListComp() as made) | gast.List(elts=[gast.Starred(value=gast.ListComp() as made)]):
                return sequence_of(self, made)
            case gast.DictComp():
                return dict_of(self, node)
        return super().expr(node)

    def sequence(self, node: gast.AST) -> Expr:
        return packed(self, node) if isinstance(node, gast.ListComp) else super().sequence(node)

    def items(self, nodes: list[gast.AST]) -> tuple[Expr, ...]:
        return super().items(listed_items(self, nodes))

    def is_lazy(self, node: gast.AST) -> bool:
        return is_lazy(self, node)

    def call(self, node: gast.Call, allowed: Any = None) -> Expr:
        made = no_call(self, node)
        return pop(super().call(listed_stars(self, node), allowed or columns_of(self, node))) if made is None else made

    # ------------------------------------------------------------ statements

    def emit(self, stmt: Any) -> None:
        self.out.append(stmt)

    def let(self, name: str, value: Expr) -> None:
        self.emit(Let(name, value, self.origin))

    def named(self, expr: Expr) -> Expr:
        """The expression as a name or constant."""
        return expr if isinstance(expr, Var) else self.temporary(expr)

    def temporary(self, expr: Expr) -> Expr:
        """The present value of an expression, under a name that nothing else assigns."""
        if isinstance(expr, Const):
            return expr
        name = self.fresh("t")
        self.let(name, expr)
        return Var(name)

    def gathered(self, work: Callable[[], None]) -> Block:
        """The statements that some work emits."""
        outer, self.out = self.out, []
        work()
        result, self.out = tuple(self.out), outer
        return result

    def block(self, nodes: Iterable[gast.AST]) -> Block:
        def statements() -> None:
            for node in nodes:
                self.statement(node)

        return self.gathered(statements)

    def statement(self, node: gast.AST) -> None:
        self.origin = origin = self.source.origin(node)
        match node:
            case gast.Assign(targets=targets, value=value):
                assign(self, targets, value)
            case gast.AnnAssign(target=target, value=value):
                if value is not None:
                    assign(self, [target], value)
            case gast.AugAssign():
                augment(self, node)
            case gast.Return(value=value):
                self.leave(Const(None) if value is None else self.expr(value))
            case gast.If(test=test, body=body, orelse=orelse):
                self.emit(If(self.expr(test), self.block(body), self.block(orelse), origin))
            case gast.For():
                for_loop(self, node)
            case gast.While():
                self.while_loop(node)
            case gast.Expr(value=gast.IfExp(test=test, body=then, orelse=other)):
                branches = [gast.copy_location(gast.Expr(each), node) for each in (then, other)]
                self.emit(If(self.expr(test), self.block(branches[:1]), self.block(branches[1:]), origin))
            case gast.Expr(value=value):
                choice = in_each_branch(value, self.shared)
                if choice is None:
                    expression(self, value)
                else:
                    self.statement(gast.copy_location(gast.Expr(choice), node))
            case gast.FunctionDef():
                definition(self, node)
            case _ if declares(self, node):
                pass  # names are looked up, and `inline` finds the function that nonlocal ones belong to
            case gast.Break() | gast.Continue():
                leave(self, everything=False)
                self.emit((Break if isinstance(node, gast.Break) else Continue)(origin))
            case gast.Assert() | gast.Raise():
                failure(self, node)
            case gast.Delete(targets=targets):
                delete(self, targets)
            case gast.Match():
                match_statement(self, node)
            case gast.Try():
                try_statement(self, node)
            case gast.With():
                with_statement(self, node)
            case _:
                kind = type(node).__name__
                self.refuse(node, *unsupported_phrase(STATEMENTS.get(kind, (kind, ""))))
                for inner in _blocks(node):  # for their problems, and for the names that they bind
                    self.out += self.block(inner)

    def leave(self, value: Expr) -> None:
        """Return a value, after what is due in finally clauses."""
        if any(due != LOOP for due in self.due):
            value = self.temporary(value)
            leave(self, everything=True)
        self.emit(Return(value, self.origin))

    def while_loop(self, node: gast.While) -> None:
        origin = self.origin
        loop = While(self.expr(node.test), self.iteration(node.body), origin)
        self.finish(node, loop)

    def iteration(self, nodes: list[gast.AST]) -> Block:
        """The body of a loop."""
        self.due.append(LOOP)
        body = self.block(nodes)
        self.due.pop()
        return body

    def finish(self, node: Union[gast.For, gast.While], loop: Any) -> None:
        """Emit a loop with its else clause."""
        orelse = self.block(node.orelse)
        if orelse and has_break(node.body):
            self.emit(LoopElse(loop, orelse, loop.origin))
        else:
            self.out += [loop, *orelse]

    # ------------------------------------------------------------ nested functions

    def is_local(self, name: str) -> bool:
        """Whether a name belongs to a function around this one that is being read, too."""
        return self.outer is not None and (name in self.outer.names.assigned or self.outer.is_local(name))

    @property
    def shared(self) -> set[str]:
        """The names that a call of a nested function may assign."""
        return self.names.shared | (self.outer.shared if self.outer else set())

    def inner(self, node: Union[gast.FunctionDef, gast.Lambda], name: str) -> LocalFunction:
        """A nested function; defaults that are no constants get names where it is defined."""
        defaults = {param: self.temporary(self.expr(default)) for param, default in defaults_of(node)}
        return function(Desugarer(self.source, node, self), node, name, defaults)

    def item(self, base: Expr, position: int) -> Expr:
        match base:
            case Tuple(items):
                return items[position]
            case Const(value=tuple() as values):
                return constant(values[position], base.name or "c")
        return Call(operator.getitem, (base, Const(position)))


def _blocks(node: gast.AST) -> list[list[gast.AST]]:
    """The statements inside a statement that is refused; not those of a class or another function."""
    if isinstance(node, (gast.ClassDef, gast.AsyncFunctionDef)):
        return []
    parts = [node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())]
    return [getattr(p, name, []) for p in parts for name in ("body", "orelse", "finalbody")]
