"""What is timed, one file a topic."""

from collections.abc import Iterator

import numpy as np

from tests.benchmarks.workload import Workload


def workloads() -> Iterator[Workload]:
    from tests.benchmarks.workloads import bodies, bundle, burgers, circle, clusters, factors, grids, kernels, layers
    from tests.benchmarks.workloads import logistic, memory, mixture, reaction, rosenbrock, small, softmax, springs
    from tests.benchmarks.workloads import triangles, waves, wind, windows

    dense = (logistic, softmax, layers, mixture, clusters, kernels, factors, triangles, waves)
    steps = (burgers, wind, circle, springs, grids, reaction, windows)
    for module in (rosenbrock, *dense, bundle, memory, *steps, bodies, small):
        yield from module.workloads(np.random.default_rng(0))
