"""Time value and gradient against the adjoint written by hand, JAX, autograd and PyTorch; and what a call costs.

python -m tests.benchmarks [NAME ...]
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable

# Before NumPy and JAX are imported: one thread for everybody.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import numba
import numpy as np

import srcad
from tests.benchmarks.timing import in_new_process, median, readable
from tests.benchmarks.workloads import Workload, workloads

NUMBA = {"error_model": "numpy", "fastmath": {"reassoc", "contract", "nsz"}}


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


CONTENDERS = {"srcad": by_srcad, "by hand": by_hand, "jax": by_jax, "autograd": by_autograd, "torch": by_torch}


def speed(names: list[str]) -> None:
    """Print a table: one row a workload, one column a contender."""
    present = {k: v for k, v in CONTENDERS.items() if k in ("srcad", "by hand") or importlib.util.find_spec(k)}
    print(f"{'value and gradient':<24}" + "".join(f"{name:>12}" for name in ["primal", *present]))
    for workload in workloads():
        if names and not any(name in workload.name for name in names):
            continue
        primal = numba.njit(**NUMBA)(workload.primal)
        calls = [lambda primal=primal, args=workload.arguments: primal(*args)]
        calls += [make(workload) for make in present.values()]
        print(f"{workload.name:<24}" + "".join(f"{readable(median(call)):>12}" for call in calls), flush=True)


def costs() -> None:
    """Print what does not depend on the work: a call, an import, writing the source."""
    derivative = srcad.grad(lambda x, y: x * y)
    empty = numba.njit(lambda x, y: x)
    derivative(1.0, 2.0)
    call, floor = median(lambda: derivative(1.0, 2.0)), median(lambda: empty(1.0, 2.0))
    print(f"\na call on two floats        {readable(call):>12}   {call / floor:.2f} of an empty Numba function's")
    own, numbas = in_new_process("import srcad"), in_new_process("import numba")
    print(f"import srcad                {readable(own):>12}   {readable(max(own - numbas, 0.0))} more than numba's")
    source = srcad.value_and_grad(workloads()[1].primal)
    types = ["float64[::1]", "float64[:, ::1]", "float64[::1]"]
    print(f"writing a derivative        {readable(median(lambda: srcad.source(source, *types))):>12}")


if __name__ == "__main__":
    speed(sys.argv[1:])
    costs()
