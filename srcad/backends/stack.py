"""Functions whose frame begins where a cache line does, since vectors that have no register left lie there.

The stack of x86-64 is aligned to 16 bytes. LLVM keeps vectors of 64 bytes in it where a loop calls a function or has
many values, and without a word from us most of them lie across two cache lines: in half of all processes, as the
system places the stack, a loop then takes 1.5 times as long.
"""

from __future__ import annotations

from typing import Any

from numba.core.compiler import Compiler
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering, NopythonRewrites, ParforFusionPass, ParforPass

from srcad.backends.agreeing import AgreeingFusion, AgreeingParfors
from srcad.backends.promises import keep_promises
from srcad.backends.written_back import LeaveOutWritingBack

LINE = 64  # bytes


class AlignedLower(Lower):
    """As Numba makes LLVM's text of a function, with an attribute that asks for the alignment."""

    def pre_lower(self) -> None:
        super().pre_lower()
        if self.context.codegen().magic_tuple()[0].startswith("x86_64"):
            # llvmlite knows some attributes by name; this one it hands on as it is.
            set.add(self.function.attributes, f"alignstack({LINE})")

    def post_lower(self) -> None:
        super().post_lower()
        keep_promises(self.function)


@register_pass(mutates_CFG=True, analysis_only=False)
class AlignedLowering(NativeLowering):
    """The pass of Numba's compiler that does so."""

    _name = "aligned_lowering"

    @property
    def lowering_class(self) -> Any:
        return AlignedLower


class Aligned(Compiler):
    """Numba's compiler with this pass in the place of its own, and without what it writes where it is.

    >>> from numba import njit
    >>> @njit(pipeline_class=Aligned)
    ... def doubled(x):
    ...     return 2.0 * x
    >>> doubled(4.0)
    8.0
    """

    def define_pipelines(self) -> list[Any]:
        managers = super().define_pipelines()
        instead = {
            NativeLowering: (AlignedLowering,), NopythonRewrites: (NopythonRewrites, LeaveOutWritingBack),
            ParforPass: (AgreeingParfors,), ParforFusionPass: (AgreeingFusion,),
        }  # fmt: skip
        for manager in managers:
            manager.passes = [(ours, what) for each, what in manager.passes for ours in instead.get(each, (each,))]
        return managers
