"""inline: calls of Python functions become their statements; part of `surface`.

Arguments get names, the callee's own names become fresh ones (``x.1``), and its result takes the place of the
call. The order of evaluation is that of Python: what stands before a call and could see its effects is computed
before it. Names bound to functions are followed, so that a function can be passed, returned and nested.
"""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import Any

from srcad.lang.errors import Problem, refuse, unsupported
from srcad.lang.forms import REFUSED, apply, is_data, is_python
from srcad.lang.ir import (
    Accum, Attr, Block, Call, Const, Effect, Expr, For, Function, If, Let, Method, Return, Stmt, Store, Var,
    While, hint,
)  # fmt: skip
from srcad.lang.left import Left
from srcad.lang.locate import unwrap
from srcad.lang.types import NONE, UNKNOWN, Array, TupleType, Type
from srcad.transforms import identities, items_ahead, views_ahead
from srcad.transforms.assign import CHANGES, COMPUTING
from srcad.transforms.attributes import set_name
from srcad.transforms.augmented import augmented
from srcad.transforms.callers import open_arguments, with_left
from srcad.transforms.calls import folded, folded_number
from srcad.transforms.carried import as_objects, carry, may_be_objects
from srcad.transforms.given import assigned_first, value_of
from srcad.transforms.outlines import outlined
from srcad.transforms.outputs import no_place
from srcad.transforms.objects import assign, field
from srcad.transforms.recursion import Recursion, call, closed
from srcad.transforms.recursive_lists import Changed
from srcad.transforms.order import assigned, is_inplace
from srcad.transforms.slices import cut_of
from srcad.transforms.fixed import Fixed
from srcad.transforms.learnt import Learnt, OnceMore
from srcad.transforms.same_object import stays
from srcad.transforms.tapes import check_result
from srcad.transforms.values import is_static


def inline(
    fn: Function, original: Any = None, signature: tuple[Type, ...] | None = (), by_line: bool = False
) -> Function:
    """Replace calls of Python functions by their statements; `original` is the function that `fn` was read from.

    `by_line`: what a function returns is computed in its own line, which checks name, and not in that of its call.

    Arguments of which the `signature` says the value, such as functions, take the place of their names, and loops over
    structures are written out. Where it is None, they may be of any type.

    >>> from srcad.lang.read import read
    >>> from srcad.transforms.desugar import desugar
    >>> import colorsys
    >>> [s.target for s in inline(desugar(read(colorsys.rgb_to_yiq))).body[:-1]]
    ['y', 'i', 'q']
    """
    fn = assigned_first(fn, signature or ())
    learnt = Learnt()
    problems: list[Problem] | None = None  # those with arguments as they are
    while True:
        inliner = _Inliner(fn, unwrap(original))
        inliner.know(learnt)
        inliner.by_line = by_line
        inliner.take(fn, signature)
        if problems:
            as_objects(inliner, fn, signature or ())
        try:
            body = inliner.whole(fn)
        except OnceMore as met:
            met.teach(learnt)
            continue
        except Changed as met:
            what = f"a function that calls itself and changes the list {hint(met.name)}, which it makes,"
            raise unsupported(inliner.origin, f"{what} is not supported", "an array for it") from None
        if inliner.problems and problems is None and may_be_objects(signature or ()):
            problems = inliner.problems
            continue
        refuse(inliner.problems and (problems or inliner.problems))
        return closed(replace(fn, body=body, left=inliner.callers.left))


class _Inliner(Fixed):
    by_line = False

    def take(self, fn: Function, signature: tuple[Type, ...] | None) -> None:
        """Know the arguments that are functions, text or the like."""
        self.surroundings = getattr(self.original, "outside", {})
        changed = assigned(fn.body)
        for param, type in zip(fn.params, signature or ()):
            value = value_of(type)
            if isinstance(type, (TupleType, Array)):
                self.types[param.name] = outlined(type)
            if value is None:
                continue
            if is_static(value):
                self.static[param.name] = value
            elif param.name not in changed:
                self.frame.table[param.name] = value
        self.take_numbers(fn, signature or ())
        open_arguments(self, fn, signature)
        as_objects(self, fn, signature or (), True)

    # ------------------------------------------------------------ statements

    def whole(self, fn: Function) -> Block:
        body = fn.body
        identities.begin(self)
        state = self.state()
        self.frame.begin(body, (param.name for param in fn.params))
        try:
            result = self.body(body)
        except Recursion:
            self.back(state)
            result = self.itself(fn)
        check_result(self, result)
        result = with_left(self, fn, self.shown(self.opened(result)))
        whole = (*self.out, Return(result, body[-1].origin))
        items_ahead.check(self, whole)
        views_ahead.check(self, whole)
        return self.check_lists(whole)

    def itself(self, fn: Function) -> Expr:
        """The function as a call of itself."""
        self.stack.clear()
        key = self.original
        given = {param.name: (self.expr(Var(param.name)), False) for param in fn.params}
        return call(self, self.template(key), None, key, given)

    def body(self, body: Block) -> Expr:
        """Emit a function's statements; its result."""
        for stmt in body[:-1]:
            self.statement(stmt)
        last = body[-1]
        assert isinstance(last, Return)
        self.origin = last.origin
        result = self.expr(last.value)
        apart = self.by_line and not self.in_library and isinstance(result, Call) and len(self.stack) > 1
        return self.named(result, "_t") if apart and self.type_of(result) == UNKNOWN else result

    def block(self, block: Block) -> Block:
        self.depth += 1
        emitted, _ = self.collect(lambda: self.statements(block))
        self.depth -= 1
        return tuple(emitted)

    def statement(self, stmt: Stmt) -> None:
        self.origin = stmt.origin
        match stmt:
            case Let(target, Call(operator.add, sides)) if self.lengthens(stmt):
                self.let(self.frame.target(target), self.expr(Call(operator.iadd, sides)))
            case Let(target, value):
                if not self.cut_at(self.frame.meaning(target), cut_of(value, Var(target))):
                    found = self.expr(value)
                    if not self.frame.decides(target, found) and not stays(self, stmt, found):
                        self.let(self.frame.target(target), found)
            case Store(base, index, value):
                self.store(stmt, base, index, value)
            case If():
                self.branch(stmt)
            case For():
                self.for_loop(stmt)
            case While():
                self.while_loop(stmt)
            case Effect(Call(fn, (base, given, value))) if fn is setattr:
                name = set_name(self, given)
                if not self.cut_at(field(self, base, name), cut_of(value, Attr(base, name))):
                    base, value = self.operands((base, value))
                    assign(self, base, name, value)
            case Effect(call) if not self.at_each_text(call):
                value = self.result(call)
                changes = isinstance(value, Call) and isinstance(value.fn, Method) and value.fn.name in CHANGES
                if changes and isinstance(value.args[0], Var) and value.args[0].name in self.rebound:  # type: ignore
                    self.carries_another(value.args[0].name)  # type: ignore
                elif isinstance(value, Call) and isinstance(value.fn, Method) and value.fn.name in COMPUTING:
                    self.let(self.fresh("t"), value)
                elif isinstance(value, Call) and isinstance(value.fn, Method):
                    self.changed_in_place(value.args[0])
                    here = " here" if value.fn.name in CHANGES else ""
                    what = "del" if value.fn.name == "__delitem__" else f"the statement .{value.fn.name}(...)"
                    reason = f"{what} is not supported{here}"
                    remedy = CHANGES.get(value.fn.name, f"y = x.{value.fn.name}(...)")
                    self.refuse(reason, remedy, what.removeprefix("the statement ").partition("(")[0])
                elif isinstance(value, Call) and isinstance(value.fn, Left):
                    self.changes += 1
                    self.emit(Effect(replace(value, fn=value.fn.giving(NONE)), stmt.origin))
                elif isinstance(value, Call) and not is_python(call.fn) and call.fn is not apply:
                    self.changes += 1
                    self.emit(Effect(value, stmt.origin))
            case Accum(target, value):
                self.changes += 1
                target, value = self.operands((target, value))
                self.emit(Accum(target, value, stmt.origin))

    def result(self, call: Call) -> Expr:
        """What a statement calls; the result of a function that is left alone has a name, which nobody reads here."""
        value = self.expr(call)
        match self.out[-1:]:
            case [Let(name, Call(Left()) as left)] if value == Var(name):
                self.out.pop()
                return left
        return value

    def store(self, stmt: Store, base: Expr, index: Expr, value: Expr) -> None:
        if (owner := self.owner(base)) is not None:
            return self.store_at(owner, base, index, value)
        match value:
            case Call(op, (Call(operator.getitem, at) as old, operand)) if is_inplace(op) and at == (base, index):
                place, where = self.place_in(*self.operands((base, index)))
                where = folded_number(where)
                new: Expr = augmented(self, op, replace(old, args=(place, where)), operand)
            case _:
                new, place, where = self.operands((value, base, index))
                place, where = self.place_in(place, where)
        self.changes += 1
        if self.put(place, where, new):
            return
        if isinstance(place, Var):
            self.put_within(place, new)
            self.emit(Store(place, self.within(place, where), self.shown(new), stmt.origin))
        elif place is not REFUSED:
            self.refuse(*no_place(place))

    def branch(self, stmt: If) -> None:
        test = folded(self.test(stmt.test))
        if isinstance(test, Const) and test is not REFUSED and is_data(test.value):
            return self.statements(stmt.then if test.value else stmt.orelse)
        outer, self.short = self.short, False
        self.retried(lambda: self.branches(stmt, test))
        self.short = outer

    def branches(self, stmt: If, test: Expr) -> None:
        leave = self.around((*stmt.then, *stmt.orelse), None, (Const(0), Const(1), Const(1)))
        start, types, tapes = dict(self.static), dict(self.types), dict(self.tapes)
        before, plain = set(self.valued), set(self.plain)
        lists, links, sole = self.side(), dict(self.links), dict(self.sole)
        then = self.block(stmt.then)
        lists_then = self.side()
        self.back_to(lists)
        nests_then, self.links, self.sole = (self.links, self.sole), links, sole
        bound_then, self.valued = self.valued, set(before)
        plain_then, self.plain = self.plain, plain
        after_then, self.static = self.static, dict(start)
        self.tapes = {tape: replace(seen, on=tapes.get(tape, seen).on) for tape, seen in self.tapes.items()}
        types_then, self.types = self.types, types
        orelse = self.block(stmt.orelse)
        sides = types_then, self.types
        self.meet_behind(stmt, *nests_then)
        lasts = self.either_list(lists_then, self.side(), bound_then ^ self.valued)
        self.agree(types_then)
        self.types |= self.only(types_then, bound_then - self.valued, sides[1])
        self.types |= self.only(sides[1], self.valued - bound_then, types_then)
        bound_else = set(self.valued)
        self.valued |= bound_then
        leave()
        self.origin = stmt.origin
        known = plain_then | self.plain - bound_then, self.plain | plain_then - bound_else
        if self.differ(after_then, known):
            test = self.kept(test)
        ends = self.merge(test, after_then, sides, known)
        then, orelse = (*then, *lasts[0], *ends[0]), (*orelse, *lasts[1], *ends[1])
        if then or orelse or not isinstance(test, (Var, Const)):
            self.emit(If(test, then, orelse, stmt.origin))

    def while_loop(self, stmt: While) -> None:
        outer, self.short = self.short, False
        self.retried(lambda: self.going_on(stmt))
        self.short = outer

    def going_on(self, stmt: While) -> None:
        moved_on = carry(self, stmt.body)
        leave = self.around(stmt.body, None, ())
        self.forget(stmt.body)
        self.forget_texts(stmt.body)
        before, test = self.collect(lambda: self.test(stmt.test))
        if not before:
            self.emit(While(test, self.repeated(stmt.body), stmt.origin))
        else:
            goes_on = self.fresh("test")
            self.out += [*before, Let(goes_on, test, stmt.origin)]
            again: list[Stmt] = []

            def repeat() -> None:
                self.origin = stmt.origin
                emitted, test = self.collect(lambda: self.test(stmt.test))
                again.extend((*emitted, Let(goes_on, test, stmt.origin)))

            body = self.repeated(stmt.body, repeat)
            self.emit(While(Var(goes_on), (*body, *again), stmt.origin))
        moved_on()
        self.settle(stmt.body)
        leave()
