"""Random differentiable programs, as source text: loops, branches, stores, aliases, swaps, helpers.

``python -m tests.random_programs --count 1000 --seed 1`` looks for wrong numbers without Hypothesis; with
``--seed S --only`` it prints one program, its derivative and the differences.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import random
import re
import sys
import tempfile
import textwrap
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tests.reference import evaluate, ridders

LENGTH = 4
DIRECTORY = tempfile.mkdtemp(prefix="srcad-random-")
PRELUDE = """
import math

import numpy as np


def bump(t):
    if t > 0.2:
        return math.sin(t) * t
    return 0.5 * t


def parts(t, u):
    return math.sin(t * u), t - 0.5 * u


def damp(v, s):
    for m in range(len(v)):
        v[m] = v[m] * math.cos(s)


def mixed(v, w):
    r = v * w
    r[0] = w[1]
    return r

"""


class Discard(Exception):
    """The program is no test: not finite, or not smooth at its arguments."""


@dataclass(frozen=True)
class Scope:
    """What a statement may use: names by kind, loop indices that are below LENGTH, and how deep it lies."""

    scalars: tuple[str, ...] = ("a", "b")
    vectors: tuple[str, ...] = ("x", "y")
    matrices: tuple[str, ...] = ("A",)
    indices: tuple[str, ...] = ()
    depth: int = 0
    in_loop: bool = False


class Blocks:
    """Writes statements one after the other; `statement` gives lines, and what the statements behind may use."""

    def statement(self, scope: Any) -> tuple[list[str], Any]:
        raise NotImplementedError

    def block(self, scope: Any, count: int) -> tuple[list[str], Any]:
        lines: list[str] = []
        for _ in range(count):
            new, scope = self.statement(scope)
            lines += new
        return lines, scope


class Generator(Blocks):
    """Writes a program; `choose(n)` gives a number below n, and smaller numbers give simpler programs.

    A `small` one has two or three statements and loops of one level: many of them take the time of a few others.
    """

    def __init__(self, choose: Callable[[int], int], small: bool = False):
        self.choose = choose
        self.more, self.levels = (2, 1) if small else (7, 3)
        self.fresh = 0

    def program(self) -> str:
        lines, scope = self.block(Scope(), 2 + self.choose(self.more))
        result = " + ".join([*scope.scalars, *(f"np.sum({v} * {v})" for v in scope.vectors)])
        matrices = " + ".join(f"np.sum(np.sin({m}))" for m in scope.matrices)
        body = textwrap.indent("\n".join([*lines, f"return {result} + {matrices}"]), "    ")
        return f"{PRELUDE}\ndef f(a, b, x, y, A):\n{body}\n"

    def statement(self, scope: Scope) -> tuple[list[str], Scope]:
        simple = [
            self.scalar_statement,
            self.vector_statement,
            self.element_store,
            self.slice_store,
            self.matrix_store,
            self.augmented,
            self.swap,
            self.new_name,
            self.call,
        ]
        compound = [self.branch, self.for_loop, self.while_loop, self.leave, self.for_each, self.forever, self.guarded,
                    self.cases, self.vector_sum] if scope.depth < self.levels else []  # fmt: skip
        return self.pick(simple + compound)(scope)

    def pick(self, options):
        return options[self.choose(len(options))]

    def name(self, letter: str) -> str:
        self.fresh += 1
        return f"{letter}{self.fresh}"

    # ------------------------------------------------------------ expressions

    def number(self) -> str:
        return self.pick(["0.5", "1.0", "0.3", "-0.7", "1.5", "2"])

    def index(self, scope: Scope) -> str:
        options = ["0", "1", "2", "3", "-1", "-2"]
        for i in scope.indices:
            options += [i, f"({i} + 1) % {LENGTH}", f"{LENGTH - 1} - {i}", f"{i} - 1"]
        return self.pick(options)

    def scalar(self, scope: Scope, depth: int = 2) -> str:
        leaves = [
            lambda: self.pick(scope.scalars),
            self.number,
            lambda: f"{self.pick(scope.vectors)}[{self.index(scope)}]",
            lambda: f"{self.pick(scope.matrices)}[{self.index(scope)}, {self.index(scope)}]",
        ]
        if depth == 0:
            return self.pick(leaves)()

        def sub():
            return self.scalar(scope, depth - 1)

        deeper = [
            lambda: f"{sub()} * {self.pick(scope.scalars)}",
            lambda: f"({sub()} + {sub()})",
            lambda: f"({sub()} - {sub()})",
            lambda: f"math.sin({sub()})",
            lambda: f"math.tanh({sub()}) * {sub()}",
            lambda: f"{sub()} / (2.0 + math.cos({sub()}))",
            lambda: f"bump({sub()})",
            lambda: f"math.exp(-({sub()}) ** 2)",
            lambda: f"np.sum({self.vector(scope, depth - 1)}) * 0.3",
            lambda: f"np.dot({self.pick(scope.vectors)}, {self.pick(scope.vectors)}) * 0.2",
            lambda: f"({sub()} if {self.test(scope)} else {sub()})",
            lambda: self.reduction(scope),
            lambda: f"({self.pick(scope.scalars)} or {sub()})",
        ]
        return self.pick(leaves + deeper)()

    def vector(self, scope: Scope, depth: int = 2) -> str:
        leaves = [
            lambda: self.pick(scope.vectors),
            lambda: f"{self.pick(scope.matrices)}[{self.index(scope)}]",
            lambda: f"{self.pick(scope.matrices)}[:, {self.index(scope)}]",
            lambda: f"{self.pick(scope.vectors)}[::-1]",
        ]
        if depth == 0:
            return self.pick(leaves)()

        def sub():
            return self.vector(scope, depth - 1)

        deeper = [
            lambda: f"({sub()} * {sub()})",
            lambda: f"({sub()} - {self.scalar(scope, depth - 1)})",
            lambda: f"np.sin({sub()})",
            lambda: f"({sub()} * {self.scalar(scope, 0)} + {sub()})",
            lambda: f"({self.pick(scope.matrices)} @ {self.pick(scope.vectors)} * 0.3)",
            lambda: f"np.tanh({sub()} @ {self.pick(scope.matrices)})",
            lambda: f"mixed({self.pick(scope.vectors)}, {self.pick(scope.vectors)})",
            lambda: f"np.cumsum({sub()}) * 0.4",
            lambda: f"np.where({self.pick(scope.vectors)} > 0.1, {sub()}, {self.scalar(scope, 0)})",
            lambda: f"(np.sum({self.pick(scope.matrices)}, axis={self.choose(2)}) * 0.4)",
            lambda: self.comprehension(scope),
        ]
        return self.pick(leaves + deeper)()

    def reduction(self, scope: Scope) -> str:
        """A reduction of a generator expression."""
        u, i = self.name("u"), self.name("j")
        vector = self.pick(scope.vectors)
        value = self.pick([u, f"{u} * {u}", f"math.sin({u}) * {self.pick(scope.scalars)}"])
        condition = self.pick(["", f" if {u} > 0.1"])
        options = [
            f"sum({value} for {u} in {vector}{condition})",
            f"sum({vector}[{i}] * {self.pick(scope.vectors)}[-{i}] for {i} in range({LENGTH}))",
            f"sum({u} * {i} for {i}, {u} in enumerate({vector}))",
            f"{self.pick(['max', 'min'])}({value} for {u} in {vector})",
            f"{self.pick(['max', 'min'])}(({value} for {u} in {vector}{condition}), default=0.2)",
            f"sum(({self.pick(scope.scalars)} * {u} for {u} in (0.5, {self.pick(scope.scalars)})), 0.1)",
        ]
        return self.pick(options)

    def comprehension(self, scope: Scope) -> str:
        u, w = self.name("u"), self.name("u")
        one = f"np.array([math.cos({u}) * {self.pick(scope.scalars)} for {u} in {self.pick(scope.vectors)}])"
        two = f"np.array([{u} * {w} for {u}, {w} in zip({self.pick(scope.vectors)}, {self.pick(scope.vectors)})])"
        return self.pick([one, two])

    def part(self, scope: Scope, piece: str) -> str:
        """An expression of the length of one of the pieces that `slice_store` writes."""
        pieces = {"[1:]": ["[1:]", "[:-1]", "[:3]"], "[:-1]": ["[1:]", "[:-1]"], "[::2]": ["[::2]", "[1::2]", "[:2]"]}
        pieces |= {"[1:3]": ["[1:3]", "[2:]", "[::2]"], "[:]": ["", "[::-1]", "[:]"], "[2:]": ["[:2]", "[1:3]"]}

        def one():
            return self.pick(scope.vectors) + self.pick(pieces[piece])

        options = [one, lambda: f"np.sin({one()})", lambda: f"{one()} * {one()}", lambda: self.scalar(scope, 1)]
        options.append(lambda: f"{one()} * {self.scalar(scope, 0)} - 0.5 * {one()}")
        return self.pick(options)()

    def test(self, scope: Scope) -> str:
        def simple():
            return f"{self.scalar(scope, 0)} {self.pick(['<', '>'])} {self.pick(['0.3', '-0.2', '0.9'])}"

        options = [simple, lambda: f"{simple()} and {simple()}", lambda: f"not {simple()} or {simple()}"]
        options.append(lambda: f"-1.0 < {self.scalar(scope, 0)} < 0.6")
        options.append(lambda: f"{self.pick(['any', 'all'])}(u > 0.2 for u in {self.pick(scope.vectors)})")
        options += [lambda i=i: f"{i} % 2 == {self.choose(2)}" for i in scope.indices]
        options += [lambda i=i: f"{i} > {self.choose(3)}" for i in scope.indices]
        return self.pick(options)()

    # ------------------------------------------------------------ statements

    def scalar_statement(self, scope):
        return [f"{self.pick(scope.scalars)} = {self.scalar(scope)}"], scope

    def vector_statement(self, scope):
        new = self.pick([" * 1.0", " * 1.0", ""])  # without a product, it may be an alias or a view
        return [f"{self.pick(scope.vectors)} = {self.vector(scope)}{new}"], scope

    def element_store(self, scope):
        operator = self.pick(["=", "=", "+=", "*=", "-="])
        return [f"{self.pick(scope.vectors)}[{self.index(scope)}] {operator} {self.scalar(scope)}"], scope

    def slice_store(self, scope):
        piece = self.pick(["[1:]", "[:-1]", "[::2]", "[1:3]", "[:]", "[2:]"])
        operator = self.pick(["=", "=", "+=", "*=", "-="])
        return [f"{self.pick(scope.vectors)}{piece} {operator} {self.part(scope, piece)}"], scope

    def matrix_store(self, scope):
        matrix, i = self.pick(scope.matrices), self.index(scope)
        operator = self.pick(["=", "=", "+=", "*=", "-="])
        where = self.pick(["row", "element", "column", "all"])
        if where == "element":
            return [f"{matrix}[{i}, {self.index(scope)}] {operator} {self.scalar(scope)}"], scope
        value = self.pick([lambda: self.vector(scope, 1), lambda: self.scalar(scope, 1)])()
        index = {"row": i, "column": f":, {i}", "all": ":"}[where]
        return [f"{matrix}[{index}] {operator} {value}"], scope

    def augmented(self, scope):
        if self.choose(2):
            return [f"{self.pick(scope.vectors)} {self.pick(['+=', '*=', '-='])} {self.vector(scope, 1)}"], scope
        return [f"{self.pick(scope.scalars)} {self.pick(['+=', '*=', '-='])} {self.scalar(scope)}"], scope

    def swap(self, scope):
        kind = self.pick([scope.scalars, scope.vectors])
        one, other = self.pick(kind), self.pick(kind)
        if kind is scope.vectors and self.choose(2):
            i, j = self.index(scope), self.index(scope)
            return [f"{one}[{i}], {other}[{j}] = {other}[{j}], {one}[{i}]"], scope
        return [f"{one}, {other} = {other}, {one}"], scope

    def new_name(self, scope):
        kind = self.choose(7)
        if kind == 0:
            name = self.name("s")
            return [f"{name} = {self.scalar(scope)}"], replace(scope, scalars=(*scope.scalars, name))
        if kind <= 4:
            name = self.name("v")
            value = self.pick(
                [
                    lambda: f"np.zeros({LENGTH})",
                    lambda: self.vector(scope),
                    lambda: f"{self.pick(scope.vectors)}.copy()",
                    lambda: self.pick(scope.vectors),  # an alias
                    lambda: f"{self.pick(scope.matrices)}[{self.index(scope)}]",  # a view
                ]
            )()
            return [f"{name} = {value}"], replace(scope, vectors=(*scope.vectors, name))
        name = self.name("M")
        one = self.pick(scope.matrices)
        value = self.pick([f"{one} * 0.5", f"{one}.copy()", f"{one}.T", f"np.outer({self.vector(scope, 0)}, y)"])
        return [f"{name} = {value}"], replace(scope, matrices=(*scope.matrices, name))

    def call(self, scope):
        if self.choose(2):
            return [f"damp({self.pick(scope.vectors)}, {self.scalar(scope, 1)})"], scope
        one, other = self.pick(scope.scalars), self.name("s")
        line = f"{one}, {other} = parts({self.scalar(scope, 1)}, {self.scalar(scope, 0)})"
        return [line], replace(scope, scalars=(*scope.scalars, other))

    def branch(self, scope):
        inner = replace(scope, depth=scope.depth + 1)
        lines = [f"if {self.test(scope)}:", *self.indented(inner)]
        if self.choose(3) == 2:
            lines += [f"elif {self.test(scope)}:", *self.indented(inner)]
        if self.choose(2):
            lines += ["else:", *self.indented(inner)]
        return lines, scope

    def for_loop(self, scope):
        i = self.name("i")
        bounds = self.pick(
            [f"{LENGTH}", "2", f"1, {LENGTH}", f"{LENGTH - 1}, -1, -1", f"0, {LENGTH}, 2", "3, 0, -2", "0"]
        )
        inner = replace(scope, depth=scope.depth + 1, indices=(*scope.indices, i), in_loop=True)
        return [f"for {i} in range({bounds}):", *self.indented(inner)], scope

    def while_loop(self, scope):
        k = self.name("k")
        inner = replace(scope, depth=scope.depth + 1, indices=scope.indices, in_loop=False)
        test = f"{k} < {1 + self.choose(3)}"
        if self.choose(2):
            test += f" and {self.scalar(scope, 0)} < 1.1"
        return [f"{k} = 0", f"while {test}:", *self.indented(inner), f"    {k} += 1"], scope

    def for_each(self, scope):
        """A loop over the items of something."""
        v, w, i = self.name("u"), self.name("u"), self.name("i")
        one, other = self.pick(scope.vectors), self.pick(scope.vectors)
        inner = replace(scope, depth=scope.depth + 1, in_loop=True)
        values = replace(inner, scalars=(*scope.scalars, v))
        head, inner = self.pick([
            (f"{v} in {one}", values),
            (f"{v} in reversed({one})", values),
            (f"{v} in ({self.pick(scope.scalars)}, 0.5, {self.scalar(scope, 1)})", values),
            (f"{i}, {v} in enumerate({one})", replace(values, indices=(*scope.indices, i))),
            (f"{v}, {w} in zip({one}, {other})", replace(values, scalars=(*values.scalars, w))),
            (f"{w} in {self.pick(scope.matrices)}", replace(inner, vectors=(*scope.vectors, w))),
            (f"{v}, {w} in zip((0.3, {self.pick(scope.scalars)}), {one})",
             replace(values, scalars=(*values.scalars, w))),
        ])  # fmt: skip
        lines = [f"for {head}:", *self.indented(inner)]
        if self.choose(3) == 0:
            lines += ["else:", *self.indented(replace(scope, depth=scope.depth + 1))]
        return lines, scope

    def forever(self, scope):
        """A loop that is left in the middle."""
        k = self.name("k")
        inner = replace(scope, depth=scope.depth + 1, in_loop=False)
        end = [f"    {k} += 1", f"    if {k} > {1 + self.choose(3)}:", "        break"]
        if self.choose(3) == 2:
            end[1:1] = [f"    if {k} < 2:", "        continue"]
        return [f"{k} = 0", "while True:", *self.indented(inner), *end, *self.indented(inner)], scope

    def guarded(self, scope):
        inner = replace(scope, depth=scope.depth + 1)
        return ["try:", *self.indented(inner), "finally:", *self.indented(replace(inner, in_loop=False))], scope

    def cases(self, scope):
        inner = replace(scope, depth=scope.depth + 1)
        subject = self.pick([*(f"{i} % 3" for i in scope.indices), f"int({self.pick(scope.scalars)} * 2)"])
        lines = [f"match {subject}:"]
        for pattern in ("0", "1 | -1", self.pick(["_", "m if m > 1"])):
            lines += [f"    case {pattern}:", *("    " + line for line in self.indented(inner))]
        return lines, scope

    def vector_sum(self, scope):
        """A sum of arrays that begins at the number 0."""
        s, i = self.name("v"), self.name("i")
        inner = replace(scope, indices=(*scope.indices, i))
        term = f"{self.vector(inner, 1)} * {self.scalar(inner, 0)}"
        lines = [f"{s} = 0", f"for {i} in range({LENGTH}):", f"    {s} = {s} + {term}"]
        return lines, replace(scope, vectors=(*scope.vectors, s))

    def leave(self, scope):
        exits = ["break", "continue"] if scope.in_loop else []
        what = self.pick([f"return {self.scalar(scope)}", *exits])
        return [f"if {self.test(scope)}:", f"    {what}"], scope

    def indented(self, scope: Scope) -> list[str]:
        lines, _ = self.block(scope, 1 + self.choose(3))
        return ["    " + line for line in lines]


# ---------------------------------------------------------------- trying a program


def load(source: str):
    """The function of a program, from a file of its own."""
    name = "program_" + hashlib.sha256(source.encode()).hexdigest()[:16]
    path = os.path.join(DIRECTORY, name + ".py")
    with open(path, "w") as file:
        file.write(source)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module.f


def arguments() -> list:
    rng = np.random.default_rng(11)
    return [0.45, -0.8, rng.uniform(-1, 1, LENGTH), rng.uniform(-1, 1, LENGTH), rng.uniform(-1, 1, (LENGTH, LENGTH))]


def directions(count: int) -> list[list]:
    rng = np.random.default_rng(5)
    return [[rng.uniform(-1, 1, np.shape(arg)) for arg in arguments()] for _ in range(count)]


def slopes(f, count: int = 2) -> list[float]:
    """The derivatives of f along some directions; raises Discard where finite differences cannot tell."""
    results = []
    with np.errstate(all="ignore"):
        for direction in directions(count):

            def along(h, direction=direction):
                return float(evaluate(f, [arg + h * d for arg, d in zip(arguments(), direction)]))

            try:
                slope, error = ridders(along, 1e-4, levels=5)
            except (OverflowError, ValueError, ZeroDivisionError):
                raise Discard from None
            if not np.isfinite(slope) or abs(slope) > 1e4 or error > 1e-7 * max(1.0, abs(slope)):
                raise Discard
            results.append(slope)
    return results


WRT = ("a", "b", "x", "y", "A")


def check(f, target: str = "python") -> None:
    """Compare the derivatives of f, reverse and forward, with finite differences.

    Raises AssertionError; srcad's refusal if reverse mode refuses; and ValueError if forward mode alone refuses.
    """
    import srcad

    expected = slopes(f)
    try:
        check_forward(f, target, expected)
    except srcad.SrcadError as error:
        check_reverse(f, target, expected)
        raise ValueError(f"refused in forward mode alone: {error}") from None
    check_reverse(f, target, expected)


def check_reverse(f, target: str, expected: list[float]) -> None:
    import srcad

    args = arguments()
    got, gradients = srcad.value_and_grad(f, wrt=WRT, target=target)(*args)
    check_primal(f, got, args)
    gradients = [np.zeros(np.shape(arg)) if g is None else g for g, arg in zip(gradients, args)]
    for direction, slope in zip(directions(len(expected)), expected):
        check_slope("reverse", sum(np.sum(g * d) for g, d in zip(gradients, direction)), slope)


def check_forward(f, target: str, expected: list[float]) -> None:
    import srcad

    df = srcad.jvp(f, wrt=WRT, unconnected_gradients="zero", target=target)
    for direction, slope in zip(directions(len(expected)), expected):
        args = arguments()
        got, tangent = df(*args, tangents=tuple(d if np.ndim(d) else float(d) for d in direction))
        check_primal(f, got, args)
        check_slope("forward", tangent, slope)


def check_second(f, target: str = "python") -> None:
    """Compare forward mode over reverse mode with differences of the tangent, along a direction."""
    import srcad

    df = srcad.jvp(f, wrt=WRT, unconnected_gradients="zero", target=target)
    moved = tuple(d if np.ndim(d) else float(d) for d in directions(1)[0])

    def along(h):
        args = [arg + h * d for arg, d in zip(arguments(), moved)]
        return float(df(*args, tangents=moved)[1])

    with np.errstate(all="ignore"):
        curvature, error = ridders(along, 1e-4, levels=5)
    if not np.isfinite(curvature) or abs(curvature) > 1e5 or error > 1e-6 * max(1.0, abs(curvature)):
        raise Discard
    products = srcad.hvp(f, wrt=WRT, unconnected_gradients="zero", target=target)(*arguments(), tangents=moved)
    found = sum(np.sum(product * d) for product, d in zip(products, moved))
    wrong = f"the second derivative is {found}, and should be {curvature}"
    assert abs(found - curvature) < 1e-5 * max(1.0, abs(curvature)), wrong


def check_primal(f, got, args) -> None:
    """The value is that of f alone, and so is what it leaves in its arguments."""
    alone = arguments()
    value = f(*alone)
    assert np.isclose(got, value, rtol=1e-10, atol=1e-12), f"the value is {got}, and should be {value}"
    for name, arg, left in zip(WRT, args, alone):
        assert np.allclose(arg, left, rtol=1e-10, atol=1e-12), f"{name} is left as {arg}, and should be {left}"


def check_slope(mode: str, along, slope: float) -> None:
    wrong = f"the derivative in {mode} mode is {along}, and should be {slope}"
    assert abs(along - slope) < 1e-6 * max(1.0, abs(slope)), wrong


def random_source(seed: int, small: bool = False) -> str:
    rng = random.Random(seed)
    return Generator(rng.randrange, small).program()


def main() -> None:
    parser = command(__doc__)
    parser.add_argument("--second", action="store_true", help="check derivatives of second order, too")
    options = parser.parse_args()
    target = "cpu" if options.cpu else "python"
    if options.only:
        show(options.seed, target)
        return

    def check_both(seed: int) -> None:
        f = load(random_source(seed))
        check(f, target)
        if options.second:
            check_second(f, target)

    sweep(seeds(options), lambda seed: tried(lambda: check_both(seed)))


def command(what: str | None) -> argparse.ArgumentParser:
    """The options that each kind of random programs takes."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="store_true", help="print the program of this seed and its derivative")
    parser.add_argument("--cpu", action="store_true")
    return parser


def seeds(options: argparse.Namespace) -> range:
    return range(options.seed, options.seed + options.count)


def show(seed: int, target: str) -> None:
    import srcad

    f = load(random_source(seed))
    print(random_source(seed).replace(PRELUDE, ""))
    df = srcad.value_and_grad(f, wrt=("a", "b", "x", "y", "A"), target=target)
    print(srcad.source(df, *arguments()))
    check(f, target)
    print("right")


def tried(check: Callable[[], None]) -> str:
    """What became of a check: right, discarded, refused and why, or FAILED and how."""
    import srcad
    from srcad.lang.dispensable import PassLeftOut

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", PassLeftOut)
            check()
    except Discard:
        return "discarded"
    except srcad.SrcadError as error:
        return "refused: " + re.sub("'.*?'", "...", str(error).splitlines()[0])[:100]
    except Exception as error:
        return f"FAILED {type(error).__name__}: {str(error)[:300]}"
    return "right"


def sweep(seeds: range, outcome: Callable[[int], str], smallest: Callable[[int], str] | None = None) -> None:
    """Count the outcomes, and exit with 1 if there are failures: these are printed with their `smallest` programs."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        found = outcome(seed)
        if found.startswith("FAILED"):
            print(f"seed {seed}: {found}", *[smallest(seed)] if smallest else (), sep="\n", flush=True)
            found = "FAILED"
        counts[found] += 1
    for found, count in counts.most_common():
        print(f"{count:6d} {found}")
    sys.exit(1 if counts["FAILED"] else 0)


def run(what: str | None, source: Callable[[int], str], check: Callable[[str, bool], None], show: Callable) -> None:
    """The command of a module of random programs: check some, or print one and what `show` prints of it."""
    from tests.smaller import smaller

    options = command(what).parse_args()
    outcome = lambda text: tried(lambda: check(text, options.cpu))
    if options.only:
        print(source(options.seed))
        show(source(options.seed))
    else:
        fails = lambda text: outcome(text).startswith("FAILED Assertion")
        sweep(seeds(options), lambda seed: outcome(source(seed)), lambda seed: smaller(source(seed), fails))


if __name__ == "__main__":
    main()
