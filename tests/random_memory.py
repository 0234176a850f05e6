"""Random programs about memory: views, second names, fancy stores, masks, swaps, outputs, in loops and branches.

``python -m tests.random_memory --count 1000 --seed 1`` looks for wrong numbers; with ``--only`` it prints one program,
its derivative and the differences. Programs are right or refused; an error of any other kind is a failure.
"""

from __future__ import annotations

import random
import textwrap
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tests.random_programs import Blocks, Discard, command, load, seeds, sweep, tried
from tests.reference import ridders

N = 4
WRT = ("s", "x", "y", "A")
PRELUDE = """
import math

import numpy as np


def halves(v, s):
    w = v[1:]
    w *= s
    v[0] = w[0] + s


def picked(v, k):
    return v[k:]

"""


def arguments(layout: str) -> list:
    """The same numbers every time; `layout` says how the arrays lie in memory."""
    rng = np.random.default_rng(11)
    s, x, y, A = 0.6, rng.normal(size=N), rng.normal(size=N), rng.normal(size=(N, N))
    if layout == "F":
        A = np.asfortranarray(A)
    elif layout == "A":
        x, A = np.repeat(x, 2)[::2], np.repeat(np.repeat(A, 2, 0), 2, 1)[::2, ::2]
    return [s, x, y, A, np.array([1, 0, 3, 1]), np.array([True, False, True, False])]


# One alternative a line. {v} {u}: names of vectors; {A}: of a matrix; {i} {j}: subscripts; {x}: a vector computed anew;
# {w} {z}: vectors, perhaps views; {s}: a number; {op}: an operator of assignment.

LEAVES = """
{v}
{v}[::-1]
{v}[k]
{A}[{i}]
{A}[:, {i}]
{A}.T[{i}]
{A}[{i}, k]
{A}[k, k[::-1]]
{A}.ravel()[3:7]
{A}.flat[k * 2]
np.diag({A})
"""
VECTORS = """
{w} * {s}
({w} + {z})
np.sin({w})
np.tanh({w}) * {v}
np.where(m, {w}, {z})
0.5 * {w} * {z}
"""
NUMBERS = """
s
x[0]
0.7
{v}[{i}]
math.sin({v}[{i}])
{A}[{i}, {j}] * 0.5
np.sum({v}) * 0.3
{v}[{i}] * s
"""
TESTS = """
{v}[{i}] > 0.1
s > 0.5
s > 2.0
m[1]
k[0] < 2
"""
NEW_VECTORS = """
{v}
{v}[:]
{v}[::-1]
{v}.copy()
{v}[None, :][0]
{v}.reshape(2, 2).ravel()
np.asarray({v})
{A}[{i}]
{A}[:, {i}]
{A}.T[{i}]
{A}.T[1:][{i} % 3]
{A}[::-1][{i}]
{A}.reshape(-1)[4:8]
{A}[1:3, 1:3].ravel()
np.diag({A})
picked({A}[{i}], 0)
np.zeros(4)[:] + {v}
{x}
"""
NEW_MATRICES = """
{A}
{A}.T
{A}.copy()
{A} * 1.0
{A}[::-1]
{A}[:, ::-1]
{A}.reshape(4, 4)
{A} @ {A} * 0.3
{v}[:, None] * {v}
np.zeros((4, 4)) + {v}
"""
STORES = """
{v}[{i}] {op} {s}
{v}[{i}] {op} {v}[{j}] * 0.8
{v}[:] {op} {x}
{v}[...] {op} {x}
{v}[1:] {op} {v}[:-1]
{v}[:] {op} {w}
{v}[::2] {op} ({w})[1:3]
{v}[1::2] {op} ({w})[:2]
{v}[::2] {op} ({x})[2:]
{v}[::-1] {op} {x}
{v}[None, :] {op} {x}
{v}[k] {op} {x}
{v}[k] {op} {s}
{v}[k[:2]] {op} ({x})[1:3]
{v}[m] {op} {s}
{v}[m] {op} ({x})[m]
{v}[{v} > 0.2] {op} 0.3
{v}.flat[{i}] {op} 0.4
{v} *= {x}
{v} += {x}
"""
MATRIX_STORES = """
{A}[{i}] {op} {x}
{A}[{i}] {op} {w}
{A}[:, {j}] {op} {w}
{A}[1:, {j}] {op} {A}[{i}, :-1]
{A}[:] {op} {A}.T
{A}[:, {j}] {op} {x}
{A}[{i}, {j}] {op} {s}
{A}.T[{i}] {op} {x}
{A}[k] {op} {v}
{A}[:, k] {op} {x}
{A}[k, k[::-1]] {op} {x}
{A}[{i}, k] {op} {x}
{A}[m] {op} {v}
{A}[m, {j}] {op} 0.5
{A}[:, m] {op} 0.7
{A}[1:] {op} {A}[:-1]
{A}[{i}][1:] {op} 1.0 * {v}[:3]
{A}[{i}, 1:3] {op} 1.0 * {v}[:2]
{A}[::2, ::-1] {op} {v}
{A}[...] {op} 0.5 * {A}.T
{A}[{A} > 0.4] {op} 0.2
{A}.flat[k] {op} {x}
{A}[np.ix_(k[:2], k[2:])] {op} 0.6
"""
CALLS = """
np.add.at({v}, k, {x})
np.add.at({A}, (k, {i}), {x})
np.subtract.at({v}, k[1:], 0.3)
np.multiply({v}, {x}, out={v})
np.multiply({v}, 0.5, out={v}, where=m)
np.add({v}[1:], {v}[:-1], out={v}[:3])
np.sin({A}[{i}], out={A}[:, 1])
np.sum({A} * 0.3, axis=0, out={v})
np.copyto({v}, {x})
np.copyto({v}, {x}, where=m)
np.copyto({A}[{i}], {v} * 1.0)
np.put({v}, [0, 2], 0.3)
np.fill_diagonal({A}, 0.2)
{v}.fill(0.4)
halves({v}, s)
halves({A}[{i}], 0.5)
"""
MASKS = """
k[{i}] = 2
k = k[::-1]
k = (k + 1) % 4
k[:2] = k[2:]
m[{i}] = True
m[:2] = False
m = {v} > 0.1
m = ~m
"""
SWAPS = """
{v}[{i}], {v}[{j}] = {v}[{j}], {v}[{i}]
{A}[{i}], {A}[{j}] = {A}[{j}].copy(), {A}[{i}].copy()
{A}[{i}, 0], {v}[{j}] = {v}[{j}], {A}[{i}, 0]
{v}, {u} = {u}, {v}
{A}, {B} = {B}, {A}
{v} = {u} * 0.9
{v} = {u}.copy()
{v} = {u}
{v} = {A}[{i}]
"""
LOOPS = """
for {new} in range(4):
for {new} in range(3, -1, -1):
for {new} in range(1, 3):
for {new} in k:
"""


@dataclass(frozen=True)
class Scope:
    """The names that a statement may use."""

    vectors: tuple[str, ...] = ("x", "y")
    matrices: tuple[str, ...] = ("A",)
    indices: tuple[str, ...] = ()
    depth: int = 0


class Generator(Blocks):
    """Writes one program."""

    said = "vuABij"  # the gaps that are the same wherever they stand in an alternative

    def __init__(self, seed: int):
        self.rng = random.Random(seed)
        self.fresh = 0

    def program(self) -> str:
        lines, scope = self.block(Scope(), 3 + self.rng.randrange(6))
        sums = [f"np.sum({v} * {v})" for v in scope.vectors] + [f"np.sum(np.sin({m}))" for m in scope.matrices]
        body = textwrap.indent("\n".join([*lines, f"return s + {' + '.join(sums)}"]), "    ")
        return f"{PRELUDE}\ndef f(s, x, y, A, k, m):\n{body}\n"

    def name(self, letter: str) -> str:
        self.fresh += 1
        return f"{letter}{self.fresh}"

    def filled(self, alternatives: str, scope: Scope, depth: int = 2, **fixed: str) -> str:
        """One of the alternatives, its gaps filled in."""
        line = self.rng.choice(alternatives.strip().splitlines())
        return line.format_map(_Gaps(self, scope, depth, fixed))

    def index(self, scope: Scope) -> str:
        options = ["0", "1", "2", "3", "-1", "-2", "k[0]", "k[2]"]
        for i in scope.indices:
            options += [i, f"({i} + 1) % 4", f"3 - {i}", f"{i} - 1", f"k[{i}]"]
        return self.rng.choice(options)

    def vector(self, scope: Scope, depth: int) -> str:
        leaf = depth == 0 or self.rng.random() < 0.5
        return self.filled(LEAVES if leaf else VECTORS, scope, depth - 1)

    def gap(self, gap: str, scope: Scope, depth: int) -> str:
        """What may stand in a gap of an alternative."""
        if gap in "vu":
            return self.rng.choice(scope.vectors)
        if gap in "AB":
            return self.rng.choice(scope.matrices)
        if gap in "ij":
            return self.index(scope)
        if gap in "wz":
            return self.vector(scope, depth)
        if gap == "x":
            return f"1.0 * {self.vector(scope, depth)}"
        if gap == "s":
            return self.filled(NUMBERS, scope)
        assert gap == "op"
        return self.rng.choice(["=", "=", "+=", "*=", "-="])

    # ------------------------------------------------------------ statements

    def statement(self, scope: Scope) -> tuple[list[str], Scope]:
        texts = [STORES, STORES, MATRIX_STORES, MATRIX_STORES, CALLS, MASKS, SWAPS]
        compound = [self.branch, self.loop, self.loop, self.swapping_loop] if scope.depth < 3 else []
        chosen: Any = self.rng.choice([*texts, self.new_vector, self.new_matrix, *compound])
        return ([self.filled(chosen, scope)], scope) if isinstance(chosen, str) else chosen(scope)

    def new_vector(self, scope: Scope) -> tuple[list[str], Scope]:
        new = self.name("v")
        return [f"{new} = {self.filled(NEW_VECTORS, scope)}"], replace(scope, vectors=(*scope.vectors, new))

    def new_matrix(self, scope: Scope) -> tuple[list[str], Scope]:
        new = self.name("M")
        return [f"{new} = {self.filled(NEW_MATRICES, scope)}"], replace(scope, matrices=(*scope.matrices, new))

    def test(self, scope: Scope) -> str:
        return self.filled(TESTS, scope)

    def inner(self, scope: Scope) -> list[str]:
        lines, _ = self.block(replace(scope, depth=scope.depth + 1), 1 + self.rng.randrange(3))
        return [f"    {line}" for line in lines]

    def branch(self, scope: Scope) -> tuple[list[str], Scope]:
        lines = [f"if {self.test(scope)}:", *self.inner(scope)]
        if self.rng.random() < 0.5:
            lines += ["else:", *self.inner(scope)]
        return lines, scope

    def loop(self, scope: Scope) -> tuple[list[str], Scope]:
        i = self.name("i")
        inside = replace(scope, indices=(*scope.indices, i))
        return [self.filled(LOOPS, scope, new=i), *self.inner(inside)], scope

    def swapping_loop(self, scope: Scope) -> tuple[list[str], Scope]:
        i, u, w = self.name("i"), self.name("u"), self.name("u")
        inside = replace(scope, vectors=(*scope.vectors, u, w), indices=(*scope.indices, i))
        start = self.filled("{v}\n{v}.copy()\n{v}.copy()\n{A}[{i}]", scope)
        lines = [f"{u} = {start}", f"{w} = {self.filled('{x}', scope)}", f"for {i} in range(3):"]
        return [*lines, *self.inner(inside), f"    {u}, {w} = {w}, {u}"], replace(inside, indices=scope.indices)


class _Gaps(dict):
    """What stands for the gaps of an alternative, made when it is asked for; the same name wherever a gap is `said`."""

    def __init__(self, generator: Generator, scope: Scope, depth: int, fixed: dict[str, str]):
        super().__init__(fixed)
        self.generator, self.scope, self.depth = generator, scope, depth

    def __missing__(self, gap: str) -> str:
        text = self.generator.gap(gap, self.scope, self.depth)
        return self.setdefault(gap, text) if gap in self.generator.said else text


# ---------------------------------------------------------------- checks


def random_source(seed: int) -> str:
    return Generator(seed).program()


def layout_of(seed: int) -> str:
    return "CCCFA"[seed % 5]


def check(f, target: str, layout: str) -> None:
    """Compare the gradient, the value and what is left in the arguments; AssertionError where they differ."""
    import srcad

    def given():
        return arguments(layout)

    df = srcad.value_and_grad(f, wrt=WRT, target=target, unconnected_gradients="zero")
    agree(f, df, given, slopes(f, given, len(WRT)))


def ways(given: Callable[[], list], active: int) -> list[list]:
    """Directions in the space of the first arguments, those that f is differentiated with respect to."""
    rng = np.random.default_rng(5)
    return [[rng.normal(size=np.shape(arg)) for arg in given()[:active]] for _ in range(2)]


def slopes(f, given: Callable[[], list], active: int) -> list[float]:
    """The derivatives along the directions, from two steps that must agree; `given` makes the arguments."""
    result: list[float] = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for way in ways(given, active):

            def along(h: float, way=way) -> float:
                args = given()
                for place, step in enumerate(way):
                    args[place] += h * step
                return float(f(*args))

            try:
                coarse, error = ridders(along, 1e-3)
                fine, _ = ridders(along, 3e-4)
            except (IndexError, ValueError, OverflowError, ZeroDivisionError) as failure:  # the program itself fails
                raise Discard from failure
            size = max(1.0, abs(coarse))
            if not np.isfinite(coarse) or abs(coarse) > 1e6 or abs(coarse - fine) > 1e-6 * size or error > 1e-7 * size:
                raise Discard
            result.append(coarse)
    return result


def agree(f, derivative: Callable, given: Callable[[], list], expected: list[float]) -> None:
    """Compare the value, the gradient and what a derivative leaves in its arguments."""
    alone, args = given(), given()
    value = f(*alone)
    got, gradients = derivative(*args)
    assert np.isclose(got, value, rtol=1e-10, atol=1e-12), f"the value is {got}, and should be {value}"
    for place, (arg, left) in enumerate(zip(args, alone)):
        wrong = f"argument {place} is left as {arg}, and should be {left}"
        assert np.allclose(arg, left, rtol=1e-10, atol=1e-12, equal_nan=True), wrong
    for way, slope in zip(ways(given, len(gradients)), expected):
        along = sum(np.sum(g * d) for g, d in zip(gradients, way))
        assert abs(along - slope) < 1e-6 * max(1.0, abs(slope)), f"the derivative is {along}, and should be {slope}"


def outcome(seed: int, target: str) -> str:
    return tried(lambda: check(load(random_source(seed)), target, layout_of(seed)))


def main() -> None:
    options = command(__doc__).parse_args()
    target = "cpu" if options.cpu else "python"
    if options.only:
        show(options.seed, target)
    else:
        sweep(seeds(options), lambda seed: outcome(seed, target))


def show(seed: int, target: str) -> None:
    import srcad

    f = load(random_source(seed))
    print(random_source(seed).replace(PRELUDE, ""))
    df = srcad.value_and_grad(f, wrt=WRT, target=target, unconnected_gradients="zero")
    print(srcad.source(df, *arguments(layout_of(seed))))
    check(f, target, layout_of(seed))
    print("right")


if __name__ == "__main__":
    main()
