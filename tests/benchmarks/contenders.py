"""Who computes value and gradient: `srcad`, the adjoint written by hand, and whatever libraries are installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

import numba
import numpy as np

import srcad
from tests.benchmarks.workloads import Workload

NUMBA = {"error_model": "numpy", "fastmath": {"reassoc", "contract", "nsz"}}


def primal(workload: Workload) -> Callable:
    compiled = numba.njit(**NUMBA)(workload.primal)
    return lambda: compiled(*workload.arguments)


def by_hand(workload: Workload) -> Callable:
    compiled = numba.njit(**NUMBA)(workload.adjoint)
    return lambda: compiled(*workload.arguments)


def by_srcad(workload: Workload) -> Callable:
    derivative = srcad.value_and_grad(workload.primal)
    gradient, expected = derivative(*workload.arguments)[1], workload.adjoint(*workload.arguments)[1]
    np.testing.assert_allclose(gradient, expected, rtol=1e-9, atol=1e-9)
    return lambda: derivative(*workload.arguments)


def by_jax(workload: Workload) -> Callable:
    import jax

    jax.config.update("jax_enable_x64", True)
    compiled = jax.jit(jax.value_and_grad(workload.vectorised(jax.numpy)))
    arguments = [jax.device_put(a) for a in workload.arguments]
    return lambda: jax.block_until_ready(compiled(*arguments))


def by_autograd(workload: Workload) -> Callable:
    import autograd.numpy

    derivative = autograd.value_and_grad(workload.vectorised(autograd.numpy))
    return lambda: derivative(*workload.arguments)


def by_torch(workload: Workload) -> Callable:
    import torch

    torch.set_num_threads(1)
    function = workload.vectorised(torch)
    first, *rest = (torch.from_numpy(a) for a in workload.arguments)

    def call():
        leaf = first.detach().requires_grad_()
        value = function(leaf, *rest)
        return value, torch.autograd.grad(value, leaf)

    return call


LIBRARIES = {"jax": by_jax, "autograd": by_autograd, "torch": by_torch}


def contenders() -> dict[str, Callable[[Workload], Callable]]:
    present = {name: make for name, make in LIBRARIES.items() if importlib.util.find_spec(name)}
    return {"srcad": by_srcad, "by hand": by_hand, **present}
