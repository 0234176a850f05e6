"""Random loop nests over arrays, as numerical programs have them: neighbours, buffers, views, small arrays, exits.

``python -m tests.random_loops --count 1000 --seed 1`` compares every form of the derivative with finite differences and
prints the smallest program for each failure; ``--only`` prints one program and its derivative. ``--cpu`` compiles, too.
"""

from __future__ import annotations

import functools
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from tests import random_memory
from tests.forms_of_derivatives import COMPILED, FORMS, derivative
from tests.random_memory import agree, slopes, ways
from tests.random_programs import Discard, command, load, seeds, sweep, tried
from tests.smaller import smaller

N = 5
WRT = ("a", "x", "y", "A", "p")
PRELUDE = """
import math

import numpy as np

"""


def arguments(layout: str) -> list:
    """The same numbers every time; `layout` says how the arrays lie in memory."""
    rng = np.random.default_rng(11)
    x, y, A, p = (rng.uniform(-1, 1, shape) for shape in (N, N, (N, N), 3))
    if layout == "F":
        A = np.asfortranarray(A)
    elif layout == "A":
        x, A = np.repeat(x, 2)[::2], np.repeat(np.repeat(A, 2, 0), 2, 1)[::2, ::2]
    return [0.45, x, y, A, p, np.array([1, 0, 3, 1, 4]), N, 3]


# One alternative a line, see `random_memory`. {e}: a number, perhaps computed; {n} {m}: names of numbers; {t}: a test;
# {b}: a bound; {o}: where a range begins; {l}: a slice; {c}: a constant subscript of a small array.

NUMBERS = """
{n}
{v}[{i}]
{u}[{j}]
{A}[{i}, {j}]
{A}[{j}][{i}]
0.5
"""
COMPUTED = """
({e} + {e})
({e} + {e})
({e} - {e})
0.7 * {e} * {e}
0.7 * {e} * {e}
np.sin({e})
np.exp(-0.3 * {e} ** 2)
np.tanh({e})
{e} / (1.5 + {e} ** 2)
np.sqrt(1.0 + {e} ** 2)
0.3 * np.sum({w})
0.3 * np.dot({v}, {u})
max({e}, {e})
abs({e})
({e} if {t} else {e})
"""
LEAVES = """
{v}
{v}[{l}]
{v}[{l}]
{A}[{i}]
{A}[{i}, {l}]
{A}[{l}, {i}]
"""
VECTORS = """
({w} + {z})
({w} - {z})
0.6 * {w} * {z}
{s} * {w}
np.sin({w})
np.tanh({w})
0.3 * ({A} @ {v})
0.3 * ({v} @ {A})
np.where({w} > 0.1, {w}, {z})
{w} ** 2
"""
TESTS = """
{s} > 0.1
{s} > -0.2
{e} > 0.4
{i} < {j}
{i} == {j}
{i} != {j}
{i} % 2 == 0
"""
NUMBER_STORES = """
{n} = {e}
{n} += {e}
{n} += {e}
{n} -= {e}
{n} *= np.cos({e})
{n}, {m} = {m}, {e}
"""
ELEMENT_STORES = """
{v}[{i}] = {e}
{v}[{i}] = {e}
{v}[{i}] {op} {e}
{v}[{i}] *= np.cos({e})
{A}[{i}, {j}] = {e}
{A}[{i}, {j}] {op} {e}
{A}[{i}][{j}] += {e}
{v}[{i}], {u}[{j}] = {u}[{j}], {v}[{i}]
{v}[k[{i}]] += {e}
"""
SLICE_STORES = """
{v}[{l}] = {w}
{v}[{l}] {op} {w}
{v}[{l}] = {e}
{v} += {w}
{v} *= np.cos({w})
{A}[{i}, {l}] = {w}
{A}[{l}, {i}] {op} {w}
{A}[{i}] {op} {w}
{A} *= {e}
"""
SWAPS = """
{v}, {u} = {u}, {v}
{v}, {u} = {u}, {w}
{v} = {w}
{v} = {u}.copy()
"""
NEW_VECTORS = """
{new} = np.zeros(n)
{new} = np.ones(n)
{new} = np.zeros_like({v})
{new} = {v}.copy()
{new} = {v}.copy()
{new} = {w}
{new} = {w}
{new} = np.empty(n); {new}[:] = {v}
{new} = np.empty_like({v}); {new}[0] = 1.0; {new}[1:] = {v}[1:]
"""
VIEWS = """
{new} = {A}[{i}]
{new} = {v}[{l}]
{new} = {A}[:, {i}]
{new} = {v}
"""
MATRICES = """
{new} = {A}.T
{new} = {A}[::-1]
{new} = {A}[:, ::-1]
{new} = {A}.copy()
"""
SMALL = """
{new} = np.array([{e}, {e}, {e}])
{new} = np.array([{e}, {e}, {e}])
{new} = np.empty(3); {new}[0] = {e}; {new}[2] = {e}; {new}[1] = {e}
{new} = np.zeros(3)
{new} = {v}[1:4].copy()
{new} = p * {e}
{new} = p + {e}
"""
SMALL_STORES = """
{new}[{c}] = {e}
{new}[{c}] += {e}
{new} *= p
{new} += {e}
{new}[1:] += {new}[:-1]
{new} = {new} * {e}
g = np.dot({new}, p)
"""
FILLS = """
range({b})
range({b})
range(1, {b})
range(1, {b})
range({o}, {b})
range({b} - 1, -1, -1)
range({b} - 1, 0, -1)
range({b} - 1, {o}, -1)
range(0, {b}, 2)
range({b} - 1, -1, -2)
"""
RETURNS = """
g + a
g + np.sum({v})
g + np.sum({v} ** 2) + np.sum(np.sin({u}))
g + np.sum({v} ** 2) + np.sum({A} ** 2)
g + np.sum(np.sin({v})) + np.sum(np.sin({A}))
"""
WEIGHTS = {  # of the statements, for each style
    "elements": {"numbers": 5, "elements": 6, "slices": 2, "vector": 1, "loop": 4, "branch": 2, "small": 1},
    "slices": {"numbers": 2, "elements": 1, "slices": 6, "vector": 3, "loop": 3, "branch": 1, "view": 1},
    "time": {"numbers": 2, "elements": 3, "slices": 4, "vector": 2, "loop": 4, "swap": 2, "view": 2, "small": 1},
    "small": {"numbers": 3, "elements": 4, "loop": 3, "branch": 2, "small": 6, "vector": 2, "leave": 1},
    "rows": {"numbers": 2, "elements": 2, "slices": 3, "vector": 2, "loop": 4, "view": 5, "matrix": 1, "branch": 1},
    "mixed": {"numbers": 3, "elements": 3, "slices": 3, "vector": 2, "loop": 4, "branch": 2, "swap": 1, "small": 1,
              "view": 1, "matrix": 1, "count": 1, "leave": 1},
}  # fmt: skip


@dataclass(frozen=True)
class Scope(random_memory.Scope):
    """The names that a statement may use."""

    numbers: tuple[str, ...] = ("a", "g")
    in_for: bool = False


class Generator(random_memory.Generator):
    """Writes one program."""

    said = "vuAijnmc"

    def __init__(self, seed: int):
        super().__init__(seed)
        self.weights = self.rng.choice([*WEIGHTS.values()])

    def program(self) -> str:
        lines, scope = self.block(Scope(), 2 + self.rng.randrange(4))
        nest, scope = self.loop(scope)
        copies = [f"{name} = {name}.copy()" for name in ("x", "y", "A") if self.rng.random() < 0.6]
        lines = ["g = 0.5", *copies, *lines, *nest, f"return {self.filled(RETURNS, scope)}"]
        return f"{PRELUDE}\ndef f(a, x, y, A, p, k, n, m):\n{textwrap.indent(chr(10).join(lines), '    ')}\n"

    def gap(self, gap: str, scope: Scope, depth: int) -> str:  # type: ignore[override]
        """What may stand in a gap of an alternative."""
        names = self.rng.choice
        match gap:
            case "e":
                leaf = depth <= 0 or self.rng.random() < 0.25
                return self.filled(NUMBERS if leaf else COMPUTED, scope, depth - 1)
            case "s":
                return self.filled(NUMBERS, scope)
            case "n" | "m":
                return names([n for n in scope.numbers if "[" not in n] if depth == 3 else scope.numbers)
            case "t":
                return self.test(scope)
            case "c":
                return names(["0", "1", "-1", "2"])
            case "o":
                return names(["0", "1", *scope.indices, *(f"{i} + 1" for i in scope.indices)])
            case "b":
                bounds = ["n", "n", "n", "n - 1", "n - 2", "len(x)", "A.shape[0]", "3", "4", "min(n, 4)", "m"]
                own = [t for i in scope.indices for t in (i, f"{i} + 1", f"n - {i}")]
                return names([*bounds, *own, *own])
            case "l":
                ends = [":", ":", ":", "1:", ":-1", "1:-1", "2:", ":-2", "::-1", "::2", "1:4", ":3", ":n - 1"]
                own = [t for i in scope.indices for t in (f"{i}:", f":{i} + 1", f"{i}:{i} + 2", f"{i} - 1:{i} + 2")]
                return names([*ends, *own])
            case "w" | "z":
                leaf = depth <= 0 or self.rng.random() < 0.4
                return self.filled(LEAVES if leaf else VECTORS, scope, depth - 1)
        return super().gap(gap, scope, depth)

    def index(self, scope: Scope) -> str:  # type: ignore[override]
        fixed = ["0", "1", "2", "-1", "-2", "n - 1"]
        if not scope.indices or self.rng.random() < 0.12:
            return self.rng.choice(fixed)
        i = self.rng.choice(scope.indices)
        near = [i, i, i, i, f"{i} + 1", f"{i} + 1", f"{i} - 1", f"{i} - 1", f"{i} - 2"]
        far = [f"n - 1 - {i}", f"-1 - {i}", f"-{i}", f"({i} + 1) % n", f"k[{i}]", f"{i} // 2", f"2 * {i}"]
        return self.rng.choice([*near, *near, *far, f"{scope.indices[0]} - {i}", f"{scope.indices[0]} + {i}"])

    # ------------------------------------------------------------ statements

    def statement(self, scope: Scope) -> tuple[list[str], Scope]:  # type: ignore[override]
        kinds = [*self.weights]
        if scope.depth >= 3:
            kinds = [kind for kind in kinds if kind not in ("loop", "count", "branch")]
        if not scope.in_for:
            kinds = [kind for kind in kinds if kind != "leave"]
        kind = self.rng.choices(kinds, [self.weights[kind] for kind in kinds])[0]
        texts = {"numbers": NUMBER_STORES, "elements": ELEMENT_STORES, "slices": SLICE_STORES, "swap": SWAPS}
        return ([self.filled(texts[kind], scope, 3)], scope) if kind in texts else getattr(self, kind)(scope)

    def test(self, scope: Scope) -> str:  # type: ignore[override]
        return self.filled(TESTS, scope, 0)

    def named(self, alternatives: str, letter: str, scope: Scope) -> tuple[list[str], str]:
        new = self.name(letter)
        return self.filled(alternatives, scope, 3, new=new).split("; "), new

    def vector(self, scope: Scope, depth: int | None = None):  # type: ignore[override]
        if depth is not None:
            return self.gap("w", scope, depth)
        lines, new = self.named(NEW_VECTORS, "u", scope)
        return lines, replace(scope, vectors=(*scope.vectors, new))

    def view(self, scope: Scope) -> tuple[list[str], Scope]:
        lines, new = self.named(VIEWS, "r", scope)
        return lines, replace(scope, vectors=(*scope.vectors, new))

    def matrix(self, scope: Scope) -> tuple[list[str], Scope]:
        lines, new = self.named(MATRICES, "M", scope)
        return lines, replace(scope, matrices=(*scope.matrices, new))

    def small(self, scope: Scope) -> tuple[list[str], Scope]:
        """A short array, as those of points and of three equations are; its elements are numbers."""
        lines, new = self.named(SMALL, "q", scope)
        numbers = (*scope.numbers, *(f"{new}[{place}]" for place in ("0", "1", "2", "-1")))
        scope = replace(scope, numbers=numbers)
        for _ in range(self.rng.randrange(3)):
            lines.append(self.filled(SMALL_STORES, scope, 3, new=new))
        return lines, scope

    def inner(self, scope: Scope) -> list[str]:  # type: ignore[override]
        lines, _ = self.block(replace(scope, depth=scope.depth + 1), self.rng.choice([1, 2, 2, 3, 3, 4]))
        return [f"    {line}" for line in lines]

    def loop(self, scope: Scope) -> tuple[list[str], Scope]:  # type: ignore[override]
        i, e = self.name("i"), self.name("e")
        head, inside = f"{i} in {self.filled(FILLS, scope)}", replace(scope, indices=(*scope.indices, i), in_for=True)
        other = self.rng.random()
        if other < 0.08:
            head = f"{i}, {e} in enumerate({self.filled('{v}', scope)})"
            inside = replace(inside, numbers=(*scope.numbers, e))
        elif other < 0.14:
            head = f"{e} in {self.filled('{A}', scope)}"
            inside = replace(scope, vectors=(*scope.vectors, e), in_for=True)
        return [f"for {head}:", *self.inner(inside)], scope

    def count(self, scope: Scope) -> tuple[list[str], Scope]:
        """A loop that counts by itself."""
        i = self.name("w")
        inside = replace(scope, indices=(*scope.indices, i), in_for=False)
        more = f" and {self.test(scope)}" if self.rng.random() < 0.3 else ""
        if self.rng.random() < 0.5:
            head, step = [f"{i} = 0", f"while {i} < {self.filled('{b}', scope)}{more}:"], f"    {i} += 1"
        else:
            head, step = [f"{i} = {self.filled('{b}', scope)} - 1", f"while {i} > -1{more}:"], f"    {i} -= 1"
        return [*head, *self.inner(inside), step], scope

    def leave(self, scope: Scope) -> tuple[list[str], Scope]:
        way = self.rng.choice(["break", "continue", "continue", f"return {self.filled('{e}', scope)}"])
        return [f"if {self.test(scope)}:", f"    {way}"], scope


# ---------------------------------------------------------------- checks


def first_that_runs(generator: Callable[[int], Generator]) -> Callable[[int], str]:
    """What gives the first program of a seed that runs: many leave the bounds of an array, or its shape."""

    @functools.cache
    def random_source(seed: int) -> str:
        for attempt in range(1000 * seed, 1000 * seed + 1000):
            source = generator(attempt).program()
            if runs(source, layout_of(seed)):
                return source
        raise Discard

    return random_source


random_source = first_that_runs(Generator)


def runs(source: str, layout: str) -> bool:
    try:
        with np.errstate(all="ignore"):
            value = load(source)(*arguments(layout))
    except Exception:
        return False
    return np.ndim(value) == 0 and bool(abs(value) < 1e4)


def layout_of(seed: int) -> str:
    return "CCCFA"[seed % 5]


def check(f, layout: str, cpu: bool = False) -> None:
    """Compare all forms of the derivative with finite differences; AssertionError where they differ."""

    def given() -> list:
        return arguments(layout)

    expected = slopes(f, given, len(WRT))
    for form in FORMS if cpu else [form for form in FORMS if form != COMPILED]:
        try:
            if form == "forward":
                check_forward(f, given, expected)
            else:
                agree(f, derivative(f, WRT, form), given, expected)
        except AssertionError as error:
            raise AssertionError(f"{form}: {error}") from error


def check_forward(f, given, expected: list[float]) -> None:
    import srcad

    df = srcad.jvp(f, wrt=WRT, unconnected_gradients="zero", **FORMS["forward"])
    for way, slope in zip(ways(given, len(WRT)), expected):
        tangents = tuple(d if np.ndim(d) else float(d) for d in way)
        _, along = df(*given(), tangents=tangents)
        assert abs(along - slope) < 1e-6 * max(1.0, abs(slope)), f"the tangent is {along}, and should be {slope}"


def outcome(seed: int, cpu: bool = False, source: Callable[[int], str] = random_source) -> str:
    return tried(lambda: check(load(source(seed)), layout_of(seed), cpu))


def smallest(seed: int, cpu: bool = False, source: Callable[[int], str] = random_source) -> str:
    """The smallest program that fails as the one of this seed does."""
    kind = outcome(seed, cpu, source).partition(":")[0]

    def fails(text: str) -> bool:
        if not runs(text, layout_of(seed)):
            return False
        return tried(lambda: check(load(text), layout_of(seed), cpu)).startswith(kind)

    return smaller(source(seed), fails)


def main(usage: str | None, source: Callable[[int], str] = random_source) -> None:
    options = command(usage).parse_args()
    if options.only:
        show(options.seed, options.cpu, source)
    else:
        sweep(seeds(options), lambda seed: outcome(seed, options.cpu, source),
              lambda seed: smallest(seed, options.cpu, source))


def show(seed: int, cpu: bool, source: Callable[[int], str]) -> None:
    import srcad

    print(source(seed).replace(PRELUDE, ""))
    f = load(source(seed))
    print(srcad.source(derivative(f, WRT, "python"), *arguments(layout_of(seed))))
    check(f, layout_of(seed), cpu)
    print("right")


if __name__ == "__main__":
    main(__doc__)
