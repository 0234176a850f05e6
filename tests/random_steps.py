"""Random time loops: branches and inner loops that fill arrays, step after step, and what reads them behind that.

``python -m tests.random_steps --count 1000 --seed 1`` looks for wrong numbers and prints the smallest program for each;
``--only`` prints one program and its derivative. Here loops record what is dear, and reverse branches stand behind
those that compute again: what a record holds must be what the array held where it is read.
"""

from __future__ import annotations

import random
import textwrap
from dataclasses import dataclass, replace

import numpy as np

import srcad
from tests.random_memory import agree, slopes
from tests.random_programs import Blocks, load, run, tried

STEPS, N = 3, 5

# One alternative a line, `|` between lines of a statement. {a} {b}: arrays that may have been filled; {k}: an index;
# {new}, {i}: new names of an array and of an index.

ELEMENTS = """
np.tanh({a}[{k}] + z[t, {k}])
np.exp(-({a}[{k}] ** 2))
np.sin({a}[{k}] + t)
{a}[{k}] * {b}[{k}]
0.5 * {a}[({k} + 1) % n]
np.sin(1.0 + {k} * t)
"""
ARRAYS = """
np.sin({a})
0.7 * {a} + z[t]
{a} * {b}
np.tanh({a} - z[t])
"""
STATEMENTS = """
for {i} in range(n):|    {a}[{i}] = {element}
for {i} in range(n):|    {a}[{i}] += {element}
for {i} in range(n):|    {a}[{i}] *= {element}|    s += {another}
{a}[:] = {array}
s += np.sum({a} * {b})
s += np.tanh({a}[t])
{new} = np.zeros(n)|for {i} in range(n):|    {new}[{i}] = {element}
{new} = np.zeros(n)|for {i} in range(n):|    {new}[{i}] = {element}
{new} = np.zeros(n, "i")|for {i} in range(n):|    {new}[{i}] = ({i} * (t + 2)) % n|{a}[:] = {a}[{new}]
if np.sum({a}) > {bound}:
if np.sum({a}) > {bound}:
for {i} in range(2):
"""


@dataclass(frozen=True)
class Scope:
    """The arrays that a statement may use, and in how many blocks it stands."""

    arrays: tuple[str, ...] = ("p", "w")
    depth: int = 0


class Generator(Blocks):
    """Writes one program."""

    def __init__(self, seed: int):
        self.rng = random.Random(seed)
        self.fresh = 0

    def program(self) -> str:
        steps, _ = self.block(Scope(), 3 + self.rng.randrange(4))
        before = ["p = x.copy()", "n = p.shape[0]", "w = np.zeros(n)", "s = 0.0", "for t in range(z.shape[0]):"]
        body = [*before, *(f"    {line}" for line in steps), "return s + np.sum(p * x) + np.sum(w)"]
        return "import numpy as np\n\n\ndef f(x, z):\n" + textwrap.indent("\n".join(body), "    ") + "\n"

    def statement(self, scope: Scope) -> tuple[list[str], Scope]:
        self.fresh += 1
        new, index = f"g{self.fresh}", f"k{self.fresh}"
        pick = lambda alternatives: self.rng.choice(alternatives.strip().splitlines())
        one = lambda: self.rng.choice(scope.arrays)
        element, another = (pick(ELEMENTS).format(a=one(), b=one(), k=index) for _ in range(2))
        array, bound = pick(ARRAYS).format(a=one(), b=one()), self.rng.choice((-9.0, -0.4, 0.0, 0.3))
        text = pick(STATEMENTS).format(
            a=one(), b=one(), i=index, new=new, element=element, another=another, array=array, bound=bound
        )
        lines = text.split("|")
        if not text.endswith(":"):
            return lines, replace(scope, arrays=(*scope.arrays, new)) if f"{new} = np.zeros(n)" in text else scope
        if scope.depth == 2:
            return [], scope
        within = replace(scope, depth=scope.depth + 1)
        lines += self.inner(within)
        if text.startswith("if") and self.rng.random() < 0.4:
            lines += ["else:", *self.inner(within)]
        return lines, scope

    def inner(self, scope: Scope) -> list[str]:
        lines, _ = self.block(scope, 1 + self.rng.randrange(3))
        return [f"    {line}" for line in lines or ["s *= 0.9"]]


def random_source(seed: int) -> str:
    return Generator(seed).program()


def arguments() -> list:
    rng = np.random.default_rng(7)
    return [rng.normal(size=N), 0.5 * rng.normal(size=(STEPS, N))]


def check(source: str, cpu: bool) -> None:
    f = load(source)
    df = srcad.value_and_grad(f, (0, 1), target="cpu" if cpu else "python", unconnected_gradients="zero")
    agree(f, df, arguments, slopes(f, arguments, 2))


def outcome(seed: int, cpu: bool = False) -> str:
    return tried(lambda: check(random_source(seed), cpu))


def show(source: str) -> None:
    df = srcad.value_and_grad(load(source), (0, 1), target="python")
    print(srcad.source(df, *arguments()))


if __name__ == "__main__":
    run(__doc__, random_source, check, show)
