"""Who computes value and gradient: `srcad`, the adjoint written by hand, and whatever libraries are installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tests.benchmarks.workload import Workload

Call = Callable[[], Any]


def contenders(workload: Workload) -> Iterator[tuple[str, Call]]:
    """Everybody by name, each ready to be called; all compute the same, or an `AssertionError` says who does not."""
    by_hand = called(workload, workload.by_hand)
    expected = by_hand()
    yield "by hand", by_hand
    for style in workload.styles:
        yield f"srcad, {style}", checked(by_srcad(workload, style), expected, workload.tolerance)
    for name, make in LIBRARIES.items():
        if workload.library and importlib.util.find_spec(name):
            yield name, checked(make(workload), expected, workload.tolerance)


def called(workload: Workload, derivative: Callable) -> Call:
    """What is timed: something around a derivative, with the arguments of the workload."""
    whole = workload.around(derivative)
    return lambda: whole(*workload.arguments)


def checked(call: Call, expected: Any, tolerance: float) -> Call:
    compare(call(), expected, tolerance)
    return call


def compare(found: Any, expected: Any, tolerance: float) -> None:
    """Compare numbers and arrays in tuples, each to the largest of its elements."""
    if isinstance(expected, tuple):
        assert len(found) == len(expected), f"{len(found)} results instead of {len(expected)}"
        for one, other in zip(found, expected):
            compare(one, other, tolerance)
        return
    size = np.max(np.abs(expected), initial=1e-300)
    np.testing.assert_allclose(np.asarray(found) / size, expected / size, rtol=0.0, atol=tolerance)


def by_srcad(workload: Workload, style: str) -> Call:
    return called(workload, workload.derivative(style))


# ---------------------------------------------------------------- libraries of arrays


def by_jax(workload: Workload) -> Call:
    import jax

    assert workload.library
    jax.config.update("jax_enable_x64", True)
    function = workload.library(jax.numpy, lambda step, start, xs, length: jax.lax.scan(step, start, xs, length))
    several = isinstance(workload.wrt, tuple)
    compiled = jax.jit(jax.value_and_grad(function, argnums=workload.wrt))
    moved = {id(a): jax.device_put(a) for a in workload.arguments if isinstance(a, np.ndarray)}

    def derivative(*arguments: Any) -> Any:
        value, gradient = compiled(*(moved.get(id(a), a) for a in arguments))
        gradient = jax.block_until_ready(gradient)
        return float(value), tuple(map(np.asarray, gradient)) if several else np.asarray(gradient)

    return called(workload, derivative)


def by_autograd(workload: Workload) -> Call:
    import autograd
    import autograd.numpy

    assert workload.library
    function = workload.library(autograd.numpy, in_steps)
    derivative = autograd.value_and_grad(function, argnum=workload.wrt)
    return called(workload, derivative)


def in_steps(step: Callable, carried: Any, xs: Any, length: int) -> tuple[Any, None]:
    """`jax.lax.scan` of what nothing is collected from."""
    for n in range(length):
        carried, _ = step(carried, None if xs is None else tuple(x[n] for x in xs))
    return carried, None


def by_torch(workload: Workload) -> Call:
    import torch

    assert workload.library
    torch.set_num_threads(1)
    function = workload.library(torch, in_steps)
    several = isinstance(workload.wrt, tuple)
    positions = workload.wrt if isinstance(workload.wrt, tuple) else (workload.wrt,)

    def derivative(*arguments: Any) -> Any:
        tensors = [torch.from_numpy(a) if isinstance(a, np.ndarray) else a for a in arguments]
        for n in positions:
            tensors[n] = torch.as_tensor(tensors[n], dtype=None if torch.is_tensor(tensors[n]) else torch.float64)
        leaves = [tensors[n].requires_grad_() for n in positions]
        value = function(*tensors)
        gradients = torch.autograd.grad(value, leaves)
        return value.item(), tuple(g.numpy() for g in gradients) if several else gradients[0].numpy()

    return called(workload, derivative)


LIBRARIES = {"jax": by_jax, "autograd": by_autograd, "torch": by_torch}
