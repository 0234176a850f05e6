"""Texts in attributes, dicts and nonlocal names to which loops give others, as whole numbers; part of `inline`.

A text is known while calls are inlined, and leaves no trace. Where a loop gives a variable another text, which turns
out when its body has been inlined, the variable holds the number of the text from the start, and everything is inlined
once more. Whoever reads it gets a choice among the texts.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Union

from srcad.lang.forms import REFUSED, apply, is_python
from srcad.lang.ir import Block, Call, Const, Expr, Function, Var, hint, select
from srcad.lang.types import Static
from srcad.transforms.callees import Keywords
from srcad.transforms.learnt import Learnt, OnceMore
from srcad.transforms.level import Level
from srcad.transforms.outlines import is_single
from srcad.transforms.values import Choice, choose, is_text

Key = Union[tuple[type, str], str]
"""A class and an attribute of its objects, or a name."""
_HANDING_ON = frozenset((apply, print))
"""What is called with the texts as they are."""


class Worded(OnceMore):
    """Met while inlining: a loop gives a variable another text, or one is given a text that has no number."""

    def __init__(self, key: Key, text: str | None = None):
        self.key, self.text = key, text

    def teach(self, learnt: Learnt) -> None:
        learnt.words.add(self.key)
        learnt.texts += [] if self.text is None else [self.text]


class Wording(Level):
    """Numbers texts; `words` has the variables that hold numbers of texts."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.words: set[Any] = set()
        self.numbered: list[str] = []
        self.read: dict[int, tuple[Expr, Expr]] = {}  # for choices among all texts, by their value: the number

    def know(self, learnt: Learnt) -> None:
        super().know(learnt)
        self.words, self.numbered = learnt.words, learnt.texts

    # ------------------------------------------------------------ names

    def whose_text(self, value: Expr | None) -> Key | None:
        """The variable whose text a value is, of those that hold numbers."""
        match value:
            case Var(name):
                key = self.field_keys.get(name, name)
                return key if key in self.words else None
            case Call(fn, (_, then, orelse)) if fn is select:
                return self.whose_text(then) or self.whose_text(orelse)
        return None

    def let(self, target: str, value: Expr | None) -> None:
        if self.words:
            value = self.worded(target, value)
        super().let(target, value)

    def worded(self, target: str, value: Expr | None) -> Expr | None:
        """What is given to a name: of a text, its number, if the name holds numbers."""
        self.same_text(target, value)
        if value in (None, REFUSED) or self.whose_text(Var(target)) is None or self.whose_text(value) is not None:
            return value
        if is_text(value):
            return self.number_of(value, target)
        if target not in self.fields:
            del self.field_keys[target]
            return value
        reason = f"{hint(target)} holds a text that a loop changes, and something else, too"
        return self.refuse(reason, "an attribute for each", hint(target))

    def stored(self, name: str, expr: Expr) -> Var:
        if self.words:
            self.same_text(name, expr)
        return super().stored(name, expr)

    def same_text(self, target: str, value: Expr | None) -> None:
        """A name gets what a variable holds, which may be the number of a text."""
        key = self.whose_text(value)
        if key is not None:
            self.field_keys[target] = key  # type: ignore[assignment]

    def number_of(self, text: Expr, target: str) -> Expr:
        """The number of a text."""
        match text:
            case Const(value=Choice(test, then, orelse)) | Call(_, (test, then, orelse)):
                sides = self.number_of(then, target), self.number_of(orelse, target)
                return sides[0] if sides[0] == sides[1] else Call(select, (test, *sides))
        assert isinstance(text, Const)
        if text.value not in self.numbered:
            raise Worded(self.field_keys.get(target, target), text.value)
        return Const(self.numbered.index(text.value))

    def holding(self, var: Var) -> Expr:
        found = super().holding(var)
        if not self.words or found != var or self.whose_text(var) is None:
            return found
        number, text = super().stored(self.fresh(var.name), var), Const(self.numbered[-1])  # type: Expr, Expr
        for k in reversed(range(len(self.numbered) - 1)):
            text = choose(Call(operator.eq, (number, Const(k))), Const(self.numbered[k]), text)
        self.read[id(text.value)] = text, number  # type: ignore[attr-defined]
        return text

    # ------------------------------------------------------------ what is done with texts

    def are_chosen(self, a: Expr, b: Expr) -> bool:
        return super().are_chosen(a, b) or bool(self.words) and is_text(a) and is_text(b)

    def applied(self, fn: Any, positional: tuple[Expr, ...], named: Keywords) -> Expr:
        place = next((k for k, arg in enumerate(positional) if _is_choice(arg)), None)
        if place is None or not self.words or fn in _HANDING_ON or is_python(fn):
            return super().applied(fn, positional, named)
        if fn in (operator.eq, operator.ne):
            return self.compared(fn, positional[place], positional[1 - place]) or super().applied(fn, positional, named)

        def with_text(text: Expr) -> Expr:
            return self.applied(fn, (*positional[:place], text, *positional[place + 1 :]), named)

        return self.on_both(positional[place].value, with_text)  # type: ignore[union-attr, arg-type]

    def compared(self, fn: Any, text: Expr, other: Expr) -> Expr | None:
        """Whether a text is another one, by their numbers; None where one of the two has none."""
        held = other.value if isinstance(other, Const) else None
        number = self.read.get(id(text.value)) if held in self.numbered else None  # type: ignore[union-attr]
        return number and Call(fn, (number[1], Const(self.numbered.index(held))))  # type: ignore[arg-type]

    # ------------------------------------------------------------ loops

    def repeated(self, body: Block, then: Callable[[], None] = lambda: None) -> Block:
        types, static = dict(self.types), {name: self.static[name] for name in self.fields & self.static.keys()}
        result = super().repeated(body, then)
        for name in sorted(self.fields & types.keys()):
            if isinstance(types[name], Static) and self.types.get(name) != types[name] and not is_single(types[name]):
                raise Worded(self.field_keys.get(name, name))
        for name in sorted(static):
            if name in self.slots or self.static.get(name) == static[name]:
                continue
            if is_text(static[name]):
                raise Worded(self.field_keys.get(name, name))
            what = f"setting {hint(name)!r} to a function or object in a loop or branch"
            self.refuse(f"{what} is not supported", "it set once, before", hint(name))
        return result


def _is_choice(value: Expr) -> bool:
    return isinstance(value, Const) and isinstance(value.value, Choice) and is_text(value)
