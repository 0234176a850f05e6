"""Characters of a text at a position that is not known, ``word[i] == "a"``, as their numbers; part of `inline`."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from srcad.lang.ir import Call, Const, Expr, Function, Slice, Var, or_
from srcad.lang.lists import element_of
from srcad.transforms.callees import Keywords
from srcad.transforms.calls import folded_number
from srcad.transforms.records import Records

_COMPARISONS = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)


class Characters(Records):
    """Compares characters; `letters` are the names that hold one."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.letters: set[str] = set()
        self.numbers: dict[int, Const] = {}  # the arrays of numbers that stand for texts

    def let(self, target: str, value: Expr | None) -> None:
        letter = value is not None and self.is_letter(value)
        super().let(target, value)
        (self.letters.add if letter else self.letters.discard)(target)

    def is_letter(self, expr: Expr) -> bool:
        match expr:
            case Var(name):
                return name in self.letters
            case Call(operator.getitem, (Const(value=np.ndarray() as codes), _)):
                return id(codes) in self.numbers
        return False

    def of_structure(self, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
        if fn is len and isinstance(args[0], Const) and isinstance(args[0].value, str):
            return Const(len(args[0].value))
        if fn is operator.getitem or fn is element_of:
            word = args[0].value if isinstance(args[0], Const) else None
            if isinstance(word, str) and not isinstance(args[1], Slice):
                return self.letter(word, folded_number(args[1]))
        if fn is operator.getitem and self.is_letter(args[1]) and self.has_texts(args[0], args[1]):
            return super().of_structure(fn, args, kwargs)
        if any(map(self.is_letter, args)):
            return self.of_letters(fn, args)
        return super().of_structure(fn, args, kwargs)

    def has_texts(self, place: Expr, key: Expr) -> bool:
        """Whether a dict has texts for keys, and the key is one of them that the path taken decides."""
        raise NotImplementedError

    def letter(self, text: str, index: Expr) -> Expr:
        """``text[index]``"""
        if isinstance(index, Const) and isinstance(index.value, int) and -len(text) <= index.value < len(text):
            return Const(text[index.value])
        codes = Const(np.array([*map(ord, text)], dtype=np.int64), name="letters")
        self.numbers[id(codes.value)] = codes
        return Call(operator.getitem, (codes, index))

    def of_letters(self, fn: Any, args: tuple[Expr, ...]) -> Expr:
        """What is asked of characters: their order, and whether a text has one."""
        words = [arg.value if isinstance(arg, Const) and isinstance(arg.value, str) else None for arg in args]
        known = all(word is not None or self.is_letter(arg) for word, arg in zip(words, args))
        if fn is operator.contains and known and words[0] is not None:
            letter = self.kept(args[1])
            tests = [Call(operator.eq, (letter, Const(ord(each)))) for each in dict.fromkeys(words[0])]
            return Call(or_, tuple(tests)) if len(tests) > 1 else tests[0] if tests else Const(False)
        single = all(word is None or len(word) == 1 for word in words)
        if fn in _COMPARISONS and known and single:
            return Call(fn, tuple(arg if word is None else Const(ord(word)) for arg, word in zip(args, words)))
        if fn in (operator.eq, operator.ne) and known:
            return Const(fn is operator.ne)
        if fn is ord:
            return args[0]
        what = "anything but a comparison of a character at a position that is not known"
        return self.refuse(f"{what} is not supported", 'word[i] == "a", or a list of numbers in place of the text')
