"""Lists that grow: the types of their buffers, which are known when something has been put into them."""

from __future__ import annotations

import math
import operator
import re
from dataclasses import replace

import numpy as np

from srcad.lang.arrays import axis_length
from srcad.lang import shapes
from srcad.lang.ir import Call, Const, Expr, Slice, Tuple, Var
from srcad.lang.left import current
from srcad.lang.lists import Nothings, Unfilled, alone, as_rows, elastic, list_buffer, list_pop, slot, traded
from srcad.lang.promote import result_dtype
from srcad.lang.types import ELASTIC, NONE, Array, Dim, Scalar, Static, TupleType, Type
from srcad.typing.join import join
from srcad.typing.refusal import Refusal, of_void
from srcad.typing.table import Facts, call, constant, describe, dtype_argument, items, kind, returns, shape_of
from srcad.typing.tuples import pack


_BEGIN = re.compile(r"\[([^\[\]]*(?:\[\d+\])?)\]\[:(\d+):1\]")  # the length of x[:k]


DEEP = "copy.deepcopy of a list in which this may put one list or array in several places is not supported"
TWICE = "copy.deepcopy of a structure in which one array may stand in several places is not supported"
DEEP_REMEDY = "a copy of each part: [list(row) for row in rows], or x.copy() of an array"


class NewElement(Exception):
    """An element of a list has a type that its buffer does not have room for: types are inferred again."""

    def __init__(self, key: str, type: Type):
        self.key, self.type = key, type
        super().__init__(key)


@returns(list_buffer)
def buffer(facts: Facts, room: Expr, key: Expr, grows: Expr | None = None) -> Expr:
    """An empty array for elements of the type that is known by now."""
    assert isinstance(key, Const)
    element = facts.elements.get(key.value)
    if element == NONE:
        return constant(Nothings(key.value))
    if not isinstance(element, (Scalar, Array)):
        raise of_void(key.value)
    dims = _lengths(facts, element, key.value) if isinstance(element, Array) else ()
    shape = pack((room, *dims)) if dims else room
    make = np.empty if grows is None else elastic
    if element.dtype == "float64":
        return call(facts, make, shape)
    return call(facts, make, shape, constant(np.dtype(element.dtype).type))


@returns(alone)
def copied_alone(facts: Facts, value: Expr) -> Expr:
    """A copy of a number is that number."""
    if not isinstance(value.type, Scalar):
        raise Refusal(TWICE, DEEP_REMEDY)
    return value


@returns(elastic)
def elastic_array(facts: Facts, shape: Expr, dtype: Expr | None = None) -> Type:
    """Nobody knows its length: two such arrays do not agree."""
    _, *dims = facts.dims(shape)
    return Array(dtype_argument(facts, dtype, "float64"), (f"{ELASTIC}{facts.fresh()}", *dims), "C")


def _lengths(facts: Facts, element: Array, key: str) -> tuple[Expr, ...]:
    """The shape of the elements where the list begins: of the first, or what its loop begins with has that shape."""
    for shape in (element.shape, *facts.outset.get(key, ())):
        try:
            dims = tuple(_length(facts, dim) for dim in shape)
        except Refusal:
            continue
        if shape != element.shape:
            raise NewElement(key, replace(element, shape=shape))
        return dims
    raise _not_one_shape(key, element.ndim)


def _not_one_shape(key: str, rank: int) -> Refusal:
    current().may_differ(key, None, True, rank)
    return Refusal("a list of arrays whose shape is not known where the list begins, or is not the same for all",
                   "an array X = np.empty((n, k)) before the loop, and X[i] = row in it; for rows of unequal length "
                   "X = np.zeros((n, k)), and X[i, j] = ... for each element")  # fmt: skip


def _length(facts: Facts, dim: Dim) -> Expr:
    """A dimension of elements as an expression, where the list begins."""
    if isinstance(dim, int):
        return constant(dim)
    for name, value in facts.names.items():  # type: ignore[attr-defined]
        if isinstance(value, Var) and value.name == name and isinstance(value.type, Array) and dim in value.type.shape:
            return axis_length(value, value.type.shape.index(dim))
    for name, symbol in facts.values.items():
        if symbol == (dim, 0) and isinstance(facts.names.get(name), Var):  # type: ignore[attr-defined]
            return facts.names[name]  # type: ignore[attr-defined]
    base, offset = shapes.split_offset(dim)
    if (begin := _BEGIN.fullmatch(str(dim))) is not None:
        return call(facts, min, _length(facts, begin[1]), constant(int(begin[2])))
    if base is None or offset == 0:
        raise Refusal("", poisoned=True)
    rest = call(facts, operator.add, _length(facts, base), constant(offset))
    return rest if offset > 0 else call(facts, max, constant(0), rest)


def place(facts: Facts, index: Call, value: Expr, inside: bool) -> Expr:
    """Where in its list an element is put; the list's elements become of a type that has room for it."""
    key, position, rebinds, *written = index.args
    assert isinstance(key, Const) and isinstance(rebinds, Const)
    if isinstance(position, Slice) and inside:  # its own elements, in another order
        _check_names(facts.elements.get(key.value), rebinds)
        return position
    if isinstance(value.type, TupleType) or not isinstance(value.type, (Scalar, Array)):
        kind = describe(value.type)
        what = f"{kind} in an element of a list that grows"
        raise Refusal(what, "numbers, arrays of one shape or tuples of numbers, in a list for each part")
    name, sort = (each.value for each in written) if written else ("", "")  # type: ignore[union-attr]
    if written and (isinstance(value.type, Array) or sort == "row"):
        if name == "":
            raise Refusal(DEEP, DEEP_REMEDY)
        if isinstance(position, Const) and position.value is ...:
            what = "an array" if sort == "array" else "a list"
            raise Refusal(f"{what} that stands in all places of a list, [x] * n, and is then changed",
                          "a copy in each place: [x.copy() for _ in range(n)]")  # fmt: skip
        if sort == "row":
            raise Refusal(f"a list in the list {name} that another list has, too, and that is then changed",
                          f"copies in the other one: [list(row) for row in {name}]")  # fmt: skip
        if sort == "list":
            raise Refusal(f"{name} is a list that is put into another one and then changed",
                          f"a copy in the other one: list({name})")  # fmt: skip
        raise Refusal(f"{name} is an array that is put into a list and then written to", f"{name}.copy() in the list")
    found, others = _element(value.type), _beginnings(facts, value)
    if isinstance(position, Slice):  # those of an array, behind the last one
        found, others = Scalar(value.type.dtype), []
    facts.outset.setdefault(key.value, []).extend(others)
    known = facts.elements.get(key.value)
    both = found if known in (None, NONE) or key.value in facts.assumed else _both(known, found, key.value)
    if both != known:
        raise NewElement(key.value, both)
    _check_names(both, rebinds)
    assert isinstance(both, (Scalar, Array))
    room = shape_of(both)
    if unsure(shape_of(found), room) and any(any(map(shapes.differ, room, other)) for other in others):
        raise _not_one_shape(key.value, len(room))
    return position


def length_of_part(facts: Facts, dim: Dim, part: Slice) -> Dim | None:
    """The length of ``xs[k : k + n]`` of a list that grows, which has these elements; None: of another part."""
    match part:
        case Slice(Var() as start, Call(operator.add, (first, count)), None) if start == first:
            known = facts.integer(count) if str(dim).startswith(ELASTIC) else None
            return None if known is None else shapes.dim_of(known)
    return None


def is_nothings(buffer: Expr) -> bool:
    """Whether a buffer is that of a list in which all is None."""
    kind = getattr(buffer, "type", None)  # which slices have none of
    return isinstance(kind, Static) and isinstance(kind.value, Nothings)


def as_numbers(args: tuple[Expr, ...]) -> None:
    """Once more, if a list in which all is None is taken for an array: of numbers that are none."""
    for arg in args:
        if is_nothings(arg):
            raise NewElement(arg.type.value.key, Scalar("float64"))  # type: ignore[union-attr]
        if isinstance(arg, Tuple):
            as_numbers(arg.items)


def empty(facts: Facts, index: Call) -> Expr | None:
    """What stands for None in a list until something is put there, a number that equals no other one.

    What is computed of it is no number, either, or no place in an array. None: nothing else is ever put there.
    """
    assert isinstance(index.args[0], Const)
    known = facts.elements.get(index.args[0].value)
    if known == NONE:
        return None
    if not isinstance(known, (Scalar, Array)):
        facts.empty.add(index.args[0].value)
        raise Refusal("", poisoned=True)
    held = np.dtype(known.dtype)
    if held.kind == "b":
        raise Refusal("a list of truth values that holds None, too,", "False where there is none yet: [False] * n")
    if held.kind == "u" or held.kind == "i" and held.itemsize < 4:
        raise Refusal(f"a list of numbers of dtype {held} that holds None, too,", "int(...) of what is put there")
    if held.kind != "i":
        return constant(math.nan)
    return replace(constant(least := int(np.iinfo(held).min)), value=Unfilled(least))


def _beginnings(facts: Facts, value: Expr) -> list[tuple[Dim, ...]]:
    """The shapes of the arrays that loops begin with where they go on with this one."""
    rank = len(value.type.shape) if isinstance(value.type, Array) else 0
    first = facts.together.get(value.name, ()) if isinstance(value, Var) else ()
    kinds = [facts.names[name].type for name in first if name in facts.names]  # type: ignore[attr-defined]
    return [kind.shape for kind in kinds if isinstance(kind, Array) and kind.ndim == rank]


def unsure(element: tuple[Dim, ...], before: tuple[Dim, ...]) -> list[int]:
    """The axes of an element that may have another length than those of the elements before it."""
    return [k for k, (dim, other) in enumerate(zip(element, before)) if dim != other]


def _check_names(element: Type | None, rebinds: Const) -> None:
    """Whether an element may be written over: no name means it afterwards, or what names mean of it are numbers."""
    if isinstance(element, Array) and rebinds.value and element.ndim >= rebinds.value:  # type: ignore[operator]
        what = "an array in the place of another one in a list, which a name means that is read afterwards"
        remedy = "a copy under that name, v = xs[i].copy(), or xs[i], xs[j] = xs[j], xs[i] for two that change places"
        raise Refusal(what, remedy)


def inside(facts: Facts, index: Call, value: Type) -> Expr:
    """Where in a list that is an element of another, or an array of its own, something is put, as `place` does."""
    key, position, written, rebinds = index.args
    assert isinstance(key, Const) and isinstance(written, Const) and isinstance(rebinds, Const)
    _check_names(value, rebinds)
    if written.value and isinstance(value, Array):
        raise Refusal("a list in the place of another one, where something else may hold it and change it later,",
                      "a copy of its own for that place: row = list(xs), table[i] = row")  # fmt: skip
    known = facts.elements.get(key.value)
    if isinstance(known, Array) and isinstance(value, (Scalar, Array)):
        both = replace(known, dtype=result_dtype(Scalar(known.dtype), _number(value)))
        if both != known:
            raise NewElement(key.value, both)
    return position


def kept_exactly(into: Array, value: Scalar | Array) -> bool:
    """Whether an array of whole numbers can hold a value as a list does: elements of a list have types of their own."""
    wide = result_dtype(Scalar(into.dtype), _number(value))
    return np.dtype(wide).kind == np.dtype(into.dtype).kind or np.dtype(into.dtype).kind not in "bi"


def _number(type: Scalar | Array) -> Scalar:
    return type if isinstance(type, Scalar) else Scalar(type.dtype)


def _element(type: Scalar | Array) -> Scalar | Array:
    return Scalar(type.dtype) if isinstance(type, Scalar) else Array(type.dtype, type.shape, "C")


def _both(known: Type, found: Type, key: str) -> Type:
    if type(known) is not type(found) or isinstance(known, Array) and known.ndim != found.ndim:  # type: ignore
        raise Refusal("elements of different rank in one list", "elements of one rank, or a list for each")
    if not isinstance(known, Array) or not isinstance(found, Array):
        return join(known, found, key, "an element of the list", wide=True)
    if any(map(shapes.differ, known.shape, found.shape)):
        raise _not_one_shape(key, known.ndim)
    return replace(known, dtype=result_dtype(known, found))  # of what length it is, is checked when it is put there


@returns(list_pop)
def popped(facts: Facts, buffer: Expr, position: Expr, known: Expr | None = None) -> Expr:
    """A number, or a copy of an array, whose place the next one that is appended takes."""
    from operator import getitem

    value = call(facts, getitem, buffer, position)
    if value.type == NONE:
        return value
    if isinstance(known, Const) and not isinstance(value.type, Scalar):
        what = f"an array that is taken from a list and written to, while {known.value} may mean it"
        raise Refusal(what, "a copy: v = xs.pop().copy()")
    return value if isinstance(value.type, Scalar) else call(facts, np.copy, value)


@returns(as_rows)
def rows(facts: Facts, parts: Expr) -> Expr:
    """Of numbers a table; arrays are no columns of one."""
    if any(shape_of(kind(part))[1:] for part in items(facts, parts)):
        raise Refusal("a list of tuples with arrays in them as an element or a result", "a list for each part")
    return call(facts, np.column_stack, parts)


@returns(traded)
def held_alone(facts: Facts, buffer: Expr, position: Expr) -> Expr:
    """A number, or an array as nothing else holds it: another one takes its place."""
    value = call(facts, operator.getitem, buffer, position)
    return value if isinstance(value.type, Scalar) else call(facts, np.copy, value)


@returns(slot)
def no_value(facts: Facts, key: Expr, position: Expr, rebinds: Expr, *written: Expr) -> Type:
    """The place is typed: see `place`."""
    return kind(position)
