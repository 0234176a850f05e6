"""Array expressions that threads share: those alone whose operands surely have the same lengths.

Where Numba looks for parallel loops in ``x[:, None] - y``, it takes lengths that meet to agree, although one of them
may be 1, and stops with an AssertionError where they do not. It takes an array that a loop hands on to have the lengths
that it has before the loop, ``row = row + more`` to stay as short as it begins: here such a name has lengths unknown.
What it cannot prove to agree is left as it is here: an array expression of one thread, in which elements are repeated.
In the loops that threads share it is taken apart into operations again, since Numba types the bodies of these loops
anew and has no types for array expressions.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba.core import ir, types
from numba.core.compiler_machinery import register_pass
from numba.core.ir_utils import GuardException, mk_unique_var
from numba.core.typed_passes import ParforFusionPass, ParforPass, _reload_parfors
from numba.np.ufunc.dufunc import DUFunc
from numba.parfors import array_analysis, parfor

_ALONE = "array expression of one thread"


def settings(parallel: bool) -> dict[str, Any]:
    """What Numba makes parallel loops of: not of ``+=`` and ``x[i] = ...``, where elements are repeated as well."""
    return {"parallel": {"inplace_binop": False, "setitem": False} if parallel else False}


class Agreeing(array_analysis.ArrayAnalysis):
    """Numba's analysis of lengths, without those that it takes to agree, and those of names that are assigned again."""

    def run(self, blocks: Any = None, equiv_set: Any = None) -> None:
        count: Counter[str] = Counter()
        _count(self.func_ir.blocks, count)
        self._several = {name for name, times in count.items() if times > 1}
        super().run(blocks, equiv_set)

    def _analyze_inst(self, label: Any, scope: Any, equiv_set: Any, inst: Any, redefined: Any) -> Any:
        several = isinstance(inst, ir.Assign) and isinstance(inst.value, ir.Var) and inst.target.name in self._several
        if several or isinstance(inst, (ir.SetItem, ir.StaticSetItem)):
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


def _count(blocks: dict[int, Any], count: Counter[str]) -> None:
    """How often names are assigned, in parallel loops as well."""
    for block in blocks.values():
        for stmt in block.body:
            if isinstance(stmt, ir.Assign):
                count[stmt.target.name] += 1
            elif isinstance(stmt, parfor.Parfor):
                _count({-1: stmt.init_block, **stmt.loop_body}, count)


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
        _restore(state.func_ir.blocks, _Apart(state.typingctx, state.typemap, state.calltypes))
        return True


def _run(kind: Any, state: Any) -> None:
    made = kind(
        state.func_ir, state.typemap, state.calltypes, state.return_type, state.typingctx, state.targetctx,
        state.flags.auto_parallel, state.flags, state.metadata, state.parfor_diagnostics,
    )  # fmt: skip
    made.array_analysis = Agreeing(state.typingctx, state.func_ir, state.typemap, state.calltypes)
    made.run()


def _restore(blocks: dict[int, Any], apart: _Apart, shared: bool = False) -> None:
    """Give array expressions their name again, and take those apart that stand in loops which threads share."""
    for block in blocks.values():
        body: list[Any] = []
        for stmt in block.body:
            if isinstance(stmt, parfor.Parfor):
                _restore({-1: stmt.init_block}, apart, shared)
                _restore(stmt.loop_body, apart, True)
            elif isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.Expr) and stmt.value.op == _ALONE:
                if shared:
                    body += apart.assigned(stmt.target, stmt.value.expr)
                    continue
                stmt.value.op = "arrayexpr"
            body.append(stmt)
        block.body = body


@dataclass(frozen=True)
class _Apart:
    """Takes array expressions apart, and says what types the operations have."""

    typing: Any
    known: dict[str, Any]
    calls: dict[Any, Any]

    def assigned(self, target: Any, value: Any) -> list[Any]:
        """The statements that assign an array expression, or an operand of one."""
        if not isinstance(value, tuple):
            return [ir.Assign(value, target, target.loc)]
        fn, operands = value
        statements: list[Any] = []
        places = [self.operand(operand, target, statements) for operand in operands]
        kinds = tuple(self.known[place.name] for place in places)
        if isinstance(fn, (np.ufunc, DUFunc)):
            callee = self.fresh(target, self.typing.resolve_value_type(fn))
            statements.append(ir.Assign(ir.Global(fn.__name__, fn, target.loc), callee, target.loc))
            made = ir.Expr.call(callee, places, (), target.loc)
            self.calls[made] = self.known[callee.name].get_call_type(self.typing, kinds, {})
        else:
            operation: Any = ir.Expr.binop if len(places) == 2 else ir.Expr.unary
            made = operation(fn, *places, target.loc)
            self.calls[made] = self.typing.resolve_function_type(fn, kinds, {})
        self.known.setdefault(target.name, self.calls[made].return_type)
        return [*statements, ir.Assign(made, target, target.loc)]

    def operand(self, value: Any, target: Any, statements: list[Any]) -> Any:
        """The name of an operand, which statements before may assign."""
        if isinstance(value, ir.Var):
            return value
        kind = types.unliteral(self.typing.resolve_value_type(value.value)) if isinstance(value, ir.Const) else None
        place = self.fresh(target, kind)
        statements += self.assigned(place, value)
        return place

    def fresh(self, target: Any, kind: Any) -> Any:
        """A name beside another one, of this type if it is known."""
        new = ir.Var(target.scope, mk_unique_var("$operand"), target.loc)
        if kind is not None:
            self.known[new.name] = kind
        return new
