"""The tables of the page on SciPy, made from the rules, the library and what compiled code knows."""

from __future__ import annotations

import inspect
from types import ModuleType

import numpy as np
from scipy import fft, integrate, interpolate, linalg, ndimage, signal, special, stats
from scipy.spatial import distance

from srcad import library
from srcad.lang.ir import Call
from srcad.lang.walk import subexprs
from srcad.rules import rule as rules
from srcad.rules.operands import unknown
from srcad.rules.parse import Branch, Cotangent
from tests.library.scipy_reasons import by_reason
from tests.library.table import arguments, entry_of, rule_of

MODULES = {
    "special": special, "linalg": linalg, "stats": stats, "signal": signal, "fft": fft, "integrate": integrate,
    "ndimage": ndimage, "distance": distance, "interpolate": interpolate,
}  # fmt: skip


def functions(name: str) -> dict[str, object]:
    """The public functions of a module of SciPy; of the distributions, the methods that are known."""
    rules.find(np.sin)
    library.load()
    module = MODULES[name]
    if name == "stats":
        known = [f for f in library.table if str(getattr(f, "__module__", "")).startswith("scipy.stats")
                 and hasattr(f, "__self__")]  # fmt: skip
        return dict(sorted((f"{distribution(f)}.{f.__name__}", f) for f in known))
    public = (n for n in module.__all__ if callable(getattr(module, n)) and not isinstance(getattr(module, n), type))
    return {n: getattr(module, n) for n in sorted(public)}


def distribution(method: object) -> str:
    """The name of the distribution whose method it is."""
    owner = method.__self__
    return next(n for n, value in vars(stats).items() if value is owner)


def fixed(function: object) -> list[str]:
    """The operands with respect to which a rule says that it knows no derivative."""
    def statements(body):
        for stmt in body:
            if isinstance(stmt, Branch):
                yield from statements(stmt.then)
                yield from statements(stmt.orelse)
            elif isinstance(stmt, Cotangent):
                yield stmt

    return list(dict.fromkeys(
        stmt.operand.name for stmt in statements(rule_of(function).body)
        if any(isinstance(e, Call) and e.fn is unknown for e in subexprs(stmt.value))
    ))  # fmt: skip


def row(name: str, function: object) -> str | None:
    """A line of the table; None for a function without a derivative, or with one that is zero."""
    rule, entry = rule_of(function), entry_of(function)
    if entry is None and (rule is None or rule.zero):
        return None
    names = arguments(function) if entry or not isinstance(function, np.ufunc) else ", ".join(
        f"`{p}`" for p in list(rule.signature.parameters)[1:]
    )  # fmt: skip
    without = ", ".join(f"`{n}`" for n in fixed(function)) if rule is not None else ""
    compiled = {linalg.expm: "ours: scaling and squaring", linalg.solve_sylvester: "ours: triangles of Schur",
                fft.dct: "`rocket-fft`", fft.dst: "`rocket-fft`"}  # fmt: skip
    other = compiled.get(function, "SciPy's own" if function in published() else "Numba")
    kind = other if entry is None else "in terms of others"
    return f"| `{name}` | {names} | {without} | {'in terms of others' if entry else 'a rule'} | {kind} |"


def published() -> set[object]:
    """What compiled code calls SciPy for."""
    from numba.np import ufunc_db

    import srcad.runtime.scipy_special  # noqa: F401

    known = {getattr(f, "__name__", "") for f in ufunc_db.get_ufuncs() if not isinstance(f, np.ufunc)}
    return {f for f in map(special.__dict__.get, special.__all__) if callable(f) and f.__name__ in known}


def table(module: str) -> str:
    """The functions of a module that have a derivative."""
    rows = [line for name, function in functions(module).items() if (line := row(name, function)) is not None]
    head = "| function | arguments | not with respect to | derivative | compiled |"
    return "\n".join([head, "|---|---|---|---|---|", *rows])


def distributions() -> str:
    """The distributions with their methods and parameters."""
    found: dict[str, list] = {}
    for name, function in functions("stats").items():
        found.setdefault(name.rpartition(".")[0], []).append(function)
    lines = ["| distribution | arguments | methods |", "|---|---|---|"]
    for name, known in found.items():
        first = next(f for f in known if f.__name__ in ("logpdf", "logpmf"))
        lines.append(f"| `{name}` | {arguments(first)} | {', '.join(f'`{f.__name__}`' for f in known)} |")
    return "\n".join(lines)


def without(module: str) -> str:
    """The functions of a module that have none, by the reason."""
    zero = [n for n, f in functions(module).items() if rule_of(f) is not None and rule_of(f).zero]
    other = [n for n, f in functions(module).items() if row(n, f) is None and n not in zero]
    lines = [f"* whose derivative is zero: {', '.join(f'`{n}`' for n in zero)}"] if zero else []
    reasons = by_reason(module, other).items()
    return "\n".join([*lines, *(f"* {reason}: {', '.join(f'`{n}`' for n in names)}" for reason, names in reasons)])


def of_samples() -> dict[str, object]:
    """The functions of samples in `scipy.stats`."""
    rules.find(np.sin)
    library.load()
    return {n: f for n in sorted(stats.__all__) if inspect.isfunction(f := getattr(stats, n))}


def samples() -> str:
    """The functions of samples that have a derivative."""
    lines = [f"| `{name}` | {arguments(f)} |" for name, f in of_samples().items() if entry_of(f) is not None]
    return "\n".join(["| function | arguments |", "|---|---|", *lines])


def distributions_without() -> str:
    """The distributions without a density here, and the functions of samples."""
    known = {name.rpartition(".")[0] for name in functions("stats")}
    public = {n: getattr(stats, n) for n in stats.__all__ if not isinstance(getattr(stats, n), (type, ModuleType))}
    others = sorted(n for n, value in public.items() if hasattr(value, "rvs") and n not in known)
    plain = [n for n, value in of_samples().items() if entry_of(value) is None]
    own = "distributions: their log density in a few lines, or a rule"
    reasons = {own: others, **by_reason("stats functions", plain)}
    return "\n".join(f"* {reason}: {', '.join(f'`{n}`' for n in names)}" for reason, names in reasons.items())


TABLES = {
    "special": lambda: table("special"),
    "special without": lambda: without("special"),
    "stats": lambda: distributions(),
    "stats samples": samples,
    "linalg": lambda: table("linalg"),
    "linalg without": lambda: without("linalg"),
    "stats without": lambda: distributions_without(),
    "signal": lambda: table("signal"),
    "signal without": lambda: without("signal"),
    "interpolate without": lambda: without("interpolate"),
    "fft": lambda: table("fft"),
    "fft without": lambda: without("fft"),
    "integrate": lambda: table("integrate"),
    "integrate without": lambda: without("integrate"),
    "ndimage": lambda: table("ndimage"),
    "ndimage without": lambda: without("ndimage"),
    "distance": lambda: table("distance"),
    "distance without": lambda: without("distance"),
}
