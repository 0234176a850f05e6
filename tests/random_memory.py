"""Random programs about memory: views of views, second names, fancy stores, masks, swaps, outputs, in loops and branches.

``python -m tests.random_memory --count 1000 --seed 1`` looks for wrong numbers; with ``--only`` it prints one program, its
derivative and the differences. Programs are right or refused; an error of any other kind is a failure.
"""

from __future__ import annotations

import argparse
import random
import re
import textwrap
import warnings
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from tests.random_programs import Discard, load
from tests.reference import evaluate, ridders

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


@dataclass(frozen=True)
class Scope:
    """The names that a statement may use."""

    scalars: tuple[str, ...] = ("s", "x[0]")
    vectors: tuple[str, ...] = ("x", "y")
    matrices: tuple[str, ...] = ("A",)
    indices: tuple[str, ...] = ()
    depth: int = 0


class Generator:
    """Writes one program.

    What is stored is computed, not a view: `a[::2] = a[:2]` copies element by element in NumPy, and so reads what it has
    just written, which nothing defines.
    """

    def __init__(self, seed: int):
        self.rng = random.Random(seed)
        self.fresh = 0

    def program(self) -> str:
        lines, scope = self.block(Scope(), 3 + self.rng.randrange(6))
        result = " + ".join([f"np.sum({v} * {v})" for v in scope.vectors] + [f"np.sum(np.sin({m}))" for m in scope.matrices])
        body = textwrap.indent("\n".join([*lines, f"return s + {result}"]), "    ")
        return f"{PRELUDE}\ndef f(s, x, y, A, k, m):\n{body}\n"

    def block(self, scope: Scope, count: int) -> tuple[list[str], Scope]:
        lines: list[str] = []
        for _ in range(count):
            new, scope = self.statement(scope)
            lines += new
        return lines, scope

    def pick(self, options):
        return self.rng.choice(list(options))

    def name(self, letter: str) -> str:
        self.fresh += 1
        return f"{letter}{self.fresh}"

    # ------------------------------------------------------------ expressions

    def index(self, scope: Scope) -> str:
        options = ["0", "1", "2", "3", "-1", "-2", "k[0]", "k[2]"]
        for i in scope.indices:
            options += [i, f"({i} + 1) % 4", f"3 - {i}", f"{i} - 1", f"k[{i}]"]
        return self.pick(options)

    def vector(self, scope: Scope, depth: int = 2) -> str:
        v, w, A = self.pick(scope.vectors), self.pick(scope.vectors), self.pick(scope.matrices)
        leaves = [v, v, f"{A}[{self.index(scope)}]", f"{A}[:, {self.index(scope)}]", f"{v}[::-1]", f"{v}[k]",
                  f"np.diag({A})", f"{A}[k, k[::-1]]", f"{A}.ravel()[3:7]", f"{A}.T[{self.index(scope)}]",
                  f"{A}[{self.index(scope)}, k]", f"{A}.flat[k * 2]"]  # fmt: skip
        if depth == 0:
            return self.pick(leaves)

        def sub() -> str:
            return self.vector(scope, depth - 1)

        deeper = [f"{sub()} * {self.pick(scope.scalars)}", f"({sub()} + {sub()})", f"np.sin({sub()})",
                  f"np.tanh({sub()}) * {w}", f"np.where(m, {sub()}, {sub()})", f"0.5 * {sub()} * {sub()}"]  # fmt: skip
        return self.pick(leaves + deeper)

    def scalar(self, scope: Scope) -> str:
        v, A = self.pick(scope.vectors), self.pick(scope.matrices)
        return self.pick([
            self.pick(scope.scalars), "0.7", f"{v}[{self.index(scope)}]", f"math.sin({v}[{self.index(scope)}])",
            f"{A}[{self.index(scope)}, {self.index(scope)}] * 0.5", f"np.sum({v}) * 0.3", f"{v}[{self.index(scope)}] * s",
        ])  # fmt: skip

    def test(self, scope: Scope) -> str:
        v = self.pick(scope.vectors)
        options = [f"{v}[{self.index(scope)}] > 0.1", "s > 0.5", "s > 2.0", "m[1]", "k[0] < 2"]
        return self.pick(options + [f"{i} % 2 == 0" for i in scope.indices])

    # ------------------------------------------------------------ statements

    def statement(self, scope: Scope) -> tuple[list[str], Scope]:
        simple = [self.name_vector, self.name_matrix, self.store, self.store, self.store_matrix, self.store_matrix,
                  self.swap, self.call, self.masks, self.rebind]  # fmt: skip
        compound = [self.branch, self.loop, self.loop, self.swapping_loop] if scope.depth < 3 else []
        return self.pick(simple + compound)(scope)

    def name_vector(self, scope: Scope) -> tuple[list[str], Scope]:
        v, A, i = self.pick(scope.vectors), self.pick(scope.matrices), self.index(scope)
        value = self.pick([
            f"{A}[{i}]", f"{A}[:, {i}]", f"{v}[::-1]", f"{v}[:]", v, f"{A}.T[{i}]", f"{A}.T[1:][{i} % 3]", f"{A}[::-1][{i}]",
            f"{v}.copy()", f"{self.vector(scope)} * 1.0", f"{v}.reshape(2, 2).ravel()", f"{A}.reshape(-1)[4:8]", f"np.diag({A})",
            f"{v}[None, :][0]", f"np.asarray({v})", f"{A}[1:3, 1:3].ravel()", f"picked({A}[{i}], 0)", f"np.zeros(4)[:] + {v}",
        ])  # fmt: skip
        new = self.name("v")
        return [f"{new} = {value}"], replace(scope, vectors=(*scope.vectors, new))

    def name_matrix(self, scope: Scope) -> tuple[list[str], Scope]:
        A, v = self.pick(scope.matrices), self.pick(scope.vectors)
        value = self.pick([
            f"{A}.T", f"{A}.copy()", A, f"{A}[::-1]", f"{A} * 1.0", f"{A}[:, ::-1]", f"{v}[:, None] * {v}", f"{A}.reshape(4, 4)",
            f"np.zeros((4, 4)) + {v}", f"{A} @ {A} * 0.3",
        ])  # fmt: skip
        new = self.name("M")
        return [f"{new} = {value}"], replace(scope, matrices=(*scope.matrices, new))

    def store(self, scope: Scope) -> tuple[list[str], Scope]:
        v, w = self.pick(scope.vectors), f"1.0 * {self.vector(scope)}"
        i, j = self.index(scope), self.index(scope)
        op = self.pick(["=", "=", "+=", "*=", "-="])
        line = self.pick([
            f"{v}[{i}] {op} {self.scalar(scope)}", f"{v}[{i}] {op} {v}[{j}] * 0.8", f"{v}[:] {op} {w}", f"{v}[1:] {op} {v}[:-1]",
            f"{v}[k] {op} {w}", f"{v}[m] {op} {self.scalar(scope)}", f"{v}[m] {op} ({w})[m]", f"{v}[k[:2]] {op} ({w})[1:3]",
            f"{v}[::2] {op} ({w})[2:]", f"{v}[::-1] {op} {w}", f"{v} {op if op != '=' else '*='} {w}", f"{v}[...] {op} {w}",
            f"{v}[None, :] {op} {w}", f"{v}[{v} > 0.2] {op} 0.3", f"{v}[k] {op} {self.scalar(scope)}", f"{v}.flat[{i}] {op} 0.4",
        ])  # fmt: skip
        return [line], scope

    def store_matrix(self, scope: Scope) -> tuple[list[str], Scope]:
        A, v, w = self.pick(scope.matrices), self.pick(scope.vectors), f"1.0 * {self.vector(scope)}"
        i, j = self.index(scope), self.index(scope)
        op = self.pick(["=", "=", "+=", "*="])
        line = self.pick([
            f"{A}[{i}] {op} {w}", f"{A}[:, {j}] {op} {w}", f"{A}[{i}, {j}] {op} {self.scalar(scope)}", f"{A}.T[{i}] {op} {w}",
            f"{A}[k] {op} {v}", f"{A}[:, k] {op} {w}", f"{A}[k, k[::-1]] {op} {w}", f"{A}[m] {op} {v}", f"{A}[m, {j}] {op} 0.5",
            f"{A}[1:] {op} {A}[:-1]", f"{A}[{i}, k] {op} {w}", f"{A}[{i}][1:] {op} 1.0 * {v}[:3]", f"{A}[:, m] {op} 0.7",
            f"{A}[{A} > 0.4] {op} 0.2", f"{A}[...] {op} 0.5 * {A}.T", f"{A}.flat[k] {op} {w}", f"{A}[np.ix_(k[:2], k[2:])] {op} 0.6",
            f"{A}[{i}, 1:3] {op} 1.0 * {v}[:2]", f"{A}[::2, ::-1] {op} {v}",
        ])  # fmt: skip
        return [line], scope

    def call(self, scope: Scope) -> tuple[list[str], Scope]:
        v, w, A, i = self.pick(scope.vectors), f"1.0 * {self.vector(scope)}", self.pick(scope.matrices), self.index(scope)
        line = self.pick([
            f"np.add.at({v}, k, {w})", f"np.subtract.at({v}, k[1:], 0.3)", f"np.multiply({v}, {w}, out={v})", f"{v}.fill(0.4)",
            f"np.add({v}[1:], {v}[:-1], out={v}[:3])", f"np.copyto({v}, {w}, where=m)", f"np.copyto({A}[{i}], {v} * 1.0)",
            f"np.sin({A}[{i}], out={A}[:, 1])", f"halves({v}, s)", f"halves({A}[{i}], 0.5)", f"np.put({v}, [0, 2], 0.3)",
            f"np.multiply({v}, 0.5, out={v}, where=m)", f"np.add.at({A}, (k, {i}), {w})", f"np.sum({A} * 0.3, axis=0, out={v})",
            f"np.copyto({v}, {w})", f"np.fill_diagonal({A}, 0.2)",
        ])  # fmt: skip
        return [line], scope

    def masks(self, scope: Scope) -> tuple[list[str], Scope]:
        v = self.pick(scope.vectors)
        line = self.pick([f"k[{self.index(scope)}] = 2", f"m[{self.index(scope)}] = True", "k = k[::-1]", "k = (k + 1) % 4", f"m = {v} > 0.1",
                          "m = ~m", "k[:2] = k[2:]", "m[:2] = False"])  # fmt: skip
        return [line], scope

    def swap(self, scope: Scope) -> tuple[list[str], Scope]:
        v, A, i, j = self.pick(scope.vectors), self.pick(scope.matrices), self.index(scope), self.index(scope)
        line = self.pick([f"{v}[{i}], {v}[{j}] = {v}[{j}], {v}[{i}]", f"{A}[{i}], {A}[{j}] = {A}[{j}].copy(), {A}[{i}].copy()",
                          f"{A}[{i}, 0], {v}[{j}] = {v}[{j}], {A}[{i}, 0]"])  # fmt: skip
        return [line], scope

    def rebind(self, scope: Scope) -> tuple[list[str], Scope]:
        a, b = self.pick(scope.vectors), self.pick(scope.vectors)
        c, d = self.pick(scope.matrices), self.pick(scope.matrices)
        line = self.pick([f"{a}, {b} = {b}, {a}", f"{c}, {d} = {d}, {c}", f"{a} = {b} * 0.9", f"{a} = {c}[{self.index(scope)}]",
                          f"{a} = {b}.copy()", f"{a} = {b}"])  # fmt: skip
        return [line], scope

    def inner(self, scope: Scope, **changes) -> list[str]:
        lines, _ = self.block(replace(scope, depth=scope.depth + 1, **changes), 1 + self.rng.randrange(3))
        return [f"    {line}" for line in lines]

    def branch(self, scope: Scope) -> tuple[list[str], Scope]:
        lines = [f"if {self.test(scope)}:", *self.inner(scope)]
        if self.rng.random() < 0.5:
            lines += ["else:", *self.inner(scope)]
        return lines, scope

    def loop(self, scope: Scope) -> tuple[list[str], Scope]:
        i = self.name("i")
        header = self.pick([f"for {i} in range(4):", f"for {i} in range(3, -1, -1):", f"for {i} in range(1, 3):", f"for {i} in k:"])
        return [header, *self.inner(scope, indices=(*scope.indices, i))], scope

    def swapping_loop(self, scope: Scope) -> tuple[list[str], Scope]:
        i, u, w = self.name("i"), self.name("u"), self.name("u")
        a, b = self.pick(scope.vectors), self.vector(scope)
        inside = replace(scope, vectors=(*scope.vectors, u, w))
        lines = [f"{u} = {self.pick([a, a + '.copy()'])}", f"{w} = {b} * 1.0", f"for {i} in range(3):"]
        lines += [*self.inner(inside, indices=(*scope.indices, i)), f"    {u}, {w} = {w}, {u}"]
        return lines, inside


# ---------------------------------------------------------------- checks


def random_source(seed: int) -> str:
    return Generator(seed).program()


def layout_of(seed: int) -> str:
    return "CCCFA"[seed % 5]


def directions() -> list[list]:
    rng = np.random.default_rng(5)
    return [[rng.normal(size=np.shape(arg)) for arg in arguments("C")[:4]] for _ in range(2)]


def slopes(f, layout: str) -> list[float]:
    """The derivatives along the directions, from two steps that must agree."""
    result: list[float] = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for direction in directions():

            def along(h: float, direction=direction) -> float:
                args = arguments(layout)
                args[0] += h * direction[0]
                for arg, way in zip(args[1:4], direction[1:]):
                    arg += h * way
                return float(f(*args))

            coarse, error = ridders(along, 1e-3)
            fine, _ = ridders(along, 3e-4)
            size = max(1.0, abs(coarse))
            if not np.isfinite(coarse) or abs(coarse) > 1e6 or abs(coarse - fine) > 1e-6 * size or error > 1e-7 * size:
                raise Discard
            result.append(coarse)
    return result


def check(f, target: str, layout: str) -> None:
    """Compare the gradient, the value and what is left in the arguments; AssertionError where they differ."""
    import srcad

    try:
        expected = slopes(f, layout)
    except (IndexError, ValueError) as error:  # the program itself fails
        raise Discard from error
    alone, args = arguments(layout), arguments(layout)
    value = f(*alone)
    got, gradients = srcad.value_and_grad(f, wrt=WRT, target=target, unconnected_gradients="zero")(*args)
    assert np.isclose(got, value, rtol=1e-10, atol=1e-12), f"the value is {got}, and should be {value}"
    for name, arg, left in zip("sxyAkm", args, alone):
        assert np.allclose(arg, left, rtol=1e-10, atol=1e-12), f"{name} is left as {arg}, and should be {left}"
    for direction, slope in zip(directions(), expected):
        along = sum(np.sum(g * d) for g, d in zip(gradients, direction))
        assert abs(along - slope) < 1e-6 * max(1.0, abs(slope)), f"the derivative is {along}, and should be {slope}"


def outcome(seed: int, target: str) -> str:
    import srcad

    try:
        check(load(random_source(seed)), target, layout_of(seed))
    except Discard:
        return "discarded"
    except srcad.SrcadError as error:
        reason = re.sub("'.*?'", "...", str(error).splitlines()[0])
        return f"refused: {reason[:100]}"
    except Exception as error:
        return f"FAILED {type(error).__name__}: {str(error)[:300]}"
    return "right"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="store_true", help="print the program of this seed and its derivative")
    parser.add_argument("--cpu", action="store_true")
    options = parser.parse_args()
    target = "cpu" if options.cpu else "python"
    if options.only:
        show(options.seed, target)
        return
    counts: Counter[str] = Counter()
    for seed in range(options.seed, options.seed + options.count):
        found = outcome(seed, target)
        if found.startswith("FAILED"):
            print(f"seed {seed}: {found}", flush=True)
        counts["FAILED" if found.startswith("FAILED") else found] += 1
    for found, count in counts.most_common():
        print(f"{count:6d} {found}")


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
