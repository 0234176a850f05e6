"""lint: every problem of a function and of what it calls, each with its place and what to write instead."""

from __future__ import annotations

import inspect
import json
from collections.abc import Sequence
from typing import Any, overload

from srcad.analysis.bisections import bisections, roots
from srcad.any_number import is_library, of_form, takes_any_number
from srcad.backends.derivative import Derivative, bound_arguments
from srcad.backends.state import found
from srcad.backends.values import type_named
from srcad.callables import as_function, check_function
from srcad.derivation import parameters
from srcad.eager import Implicit
from srcad.lang.depth import deep
from srcad.lang.errors import (
    AttributeNeeded, NoGradientError, Problem, UnsupportedError, ValueNeeded, VariablesNeeded, collecting, has_problems,
    refuse,
)  # fmt: skip
from srcad.lang.ir import Function
from srcad.lang.left import as_left
from srcad.lang.locate import unwrap
from srcad.lang.origin import physical
from srcad.lang.types import Type, is_float
from srcad.options import Options
from srcad.pipeline import stages
from srcad.runtime.outside import Outside
from srcad.stateful import Stateful, value_of, with_attribute, with_variables
from srcad.transforms.split import split
from srcad.transforms.surface import surface


class Problems(Sequence):
    """What `lint` has found: a sequence of `Problem`, true if there are any, that prints as a report."""

    def __init__(self, problems: Sequence[Problem], name: str, typed: bool):
        self.name = name
        self.typed = typed
        """Whether types were given, so that what they decide was looked at, too."""
        self._problems = tuple(sorted(dict.fromkeys(problems), key=lambda p: (p.filename, p.line, p.column)))

    @overload
    def __getitem__(self, index: int) -> Problem: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Problem]: ...
    def __getitem__(self, index: Any) -> Any:
        return self._problems[index]

    def __len__(self) -> int:
        return len(self._problems)

    def __str__(self) -> str:
        if not self:
            return f"{self.name}: no problems"
        return "\n".join(map(shown, self))

    __repr__ = __str__

    def json(self) -> str:
        """The problems as a JSON list of objects."""
        return json.dumps([problem.as_dict() for problem in self], indent=2)


def shown(problem: Problem) -> str:
    """A problem with its line, and a caret under the column."""
    text = physical(problem.origin).text
    source = [f"    {text.strip()}", f"    {' ' * _caret(text, problem.origin.column)}^"] if text.strip() else []
    remedy = [f"    instead: {problem.remedy}".replace("\n", "\n        ")] if problem.remedy else []
    return "\n".join([f"{problem.filename}:{problem.line}:{problem.column}: {problem.reason}", *source, *remedy])


def _caret(text: str, column: int) -> int:
    return max(column - (len(text) - len(text.lstrip())), 0)


def lint(f: Any, *args: Any, **kwargs: Any) -> Problems:
    """Every problem of a function and of the functions that it calls.

    Parameters
    ----------
    f : callable
        A Python function, or a derivative of one.
    *args, **kwargs
        Example arguments, or their types as `srcad.source` takes them. With them, what depends on types is looked
        at, too: operations that have no type, missing rules, arrays whose memory goes by two names.

    Returns
    -------
    Problems
        A sequence, true if there are any problems. Each has `filename`, `line`, `column` (from 1), `function`,
        `reason` and `remedy`. Printed, each comes with its line and a caret.

    Raises
    ------
    TypeError
        If `f` is no Python function, or if the arguments are not those that `f` takes.

    Examples
    --------
    >>> def f(x):
    ...     class Point: pass
    ...     return x * 2.0 + eval("x")
    >>> print(lint(f))
    <...>:2:5: a class inside the function is not supported
        class Point: pass
        ^
        instead: the class defined outside, its numbers passed as arguments
    <...>:3:22: eval() inside the function is not supported
        return x * 2.0 + eval("x")
                         ^
        instead: the value passed as an argument
    """
    fn = _behind(f)
    if (args or kwargs) and not is_library(fn) and takes_any_number(fn):
        fn = of_form(fn, len(args), tuple(kwargs))
    fn = as_function(fn)
    check_function(fn, "lint")
    mode = f.maker.options.mode if isinstance(f, Derivative) else "grad"
    typed = bool(args or kwargs)
    variables, updates = ({}, False) if isinstance(fn, Derivative) else (found(fn), False)
    outside: dict[str, Outside] = {}
    fixed: frozenset[str] = frozenset()
    while True:
        whole = with_variables(fn, variables, updates, outside) if variables or updates or outside else fn
        try:
            problems = _problems(whole, signature_of(whole, args, kwargs, fixed) if typed else None, fixed, mode)
        except ValueNeeded as needed:
            fixed |= needed.names
        except VariablesNeeded as needed:
            variables, updates = {**variables, **needed.variables}, updates or needed.updates
        except AttributeNeeded as needed:
            outside = with_attribute(outside, needed, fn)
        else:
            return Problems(problems, unwrap(fn).__name__, typed)


def _behind(f: Any) -> Any:
    """The function that a derivative was made of."""
    if isinstance(f, Stateful):
        return f.fn
    return f.maker.fn if isinstance(f, Derivative) else f.f if isinstance(f, Implicit) else f


def _problems(fn: Any, signature: tuple[Type, ...] | None, fixed: frozenset[str], mode: str) -> list[Problem]:
    """What the passes refuse; raises `ValueNeeded` if they ask for the value of a parameter that is not `fixed`."""
    def look() -> None:
        deep(lambda: _look(fn, signature, mode), fn)

    with as_left(look, installed=signature is None) as wrong, collecting() as found:
        if not wrong:
            return found
        try:
            look()
        except (AttributeNeeded, VariablesNeeded):
            raise
        except ValueNeeded as error:
            if not error.names <= fixed:
                raise
            found += error.problems
        except (UnsupportedError, NoGradientError) as error:
            found += error.problems
        except Exception:
            if not found:
                raise  # else what was refused has left a hole, and this follows from it
    return found


def _look(fn: Any, signature: tuple[Type, ...] | None, mode: str) -> None:
    """Run the passes, which note what they refuse."""
    if signature is None:
        function = surface(fn, None)
        if not has_problems():
            refuse(bisections(split(function), [param.name for param in function.params]))
        return
    wrt = tuple(position for position, kind in enumerate(signature) if is_float(kind))
    given = len(signature) - len(getattr(fn, "variables", ())) - len(getattr(fn, "outside", ()))
    wrt = tuple(position for position in wrt if position < given) or wrt  # by variables, where nothing else is there
    updates = getattr(fn, "updates", False)
    options = Options(mode="function" if mode == "function" else "grad", wrt=wrt, single=False, has_aux=updates)
    reached: dict[str, Function] = {}
    for stage, function in stages(fn, options, signature):
        reached[stage] = function
        if stage == "adjoint" and has_problems():
            break  # what follows expects a derivative
    refuse(roots(reached, options.wrt))


def signature_of(
    fn: Any, args: tuple, kwargs: dict[str, Any], fixed: frozenset[str] = frozenset()
) -> tuple[Type, ...]:
    """The types of a function's parameters for example arguments or types; of the `fixed` ones, the values."""
    function = unwrap(fn)
    bound = bound_arguments(inspect.signature(function), function.__name__, args, kwargs)
    names = parameters(fn)
    variables = {name: value_of(held) for name, held in getattr(fn, "variables", {}).items()}
    values = {**bound.arguments, **getattr(fn, "outside", {}), **variables}
    return tuple(type_named(values[name], name, name in fixed) for name in names)
