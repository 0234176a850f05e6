"""The corpus: numerical programs as users write them, each registered with example arguments."""

from __future__ import annotations

import inspect
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

PROGRAMS: dict[str, Program] = {}

TAGS = {
    "core": "compiled for target cpu in every run of the tests",
    "inplace": "writes into its arguments",
    "array": "returns an array",
    "tuple": "returns a tuple",
    "complex": "has complex numbers on the way, where a complex step means something else",
    "nojit": "Numba alone refuses it, or gets overlapping sides wrong; srcad inlines or lowers",
    "nof32": "too sensitive for a comparison in single precision",
    "may_refuse": "an alias that cannot be decided: a clear refusal is as good as the right numbers",
}


@dataclass(frozen=True)
class Program:
    """A function, how to make its arguments, and with respect to which of them it is differentiated."""

    fn: Callable
    arguments: tuple
    wrt: tuple[str, ...]
    tolerance: float
    tags: frozenset[str]

    @property
    def name(self) -> str:
        return self.fn.__name__

    def example(self, dtype=np.float64) -> list:
        """Fresh arguments, the same ones at every call; float arrays are of `dtype`."""
        rng = np.random.default_rng(zlib.crc32(self.name.encode()))
        values = [spec(rng) if callable(spec) else spec for spec in self.arguments]
        return [cast(value, dtype) for value in values]

    def positions(self) -> list[int]:
        """The positions of the parameters in `wrt`."""
        parameters = list(inspect.signature(self.fn).parameters)
        return [parameters.index(name) for name in self.wrt]


def cast(value: Any, dtype) -> Any:
    """A copy of an argument in which float arrays have the given dtype."""
    if not isinstance(value, np.ndarray):
        return value
    return value.astype(dtype) if value.dtype.kind == "f" else value.copy()


def program(*arguments, wrt: str = "", tolerance: float = 1e-7, tags: str = ""):
    """Register a function with example arguments: numbers, or specs such as `normal(3, 4)`.

    Without `wrt`, it is differentiated with respect to every argument that is a float or an array of floats.
    """

    def register(fn):
        unknown = set(tags.split()) - set(TAGS)
        assert not unknown, f"unknown tags {unknown}"
        assert fn.__name__ not in PROGRAMS, f"two programs are called {fn.__name__}"
        names = tuple(wrt.split()) or float_parameters(fn, arguments)
        PROGRAMS[fn.__name__] = Program(fn, arguments, names, tolerance, frozenset(tags.split()))
        return fn

    return register


def float_parameters(fn: Callable, arguments: tuple) -> tuple[str, ...]:
    rng = np.random.default_rng(0)
    values = [spec(rng) if callable(spec) else spec for spec in arguments]
    names = list(inspect.signature(fn).parameters)
    return tuple(name for name, value in zip(names, values) if np.asarray(value).dtype.kind == "f")


# ---------------------------------------------------------------- specs of arguments


def normal(*shape: int, scale: float = 1.0, shift: float = 0.0):
    """Gaussian numbers."""
    return lambda rng: shift + scale * rng.standard_normal(shape)


def uniform(low: float, high: float, *shape: int):
    """Numbers from an interval."""
    return lambda rng: rng.uniform(low, high, shape)


def integers(high: int, *shape: int):
    """Integers from 0 to high - 1."""
    return lambda rng: rng.integers(0, high, shape)


def booleans(*shape: int):
    """A mask."""
    return lambda rng: rng.random(shape) < 0.5


def spd(n: int):
    """A well conditioned symmetric positive definite matrix."""

    def make(rng):
        a = rng.standard_normal((n, n))
        return a @ a.T / n + np.eye(n)

    return make


def dominant(n: int):
    """A diagonally dominant matrix: every factorisation works without pivoting."""
    return lambda rng: rng.uniform(-1.0, 1.0, (n, n)) + n * np.eye(n)


def fortran(*shape: int):
    """A matrix in column-major order."""
    return lambda rng: np.asfortranarray(rng.standard_normal(shape))


def strided(n: int):
    """A vector that is not contiguous."""
    return lambda rng: rng.standard_normal(2 * n)[::2]
