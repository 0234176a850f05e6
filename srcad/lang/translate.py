"""Python expressions (gast) as expressions of the IR."""

from __future__ import annotations

import functools
import operator
from typing import Any

import gast
import numpy as np

from srcad.lang.forms import REFUSED, Bind, LocalFunction, apply, constant, is_data, keeps, known_key, star
from srcad.lang.ir import Attr, Call, Const, Expr, Method, Slice, Tuple, Var, and_, entry, merged, or_, select
from srcad.lang.outside import is_live
from srcad.lang.refusals import BUILTINS, CLASSES, EXPRESSIONS, full_name, missing_attribute, unsupported_phrase
from srcad.lang.structure import LIST, form_of_class
from srcad.lang.types import UNKNOWN, Form, TupleType

BINARY: dict[type, Any] = {
    gast.Add: operator.add, gast.Sub: operator.sub, gast.Mult: operator.mul, gast.Div: operator.truediv,
    gast.FloorDiv: operator.floordiv, gast.Mod: operator.mod, gast.Pow: operator.pow, gast.MatMult: operator.matmul,
    gast.LShift: operator.lshift, gast.RShift: operator.rshift, gast.BitAnd: operator.and_,
    gast.BitOr: operator.or_, gast.BitXor: operator.xor,
}  # fmt: skip
UNARY: dict[type, Any] = {gast.USub: operator.neg, gast.UAdd: operator.pos, gast.Invert: operator.invert,
                          gast.Not: operator.not_}  # fmt: skip
COMPARE: dict[type, Any] = {
    gast.Lt: operator.lt, gast.LtE: operator.le, gast.Gt: operator.gt, gast.GtE: operator.ge, gast.Eq: operator.eq,
    gast.NotEq: operator.ne, gast.Is: operator.is_, gast.IsNot: operator.is_not,
}  # fmt: skip

_KEEPING = ("gradient", "jacobian", "setdefault")  # tapes: what comes back is as an argument; dicts hold one
_PUTTING = ("append", "appendleft", "insert")  # into lists; lists stay lists there, whose elements may change
_KNOWN_LATER = ((type, 1), (next, 1), (next, 2))  # what is called with so many arguments
_JOINS = (np.concatenate, np.hstack, np.vstack)  # of arrays that may differ in length


def display(items: tuple[Expr, ...], form: Form) -> Tuple:
    """A structure that is written out."""
    return Tuple(items, TupleType((UNKNOWN,) * len(items), form))


class Translator:
    """Subclasses say what names mean, and where refusals go."""

    def resolve(self, name: str, node: gast.AST) -> Expr:
        raise NotImplementedError

    def refuse(self, node: gast.AST, reason: str, remedy: str = "") -> Expr:
        raise NotImplementedError

    def fresh(self, hint: str) -> str:
        raise NotImplementedError

    def super(self, node: gast.AST) -> Expr:
        return self.refuse(node, "super() outside of a method is not supported", "the class by its name")

    def nested(self, node: gast.Lambda) -> Expr:
        return self.refuse(node, "a lambda in a rule is not supported", "its expression")

    def known_tuple(self, expr: Expr) -> tuple[Expr, ...] | None:
        """The items of an expression whose length is known."""
        match expr:
            case Tuple(items, type) if not (isinstance(type, TupleType) and type.form.keys):
                return items
            case Const(value=tuple() as items):
                return tuple(constant(item, expr.name or "c") for item in items)
        return None

    def expr(self, node: gast.AST) -> Expr:
        match node:
            case gast.Constant(value=value):
                return Const(value)
            case gast.Name(id=name):
                return self.resolve(name, node)
            case gast.BinOp(left=left, op=op, right=right):
                return Call(BINARY[type(op)], (self.expr(left), self.expr(right)))
            case gast.UnaryOp(op=op, operand=operand):
                return self.unary(UNARY[type(op)], self.expr(operand))
            case gast.BoolOp(op=op, values=values):
                return Call(and_ if isinstance(op, gast.And) else or_, tuple(self.expr(v) for v in values))
            case gast.Compare():
                return self.compare(node)
            case gast.IfExp(test=test, body=body, orelse=orelse):
                return Call(select, (self.expr(test), self.expr(body), self.expr(orelse)))
            case gast.Call():
                return self.call(node)
            case gast.Attribute(value=value, attr=attr):
                return self.attribute(node, self.expr(value), attr)
            case gast.Subscript(value=value, slice=index):
                return self.subscript(node, self.expr(value), self.index(index))
            case gast.Tuple(elts=items):
                return Tuple(self.items(items))
            case gast.List(elts=[gast.Starred(value=value)]) if self.known_tuple(whole := self.sequence(value)) is None:
                return Call(list, (whole,))
            case gast.List(elts=items):
                return display(self.items(items), LIST)
            case gast.Set():
                return Call(set, (display(self.items(node.elts), LIST),))
            case gast.Dict(keys=keys, values=values):
                return self.dictionary(keys, values)
            case gast.NamedExpr(target=gast.Name(id=name), value=value):
                return Call(Bind(name), (self.expr(value),))
            case gast.Lambda():
                return self.nested(node)
        kind = type(node).__name__
        return self.refuse(node, *unsupported_phrase(EXPRESSIONS.get(kind, (kind, ""))))

    # ------------------------------------------------------------ operators

    def unary(self, op: Any, operand: Expr) -> Expr:
        if op is operator.neg and isinstance(operand, Const) and type(operand.value) in (int, float, complex):
            return Const(-operand.value)
        return Call(op, (operand,))

    def compare(self, node: gast.Compare) -> Expr:
        """One comparison, or the conjunction of a chain in which the inner operands are computed once."""
        left, tests = self.expr(node.left), []
        for position, (op, comparator) in enumerate(zip(node.ops, node.comparators)):
            last = position == len(node.ops) - 1
            member = isinstance(op, (gast.In, gast.NotIn))
            right = self.sequence(comparator) if member else self.expr(comparator)
            again = right
            if not last and not isinstance(right, (Var, Const)):
                again = Var(self.fresh("_t"))
                right = Call(Bind(again.name), (right,))
            if member:
                test: Expr = Call(operator.contains, (right, left))
                test = Call(operator.not_, (test,)) if isinstance(op, gast.NotIn) else test
            else:
                test = Call(COMPARE[type(op)], (left, right))
            tests.append(test)
            left = again
        return tests[0] if len(tests) == 1 else Call(and_, tuple(tests))

    # ------------------------------------------------------------ sequences and indices

    def items(self, nodes: list[gast.AST]) -> tuple[Expr, ...]:
        """The items of a display."""
        result: list[Expr] = []
        for node in nodes:
            if not isinstance(node, gast.Starred):
                result.append(self.expr(node))
                continue
            result += self.starred(node)
        return tuple(result)

    def dictionary(self, keys: list[gast.AST | None], values: list[gast.AST]) -> Expr:
        """A dict display: parts with constant keys, joined with what ``**`` or a computed key brings in."""
        parts: list[Expr] = []
        for key_node, value in zip(keys, map(self.expr, values)):
            key = None if key_node is None else self.expr(key_node)
            name, last = known_key(key), parts[-1] if parts else None
            if key is None:
                parts.append(value)
            elif name is None:
                parts.append(Call(entry, (key, value)))
            elif isinstance(last, Tuple) and name not in (form := last.type.form).keys:  # type: ignore[attr-defined]
                parts[-1] = display((*last.items, value), Form(dict, (*form.keys, name)))
            else:
                parts.append(display((value,), Form(dict, (name,))))
        if len(parts) == 1 and isinstance(parts[0], Tuple):
            return parts[0]
        return Call(merged, tuple(parts)) if parts else display((), Form(dict))

    def starred(self, node: gast.Starred) -> tuple[Expr, ...]:
        """The values behind a star; `inline` counts those that are not counted here."""
        values = (self.expr if isinstance(node.value, gast.ListComp) else self.sequence)(node.value)
        known = self.known_tuple(values)
        return (Call(star, (values,)),) if known is None else known

    def sequence(self, node: gast.AST) -> Expr:
        """An expression in a place where a list means the same as a tuple; lists inside of it stay lists."""
        if isinstance(node, gast.List) and len(node.elts) == 1 and isinstance(node.elts[0], gast.Starred):
            return self.expr(node)
        if isinstance(node, (gast.List, gast.Tuple)):
            return Tuple(self.items(node.elts))
        return self.expr(node)

    def index(self, node: gast.AST) -> Expr:
        match node:
            case gast.Slice(lower=lower, upper=upper, step=step):
                return Slice(*(None if part is None else self.expr(part) for part in (lower, upper, step)))
            case gast.Tuple(elts=items):
                return Tuple(tuple(map(self.place, items)))
            case gast.List():
                return Call(np.array, (self.sequence(node),))
        index = self.expr(node)
        if isinstance(index, Const) and isinstance(index.value, list):
            return Const(np.array(index.value), name=node.id if isinstance(node, gast.Name) else "index")
        return index

    def place(self, node: gast.AST) -> Expr:
        """An item of an index; a tuple there means an array, as a list does."""
        if isinstance(node, gast.Tuple):
            return Call(np.array, (self.sequence(node),))
        index = self.index(node)
        if isinstance(index, Const) and isinstance(index.value, tuple):
            return Const(np.array(index.value), name=index.name or "index")
        return index

    def subscript(self, node: gast.Subscript, base: Expr, index: Expr) -> Expr:
        if base is REFUSED or index is REFUSED:
            return REFUSED
        if isinstance(base, Const) and isinstance(index, Const) and isinstance(base.value, (tuple, list, dict)):
            try:
                return constant(base.value[index.value], getattr(node.value, "id", "c"))
            except (LookupError, TypeError):
                return self.refuse(node, *_missing(base.value, index.value))
        return Call(operator.getitem, (base, index))

    # ------------------------------------------------------------ attributes and calls

    def attribute(self, node: gast.AST, base: Expr, attr: str) -> Expr:
        if base is REFUSED:
            return REFUSED
        if not isinstance(base, Const) or is_data(base.value) or is_live(base.value, attr):
            return Attr(base, attr)
        try:
            return constant(getattr(base.value, attr), attr)
        except AttributeError:
            return self.refuse(node, *missing_attribute(base.value, attr))

    def call(self, node: gast.Call, allowed: Any = None) -> Expr:
        """A call; of the builtins that stand in heads of loops, only the one that is `allowed`."""
        if (listed := self.listed(node)) is not None:
            return listed
        callee, before = self.callee(node.func)
        if callee is len and len(node.args) == 1 and isinstance(node.args[0], gast.Call):
            inner, _ = self.callee(node.args[0].func)
            if inner is range:
                return Call(len, (Call(range, tuple(map(self.expr, node.args[0].args))),))
        if (full := full_name(callee)) in CLASSES:
            return self.refuse(node, f"{full} is not supported", CLASSES[full])
        args, kwargs = self.arguments(node, callee)
        if callee is REFUSED:
            return REFUSED
        if callee is super and len(args) in (0, 2):
            return Call(super, args) if args else self.super(node)
        if full and callee in BUILTINS and callee is not allowed and (callee, len(args)) not in _KNOWN_LATER:
            return self.refuse(node, *unsupported_phrase(BUILTINS[callee]))
        if callee is range and callee is not allowed:  # under a name, or as an index, it is as good as an array
            return Call(np.arange, args, kwargs)
        return Call(callee, before + args, kwargs)

    def listed(self, node: gast.Call) -> Expr | None:
        """``D.items()``, ``D.keys()`` or ``D.values()`` of a dict from outside."""
        match node:
            case gast.Call(func=gast.Attribute(value=gast.Name() as base, attr=attr), args=[]):
                held = self.expr(base) if attr in ("items", "keys", "values") else REFUSED
                if isinstance(held, Const) and type(held.value) is dict:
                    return constant(tuple(getattr(held.value, attr)()), attr)
        return None

    def callee(self, node: gast.AST) -> tuple[Any, tuple[Expr, ...]]:
        """The object that is called, and the arguments that come before those in the parentheses."""
        if isinstance(node, gast.Attribute):
            base = self.expr(node.value)
            if base is not REFUSED and (not isinstance(base, Const) or is_data(base.value)):
                return Method(node.attr), (base,)
            function = self.attribute(node, base, node.attr)
        else:
            function = self.expr(node)
        if function is REFUSED:
            return REFUSED, ()
        known = isinstance(function, Const) and not isinstance(function.value, LocalFunction)
        return (function.value, ()) if known else (apply, (function,))

    def arguments(self, node: gast.Call, callee: Any) -> tuple[tuple[Expr, ...], tuple[tuple[str, Expr], ...]]:
        method = callee.name if isinstance(callee, Method) else ""
        lists = (gast.List, gast.ListComp) if method in _PUTTING else gast.ListComp if callee in _JOINS else ()
        holds = callee is dict or method in _KEEPING or keeps(callee) or form_of_class(callee) is not None

        def argument(value: gast.AST) -> Expr:
            if isinstance(value, gast.Call) and (_pairs(node) or callee is functools.reduce):
                return self.call(value, zip if _pairs(node) else range)
            stays = callee is apply or holds or isinstance(value, lists)
            return self.expr(value) if stays else self.sequence(value)

        args: list[Expr] = []
        for value in node.args:
            args += self.starred(value) if isinstance(value, gast.Starred) else (argument(value),)
        return tuple(args), tuple((keyword.arg or "**", argument(keyword.value)) for keyword in node.keywords)


def _pairs(call: gast.Call) -> bool:
    """Whether a call goes over what it is given once, so that ``zip(...)`` may be an argument of it."""
    return isinstance(call.func, gast.Attribute) and call.func.attr == "apply_gradients"


def _missing(held: Any, key: Any) -> tuple[str, str]:
    """What is said of a constant that has no such element, and what to write instead."""
    if isinstance(held, dict):
        keys = ", ".join(map(str, held))
        return f"the key {key!r} of a dict with the keys {keys} is not supported", "one of its keys"
    what = f"a {type(held).__name__} of {len(held)}"
    if not isinstance(key, int):
        return f"the index {key!r} of {what} is not supported", "an integer or a slice"
    return f"index {key} of {what} is not supported", f"an index below {len(held)}"
