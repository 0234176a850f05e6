"""inline: calls of Python functions become their statements.

Arguments get names, the callee's own names become fresh ones (``x.1``), and its result takes the place of the
call. The order of evaluation is that of Python: what stands before a call and could see its effects is computed
before it. Names bound to functions are followed, so that a function can be passed, returned and nested.
"""

from __future__ import annotations

import linecache
import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import BuiltinFunctionType
from typing import Any

from srcad.lang import walk
from srcad.lang.errors import Problem, UnsupportedError
from srcad.lang.forms import REFUSED, Bind, LocalFunction, apply, constant, is_data, is_python
from srcad.lang.ir import (
    Accum, Attr, Block, Call, Const, Effect, Expr, For, Function, If, Let, Method, Return, Slice, Stmt, Store, Tuple,
    Var, While, and_, hint, or_, select,
)  # fmt: skip
from srcad.lang.origin import Origin
from srcad.transforms.calls import Arguments, Mismatch, folded, match_arguments, target_of, template_of


def inline(fn: Function, original: Any = None) -> Function:
    """Replace calls of Python functions by their statements; `original` is the function that `fn` was read from.

    >>> from srcad.lang.read import read
    >>> from srcad.transforms.desugar import desugar
    >>> import colorsys
    >>> [s.target for s in inline(desugar(read(colorsys.rgb_to_yiq))).body[:-1]]
    ['y', 'i', 'q']
    """
    inliner = _Inliner(fn, original)
    body = inliner.whole(fn.body)
    if inliner.problems:
        raise UnsupportedError(list(dict.fromkeys(inliner.problems)))
    return replace(fn, body=body)


class Frame:
    """One activation: what the names of a function mean in it. A nested function's frame has its definer's behind it."""

    def __init__(self, own: frozenset[str] | None, parent: Frame | None, fresh: Callable[[str], str]):
        self.own, self.parent, self.fresh = own, parent, fresh
        self.table: dict[str, Expr] = {}

    def meaning(self, name: str) -> Expr:
        if name in self.table:
            return self.table[name]
        if self.own is not None and name not in self.own and self.parent is not None:
            return self.parent.meaning(name)
        self.table[name] = Var(name if self.own is None else self.fresh(name))
        return self.table[name]

    def target(self, name: str) -> str:
        meaning = self.meaning(name)
        assert isinstance(meaning, Var)
        return meaning.name


@dataclass(frozen=True, eq=False)
class Closure:
    """A nested function together with the activation in which it was defined."""

    template: LocalFunction
    frame: Frame


class _Inliner:
    def __init__(self, fn: Function, original: Any):
        self.problems: list[Problem] = []
        self.used = {param.name for param in fn.params} | assigned(fn.body)
        self.counts: dict[str, int] = {}
        self.frame = Frame(None, None, self.fresh)
        self.stack: list[tuple[Any, str]] = [(template_key(original), fn.name)]
        self.out: list[Stmt] = []
        self.origin = fn.origin
        self.static: dict[str, Const] = {}
        self.lost: set[str] = set()
        self.changes = 0
        self.bound: set[str] = set()

    # ------------------------------------------------------------ helpers

    def fresh(self, name: str) -> str:
        base = hint(name)
        while True:
            self.counts[base] = number = self.counts.get(base, 0) + 1
            if f"{base}.{number}" not in self.used:
                self.used.add(f"{base}.{number}")
                return f"{base}.{number}"

    def refuse(self, reason: str, remedy: str = "") -> Expr:
        self.problems.append(Problem(_physical(self.origin), reason, remedy))
        return REFUSED

    def emit(self, stmt: Stmt) -> None:
        self.out.append(stmt)

    def named(self, expr: Expr, name: str = "t") -> Expr:
        if isinstance(expr, (Var, Const)):
            return expr
        target = self.fresh(name)
        self.emit(Let(target, expr, self.origin))
        return Var(target)

    def collect(self, work: Callable[[], Any]) -> tuple[list[Stmt], Any]:
        """What some work emits, and its result."""
        outer, self.out = self.out, []
        result = work()
        emitted, self.out = self.out, outer
        return emitted, result

    # ------------------------------------------------------------ statements

    def whole(self, body: Block) -> Block:
        result = self.body(body)
        return (*self.out, Return(result, body[-1].origin))

    def body(self, body: Block) -> Expr:
        """Emit a function's statements; its result."""
        for stmt in body[:-1]:
            self.statement(stmt)
        last = body[-1]
        assert isinstance(last, Return)
        self.origin = last.origin
        return self.expr(last.value)

    def block(self, block: Block) -> Block:
        return tuple(self.collect(lambda: [self.statement(stmt) for stmt in block])[0])

    def statement(self, stmt: Stmt) -> None:
        self.origin = stmt.origin
        match stmt:
            case Let(target, value):
                self.let(self.frame.target(target), self.expr(value))
            case Store(base, index, value):
                self.store(stmt, base, index, value)
            case If():
                self.branch(stmt)
            case For(index, start, stop, step, body, flag):
                bounds = self.operands((start, stop, step))
                self.forget(body)
                self.let(self.frame.target(index), None)
                flag = None if flag is None else self.frame.target(flag)
                inner = self.block(body)
                self.emit(For(self.frame.target(index), *bounds, inner, flag, stmt.origin))
                self.forget(body)
            case While():
                self.while_loop(stmt)
            case Effect(call):
                value = self.expr(call)
                if isinstance(value, Call) and not is_python(call.fn) and call.fn is not apply:
                    self.changes += 1
                    self.emit(Effect(value, stmt.origin))
            case Accum(target, value):
                self.changes += 1
                self.emit(Accum(*self.operands((target, value)), stmt.origin))

    def let(self, target: str, value: Expr | None) -> None:
        """Bind a name; a function is remembered instead of bound."""
        self.lost.discard(target)
        self.static.pop(target, None)
        if value is None or value is REFUSED:
            return
        if isinstance(value, Const) and not is_data(value.value):
            self.static[target] = value
            return
        if isinstance(value, Call) and is_inplace(value.fn):
            self.changes += 1
        self.emit(Let(target, value, self.origin))

    def store(self, stmt: Store, base: Expr, index: Expr, value: Expr) -> None:
        match value:
            case Call(op, (Call(operator.getitem, (b, i)) as old, operand)) if is_inplace(op) and (b, i) == (base, index):
                place, where = self.operands((base, index))
                changes = self.changes
                emitted, amount = self.collect(lambda: self.expr(operand))
                if self.changes == changes:
                    self.out += emitted
                    new: Expr = Call(op, (replace(old, args=(place, where)), amount))
                else:
                    new = self.interrupted(op, place, where, emitted, amount)
            case _:
                new, place, where = self.operands((value, base, index))
        self.changes += 1
        if isinstance(place, Var):
            self.emit(Store(place, where, new, stmt.origin))
        elif place is not REFUSED:
            what = f"the array {place.name!r} of a global or closure" if getattr(place, "name", None) else "a constant"
            self.refuse(f"writing into {what} is not supported", "a copy of it")

    def interrupted(self, op: Any, place: Expr, where: Expr, emitted: list[Stmt], amount: Expr) -> Expr:
        """``a[i] += f(a)`` where `f` writes: the element is taken out before and put back after."""
        element = self.fresh("t")
        self.emit(Let(element, Call(operator.getitem, (place, where)), self.origin))
        self.out += emitted
        self.emit(Let(element, Call(op, (Var(element), amount)), self.origin))
        return Var(element)

    def branch(self, stmt: If) -> None:
        test = folded(self.expr(stmt.test))
        if isinstance(test, Const) and test is not REFUSED and is_data(test.value):
            for inner in stmt.then if test.value else stmt.orelse:
                self.statement(inner)
            return
        start = dict(self.static)
        then = self.block(stmt.then)
        after_then, self.static = self.static, dict(start)
        orelse = self.block(stmt.orelse)
        self.origin = stmt.origin
        self.merge(after_then)
        if then or orelse or not isinstance(test, (Var, Const)):
            self.emit(If(test, then, orelse, stmt.origin))

    def merge(self, other: dict[str, Const]) -> None:
        """Keep the functions that names hold at the end of both branches."""
        for name in {*self.static, *other}:
            if self.static.get(name) is None or self.static.get(name) != other.get(name):
                self.static.pop(name, None)
                self.lost.add(name)

    def forget(self, body: Block) -> None:
        """Names that a loop assigns hold no known function at the start of an iteration."""
        if not self.static:
            return
        for name in assigned(body):
            meaning = self.frame.meaning(name)
            if isinstance(meaning, Var) and self.static.pop(meaning.name, None) is not None:
                self.lost.add(meaning.name)

    def while_loop(self, stmt: While) -> None:
        self.forget(stmt.body)
        before, test = self.collect(lambda: self.expr(stmt.test))
        if not before:
            self.emit(While(test, self.block(stmt.body), stmt.origin))
        else:
            goes_on = self.fresh("test")
            self.out += [*before, Let(goes_on, test, stmt.origin)]
            body = self.block(stmt.body)
            self.origin = stmt.origin
            again, test = self.collect(lambda: self.expr(stmt.test))
            self.emit(While(Var(goes_on), (*body, *again, Let(goes_on, test, stmt.origin)), stmt.origin))
        self.forget(stmt.body)

    # ------------------------------------------------------------ expressions

    def expr(self, expr: Expr) -> Expr:
        match expr:
            case Var(name):
                return self.variable(name)
            case Const(value=LocalFunction() as template):
                return Const(Closure(template, self.frame))
            case Const():
                return expr
            case Attr(value, name):
                return self.attribute(self.expr(value), name)
            case Slice(lower, upper, step):
                parts = iter(self.operands(tuple(p for p in (lower, upper, step) if p is not None)))
                return Slice(*(None if p is None else next(parts) for p in (lower, upper, step)))
            case Tuple(items):
                return Tuple(self.operands(items))
            case Call():
                return self.call(expr)
        raise TypeError(expr)

    def variable(self, name: str) -> Expr:
        meaning = self.frame.meaning(name)
        if not isinstance(meaning, Var):
            return meaning
        if meaning.name in self.static:
            return self.static[meaning.name]
        if meaning.name in self.lost:
            reason = f"which function {hint(name)!r} is depends on the path taken"
            return self.refuse(reason, "a call in each branch")
        return meaning

    def attribute(self, base: Expr, name: str) -> Expr:
        if base is REFUSED or not isinstance(base, Const) or is_data(base.value):
            return base if base is REFUSED else Attr(base, name)
        try:
            return constant(getattr(base.value, name), name)
        except AttributeError:
            return self.refuse(f"{describe(base.value)} has no attribute {name!r}")

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
                results = [self.settled(r, changed) for r in results]
                self.out += emitted
            self.bound |= bound
            results.append(result)
        return tuple(results)

    def settled(self, expr: Expr, changed: bool) -> Expr:
        match expr:
            case Const():
                return expr
            case Slice(lower, upper, step):
                return Slice(*(None if part is None else self.settled(part, changed) for part in (lower, upper, step)))
            case Tuple(items):
                return Tuple(tuple(self.settled(item, changed) for item in items))
        rebound = bool(self.bound) and bool(walk.names(expr) & self.bound)
        if not rebound and (not changed or isinstance(expr, Var)):
            return expr
        name = self.fresh("t")
        self.emit(Let(name, expr, self.origin))
        return Var(name)

    def call(self, expr: Call) -> Expr:
        fn, args, kwargs = expr.fn, expr.args, expr.kwargs
        if fn is and_ or fn is or_:
            return self.lazy(fn, [self.expr(args[0])], args[1:])
        if fn is select:
            return self.choice(expr)
        if isinstance(fn, Bind):
            return self.bind(fn, self.expr(args[0]))
        values = self.operands((*args, *(value for _, value in kwargs)))
        if any(value is REFUSED for value in values):
            return REFUSED
        positional, named = values[: len(args)], tuple(zip((name for name, _ in kwargs), values[len(args):]))
        if fn is apply:
            function, *positional_ = positional
            if not isinstance(function, Const) or is_data(function.value):
                return self.refuse("which function is called here cannot be told", "a call of a function by its own name")
            return self.invoke(function.value, tuple(positional_), named)
        if isinstance(fn, Method) and isinstance(positional[0], Const) and not is_data(positional[0].value):
            method = self.attribute(positional[0], fn.name)
            return method if method is REFUSED else self.invoke(method.value, positional[1:], named)  # type: ignore[union-attr]
        return self.invoke(fn, positional, named)

    def bind(self, fn: Bind, value: Expr) -> Expr:
        target = self.frame.target(fn.name)
        self.let(target, value)
        self.bound.add(target)
        return self.static.get(target, Var(target))

    def lazy(self, fn: Any, parts: list[Expr], rest: tuple[Expr, ...]) -> Expr:
        """``a and b``, of which `parts` have been inlined; operands that need statements go into an If."""
        for position, arg in enumerate(rest, 1):
            emitted, value = self.collect(lambda: self.expr(arg))  # noqa: B023
            if emitted:
                break
            parts.append(value)
        else:
            return Call(fn, tuple(parts)) if len(parts) > 1 else parts[0]
        result = self.fresh("test")
        self.emit(Let(result, Call(fn, tuple(parts)) if len(parts) > 1 else parts[0], self.origin))
        more, last = self.collect(lambda: self.lazy(fn, [value], rest[position:]))
        test = Var(result) if fn is and_ else Call(operator.not_, (Var(result),))
        self.emit(If(test, (*emitted, *more, Let(result, last, self.origin)), (), self.origin))
        return Var(result)

    def choice(self, expr: Call) -> Expr:
        """``a if test else b``"""
        test = folded(self.expr(expr.args[0]))
        if isinstance(test, Const) and test is not REFUSED:
            return self.expr(expr.args[1] if test.value else expr.args[2])
        then, a = self.collect(lambda: self.expr(expr.args[1]))
        orelse, b = self.collect(lambda: self.expr(expr.args[2]))
        if not then and not orelse:
            return Call(select, (test, a, b))
        result = self.fresh("t")
        branches = ((*then, Let(result, a, self.origin)), (*orelse, Let(result, b, self.origin)))
        self.emit(If(test, *branches, self.origin))
        return Var(result)

    # ------------------------------------------------------------ calls

    def invoke(self, fn: Any, args: tuple[Expr, ...], kwargs: tuple[tuple[str, Expr], ...]) -> Expr:
        """A call of a known callable with computed arguments."""
        fn, args, kwargs = target_of(fn, args, kwargs)
        if hasattr(fn, "__srcad_inline__"):
            remedy = "the derivative taken outside, or its source as a function"
            return self.refuse(f"a call of the derivative {describe(fn)!r} is not supported here", remedy)
        if isinstance(fn, Closure):
            return self.enter(fn.template, fn.frame, fn.template, args, kwargs)
        if not is_python(fn) or has_rule(fn):
            return folded(Call(fn, args, kwargs))
        if any(key is template_key(fn) for key, _ in self.stack):
            return self.recursion(fn.__name__)
        try:
            template = template_of(fn)
        except (UnsupportedError, TypeError) as error:
            self.problems += getattr(error, "problems", [Problem(_physical(self.origin), str(error))])
            return REFUSED
        return self.enter(template, None, template_key(fn), args, kwargs)

    def recursion(self, name: str) -> Expr:
        chain = " -> ".join([*(called for _, called in self.stack), name])
        return self.refuse(f"recursion is not supported ({chain})", "a loop")

    def enter(
        self, template: LocalFunction, parent: Frame | None, key: Any, args: Any, kwargs: Any
    ) -> Expr:
        """The statements of a callee, and its result."""
        function = template.function
        if any(active is key for active, _ in self.stack):
            return self.recursion(function.name)
        try:
            bound = match_arguments(template, args, kwargs)
        except Mismatch as error:
            return self.refuse(str(error))
        frame, origin = Frame(template.locals, parent, self.fresh), self.origin
        body = function_body(template)
        self.receive(bound, frame, parent, assigned(body))
        outer, self.frame = self.frame, frame
        self.stack.append((key, function.name))
        result = self.body(body)
        self.stack.pop()
        self.frame, self.origin = outer, origin
        return result

    def receive(self, bound: Arguments, frame: Frame, parent: Frame | None, changed: set[str]) -> None:
        """Give parameters their arguments: atoms in place of the name where the callee does not assign it."""
        for name, (value, is_default) in bound.items():
            if is_default and parent is not None and isinstance(value, Var):
                value = parent.meaning(value.name)
                value = self.static.get(value.name, value) if isinstance(value, Var) else value
            atom = isinstance(value, (Var, Const)) or isinstance(value, Tuple) and all(
                isinstance(item, (Var, Const)) for item in value.items
            )
            if name not in changed and atom:
                frame.table[name] = value
            else:
                self.let(frame.target(name), value)


INPLACE = frozenset({
    operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv, operator.imod, operator.ipow,
    operator.imatmul, operator.ilshift, operator.irshift, operator.iand, operator.ior, operator.ixor,
})  # fmt: skip


def is_inplace(fn: Any) -> bool:
    return isinstance(fn, BuiltinFunctionType) and fn in INPLACE


def function_body(template: LocalFunction) -> Block:
    from srcad.transforms.exits import exits

    return exits(template.function).body


def assigned(body: Block) -> set[str]:
    """The names that statements assign, those of assignment expressions too."""
    result = walk.assigned(body)
    for stmt in walk.statements(body):
        for expr in walk.stmt_exprs(stmt):
            result |= {e.fn.name for e in walk.subexprs(expr) if isinstance(e, Call) and isinstance(e.fn, Bind)}
    return result


def template_key(fn: Any) -> Any:
    """What two activations of one function have in common."""
    return getattr(getattr(fn, "py_func", fn), "__code__", fn)


def has_rule(fn: Any) -> bool:
    """Whether a function is a primitive."""
    from srcad.rules.rule import find

    return find(fn) is not None


def describe(value: Any) -> str:
    return getattr(value, "__name__", type(value).__name__)


def _physical(origin: Origin) -> Origin:
    """The place with the line as it is in the file."""
    return replace(origin, text=linecache.getline(origin.filename, origin.line).rstrip("\n") or origin.text)
