"""Train a classifier of handwritten digits with SciPy's L-BFGS and a compiled gradient.

The loss is NumPy as one writes it; `srcad.value_and_grad` writes its derivative and compiles it.

    python examples/digits.py
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import statistics
import time
import types
from pathlib import Path

# One thread for everybody: the comparison is fair, and NumPy's BLAS stays out of the way of Numba's.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import numpy as np
from scipy.optimize import minimize
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from tqdm import tqdm

import srcad
from srcad.testing import check_grads

HIDDEN = 32
PENALTY = 1e-4
PICTURE = Path(__file__).with_suffix(".png")


def logits(W1, b1, W2, b2, X):
    return np.tanh(X @ W1 + b1) @ W2 + b2


def loss(W1, b1, W2, b2, X, Y):
    """The mean cross-entropy of a network with one hidden layer; the rows of `Y` are one-hot labels."""
    z = logits(W1, b1, W2, b2, X)
    z = z - np.max(z, axis=1, keepdims=True)
    log_p = z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))
    return -np.sum(Y * log_p) / X.shape[0] + PENALTY * (np.sum(W1**2) + np.sum(W2**2))


loss_and_grad = srcad.value_and_grad(loss, wrt=("W1", "b1", "W2", "b2"))


def load() -> tuple[np.ndarray, ...]:
    """The digits of scikit-learn: 1797 pictures of 8 x 8 pixels."""
    digits = load_digits()
    X = digits.data / 16.0
    return train_test_split(X, digits.target, test_size=0.2, random_state=0, stratify=digits.target)


def initial(inputs: int, outputs: int) -> list[np.ndarray]:
    random = np.random.default_rng(0)
    W1 = random.normal(0.0, inputs**-0.5, (inputs, HIDDEN))
    W2 = random.normal(0.0, HIDDEN**-0.5, (HIDDEN, outputs))
    return [W1, np.zeros(HIDDEN), W2, np.zeros(outputs)]


def pack(arrays) -> np.ndarray:
    """Several arrays as the one vector that SciPy works on."""
    return np.concatenate([a.ravel() for a in arrays])


def unpack(vector: np.ndarray, like) -> list[np.ndarray]:
    ends = np.cumsum([a.size for a in like])[:-1]
    return [part.reshape(a.shape) for part, a in zip(np.split(vector, ends), like)]


def train(start, X, Y, iterations: int) -> tuple[list[np.ndarray], list[float]]:
    """Minimise the loss; the second result is its course."""
    course = []

    def objective(vector):
        value, gradient = loss_and_grad(*unpack(vector, start), X, Y)
        course.append(value)
        return value, pack(gradient)

    with tqdm(total=iterations, desc="training", unit="step") as bar:
        def step(_):
            bar.set_postfix(loss=f"{course[-1]:.5f}", refresh=False)
            bar.update()

        found = minimize(objective, pack(start), jac=True, method="L-BFGS-B", callback=step,
                         options={"maxiter": iterations, "maxfun": 10 * iterations})
    return unpack(found.x, start), course


# ------------------------------------------------------------ how fast


def finite_differences(parameters, X, Y, step=1e-6) -> np.ndarray:
    """The gradient by central differences: two losses a parameter."""
    vector = pack(parameters)
    gradient = np.empty_like(vector)
    for i in range(vector.size):
        values = []
        for sign in (1.0, -1.0):
            moved = vector.copy()
            moved[i] += sign * step
            values.append(loss(*unpack(moved, parameters), X, Y))
        gradient[i] = (values[0] - values[1]) / (2.0 * step)
    return gradient


def with_numpy(module):
    """The very same loss on another library's NumPy."""
    scope = {**globals(), "np": module}
    scope["logits"] = types.FunctionType(logits.__code__, scope)
    return types.FunctionType(loss.__code__, scope)


def jax_gradient(arguments):
    import jax

    jax.config.update("jax_enable_x64", True)
    arguments = [jax.device_put(a) for a in arguments]
    compiled = jax.jit(jax.value_and_grad(with_numpy(jax.numpy), argnums=(0, 1, 2, 3)))
    return lambda: jax.block_until_ready(compiled(*arguments))


def autograd_gradient(arguments):
    import autograd.numpy
    from autograd.builtins import tuple as boxed

    def of_parameters(parameters):
        return with_numpy(autograd.numpy)(*parameters, *arguments[4:])

    derivative = autograd.value_and_grad(of_parameters)
    return lambda: derivative(boxed(arguments[:4]))


PEERS = {"jax": ("JAX, jit", jax_gradient), "autograd": ("autograd", autograd_gradient)}


def median_time(call, repeats: int = 31) -> float:
    """The median of `repeats` timings, after one call that is not counted."""
    call()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def compare(parameters, X, Y) -> None:
    """Print how long a gradient takes, here and elsewhere."""
    arguments = [*parameters, X, Y]
    start = time.perf_counter()
    reference = finite_differences(parameters, X, Y)
    rows = [("finite differences", time.perf_counter() - start)]
    worst = np.max(np.abs(pack(loss_and_grad(*arguments)[1]) - reference))
    print(f"All {reference.size} derivatives against central differences: largest difference {worst:.1e}\n")
    assert worst < 1e-7
    for package, (name, make) in PEERS.items():
        if importlib.util.find_spec(package):
            rows.append((name, median_time(make(arguments))))
    own = median_time(lambda: loss_and_grad(*arguments))
    print(f"{'loss and gradient, ' + str(X.shape[0]) + ' digits':<32}{'time':>12}{'ratio':>10}")
    for name, seconds in [("srcad", own), *rows]:
        print(f"{name:<32}{seconds * 1e3:>9.2f} ms{seconds / own:>10.2f}")


# ------------------------------------------------------------ what to see


def picture(course, X, labels, guesses) -> None:
    """The loss curve, and digits that were misread."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(10, 4), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(3, 2))
    axes = left.subplots()
    axes.semilogy(course)
    axes.set(xlabel="evaluations of loss and gradient", ylabel="loss", title="Training with L-BFGS")
    right.suptitle("Misread digits")
    wrong = np.flatnonzero(labels != guesses)
    for axes, i in zip(right.subplots(2, 3).flat, [*wrong[:6], *[None] * 6]):
        axes.axis("off")
        if i is not None:
            axes.imshow(X[i].reshape(8, 8), cmap="gray_r")
            axes.set_title(f"{labels[i]}, read as {guesses[i]}", fontsize="medium")
    figure.savefig(PICTURE, dpi=120)
    plt.close(figure)
    print(f"\nPicture: {PICTURE}")


def main(arguments=None) -> float:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--iterations", type=int, default=300, help="at most so many steps of L-BFGS")
    parser.add_argument("--quick", action="store_true", help="no comparison and no picture")
    options = parser.parse_args(arguments)

    X, X_test, labels, labels_test = load()
    Y = np.eye(10)[labels]
    start = initial(X.shape[1], Y.shape[1])

    print("The derivative of the loss, as srcad wrote it:\n")
    loss_and_grad(*start, X, Y)
    srcad.show(loss_and_grad)
    X_few, Y_few = X[:20], Y[:20]
    check_grads(lambda W1, b1, W2, b2: loss(W1, b1, W2, b2, X_few, Y_few), start, order=1, modes=("rev",))
    print("\nThe gradient agrees with finite differences along random directions.\n")

    parameters, course = train(start, X, Y, options.iterations)
    guesses = np.argmax(logits(*parameters, X_test), axis=1)
    accuracy = float(np.mean(guesses == labels_test))
    print(f"\nTest accuracy: {accuracy:.3f} ({np.sum(guesses != labels_test)} of {len(guesses)} misread)\n")
    assert accuracy >= 0.95
    if not options.quick:
        compare(start, X, Y)
        picture(course, X_test, labels_test, guesses)
    return accuracy


if __name__ == "__main__":
    main()
