"""Random statements over a few numbers and an array: every name bound, every value small."""

from __future__ import annotations

import random

NAMES = "abcd"


def program(seed: int) -> str:
    """The text of a function of four numbers, an array of four and an integer."""
    rng = random.Random(seed)
    lines = block(rng, 4, 1, rng.randrange(3, 8))
    return "\n".join(["def f(a, b, c, d, u, n):", *lines, "    return a, b, c, d, u[0] + u[1], u[2] + u[3]"])


def expr(rng: random.Random, depth: int = 2) -> str:
    if depth == 0 or rng.random() < 0.2:
        return rng.choice([*NAMES, *NAMES, "1.0", "2.0", f"u[{rng.randrange(4)}]"])
    left, right = expr(rng, depth - 1), expr(rng, depth - 1)
    operations = ["({0} + {1})", "({0} - {1})", "{0} * {1}", "np.sin({0})", "(-{0})"]
    return rng.choice(operations).format(left, right)


def test(rng: random.Random) -> str:
    return f"{rng.choice(NAMES)} {rng.choice('<>')} {rng.choice([*NAMES, '0.1'])}"


def block(rng: random.Random, depth: int, indent: int, size: int) -> list[str]:
    lines: list[str] = []
    for _ in range(size):
        lines += statement(rng, depth, indent)
    return lines


def statement(rng: random.Random, depth: int, indent: int) -> list[str]:
    pad = "    " * indent
    kind = rng.choice(["let", "let", "let", "let", "copy", "store", "add", "swap", "if", "if", "for", "while"])
    name, other = rng.sample(NAMES, 2)
    inner = lambda: block(rng, depth - 1, indent + 1, rng.randrange(1, 4))
    if kind == "copy":
        return [f"{pad}{name} = {other}"]
    if kind == "store":
        return [f"{pad}u[{rng.randrange(4)}] = np.sin({expr(rng)})"]
    if kind == "add":
        return [f"{pad}u[{rng.randrange(4)}] += 0.1 * np.sin({expr(rng)})"]
    if kind == "swap":
        return [f"{pad}h = {name}", f"{pad}{name} = {other}", f"{pad}{other} = h"]
    if kind == "if" and depth:
        orelse = [f"{pad}else:", *inner()] if rng.random() < 0.6 else []
        return [f"{pad}if {test(rng)}:", *inner(), *orelse]
    if kind == "for" and depth:
        return [f"{pad}for i{indent} in range({rng.choice(['n', '2', '0', 'n - 1'])}):", *inner()]
    if kind == "while" and depth:
        step = f"{pad}    w{indent} = w{indent} + 1"
        return [f"{pad}w{indent} = 0", f"{pad}while w{indent} < {rng.choice(['n', '2'])}:", step, *inner()]
    return [f"{pad}{name} = np.sin({expr(rng, 3)})"]
