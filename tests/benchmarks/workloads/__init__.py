"""What is timed, one file a topic."""

from collections.abc import Iterator

import numpy as np

from tests.benchmarks.workload import Workload


def workloads() -> Iterator[Workload]:
    from tests.benchmarks.workloads import bodies, bundle, burgers, layers, logistic, memory, mixture, rosenbrock, small

    for module in (rosenbrock, logistic, layers, mixture, bundle, memory, burgers, bodies, small):
        yield from module.workloads(np.random.default_rng(0))
