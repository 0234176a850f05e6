"""Values of which the path taken decides: conditional expressions, ``and`` and ``or``; part of `inline`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from srcad.lang.forms import REFUSED
from srcad.lang.ir import Call, Const, Expr, If, Let, Stmt, Var, and_, or_, select
from srcad.lang.walk import subexprs
from srcad.transforms import callers
from srcad.transforms.assign import computes
from srcad.transforms.calls import folded, presence
from srcad.transforms.nones import axis_of_two, option_of_two
from srcad.transforms.order import Ordered
from srcad.transforms.values import NONE, Choice, choose, is_static

Named = tuple[tuple[str, Expr], ...]


class Choices(Ordered):
    """Puts what only one path does into branches."""

    texts: set[str]  # the names that hold texts on some path

    def paths(self, *works: Callable[[], Any]) -> list[tuple[list[Stmt], Any]]:
        """What each of some works emits, and its result, where only one of them will be done."""
        start, ends, found = self.static, [], []
        for work in works:
            self.static = dict(start)
            found.append(self.collect(work))
            ends.append(self.static)
        for other in ends:
            for name in {name for name in (*self.static, *other) if self.static.get(name) != other.get(name)}:
                held = self.static.get(name), other.get(name)
                if None in held and name in self.fields and name not in start:  # of an object that only one path makes
                    self.static[name] = held[0] or held[1]  # type: ignore[assignment]
                elif None in held and NONE in held:
                    self.static.pop(name, None)  # a number on the other path
                else:
                    self.lose(name)
        return found

    def test(self, expr: Expr) -> Expr:
        """A condition, of which only the truth matters."""
        if isinstance(expr, Call) and (expr.fn is and_ or expr.fn is or_):
            return self.lazy(expr.fn, [self.test(expr.args[0])], expr.args[1:])
        return self.expr(expr)

    def one_of(self, fn: Any, args: tuple[Expr, ...]) -> Expr:
        """``a or b`` and ``a and b`` where the result is the operand that decides."""
        first, *rest = args
        left = self.named(self.expr(first))

        def others() -> Expr:
            return self.one_of(fn, tuple(rest)) if len(rest) > 1 else self.expr(rest[0])

        test = folded(self.truth(left))
        if left is REFUSED or isinstance(test, Const) and not isinstance(test.value, np.ndarray):
            return left if left is REFUSED or bool(test.value) is (fn is or_) else others()  # type: ignore[union-attr]
        if is_static(left):
            either = (lambda: presence(left)[1] or left), others
            return self.of_two(test, *(either if fn is or_ else (others, lambda: left)))
        left = self.without_list(lambda: left)
        (emitted, right), _ = self.paths(others, lambda: None)
        if self.is_array_of_list(left) or self.is_array_of_list(right):
            sides: Any = (([], left), (emitted, right))
            return self.one_list(test, *(sides[::-1] if fn is and_ else sides))
        if not emitted:
            return Call(select, (left, right, left) if fn is and_ else (left, left, right))
        result = self.fresh("t")
        more, same = (*emitted, Let(result, right, self.origin)), (Let(result, left, self.origin),)
        then, orelse = (more, same) if fn is and_ else (same, more)
        self.emit(If(left, then, orelse, self.origin))
        return Var(result)

    def lazy(self, fn: Any, parts: list[Expr], rest: tuple[Expr, ...]) -> Expr:
        """``a and b``, of which `parts` have been inlined; operands that need statements go into an If."""
        for arg in rest:
            if _decides(fn, parts[-1]):
                return _joined(fn, parts)
            rest = rest[1:]
            (emitted, value), _ = self.paths(lambda: self.test(arg), lambda: None)  # noqa: B023
            if emitted:
                break
            parts.append(value)
        else:
            return _joined(fn, parts)
        result = self.fresh("test")
        self.emit(Let(result, _joined(fn, parts), self.origin))
        (more, last), _ = self.paths(lambda: self.lazy(fn, [value], rest), lambda: None)
        test = Var(result) if fn is and_ else Call(operator.not_, (Var(result),))
        self.emit(If(test, (*emitted, *more, Let(result, last, self.origin)), (), self.origin))
        return Var(result)

    def choice(self, expr: Call) -> Expr:
        """``a if test else b``"""
        test = folded(self.test(expr.args[0]))
        if isinstance(test, Const) and test is not REFUSED and not isinstance(test.value, np.ndarray):
            return self.expr(expr.args[1] if test.value else expr.args[2])
        return self.of_two(test, lambda: self.expr(expr.args[1]), lambda: self.expr(expr.args[2]))

    def of_two(self, test: Expr, one: Callable[[], Expr], other: Callable[[], Expr]) -> Expr:
        """What one work gives where a test is true, and another one where it is not."""
        (then, a), (orelse, b) = self.paths(one, other)
        if REFUSED in (a, b):
            return REFUSED
        if self.is_array_of_list(a) or self.is_array_of_list(b):
            return self.one_list(test, (then, a), (orelse, b))
        nones = _may_be_none(a), _may_be_none(b)
        callers.as_objects(self, () if any(nones) else (a, b))  # type: ignore[arg-type]
        if self.are_chosen(a, b) or NONE in (a, b) and (is_static(a) or is_static(b)):
            return self.chosen(self.kept(test), a, b, then, orelse)
        if any(nones):
            parts = self.structure(b, orelse) if nones[0] else self.structure(a, then)
            if parts is not None:
                a, b = (a, parts) if nones[0] else (parts, b)
                return self.chosen(self.kept(test), a, b, then, orelse)
        text = any(isinstance(value, Const) and isinstance(value.value, str) for value in (a, b))
        if not then and not orelse and not text:  # texts are known by their names
            return Call(select, (test, a, b))
        result = self.fresh("t")
        branches = ((*then, Let(result, a, self.origin)), (*orelse, Let(result, b, self.origin)))
        self.emit(If(test, *branches, self.origin))
        self.texts |= {result} if text else set()
        self.has_lists_of(result, a, b)
        return Var(result)

    def are_chosen(self, a: Expr, b: Expr) -> bool:
        """Whether one of two values leaves no trace but the test that picks it."""
        return is_static(a) and is_static(b)

    def either(self, choice: Choice, work: Callable[[Expr], Expr]) -> Expr:
        """What some work makes of each of two values; None is not meant by whoever takes a value apart."""
        if NONE in (choice.then, choice.orelse):
            return work(choice.then if choice.orelse == NONE else choice.orelse)
        return self.on_both(choice, work)

    def on_both(self, choice: Choice, work: Callable[[Expr], Expr]) -> Expr:
        """What some work makes of each of two values, on a path each."""
        (then, a), (orelse, b) = self.paths(lambda: work(choice.then), lambda: work(choice.orelse))
        if not then and not orelse and a == b:
            return a
        if is_static(a) and is_static(b):
            return self.chosen(choice.test, a, b, then, orelse)
        if REFUSED in (a, b):
            return REFUSED
        if self.is_array_of_list(a) or self.is_array_of_list(b):
            return self.one_list(choice.test, (then, a), (orelse, b))
        result = self.fresh("t")
        branches = ((*then, Let(result, a, self.origin)), (*orelse, Let(result, b, self.origin)))
        self.emit(If(choice.test, *branches, self.origin))
        return Var(result)

    def each_option(self, fn: Any, args: tuple[Expr, ...], kwargs: Named, work: Callable[..., Expr]) -> Expr:
        """A call; where an option is None on one path, ``axis=None if whole else 0``, or another axis, one on each."""
        given: Any = dict((*enumerate(args), *kwargs))
        if (place := option_of_two(fn, args, kwargs)) is not None:
            choice = given[place].value
        elif (place := axis_of_two(fn, args, kwargs)) is not None:
            test, *axes = given[place].args
            choice = Choice(self.kept(test), *axes)
        else:
            return work(fn, args, kwargs)

        def with_option(value: Expr) -> Expr:
            positional = tuple(value if k == place else arg for k, arg in enumerate(args))
            return self.each_option(fn, positional, tuple((k, value if k == place else v) for k, v in kwargs), work)

        return self.on_both(choice, with_option)

    def truth(self, expr: Expr) -> Expr:
        """What says whether a value is true."""
        return expr

    def without_list(self, work: Callable[[], Any]) -> Any:
        """The result of some work that only one path does; of a list, an array."""
        return work()

    def is_array_of_list(self, value: Expr) -> bool:
        """Whether a value is an array that stands for a list."""
        return False

    def has_lists_of(self, result: str, a: Expr, b: Expr) -> None:
        """A name is one of two values, which may be structures of lists."""

    def one_list(self, test: Expr, *sides: tuple[list[Stmt], Expr]) -> Expr:
        """One of two lists, as an array, after the statements that each of them takes."""
        raise NotImplementedError

    def structure(self, value: Expr, end: list[Stmt]) -> Expr | None:
        """The elements of a structure under names of their own, in the end of a path; None: it is none."""
        raise NotImplementedError

    def chosen(self, test: Expr, a: Expr, b: Expr, then: list[Stmt], orelse: list[Stmt]) -> Expr:
        """One of two functions or objects, after the statements that each of them takes."""
        if then or orelse:
            self.emit(If(test, tuple(then), tuple(orelse), self.origin))
        return choose(test, a, b)


def _may_be_none(value: Expr) -> bool:
    return presence(value)[0] != Const(True)


def _decides(fn: Any, part: Expr) -> bool:
    """Whether nothing after an operand of ``and`` or ``or`` matters."""
    return isinstance(part, Const) and isinstance(part.value, bool) and part.value is (fn is or_)


def _joined(fn: Any, parts: list[Expr]) -> Expr:
    """``a and b and ...``, without operands that are known not to decide, or before one that is known to."""
    idle = Const(fn is and_)
    if _decides(fn, parts[-1]) and all(computes(e.fn) for part in parts for e in subexprs(part) if isinstance(e, Call)):
        return parts[-1]
    kept = [part for part in parts if part != idle]
    return Call(fn, tuple(kept)) if len(kept) > 1 else kept[0] if kept else idle
