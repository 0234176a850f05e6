"""aggregate: how the contributions to one cotangent are put together, where ``gradients`` is told how; part of `infer`.

``x_bar = a`` and ``x_bar += b`` in one block become one sum at the last of them, left to right or as a tree of pairs;
or a sum becomes one statement for each of its terms. What stands between decides how far: a contribution is not moved
over a change of what it reads.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.classes import Classes
from srcad.analysis.contents import content_names
from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Expr, Function, Let, Stmt, Store, Var
from srcad.lang.types import Array, Scalar
from srcad.transforms.context import is_bar
from srcad.transforms.initialise import is_zero, owns_memory

Term = tuple[int, Expr]  # its sign, and what it is without


def aggregate(fn: Function, method: str) -> Function:
    """Put contributions together by "add_n", "tree" or "accumulate_n".

    >>> from srcad.lang.ir import Return
    >>> from srcad.lang.types import FLOAT
    >>> from srcad.lang.write import write
    >>> a, b, c, x = (Var(name, FLOAT) for name in ("a", "b", "c", "x~bar"))
    >>> body = (Let("x~bar", a), Accum(x, b), Accum(x, c), Return(x))
    >>> [len(aggregate(Function("f", (), body), method).body) for method in ("add_n", "tree", "accumulate_n")]
    [2, 2, 4]
    """
    if method == "accumulate_n":
        return replace(fn, body=_apart(fn.body, _classes(fn.body)))
    return replace(fn, body=_Sums(_classes(fn.body), method).block(fn.body))


def _classes(block: Block) -> Classes:
    """Which names may share memory; a cotangent may have been handed on to another one, as a whole."""
    classes = Classes.of(block)
    for stmt in walk.statements(block):
        if isinstance(stmt, Let) and not _is_new(stmt.value):
            for name in walk.names(stmt.value):
                classes.union(stmt.target, name)
    return classes


def _apart(block: Block, classes: Classes) -> Block:
    """A block with a statement for each term that is added to a cotangent."""
    out: list[Stmt] = []
    for stmt in block:
        match stmt:
            case Let(target, value) if is_bar(target):
                whole, ((sign, first), *rest) = Var(target, getattr(value, "type", None)), _terms(value)  # type: ignore[arg-type]
                fits = all(_fits(term, whole) for _, term in _terms(value)) and _is_own(first, whole)
                if rest and fits and not _meets(rest, target, classes):
                    out.append(replace(stmt, value=_signed((sign, first))))
                    out += [Accum(whole, _signed(term), stmt.origin) for term in rest]
                    continue
            case Accum(Var(name) as whole, value) if is_bar(name):
                terms = _terms(value)
                if all(_fits(term, whole) for _, term in terms) and not _meets(terms, name, classes):
                    out += [replace(stmt, value=_signed(term)) for term in terms]
                    continue
        out.append(walk.map_stmt(lambda e: e, stmt, lambda inner: _apart(inner, classes)))
    return tuple(out)


def _meets(terms: list[Term], name: str, classes: Classes) -> bool:
    """Whether terms read the cotangent that they are added to, or its memory."""
    read = {each for _, term in terms for each in walk.names(term)}
    return classes.find(name) in set(map(classes.find, read))


def _is_new(value: Expr) -> bool:
    """Whether a value is no array that has another name, too: what is added to that one is added to it."""
    return isinstance(getattr(value, "type", None), Scalar) or owns_memory(value)


def _is_own(value: Expr, whole: Var) -> bool:
    """Whether a value can be added to in place: a number, or a new array of the shape of the whole."""
    kind = getattr(value, "type", None)
    return isinstance(kind, Scalar) or isinstance(value, Call) and kind == whole.type and value.fn in _ARITHMETIC


_ARITHMETIC = (operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, operator.neg, np.copy)


@dataclass
class _Sums:
    classes: Classes
    method: str

    def block(self, block: Block) -> Block:
        out = [walk.map_stmt(lambda e: e, stmt, self.block) for stmt in block]
        for name in [s.target for s in out if isinstance(s, Let) and is_bar(s.target)]:
            self.merge(out, name)
        return tuple(out)

    def merge(self, out: list[Stmt], name: str) -> None:
        """Merge the additions to a cotangent that follow on its first value."""
        places = [k for k, stmt in enumerate(out) if isinstance(stmt, Let) and stmt.target == name]
        if len(places) != 1 or not _is_new(out[places[0]].value):  # type: ignore[union-attr]
            return
        group = places
        for k in range(places[0] + 1, len(out)):
            stmt = out[k]
            if isinstance(stmt, Accum) and stmt.target == Var(name, getattr(stmt.target, "type", None)):  # type: ignore[arg-type]
                if name in walk.names(stmt.value) or not all(self.moves(out, j, k) for j in group):
                    break
                group = [*group, k]
            elif name in walk.mentioned((stmt,)):
                break
        if len(group) < 2:
            return
        first, last = out[group[0]], out[group[-1]]
        assert isinstance(first, Let) and isinstance(last, Accum) and isinstance(last.target, Var)
        terms = [term for k in group for term in _terms(out[k].value)]  # type: ignore[union-attr]
        terms = [term for term in terms if not is_zero(term[1])] or terms
        if not all(_fits(term, last.target) for _, term in terms) or not self.is_whole(terms, last.target):
            return
        out[group[-1]] = Let(name, self.sum(terms), last.origin)
        for k in reversed(group[:-1]):
            del out[k]

    def moves(self, out: list[Stmt], start: int, stop: int) -> bool:
        """Whether the value of a statement is the same at a later place."""
        value = out[start].value  # type: ignore[union-attr]
        read, contents = walk.names(value), set(map(self.classes.find, content_names(value)))
        for stmt in out[start + 1 : stop]:
            for inner in walk.statements((stmt,)):
                if read.intersection(walk.targets(inner)):
                    return False
                written = walk.names(inner.base) if isinstance(inner, Store) else walk.names(inner.target) \
                    if isinstance(inner, Accum) else set()
                if contents.intersection(map(self.classes.find, written)):
                    return False
        return True

    @staticmethod
    def is_whole(terms: list[Term], target: Var) -> bool:
        """Whether a sum is a new value of the type of the whole."""
        if not isinstance(target.type, Array):
            return True
        return target.type.ndim > 0 and any(getattr(term, "type", None) == target.type for _, term in terms)

    def sum(self, terms: list[Term]) -> Expr:
        if self.method == "add_n":
            total = _signed(terms[0])
            for sign, term in terms[1:]:
                total = _added(total, sign, term)
            return total
        while len(terms) > 1:
            pairs = [terms[k : k + 2] for k in range(0, len(terms), 2)]
            terms = [pair[0] if len(pair) == 1 else (1, _added(_signed(pair[0]), *pair[1])) for pair in pairs]
        return _signed(terms[0])


def _added(total: Expr, sign: int, term: Expr) -> Expr:
    """``total + term``, of the type of the one that has more axes."""
    types = [getattr(e, "type", None) for e in (total, term)]
    kind = next((t for t in types if isinstance(t, Array)), types[0])
    return Call(operator.add if sign > 0 else operator.sub, (total, term), (), kind)  # type: ignore[arg-type]


def _terms(value: Expr) -> list[Term]:
    match value:
        case Call(operator.add, (a, b)):
            return [*_terms(a), *_terms(b)]
        case Call(operator.sub, (a, b)):
            return [*_terms(a), *((-sign, term) for sign, term in _terms(b))]
        case Call(operator.neg, (a,)):
            return [(-sign, term) for sign, term in _terms(a)]
        case Call(np.copy, (a,)):
            return _terms(a)
    return [(1, value)]


def _signed(term: Term) -> Expr:
    sign, value = term
    return value if sign > 0 else Call(operator.neg, (value,), (), getattr(value, "type", None))  # type: ignore[arg-type]


def _fits(value: Expr, whole: Var) -> bool:
    """Whether a term is of the type of the whole, or a number that takes its dtype."""
    kind, of = getattr(value, "type", None), whole.type
    if isinstance(kind, Scalar):
        return isinstance(of, (Scalar, Array)) and (kind.weak or kind.dtype == of.dtype)
    return isinstance(kind, Array) and isinstance(of, Array) and (kind.dtype, kind.shape) == (of.dtype, of.shape)
