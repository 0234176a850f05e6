"""Variables: values that outlive a call, which compiled functions read and update."""

from __future__ import annotations

import itertools
from typing import Any, Union

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

_serials = itertools.count()


class Variable(NDArrayOperatorsMixin):
    """A number or an array that functions read from their surroundings, and may update.

    In plain Python it behaves like its value in arithmetic and in functions of NumPy. In a function that `srcad`
    compiles, it is read at every call; its shape and dtype never change.

    Parameters
    ----------
    value : float, int or array_like
        The first value, which is copied.
    trainable : bool
        Whether `implicit_gradients` and tapes that nothing else is told take gradients with respect to it.
    name : str, optional
        What it is called in generated source; otherwise that is the name under which it is found first.
    dtype : dtype, optional
        Of the value; Python's numbers are float64 and int64.

    Raises
    ------
    TypeError
        If the value is not made of numbers.

    Examples
    --------
    >>> w = Variable([1.0, 2.0])
    >>> w.assign_sub(0.5 * w)
    Variable([0.5, 1. ])
    >>> float(Variable(3.0) * 2)
    6.0
    """

    def __init__(self, value: Any, trainable: bool = True, name: str | None = None, dtype: Any = None) -> None:
        self._value = np.array(value.value if isinstance(value, Variable) else value, dtype=dtype, order="C")
        if self._value.dtype.kind not in "fiubc":
            raise TypeError(f"a Variable holds numbers, not {value!r}")
        self.trainable = bool(trainable)
        self.name = name
        self._serial = next(_serials)  # the order in which variables were made
        self.beside: tuple[Variable, str] | None = None  # whose state it is, and what: that of an optimiser

    # ------------------------------------------------------------ the value

    @property
    def value(self) -> Any:
        """The present value: a Python number, or a copy of the array."""
        return self._value.copy() if self._value.ndim else self._value.item()

    def numpy(self) -> Any:
        """The present value, as `value`."""
        return self.value

    @property
    def shape(self) -> tuple[int, ...]:
        """Its shape, which stays."""
        return self._value.shape

    @property
    def dtype(self) -> np.dtype:
        """Its dtype, which stays."""
        return self._value.dtype

    @property
    def ndim(self) -> int:
        """The number of its axes."""
        return self._value.ndim

    @property
    def size(self) -> int:
        """The number of its elements."""
        return self._value.size

    @property
    def T(self) -> np.ndarray:
        """The transpose of its value."""
        return self._value.copy().T

    # ------------------------------------------------------------ updates

    def assign(self, value: Any) -> Variable:
        """Give it a new value of its own shape.

        Raises
        ------
        ValueError
            For a value of another shape.
        """
        new = np.asarray(value, dtype=self.dtype)
        if new.shape != self.shape:
            raise ValueError(f"a value of shape {new.shape} is assigned to a Variable of shape {self.shape}")
        self._value[...] = new
        return self

    def assign_add(self, value: Any) -> Variable:
        """Add to its value."""
        return self.assign(self._value + np.asarray(value))

    def assign_sub(self, value: Any) -> Variable:
        """Subtract from its value."""
        return self.assign(self._value - np.asarray(value))

    # ------------------------------------------------------------ as a number and as an array

    def __array__(self, dtype: Any = None, copy: Union[bool, None] = None) -> np.ndarray:
        return self._value.astype(dtype or self.dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """What a function of NumPy gives for the values."""
        return getattr(ufunc, method)(*(x._value if isinstance(x, Variable) else x for x in inputs), **kwargs)

    def __float__(self) -> float:
        return float(self._value)

    def __int__(self) -> int:
        return int(self._value)

    def __complex__(self) -> complex:
        return complex(self._value)

    def __bool__(self) -> bool:
        return bool(self._value)

    def __len__(self) -> int:
        return len(self._value)

    def __getitem__(self, index: Any) -> Any:
        return self.value[index]

    def __round__(self, digits: int | None = None) -> Any:
        return round(self.value, digits)

    # two Variables are the same only if they are one: they are keys and members of lists
    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        text = repr(self._value).removeprefix("array(").removesuffix(")") if self.ndim else repr(self.value)
        return f"Variable({text}{'' if self.trainable else ', trainable=False'})"


def assign(variable: Variable, value: Any) -> None:
    """``variable.assign(value)``, as the compiler reads it."""
    variable.assign(value)
