"""Reading: a Python function as a tree, with what its names mean."""

from __future__ import annotations

import builtins
import difflib
import functools
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Union

import gast

from srcad.lang.errors import unsupported
from srcad.lang.forms import REFUSED
from srcad.lang.imports import Imports, bound
from srcad.lang.ir import Expr
from srcad.lang.locate import definition, function_of, module_lines
from srcad.lang.origin import Origin
from srcad.lang.private import with_private_names
from srcad.lang.translate import Translator


class Unbound(LookupError):
    """A name that means nothing where it is read, and what may be meant."""

    def __init__(self, reason: str, remedy: str):
        super().__init__(reason)
        self.remedy = remedy


@dataclass(frozen=True)
class Source:
    """A function's tree (gast), the lines of its file, and the function itself, in which its names are looked up."""

    fn: types.FunctionType
    tree: Union[gast.FunctionDef, gast.Lambda]
    lines: list[str]

    @property
    def name(self) -> str:
        return "lambda_" if isinstance(self.tree, gast.Lambda) else self.fn.__name__

    @property
    def filename(self) -> str:
        return self.fn.__code__.co_filename

    @property
    def locals(self) -> frozenset[str]:
        """The names that belong to the function itself."""
        code = self.fn.__code__
        return frozenset(code.co_varnames) | frozenset(code.co_cellvars)

    @functools.cached_property
    def imports(self) -> Imports:
        """What imports inside of the function bind names to."""
        return Imports(self.tree)

    def is_settled(self, node: Union[gast.Import, gast.ImportFrom], assigned: set[str]) -> bool:
        """Whether the names that an import binds mean nothing else in the function."""
        return all(name in self.imports and name not in assigned for name, *_ in bound(node))

    def lookup(self, name: str) -> Any:
        """What a name means that is no variable of the function: an import, a closure's, a global's or a builtin."""
        code = self.fn.__code__
        if name in self.imports:
            try:
                return self.imports.value(name, self.fn.__globals__)
            except ImportError as error:
                raise Unbound(f"an import that fails: {error}", "the package installed") from None
        if name in code.co_freevars:
            try:
                return self.fn.__closure__[code.co_freevars.index(name)].cell_contents  # type: ignore[index]
            except ValueError:
                remedy = f"a value for {name} before the derivative is made"
                raise Unbound(f"the closure variable {name!r} has no value yet", remedy) from None
        for space in (self.fn.__globals__, vars(builtins)):
            if name in space:
                return space[name]
        if name in self.imports.found:
            raise Unbound(f"{name!r}, which imports bind to several things", "one import at the top of the file")
        known = [*self.locals, *code.co_freevars, *self.fn.__globals__, *vars(builtins)]
        similar = difflib.get_close_matches(name, known, 1, 0.75)
        raise Unbound(f"the name {name!r} is not defined", similar[0] if similar else f"a definition of {name}")

    def origin(self, node: gast.AST) -> Origin:
        """Where a statement stands, with its text on one line."""
        return self._origin(node, self.statement_text(node))

    def place(self, node: gast.AST) -> Origin:
        """Where an expression stands, with the line as it is in the file."""
        return self._origin(node, self.line(node.lineno))

    def _origin(self, node: gast.AST, text: str) -> Origin:
        column = len(self.line(node.lineno).encode()[: node.col_offset].decode(errors="replace"))
        return Origin(self.filename, node.lineno, column, self.name, text)

    def line(self, number: int) -> str:
        return self.lines[number - 1].rstrip("\n") if 0 < number <= len(self.lines) else ""

    def statement_text(self, node: gast.AST) -> str:
        """A statement on one line; of a compound statement, its head."""
        body = getattr(node, "body", None)
        if isinstance(body, list) and body:
            lines = [self.line(number) for number in range(node.lineno, max(node.lineno, body[0].lineno - 1) + 1)]
            lines = lines[: _head(lines)]
        else:
            lines = [self.line(number) for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)]
            lines[-1] = lines[-1].encode()[: node.end_col_offset].decode(errors="replace")
            lines[0] = lines[0].encode()[node.col_offset:].decode(errors="replace")
        return " ".join(stripped for line in lines if (stripped := without_comment(line).strip()))


def _head(lines: list[str]) -> int:
    """How many lines the head of a compound statement takes: up to the line that ends with a colon."""
    return next((n for n, line in enumerate(lines, 1) if without_comment(line).rstrip().endswith(":")), 1)


def without_comment(line: str) -> str:
    """A line without the comment at its end.

    >>> without_comment("y = x['#']  # why")
    "y = x['#']"
    """
    quote = ""
    for position, char in enumerate(line):
        if char == "#" and not quote:
            return line[:position].rstrip()
        if char in "\"'":
            quote = "" if char == quote else quote or char
    return line


def read(fn: Any) -> Source:
    """Read a function, a lambda, a nested function or the function behind a Numba dispatcher.

    >>> import statistics
    >>> read(statistics.fmean).tree.name
    'fmean'
    """
    function = function_of(fn)
    lines = module_lines(function.__code__, function.__globals__)
    tree = gast.ast_to_gast(definition(function, lines))
    return Source(function, with_private_names(tree, function.__qualname__), lines)


# ---------------------------------------------------------------- single expressions


class _ExpressionReader(Translator):
    def __init__(self, resolve: Callable[[str], Expr], origin: Union[Origin, Callable[[gast.AST], Origin]]):
        self.meaning, self.origin, self.count = resolve, origin, 0

    def resolve(self, name: str, node: gast.AST) -> Expr:
        try:
            return self.meaning(name)
        except Unbound as unbound:
            return self.refuse(node, str(unbound), unbound.remedy)
        except LookupError:
            return self.refuse(node, f"the name {name!r} is not defined", f"a definition of {name}")

    def refuse(self, node: gast.AST, reason: str, remedy: str = "") -> Expr:
        raise unsupported(self.origin(node) if callable(self.origin) else self.origin, reason, remedy)

    def fresh(self, hint: str) -> str:
        self.count += 1
        return f"{hint}.{self.count}"


def read_expression(
    node: gast.AST, resolve: Callable[[str], Expr], origin: Union[Origin, Callable[[gast.AST], Origin]]
) -> Expr:
    """A gast expression as an expression of the IR; `resolve` says what a name means (a LookupError refuses it).

    `origin` is where the expression stands, or a function that says so for each node. An object that `resolve`
    gives as a `Const` is looked into: with ``np`` a ``Const(numpy)``, ``np.cos(x)`` is a ``Call`` of `numpy.cos`.
    """
    expr = _ExpressionReader(resolve, origin).expr(node)
    assert expr is not REFUSED
    return expr
