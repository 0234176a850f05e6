"""Array expressions that threads share: those alone whose operands surely have the same lengths.

Where Numba looks for parallel loops in ``x[:, None] - y``, it takes lengths that meet to agree, although one of them
may be 1, and stops with an AssertionError where they do not. What it cannot prove to agree is left as it is here: an
array expression of one thread, in which elements are repeated.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir
from numba.core.compiler_machinery import register_pass
from numba.core.ir_utils import GuardException
from numba.core.typed_passes import ParforFusionPass, ParforPass, _reload_parfors
from numba.parfors import array_analysis, parfor

_ALONE = "array expression of one thread"


def settings(parallel: bool) -> dict[str, Any]:
    """What Numba makes parallel loops of: not of ``+=`` and ``x[i] = ...``, where elements are repeated as well."""
    return {"parallel": {"inplace_binop": False, "setitem": False} if parallel else False}


class Agreeing(array_analysis.ArrayAnalysis):
    """Numba's analysis of lengths, without those that it takes to agree."""

    def _analyze_inst(self, label: Any, scope: Any, equiv_set: Any, inst: Any, redefined: Any) -> Any:
        if isinstance(inst, (ir.SetItem, ir.StaticSetItem)):
            return [], []
        return super()._analyze_inst(label, scope, equiv_set, inst, redefined)

    def _analyze_op_arrayexpr(self, scope: Any, equiv_set: Any, expr: Any, lhs: Any) -> Any:
        try:
            return super()._analyze_op_arrayexpr(scope, equiv_set, expr, lhs)
        except GuardException:
            expr.op = _ALONE  # under this name, no pass makes a loop of it
            raise

    def _broadcast_assert_shapes(self, scope: Any, equiv_set: Any, loc: Any, shapes: Any, names: Any) -> Any:
        for axis in range(1, max(map(len, shapes)) + 1):
            sizes = [shape[-axis] for shape in shapes if len(shape) >= axis]
            first, *others = [size for size in sizes if equiv_set.get_equiv_const(size) != 1] or sizes[:1]
            if not all(equiv_set.is_equiv(first, size) for size in others):
                raise GuardException
        return super()._broadcast_assert_shapes(scope, equiv_set, loc, shapes, names)


@register_pass(mutates_CFG=True, analysis_only=False)
class AgreeingParfors(ParforPass):
    """The pass of Numba's compiler that makes parallel loops."""

    _name = "agreeing_parfors"

    def run_pass(self, state: Any) -> bool:
        _run(parfor.ParforPass, state)
        state.reload_init.append(_reload_parfors)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class AgreeingFusion(ParforFusionPass):
    """The pass that joins them."""

    _name = "agreeing_fusion"

    def run_pass(self, state: Any) -> bool:
        _run(parfor.ParforFusionPass, state)
        _restore(state.func_ir.blocks)
        return True


def _run(kind: Any, state: Any) -> None:
    made = kind(
        state.func_ir, state.typemap, state.calltypes, state.return_type, state.typingctx, state.targetctx,
        state.flags.auto_parallel, state.flags, state.metadata, state.parfor_diagnostics,
    )  # fmt: skip
    made.array_analysis = Agreeing(state.typingctx, state.func_ir, state.typemap, state.calltypes)
    made.run()


def _restore(blocks: dict[int, Any]) -> None:
    """Give array expressions their name again."""
    for block in blocks.values():
        for stmt in block.body:
            if isinstance(stmt, parfor.Parfor):
                _restore({-1: stmt.init_block, **stmt.loop_body})
            elif isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.Expr) and stmt.value.op == _ALONE:
                stmt.value.op = "arrayexpr"
