"""inline: calls of Python functions become their statements.

Arguments get names, the callee's own names become fresh ones (``x.1``), and its result takes the place of the
call. The order of evaluation is that of Python: what stands before a call and could see its effects is computed
before it. Names bound to functions are followed, so that a function can be passed, returned and nested.
"""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import Any

from srcad import library
from srcad.lang.errors import Problem, UnsupportedError, refuse
from srcad.lang.forms import REFUSED, LocalFunction, apply, is_data, is_python
from srcad.lang.ir import (
    Accum, Block, Call, Const, Effect, Expr, For, Function, If, Let, Method, Return, Stmt, Store, Tuple, Var, While,
)  # fmt: skip
from srcad.lang.locate import unwrap
from srcad.lang.origin import physical
from srcad.lang.read import read
from srcad.transforms.calls import Arguments, Mismatch, folded, match_arguments, pair_of, target_of
from srcad.transforms.desugar import desugar_callee
from srcad.transforms.exits import exits
from srcad.transforms.nested import call_derivative, is_derivative, make_derivative, makes_derivative
from srcad.transforms.order import Closure, Frame, Ordered, assigned, is_inplace
from srcad.transforms.written import (
    counts, decided, evaluated, given, has_rule, is_atom, users_rule, without_defaults, written_here,
)  # fmt: skip

_DEEPEST = 100  # activations, one inside the other


def inline(fn: Function, original: Any = None) -> Function:
    """Replace calls of Python functions by their statements; `original` is the function that `fn` was read from.

    >>> from srcad.lang.read import read
    >>> from srcad.transforms.desugar import desugar
    >>> import colorsys
    >>> [s.target for s in inline(desugar(read(colorsys.rgb_to_yiq))).body[:-1]]
    ['y', 'i', 'q']
    """
    inliner = _Inliner(fn, unwrap(original))
    body = inliner.whole(fn.body)
    refuse(inliner.problems)
    return replace(fn, body=body)


class _Inliner(Ordered):
    def __init__(self, fn: Function, original: Any):
        super().__init__(fn)
        self.stack: list[tuple[Any, str]] = [(original, fn.name)]
        self.templates: dict[Any, LocalFunction] = {}
        self.callees: dict[LocalFunction, Function] = {}
        self.in_library = False

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
        outer, self.out = self.out, []
        for stmt in block:
            self.statement(stmt)
        result, self.out = tuple(self.out), outer
        return result

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
                start, stop, step = self.operands((start, stop, step))
                if self.in_library and (short := counts(start, stop, step)) is not None:
                    return self.written_out(stmt, short)
                self.forget(body)
                self.let(self.frame.target(index), None)
                flag = None if flag is None else self.frame.target(flag)
                inner = self.block(body)
                self.emit(For(self.frame.target(index), start, stop, step, inner, flag, stmt.origin))
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
                target, value = self.operands((target, value))
                self.emit(Accum(target, value, stmt.origin))

    def written_out(self, stmt: For, short: range) -> None:
        """A loop of the library, iteration by iteration."""
        for count in short:
            self.frame.table[stmt.index] = Const(count)
            for inner in stmt.body:
                self.statement(inner)
        self.frame.table.pop(stmt.index, None)

    def store(self, stmt: Store, base: Expr, index: Expr, value: Expr) -> None:
        match value:
            case Call(op, (Call(operator.getitem, at) as old, operand)) if is_inplace(op) and at == (base, index):
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

    # ------------------------------------------------------------ calls

    def operation(self, expr: Call) -> Expr:
        fn, args, kwargs = expr.fn, expr.args, expr.kwargs
        values = self.operands((*args, *(value for _, value in kwargs)))
        if any(value is REFUSED for value in values):
            return REFUSED
        positional, named = values[: len(args)], tuple(zip((name for name, _ in kwargs), values[len(args):]))
        if self.in_library:
            named = without_defaults(fn, named)
        if fn is apply:
            function, *positional_ = positional
            if not isinstance(function, Const) or is_data(function.value):
                return self.refuse("which function is called here cannot be told", "a call of a function by its name")
            return self.invoke(function.value, tuple(positional_), named)
        if isinstance(fn, Method) and isinstance(positional[0], Const) and not is_data(positional[0].value):
            method = self.attribute(positional[0], fn.name)
            assert isinstance(method, Const)
            return method if method is REFUSED else self.invoke(method.value, positional[1:], named)
        if isinstance(fn, Method):
            fn = library.method(fn.name, len(positional), given(named)) or fn
        return self.invoke(fn, positional, named)

    def invoke(self, fn: Any, args: tuple[Expr, ...], kwargs: tuple[tuple[str, Expr], ...]) -> Expr:
        """A call of a known callable with computed arguments."""
        fn, args, kwargs = target_of(fn, args, kwargs)
        if is_derivative(fn):
            return call_derivative(self, fn, args, kwargs)
        if makes_derivative(fn, args):
            return make_derivative(self, fn, args, kwargs)
        if isinstance(fn, Closure):
            return self.enter(fn.template, fn.frame, fn, args, kwargs)
        if self.in_library and (value := evaluated(fn, args)) is not None:
            return value
        written = library.find(fn, len(args), given(kwargs))
        if written and not users_rule(fn) and all(active is not written for active, _ in self.stack):
            return self.enter_library(written, args, kwargs)
        if not is_python(fn) or has_rule(fn):
            if not kwargs and pair_of(fn, args) is not None:
                return pair_of(fn, tuple(map(self.named, args)))  # type: ignore[return-value]
            return decided(folded(Call(fn, args, kwargs))) if self.in_library else folded(Call(fn, args, kwargs))
        fn = unwrap(fn)
        try:
            template = self.template(fn)
        except (UnsupportedError, TypeError) as error:
            self.problems += getattr(error, "problems", [Problem(physical(self.origin), str(error))])
            return REFUSED
        return self.enter(template, None, fn, args, kwargs)

    def enter_library(self, fn: Any, args: Any, kwargs: Any) -> Expr:
        """A function of NumPy's that is written in terms of others: its statements stand for the user's line."""
        template = self.template(fn)
        here, self.callees[here] = written_here(template, self.callee(template), self.origin)
        outer, self.in_library = self.in_library, True
        result = self.enter(here, None, fn, args, kwargs)
        self.in_library = outer
        return result

    def template(self, fn: Any) -> LocalFunction:
        """A Python function, read and desugared; once, however often it is called."""
        if fn not in self.templates:
            self.templates[fn] = desugar_callee(read(fn))
        return self.templates[fn]

    def callee(self, template: LocalFunction) -> Function:
        """A callee with one return."""
        if template not in self.callees:
            self.callees[template] = exits(template.function)
        return self.callees[template]

    def recursion(self, name: str) -> Expr:
        chain = " -> ".join([*(called for _, called in self.stack[:8]), name])
        return self.refuse(f"recursion is not supported ({chain})", "a loop", name)

    def enter(self, template: LocalFunction, parent: Frame | None, key: Any, args: Any, kwargs: Any) -> Expr:
        """The statements of a callee, and its result."""
        function = template.function
        if any(active is key for active, _ in self.stack) or len(self.stack) > _DEEPEST:
            return self.recursion(function.name)
        try:
            bound = match_arguments(template, args, kwargs)
        except Mismatch as error:
            return self.refuse(str(error))
        frame, origin = Frame(template.locals, parent, self.fresh), self.origin
        body = self.callee(template).body
        self.receive(bound, frame, parent, assigned(body))
        outer, self.frame = self.frame, frame
        self.stack.append((key, function.name))
        result = self.body(body)
        self.stack.pop()
        self.frame, self.origin = outer, origin
        return result

    def atoms(self, value: Tuple) -> Tuple:
        """A tuple whose items are names and constants, so that loops over it can be written out."""
        return Tuple(tuple(self.atoms(v) if isinstance(v, Tuple) else self.named(v) for v in value.items))

    def receive(self, bound: Arguments, frame: Frame, parent: Frame | None, changed: set[str]) -> None:
        """Give parameters their arguments: atoms in place of the name where the callee does not assign it."""
        for name, (value, is_default) in bound.items():
            if is_default and parent is not None and isinstance(value, Var):
                value = parent.meaning(value.name)
                value = self.static.get(value.name, value) if isinstance(value, Var) else value
            if self.in_library and isinstance(value, Tuple):
                value = self.atoms(value)
            if name not in changed and is_atom(value):
                frame.table[name] = value
            else:
                self.let(frame.target(name), value)
