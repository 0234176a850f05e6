"""Whether a function may change what it has not made: one that does cannot be left alone."""

from __future__ import annotations

import dis
import types
from typing import Any

from srcad.lang.draws import called


def changes(fn: Any) -> bool:
    """Whether a function may change an object, a global, a list of its caller's or a `Variable`, as far as it says.

    >>> def counted(table, k):
    ...     table.count += k
    >>> def noted(found, k):
    ...     found.append(k)
    >>> changes(counted), changes(noted), changes(lambda x: abs(x))
    (True, True, False)
    """
    functions = [each for each, _ in called(fn)]
    stores = (step.opname in _STORES for each in functions for step in dis.get_instructions(each))
    if any(_changes_arguments(each.__code__) for each in functions):
        return True
    return any(stores) or any(not _ASSIGNED.isdisjoint(each.__code__.co_names) for each in functions)


def _changes_arguments(code: types.CodeType) -> bool:
    """Whether a method that changes lists or dicts is called on an argument."""
    given = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    steps = list(dis.get_instructions(code))
    return any(
        before.opname.startswith("LOAD_FAST") and before.argval in given and step.opname.startswith("LOAD")
        and step.argval in _CHANGING for before, step in zip(steps, steps[1:])
    )  # fmt: skip


_CHANGING = frozenset("append extend insert pop remove clear sort reverse update setdefault".split())
_ASSIGNED = frozenset(("assign", "assign_add", "assign_sub", "apply_gradients"))
_STORES = frozenset(("STORE_ATTR", "DELETE_ATTR", "STORE_GLOBAL", "DELETE_GLOBAL"))
