"""Generated source as a Numba dispatcher, and what its names mean as compiled code takes it."""

from __future__ import annotations

import re
import types
from dataclasses import replace
from typing import Any

from numba import njit
from numba.core.registry import cpu_target

from srcad.backends import agreeing, cache
from srcad.backends.entries import entered, handing_back, without_out
from srcad.backends.finite import compile_tests_for_finite_numbers
from srcad.backends.fingerprint import Unkeyable, fingerprint
from srcad.backends.interpreted import interpreted
from srcad.backends.local_names import with_distinct_names
from srcad.backends.machine_code import MachineCode
from srcad.backends.source import Source
from srcad.backends.stack import Aligned
from srcad.backends.vector_math import making, vectorising
from srcad.lang.left import Left
from srcad.options import FASTMATH, Options
from srcad.runtime.libraries import enter

_LOOP = re.compile(r"^ *(for|while) ", re.MULTILINE)


def dispatcher_of(source: Source, options: Options, one_more: bool) -> Any:
    """The function of a source, with `one_more` parameter if need be, as a Numba dispatcher with a cache of its own."""
    flags = options.fastmath if isinstance(options.fastmath, bool) else set(options.fastmath)
    if source.exact and options.fastmath == FASTMATH:
        flags = False
    if options.nan_check and not isinstance(flags, bool):
        flags -= {"nnan", "ninf"}
    settings: dict[str, Any] = {
        "error_model": "numpy", "fastmath": flags, "nogil": True, "boundscheck": options.debug,
        "pipeline_class": Aligned,
    }  # fmt: skip
    ready = replace(source, constants={name: callee(value) for name, value in source.constants.items()})
    if flags:
        compile_tests_for_finite_numbers()
        vectorising(ready.function.__globals__, source.text)
    making(ready.function.__globals__, source.text)
    for name, helper in ready.helpers.items():
        ready.function.__globals__[name] = njit(**settings)(with_distinct_names(helper))
    enter("srcad.runtime")  # the functions of SciPy that the source imports
    function = (without_out if one_more else handing_back if options.into else entered)(ready, options.parallel)
    # A call counts the references of all arrays that go in and come out: more than a short function computes.
    settings["forceinline"] = not options.alike and not _LOOP.search(source.text)
    inner: Any = njit(**settings, **agreeing.settings(options.parallel))(with_distinct_names(function))
    try:
        key = fingerprint(options, source.constants).digest
    except Unkeyable:
        return inner
    inner._cache = MachineCode(source.path, cache.compiler_stamp() + key)
    return inner


def callee(value: Any) -> Any:
    """A value that generated source names, as Numba takes it: a user's function that has a rule is compiled, too."""
    if isinstance(value, Left):
        return interpreted(value)
    if isinstance(value, types.FunctionType):
        cpu_target.typing_context.refresh()
        try:
            cpu_target.typing_context.resolve_value_type(value)
        except ValueError:
            return njit(value)
    return value
