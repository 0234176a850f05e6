"""Random programs whose state lies in tuples, lists, dicts, objects and arrays of rank 3, or is read by closures.

``python -m tests.random_states --count 1000 --seed 1`` compares all forms of the derivative with finite differences and
prints the smallest program for each failure; ``--only`` prints one program and its derivative. ``--cpu`` compiles, too.
"""

from __future__ import annotations

import functools
import textwrap
from dataclasses import dataclass, replace

from tests import random_loops
from tests.random_loops import first_that_runs

PRELUDE = """
import math

import numpy as np


class State:
    gain = 0.8

    def __init__(self, h, u):
        self.h = h
        self.u = u

    def step(self, t):
        self.h = self.gain * self.h + t * self.u[0]
        self.u[1] += 0.3 * t

    def moved(self, t):
        return State(self.h - t, self.u * t)

    @property
    def energy(self):
        return 0.5 * self.h**2 + np.sum(self.u**2)

"""

# One alternative a line, see `random_loops`. {new}: the name of what is made or changed; {f}: of a closure.

CUBES = """
{new} = np.stack([{A}, {A} * {e}])
{new} = np.zeros((2, n, n)); {new}[0] = {A}; {new}[1] = {A}.T * {e}
{new} = np.array([{A}, {A}.T])
{new} = np.ones((2, n, n)) * {v}
{new} = {A}[None] * p[:2, None, None]
"""
CUBE_STORES = """
{new}[..., {i}] = {e}
{new}[:, {i}] {op} {v}
{new}[1, {i}, {j}] {op} {e}
{new}[:, {i}, {j}] {op} {e}
{new}[0], {new}[1] = {new}[1].copy(), {new}[0].copy()
{new}[::-1] = {new}
{new}[0] {op} {new}[1].T
{new} *= {e}
{new}[..., 1:] = {new}[..., :-1]
{new}[:, k[:2]] += {e}
{new}.transpose(2, 1, 0)[{i}] = {e}
{new}.reshape(2, -1)[1] {op} {e}
{new}.swapaxes(0, 1)[{i}, 0] = {v}
{new} = {new}[::-1]
{new} = {new}.transpose(0, 2, 1)
g += np.sum({new}[:, {i}] * {v})
g += np.sum({new}.sum(axis=(0, 1)) * {v})
"""
TUPLES = """
{new} = ({e}, {e})
{new} = (a, g)
"""
TUPLE_STORES = """
{new} = ({new}[1], {e})
{new} = {new}[::-1]
{new} = ({e}, *{new}[:1])
{new} = tuple(0.9 * t for t in {new})
a, g = {new}
a, {new} = {new}[0], (a, {e})
"""
LISTS = """
{new} = [{e}, {e}, {e}]
{new} = [0.0] * 3
{new} = [0.5 * t for t in {v}[:3]]
{new} = list(p)
"""
LIST_STORES = """
{new}[{c}] = {e}
{new}[{c}] {op} {e}
{new}[{i} % 3] {op} {e}
{new}[0], {new}[2] = {new}[2], {new}[0]
{new}.reverse()
{new} = [{e}, *{new}[1:]]
{new} = {new}[1:] + {new}[:1]
{new} = [t * {e} for t in {new}]
{new} = [max(t, u) for t, u in zip({new}, p)]
g += sum({new})
g += sum(t * u for t, u in zip({new}, {v}))
"""
STACKS = """
{new} = [{v}.copy(), {w} * 1.0, {v} * 0.5]
{new} = [{v}, {u}, {v}.copy()]
{new} = [row for row in {A}[:3]]
{new} = [np.zeros(n) for _ in range(3)]
"""
STACK_STORES = """
{new}[{c}][{i}] {op} {e}
{new}[{i} % 3] = {v} * {e}
{new}[{c}] = {new}[0] + {v}
{new}[0], {new}[1] = {new}[1], {new}[0]
{new}[{c}] *= {e}
{new}.reverse()
{new} = [t * {e} for t in {new}]
g += sum(np.sum(t * {v}) for t in {new})
g += np.sum(np.array({new}) ** 2)
"""
DICTS = """
{new} = {{"h": {e}, "u": {v}.copy()}}
{new} = {{"h": a, "u": {v}}}
{new} = dict(h={e}, u={v} * 1.0)
"""
DICT_STORES = """
{new}["h"] {op} {e}
{new}["h"], g = g, {new}["h"]
{new}["u"][{i}] {op} {e}
{new}["u"] = {v} * {e}
{new}["u"] {op} {v}
{new} = {{**{new}, "h": {e}}}
{new} = {{key: t * 0.9 for key, t in {new}.items()}}
"""
OBJECTS = """
{new} = State({e}, {v}.copy())
{new} = State(a, {v})
"""
OBJECT_STORES = """
{new}.h {op} {e}
{new}.step({e})
{new}.u = {v} * {e}
{new}.u[{i}] {op} {e}
{new} = {new}.moved({e})
{new} = State({new}.h, {new}.u)
{new}.h, g = g, {new}.h
g += {new}.energy
"""
EXITS = """
continue
break
return {e}
"""
STATES = {
    "cube": (CUBES, CUBE_STORES, (),
             ("{0}[0, 1]", "{0}[1][:, 2]", "{0}[1, ::-1, 0]"), ("{0}[0]", "{0}[1]", "{0}[1].T")),
    "tuple": (TUPLES, TUPLE_STORES, ("{0}[0]", "{0}[1]", "{0}[-1]"), (), ()),
    "list": (LISTS, LIST_STORES, ("{0}[0]", "{0}[1]", "{0}[-1]"), (), ()),
    "stack": (STACKS, STACK_STORES, ("{0}[0][1]",), ("{0}[0]", "{0}[1]", "{0}[-1]"), ()),
    "dict": (DICTS, DICT_STORES, ('{0}["h"]',), ('{0}["u"]',), ()),
    "object": (OBJECTS, OBJECT_STORES, ("{0}.h",), ("{0}.u",), ()),
}  # how a state is made and changed, and the numbers, vectors and matrices in it
COMMON = {"numbers": 3, "elements": 2, "slices": 2, "vector": 1, "loop": 4, "branch": 2, "change": 7, "forever": 1,
          "leave": 1, "closure": 2}  # fmt: skip


@dataclass(frozen=True)
class Scope(random_loops.Scope):
    """The names that a statement may use: `states` are pairs of a kind and a name."""

    states: tuple[tuple[str, str], ...] = ()
    closures: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()  # closures that change what is around them


class Generator(random_loops.Generator):
    """Writes one program."""

    prelude, all_kinds, common, exits = PRELUDE, STATES, COMMON, EXITS
    texts = {"numbers": random_loops.NUMBER_STORES, "elements": random_loops.ELEMENT_STORES,
             "slices": random_loops.SLICE_STORES}  # fmt: skip

    def __init__(self, seed: int):
        super().__init__(seed)
        self.kinds = self.rng.sample([*self.all_kinds], 2)
        self.weights = self.common | dict.fromkeys(self.kinds, 2)

    def program(self) -> str:
        copies = [f"{name} = {name}.copy()" for name in ("x", "y", "A") if self.rng.random() < 0.6]
        lines, scope = self.state(self.kinds[0], Scope())
        more, scope = self.block(scope, 1 + self.rng.randrange(3))
        nest, scope = self.loop(scope)
        scope = replace(scope, vectors=(*scope.vectors, *scope.vectors[2:] * 3))
        read = [f"0.7 * {number}" for number in scope.numbers[2:][:4]]
        result = " + ".join([self.filled(random_loops.RETURNS, scope), *read])
        body = "\n".join(["g = 0.5", *copies, *lines, *more, *nest, f"return {result}"])
        return f"{self.prelude}\ndef f(a, x, y, A, p, k, n, m):\n{textwrap.indent(body, '    ')}\n"

    def gap(self, gap: str, scope: Scope, depth: int) -> str:  # type: ignore[override]
        if gap == "e" and scope.closures and depth > 0 and self.rng.random() < 0.2:
            return f"{self.rng.choice(scope.closures)}({super().gap('e', scope, depth - 1)})"
        return super().gap(gap, scope, depth)

    def statement(self, scope: Scope) -> tuple[list[str], Scope]:  # type: ignore[override]
        weights = {kind: weight for kind, weight in self.weights.items() if self.fits(kind, scope)}
        kind = self.rng.choices([*weights], [*weights.values()])[0]
        if kind in self.texts:
            return self.filled(self.texts[kind], scope, 3).split("|"), scope
        return self.state(kind, scope) if kind in self.all_kinds else getattr(self, kind)(scope)

    def fits(self, kind: str, scope: Scope) -> bool:
        if kind in ("loop", "branch", "forever", "closure"):
            return scope.depth < 3
        return {"leave": scope.in_for, "change": bool(scope.states)}.get(kind, True)

    # ------------------------------------------------------------ statements

    def state(self, kind: str, scope: Scope) -> tuple[list[str], Scope]:
        made, _, *parts = self.all_kinds[kind]
        lines, new = self.named(made, kind[0].upper(), scope)
        numbers, vectors, matrices = (tuple(part.format(new) for part in each) for each in parts)
        grown = replace(scope, states=(*scope.states, (kind, new)), numbers=scope.numbers + numbers)
        return lines, replace(grown, vectors=scope.vectors + vectors, matrices=scope.matrices + matrices)

    def change(self, scope: Scope) -> tuple[list[str], Scope]:
        kind, name = self.rng.choice(scope.states)
        if scope.changes and self.rng.random() < 0.3:
            return [f"{self.rng.choice(scope.changes)}({self.gap('e', scope, 2)})"], scope
        return self.filled(self.all_kinds[kind][1], scope, 2, new=name).replace("; ", "|").split("|"), scope

    def forever(self, scope: Scope) -> tuple[list[str], Scope]:
        """A loop that ends in its middle."""
        i = self.name("w")
        inside = replace(scope, indices=(*scope.indices, i), in_for=True)
        bound = self.filled("{b}", scope)
        head = [f"{i} = -1", "while True:", f"    {i} += 1", f"    if {i} >= {bound}:", "        break"]
        return [*head, *self.inner(inside)], scope

    def leave(self, scope: Scope) -> tuple[list[str], Scope]:
        return [f"if {self.test(scope)}:", f"    {self.filled(self.exits, scope, 2)}"], scope

    def closure(self, scope: Scope) -> tuple[list[str], Scope]:
        """A function that reads the names around it as they are when it is called, or changes them."""
        name, i = self.name("h"), self.name("i")
        own = replace(scope, numbers=(*scope.numbers, "t", "t"), indices=(*scope.indices, i), depth=2, in_for=False)
        text = functools.partial(self.filled, scope=own)
        if self.rng.random() < 0.4:
            change, _ = self.change(own) if scope.states else ([text("{v}[{j}] {op} {e}")], own)
            changing = [line for line in change if not line.startswith((*"agxyAp", *(s for _, s in scope.states)))]
            lines = changing or [text("{v}[{j}] {op} {e}").replace(i, "0")]
            lines = [line.replace(i, "0") for line in lines]
            scope = replace(scope, changes=(*scope.changes, name))
            return [f"def {name}(t):", *(f"    {line}" for line in lines)], scope
        exits = [f"if {self.test(scope)}:", f"    return {self.gap('e', replace(own, indices=scope.indices), 2)}"]
        loop = [f"for {i} in range(3):", f"    if {self.test(own)}:", f"        return {self.gap('e', own, 2)}",
                f"    t = 0.5 * t + {self.gap('e', own, 2)}"]  # fmt: skip
        pieces = [*(exits if self.rng.random() < 0.5 else ()), *(loop if self.rng.random() < 0.5 else ())]
        last = f"return {self.gap('e', replace(own, indices=scope.indices), 2)}"
        lines = [f"def {name}(t):", *(f"    {line}" for line in [*pieces, last])]
        return lines, replace(scope, closures=(*scope.closures, name))


# ---------------------------------------------------------------- checks


random_source = first_that_runs(Generator)
outcome = functools.partial(random_loops.outcome, source=random_source)


if __name__ == "__main__":
    random_loops.main(__doc__, random_source)
