"""How derivatives are checked: against finite differences and each other, and the derivatives of derivatives, too."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from srcad.api import grad
from srcad.backends import cache
from srcad.backends.source import Source
from srcad.derivation import parameters
from srcad.functional import jvp
from srcad.lang.structure import taken_apart
from srcad.lang.types import Form

DIRECTIONS = 2


@dataclass
class Check:
    """What is compared with what, and how closely."""

    modes: frozenset[str]
    tolerance: dict[str, Any]
    step: float
    target: str
    rng: np.random.Generator

    def run(self, f: Any, args: tuple[Any, ...], order: int, what: str = "") -> None:
        """Check the derivatives of a function, and then those of its derivatives."""
        wrt = tuple(i for i, arg in enumerate(args) if any(map(is_float, numbers(arg))))
        if not wrt:
            raise ValueError("args has no float and no array of floats")
        self.first(f, args, wrt, what)
        if order > 1:
            for mode in sorted(self.modes):
                self.run(self.derivative(f, args, wrt, mode), args, order - 1, f"{what}{mode} over ")

    def first(self, f: Any, args: tuple[Any, ...], wrt: tuple[int, ...], what: str) -> None:
        value = f(*copy.deepcopy(args))
        seed = like(value, self.rng)
        slopes, tangents = [], []
        moved = [{i: like(args[i], self.rng) for i in wrt} for _ in range(DIRECTIONS)]
        for directions in moved:
            slopes.append(_slope(f, args, directions, self.step))
            if "fwd" in self.modes:
                df = jvp(f, wrt=wrt, unconnected_gradients="zero", target=self.target)
                _, tangent = df(*copy.deepcopy(args), tangents=tuple(directions[i] for i in wrt))
                tangents.append(tangent)
                _compare(tangent, slopes[-1], f"{what}fwd: the tangent and finite differences disagree", self.tolerance)
        if "rev" in self.modes:
            df = grad(f, wrt=wrt, unconnected_gradients="zero", target=self.target)
            gradients = df(*copy.deepcopy(args), grad_ys=seed)
            for directions, slope in zip(moved, slopes):
                found = sum(inner(gradient, directions[i]) for i, gradient in zip(wrt, gradients))
                wrong = f"{what}rev: the gradient and finite differences disagree"
                np.testing.assert_allclose(found, inner(seed, slope), **self.tolerance, err_msg=wrong)
            for directions, tangent in zip(moved, tangents):
                found = sum(inner(gradient, directions[i]) for i, gradient in zip(wrt, gradients))
                wrong = f"{what}fwd and rev disagree: <seed, tangent> is not <gradient, direction>"
                np.testing.assert_allclose(found, inner(seed, tangent), **self.tolerance, err_msg=wrong)

    def derivative(self, f: Any, args: tuple[Any, ...], wrt: tuple[int, ...], mode: str) -> Any:
        """A derivative along one direction, or with one seed, as a function of the arguments alone."""
        transform, seed = (grad, "grad_ys") if mode == "rev" else (jvp, "tangents")
        value: Any = f(*copy.deepcopy(args)) if mode == "rev" else tuple(args[i] for i in wrt)
        constants: dict[str, Any] = {}
        given = _spelled(like(value, self.rng), constants)
        constants["derivative"] = transform(f, wrt=wrt, unconnected_gradients="zero", target=self.target)
        name, names = constants["derivative"].__name__, ", ".join(parameters(f)[: len(args)])
        item = "" if mode == "rev" else "[1]"
        text = f"def {name}({names}):\n    return derivative({names}, {seed}={given}){item}\n"
        return Source(name, text, cache.write_source(name, text), constants).function


def _spelled(seed: Any, constants: dict[str, Any]) -> str:
    """Source for a seed; arrays become constants."""
    parts = taken_apart(seed)
    if parts is not None:
        return _displayed(parts[0], [_spelled(item, constants) for item in parts[1]], constants)
    if seed is None or isinstance(seed, float):
        return repr(seed)
    name = f"c{len(constants)}"
    constants[name] = seed
    return name


def _displayed(form: Form, items: list[str], constants: dict[str, Any]) -> str:
    """Source for a structure."""
    if form.cls is dict:
        return "{" + ", ".join(f"{key!r}: {item}" for key, item in zip(form.keys, items)) + "}"
    if form.cls is list:
        return f"[{', '.join(items)}]"
    if form.keys:
        constants[form.cls.__name__] = form.cls
        return f"{form.cls.__name__}({', '.join(items)})"
    return "(" + "".join(f"{item}, " for item in items) + ")"


# ---------------------------------------------------------------- structures of numbers


def numbers(value: Any) -> list[Any]:
    """The numbers and arrays in a structure."""
    parts = taken_apart(value)
    return [value] if parts is None else [n for item in parts[1] for n in numbers(item)]


def is_float(value: Any) -> bool:
    """Whether a value is a floating-point number, real or complex, or an array of them."""
    return not isinstance(value, str) and np.asarray(value).dtype.kind in "fc"


def like(value: Any, rng: np.random.Generator) -> Any:
    """Random numbers of a value's structure, shapes and dtypes; None for what is no float."""
    return mapped(lambda part: _random(part, rng), value)


def _random(part: Any, rng: np.random.Generator) -> Any:
    if not is_float(part):
        return None
    sample = np.asarray(rng.normal(size=np.shape(part)))
    if np.iscomplexobj(part):
        sample = np.asarray(sample + 1j * rng.normal(size=np.shape(part)))
    if not np.ndim(part):
        return sample.item()
    laid = np.empty_like(part)  # in the same order in memory, on which a function may depend
    laid[...] = sample
    return laid


def mapped(fn: Callable[..., Any], value: Any, *others: Any) -> Any:
    """A function applied to the numbers in structures of one form."""
    parts = taken_apart(value)
    if parts is None:
        return fn(value, *others)
    columns = [taken_apart(other) for other in others]
    items = [mapped(fn, *row) for row in zip(parts[1], *(column[1] for column in columns if column))]
    form = parts[0]
    if form.cls is dict:
        return dict(zip(form.keys, items))
    return form.cls(*items) if form.keys else form.cls(items)


def inner(a: Any, b: Any) -> float:
    """The sum of the products of the numbers in two structures; of complex ones the real part, one conjugated."""
    if a is None or b is None:
        return 0.0
    parts, others = taken_apart(a), taken_apart(b)
    if parts is not None and others is not None:
        return sum(map(inner, parts[1], others[1]))
    return float(np.sum(np.conj(a) * np.asarray(b)).real)


# ---------------------------------------------------------------- finite differences


def _slope(f: Callable[..., Any], args: tuple[Any, ...], directions: dict[int, Any], step: float) -> Any:
    """The directional derivative, by central differences of fourth order."""
    def at(t: float) -> Any:
        moved = (mapped(lambda x, d: _shifted(x, d, t), arg, directions[i]) if i in directions else copy.deepcopy(arg)
                 for i, arg in enumerate(args))  # fmt: skip
        return f(*moved)

    return mapped(lambda *values: _combined(values, step), at(step), at(-step), at(2 * step), at(-2 * step))


def _shifted(x: Any, direction: Any, t: float) -> Any:
    return copy.deepcopy(x) if direction is None else x + np.asarray(x).dtype.type(t) * direction


def _combined(values: tuple[Any, ...], step: float) -> Any:
    if not is_float(values[0]):
        return None
    kind = complex if any(map(np.iscomplexobj, values)) else float
    return sum(w * np.asarray(v, kind) for w, v in zip((8 / 12, -8 / 12, -1 / 12, 1 / 12), values)) / step


def _compare(found: Any, expected: Any, wrong: str, tolerance: dict[str, Any]) -> None:
    if found is None or expected is None:
        return
    parts, others = taken_apart(found), taken_apart(expected)
    if parts is not None and others is not None:
        for one, other in zip(parts[1], others[1]):
            _compare(one, other, wrong, tolerance)
    else:
        np.testing.assert_allclose(found, expected, **tolerance, err_msg=wrong)
