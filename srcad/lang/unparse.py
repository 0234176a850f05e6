"""Python's syntax trees as text, the same on every Python: few parentheses, comments, long lines broken."""

from __future__ import annotations

import ast
import io
import textwrap
from collections.abc import Callable
from typing import Any

import astunparse

from srcad.lang.layout import BREAK, CLOSE, OPEN, PAREN, UNPAREN, WIDTH, flat, layout
from srcad.lang.precedence import ATOM, COMPARE, OR, POWER, TEST, UNARY, precedence, simple


class Comment(ast.stmt):
    """A line of comment."""

    _fields = ("text",)
    text: str

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


def unparse(module: ast.Module) -> tuple[str, dict[int, Any]]:
    """The text of a module and, for each line of a statement that has an `origin`, that origin.

    >>> print(unparse(ast.parse("y = ((a-(b-c))*(-x)**2)[i, ::2]"))[0], end="")
    y = ((a - (b - c)) * (-x) ** 2)[i, ::2]
    """
    return Unparser(module).text()


class Unparser(astunparse.Unparser):
    """One logical line is collected at a time, with marks where it may be broken."""

    def __init__(self, tree: ast.Module):
        self.lines: list[tuple[int, str, Any]] = []
        self.parts: list[str] = []
        self.origin: Any = None
        super().__init__(tree, io.StringIO())
        self.fill()

    def text(self) -> tuple[str, dict[int, Any]]:
        physical: list[str] = []
        origins: dict[int, Any] = {}
        for indent, line, origin in self.lines[1:-1]:
            new = layout(line, 4 * indent) if line else [""]
            if origin is not None:
                origins.update((len(physical) + 1 + k, origin) for k in range(len(new)))
            physical += new
        return "\n".join(physical) + "\n", origins

    # ------------------------------------------------------------ lines

    def fill(self, text: str = "") -> None:
        if self.lines or self.parts:
            indent, _, origin = self.lines[-1]
            self.lines[-1] = (indent, "".join(self.parts), origin)
        self.lines.append((self._indent, "", self.origin))
        self.parts = [text]

    def write(self, text: str) -> None:
        if not self.lines:
            self.fill()
        self.parts.append(text)

    def dispatch(self, tree: Any) -> None:
        if not isinstance(tree, ast.stmt):
            super().dispatch(tree)
            return
        outer, self.origin = self.origin, getattr(tree, "origin", None)
        super().dispatch(tree)
        self.origin = outer

    def _Module(self, tree: ast.Module) -> None:
        self.fill()
        for stmt in tree.body:
            if isinstance(stmt, ast.FunctionDef) and len(self.lines) > 1:
                self.fill()
                self.fill()
            self.dispatch(stmt)

    def _Comment(self, tree: Comment) -> None:
        room = WIDTH - 4 * self._indent - 2
        self.fill("# " + (tree.text if len(tree.text) <= room else tree.text[: room - 4].rstrip() + " ..."))

    # ------------------------------------------------------------ statements

    def whole(self, tree: ast.AST, bare: bool = False) -> None:
        """An expression that stands alone in its statement: parentheses only if it must be broken."""
        bare = bare and isinstance(tree, ast.Tuple) and len(tree.elts) > 1
        enclosed = precedence(tree) == ATOM and not bare
        self.write("" if enclosed else PAREN)
        self.list(tree.elts) if isinstance(tree, ast.Tuple) and bare else self.dispatch(tree)
        self.write("" if enclosed else UNPAREN)

    def _Expr(self, tree: ast.Expr) -> None:
        self.fill()
        self.whole(tree.value)

    def _Assign(self, tree: ast.Assign) -> None:
        self.fill()
        for target in tree.targets:
            if isinstance(target, ast.Tuple):
                self.write(PAREN + OPEN)
                self.list(target.elts)
                self.write(CLOSE + UNPAREN)
            else:
                self.dispatch(target)
            self.write(" = ")
        self.whole(tree.value, bare=isinstance(tree.targets[0], ast.Tuple))

    def _AugAssign(self, tree: ast.AugAssign) -> None:
        self.fill()
        self.dispatch(tree.target)
        self.write(f" {self.binop[type(tree.op).__name__]}= ")
        self.whole(tree.value)

    def _Return(self, tree: ast.Return) -> None:
        self.fill("return")
        if tree.value is not None:
            self.write(" ")
            self.whole(tree.value, bare=True)

    def _Assert(self, tree: ast.Assert) -> None:
        self.fill("assert ")
        self.whole(tree.test)
        if tree.msg is not None:
            self.write(", ")
            self.whole(tree.msg)

    def block(self, header: str, test: ast.AST | None, body: list[ast.stmt]) -> None:
        """``header test:`` and the statements under it."""
        self.fill(header)
        if test is not None:
            self.write(" ")
            self.whole(test)
        self.enter()
        self.dispatch(body)
        self.leave()

    def _If(self, tree: ast.If) -> None:
        self.block("if", tree.test, tree.body)
        while len(tree.orelse) == 1 and isinstance(tree.orelse[0], ast.If):
            tree = tree.orelse[0]
            self.origin = getattr(tree, "origin", None)
            self.block("elif", tree.test, tree.body)
        if tree.orelse:
            self.block("else", None, tree.orelse)

    def _While(self, tree: ast.While) -> None:
        self.block("while", tree.test, tree.body)

    def _FunctionDef(self, tree: ast.FunctionDef) -> None:
        self.fill(f"def {tree.name}(" + OPEN)
        arguments = [*tree.args.posonlyargs, *tree.args.args]
        defaults = [None] * (len(arguments) - len(tree.args.defaults)) + list(tree.args.defaults)
        for number, (argument, default) in enumerate(zip(arguments, defaults)):
            self.write("," + BREAK if number else "")
            self.write(argument.arg if default is None else argument.arg + "=")
            if default is not None:
                self.dispatch(default)
        self.write(CLOSE + ")")
        self.enter()
        self.body(tree.body)
        self.leave()

    def body(self, body: list[ast.stmt]) -> None:
        """The statements of a function, the docstring in triple quotes."""
        match body:
            case [ast.Expr(ast.Constant(str() as doc)), *rest]:
                quoted = doc.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
                if len(quoted) > WIDTH - 10 and "\n" not in quoted:
                    glued = quoted.replace(": ", ":\xa0").replace(", :", ",\xa0:")  # a name stays with its type
                    quoted = "\n".join(textwrap.wrap(glued, WIDTH - 10)).replace("\xa0", " ")
                first, *more = ('"""' + quoted + ('\n"""' if "\n" in quoted else '"""')).split("\n")
                for line in (first, *more):
                    self.fill(line.rstrip())
                self.dispatch(rest)
            case _:
                self.dispatch(body)

    # ------------------------------------------------------------ expressions

    def operand(self, tree: ast.AST, level: int) -> None:
        """An expression, in parentheses if it binds less tightly than `level`."""
        needed = precedence(tree) < level
        self.write("(" + OPEN if needed else "")
        self.dispatch(tree)
        self.write(CLOSE + ")" if needed else "")

    def list(self, items: list[Any], item: Callable[[Any], None] | None = None) -> None:
        self.write(OPEN)
        for number, each in enumerate(items):
            self.write("," + BREAK if number else "")
            (item or self.dispatch)(each)
        self.write(CLOSE)

    def _BinOp(self, tree: ast.BinOp) -> None:
        level = precedence(tree)
        if level == POWER:
            tight = simple(tree.left) and simple(tree.right) and precedence(tree.left) == ATOM
            self.operand(tree.left, POWER + 1)
            self.write("**" if tight else " ** ")
            self.operand(tree.right, UNARY)
            return
        self.write(OPEN)
        self.chain(tree, level)
        self.write(CLOSE)

    def chain(self, tree: ast.BinOp, level: int) -> None:
        """``a + b - c``: the operators of one level as one group."""
        if isinstance(tree.left, ast.BinOp) and precedence(tree.left) == level:
            self.chain(tree.left, level)
        else:
            self.operand(tree.left, level)
        self.write(f"{BREAK}{self.binop[type(tree.op).__name__]} ")
        self.operand(tree.right, level + 1)

    def _UnaryOp(self, tree: ast.UnaryOp) -> None:
        self.write("not " if isinstance(tree.op, ast.Not) else self.unop[type(tree.op).__name__])
        self.operand(tree.operand, precedence(tree))

    def _Compare(self, tree: ast.Compare) -> None:
        self.write(OPEN)
        self.operand(tree.left, COMPARE + 1)
        for op, right in zip(tree.ops, tree.comparators):
            self.write(f"{BREAK}{self.cmpops[type(op).__name__]} ")
            self.operand(right, COMPARE + 1)
        self.write(CLOSE)

    def _BoolOp(self, tree: ast.BoolOp) -> None:
        self.write(OPEN)
        for number, value in enumerate(tree.values):
            self.write(f"{BREAK}{self.boolops[type(tree.op)]} " if number else "")
            self.operand(value, precedence(tree) + 1)
        self.write(CLOSE)

    def _IfExp(self, tree: ast.IfExp) -> None:
        self.write(OPEN)
        self.operand(tree.body, OR)
        self.write(f"{BREAK}if ")
        self.operand(tree.test, OR)
        self.write(f"{BREAK}else ")
        self.operand(tree.orelse, TEST)
        self.write(CLOSE)

    def _Attribute(self, tree: ast.Attribute) -> None:
        number = isinstance(tree.value, ast.Constant) and isinstance(tree.value.value, (int, float))
        self.operand(tree.value, ATOM + 1 if number else ATOM)
        self.write("." + tree.attr)

    def _Call(self, tree: ast.Call) -> None:
        self.operand(tree.func, ATOM)
        self.write("(")
        self.list([*tree.args, *tree.keywords])
        self.write(")")

    def _Subscript(self, tree: ast.Subscript) -> None:
        self.operand(tree.value, ATOM)
        self.write("[")
        match tree.slice:
            case ast.Tuple(elts) if len(elts) > 1:
                self.list(elts)
            case ast.Tuple([single]):
                self.dispatch(single)
                self.write(",")
            case other:
                self.dispatch(other)
        self.write("]")

    def _Tuple(self, tree: ast.Tuple) -> None:
        self.write("(")
        self.list(tree.elts)
        self.write(",)" if len(tree.elts) == 1 else ")")

    def _Constant(self, tree: ast.Constant) -> None:
        text = "..." if tree.value is Ellipsis else repr(tree.value)
        if text.startswith("'") and '"' not in text:
            text = '"' + text[1:-1] + '"'
        self.write(text)


def expression(tree: ast.expr) -> str:
    """One expression on one line.

    >>> expression(ast.parse("(a + b) * -(c)", mode="eval").body)
    '(a + b) * -c'
    """
    return flat(Unparser(ast.Module([ast.Expr(tree)], [])).lines[1][1])
