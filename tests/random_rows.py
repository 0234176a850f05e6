"""Random loops over the rows of a matrix that do not depend on each other, each with arrays and loops of its own.

``python -m tests.random_rows --count 1000 --seed 1`` looks for wrong numbers and prints the smallest program for each;
``--only`` prints one program and its derivative. Machine code takes such rows in blocks, statement by statement: what
a statement reads must not have changed for it, and what it adds to must have been added to by all.
"""

from __future__ import annotations

import random
import textwrap
from dataclasses import dataclass, replace

import numpy as np

import srcad
from tests.forms_of_derivatives import COMPILED, derivative
from tests.random_memory import agree, slopes
from tests.random_programs import Blocks, Discard, load, run, tried

ROWS, N = 7, 4
WRT = ("x", "w", "m")
FORMS = ("machine text", "exact machine text", "parallel machine text", "python")

# One alternative a line, `|` between lines of a statement. {a} {b}: arrays of a row's own; {k}: an index; {e} {d}:
# numbers that are computed; {z} {y}: numbers of the row's own, {new} {i}: new names of an array and of an index.

NUMBERS = """
{a}[{k}]
{a}[{k} - 1]
{a}[{k}] * {b}[{k}]
{a}[n - 1 - {k}]
x[i, {k}]
w[{k}]
x[i, {k}] * w[{k}]
m[{k}, {l}] * {a}[{l}]
{z}
{z} * {a}[{k}]
out[i, {k}]
"""
FUNCTIONS = """
{e}
{e}
np.sin({e})
np.tanh({e} + {d})
np.exp(-(({e}) ** 2))
{e} / (1.5 + ({d}) ** 2)
max({e}, {d})
0.7 * {e} - {d}
({e} if {d} > 0.1 else {z})
"""
STATEMENTS = """
{a}[{k}] = {f}
{a}[{k}] = {f}
{a}[{k}] += {f}
{a}[{k}] *= np.cos({f})
{a}[{k} - 1] += {f}
{z} = {f}
{z} += {f}
{z} *= np.cos({f})
{z}, {y} = {y}, {f}
s += {f}
s += {f}
q -= {f}
c[{k}] += {f}
out[i, {k}] = {f}
out[i, {k}] += {f}
"""
WHOLES = """
{new} = np.zeros(n)
{new} = x[i].copy()
{new} = x[i] * w
{new} = np.empty(n)|for {i} in range(n):|    {new}[{i}] = x[i, {i}] - {z}
{new} = {a}.copy()
{new} = np.tanh({a} + w)
{a} *= {b}
{z} += np.sum({a} * {b})
s += np.dot({a}, w)
s -= np.max({a})
c += {a}
out[i] = {a}
{a}[:] = m @ {a}
"""
LOOPS = """
for {i} in range(n):
for {i} in range(n):
for {i} in range(n):
for {i} in range(1, n):
for {i} in range(1, n):
for {i} in range(n - 1, -1, -1):
for {i} in range(n - 1, 0, -1):
for {i} in range(i % 3 + 1):
if {f} > {bound}:
if {f} > {bound}:
"""


@dataclass(frozen=True)
class Scope:
    """The arrays that a statement may use, and the indices of the loops around it."""

    arrays: tuple[str, ...] = ("r",)
    indices: tuple[str, ...] = ()
    depth: int = 0


class Generator(Blocks):
    """Writes one program."""

    def __init__(self, seed: int):
        self.rng = random.Random(seed)
        self.fresh = 0

    def program(self) -> str:
        opening = self.rng.choice(("r = x[i].copy()", "r = np.zeros(n)", "r = w * x[i]", "r[:] = x[i]"))
        rows, _ = self.block(Scope(), 3 + self.rng.randrange(4))
        before = ["n = w.shape[0]", "s = 0.3", "q = 0.0", "out = np.zeros_like(x)", "c = np.zeros(n)", "r = c.copy()"]
        row = [opening, "y = 0.5", f"z = {self.rng.choice(('0.2', 'x[i, 0]', '0.1 * i'))}", *rows]
        if self.rng.random() < 0.3:
            row.append("s += z * y")
        after = self.rng.choice(("s + q", "s * q + np.sum(c)", "s + q + np.sum(np.sin(c)) + np.sum(out ** 2)"))
        lines = [*before, "for i in range(x.shape[0]):", *(f"    {line}" for line in row), f"return {after}"]
        return "import numpy as np\n\n\ndef f(x, w, m):\n" + textwrap.indent("\n".join(lines), "    ") + "\n"

    def statement(self, scope: Scope) -> tuple[list[str], Scope]:
        self.fresh += 1
        new, index = f"v{self.fresh}", f"j{self.fresh}"
        kind = LOOPS if scope.depth < 3 and self.rng.random() < (0.6 if scope.depth == 0 else 0.25) else WHOLES
        if kind == WHOLES and scope.indices:
            kind = STATEMENTS
        text = self.pick(kind).format(**self.parts(scope), new=new, i=index, bound=self.rng.choice((-9.0, 0.0, 0.3)))
        lines = text.split("|")
        if not text.endswith(":"):
            made = f"{new} = " in text
            return lines, replace(scope, arrays=(*scope.arrays, new)) if made else scope
        indices = (*scope.indices, index) if text.startswith("for") else scope.indices
        within = replace(scope, indices=indices, depth=scope.depth + 1)
        lines += self.inner(within)
        if text.startswith("if") and self.rng.random() < 0.4:
            lines += ["else:", *self.inner(within)]
        return lines, scope

    def pick(self, alternatives: str) -> str:
        return self.rng.choice(alternatives.strip().splitlines())

    def parts(self, scope: Scope) -> dict[str, str]:
        """What the gaps of a statement are filled with, for the most part what the loop around is about."""
        one = lambda: self.rng.choice(scope.arrays)
        at = lambda: self.rng.choice((*scope.indices, *scope.indices[-1:] * 3) or ("0", "1", "n - 1"))
        z, y = self.rng.sample(("z", "y"), 2)
        given = lambda k: {"a": one(), "b": one(), "k": k, "l": at(), "z": self.rng.choice("zy"), "y": y}
        k = at()
        number = lambda: self.pick(NUMBERS).format(**given(self.rng.choice((k, k, at()))))
        return {**given(k), "z": z, "f": self.pick(FUNCTIONS).format(e=number(), d=number(), z=z)}

    def inner(self, scope: Scope) -> list[str]:
        lines, _ = self.block(scope, 1 + self.rng.randrange(4))
        return [f"    {line}" for line in lines or ["s *= 0.9"]]


def random_source(seed: int) -> str:
    return Generator(seed).program()


def arguments() -> list:
    rng = np.random.default_rng(7)
    return [0.8 * rng.normal(size=(ROWS, N)), 0.6 * rng.normal(size=N), 0.4 * rng.normal(size=(N, N))]


def check(source: str, cpu: bool) -> None:
    f = load(source)
    try:
        with np.errstate(over="raise", invalid="raise"):
            f(*arguments())
    except (FloatingPointError, OverflowError) as error:  # also in what is computed in vain
        raise Discard from error
    expected = slopes(f, arguments, 3)
    for form in (COMPILED,) if cpu else FORMS:
        agree(f, derivative(f, WRT, form), arguments, expected)


def outcome(seed: int, cpu: bool = False) -> str:
    return tried(lambda: check(random_source(seed), cpu))


def show(source: str) -> None:
    df = srcad.value_and_grad(load(source), WRT, unconnected_gradients="zero")
    print(srcad.source(df, *arguments(), stage="blocks"))


if __name__ == "__main__":
    run(__doc__, random_source, check, show)
