"""Tapes: what `srcad.GradientTape` is to the user, and to the compiler."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class GradientTape:
    """Says which part of a compiled function gradients are taken of; only inside of `srcad.function`.

    What stands in the block of ``with GradientTape() as tape:`` can be differentiated afterwards by `gradient`,
    `jacobian` and `batch_jacobian`. Nothing is recorded when the function runs: while compiling, the adjoint statements
    are written where the gradient is asked for.

    Parameters
    ----------
    persistent : bool
        Whether gradients can be taken more than once.
    watch_accessed_variables : bool
        Whether every trainable `Variable` that is read in the block is watched.

    Raises
    ------
    RuntimeError
        Outside of a compiled function.

    Examples
    --------
    >>> from srcad import function
    >>> @function
    ... def slope(x):
    ...     with GradientTape() as tape:
    ...         tape.watch(x)
    ...         y = x * x
    ...     return tape.gradient(y, x)
    >>> slope(3.0)
    6.0
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        _outside("GradientTape")

    def __enter__(self) -> GradientTape:
        return _outside("with tape")

    def __exit__(self, *exception: object) -> None:
        _outside("with tape")

    def watch(self, tensor: Any) -> None:
        """Take gradients with respect to `tensor`, too: a name of a number or an array, or a structure of them.

        What is computed from it before this call takes no part.

        Raises
        ------
        UnsupportedError
            For integers, for what has no name, and in a branch or loop inside of the block.
        """
        _outside("tape.watch")

    def gradient(
        self, target: Any, sources: Any, output_gradients: Any = None, unconnected_gradients: str = "none"
    ) -> Any:
        """The gradients of `target` with respect to each of `sources`.

        Parameters
        ----------
        target : number, array, or structure of them
            What is differentiated; of several, the sum.
        sources : name, or structure of names
            Watched values, variables, and what was computed from them in the block.
        output_gradients : number, array, or structure of them
            A seed for each target, of its shape; None for ones.
        unconnected_gradients : {"none", "zero"}
            What stands for the gradient of a source that no target depends on.

        Returns
        -------
        structure
            That of `sources`, with a gradient of its shape and dtype in the place of each.

        Raises
        ------
        RuntimeError
            If the tape is not persistent and a gradient has been taken already, and outside of a compiled function.
        ValueError
            For seeds of another structure or shape than the targets.
        """
        return _outside("tape.gradient")

    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: str = "none",
        parallel_iterations: Any = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """The derivatives of all elements of `target` by all elements of each of `sources`.

        Returns
        -------
        structure
            That of `sources`, with an array of shape ``target.shape + source.shape`` in the place of each.

        Raises
        ------
        RuntimeError
            As `gradient`.

        Examples
        --------
        >>> import numpy as np
        >>> from srcad import function
        >>> @function
        ... def squares(x):
        ...     with GradientTape() as tape:
        ...         tape.watch(x)
        ...         y = x * x
        ...     return tape.jacobian(y, x)
        >>> squares(np.array([1.0, 2.0]))
        array([[2., 0.],
               [0., 4.]])
        """
        return _outside("tape.jacobian")

    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: str = "none",
        parallel_iterations: Any = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """The Jacobian of each row of `target` by the same row of `source`, on which alone it may depend.

        Returns
        -------
        array
            Of shape ``(b, *target.shape[1:], *source.shape[1:])``, where both have `b` rows.

        Raises
        ------
        RuntimeError
            As `gradient`.
        ValueError
            For a target or source of fewer than two axes, and for different numbers of rows.
        """
        return _outside("tape.batch_jacobian")

    def stop_recording(self) -> Any:
        """A context, ``with tape.stop_recording():``, in which nothing is recorded: its results are constants.

        Raises
        ------
        UnsupportedError
            Outside of the tape's block.
        """
        return _outside("tape.stop_recording")

    def reset(self) -> None:
        """Forget what has been recorded and watched.

        Raises
        ------
        UnsupportedError
            Outside of the tape's block.
        """
        _outside("tape.reset")

    def watched_variables(self) -> tuple[Any, ...]:
        """The variables that are watched by now, in the order in which they were made."""
        return _outside("tape.watched_variables")


TAKERS: tuple[Callable, ...] = (GradientTape.gradient, GradientTape.jacobian, GradientTape.batch_jacobian)
for _taker in TAKERS:
    _taker.is_expanded = True  # type: ignore[attr-defined]


def _outside(what: str) -> Any:
    raise RuntimeError(f"{what} can only be used in a function that is compiled by srcad.function; outside of one, "
                       "srcad.grad makes derivatives of functions")  # fmt: skip


# ---------------------------------------------------------------- for the compiler


class Tape(GradientTape):
    """A tape while compiling: each execution of ``GradientTape(...)`` in the source makes one."""

    def __init__(self, persistent: bool, watch_accessed_variables: bool) -> None:
        self.persistent, self.watches_accessed = persistent, watch_accessed_variables

    def __repr__(self) -> str:
        return "GradientTape"


Tape.__name__ = "GradientTape"  # in messages


class Pause:
    """What `stop_recording` of a tape gives, while compiling."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape


def begin(context: Any) -> Any:
    """The beginning of a ``with`` block, and what its ``as`` names."""
    return context.__enter__()


def end(context: Any) -> None:
    """The end of a ``with`` block."""
    context.__exit__(None, None, None)


def happens(what: str, tape: GradientTape, *values: Any) -> None:
    """Something that changes what a tape records; what it is and which values it is about stands in the arguments."""
