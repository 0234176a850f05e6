"""Why a name of a function carries a derivative or not: read from the facts that reverse mode decides by."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from srcad.analysis.activity import CUTS, Activity, carried, flows, reach, results, reversed_edges
from srcad.analysis.buffers import stored_name
from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.ir import Call, Effect, Expr, For, Function, If, Let, Move, Stmt, While, hint, is_temporary
from srcad.lang.origin import Origin
from srcad.lang.types import INT, Array, Scalar, Static, Type, is_float
from srcad.transforms.context import Context
from srcad.transforms.packing import leaves


@dataclass(frozen=True)
class Name:
    """A name of the user's function: whether a derivative goes through it, and if not, why."""

    name: str
    active: bool
    why: str
    type: str
    lines: tuple[int, ...]
    """The lines that give it a value."""


@dataclass
class Stories:
    """Tells about the names of one function; `fn` is flat, `read` is what was read, before names were split."""

    fn: Function
    read: Function
    context: Context
    wrt: tuple[str, ...]

    def __post_init__(self) -> None:
        self.types: dict[str, Type] = {**{p.name: p.type for p in self.fn.params}, **self.context.types}
        # The user's parameters, and the names that stand for each: for the parts of a structure, several.
        self.parts = {param.name: [leaf.name for leaf in leaves(whole)] for param, whole in self.fn.arguments}
        self.owner = {part: name for name, parts in self.parts.items() for part in parts}
        for stmt in walk.statements(self.fn.body):
            if isinstance(stmt, For):
                self.types.setdefault(stmt.index, INT)
        self.activity: Activity = self.context.activity
        self.edges = flows(self.fn, self.context.buffers)
        self.back = reversed_edges(self.edges)
        self.statements = list(walk.statements(self.fn.body))
        self.definitions: dict[str, list[Stmt]] = {}
        for stmt in self.statements:
            for name in {*walk.targets(stmt), *filter(None, [stored_name(stmt)])}:
                self.definitions.setdefault(name, []).append(stmt)

    def names(self) -> list[Name]:
        """The user's names, the parameters first, then in the order of their first values."""
        own = [p.name for p in self.read.params]
        own += [n for s in walk.statements(self.read.body) if self._own(s.origin) for n in walk.targets(s)]
        return [self.name(name) for name in dict.fromkeys(own) if "." not in name and not name.startswith("_t")]

    def name(self, name: str) -> Name:
        versions = self._versions(name)
        read = [s for s in walk.statements(self.read.body) if name in walk.targets(s) and self._own(s.origin)]
        lines = [s.origin.line for s in read] + [d.origin.line for v in versions for d in self.definitions.get(v, ())]
        active = any(version in self.activity for version in versions)
        reasons = [] if active else list(dict.fromkeys(filter(None, map(self.why, versions)))) or [self._vanished(read)]
        why = "; ".join([r for r in reasons if not r.startswith("a constant")] or reasons)
        whole = next((p.type for p, _ in self.fn.arguments if p.name == name), None)
        kinds = dict.fromkeys([spelled(whole)] if whole else [spelled(self.types.get(v)) for v in versions])
        return Name(name, active, why, " or ".join(kinds), tuple(sorted({line for line in lines if line})))

    def _own(self, origin: Origin) -> bool:
        return (origin.filename, origin.function) == (self.read.origin.filename, self.read.origin.function)

    def _versions(self, name: str) -> list[str]:
        """The values that the user calls `name`, each with a name of its own."""
        found = [p.name for p in self.fn.params if hint(p.name) == name] + self.parts.get(name, [])
        for version, stmts in self.definitions.items():
            if hint(version) == name and any(self._own(s.origin) for s in stmts):
                found.append(version)
        found += [s.index for s in self.statements if isinstance(s, For) and hint(s.index) == name]
        return list(dict.fromkeys(found)) or self._elements(name)

    def _elements(self, name: str) -> list[str]:
        """The values of a small array whose elements have names of their own."""
        numbered, others = re.compile(rf"{name}(_\d+)+"), {hint(n) for n in walk.assigned(self.read.body)}
        return [v for v in self.definitions if numbered.fullmatch(hint(v)) and hint(v) not in others]

    def _vanished(self, read: list[Stmt]) -> str:
        """Why a name that was read is not there any more."""
        for stmt in read:
            if isinstance(stmt, Let):
                return "a constant that is known when the derivative is made, or on a path that is not taken"
        return "a constant"

    # ------------------------------------------------------------ why not

    def why(self, version: str) -> str:
        """Why no derivative goes through a value."""
        kind = self.types.get(version)
        if kind is not None and not is_float(kind):
            return described(kind)
        if version not in self.activity.varied:
            return self._constant(version)
        return self._useless(version)

    def _constant(self, version: str) -> str:
        """Why a value does not depend on what is differentiated with respect to."""
        params = {p.name for p in self.fn.params} | set(self.owner)
        before = reach(self.back, [version])
        for name in sorted(before):
            for stmt in self.definitions.get(name, ()):
                if isinstance(stmt, Let) and isinstance(stmt.value, Call) and member(stmt.value.fn, CUTS):
                    return f"held by stop_gradient{_at(stmt.origin)}"
        if version in params:
            return f"not asked for: wrt is {', '.join(self.wrt)}"
        if others := self._called(before & params):
            return f"computed from {', '.join(others)} only, and wrt is {', '.join(self.wrt)}"
        sources = self._sources(version) & params
        if any(name in self.activity.varied for name in sources):
            return f"not on a path from {', '.join(self.wrt)}: only through integers, truth values or shapes"
        if sources:
            names = ", ".join(self._called(sources))
            return f"not on a path from {', '.join(self.wrt)}: computed from {names}"
        return "a constant: not on a path from the arguments"

    def _called(self, params: Iterable[str]) -> list[str]:
        """What the user calls parameters or parts of them."""
        return sorted({self.owner.get(name, hint(name)) for name in params})

    def _sources(self, version: str) -> set[str]:
        """All names that a value is computed from, integers and lengths included."""
        edges: dict[str, set[str]] = {}
        for name, stmts in self.definitions.items():
            edges[name] = {n for stmt in stmts for e in walk.stmt_exprs(stmt) for n in walk.names(e)}
        return set(reach(edges, [version]))

    def _useless(self, version: str) -> str:
        """Why the result does not depend on a value, although the value depends on what is differentiated."""
        if not self._readers({version}):
            later = [v for v in self._versions(hint(version)) if v != version]
            return "overwritten before it is used" if self._after(version, later) else "never used"
        after = reach(self.edges, [version])
        cuts = list(dict.fromkeys(filter(None, (self._cut(stmt, after) for stmt in self._readers(after)))))
        if cuts:
            return f"not on a path to the result: it only goes into {', '.join(cuts)}"
        return "not on a path to the result"

    def _after(self, version: str, later: Iterable[str]) -> bool:
        own = max((s.origin.line for s in self.definitions.get(version, ())), default=0)
        return any(s.origin.line > own for v in later for s in self.definitions.get(v, ()))

    def _readers(self, names: Iterable[str]) -> list[Stmt]:
        wanted = set(names)
        return [s for s in self.statements if any(wanted & walk.names(e) for e in walk.stmt_exprs(s))]

    def _cut(self, stmt: Stmt, names: frozenset[str]) -> str:
        """What ends the path of a derivative in a statement."""
        match stmt:
            case Let(_, Call(fn)) if member(fn, CUTS):
                return f"stop_gradient{_at(stmt.origin)}"
            case Let(target, value) if is_temporary(target) and self._tests(target):
                return f"a condition{_at(stmt.origin)}" if self._reads(value, names) else ""
            case Let(_, value) if not carried(value) and self._reads(value, names):
                return f"{described(getattr(value, 'type', None))}{_at(stmt.origin)}"
            case If(test) | While(test) if self._reads(test, names):
                return f"a condition{_at(stmt.origin)}"
            case For() if any(self._reads(bound, names) for bound in (stmt.start, stmt.stop, stmt.step)):
                return f"the bounds of a loop{_at(stmt.origin)}"
            case Effect():
                return f"a message or check{_at(stmt.origin)}"
        return ""

    def _tests(self, name: str) -> bool:
        """Whether a name is the test of a branch or loop."""
        return any(isinstance(s, (If, While)) and name in walk.names(s.test) for s in self.statements)

    def _reads(self, expr: Expr, names: frozenset[str]) -> bool:
        return bool(walk.names(expr) & names)

    # ------------------------------------------------------------ where it goes

    def readers(self, name: str) -> list[Origin]:
        """The lines that read a name."""
        origins = (s.origin for s in self._readers(self._versions(name)) if not isinstance(s, Move) and s.origin.line)
        return sorted(dict.fromkeys(origins), key=lambda o: o.line)

    def returned(self, name: str) -> bool:
        return bool(set(self._versions(name)) & set(results(self.fn)))


def _at(origin: Origin) -> str:
    return f" (line {origin.line})" if origin.line else ""


def described(kind: Type | None) -> str:
    """What a value without a derivative is.

    >>> described(Scalar("int64")), described(Array("bool", (3,)))
    ('an integer', 'an array of truth values')
    """
    match kind:
        case Scalar(dtype):
            return f"a{'n integer' if 'int' in dtype else ' truth value' if dtype == 'bool' else ' number'}"
        case Array(dtype):
            return f"an array of {'integers' if 'int' in dtype else 'truth values' if dtype == 'bool' else dtype}"
        case Static(None):
            return "None"
        case Static():
            return "a constant that is known when the derivative is made"
    return "no number"


def spelled(kind: Type | None) -> str:
    from srcad.transforms.packing import spell

    return "?" if kind is None else spell(kind)
