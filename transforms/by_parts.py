"""Functions that call themselves for the parts of a nested structure: these calls are inlined; part of `inline`.

So a dict of dicts is gone through, and what is done with its leaves is written out for each: `mapped(f, tree)`, which
gives a structure like `tree`, the values of expressions, the norms of networks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from srcad.lang.forms import LocalFunction
from srcad.lang.types import Type, TupleType
from srcad.transforms.order import Frame
from srcad.transforms.outlines import LEAF

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees
    from srcad.transforms.calls import Arguments


def activated(c: Callees, template: LocalFunction, parent: Frame | None, key: Any, bound: Arguments) -> Frame:
    """The frame of a call that is inlined."""
    frame = Frame(template.locals, parent, c.fresh)
    frame.key, frame.structures = key, _structures(c, template, bound)
    return frame


def descends(c: Callees, template: LocalFunction, key: Any, bound: Arguments) -> bool:
    """Whether a function calls itself for a part of what it has been given, which is less each time."""
    around: Frame | None = c.frame
    while around is not None and around.key is not key:
        around = around.caller
    if around is None:
        return False
    now = _structures(c, template, bound)
    return any(now.get(name) in _parts(whole) for name, whole in around.structures.items())


def _structures(c: Any, template: LocalFunction, bound: Arguments) -> dict[str, Type]:
    """What is known of arguments: structures, and that they are leaves; of ``*args``, one by one."""
    given = {name: value for name, (value, is_default) in bound.items() if not is_default}
    rest = c.elements(given.pop(template.rest)) if template.rest in given else None
    given |= {f"{template.rest}.{k}": value for k, value in enumerate(rest or ())}
    found = {name: LEAF if c.is_leaf(value) else c.type_of(value) for name, value in given.items()}
    return {name: type for name, type in found.items() if type == LEAF or isinstance(type, TupleType)}


def _parts(whole: Type) -> list[Type]:
    """The structures that a structure has, and what stands for its leaves."""
    if not isinstance(whole, TupleType):
        return []
    inner = [part for part in whole.items if isinstance(part, TupleType)]
    return [LEAF, *inner, *(more for part in inner for more in _parts(part))]
