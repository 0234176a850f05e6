"""Functions of any number of lines: what a compiler that looks at everything again for each statement chokes on."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable

HEAD = "import math\n\nimport numpy as np\n\n\ndef helper(p, q):\n    r = p * q\n    return r + math.sin(q)\n\n\n"


def scalars(lines: int) -> list[str]:
    """Straight scalar code, each line in terms of the two above and an old one."""
    forms = (
        "v{n} = math.sin(v{a}) * v{b} + 0.3",
        "v{n} = v{a} / (1.0 + v{b} * v{b})",
        "v{n} = v{a} - x * v{c}",
        "v{n} = math.exp(-v{a} * v{a}) + y",
    )
    body = [forms[n % 4].format(n=n, a=n - 1, b=n - 2, c=n // 2) for n in range(2, lines)]
    return ["def f(x, y):", "v0 = x * y", "v1 = x + y", *body, f"return v{lines - 1}"]


def one_name(lines: int) -> list[str]:
    """One name, assigned again and again."""
    forms = ("x = math.sin(x) * y", "x += y * x", "y = x * y + 0.1", "x = math.tanh(x)")
    return ["def f(x, y):", *(forms[n % 4] for n in range(lines)), "return x"]


def arrays(lines: int) -> list[str]:
    """Straight code on whole arrays."""
    forms = (
        "a{n} = np.tanh(a{a}) * x",
        "a{n} = a{a} + 0.5 * a{b}",
        "a{n} = a{a} * np.sum(a{b} * x)",
        "a{n} = np.where(a{a} > 0.0, a{a}, 0.1 * a{c})",
    )
    body = [forms[n % 4].format(n=n, a=n - 1, b=n - 2, c=n // 2) for n in range(2, lines)]
    return ["def f(x, y):", "a0 = x * y", "a1 = x + y", *body, f"return np.sum(a{lines - 1})"]


def loops(lines: int) -> list[str]:
    """Small loops and branches, elements and whole arrays by turns."""
    block = (
        "for i in range(x.shape[0]):",
        "    s = s * 0.9 + math.sin(x[i]) * s",
        "if s > {n}.0:",
        "    s = s * s",
        "else:",
        "    s = s + y[{n}]",
        "b{n} = np.zeros_like(x)",
        "for j in range(1, x.shape[0]):",
        "    b{n}[j] = b{n}[j - 1] * x[j] + s",
        "s = s + np.sum(b{n} * y)",
    )
    return ["def f(x, y):", "s = 0.0", *(line.format(n=n) for n in range(lines // 10) for line in block), "return s"]


def stores(lines: int) -> list[str]:
    """One element of one array after the other, in one buffer."""
    forms = ("a[{n}] = a[{m}] * x[{m}]", "a[{n}] += math.sin(x[{n}])", "t{n} = a[{m}] + y[{n}]", "a[{m}] = t{k} * t{k}")
    body = [forms[n % 4].format(n=n, m=n - 1, k=n - 1) for n in range(4, lines)]
    return ["def f(x, y):", f"a = np.zeros({lines + 1})", "t2 = 1.0", *body, "return np.sum(a)"]


def one_loop(lines: int) -> list[str]:
    """A loop with a long body, all of it needed backwards."""
    forms = (
        "    v{n} = math.sin(v{a}) * x[i]",
        "    v{n} = v{a} * v{b} + s",
        "    if v{a} > 0.0:",
        "        s = s * v{b}",
    )
    body = []
    for n in range(0, lines - 1, 4):
        names = [{"n": m, "a": m - 1, "b": m - 2} for m in (n + 2, n + 3, n + 4, n + 4)]
        body += [form.format(**name) for form, name in zip(forms, names)]
        body[-3:] = [line.replace(f"v{n + 4}", f"v{n + 3}") for line in body[-3:]]
        body.append(f"    v{n + 4} = v{n + 3} * 0.5")
        body.append(f"    v{n + 5} = v{n + 3} + v{n + 4}")
    return ["def f(x, y):", "s = 1.0", "for i in range(x.shape[0]):", "    v0 = x[i]", "    v1 = y[i]",
            *body[:lines], "return s"]  # fmt: skip


def calls(lines: int) -> list[str]:
    """Calls of a small function."""
    body = [f"v{n} = helper(v{n - 1}, v{n // 2})" for n in range(1, lines // 3)]
    return ["def f(x, y):", "v0 = x * y", *body, f"return v{lines // 3 - 1}"]


SCALAR, VECTOR = ("float64", "float64"), ("float64[::1]", "float64[::1]")
PROGRAMS: dict[str, tuple[Callable[[int], list[str]], tuple[str, str]]] = {
    "scalars": (scalars, SCALAR),
    "one name": (one_name, SCALAR),
    "calls": (calls, SCALAR),
    "arrays": (arrays, VECTOR),
    "stores": (stores, VECTOR),
    "loops and branches": (loops, VECTOR),
    "one long loop": (one_loop, VECTOR),
}


def program(name: str, lines: int, folder: str) -> tuple[Callable, tuple[str, str]]:
    """The function of that many lines, in a file in `folder`, and the types of its arguments."""
    write, types = PROGRAMS[name]
    head, *body = write(lines)
    module = f"{name.replace(' ', '_')}_{lines}"
    path = os.path.join(folder, f"{module}.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + head + "\n" + "".join(f"    {line}\n" for line in body))
    spec = importlib.util.spec_from_file_location(module, path)
    assert spec and spec.loader
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded.f, types
