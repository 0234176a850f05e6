"""What is timed, one file a topic."""

from collections.abc import Iterator

import numpy as np

from tests.benchmarks.workload import Workload


def workloads() -> Iterator[Workload]:
    from tests.benchmarks.workloads import bodies, bundle, burgers, clusters, factors, grids, kernels, layers, logistic
    from tests.benchmarks.workloads import memory, mixture, reaction, rosenbrock, small, softmax, triangles, waves, wind
    from tests.benchmarks.workloads import windows

    dense = (logistic, softmax, layers, mixture, clusters, kernels, factors, triangles, waves)
    for module in (rosenbrock, *dense, bundle, memory, burgers, wind, grids, reaction, windows, bodies, small):
        yield from module.workloads(np.random.default_rng(0))
