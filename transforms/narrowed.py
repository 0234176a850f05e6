"""narrowed: results of another precision than that of what they are gradients for; for target "python" only.

A number that NumPy took out of an array of doubles widens what it is multiplied with: in ``v_bar = w[0] * v`` the array
of single precision becomes one of doubles; ``w_bar = 2.0 * v`` stays single. A gradient has the dtype of its argument,
so such results are converted where they are returned. Machine code computes in the dtypes that the types tell.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from dataclasses import replace

import numpy as np

from srcad.lang import walk
from srcad.lang.ir import Accum, Attr, Call, Const, Expr, For, Function, Return, Tuple, Var
from srcad.lang.types import Array, Scalar
from srcad.transforms.infer import typed

_SINGLE, _DOUBLE = ("float32", "complex64"), ("float64", "complex128")
_LIKE = (np.zeros_like, np.empty_like, np.full_like)  # which have the dtype of their first argument


def narrowed(fn: Function) -> Function:
    """Results in the dtypes that their types tell.

    >>> from srcad.lang.ir import Let, Param
    >>> v, s = Var("v", Array("float32", ("n",), "C")), Var("s", Scalar("float64"))
    >>> made = Let("v~bar", Call(operator.mul, (s, v), (), v.type))
    >>> whole = Function("f", (Param("v", v.type), Param("s", s.type)), (made, Return(Var("v~bar", v.type))))
    >>> narrowed(whole).body[-1].value.fn.__name__
    'astype'
    """
    if not any(getattr(p.type, "dtype", "") in _SINGLE for p in fn.params):
        return fn
    *body, last = fn.body
    assert isinstance(last, Return)
    return replace(fn, body=(*body, replace(last, value=_result(last.value, _Known(fn, True), _Known(fn, False)))))


def _result(expr: Expr, narrow: _Known, wide: _Known) -> Expr:
    """A result in the dtype of its type, for all that is known of what it is made of."""
    if isinstance(expr, Tuple):
        return replace(expr, items=tuple(_result(item, narrow, wide) for item in expr.items))
    kind = getattr(expr, "type", None)
    if not isinstance(kind, Array) or kind.dtype not in _SINGLE + _DOUBLE:
        return expr
    single = kind.dtype in _SINGLE
    if single == (narrow if single else wide).is_narrow(expr):
        return expr
    return typed(Call(np.ndarray.astype, (expr, Const(np.dtype(kind.dtype).type))))


class _Known:
    """What names are made of; whether doubles are where types tell so (`told`), or only where NumPy makes them."""

    def __init__(self, fn: Function, told: bool):
        self.told = told
        self.made: dict[str, list[Expr]] = defaultdict(list)
        for stmt in walk.statements(fn.body):
            for name, value in walk.bindings(stmt):
                self.made[name].append(value)
            match stmt:
                case Accum(Var(name, Scalar()), value):
                    self.made[name].append(value)
                case For(index):
                    self.made[index].append(Const(0))
        self.given = {p.name: p.type for p in fn.params}
        self.narrow: dict[str, bool] = {}

    def is_narrow(self, expr: Expr) -> bool:
        """Whether no number of NumPy's own of double precision takes part in an expression."""
        match expr:
            case Var(name) if name in self.given:
                return _is_single(expr.type)
            case Var(name):
                if name not in self.narrow:
                    self.narrow[name] = True  # which is for the others to say, where it is made of itself
                    self.narrow[name] = all(map(self.is_narrow, self.made[name]))
                return self.narrow[name]
            case Const(value):
                return not isinstance(value, (np.generic, np.ndarray)) or value.dtype.name in _SINGLE
            case Attr():
                return True
            case Call(fn, (first, *_)) if fn in _LIKE or fn is operator.getitem:
                return self.is_narrow(first)
            case Call(type=Scalar(weak=False) | Array() as kind) if self.told and kind.dtype in _DOUBLE:
                return False
            case Call(np.ndarray.astype):
                return _is_single(expr.type)
            case Call(fn, args) if getattr(fn, "__module__", "numpy").startswith("numpy"):
                if all(_is_pythons(getattr(arg, "type", None)) for arg in args):
                    return False  # what NumPy makes of them is its own
        return all(map(self.is_narrow, walk.children(expr)))


def _is_single(kind: object) -> bool:
    return _is_pythons(kind) or getattr(kind, "dtype", "") in (*_SINGLE, "bool")


def _is_pythons(kind: object) -> bool:
    """Whether a type is that of a number of Python's."""
    return isinstance(kind, Scalar) and kind.weak
