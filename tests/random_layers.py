"""Random statements about matrices, as layers of networks have them: products, sums along axes, broadcasts, masks.

``python -m tests.random_layers --count 1000 --seed 1`` looks for wrong numbers and prints the smallest program for
each; ``--only`` prints one program and its derivative. Machine code fuses such statements in loops over rows and
elements.
"""

from __future__ import annotations

import random
import textwrap
from dataclasses import dataclass, replace

import numpy as np

import srcad
from tests.forms_of_derivatives import COMPILED, derivative
from tests.random_memory import agree, slopes, ways
from tests.random_programs import Blocks, load, run, tried

M, N = 5, 4
WRT = ("X", "W", "b", "c", "g")
FORMS = ("machine text", "exact machine text", "python", "plain")

# One alternative a line. {A} {B}: (5, 4); {P} {Q}: (4, 4); {r} {t}: (4,); {k} {l}: (5,); {s}: a number; {q}: a positive
# matrix; {x}: a column (5, 1); {y}: what goes along the rows, (4,) or (1, 4). Each list gives values of one shape.

KINDS = {
    "A": """
{A} + {B}
{A} - {B}
{A} * {B}
0.5 * {A} * {s}
{A} / (1.0 + {B} ** 2)
{A} @ {P}
{A} @ {P}.T
{A} + {y}
{A} - {x}
{A} * {x}
{A} / (0.5 + {x} ** 2)
{y} * {A} - {x}
np.tanh({A})
np.sin({A} + {x})
np.exp(-({A} ** 2))
np.maximum({A}, 0)
np.maximum({A}, {B})
np.where({A} > 0, {A}, 0.1 * {B})
np.where({A} > {x}, np.sqrt({A} ** 2 + 0.1), {B})
np.abs({A}) + 0.3 * {B}
np.clip({A}, -0.8, 0.9)
np.exp({A} - {A}.max(axis=1, keepdims=True))
{A} / np.sqrt(np.sum({A} ** 2, axis=1, keepdims=True) + 0.01)
({A} - {A}.mean(0)) / np.sqrt({A}.var(0) + 0.01)
np.outer({k}, {r})
{k}[:, None] * {r}
{k}[:, None] + {r}[None, :]
{A}[::-1]
{A}[:, ::-1]
{A}.copy()
np.log(1.0 + np.exp({A}))
np.cumsum({A}, axis=1)
""",
    "P": """
{P} + {Q}
{P} * {Q}
{P} @ {Q}
{P}.T
{A}.T @ {B}
{P} @ {Q}.T
np.outer({r}, {t})
{P} + {y}
{P} - {r}[:, None]
np.tanh({P})
np.eye(4) - 0.5 * {P}
{P} * (1.0 - np.eye(4))
""",
    "r": """
{r} + {t}
{r} * {t}
{A}.sum(axis=0)
{A}.mean(axis=0)
np.max({A}, axis=0)
{A}[1]
{A}[-1] * {r}
{k} @ {A}
{A}.T @ {k}
{P} @ {r}
{r} @ {P}
np.sum({A} * {x}, axis=0)
np.sqrt(np.sum({A} ** 2, axis=0) + 0.1)
np.sin({r})
np.diag({P})
{r} * {s}
""",
    "k": """
{k} + {l}
{k} * {l}
{A}.sum(axis=1)
{A}.max(axis=1)
np.sum({A} * {B}, axis=1)
np.mean({A}, 1)
{A}[:, 2]
{A} @ {r}
np.tanh({k})
np.log(np.sum(np.exp({A}), axis=1))
np.sqrt(np.mean({A} ** 2, axis=1) + 0.1)
np.einsum("ij,ij->i", {A}, {B})
{k} * {s}
{k} - np.max({k})
""",
    "s": """
{s} + 0.3
np.sum({A})
np.mean({A} * {B})
np.sum({k} * {l})
{r} @ {t}
np.sum({P}) * 0.3
np.max({A})
np.trace({P})
np.sin({s})
np.sum({A} ** 2) ** 0.5 + 0.1
np.sum(np.tanh({k}))
""",
}
COLUMNS = """
{k}[:, None]
np.sum({A}, axis=1, keepdims=True)
{A}.mean(-1, keepdims=True)
{A}[:, 1:2]
{A}.max(1, keepdims=True)
"""
ALONG = """
{r}
{r}
{r}[None, :]
{A}[0]
{A}.mean(axis=0, keepdims=True)
"""
STORES = """
{A}[1] = {r}
{A}[:, 1] *= {k}
{A}[1:] += {A}[:-1] * 0.5
{A} += {y}
{A} *= {x}
{A}[:, 2:] = 0.0
{A}[0, 1] = {s}
{A}[{A} < 0] = 0.1
{k} += {l}
{r} *= {t}
{P} -= 0.1 * {A}.T @ {B}
{A} = {B}
"""
RETURNS = """
np.sum({A} ** 2)
np.sum({A} * {B}) + {s}
np.mean(np.maximum({A}, 0) ** 2)
np.sum(np.sin({k})) + np.sum({r} * {t})
-np.mean(np.log(np.sum({A} ** 2, axis=1) + 1.0))
np.sum({P} * {Q}) + np.sum({A}) * {s}
"""


@dataclass(frozen=True)
class Scope:
    """The names of each shape, the latest last."""

    names: tuple[tuple[str, tuple[str, ...]], ...] = (
        ("A", ("X",)), ("P", ("W",)), ("r", ("b",)), ("k", ("c",)), ("s", ("g",)))  # fmt: skip

    def of(self, kind: str) -> tuple[str, ...]:
        return dict(self.names)[kind]

    def having(self, kind: str, name: str) -> Scope:
        return replace(self, names=tuple((k, (*n, name) if k == kind else n) for k, n in self.names))


class Generator(Blocks):
    """Writes one program."""

    def __init__(self, seed: int):
        self.rng = random.Random(seed)
        self.fresh = 0
        self.looping = False

    def program(self) -> str:
        lines, scope = self.block(Scope(), 4 + self.rng.randrange(7))
        lines.append("return " + " + ".join(self.filled(self.pick(RETURNS), scope) for _ in range(3)))
        text = "X, W, b, c = X.copy(), W.copy(), b.copy(), c.copy()\n" + "\n".join(lines)
        return "import numpy as np\n\n\ndef f(X, W, b, c, g):\n" + textwrap.indent(text, "    ") + "\n"

    def statement(self, scope: Scope) -> tuple[list[str], Scope]:
        if self.rng.random() < 0.1 and not self.looping:
            self.looping = True
            lines, _ = self.block(scope, 1 + self.rng.randrange(3))
            again = f"{scope.of('A')[-1]} = np.tanh({self.filled(self.pick(KINDS['A']), scope)})"
            self.looping = False
            return ["for t in range(3):", *(f"    {line}" for line in (*lines, again))], scope
        if self.rng.random() < 0.15:
            return [self.filled(self.pick(STORES), scope)], scope
        kind = self.rng.choice("AAAAPrrkks")
        value = self.filled(self.pick(KINDS[kind]), scope)
        self.fresh += 1
        name = f"{kind}{self.fresh}" if self.rng.random() < 0.8 else scope.of(kind)[-1]
        return [f"{name} = {value}"], scope.having(kind, name)

    def pick(self, alternatives: str) -> str:
        return self.rng.choice(alternatives.strip().splitlines())

    def filled(self, text: str, scope: Scope) -> str:
        """A line with names in its gaps, of recent values for the most part."""
        one = lambda kind: self.rng.choice((*scope.of(kind), *scope.of(kind)[-1:] * 3))
        given = {gap: one(kind) for gap, kind in zip("ABPQrtkls", "AAPPrrkks")}
        return text.format(**given, x=self.pick(COLUMNS).format(**given), y=self.pick(ALONG).format(**given))


def random_source(seed: int) -> str:
    return Generator(seed).program()


def arguments() -> list:
    rng = np.random.default_rng(7)
    return [rng.normal(size=(M, N)), 0.5 * rng.normal(size=(N, N)), rng.normal(size=N), rng.normal(size=M), 0.4]


def check(source: str, cpu: bool) -> None:
    f = load(source)
    expected = slopes(f, arguments, len(WRT))
    for form in (COMPILED,) if cpu else FORMS:
        agree(f, derivative(f, WRT, form), arguments, expected)
    if not cpu:
        along = srcad.jvp(f, wrt=WRT, unconnected_gradients="zero", target="python")
        for way, slope in zip(ways(arguments, len(WRT)), expected):
            _, tangent = along(*arguments(), tangents=(*way[:-1], float(way[-1])))
            assert abs(tangent - slope) < 1e-6 * max(1.0, abs(slope)), f"the tangent is {tangent}, and not {slope}"


def outcome(seed: int, cpu: bool = False) -> str:
    return tried(lambda: check(random_source(seed), cpu))


def show(source: str) -> None:
    df = srcad.value_and_grad(load(source), WRT, unconnected_gradients="zero")
    print(srcad.source(df, *arguments()))


if __name__ == "__main__":
    run(__doc__, random_source, check, show)
