"""How compiled code calls a derivative, and how either leaves with an error.

Numba takes the counting of references out of a function where each path gives back what it took; a path that ends in
an error need not, if the error is marked. One that a callee hands on is not, so that a loop around a call of what may
raise counts the references of every array in sight, some 5 ns each. Here it is.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils
from numba.core.imputils import fix_returning_optional, impl_ret_new_ref


def callable_from_code(compiled: Any) -> Any:
    """What compiled code finds a specialisation under, to call it."""
    made = compiled.fndesc

    def call(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function = context.declare_function(builder.module, made)
        status, result = context.call_conv.call_function(builder, function, made.restype, made.argtypes, args)
        with cgutils.if_unlikely(builder, status.is_error):
            hand_on(context.call_conv, builder, status)
        result = fix_returning_optional(context, builder, signature, status, result)
        return impl_ret_new_ref(context, builder, made.restype, result)

    call.libs = (compiled.library,)  # type: ignore[attr-defined]
    compiled.target_context.insert_func_defn([(call, call, made.argtypes)])
    return call


def hand_on(convention: Any, builder: Any, status: Any) -> None:
    """Leave with the error of a callee, or have the ``except`` around the call find it: references live on there."""
    tried = convention.check_try_status(builder).in_try
    with builder.if_else(tried) as (caught, uncaught):
        with caught:
            builder.store(status.excinfoptr, _place(builder))
        with uncaught:
            leave(convention, builder, status.excinfoptr, status.code)


def leave(convention: Any, builder: Any, error: Any, code: Any) -> None:
    """Leave with an error, marked as one."""
    stored = builder.store(error, _place(builder))
    stored.set_metadata("numba_exception_output", builder.module.add_metadata([ir.IntType(1)(1)]))
    convention._return_errcode_raw(builder, code)


def _place(builder: Any) -> Any:
    """Where a function says which error it leaves with: Numba's second parameter."""
    return builder.function.args[1]
