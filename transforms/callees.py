"""Calls of what is known: functions become their statements, objects their attributes; part of `inline`."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from srcad import library
from srcad.lang.errors import Problem, UnsupportedError
from srcad.lang.forms import REFUSED, LocalFunction, apply, is_data, is_foreign, is_python, with_hash
from srcad.lang.left import current, entering
from srcad.lang.system import as_it_is_then, of_programs, of_system
from srcad.lang.ir import Attr, Block, Call, Const, Expr, Function, Method, Slice, Tuple, Var
from srcad.lang.lists import count_of
from srcad.lang.locate import unwrap
from srcad.lang.origin import physical
from srcad.lang.read import read
from srcad.runtime.attempts import Attempt
from srcad.transforms import by_parts, carried, functionals, identities, items_ahead, objects, operators, over_objects
from srcad.transforms import outside, recursion, same_object
from srcad.transforms.calls import Arguments, Mismatch, folded, match_arguments, pair_of, spread, target_of
from srcad.transforms.desugar import desugar_callee
from srcad.transforms.lists_first import straight
from srcad.transforms.aside import left_alone
from srcad.transforms.frames import Frame
from srcad.transforms.housed import Housed
from srcad.transforms.inner_objects import moves
from srcad.transforms.nested import derivative
from srcad.transforms.outputs import meant, output_of, write_output
from srcad.transforms.order import assigned
from srcad.transforms.nones import present
from srcad.transforms.spent_once import entered_once, name_in
from srcad.transforms.trials import Trials
from srcad.transforms.values import INSIDE, Choice, Closure, Object, describe, is_static
from srcad.typing.fallback import name_of, of_function_made_here
from srcad.transforms.written import (
    asked, closed_over, decided, given, has_rule, is_atom, needs_arrays, read_once, users_rule, without_defaults,
    written_here,
)  # fmt: skip

_DEEPEST = 100  # activations, one inside the other
Keywords = tuple[tuple[str, Expr], ...]


class Callees(Trials):
    """Says what a call stands for."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.templates: dict[Any, LocalFunction] = {}
        self.callees: dict[LocalFunction, Function] = {}
        self.altered: set[type] = set()  # classes of which an object's attribute has been set
        self.cached: set[type] = set()  # those of which a cached property has been read
        self.caching: frozenset[type] = frozenset()  # and those of both kinds: their objects keep what they computed
        self.making: set[int] = set()  # the objects whose __init__ is at work
        self.copied: set[type] = set()  # classes of objects that loops carry: they may not be changed
        self.identities = identities.Identities()
        self.housed = Housed()  # the objects that are changed in lists
        self.replaced: set[type] = set()  # the classes of which ``a += b`` gives `a` another object

    def unpacked(self, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> tuple[tuple[Expr, ...], Keywords]:
        """Arguments with what is known of those behind stars."""
        return args, kwargs

    def of_structure(self, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
        """What a call says of a structure that is known; None: nothing special."""
        return None

    def is_row(self, value: Expr) -> bool:
        """Whether a value is a tuple or a list, of which NumPy makes an array where it needs one."""
        return False

    def body(self, body: Block) -> Expr:
        """Emit a function's statements; its result."""
        raise NotImplementedError

    def changed_in(self, body: Block) -> list[str]:
        """The variables that the names that statements assign mean."""
        meanings = (self.frame.meaning(name) for name in same_object.rebound(self, body))
        return sorted({meaning.name for meaning in meanings if isinstance(meaning, Var)} | self.nonlocals)

    # ------------------------------------------------------------ what is called

    def operation(self, expr: Call) -> Expr:
        fn, args, kwargs = with_hash(expr.fn), expr.args, expr.kwargs
        values = self.operands((*args, *(value for _, value in kwargs)))
        if any(value is REFUSED for value in values):
            return REFUSED
        named = tuple(zip((name for name, _ in kwargs), values[len(args):]))
        if self.in_library:
            named = without_defaults(fn, named)
        try:
            positional, named = spread(*self.unpacked(fn, values[: len(args)], named))
        except Mismatch as error:
            return self.refuse(str(error), error.remedy)
        self.called_by = name_in(expr)
        if is_foreign(fn):
            return self.refuse("a call of a foreign function is not supported", "a def around it, with an srcad.rule")
        return self.each_option(fn, positional, named, self.applied)

    def applied(self, fn: Any, positional: tuple[Expr, ...], named: Keywords) -> Expr:
        """A call with computed arguments."""
        if isinstance(fn, Attempt):
            return left_alone(self, current(), fn, positional, named)
        if fn is count_of:
            return over_objects.counted(self, positional[0])
        if (found := self.of_structure(fn, positional := present(fn, positional), named)) is not None:
            return found
        if fn is apply:
            return functionals.called(self, *positional, kwargs=named)
        if isinstance(fn, Method) and is_static(positional[0]) and isinstance(positional[0], Const):
            method = self.attribute(positional[0], fn.name)
            if not is_static(method):
                return method if method is REFUSED else self.refuse(f"{fn.name!r} is no function", "a method")
            return self.invoke(method.value, positional[1:], named)  # type: ignore[union-attr]
        if isinstance(fn, Method):
            fn = library.method(fn.name, len(positional), given(named)) or fn
        return self.invoke(fn, positional, named)

    def invoke(self, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr:
        """A call of a known callable with computed arguments."""
        fn, args, kwargs = target_of(fn, args, kwargs)
        if (found := outside.remembering(self, fn) or derivative(self, fn, args, kwargs)) is not None:
            return found
        if isinstance(fn, Choice):
            return self.either(fn, lambda value: self.invoke(value.value, args, kwargs))  # type: ignore[union-attr]
        if isinstance(fn, Closure):
            return self.enter(fn.template, fn.frame, fn, args, kwargs)
        args, kwargs = meant(self, fn, args, kwargs)
        if (output := output_of(fn, args, kwargs)) is not None:
            return write_output(self, fn, output)
        if (value := functionals.of_functions(self, fn, args, kwargs)) is not None:
            return value
        if fn in (float, int, bool, complex) and not args and not kwargs:
            return Const(fn())
        if objects.makes_object(fn):
            return objects.make(self, fn, args, kwargs)
        if isinstance(fn, Object):
            return self.invoke(self.attribute(Const(fn), "__call__").value, args, kwargs)  # type: ignore[union-attr]
        if self.in_library and (value := asked(self, fn, args)) is not None:
            return value
        written = library.find(fn, len(args), given(kwargs))
        if written not in (None, fn) and (values := operators.with_values(self, fn, args)) is not None:
            return self.of_structure(fn, values, kwargs) or self.invoke(fn, values, kwargs)
        if written and not users_rule(fn) and written not in self.entered():
            return self.enter_library(written, args, kwargs, name_of(fn))
        if not is_python(fn) or has_rule(fn):
            return self.primitive(fn, args, kwargs)
        return self.python(unwrap(fn), args, kwargs)

    def primitive(self, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr:
        if of_system(fn := as_it_is_then(fn)):
            return left_alone(self, current(), fn, args, kwargs)
        if fn is super and args:
            return objects.super_of(self, args)
        if fn is operator.getitem and len(args) == 2 and (chosen := functionals.picked(self, *args)) is not None:
            return chosen
        method = operators.operator_method(self, fn, args, kwargs)
        if method is not None:
            return method
        if not kwargs and pair_of(fn, args) is not None:
            return pair_of(fn, tuple(map(self.named, args)))  # type: ignore[return-value]
        if (span := functionals.span(fn, args)) is not None:
            return span
        if fn is len and isinstance(args[0], Const) and isinstance(args[0].value, functionals.Range):
            return functionals.count(args[0].value)
        result = folded(Call(fn, args, kwargs))
        if self.in_library:
            return decided(result)
        if isinstance(result, Call) and any(isinstance(a, Const) and isinstance(a.value, INSIDE) for a in result.args):
            return self.refuse(*of_function_made_here(fn), describe(fn))
        return result

    def python(self, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr:
        """A call of a Python function."""
        reading = entering(fn, tuple(active for active, _ in self.stack), self.origin)
        if reading is not None or of_programs(fn):
            return left_alone(self, reading or current(), fn, args, kwargs)
        try:
            template = self.template(fn)
        except (UnsupportedError, TypeError) as error:
            self.problems += getattr(error, "problems", [Problem(physical(self.origin), str(error))])
            return REFUSED
        if str(getattr(fn, "__module__", "")).startswith("srcad.library."):  # a method of a dict, a set or the like
            template, callee = written_here(template, self.callee(template), self.origin, fn.__name__)
            self.callees[template] = callee
        outer, self.in_library = self.in_library, False
        result = self.enter(template, None, fn, args, kwargs)
        self.in_library = outer
        return result

    def attribute(self, base: Expr, name: str) -> Expr:
        if base is REFUSED:
            return REFUSED
        if isinstance(base, Slice):
            return {"start": base.lower, "stop": base.upper, "step": base.step}.get(name) or Const(None)
        if isinstance(base, Const) and isinstance(base.value, Choice):
            return self.either(base.value, lambda value: self.attribute(value, name))
        if not isinstance(base, Const) or is_data(base.value):
            return Attr(base, name)
        return objects.attribute(self, base, name)

    def unshared(self, value: Expr) -> Expr:
        return carried.unshared(self, value)

    def moved(self, target: str, slot: Expr, value: Expr) -> bool:
        return carried.moved(self, target, slot, value)

    # ------------------------------------------------------------ entering a function

    def enter_library(self, fn: Any, args: Any, kwargs: Any, name: str) -> Expr:
        """A function of NumPy's that is written in terms of others: its statements stand for the user's line."""
        own = fn.__module__.startswith("srcad.")
        template, callee = read_once(fn) if own else (template := self.template(fn), self.callee(template))
        here, self.callees[here] = written_here(template, callee, self.origin, name)
        outer, self.in_library = self.in_library, True
        result = self.enter(here, None, self.key_of(fn), args, kwargs)
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
            self.callees[template] = straight(template.function)
        return self.callees[template]

    def enter(self, template: LocalFunction, parent: Frame | None, key: Any, args: Any, kwargs: Any) -> Expr:
        """The statements of a callee, and its result; of one that calls itself, a call."""
        function = template.function
        if template.once and function.name != "__iter__" and not entered_once(self, function.name):
            return REFUSED
        if len(self.stack) > _DEEPEST:
            chain = " -> ".join([*(called for _, called in self.stack[:8]), function.name])
            return self.refuse(f"calls so deep are not supported ({chain})", "a loop", function.name)
        try:
            bound = match_arguments(template, args, kwargs)
        except Mismatch as error:
            return self.refuse(str(error), error.remedy)
        if isinstance(key, Closure):
            bound = {name: (key.defaults[name], False) if is_default and name in key.defaults else (value, is_default)
                     for name, (value, is_default) in bound.items()}  # fmt: skip
        again = lambda: recursion.call(self, template, parent, key, bound)  # type: ignore[arg-type]
        if any(record.key is key for record in self.records):
            return items_ahead.noted(self, template, again)
        if any(active is key for active, _ in self.stack) and not by_parts.descends(self, template, key, bound):
            raise recursion.Recursion(key)
        state = self.state()
        try:
            return items_ahead.noted(self, template, lambda: self.inlined(template, parent, key, bound))
        except recursion.Recursion as met:
            if met.key is not key:
                raise
            self.back(state)
            return items_ahead.noted(self, template, again)

    def inlined(self, template: LocalFunction, parent: Frame | None, key: Any, bound: Arguments) -> Expr:
        frame, origin = by_parts.activated(self, template, parent, key, bound), self.origin
        body = self.callee(template).body
        changed = assigned(body) | closed_over(body, bound)
        if template.rest is not None and template.rest not in assigned(body):
            changed.discard(template.rest)
            bound = bound | {template.rest: (self.kept(bound[template.rest][0]), False)}
        self.receive(bound, frame, parent, changed, needs_arrays(body) if self.in_library else set())
        result = self.activation(frame, key, template.function.name, body)
        self.origin = origin
        return result

    def activation(self, frame: Frame, key: Any, name: str, body: Block) -> Expr:
        """Emit the statements of a function whose parameters have their meanings."""
        outer, self.frame, frame.caller = self.frame, frame, self.frame
        frame.begin(body, frame.table)
        self.stack.append((key, name))
        result = self.body(body)
        self.stack.pop()
        self.frame = outer
        return result

    def receive(
        self, bound: Arguments, frame: Frame, parent: Frame | None, changed: set[str], arrays: set[str]
    ) -> None:
        """Give parameters their arguments: atoms in place of the name where the callee does not assign it."""
        for name, (value, is_default) in bound.items():
            value = self.default(value, parent) if is_default else value
            if name in arrays and self.is_row(value):
                value = self.named(self.invoke(np.array, (value,), ()))
            if self.in_library and isinstance(value, Tuple):
                value = self.atoms(value)
            shelved = isinstance(value, Tuple) and is_static(value)  # all who hold a list of objects have a name for it
            if name not in changed and is_atom(value) and not moves(self, value) and not shelved:
                frame.table[name] = value
            else:
                self.let(frame.target(name), value)
