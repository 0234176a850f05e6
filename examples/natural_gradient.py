"""Change the coordinates of a gradient: products with a Jacobian are not products of elements.

A normal distribution can be given by its mean and a root of its covariance, or by its first two moments, and its
natural gradient in the ones is an ordinary gradient in the others. To bring a gradient from the ones to the others, it
is multiplied by the Jacobian of the change of coordinates: that is what seeds are for. The unseeded gradient times the
seeds, element by element, has the same shape and means nothing.

    python examples/natural_gradient.py
"""

from __future__ import annotations

import numpy as np

import srcad
from srcad import GradientTape


def meanvarsqrt_to_expectation(mu, s):
    """The moments of a normal distribution of mean `mu` and covariance ``s @ s.T``."""
    return mu, s @ s.T + mu @ mu.T


def expectation_to_meanvarsqrt(eta1, eta2):
    """The mean and the lower triangular root of the covariance that belong to moments."""
    covariance = eta2 - eta1 @ eta1.T
    root = np.linalg.cholesky(covariance)
    return eta1, root


@srcad.function
def product(eta1, eta2, dmu, ds):
    """The gradients `dmu` and `ds` brought to the coordinates `eta1` and `eta2`."""
    with GradientTape() as tape:
        tape.watch([eta1, eta2])
        mu, s = expectation_to_meanvarsqrt(eta1, eta2)
    return tape.gradient((mu, s), [eta1, eta2], output_gradients=(dmu, ds))


@srcad.function
def unseeded(eta1, eta2):
    """The gradients of the sum of all that `expectation_to_meanvarsqrt` returns."""
    with GradientTape() as tape:
        tape.watch([eta1, eta2])
        mu, s = expectation_to_meanvarsqrt(eta1, eta2)
    return tape.gradient((mu, s), [eta1, eta2])


@srcad.function
def jacobians(eta1, eta2):
    """The full Jacobians of mean and root, each by both moments."""
    with GradientTape(persistent=True) as tape:
        tape.watch([eta1, eta2])
        mu, s = expectation_to_meanvarsqrt(eta1, eta2)
    return tape.jacobian(mu, [eta1, eta2], unconnected_gradients="zero"), tape.jacobian(s, [eta1, eta2])


def by_jacobian(eta1, eta2, dmu, ds):
    """What `product` is, from the full Jacobians: the sum over all elements of mean and root."""
    of_mu, of_s = jacobians(eta1, eta2)
    return [np.tensordot(dmu, J, 2) + np.tensordot(ds, K, 2) for J, K in zip(of_mu, of_s)]


def main(size=3, seed=0):
    rng = np.random.default_rng(seed)
    mu, s = rng.standard_normal((size, 1)), np.tril(rng.standard_normal((size, size))) + 2.0 * np.eye(size)
    dmu, ds = rng.standard_normal((size, 1)), rng.standard_normal((size, size))
    eta1, eta2 = meanvarsqrt_to_expectation(mu, s)

    seeded = product(eta1, eta2, dmu, ds)
    exact = by_jacobian(eta1, eta2, dmu, ds)
    elementwise = [seed * g for seed, g in zip((dmu, ds), unseeded(eta1, eta2))]

    print(product.source())
    for name, ours, full, wrong in zip(("eta1", "eta2"), seeded, exact, elementwise):
        print(f"{name}: off the full Jacobian by {np.abs(ours - full).max():.1e}, "
              f"the product of elements by {np.abs(wrong - full).max():.1e}")  # fmt: skip
    return seeded, exact, elementwise


if __name__ == "__main__":
    main()
