"""keyed: elements of dicts at texts that depend on the path taken, for each text that it may be; part of `surface`.

``rates[kind]``, where `kind` is "up" on one path and "down" on another, becomes ``rates["up"] if kind == "up" else
rates["down"]``. So `texts_apart` knows which text is read, and no structure is joined with another one to read one part
of it: ``table[kind]["cost"]`` is one of two costs.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace

from srcad.analysis.spelling import gives_texts
from srcad.analysis.wording import Held, Parts, Picked, is_leaf, texts_in, wording
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Effect, Expr, Function, Stmt, Store, Tuple, Var, element_at, select

_TAKING = (operator.getitem, element_at)


def keyed(fn: Function) -> Function:
    """A surface function that takes of dicts with texts for keys what is at one that is known.

    >>> from srcad.lang.ir import If, Let
    >>> from srcad.lang.types import Form, TupleType, Unknown
    >>> branch = If(Var("x"), (Let("s", Const("on")),), (Let("s", Const("off")),))
    >>> rates = Tuple((Var("x"), Var("y")), TupleType((Unknown(), Unknown()), Form(dict, ("on", "off"))))
    >>> read = Let("z", Call(operator.getitem, (Var("rates"), Var("s"))))
    >>> taken = keyed(Function("f", (), (branch, Let("rates", rates), read))).body[2].value
    >>> taken.fn.__name__, [branch.args[1].value for branch in taken.args[1:]]
    ('select', ['off', 'on'])
    """
    if not gives_texts(fn):
        return fn
    return replace(fn, body=_Taker(wording(fn)).block(fn.body))


class _Taker:
    """Rewrites what is taken of dicts; `held` says what names may hold."""

    def __init__(self, held: dict[str, Held]):
        self.held = held

    def block(self, body: Block) -> Block:
        return tuple(map(self.statement, body))

    def statement(self, stmt: Stmt) -> Stmt:
        if isinstance(stmt, Store):
            return replace(stmt, index=self.expr(stmt.index), value=self.expr(stmt.value))
        return stmt if isinstance(stmt, Effect) else walk.map_stmt(self.expr, stmt, self.block)

    def expr(self, expr: Expr) -> Expr:
        if not isinstance(expr, (Call, Tuple)):
            return expr
        if isinstance(expr, Call) and expr.fn is operator.contains and self.asks_for_text(*expr.args):
            keys = texts_in(expr.args[0], self.held).keys  # type: ignore[union-attr]
            return replace(expr, args=(Const(keys), self.expr(expr.args[1])))
        if (found := self.taken(expr, lambda element: element)) is not None:
            return found
        new = tuple(map(self.expr, parts := walk.children(expr)))
        if all(map(operator.is_, new, parts)):
            return expr
        if isinstance(expr, Tuple):
            return replace(expr, items=new)
        count = len(expr.args)
        return replace(expr, args=new[:count], kwargs=tuple((key, v) for (key, _), v in zip(expr.kwargs, new[count:])))

    def taken(self, expr: Expr, of: Callable[[Expr], Expr]) -> Expr | None:
        """What is taken `of` the element of a dict, for each text that its key may be; None: there is no such dict."""
        if not isinstance(expr, Call) or expr.fn not in _TAKING:
            return None
        base, key = expr.args

        def here(element: Expr) -> Expr:
            return of(replace(expr, args=(element, key)))

        if expr.fn is not operator.getitem or not self.is_one_of_several(base, key):
            return self.taken(base, here) if isinstance(key, Const) else None
        return self.at(key, lambda text: self.expr(of(replace(expr, args=(base, text)))))

    def at(self, key: Expr, element: Callable[[Const], Expr]) -> Expr:
        """The element at the text that a key is."""
        match key:
            case Const():
                return element(key)
            case Call(fn, (test, then, orelse)) if fn is select:
                return Call(select, (self.expr(test), self.at(then, element), self.at(orelse, element)))
        *texts, last = sorted(texts_in(key, self.held))  # type: ignore[arg-type]
        asked, result = self.expr(key), element(Const(last))
        for text in reversed(texts):
            result = Call(select, (Call(operator.eq, (asked, Const(text))), element(Const(text)), result))
        return result

    def asks_for_text(self, base: Expr, key: Expr) -> bool:
        """Whether a dict with texts for keys is asked whether it has one that depends on the path taken."""
        place, texts = texts_in(base, self.held), texts_in(key, self.held)
        if not isinstance(place, Parts) or isinstance(key, Const) or not isinstance(texts, (frozenset, Picked)):
            return False
        return bool(place.keys) and all(isinstance(text, str) for text in place.keys) and _is_read(base)

    def is_one_of_several(self, base: Expr, key: Expr) -> bool:
        """Whether a key is one of some texts at which a dict has elements."""
        place, texts = texts_in(base, self.held), texts_in(key, self.held)
        if isinstance(key, Const) or not isinstance(place, Parts) or not isinstance(texts, frozenset):
            return False
        return texts <= set(place.keys) and self.is_key(key) and _is_read(base)

    def is_key(self, expr: Expr) -> bool:
        match expr:
            case Call(fn, (_, then, orelse)) if fn is select:
                return self.is_key(then) and self.is_key(orelse)
        return isinstance(expr, Const) or is_leaf(expr, self.held)


def _is_read(expr: Expr) -> bool:
    """Whether an expression reads what there is, and may do so once for each text."""
    match expr:
        case Call(fn, args, ()):
            return fn in _TAKING and all(map(_is_read, args))
        case Tuple(items):
            return all(map(_is_read, items))
    return isinstance(expr, (Var, Const))
