"""Arrays that a compiled function hands back as it got them.

Numba makes an object of every array that is returned, and looks up its dtype for that, which takes longer than a small
gradient. An array that the caller has passed exists as an object already; a type of its own says that this is it.
"""

from __future__ import annotations

from typing import Any

from numba.core import cgutils
from numba.core import types as nb
from numba.core.typeconv import Conversion
from numba.extending import box, intrinsic, lower_cast, models, register_model


class Given(nb.Array):
    """The type of an array that is the object from which its memory came."""

    def __init__(self, array: nb.Array):
        super().__init__(array.dtype, array.ndim, array.layout)
        self.name = f"given({array})"

    @property
    def key(self) -> Any:
        return ("given", *super().key)

    @property
    def plain(self) -> nb.Array:
        """The type of any such array."""
        return nb.Array(self.dtype, self.ndim, self.layout)

    def can_convert_to(self, typingctx: Any, other: Any) -> Any:
        return Conversion.safe if other == self.plain else self.plain.can_convert_to(typingctx, other)

    def unify(self, typingctx: Any, other: Any) -> Any:
        return self.plain if other == self.plain else self.plain.unify(typingctx, other)


register_model(Given)(models.ArrayModel)


@lower_cast(Given, nb.Array)
def _as_array(context: Any, builder: Any, given: Any, array: Any, value: Any) -> Any:
    return value


@intrinsic
def given(typing_context: Any, value: Any) -> Any:
    """An argument, to be returned as the object that was passed."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        context.nrt.incref(builder, signature.args[0], args[0])
        return args[0]

    return (Given(value) if type(value) is nb.Array else value)(value), generate


@box(Given)
def _object(kind: Given, value: Any, c: Any) -> Any:
    """The object that was passed; a new one for an array that compiled code had made."""
    parent = c.context.make_array(kind.plain)(c.context, c.builder, value=value).parent
    result = cgutils.alloca_once_value(c.builder, parent)
    is_new = cgutils.is_null(c.builder, parent)
    with c.builder.if_else(is_new) as (new, passed):
        with new:
            c.builder.store(c.box(kind.plain, value), result)
        with passed:
            c.pyapi.incref(parent)
            c.context.nrt.decref(c.builder, kind.plain, value)
    return c.builder.load(result)
