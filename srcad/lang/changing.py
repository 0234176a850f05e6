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
    >>> def doubled(values, k):
    ...     values[k] = 2 * values[k]
    >>> changes(counted), changes(noted), changes(doubled), changes(lambda x: abs(x))
    (True, True, True, False)
    """
    functions = [each for each, _ in called(fn)]
    stores = (step.opname in _STORES for each in functions for step in dis.get_instructions(each))
    if any(_changes_arguments(each.__code__) for each in functions):
        return True
    return any(stores) or any(not _ASSIGNED.isdisjoint(each.__code__.co_names) for each in functions)


def _changes_arguments(code: types.CodeType) -> bool:
    """Whether something is put into an argument, or a method that changes lists or dicts is called on one."""
    steps = list(dis.get_instructions(code))
    given = {*code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]}
    given -= {step.argval for step in steps if step.opname.startswith("STORE_FAST")}

    def is_given(step: dis.Instruction) -> bool:
        return step.opname.startswith("LOAD_FAST") and step.argval in given

    return any(
        is_given(before) and step.opname.startswith("LOAD") and (step.argval in _CHANGING or after == "STORE_SUBSCR")
        for before, step, after in zip(steps, steps[1:], [*(step.opname for step in steps[2:]), ""])
    )  # fmt: skip


_CHANGING = frozenset("append extend insert pop remove clear sort reverse update setdefault".split())
_ASSIGNED = frozenset(("assign", "assign_add", "assign_sub", "apply_gradients"))
_STORES = frozenset(("STORE_ATTR", "DELETE_ATTR", "STORE_GLOBAL", "DELETE_GLOBAL"))
