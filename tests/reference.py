"""Reference gradients of the corpus, from the programs alone: finite differences and complex steps.

Nothing here uses srcad. Programs may write into their arguments, so that every evaluation gets copies.
"""

from __future__ import annotations

import copy
import functools
import warnings

import numpy as np

from tests.corpus import Program, cast


def total(result) -> float:
    """The sum of all float outputs: what a seed of ones differentiates."""
    if isinstance(result, tuple):
        return sum(total(part) for part in result)
    if np.asarray(result).dtype.kind not in "fc":
        return 0.0
    return np.sum(np.asarray(result))


def evaluate(fn, args) -> float:
    return total(fn(*[copy.copy(arg) for arg in args]))


def ridders(f, step: float, levels: int = 7) -> tuple[float, float]:
    """The derivative of f at 0 by central differences, extrapolated to step 0; and an estimate of its error."""
    table = [(f(step) - f(-step)) / (2 * step)]
    best, error = table[0], np.inf
    for _ in range(1, levels):
        step /= 2
        row = [(f(step) - f(-step)) / (2 * step)]
        for order, coarse in enumerate(table, 1):
            row.append(row[-1] + (row[-1] - coarse) / (4.0**order - 1))
            guess = max(abs(row[-1] - row[-2]), abs(row[-1] - coarse))
            if guess < error:
                best, error = row[-1], guess
        table = row
    return float(best), float(error)


def shifted(args, position: int, index, amount):
    """The arguments with one number moved."""
    args = list(args)
    if isinstance(args[position], np.ndarray):
        array = args[position].astype(np.result_type(args[position].dtype, type(amount)))
        array[index] += amount
        args[position] = array
    else:
        args[position] = args[position] + amount
    return args


def richardson(fn, args, position: int, step: float = 4e-3) -> tuple[np.ndarray | float, float]:
    """The gradient with respect to one argument, and the largest error estimated."""
    at = args[position]
    gradient, worst = np.zeros(np.shape(at)), 0.0
    for index in np.ndindex(np.shape(at)):
        value, error = ridders(lambda h, index=index: evaluate(fn, shifted(args, position, index, h)), step)
        gradient[index] = value
        worst = max(worst, error)
    return (gradient if np.shape(at) else float(gradient)), worst


def complex_step(fn, args, position: int) -> np.ndarray | float:
    """The gradient by complex steps, exact to rounding; raises where the program does not admit complex numbers."""
    at = args[position]
    gradient = np.zeros(np.shape(at))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for index in np.ndindex(np.shape(at)):
            gradient[index] = evaluate(fn, shifted(args, position, index, 1e-30j)).imag / 1e-30
    return gradient if np.shape(at) else float(gradient)


def directional(fn, args, position: int, direction: np.ndarray) -> float:
    """The derivative along a direction, for arguments too large to differentiate one by one."""

    def along(h):
        moved = list(args)
        moved[position] = args[position] + h * direction
        if isinstance(args[position], np.ndarray):
            moved[position] = np.empty_like(args[position])  # in the same order: views may depend on it
            moved[position][...] = args[position] + h * direction
        return evaluate(fn, moved)

    return ridders(along, 1e-3)[0]


@functools.cache
def reference(program: Program, dtype=np.float64) -> tuple:
    """The gradients with respect to every parameter in `wrt`, in float64 at the example rounded to `dtype`."""
    args = [cast(arg, np.float64) for arg in complete(program, program.example(dtype))]
    return tuple(best_gradient(program.fn, args, position) for position in program.positions())


def best_gradient(fn, args, position: int):
    """By complex steps where these agree with finite differences, else by finite differences."""
    gradient, _ = richardson(fn, args, position)
    try:
        exact = complex_step(fn, args, position)
    except Exception:
        return gradient
    # max, abs and comparisons take complex numbers and mean something else: trust only what agrees
    return exact if difference(exact, gradient) < 1e-6 else gradient


def seeded(fn, seeds):
    """The function whose gradient is the one of `fn` with these seeds."""

    def weighted(*args):
        results = fn(*args)
        if not isinstance(seeds, tuple):
            return np.sum(seeds * results)
        return sum(np.sum(result if seed is None else seed * result) for seed, result in zip(seeds, results))

    return weighted


def complete(program: Program, args: list) -> list:
    """The arguments with the defaults of those left out."""
    defaults = program.fn.__defaults__ or ()
    missing = program.fn.__code__.co_argcount - len(args)
    return [*args, *defaults[len(defaults) - missing :]] if missing else args


def difference(actual, expected) -> float:
    """The largest difference, relative to the largest number expected (or to 1)."""
    actual, expected = np.asarray(actual, dtype=float), np.asarray(expected, dtype=float)
    if actual.shape != expected.shape:
        return np.inf
    if not actual.size:
        return 0.0
    if not np.all(np.isfinite(actual)):
        return np.inf
    return float(np.max(np.abs(actual - expected)) / max(1.0, np.max(np.abs(expected))))


def tolerance(program: Program, dtype=np.float64) -> float:
    """How much a gradient computed in `dtype` may differ from the reference."""
    return program.tolerance if np.dtype(dtype) == np.float64 else max(5e-4, program.tolerance)
