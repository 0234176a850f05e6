"""Whether a function may change what it has not made: one that does cannot be left alone."""

from __future__ import annotations

import dis
import re
import types
from collections.abc import Set
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
    >>> def begun(found=None):
    ...     if found is None:
    ...         found = []
    ...     every = found
    ...     every.append(1.0)
    >>> changes(counted), changes(noted), changes(doubled), changes(begun), changes(lambda x: abs(x))
    (True, True, True, True, False)
    """
    functions = [each for each, _ in called(fn)]
    stores = (step.opname in _STORES for each in functions for step in dis.get_instructions(each))
    if any(_changes_arguments(each.__code__) for each in functions):
        return True
    return any(stores) or any(not _ASSIGNED.isdisjoint(each.__code__.co_names) for each in functions)


def reads(fn: Any, attributes: Set[str]) -> bool:
    """Whether a function, or one that it calls, may read attributes of these names.

    >>> reads(lambda table: table.count, {"count"}), reads(lambda table: table.size, {"count"})
    (True, False)
    """
    return any(not attributes.isdisjoint(each.__code__.co_names) for each, _ in called(fn)) if attributes else False


def changes_its_own(fn: Any) -> bool:
    """Whether a function, of an installed package perhaps, may change a list that is its argument.

    >>> import random
    >>> changes_its_own(random.Random.shuffle), changes_its_own(random.Random.choice)
    (True, False)
    """
    return hasattr(fn, "__code__") and _changes_arguments(fn.__code__)


def _changes_arguments(code: types.CodeType) -> bool:
    """Whether something is put into an argument, or a method that changes lists or dicts is called on one.

    An argument that gets another value is one still where a path comes by the statement, ``if xs is None: xs = []``,
    and what gets the value of one is one, too.
    """
    steps = [part for step in dis.get_instructions(code) for part in _parts(step)]
    jump = next((k for k, (name, _) in enumerate(steps) if "JUMP" in name or name == "FOR_ITER"), len(steps))
    given = {*code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]}
    given -= {value for name, value in steps[:jump] if name == "STORE_FAST"}
    known = 0
    while len(given) > known:
        known = len(given)
        pairs = zip(steps, steps[1:])
        given |= {value for before, (name, value) in pairs if name == "STORE_FAST" and _is_of(before, given)}
    return any(
        _is_of(before, given) and name.startswith("LOAD") and (value in _CHANGING or after == "STORE_SUBSCR")
        for before, (name, value), after in zip(steps, steps[1:], [*(name for name, _ in steps[2:]), ""])
    )


def _parts(step: dis.Instruction) -> list[tuple[str, Any]]:
    """A step, or the two of which it is made since CPython 3.13: ``LOAD_FAST_LOAD_FAST``."""
    if isinstance(step.argval, tuple) and step.opname.count("_FAST") == 2:
        return list(zip((f"{word}_FAST" for word in re.findall("LOAD|STORE", step.opname)), step.argval))
    return [("LOAD_FAST" if step.opname.startswith("LOAD_FAST") else step.opname, step.argval)]


def _is_of(step: tuple[str, Any], names: set[str]) -> bool:
    return step[0] == "LOAD_FAST" and step[1] in names


_CHANGING = frozenset("append extend insert pop remove clear sort reverse update setdefault".split())
_ASSIGNED = frozenset(("assign", "assign_add", "assign_sub", "apply_gradients"))
_STORES = frozenset(("STORE_ATTR", "DELETE_ATTR", "STORE_GLOBAL", "DELETE_GLOBAL"))
