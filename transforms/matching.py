"""``match``: a chain of branches; part of `desugar`.

A pattern is what has to hold of the subject and what the names in it then are. What the types of the subject decide
(its length, its class) is decided when they are known.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gast

from srcad.lang import walk
from srcad.lang.forms import REFUSED
from srcad.lang.ir import Attr, Block, Call, Const, Expr, If, Let, Slice, Tuple, Var, and_, or_
from srcad.lang.nodes import nodes

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer

_CLASSES = (float, int, bool, complex, str, tuple, list)
_ALTERNATIVES = "a case for each alternative"


@dataclass(frozen=True)
class Pattern:
    """The tests that a subject must pass, in their order, and what its names are then."""

    tests: tuple[Expr, ...] = ()
    names: tuple[tuple[str, Expr], ...] = ()

    def __add__(self, other: Pattern) -> Pattern:
        return Pattern(self.tests + other.tests, self.names + other.names)


def match_statement(d: Desugarer, node: gast.Match) -> None:
    """``match subject: case ...``"""
    origin = d.origin
    captured = {n.name for n in nodes(node) if isinstance(n, (gast.MatchAs, gast.MatchStar)) and n.name}
    subject = _subject(d, d.sequence(node.subject), captured)
    if subject is not REFUSED:
        d.out += _cases(d, subject, node.cases)
    d.origin = origin


def _subject(d: Desugarer, value: Expr, captured: set[str]) -> Expr:
    """The subject as something that can be read again and that no case changes."""
    if isinstance(value, Tuple):
        return Tuple(tuple(_subject(d, item, captured) for item in value.items))
    fixed = isinstance(value, Const) or isinstance(value, Var) and value.name not in captured
    return value if fixed else d.temporary(value)


def _cases(d: Desugarer, subject: Expr, cases: list[gast.match_case]) -> Block:
    """The branches of these cases."""
    if not cases:
        return ()
    case, *others = cases
    outer, d.out = d.out, []
    d.origin = d.source.origin(case.pattern)
    origin = d.origin
    pattern = _pattern(d, case.pattern, subject)
    binds = tuple(Let(name, value, origin) for name, value in pattern.names)
    test = _all(pattern.tests)
    if case.guard is not None and binds and test is not None:
        test = _guarded(d, pattern.tests, binds, case.guard)
        binds = ()
    elif case.guard is not None:
        d.out += binds
        binds = ()
        test = _all((*pattern.tests, d.expr(case.guard)))
    body = (*binds, *d.block(case.body))
    if test is None:
        d.out += body
    else:
        d.emit(If(test, body, _cases(d, subject, others), origin))
    result, d.out = tuple(d.out), outer
    return result


def _guarded(d: Desugarer, tests: tuple[Expr, ...], binds: Block, guard: gast.AST) -> Expr | None:
    """A guard, which is asked only where the pattern fits and its names have their values.

    What is asked of classes is known sooner than the rest, and is asked again, so that nothing is left of a case that
    cannot be.
    """
    origin, fits = d.origin, d.fresh("fits")
    d.emit(Let(fits, Const(False), origin))
    outer, d.out = d.out, []
    value = d.expr(guard)
    inside, d.out = (*binds, *d.out, Let(fits, value, origin)), outer
    d.emit(If(_all(tests), inside, (), origin))  # type: ignore[arg-type]
    return _all((*(t for t in tests if isinstance(t, Call) and t.fn is isinstance), Var(fits)))


def _all(tests: tuple[Expr, ...]) -> Expr | None:
    if not tests:
        return None
    return tests[0] if len(tests) == 1 else Call(and_, tests)


def _pattern(d: Desugarer, node: gast.AST, subject: Expr) -> Pattern:
    match node:
        case gast.MatchValue(value=value):
            return Pattern((Call(operator.eq, (subject, d.expr(value))),))
        case gast.MatchSingleton(value=None):
            return Pattern((Call(operator.is_, (subject, Const(None))),))
        case gast.MatchSingleton(value=value):
            return Pattern((Call(isinstance, (subject, Const(bool))), Call(operator.eq, (subject, Const(value)))))
        case gast.MatchAs(pattern=inner, name=name):
            found = Pattern() if inner is None else _pattern(d, inner, subject)
            return found if name is None else found + Pattern((), ((name, subject),))
        case gast.MatchOr(patterns=patterns):
            return _alternatives(d, node, [_pattern(d, inner, subject) for inner in patterns])
        case gast.MatchSequence(patterns=patterns):
            return _sequence(d, node, patterns, subject)
        case gast.MatchClass(cls=cls, patterns=patterns):
            meaning = d.expr(cls)
            if isinstance(meaning, Const) and isinstance(meaning.value, type):
                return _of_class(d, node, meaning, subject)
    d.refuse(node, "this pattern is not supported", "if and elif")
    return Pattern()


def _of_class(d: Desugarer, node: gast.MatchClass, cls: Const, subject: Expr) -> Pattern:
    """``Point(x, y=0)``: the class, and its attributes, those by position in the order of ``__match_args__``."""
    found = Pattern((Call(isinstance, (subject, cls)),))
    if cls.value in _CLASSES and len(node.patterns) <= 1 and not node.kwd_attrs:
        return sum((_pattern(d, inner, subject) for inner in node.patterns), found)
    order = getattr(cls.value, "__match_args__", ())
    if len(node.patterns) > len(order):
        name = cls.value.__name__
        reason = f"a pattern of {name} with more attributes by position than its __match_args__ names is not supported"
        d.refuse(node, reason, f"{name}(attribute=...)")
        return found
    names = (*order[: len(node.patterns)], *node.kwd_attrs)
    for name, inner in zip(names, (*node.patterns, *node.kwd_patterns)):
        found += _pattern(d, inner, Attr(subject, name))
    return found


def _alternatives(d: Desugarer, node: gast.MatchOr, patterns: list[Pattern]) -> Pattern:
    if any(pattern.names for pattern in patterns):
        d.refuse(node, "names in alternatives of a pattern are not supported", _ALTERNATIVES)
    if any(not pattern.tests for pattern in patterns):
        return Pattern()
    return Pattern((Call(or_, tuple(_all(pattern.tests) for pattern in patterns)),))  # type: ignore[misc]


def _sequence(d: Desugarer, node: gast.AST, patterns: list[gast.AST], subject: Expr) -> Pattern:
    """``[a, b, *rest]``: of the subject's length nothing need be known yet."""
    star = next((k for k, inner in enumerate(patterns) if isinstance(inner, gast.MatchStar)), None)
    count = len(patterns) - (star is not None)
    known = d.known_tuple(subject)
    if known is not None and (len(known) != count if star is None else len(known) < count):
        return Pattern((Const(False),))
    tests: tuple[Any, ...] = ()
    if known is None:
        enough = operator.eq if star is None else operator.ge
        tests = (Call(isinstance, (subject, Const(tuple))), Call(enough, (Call(len, (subject,)), Const(count))))
    found = Pattern(tests)
    for place, inner in enumerate(patterns):
        if star is None or place < star:
            found += _pattern(d, inner, d.item(subject, place))
        elif place > star:
            item = Call(operator.getitem, (subject, Const(place - len(patterns))))
            found += _pattern(d, inner, item if known is None else known[place - len(patterns)])
        elif inner.name is not None:
            stop = place - len(patterns) + 1
            between = Slice(Const(place), Const(stop) if stop else None)
            value: Expr = Call(operator.getitem, (subject, between))
            found += Pattern((), ((inner.name, value if known is None else Tuple(known[place:stop or None])),))
    assert not walk.names(subject) & {name for name, _ in found.names}, "the subject has a name of its own"
    return found
