"""Elementwise functions: operators, ufuncs, `math`, where, clip, casts."""

from __future__ import annotations

import math
import operator
from dataclasses import replace
from typing import Any

import numpy as np

from srcad.lang import promote, shapes
from srcad.lang.ir import Call, Expr, and_, or_
from srcad.lang.symbols import library_name
from srcad.lang.types import BOOL, FLOAT, INT, Array, Scalar, Static, TupleType, Type
from srcad.typing import tuples
from srcad.typing.table import Facts, Refusal, call, constant, describe, dtype_argument, kind, made, returns, shape_of

_INTEGER = {math.floor, math.ceil, math.trunc, math.gcd, math.comb, math.factorial, math.perm, math.isqrt, math.lcm}
_LOGICAL = {math.isnan, math.isinf, math.isfinite, math.isclose}
_IN_NUMPY = {
    math.asin: "arcsin", math.acos: "arccos", math.atan: "arctan", math.atan2: "arctan2", math.asinh: "arcsinh",
    math.acosh: "arccosh", math.atanh: "arctanh", math.pow: "power", math.fmod: "fmod", math.radians: "radians",
}  # fmt: skip


def elementwise(dtype: str, *types: Any) -> Type:
    """The result of an elementwise function that gives elements of a dtype; arrays of any rank, strong scalars."""
    shape = shapes.broadcast(*map(shape_of, types))
    arrays = [t for t in types if isinstance(t, Array)]
    return made(dtype, shape, shapes.layout(shape, arrays)) if arrays and shape else Scalar(dtype)


def ufunc(fn: np.ufunc, args: tuple[Expr, ...]) -> Type:
    """The result of a ufunc."""
    types = tuple(map(kind, args))
    if len(types) != fn.nin:
        raise Refusal(f"np.{fn.__name__} of {len(types)} arguments", f"{fn.nin} of them")
    if fn.signature is not None:
        raise Refusal(f"np.{fn.__name__} here", "the operator @")
    try:
        dtypes = promote.ufunc_dtypes(fn, types)
    except promote.NoLoop:
        name = library_name(fn) or fn.__name__
        raise Refusal(f"{name} of {' and '.join(t.dtype for t in types)}", "x.astype(np.float64)") from None
    if "object" in dtypes:
        remedy = "a call of the function itself, or np.vectorize"
        raise Refusal("a function of np.frompyfunc, which gives objects", remedy)
    results = tuple(elementwise(dtype, *types) for dtype in dtypes)
    return results[0] if fn.nout == 1 else TupleType(results)


def _operator(fn: Any, args: tuple[Expr, ...]) -> Type:
    types = tuple(map(kind, args))
    if not all(isinstance(t, Scalar) and t.weak for t in types):
        return ufunc(promote.UFUNCS[fn], args)
    try:
        return promote.python_result(fn, types)  # type: ignore[arg-type]
    except promote.NoLoop as error:
        raise Refusal(str(error), "other numbers, or another operation") from None


def _enter_operator(fn: Any, arity: int) -> None:
    if fn is abs:  # which Numba has for numbers alone
        returns(fn)(lambda facts, a: call(facts, fn, element(facts, a)) if _is_without_axes(a) else _operator(fn, (a,)))
    elif arity == 1:
        returns(fn)(lambda facts, a: _operator(fn, (a,)))
    else:
        returns(fn)(lambda facts, a, b: tuples.binary(facts, fn, a, b) or _operator(fn, (a, b)))


for _fn in promote.UFUNCS:
    if _fn is not operator.pow:
        _enter_operator(_fn, promote.UFUNCS[_fn].nin)


@returns(operator.pow, pow)
def power(facts: Facts, a: Expr, b: Expr) -> Type | Expr:
    """An integer to a negative constant power is a float in Python."""
    result = _operator(operator.pow, (a, b))
    if result == INT:
        exponent = facts.value(b)
        if exponent is not None and exponent[0] is None and exponent[1] < 0:
            result = FLOAT
    return Call(operator.pow, (a, b), (), result)


def _is_without_axes(x: Expr) -> bool:
    return isinstance(x.type, Array) and not x.type.shape


def element(facts: Facts, x: Expr) -> Expr:
    """The element of an array without axes; a number as it is."""
    return call(facts, operator.getitem, x, tuples.pack(())) if _is_without_axes(x) else x


def _enter_math(fn: Any) -> None:
    result = INT if fn in _INTEGER else BOOL if fn in _LOGICAL else FLOAT

    def rule(facts: Facts, *args: Expr) -> Type | Expr:
        if any(map(_is_without_axes, args)):
            return call(facts, fn, *(element(facts, arg) for arg in args))
        for arg in args:
            if isinstance(arg.type, (Array, TupleType)):
                name = _IN_NUMPY.get(fn, fn.__name__)
                remedy = f"np.{name}" if hasattr(np, name) else "a loop over the elements"
                raise Refusal(f"math.{fn.__name__} of {describe(arg.type)}", remedy)
            if kind(arg).dtype.startswith("complex"):
                raise Refusal(f"math.{fn.__name__} of a complex number", f"np.{_IN_NUMPY.get(fn, fn.__name__)}")
        return result

    returns(fn)(rule)


for _name, _fn in vars(math).items():
    if callable(_fn) and not _name.startswith("_"):
        _enter_math(_fn)


# ---------------------------------------------------------------- Python's own


def extreme(facts: Facts, fn: Any, *args: Expr) -> Type | Expr:
    """The smallest or largest of several numbers: any one of them."""
    if any(map(_is_without_axes, args)):
        return call(facts, fn, *(element(facts, arg) for arg in args))
    types = tuple(map(kind, args))
    if not all(isinstance(t, Scalar) for t in types):
        raise Refusal("min or max of several arrays", "np.minimum or np.maximum")
    return common(types)


def common(types: tuple[Any, ...]) -> Scalar:
    """The type of a number that is one of these."""
    dtypes = {t.dtype for t in types}
    return Scalar(promote.result_dtype(*types) if len(dtypes) > 1 else types[0].dtype, all(t.weak for t in types))


def _enter_conversion(fn: Any, result: Type) -> None:
    def rule(facts: Facts, x: Expr) -> Type | Expr:
        if _is_without_axes(x):
            return call(facts, fn, element(facts, x))
        if isinstance(kind(x), Array):
            raise Refusal(f"{fn.__name__} of an array", "x.astype(...), or an element x[i] of it")
        return result

    returns(fn)(rule)


for _convert, _result in ((float, FLOAT), (int, INT), (bool, BOOL)):
    _enter_conversion(_convert, _result)


@returns(divmod)
def quotient_and_remainder(facts: Facts, a: Expr, b: Expr) -> Expr:
    """``a // b, a % b``"""
    return tuples.pack((call(facts, operator.floordiv, a, b), call(facts, operator.mod, a, b)))


@returns(round)
def python_round(facts: Facts, x: Expr, ndigits: Expr | None = None) -> Type | Expr:
    """Without digits, an integer."""
    if _is_without_axes(x):
        return call(facts, round, element(facts, x), *([] if ndigits is None else [ndigits]))
    if isinstance(kind(x), Array):
        raise Refusal("round of an array", "np.round")
    return INT if ndigits is None or ndigits.type == Static(None) else kind(x)


@returns(operator.not_)
def negation(facts: Facts, x: Expr) -> Type | Expr:
    """``not x``; whether a tuple, a list or a dict has elements is known."""
    if isinstance(x.type, TupleType) and issubclass(x.type.form.cls, (tuple, list, dict)):
        return constant(not x.type.items)
    if isinstance(x.type, Array) and x.type.ndim:
        raise Refusal("the truth of an array", "np.logical_not(x), or x.any() or x.all()")
    return BOOL


@returns(and_, or_)
def _lazy(facts: Facts, *args: Expr) -> Type:
    types = tuple(map(kind, args))
    if not all(isinstance(t, Scalar) for t in types):
        raise Refusal("`and` or `or` of arrays", "np.logical_and or np.logical_or")
    return common(types)


# ---------------------------------------------------------------- of NumPy


@returns(np.where)
def where(facts: Facts, condition: Expr, x: Expr | None = None, y: Expr | None = None) -> Type | Expr:
    """Elements of x or y; without them, the places where the condition holds."""
    if x is None or y is None:
        return call(facts, np.nonzero, condition)
    types = (kind(condition), kind(x), kind(y))
    return elementwise(promote.result_dtype(*types[1:]), *types)


@returns(np.clip)
def clip(facts: Facts, a: Expr, a_min: Expr | None = None, a_max: Expr | None = None,
         *, min: Expr | None = None, max: Expr | None = None) -> Type:  # fmt: skip
    """Numbers held between two bounds; None: no bound."""
    bounds = [b for b in (a_min, a_max, min, max) if b is not None and b.type != Static(None)]
    types = (kind(a), *map(kind, bounds))
    return elementwise(promote.result_dtype(*types), *types)


@returns(np.round, np.around)
def numpy_round(facts: Facts, a: Expr, decimals: Expr | None = None) -> Type:
    """Rounding keeps the dtype."""
    return elementwise(kind(a).dtype, kind(a))


@returns(np.nan_to_num, np.real_if_close)
def same(facts: Facts, x: Expr, **options: Expr) -> Type:
    """Functions that keep dtype and shape."""
    return elementwise(kind(x).dtype, kind(x))


@returns(np.fix)
def fix(facts: Facts, x: Expr) -> Type:
    """A ufunc in all but name."""
    return ufunc(np.trunc, (x,))


def real_only(fn: Any, x: Expr) -> None:
    """Refuse complex numbers where a function of NumPy that is no ufunc raises a `TypeError`."""
    if np.dtype(kind(x).dtype).kind == "c":
        raise Refusal(f"np.{fn.__name__} of complex numbers", "np.real(z), np.imag(z) or np.abs(z)")


@returns(np.i0)
def bessel(facts: Facts, x: Expr) -> Type:
    """Functions that give floats, of real numbers alone."""
    real_only(np.i0, x)
    return ufunc(np.sin, (x,))


@returns(np.sinc)
def inexact(facts: Facts, x: Expr) -> Type:
    """Functions that give floats."""
    return elementwise(promote.ufunc_dtypes(np.sin, (kind(x),))[0], kind(x))


@returns(np.real, np.imag)
def part(facts: Facts, z: Expr) -> Type:
    """The real or imaginary parts, which lie apart from each other in memory."""
    found = _real(z)
    apart = np.dtype(kind(z).dtype).kind == "c"
    return replace(found, layout="A") if isinstance(found, Array) and apart else found


@returns(np.angle)
def angle(facts: Facts, z: Expr) -> Type:
    """Real numbers from complex ones."""
    return _real(z)


def _real(z: Expr) -> Type:
    return elementwise(np.zeros(0, kind(z).dtype).real.dtype.name, kind(z))


@returns(np.isclose)
def is_close(facts: Facts, a: Expr, b: Expr, **options: Expr) -> Type:
    """Elementwise truth."""
    return elementwise("bool", kind(a), kind(b))


@returns(np.interp)
def interp(facts: Facts, x: Expr, xp: Expr, fp: Expr, **options: Expr) -> Type:
    """Values at x."""
    return elementwise("float64", kind(x))


@returns(np.ndarray.astype)
def astype(facts: Facts, x: Expr, dtype: Expr, **options: Expr) -> Type | Expr:
    """Another dtype."""
    name = dtype_argument(facts, dtype, "")
    if isinstance(kind(x), Scalar):
        return Call(np.dtype(name).type, (x,), (), Scalar(name))
    return elementwise(name, kind(x))


def cast(facts: Facts, scalar: type, x: Expr) -> Type | Expr:
    """``np.float32(x)``, which converts arrays, too, and makes a number of one without axes."""
    if _is_without_axes(x):
        return Call(scalar, (element(facts, x),), (), Scalar(np.dtype(scalar).name))
    if isinstance(kind(x), Array):
        if np.dtype(scalar) == kind(x).dtype:
            return x  # not a copy
        return Call(np.ndarray.astype, (x, constant(scalar)), (), elementwise(np.dtype(scalar).name, kind(x)))
    return Scalar(np.dtype(scalar).name)
