"""The order of evaluation: expressions as values, with the statements that computing them takes; part of `inline`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from srcad.lang import walk
from srcad.lang.errors import Problem
from srcad.lang.forms import REFUSED, Bind, LocalFunction, is_star
from srcad.lang.ir import (
    Attr, Block, Call, Const, Expr, Function, Let, Slice, Stmt, Tuple, Var, and_, hint, or_, select,
)  # fmt: skip
from srcad.lang.origin import physical
from srcad.lang.structure import word
from srcad.library import Plan
from srcad.transforms.calls import folded
from srcad.transforms.control import is_test
from srcad.transforms.frames import Frame
from srcad.transforms.inplace import is_inplace
from srcad.transforms.values import Closure, Object, is_static, with_items


def assigned(body: Block) -> set[str]:
    """The names that statements assign, those of assignment expressions too."""
    result = walk.assigned(body)
    for stmt in walk.statements(body):
        for expr in walk.stmt_exprs(stmt):
            result |= {e.fn.name for e in walk.subexprs(expr) if isinstance(e, Call) and isinstance(e.fn, Bind)}
    return result


class Ordered:
    """Emits statements, and says for each expression what stands for its value after them."""

    def __init__(self, fn: Function):
        self.problems: list[Problem] = []
        self.used = {param.name for param in fn.params} | assigned(fn.body)
        self.counts: dict[str, int] = {}
        self.frame = Frame(None, None, self.fresh)
        self.out: list[Stmt] = []
        self.outs: list[list[Stmt]] = []  # those around it
        self.origin = fn.origin
        self.static: dict[str, Expr] = {}
        self.valued = {param.name for param in fn.params}
        self.lost: set[str] = set()
        self.lasting: set[str] = set()  # names for what known structures hold, which nothing else assigns
        self.known: dict[int, frozenset[Any]] = {}  # for copies of objects: which object they may be one of
        self.tags: dict[int, Var] = {}  # and the number of that
        self.holders: dict[int, tuple[Object, list[Stmt]]] = {}  # those with numbers, and among which statements
        self.stale: set[str] = set()  # attributes that may have been changed under another name of the object
        self.changes = 0
        self.bound: set[str] = set()
        self.fields: set[str] = set()  # the variables that calls may change: attributes of objects, and nonlocal names
        self.field_keys: dict[str, tuple[type, str]] = {}  # of which classes they are attributes, and which ones
        self.had: dict[tuple[int, str], bool] = {}  # attributes asked for in vain, and those that some paths give: True
        self.nonlocals: set[str] = set()  # those of them that local functions assign
        self.inner_parts: frozenset[tuple[type, str]] = frozenset()  # attributes that hold one object after the other
        self.shadowed: dict[type, dict[str, None]] = {}  # attributes that begin as their class has them
        self.inner: set[str] = set()  # the attributes that hold one object after the other, and those of these objects
        self.slots: set[str] = set()  # the names of objects that loops carry
        self.depth = 0  # loops and branches around the present statement

    # ------------------------------------------------------------ helpers

    def fresh(self, name: str) -> str:
        base = hint(name) if hint(name).isidentifier() else f"at_{word(hint(name))}"  # a key of a dict may be any text
        while True:
            self.counts[base] = number = self.counts.get(base, 0) + 1
            if f"{base}.{number}" not in self.used:
                self.used.add(f"{base}.{number}")
                return f"{base}.{number}"

    def refuse(self, reason: str, remedy: str = "", word: str = "") -> Expr:
        """Note a problem of the present statement; the caret goes under `word`, if the line has it."""
        place = physical(self.origin)
        column = place.text.find(word, place.column)
        self.problems.append(Problem(replace(place, column=max(column, place.column)), reason, remedy))
        return REFUSED

    def emit(self, stmt: Stmt) -> None:
        self.out.append(stmt)

    def named(self, expr: Expr, name: str = "t") -> Expr:
        if isinstance(expr, (Var, Const)):
            return expr
        return self.stored(self.fresh(name), expr)

    def stored(self, name: str, expr: Expr) -> Var:
        """A value, under a name that nothing else assigns."""
        self.emit(Let(name, expr, self.origin))
        return Var(name)

    def statement(self, stmt: Stmt) -> None:
        """Emit what stands for a statement."""
        raise NotImplementedError

    def statements(self, block: Block) -> None:
        for stmt in block:
            self.statement(stmt)

    def collect(self, work: Callable[[], Any]) -> tuple[list[Stmt], Any]:
        """What some work emits, and its result."""
        outer, self.out = self.out, []
        self.outs.append(outer)
        try:
            result = work()
        finally:
            self.outs.pop()
        emitted, self.out = self.out, outer
        return emitted, result

    def let(self, target: str, value: Expr | None) -> None:
        """Bind a name; a function is remembered instead of bound."""
        self.lost.discard(target)
        self.stale.discard(target)
        before = self.static.pop(target, None)
        if value is None or value is REFUSED:
            return
        if target in self.slots:
            if before is None or not self.moved(target, before, value):
                what = hint(target)
                remedy = "objects of one class, dicts with the same keys, or a list in place of nested tuples"
                self.refuse(f"{what} is something else in the next iteration", remedy, what)
            return
        if is_static(value) or isinstance(value, Const) and isinstance(value.value, Plan):
            self.static[target] = self.put_down(self.unshared(value))
            return
        self.valued.add(target)
        if target in self.fields:
            self.bound.add(target)
        if isinstance(value, Call) and is_inplace(value.fn):
            self.changes += 1
        self.emit(Let(target, value, self.origin))

    def unshared(self, value: Expr) -> Expr:
        """A value that stays what it is when a loop gives the name of an object in it to another one."""
        raise NotImplementedError

    def moved(self, target: str, slot: Expr, value: Expr) -> bool:
        """Put an object into the variables of one that a loop carries; whether it fits."""
        raise NotImplementedError

    def put_down(self, value: Expr) -> Expr:
        """A value that is known, under names for what it holds; two names of one structure hold the same."""
        if isinstance(value, Tuple):
            return with_items(value, tuple(map(self.put_down, value.items)))
        if isinstance(value, Var) and value.name in self.lasting:
            return value
        result = self.kept(value)
        if isinstance(result, Var):
            self.lasting.add(result.name)
        return result

    def kept(self, expr: Expr) -> Expr:
        """What stands for the present value of an expression from now on."""
        if isinstance(expr, Tuple):
            return replace(expr, items=tuple(map(self.kept, expr.items)))
        if isinstance(expr, Slice):
            return Slice(*(None if part is None else self.kept(part) for part in (expr.lower, expr.upper, expr.step)))
        if isinstance(expr, Const):
            return expr
        return self.stored(self.fresh(expr.name if isinstance(expr, Var) else "t"), expr)

    def atoms(self, value: Tuple) -> Tuple:
        """A tuple whose items are names and constants, so that loops over it can be written out."""
        return Tuple(tuple(self.atoms(v) if isinstance(v, Tuple) else self.named(v) for v in value.items), value.type)

    def test(self, expr: Expr) -> Expr:
        """A condition, of which only the truth matters."""
        raise NotImplementedError

    def one_of(self, fn: Any, args: tuple[Expr, ...]) -> Expr:
        """``a or b`` and ``a and b`` where the result is the operand that decides."""
        raise NotImplementedError

    def choice(self, expr: Call) -> Expr:
        """``a if test else b``"""
        raise NotImplementedError

    def operation(self, expr: Call) -> Expr:
        """A call whose arguments are all computed."""
        raise NotImplementedError

    # ------------------------------------------------------------ expressions

    def expr(self, expr: Expr) -> Expr:
        match expr:
            case Var(name):
                return self.variable(name)
            case Const(value=LocalFunction() as template):
                self.nonlocals |= {self.frame.target(each) for each in template.outer}
                self.fields |= self.nonlocals
                return Const(Closure(template, self.frame, self.defaults(template)))
            case Const():
                return expr
            case Attr(value, name):
                return self.attribute(self.expr(value), name)
            case Slice(lower, upper, step):
                parts = iter(self.operands(tuple(p for p in (lower, upper, step) if p is not None)))
                return Slice(*(None if p is None else next(parts) for p in (lower, upper, step)))
            case Tuple(items, type):
                return Tuple(self.operands(items), type)
            case Call():
                return self.call(expr)
        raise TypeError(expr)

    def defaults(self, template: LocalFunction) -> dict[str, Expr]:
        """The present values of the defaults of parameters."""
        params = template.function.params
        return {p.name: self.kept(self.expr(p.default)) for p in params if isinstance(p.default, Var)}

    def variable(self, name: str) -> Expr:
        meaning = self.frame.meaning(name)
        if not isinstance(meaning, Var):
            return meaning
        return self.holding(meaning)

    def holding(self, var: Var) -> Expr:
        """What a variable holds: itself, or the function or object that it is known to be."""
        if var.name in self.stale:
            return self.refuse(*stale(var.name))
        if var.name in self.static:
            return self.static[var.name]
        if var.name in self.lost:
            name = hint(var.name)
            what = "is returned" if name == "result" else f"{name!r} is"
            reason = f"which function or object {what} depends on the path taken"
            return self.refuse(reason, "a call in each branch, or numbers in its place", name)
        return var

    def lose(self, name: str) -> None:
        """Note that a name may hold one function or another, or a number."""
        self.static.pop(name, None)
        self.lost.add(name)
        self.valued.add(name)

    def attribute(self, base: Expr, name: str) -> Expr:
        """``base.name``"""
        raise NotImplementedError

    def kept_star(self, arg: Expr, later: list[Stmt]) -> Expr:
        """``*values`` before an argument that takes statements."""
        raise NotImplementedError

    def operands(self, exprs: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """Operands in order; one that a later operand's statements could change is computed before them."""
        results: list[Expr] = []
        for expr in exprs:
            mark, changes, bound = len(self.out), self.changes, set(self.bound)
            self.bound.clear()
            result = self.expr(expr)
            if len(self.out) > mark:
                emitted = self.out[mark:]
                del self.out[mark:]
                changed = self.changes > changes
                results = [self.kept_star(r, emitted) if is_star(r) else self.settled(r, changed) for r in results]
                self.out += emitted
            self.bound |= bound
            results.append(result)
        return tuple(results)

    def settled(self, expr: Expr, changed: bool) -> Expr:
        match expr:
            case Const():
                return self.unshared(expr) if self.bound & self.inner else expr
            case Slice(lower, upper, step):
                return Slice(*(None if part is None else self.settled(part, changed) for part in (lower, upper, step)))
            case Tuple(items):
                return with_items(expr, tuple(self.settled(item, changed) for item in items))
        rebound = bool(self.bound) and bool(walk.names(expr) & self.bound)
        if not rebound and (not changed or isinstance(expr, Var)):
            return expr
        name = self.fresh("t")
        self.let(name, expr)
        return self.static.get(name, Var(name))

    def call(self, expr: Call) -> Expr:
        fn, args = expr.fn, expr.args
        if fn is and_ or fn is or_:
            return self.test(expr) if all(map(is_test, args)) else self.one_of(fn, args)
        if fn is operator.not_:
            return folded(Call(fn, (self.test(args[0]),)))
        if fn is select:
            return self.choice(expr)
        return self.bind(fn, self.expr(args[0])) if isinstance(fn, Bind) else self.operation(expr)

    def bind(self, fn: Bind, value: Expr) -> Expr:
        target = self.frame.target(fn.name)
        self.let(target, value)
        self.bound.add(target)
        return self.static.get(target, Var(target))


def stale(name: str) -> tuple[str, str, str]:
    """The refusal of an attribute of which it is not known whether it has been changed under another name."""
    what = f"the attribute {hint(name)!r} of an object that may have been changed under another name"
    return f"{what} is not supported", "a copy: copy.copy(...)", hint(name)
