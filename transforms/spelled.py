"""spelled: what is asked of texts that depend on the path taken, text by text; part of `surface`.

``len(kind)``, where `kind` is "up" on one path and "down" on another, becomes ``4 if kind == "down" else 2``, and
``kind.startswith("u")`` becomes ``kind == "up"``. All that is left to do with such names is to compare them, which
`states` does by numbers.
"""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy as np

from srcad.analysis.spelling import Unknown, combinations, gives_texts, outcome
from srcad.analysis.wording import Held, is_leaf, is_letter, leaves, options, wording
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Effect, Expr, Function, If, Stmt, Tuple, While, and_, or_, select

_COMPARED = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
_LOGICAL = (and_, or_, operator.not_)


def spelled(fn: Function) -> Function:
    """A surface function that asks of texts which ones they are, and nothing else.

    >>> from srcad.lang.ir import Let, Var
    >>> branch = If(Var("x"), (Let("s", Const("on")),), (Let("s", Const("off")),))
    >>> count = spelled(Function("f", (), (branch, Let("n", Call(len, (Var("s"),)))))).body[1].value
    >>> count.fn.__name__, [branch.value for branch in count.args[1:]]
    ('select', [3, 2])
    """
    if not gives_texts(fn):
        return fn
    return replace(fn, body=_Speller(wording(fn)).block(fn.body))


class _Speller:
    """Rewrites what is asked of texts; `held` says what names may hold."""

    def __init__(self, held: dict[str, Held]):
        self.held = held

    def block(self, body: Block) -> Block:
        return tuple(map(self.statement, body))

    def statement(self, stmt: Stmt) -> Stmt:
        changed = walk.map_stmt(self.with_parts if isinstance(stmt, Effect) else self.expr, stmt, self.block)
        return replace(changed, test=self.truth(changed.test)) if isinstance(changed, (If, While)) else changed

    def expr(self, expr: Expr) -> Expr:
        if not isinstance(expr, (Call, Tuple)):
            return expr
        if isinstance(expr, Call) and is_leaf(expr, self.held):
            return self.letter(*expr.args) if is_letter(expr, self.held) else self.with_parts(expr)
        answer = self.answer(expr) if isinstance(expr, Call) and not self.is_plain(expr) else None
        return self.with_parts(expr) if answer is None else answer

    def with_parts(self, expr: Expr) -> Expr:
        """The same of parts that ask of texts which ones they are."""
        if isinstance(expr, Tuple):
            items = tuple(map(self.expr, expr.items))
            return expr if all(map(operator.is_, items, expr.items)) else replace(expr, items=items)
        assert isinstance(expr, Call)
        args = [self.expr(arg) for arg in expr.args]
        if expr.fn in _LOGICAL:
            args = list(map(self.truth, args))
        elif expr.fn is select:
            args[0] = self.truth(args[0])
        kwargs = tuple((key, self.expr(value)) for key, value in expr.kwargs)
        before, after = walk.children(expr), (*args, *(value for _, value in kwargs))
        return expr if all(map(operator.is_, after, before)) else replace(expr, args=tuple(args), kwargs=kwargs)

    def truth(self, test: Expr) -> Expr:
        """A condition, which may be a text."""
        return self.answer(test, bool) or test if is_leaf(test, self.held) else test

    def answer(self, expr: Expr, asked: type | None = None) -> Expr | None:
        """What an expression of texts gives, by the texts; None: there is more in it."""
        found = leaves(expr, self.held)
        if not found:
            return None
        try:
            cases = [(dict(zip(range(len(found)), (text for _, text in texts))), outcome(expr, texts))
                     for texts in combinations(found, options(found, self.held))]  # fmt: skip
        except Unknown:
            return None
        given = [(list(texts.values()), asked(value) if asked else value) for texts, value in cases]
        if not all(isinstance(value, (bool, int, float, str)) for _, value in given):
            return None
        return _by_case([self.expr(leaf) for leaf in found], given)

    def is_plain(self, call: Call) -> bool:
        """Whether a call compares texts as they are."""
        return call.fn in _COMPARED and all(isinstance(arg, Const) or is_leaf(arg, self.held) for arg in call.args)

    def letter(self, word: Expr, index: Expr) -> Expr:
        """``word[index]`` at a place that is not known."""
        place, texts = self.expr(index), options([word], self.held)[0]
        rows = [Call(np.array, (Tuple(tuple(map(Const, text))),)) for text in texts]
        letters = [([text], Call(operator.getitem, (row, place))) for text, row in zip(texts, rows)]
        return _by_case([self.expr(word)], letters)


def _by_case(leaves: list[Expr], cases: list) -> Expr:
    """One of several values, by the texts that leaves are."""
    if not leaves:
        return cases[0][1] if not isinstance(cases[0][1], (bool, int, float, str)) else Const(cases[0][1])
    first, *others = leaves
    branches: list[tuple[Expr, list[Expr]]] = []
    for text in dict.fromkeys(texts[0] for texts, _ in cases):
        value = _by_case(others, [(texts[1:], value) for texts, value in cases if texts[0] == text])
        test = Call(operator.eq, (first, Const(text)))
        same = next((tests for known, tests in branches if known == value and _kind(known) is _kind(value)), None)
        branches += [(value, [test])] if same is None else []
        if same is not None:
            same.append(test)
    *tested, (result, _) = sorted(branches, key=lambda branch: len(branch[1]))
    for value, tests in reversed(tested):
        result = _either(Call(or_, tuple(tests)) if len(tests) > 1 else tests[0], value, result)
    return result


def _either(test: Expr, then: Expr, orelse: Expr) -> Expr:
    match then, orelse:
        case Const(value=True), Const(value=False) if then.value is True and orelse.value is False:
            return test
        case Const(value=False), Const(value=True) if then.value is False and orelse.value is True:
            alone = isinstance(test, Call) and test.fn is operator.eq
            return Call(operator.ne, test.args) if alone else Call(operator.not_, (test,))  # type: ignore[union-attr]
    return Call(select, (test, then, orelse))


def _kind(expr: Expr) -> type:
    return type(expr.value) if isinstance(expr, Const) else type(expr)
