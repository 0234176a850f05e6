"""``x[1:-1] += v`` without the last of its steps: Python adds to the part and then puts the part where it is.

Numba does as it is told: it finds that the two overlap, copies the part, and copies it back, which takes longer than
the addition, and is most of the machine code.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir, types
from numba.core.compiler_machinery import FunctionPass, register_pass


@register_pass(mutates_CFG=False, analysis_only=False)
class LeaveOutWritingBack(FunctionPass):
    """A pass of Numba's compiler that leaves it out where the part is a view."""

    _name = "leave_out_writing_back"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        changed = False
        for block in state.func_ir.blocks.values():
            values = {each.target.name: each.value for each in block.body if isinstance(each, ir.Assign)}
            kept = [each for each in block.body if not _writes_back(each, values, state.typemap)]
            changed |= len(kept) < len(block.body)
            block.body = kept
        return changed


def _writes_back(stmt: Any, values: dict[str, Any], typemap: dict[str, Any]) -> bool:
    if not isinstance(stmt, (ir.SetItem, ir.StaticSetItem)):
        return False
    sum_ = values.get(stmt.value.name)
    part = values.get(sum_.lhs.name) if isinstance(sum_, ir.Expr) and sum_.op == "inplace_binop" else None
    if not isinstance(part, ir.Expr) or part.op not in ("getitem", "static_getitem"):
        return False
    index = _index(part)
    return (
        index is not None
        and _same(index, _index(stmt), values)
        and part.value.name == stmt.target.name
        and isinstance(typemap[part.value.name], types.Array)
        and isinstance(typemap[sum_.lhs.name], types.Array)
        and typemap[sum_.lhs.name] == typemap[stmt.value.name]
        and _is_basic(typemap[index.name])
    )


def _index(stmt: Any) -> Any:
    known = isinstance(stmt, ir.StaticSetItem) or getattr(stmt, "op", "") == "static_getitem"
    return stmt.index_var if known else stmt.index


def _same(index: Any, other: Any, values: dict[str, Any]) -> bool:
    """Whether two variables hold one subscript: from CPython 3.12 on, a slice is made twice, of the same bounds."""
    if index.name == getattr(other, "name", None):
        return True
    made, again = values.get(index.name), values.get(getattr(other, "name", ""))
    return _bounds(made, values) is not None and _bounds(made, values) == _bounds(again, values)


def _bounds(made: Any, values: dict[str, Any]) -> list[str] | None:
    if not isinstance(made, ir.Expr) or made.op != "call":
        return None
    function = values.get(made.func.name)
    return [each.name for each in made.args] if isinstance(function, ir.Global) and function.value is slice else None


def _is_basic(index: Any) -> bool:
    """Whether a subscript of this type takes a view of an array."""
    if isinstance(index, types.BaseTuple):
        parts: Any = index
        return all(_is_basic(each) for each in parts)
    return isinstance(index, (types.SliceType, types.Integer, types.EllipsisType, types.NoneType))
