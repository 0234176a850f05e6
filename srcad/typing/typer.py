"""Typing an expression: its parts first, then each node by the rule of its primitive."""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from srcad.lang.custom import Custom
from srcad.lang.forms import REFUSED
from srcad.lang.ir import Attr, Call, Const, Expr, Method, Slice, Tuple, Var, and_, or_, select
from srcad.lang.left import Left
from srcad.lang.lists import list_pop
from srcad.lang.promote import type_of
from srcad.lang.recursive import HELPERS, Callee, Helper, linked
from srcad.lang.types import BOOL, INT, NONE, TUPLE, UNKNOWN, Array, Scalar, Static, TupleType, Type
from srcad.typing import complexes, creation, fourier, helpers, indexing, joining, lanes, linalg, lists, methods, reductions, shaping, structures  # noqa: E501, F401  (they fill the table)
from srcad.typing.elementwise import cast
from srcad.typing.facts import Facts, NotStatic
from srcad.runtime.attempts import Attempt
from srcad.typing.fallback import name_of, observe, tried
from srcad.typing.flat import copied, is_flat, settled
from srcad.typing.refusal import of_void
from srcad.typing.table import TEXT, NeedsArray, Refusal, constant, find, is_row, kind

IN_PLACE: dict[Any, Any] = {
    operator.iadd: operator.add, operator.isub: operator.sub, operator.imul: operator.mul,
    operator.itruediv: operator.truediv, operator.ifloordiv: operator.floordiv, operator.imod: operator.mod,
    operator.ipow: operator.pow, operator.imatmul: operator.matmul, operator.iand: operator.and_,
    operator.ior: operator.or_, operator.ixor: operator.xor, operator.ilshift: operator.lshift,
    operator.irshift: operator.rshift,
}  # fmt: skip


_MISFIT = re.compile(r"unexpected keyword argument|positional argument|multiple values for argument|keyword-only")
ALONG = frozenset((np.sum, np.mean, np.prod, np.max, np.min, np.any, np.all, np.argmax, np.argmin))
SYNONYMS = {np.amax: np.max, np.amin: np.min, np.around: np.round}
if hasattr(np, "astype"):
    SYNONYMS[np.astype] = np.ndarray.astype


@dataclass
class Typer(Facts):
    """Types expressions; `names` says what stands for each name: itself with its type, another name, or a constant."""

    names: dict[str, Expr] = field(default_factory=dict)

    def by_name(self, value: Expr) -> Expr:
        """A value under a name."""
        raise NotImplementedError

    def expr(self, expr: Expr) -> Expr:
        """`expr` with a type at every node, methods and attributes resolved."""
        try:
            return self.node(expr)
        except Refusal as refusal:
            refusal.expr = refusal.expr or expr
            raise

    def node(self, expr: Expr) -> Expr:
        if isinstance(expr, Var):
            return self.var(expr)
        if expr is REFUSED:
            raise Refusal("", poisoned=True)
        if isinstance(expr, Const):
            return expr if expr.type != UNKNOWN else Const(expr.value, type_of(expr.value), expr.name)
        if isinstance(expr, Call):
            return self.call(expr)
        if isinstance(expr, Tuple):
            items = tuple(map(self.expr, expr.items))
            form = expr.type.form if isinstance(expr.type, TupleType) else TUPLE
            return Tuple(items, TupleType(tuple(getattr(item, "type", UNKNOWN) for item in items), form))
        if isinstance(expr, Attr):
            return methods.attribute(self, self.expr(expr.value), expr.name)
        return Slice(*(None if e is None else self.expr(e) for e in (expr.lower, expr.upper, expr.step)))

    def var(self, var: Var) -> Expr:
        found = self.names.get(var.name, var)
        if not isinstance(found, Slice) and found.type == UNKNOWN:
            self.unassigned(var.name)
            raise of_void(self.voids[var.name]) if var.name in self.voids else Refusal("", poisoned=True)
        return found

    def unassigned(self, name: str) -> None:
        """Called where a name is read that has no value yet."""

    # ------------------------------------------------------------ calls

    def call(self, call: Call) -> Expr:
        fn = call.fn
        if fn is and_ or fn is or_:
            return self.lazy(fn, call.args)
        if fn is select:
            return self.select(*call.args)
        try:
            args = self.every(call.args, fn)
        except Refusal as refusal:
            if fn is operator.getitem and refusal.void and not self.is_element(call.args[1]):
                self.parts.add(refusal.void)
            raise
        kwargs = tuple((name, self.expr(value)) for name, value in call.kwargs)
        if fn is not operator.getitem:
            args = tuple(settled(self, arg) for arg in args)
        elif is_flat(call.args[0]):
            return copied(self, self.apply(fn, args, kwargs))
        elif call.type != UNKNOWN and isinstance(held := args[0].type, TupleType) and held.form.keys:
            return replace(call, args=args)  # where a part lies in what callers hand over, which has no keys then
        if isinstance(fn, Method):
            named, (fn, args) = fn.name, methods.resolve(self, fn.name, args)
            if (fn, named, len(args), kwargs) == (np.copy, "copy", 1, ()):
                args = (*args, constant("C"))  # x.copy() is in C order, where np.copy(x) keeps what it finds
            if fn is np.clip and len(args) == 2:  # the function wants both bounds
                args = (*args, dict(kwargs).get("max", constant(None)))
                kwargs = tuple((name, value) for name, value in kwargs if name != "max")
        elif fn.__hash__ is not None and fn in IN_PLACE:
            fn = IN_PLACE[fn]
        return self.apply(fn, args, kwargs)

    def is_element(self, index: Expr) -> bool:
        """Whether an index is that of one element of a list."""
        return not isinstance(index, Slice) and isinstance(self.expr(index).type, Scalar)  # type: ignore[union-attr]

    def every(self, exprs: tuple[Expr, ...], fn: Any = None) -> tuple[Expr, ...]:
        """Typed arguments; one that another problem has spoilt does not hide the problems of those after it."""
        spoilt: Refusal | None = None
        result: list[Expr] = []
        for expr in exprs:
            try:
                result.append(self.expr(expr))
            except Refusal as refusal:
                if not refusal.poisoned:
                    raise
                spoilt = refusal if spoilt is None or spoilt.void is not None else spoilt
        if spoilt is not None:
            raise spoilt
        return tuple(result)

    def apply(self, fn: Any, args: tuple[Expr, ...], kwargs: tuple[tuple[str, Expr], ...] = ()) -> Expr:
        """A typed call of a primitive with typed arguments."""
        if isinstance(fn, (Callee, Custom, *HELPERS)):
            return self.called(fn, args)
        if isinstance(fn, Left) and isinstance(fn.fn, Attempt):
            return Call(tried(fn, args), args, (), INT)
        if isinstance(fn, Left):
            kind = NONE if fn.returns == NONE else observe(self, fn, args, {})
            return Call(fn.giving(kind), args, (), kind)
        if fn is linked:
            return Call(fn, args, (), args[0].type)  # type: ignore[union-attr]
        if fn.__hash__ is not None and fn in SYNONYMS:
            fn = SYNONYMS[fn]
        if fn is not operator.getitem and fn is not list_pop:
            lists.as_numbers(args)
        if len(args) == 2 and fn.__hash__ is not None and fn in ALONG:
            kwargs = (("axis", args[1]), *kwargs)  # passes need to know one form only
            args = args[:1]
        options = dict(kwargs)
        if "order" in options and "copy" not in options and fn.__hash__ is not None and fn in creation.CREATORS:
            plain = self.apply(fn, args, tuple((k, v) for k, v in kwargs if k != "order"))
            return creation.in_order(self, plain, options["order"])
        rule = find(fn) or structures.constructor(fn)
        self.asked.clear()
        try:
            if rule is not None:
                result = rule(self, *args, **dict(kwargs))
            else:
                result = self.without_rule(fn, args, kwargs)
        except NeedsArray as refusal:
            return self.of_array(fn, args, kwargs, refusal)
        except TypeError as error:
            if _MISFIT.search(str(error)):
                raise _other_arguments(fn, str(error)) from None
            raise
        if not isinstance(result, Type):
            return result
        if self.asked:
            args = tuple(map(self.decided, args))
            kwargs = tuple((name, self.decided(value)) for name, value in kwargs)
        kwargs = tuple(each for each in kwargs if each[0] != "keepdims" or not _is_false(each[1]))
        return Call(fn, args, kwargs, result)

    def of_array(self, fn: Any, args: tuple[Expr, ...], kwargs: Any, refusal: NeedsArray) -> Expr:
        """A call of a function of NumPy's with an array in the place of a list or tuple that is none."""
        whole, module = refusal.structure, getattr(fn, "__module__", None) or ""
        takes = isinstance(fn, np.ufunc) or module.partition(".")[0] in ("numpy", "scipy")
        takes = takes or module == "_operator" and any(isinstance(arg.type, Array) for arg in args)
        every = (*args, *dict(kwargs).values())
        inside = [item for arg in every if isinstance(arg, Tuple) for item in arg.items]  # of arrays to be joined
        if not takes or not is_row(whole.type) or not any(arg is whole for arg in (*every, *inside)):
            raise refusal

        def exchanged(arg: Expr) -> Expr:
            if isinstance(arg, Tuple) and any(item is whole for item in arg.items):
                items = tuple(map(exchanged, arg.items))
                return Tuple(items, replace(arg.type, items=tuple(item.type for item in items)))  # type: ignore
            return self.apply(np.array, (whole,)) if arg is whole else arg

        return self.apply(fn, tuple(map(exchanged, args)), tuple((name, exchanged(arg)) for name, arg in kwargs))

    def called(self, fn: Callee | Custom | Helper, args: tuple[Expr, ...]) -> Expr:
        """A typed call of a recursive function, or of its reverse sweep; or a marked value."""
        assert not isinstance(fn, Callee)
        return Call(fn, args, (), fn.type_of(args, self.fresh))

    def decided(self, arg: Expr) -> Expr:
        """An argument whose value decided the type, as that value."""
        return constant(self.known(arg)) if id(arg) in self.asked else arg

    def without_rule(self, fn: Any, args: tuple[Expr, ...], kwargs: tuple[tuple[str, Expr], ...]) -> Type | Expr:
        if isinstance(fn, type) and issubclass(fn, np.generic) and len(args) == 1 and not kwargs:
            return cast(self, fn, args[0])
        if methods.is_text(fn, args):
            return TEXT
        assert "out" not in dict(kwargs), "inline has made a store of it"
        if all(isinstance(a, Const) for a in (*args, *dict(kwargs).values())):
            made = self.made_of_constants(fn, args, kwargs)
            if made is not None:
                return made
        return observe(self, fn, args, dict(kwargs))

    def made_of_constants(self, fn: Any, args: tuple[Any, ...], kwargs: tuple[tuple[str, Any], ...]) -> Const | None:
        """An object such as ``np.finfo(np.float64)``; numbers and arrays are left to run time."""
        try:
            value = fn(*(a.value for a in args), **{k: v.value for k, v in kwargs})
        except Exception:
            return None
        return Const(value, Static(value)) if isinstance(type_of(value), Static) else None

    # ------------------------------------------------------------ what is decided while typing

    def test(self, expr: Expr) -> Expr:
        """A condition, as a constant if it is known."""
        test = self.expr(expr)
        try:
            return constant(bool(self.known(test)))
        except NotStatic:
            pass
        if isinstance(test.type, TupleType):
            return constant(bool(test.type.items))
        if getattr(kind(test), "shape", ()):
            raise Refusal("the truth of an array", "x.any() or x.all(), or np.where")
        return test

    def lazy(self, fn: Any, args: tuple[Expr, ...]) -> Expr:
        """``and``/``or``: what is known is left out, and what comes after a deciding constant is not typed."""
        deciding = fn is or_
        kept: list[Expr] = []
        for arg in args:
            test = self.expr(arg)
            try:
                known = bool(self.known(test))
            except NotStatic:
                kept.append(test)
                continue
            if known is deciding:
                kept.append(test)
                break
        if not kept:
            return constant(not deciding)
        return kept[0] if len(kept) == 1 else self.apply(fn, tuple(kept))

    def side(self, expr: Expr, other: Expr) -> Expr:
        """One of two values; where it has no type yet, as the first element of a list that grows, the other one."""
        try:
            return self.expr(expr)
        except Refusal as refusal:
            if not refusal.poisoned:
                raise
            return self.expr(other)

    def select(self, test: Expr, then: Expr, orelse: Expr) -> Expr:
        """``then if test else orelse``: of a known condition, only the branch taken is typed."""
        decided = self.test(test)
        if isinstance(decided, Const):
            return self.expr(then if decided.value else orelse)
        first, second = self.side(then, orelse), self.side(orelse, then)
        if decided.type == first.type == second.type == BOOL and decided in (first, second):
            return self.apply(or_ if decided == first else and_, (decided, second if decided == first else first))
        return self.apply(select, (decided, first, second))


def _is_false(expr: Expr) -> bool:
    return isinstance(expr, Const) and expr.value is False


def _other_arguments(fn: Any, message: str) -> Refusal:
    keyword = re.search(r"keyword argument '(\w+)'", message)
    if keyword is not None:
        return Refusal(f"the argument {keyword[1]}= of {name_of(fn)}", f"the call without {keyword[1]}=")
    return Refusal(f"a call of {name_of(fn)} with these arguments", "its arguments in the order of its documentation")
