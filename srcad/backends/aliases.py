"""What may share memory, for Numba where it looks for parallel loops.

There Numba leaves out what it takes for dead: a store into a view that nobody reads behind it. It knows the views that
subscripts, `ravel`, `transpose` and `reshape` give, but takes what any other call gives for new memory, so that
``row = np.moveaxis(x_bar, 0, 1); row += value`` added nothing. Here the result of a call may share the memory of all
its arguments, unless the function is one of NumPy's that always make an array.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numba.core import ir, ir_utils

_NEW = frozenset("""
    arange array concatenate copy dot empty empty_like eye full full_like identity linspace ones ones_like outer stack
    where zeros zeros_like
""".split())
_SHARING = ("cast", "getitem", "static_getitem", "exhaust_iter", "getiter", "iternext", "pair_first")


@contextmanager
def views_noticed() -> Iterator[None]:
    """Numba takes what may share memory to do so, as long as this is entered.

    >>> from numba.core import ir_utils
    >>> with views_noticed():
    ...     ir.Assign in ir_utils.alias_analysis_extensions
    True
    >>> ir.Assign in ir_utils.alias_analysis_extensions
    False
    """
    known = ir_utils.alias_analysis_extensions
    before = known.get(ir.Assign)
    known[ir.Assign] = _note
    try:
        yield
    finally:
        del known[ir.Assign]
        if before is not None:
            known[ir.Assign] = before


def _note(stmt: Any, args: Any, types: Any, function: Any, shared: dict[str, set[str]], of_arguments: Any) -> None:
    """Note what the target of an assignment may share memory with."""
    target = stmt.target.name
    if ir_utils.is_immutable_type(target, types):
        return
    for other in _sources(stmt.value, types, function):
        if other == target or ir_utils.is_immutable_type(other, types):
            continue
        if target in of_arguments or other in of_arguments:
            of_arguments |= {target, other}
        together = {target, other} | shared.get(target, set()) | shared.get(other, set())
        for name in together:
            shared[name] = together


def _sources(value: Any, types: Any, function: Any) -> Iterator[str]:
    """The names whose memory a value may be, or have parts of."""
    if isinstance(value, ir.Var):
        yield value.name
    elif not isinstance(value, ir.Expr):
        return
    elif value.op == "inplace_binop":
        yield value.lhs.name
    elif value.op in _SHARING or value.op == "getattr" and value.attr != "shape":
        yield value.value.name
    elif value.op in ("build_tuple", "build_list"):
        yield from (item.name for item in value.items)
    elif value.op == "call":
        name, home = ir_utils.guard(ir_utils.find_callname, function, value, types) or (None, None)
        if isinstance(home, ir.Var):
            yield home.name
        if not (home == "numpy" and (name in _NEW or isinstance(getattr(np, str(name), None), np.ufunc))):
            yield from (arg.name for arg in (*value.args, *(arg for _, arg in value.kws)))
