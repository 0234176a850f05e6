"""Dicts and lists inside of others, which are changed where they are: ``net["layers"][0]["w"] = w``; part of `inline`.

A structure is a value here, and each name holds its own. Where several names mean one object in Python, or a name means
an element of another structure, a change of one has to reach all. `links` says which name means which element of which
other one, and `sole` which elements nothing else holds. What is not known that well is not changed but refused.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator
from typing import Any

from srcad.lang.ir import Block, Call, Const, Expr, Function, If, Stmt, Tuple, Var, element_at
from srcad.lang.lists import element_of
from srcad.lang.structure import LIST
from srcad.lang.types import Form, TupleType, Type
from srcad.transforms import dead
from srcad.transforms.callees import Keywords
from srcad.transforms.containers import Containers
from srcad.transforms.outlines import is_mutable
from srcad.transforms.values import is_static

_PARTS = (operator.getitem, element_at, element_of)
Path = tuple[Any, ...]
Link = tuple[str, Path]


class Nests(Containers):
    """Follows which names mean elements of which structures."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.links: dict[str, Link] = {}  # names that mean an element of another one, or the same as it
        self.sole: dict[str, frozenset[Path]] = {}  # of names: the elements that nothing but it holds
        self.mutated: set[str] = set()  # the names whose elements have been changed

    # ------------------------------------------------------------ what names mean

    def let(self, target: str, value: Expr | None) -> None:
        if value == Var(target) and is_mutable(self.types.get(target)):
            return
        link = self.place_of(value)
        fresh = value is not None and self.is_new(value)
        sole, names = self.elements_of(value) if fresh and link is None else (frozenset(), {})
        if not fresh and link is None:  # one structure or another: a change of either may be one of this
            self.expose(value)
        self.forget_links(target)
        super().let(target, value)
        if link is not None and link[0] != target and is_mutable(self.types.get(target)):
            self.links[target] = link
        elif fresh and is_mutable(self.types.get(target)) and target not in self.static:
            self.sole[target] = sole
            for name, path in names.items():
                self.relink(name, (target, path))

    def place_of(self, value: Expr | None) -> Link | None:
        """The element of a name's structure that an expression is, or the name itself."""
        match value:
            case Var(name) if is_mutable(self.types.get(name)):
                return self.links.get(name, (name, ()))
            case Call(fn, (base, Const(key))) if fn in _PARTS and (found := self.place_of(base)) is not None:
                return found[0], (*found[1], self.key_at(found, key, fn is element_at))
        return None

    def key_at(self, place: Link, key: Any, by_position: bool) -> Any:
        """A key, also of what is given by its position, or an index counted from the front."""
        found = self.kind_at(place)
        if found and found.form.keys and by_position:
            return found.form.keys[key]
        return key + len(found.items) if found and found.form.cls is list and isinstance(key, int) and key < 0 else key

    def kind_at(self, place: Link) -> TupleType | None:
        found: Type | None = self.types.get(place[0])
        for key in place[1]:
            if not isinstance(found, TupleType):
                return None
            keys = found.form.keys or range(len(found.items))
            found = found.items[[*keys].index(key)] if key in keys else None
        return found if isinstance(found, TupleType) else None

    def forget_links(self, target: str) -> None:
        """A name is given something else."""
        self.links.pop(target, None)
        self.sole.pop(target, None)
        self.links = {name: link for name, link in self.links.items() if link[0] != target}

    def elements_of(self, value: Expr | None) -> tuple[frozenset[Path], dict[str, Path]]:
        """The elements of a new structure that nothing else holds, and the names that mean some of them."""
        sole, names = set[Path](), dict[str, Path]()

        def item(expr: Expr, path: Path) -> None:
            if isinstance(expr, Tuple) and isinstance(expr.type, TupleType):
                sole.add(path)
                for key, part in zip(expr.type.form.keys or range(len(expr.items)), expr.items):
                    item(part, (*path, key))
            elif isinstance(expr, Var) and expr.name in self.sole and expr.name not in names:
                names[expr.name] = path
                sole.update((*path, *inner) for inner in self.sole[expr.name] | {()})
            elif isinstance(expr, Call) and is_mutable(self.type_of(expr)) and self.is_new(expr):
                sole.add(path)
                self.expose(expr)
            else:
                for name in [name for name in names if self.holds_name(expr, name)]:
                    sole.difference_update([p for p in sole if p[: len(names[name])] == names[name]])
                    del names[name]
                self.expose(expr)

        item(value, ()) if isinstance(value, Tuple) else self.expose(value)
        return frozenset(sole - {()}), names

    def holds_name(self, expr: Expr, name: str) -> bool:
        found = self.place_of(expr)
        return found is not None and found[0] == name

    def relink(self, name: str, to: Link) -> None:
        """What a name means is an element of another structure from now on."""
        self.sole.pop(name, None)
        self.links[name] = to
        self.links |= {n: (to[0], (*to[1], *link[1])) for n, link in self.links.items() if link[0] == name}

    def expose(self, value: Expr | None) -> None:
        """Something holds on to what a value is, or to elements of it."""
        for root, path in list(self.exposed(value)):
            if not path:
                self.sole.pop(root, None)
            elif root in self.sole:
                self.sole[root] = frozenset(p for p in self.sole[root] if p[: len(path)] != path)

    def exposed(self, value: Expr | None) -> Iterator[Link]:
        if (place := self.place_of(value)) is not None:
            if isinstance(self.type_of(value), TupleType):  # type: ignore[arg-type]
                yield place
            return
        if isinstance(value, Tuple):
            for part in value.items:
                yield from self.exposed(part)
        elif isinstance(value, Call) and isinstance(self.type_of(value), TupleType):
            for part in (*value.args, *(each for _, each in value.kwargs)):
                yield from self.exposed(part)

    # ------------------------------------------------------------ changes

    def may_be_changed(self, name: str) -> bool:
        root, path = self.links.get(name, (name, ()))
        within = self.sole.get(root)
        known = within is not None and all(path[:k] in within for k in range(1, len(path) + 1))
        known = known and (not path or self.kind_at((root, path[:-1])) is not None)  # none of what became an array
        return known and root not in self.walled

    def change(self, name: str, parts: tuple[Expr, ...], form: Form) -> None:
        if name in self.walled or name in self.owned and not self.linked(name) or not self.may_be_changed(name):
            return super().change(name, parts, form)
        root, path = self.links.get(name, (name, ()))
        if any(map(is_static, parts)):
            return self.holds_objects(name, (root, path), parts, form)
        self.check_length(name, parts, form)
        self.rearrange(name, (root, path), parts, form)
        self.renew(name, Tuple(parts, TupleType(tuple(map(self.type_of, parts)), form)))
        if path:
            self.renew(root, self.exchanged(root, path, Var(name)))
        elif root != name:
            self.renew(root, Var(name))
        for other, link in list(self.links.items()):
            if link[0] == root and other != name and link[1] == path[: len(link[1])]:
                self.renew(other, self.at_path(root, link[1]))

    def of_structure(self, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
        """``xs += [a]`` of a list changes it, whoever holds it."""
        if fn is operator.iadd and isinstance(args[0], Var) and getattr(self.type_of(args[0]), "form", None) == LIST:
            more = self.iterated(args[1])
            if more is not None:
                self.change(args[0].name, (*(self.elements(args[0]) or ()), *map(self.named, more)), LIST)
                return args[0]
        return super().of_structure(fn, args, kwargs)

    def holds_objects(self, name: str, place: Link, parts: tuple[Expr, ...], form: Form) -> None:
        """A list or dict gets its first object, or function."""
        raise NotImplementedError

    def linked(self, name: str) -> bool:
        """Whether other names mean what a name means, or a part of it."""
        return name in self.links or any(link[0] == name for link in self.links.values()) or bool(self.sole.get(name))

    def renew(self, name: str, value: Expr) -> None:
        """Give a name another value, which means the same object."""
        links, sole, owned = dict(self.links), dict(self.sole), set(self.owned)
        super().let(name, value)
        self.links, self.sole, self.owned = links, sole, owned
        self.touched.add(name)
        self.mutated.add(name)
        self.bound.add(name)
        self.changes += 1

    def at_path(self, root: str, path: Path) -> Expr:
        """An element of a structure, as an expression."""
        place: Expr = Var(root)
        for depth, key in enumerate(path):
            found = self.kind_at((root, path[:depth]))
            assert found is not None
            position = found.form.keys.index(key) if found.form.keys else key
            place = self.element(place, found, position)
        return place

    def exchanged(self, root: str, path: Path, value: Expr) -> Expr:
        """A structure with another element at a place."""
        for depth in reversed(range(len(path))):
            found = self.kind_at((root, path[:depth]))
            assert found is not None
            keys = [*(found.form.keys or range(len(found.items)))]
            whole = self.at_path(root, path[:depth])
            parts = [value if key == path[depth] else self.element(whole, found, k) for k, key in enumerate(keys)]
            value = Tuple(tuple(parts), TupleType(tuple(map(self.type_of, parts)), found.form))
        return value

    def rearrange(self, name: str, place: Link, parts: tuple[Expr, ...], form: Form) -> None:
        """Know where the elements of a structure are after a change, and which of them nothing else holds."""
        root, path = place
        depth = len(path)
        keys = form.keys or range(len(parts))
        old = [at[1][depth] if at and at[0] == root and at[1][:-1] == path and at[1] else None
               for at in map(self.place_of, parts)]  # fmt: skip
        moved = {at: key for at, key in zip(old, keys) if at is not None and old.count(at) == 1}
        new = [(key, part) for at, key, part in zip(old, keys, parts) if at not in moved]

        def after(other: Path) -> Path | None:
            if other[:depth] != path or len(other) == depth:
                return other
            return (*path, moved[other[depth]], *other[depth + 1 :]) if other[depth] in moved else None

        taken = [(key, *self.elements_of(Tuple((part,), TupleType((self.type_of(part),))))) for key, part in new]
        kept = {after(p) for p in self.sole[root]}
        links = {n: (r, after(p)) if r == root else (r, p) for n, (r, p) in self.links.items()}
        self.links = {n: link for n, link in links.items() if link[1] is not None}  # type: ignore[misc]
        for key, sole, names in taken:
            kept |= {(*path, key, *p[1:]) for p in sole}
            for other, (_, *rest) in names.items():
                self.relink(other, (root, (*path, key, *rest)))
        self.sole[root] = frozenset(p for p in kept if p is not None)

    def check_length(self, name: str, parts: tuple[Expr, ...], form: Form) -> None:
        """Refuse what loops cannot carry: a list from before that becomes longer."""
        before = self.types.get(name)
        root = self.links.get(name, (name, ()))[0]
        if isinstance(before, TupleType) and len(before.items) != len(parts) and {name, root} & self.outside:
            self.shared(name)

    # ------------------------------------------------------------ where paths meet

    def activation(self, frame: Any, key: Any, name: str, body: Block) -> Expr:
        result = super().activation(frame, key, name, body)
        self.links = dead.behind_call(self, frame, result, body)
        return result

    def meet_behind(self, stmt: If, links: dict[str, Link], sole: dict[str, frozenset[Path]]) -> None:
        """Know only what is so on both sides of a branch, and of the names that are read behind it."""
        self.links, links = (dead.behind_branch(self, stmt, found) for found in (self.links, links))
        self.meet(links, sole)

    def meet(self, links: dict[str, Link], sole: dict[str, frozenset[Path]]) -> None:
        """Know only what is so on another path, too."""
        for name in self.links.keys() | links.keys():
            if self.links.get(name) != links.get(name):
                for root, path in {self.links.get(name), links.get(name)} - {None}:  # type: ignore[misc]
                    self.expose(self.at_path(root, path) if self.kind_at((root, path)) else Var(root))
                self.links.pop(name, None)
        self.sole = {root: paths & sole[root] for root, paths in self.sole.items() if root in sole}

    def paths(self, *works: Callable[[], Any]) -> list[tuple[list[Stmt], Any]]:
        links, sole, ends = dict(self.links), dict(self.sole), []

        def tracked(work: Callable[[], Any]) -> Any:
            self.links, self.sole = dict(links), dict(sole)
            result = work()
            ends.append((self.links, self.sole))
            return result

        found = super().paths(*(functools.partial(tracked, work) for work in works))
        for end in ends[:-1]:
            self.meet(*end)
        return found

    def under(self, test: Expr, work: Callable[[], None]) -> None:
        links, sole = dict(self.links), dict(self.sole)
        super().under(test, work)
        self.meet(links, sole)

    def repeated(self, body: Block, then: Callable[[], None] = lambda: None) -> Block:
        links, sole, outside, self.mutated = dict(self.links), dict(self.sole), self.mutated, set()
        result = super().repeated(body, then)
        for name, link in links.items():
            if self.links.get(name) != link and link[0] in self.mutated:
                self.shared(name)
        for root, paths in sole.items():
            if not paths <= self.sole.get(root, frozenset()) and root in self.mutated:
                self.shared(root)
        self.mutated |= outside
        self.meet(links, sole)
        return result
