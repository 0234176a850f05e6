"""bounds: what is known of whole numbers at a place in a function, from the loops and branches around it.

In ``for k in range(n - 1)`` the slice ``A[k + 1:]`` begins within its axis, ``A[k]`` is no row of it, and
``A[k:k + 1]`` has one. All of this are linear inequalities between the indices of loops and the lengths of arrays.
"""

from __future__ import annotations

import operator
from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.buffers import adds_in_place
from srcad.analysis.domains import Domains, Path, lengths
from srcad.analysis.inequalities import ONE, Form, added, scaled, solvable
from srcad.analysis.spans import is_whole
from srcad.lang import walk
from srcad.lang.arrays import lengths_in
from srcad.lang.ir import Attr, Call, Const, Expr, For, Function, Let, Stmt, Var, While
from srcad.lang.types import Array, Dim


@dataclass(frozen=True)
class Bounds:
    """What loops and branches say at a place inside of them.

    >>> import operator
    >>> from srcad.lang.ir import Call, Const, Param, Return, Var
    >>> from srcad.lang.types import INT
    >>> k, n = Var("k", INT), Var("n", INT)
    >>> loop = For("k", Const(1, INT), n, Const(1, INT), ())
    >>> known = Bounds.of(Function("f", (Param("n", INT),), (loop, Return(n)))).inside(loop)
    >>> before = Call(operator.sub, (k, Const(1, INT)), (), INT)
    >>> known.natural(before), known.natural(n), known.ordered(k, n), known.ordered(n, k)
    (True, True, True, False)
    """

    domains: Domains | None = None
    once: frozenset[str] = frozenset()  # names that stand for one value, or for one an iteration
    counters: frozenset[str] = frozenset()  # indices of several loops
    path: Path = ()
    facts: tuple[Form, ...] = ()
    lengths: tuple[Form, ...] = ()  # of arrays that have been made: they are not negative
    indices: frozenset[str] = frozenset()
    keys: dict = field(default_factory=dict)

    @staticmethod
    def of(fn: Function) -> Bounds:
        """What is known where no loop has begun."""
        assigning = [s for s in walk.statements(fn.body) if not adds_in_place(s)]
        times = Counter(name for stmt in assigning for name in walk.targets(stmt))
        times.update(param.name for param in fn.params)
        domains = Domains(fn)
        once = frozenset(name for name, count in times.items() if count == 1) - domains.moved
        counting = Counter(stmt.index for stmt in assigning if isinstance(stmt, For))
        domains.moved |= {name for name in times.keys() - once if counting[name] < times[name]}
        domains.fixed &= once
        domains.values = {name: value for name, value in domains.values.items() if name in domains.fixed}
        domains.tests = {}
        return Bounds(domains, once, counters=frozenset(counting) - once)

    def inside(self, stmt: Stmt, first: bool = True) -> Bounds:
        """What is known in a loop or branch."""
        if self.domains is None or isinstance(stmt, While):
            return self
        asked = {name for expr in walk.stmt_exprs(stmt) for name in walk.names(expr)}
        if asked & self.counters - self.indices:
            return self
        if isinstance(stmt, For) and (stmt.index in self.indices or stmt.index in walk.assigned(stmt.body)):
            return self
        path = *self.path, (stmt, first)
        keys, facts, _ = self.domains.of(path, "r")
        return replace(self, path=path, keys=keys, facts=tuple(facts), indices=frozenset(keys))

    def behind(self, stmt: Stmt) -> Bounds:
        """What is known behind a statement: no array that it makes, ``np.zeros(n - k + 1)``, has a negative length."""
        if self.domains is None:
            return self
        known = [own for own in made_lengths(stmt).values() if walk.names(own) <= self.once]
        forms = [form for own in known if (form := self.form(own)) is not None]
        new = [form for form in forms if any(form[key] < 0 for key in form.keys() - {ONE}) and not self.holds(form)]
        return replace(self, lengths=(*self.lengths, *new)) if new else self

    def may_fail(self, stmt: Stmt) -> bool:
        """Whether a statement makes an array of a length that is a difference, which may be negative."""
        return self.behind(stmt) is not self

    def form(self, expr: Expr | None) -> Form | None:
        """A whole number as a sum of unknowns; None where it is none, or may change meanwhile."""
        if expr is None or self.domains is None or not is_whole(expr) or not self.is_settled(expr):
            return None
        return self.domains.form(expr, self.keys, "r")

    def is_settled(self, expr: Expr) -> bool:
        """Whether all names in a number have one value for the iteration."""
        assert self.domains is not None
        match expr:
            case Var(name):
                return name in self.once or name in self.indices
            case Call(operator.getitem, (Attr(Var(name) as array, "shape"), Const(int() as axis))):
                return name in self.once or self.domains.known_length(array, axis, self.keys, "r") is not None
        return all(map(self.is_settled, walk.children(expr)))

    def difference(self, expr: Expr, less: Expr) -> Form | None:
        a, b = self.form(expr), self.form(less)
        return None if a is None or b is None else added(a, b, -1)

    def natural(self, expr: Expr) -> bool:
        """Whether a number is surely not negative."""
        form = self.form(expr)
        return form is not None and self.holds(form)

    def ordered(self, first: Expr, second: Expr) -> bool:
        """Whether a number is surely not greater than another one."""
        apart = self.difference(second, first)
        return apart is not None and self.holds(apart)

    def holds(self, form: Form) -> bool:
        """Whether a sum is surely not negative."""
        return not self.possible([], [added(scaled(form, -1), {ONE: -1})])

    def possible(self, zeros: list[Form], least: list[Form]) -> bool:
        """Whether some of these sums may be zero, and these others not negative, at once."""
        known = [*self.facts, *self.lengths, *least]
        return solvable(zeros, [*known, *(length for form in (*zeros, *known) for length in lengths(form))])


def made_lengths(stmt: Stmt) -> dict[Dim, Expr]:
    """The lengths of a new array, by their symbols."""
    match stmt:
        case Let(_, Call(np.zeros | np.empty | np.ones | np.full, (shape, *_), (), Array(_, dims))):
            return {dim: own for dim, own in zip(dims, lengths_in(shape)) if isinstance(dim, str)}
    return {}
