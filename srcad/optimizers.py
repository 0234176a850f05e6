"""Optimisers: steps that bring Variables closer to a minimum, in plain Python and in compiled functions.

A compiled function that calls ``apply_gradients`` holds the statements of the step; what an optimiser remembers from
one step to the next lies in Variables, too.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np

from srcad.runtime.asked import asked, checks
from srcad.runtime.variable import Variable


class Optimizer:
    """What optimisers have in common: a learning rate, a counter of steps, and Variables beside those that they train.

    `learning_rate` and `iterations` are Variables: compiled functions read their present values, and assigning to the
    attribute `learning_rate` gives the Variable a new value. What else an optimiser is made with stays.
    """

    learning_rate: Variable
    iterations: Variable

    def __init__(self, learning_rate: float) -> None:
        if not float(learning_rate) >= 0.0:
            raise ValueError(f"learning_rate must be a number from 0, not {learning_rate!r}")
        self.learning_rate = Variable(float(learning_rate), trainable=False, name="learning_rate")
        self.iterations = Variable(0, trainable=False, name="iterations")
        self.slots: dict[tuple[Variable, str], Variable] = {}

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in vars(self):
            object.__setattr__(self, name, value)
        elif name == "learning_rate":
            self.learning_rate.assign(value)
        else:
            raise AttributeError(f"{name} of an optimiser stays; make another {type(self).__name__}")

    @property
    def variables(self) -> list[Variable]:
        """The Variables of the optimiser: the counter, the learning rate, and what it remembers of those it trains."""
        return [self.iterations, self.learning_rate, *self.slots.values()]

    def apply_gradients(self, grads_and_vars: Iterable[tuple[Any, Variable]]) -> None:
        """Take a step.

        Parameters
        ----------
        grads_and_vars : iterable of (gradient, Variable)
            ``zip(gradients, variables)``, or what `implicit_gradients` returns. Each gradient has the shape of its
            Variable. Where it is None, the Variable stays as it is, with a warning outside of compiled functions.

        Raises
        ------
        ValueError
            Outside of compiled functions, if there is no gradient at all, or one of another shape.
        """
        for gradient, variable in given(grads_and_vars):
            if gradient is not None:
                self.update(gradient, variable)
        self.iterations.assign_add(1)

    def update(self, gradient: Any, variable: Variable) -> None:
        """Take the step of one Variable."""
        raise NotImplementedError

    @asked
    def slot(self, variable: Variable, kind: str) -> Variable:
        """What is remembered of a Variable: zeros at first."""
        key = variable, kind
        if key not in self.slots:
            made = Variable(np.zeros(variable.shape, variable.dtype), trainable=False)
            made.beside = key
            self.slots[key] = made
        return self.slots[key]


@checks
def given(grads_and_vars: Any) -> Any:
    """Pairs of gradients and Variables, checked; in compiled functions, the pairs as they are."""
    pairs = [(None if gradient is None else np.asarray(gradient), variable) for gradient, variable in grads_and_vars]
    for _, variable in pairs:
        if not isinstance(variable, Variable):
            raise TypeError(f"an optimiser trains Variables, not {variable!r}")
    missing = [variable for gradient, variable in pairs if gradient is None]
    if pairs and len(missing) == len(pairs):
        raise ValueError("there is no gradient for any Variable")
    if missing:
        names = ", ".join(map(repr, missing))
        warnings.warn(f"there is no gradient for {names}: what is differentiated does not depend on it", stacklevel=3)
    for gradient, variable in pairs:
        if gradient is not None and gradient.shape != variable.shape:
            raise ValueError(f"a gradient of shape {gradient.shape} for a Variable of shape {variable.shape}")
    return pairs


class SGD(Optimizer):
    """Gradient descent, with momentum.

    Without momentum ``w -= learning_rate * g``; with it ``v = momentum * v - learning_rate * g`` and ``w += v``, or
    with `nesterov` ``w += momentum * v - learning_rate * g``, as in TensorFlow.

    Parameters
    ----------
    learning_rate : float
        The length of a step.
    momentum : float
        How much of the last step goes into the next one, from 0 to 1.
    nesterov : bool
        Nesterov's momentum.

    Raises
    ------
    ValueError
        For a negative learning rate, and for momentum outside of 0 to 1.

    Examples
    --------
    >>> import srcad
    >>> w = Variable(1.0)
    >>> optimizer = SGD(0.1)
    >>> @srcad.function(target="python")
    ... def step():
    ...     loss = (w - 3.0) ** 2
    ...     optimizer.apply_gradients(zip(srcad.gradients(loss, [w]), [w]))
    ...     return loss
    >>> for _ in range(100):
    ...     loss = step()
    >>> round(w.value, 6)
    3.0
    """

    def __init__(self, learning_rate: float = 0.01, momentum: float = 0.0, nesterov: bool = False) -> None:
        Optimizer.__init__(self, learning_rate)
        if not 0.0 <= momentum <= 1.0:
            raise ValueError(f"momentum must be a number from 0 to 1, not {momentum!r}")
        self.momentum, self.nesterov = float(momentum), bool(nesterov)

    def update(self, gradient: Any, variable: Variable) -> None:
        if self.momentum == 0.0:
            variable.assign_sub(self.learning_rate * gradient)
            return
        velocity = self.slot(variable, "velocity")
        velocity.assign(self.momentum * velocity - self.learning_rate * gradient)
        if self.nesterov:
            variable.assign_add(self.momentum * velocity - self.learning_rate * gradient)
        else:
            variable.assign_add(velocity)


class Adam(Optimizer):
    """Adam: steps that are scaled by running means of the gradient and of its square.

    ``m = beta_1 * m + (1 - beta_1) * g``, ``v = beta_2 * v + (1 - beta_2) * g**2``, and in step t, counted from one,
    ``w -= learning_rate * sqrt(1 - beta_2**t) / (1 - beta_1**t) * m / (sqrt(v) + epsilon)``: Kingma and Ba, "Adam: a
    method for stochastic optimization", 2015, in the form before their section 2.1, as in TensorFlow.

    Parameters
    ----------
    learning_rate : float
        The length of a step, about.
    beta_1, beta_2 : float
        How much of the means stays from step to step, from 0 to below 1.
    epsilon : float
        Added to the root in the denominator.

    Raises
    ------
    ValueError
        For a negative learning rate or epsilon, and for a beta outside of its range.

    Examples
    --------
    >>> w = Variable([1.0, -1.0])
    >>> optimizer = Adam(0.1)
    >>> optimizer.apply_gradients([([0.5, 2.0], w)])
    >>> [round(x, 4) for x in w.value.tolist()]
    [0.9, -1.1]
    """

    def __init__(
        self, learning_rate: float = 0.001, beta_1: float = 0.9, beta_2: float = 0.999, epsilon: float = 1e-7
    ) -> None:
        Optimizer.__init__(self, learning_rate)
        for name, beta in (("beta_1", beta_1), ("beta_2", beta_2)):
            if not 0.0 <= beta < 1.0:
                raise ValueError(f"{name} must be a number from 0 to below 1, not {beta!r}")
        if not epsilon >= 0.0:
            raise ValueError(f"epsilon must be a number from 0, not {epsilon!r}")
        self.beta_1, self.beta_2, self.epsilon = float(beta_1), float(beta_2), float(epsilon)

    def update(self, gradient: Any, variable: Variable) -> None:
        count = self.iterations + 1
        mean, square = self.slot(variable, "mean"), self.slot(variable, "square")
        mean.assign(self.beta_1 * mean + (1.0 - self.beta_1) * gradient)
        square.assign(self.beta_2 * square + (1.0 - self.beta_2) * gradient**2)
        rate = self.learning_rate * np.sqrt(1.0 - self.beta_2**count) / (1.0 - self.beta_1**count)
        variable.assign_sub(rate * mean / (np.sqrt(square) + self.epsilon))
