"""Primitives without a typing rule: called once on small arguments to see what they return."""

from __future__ import annotations

import io
import re
import types
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import partial
from typing import Any

import numpy as np

from srcad.lang.called_with import call
from srcad.lang.draws import draws, is_random
from srcad.lang.forms import is_python
from srcad.lang.in_time import Overdue, in_time
from srcad.lang.ir import Const, Expr, Method
from srcad.lang.left import Left, current
from srcad.lang.promote import type_of
from srcad.lang.refusals import BEFOREHAND
from srcad.lang.solvers import instead_of_solver
from srcad.lang.symbols import library_name
from srcad.lang.types import INT, TUPLE, Array, Scalar, TupleType, Type
from srcad.lang.viewing import look
from srcad.runtime.attempts import Attempt
from srcad.typing.distributions import of_distribution
from srcad.typing.elementwise import ufunc
from srcad.typing.facts import NotStatic
from srcad.typing.samples import Values, samples
from srcad.typing.table import TEXT, Facts, Refusal

OTHERS = "functions of NumPy and math, or a function of your own with an srcad.rule"


def observe(facts: Facts, fn: Any, args: tuple[Expr, ...], kwargs: dict[str, Expr]) -> Type:
    """The type of a call of a function that nothing is known about."""
    if isinstance(fn, np.ufunc) and not kwargs and fn.signature is None:
        return ufunc(fn, args)
    _refuse_what_cannot_be_repeated(fn, args)
    known = of_distribution(fn, (*args, *kwargs.values()))
    if known is not None:
        return known
    fn = getattr(fn, "py_func", fn)
    problem: Exception | None = None
    endless, key = call().endless, id(getattr(fn, "fn", fn))
    for seconds, values in samples(facts, args, kwargs):
        if seconds <= endless.get(key, 0.0):  # it would not end for ones of another size either
            continue
        try:
            result = in_time(partial(_outcome, fn, values), seconds)
            return TEXT if isinstance(result, str) and isinstance(fn, Left) else _blurred(facts, type_of(result))
        except NotStatic:
            continue
        except Overdue:
            endless[key] = seconds
        except Exception as error:
            problem = problem or error
            if isinstance(error, Refusal):
                break
    if isinstance(problem, Refusal) and problem.poisoned:
        raise problem
    if key in endless:
        spent = f"{endless[key]:.0f} seconds"
        reason = f"a call of {name_of(fn)}, which was tried to see what it returns, and did not end in {spent}"
        raise Refusal(reason, "its result, passed as an argument")
    keyword = re.search(r"unexpected keyword argument '(\w+)'", str(problem))
    if keyword is not None:
        raise Refusal(f"{name_of(fn)} has no argument {keyword[1]}=", f"the call without {keyword[1]}=")
    wrong = current().wrong_inside(fn.fn) if isinstance(fn, Left) else None
    reason = f"a call of {name_of(fn)}, which is not supported here ({problem})"
    if wrong is not None:  # what it does with the values that were tried helps nobody
        reason = f"a call of {name_of(fn)}, which cannot be read{wrong.inside}"
    raise Refusal(reason, instead_of_solver(name_of(fn)) or OTHERS)


def _outcome(fn: Any, values: Callable[[], Values]) -> Any:
    """What a function gives for some values; what it prints is not shown."""
    args, kwargs = values()
    with warnings.catch_warnings(), np.errstate(all="ignore"), redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        result = fn(*args, **kwargs)
    look(fn, [*args, *kwargs.values()], result)
    return result


def tried(fn: Left, args: tuple[Expr, ...]) -> Left:
    """The body of a ``try`` that is done beforehand, for arguments of these types."""
    attempt: Attempt = fn.fn  # type: ignore[assignment]
    if draws(attempt.inner):
        raise Refusal("try whose body draws random numbers is not supported", "the numbers drawn before it")
    if not all(_is_passed(arg.type) for arg in args):
        reason = "try whose body reads a list, dict or object is not supported"
        raise Refusal(reason, BEFOREHAND)
    return Left(attempt.of(tuple(_kind(arg.type) for arg in args))).giving(INT)


def _kind(given: Type) -> Any:
    """The dtype of a number that is NumPy's to the user; None for Python's."""
    if isinstance(given, TupleType):
        return tuple(map(_kind, given.items))
    return given.dtype if isinstance(given, Scalar) and not given.weak else None


def _is_passed(kind: Type) -> bool:
    if isinstance(kind, TupleType):
        return kind.form == TUPLE and all(map(_is_passed, kind.items))
    return isinstance(kind, (Array, Scalar)) or kind == TEXT


def of_function_made_here(fn: Any) -> tuple[str, str]:
    """The reason and the remedy where a function of a library is given one that exists in the source only."""
    if getattr(fn, "__module__", "") == "_operator":
        return "an operation on a function or object made here is not supported", "its result: f(x)"
    called = fn.name if isinstance(fn, Method) else name_of(fn)
    return f"{called}() of a function or object made here is not supported", instead_of_solver(called) or "a loop"


def _refuse_what_cannot_be_repeated(fn: Any, args: tuple[Expr, ...]) -> None:
    """A value may be computed twice, with other random numbers; a nested function exists in the source only."""
    values = [arg.value for arg in args if isinstance(arg, Const)]
    drawn = draws(fn.fn, any(value is None for value in values)) if isinstance(fn, Left) else _is_drawn(fn)
    if drawn or any(map(is_random, values)):
        called = name_of(fn.fn if isinstance(fn, Left) else fn)
        remedy = "the numbers passed as an argument, or drawn in a function of its own from a seed"
        draw = not isinstance(fn, Left) and str(getattr(fn, "__module__", "")).startswith(("numpy.random", "random"))
        numbers = "numbers that depend on draws before it" if draw else "other numbers at every call"
        raise Refusal(f"a call of {called}, which gives {numbers}", remedy)
    if any(type(value).__module__.startswith("srcad.") for value in values):
        raise Refusal(*of_function_made_here(fn.fn if isinstance(fn, Left) else fn))


def _is_drawn(fn: Any) -> bool:
    """Whether a function of a library gives something else at every call."""
    modules = (str(getattr(fn, "__module__", "")), type(getattr(fn, "__self__", None)).__module__)
    variates = getattr(fn, "__name__", "") == "rvs" and modules[0].startswith("scipy.stats")
    return variates or any(module.startswith(("numpy.random", "random", "secrets", "time")) for module in modules)


def name_of(fn: Any) -> str:
    """What the user calls a function."""
    known = library_name(fn) or ""
    if known.startswith("scipy."):
        return known
    whole = str(getattr(fn, "__module__", None) or type(getattr(fn, "__self__", None)).__module__)
    for part in ("random", "linalg", "fft"):
        if whole.startswith(f"numpy.{part}"):
            return f"np.{part}.{fn.__name__}"
    if isinstance(fn, types.FunctionType) and is_python(fn):
        return fn.__name__
    public = [part for part in whole.split(".") if not part.startswith("_")]
    module = ".".join(public) if public[:1] == ["scipy"] else public[0] if public else ""
    prefix = {"numpy": "np.", "builtins": "", "_operator": "operator."}.get(module, f"{module}." if module else "")
    name = getattr(fn, "__qualname__", None) or getattr(fn, "__name__", None) or repr(fn)
    return f"np.{name}" if isinstance(fn, np.ufunc) and not module else prefix + name


def _blurred(facts: Facts, type: Type) -> Type:
    """The observed type with lengths forgotten."""
    if isinstance(type, Array):
        return Array(type.dtype, tuple(facts.fresh() for _ in type.shape), "A") if type.shape else Scalar(type.dtype)
    if isinstance(type, TupleType):
        return TupleType(tuple(_blurred(facts, item) for item in type.items), type.form)
    if isinstance(type, Scalar):
        return type
    raise Refusal("a function that returns no number, array or tuple", "a function of numbers and arrays")
