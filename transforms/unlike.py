"""Lists of arrays whose shapes differ, or are known late; part of `inline`.

An array holds a list of arrays as long as these are of one shape, which is known where the list begins. Where it turns
out that they are not, everything is inlined once more, with an object in the place of the list
(`srcad.library.arrays`). That the elements are arrays, and of which rank, is known with the types.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from srcad.lang.errors import Problem
from srcad.lang.forms import REFUSED
from srcad.lang.ir import Attr, Block, Call, Const, Expr, Function, Let, Method, Slice, Store, Tuple, Var, hint
from srcad.lang.left import current
from srcad.lang.lists import slot
from srcad.lang.types import TUPLE, UNKNOWN, TupleType, Type
from srcad.library.arrays import Arrays, array_at, dtype_of, none_of, placed, put_behind, room_for_all
from srcad.transforms.callees import Keywords
from srcad.transforms.kept import root
from srcad.transforms.learnt import Learnt, OfArrays, Place
from srcad.transforms.lengths import Grown, product_of
from srcad.transforms.order import is_inplace
from srcad.transforms.tables import Tables
from srcad.transforms.values import class_of_rows

_HOLDING = {Method("append"): Arrays.append, Method("insert"): Arrays.insert, operator.setitem: Arrays.__setitem__}
_JOINED: dict[Any, Callable[[int], int | None]] = {  # the axis along which arrays of a rank are laid end to end
    np.hstack: lambda rank: 0 if rank == 1 else 1,
    np.vstack: lambda rank: 0 if rank > 1 else None,
    np.column_stack: lambda rank: 1 if rank > 1 else None,
}


class Unlike(Tables):
    """Makes objects of lists of arrays."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.ranks: dict[Place, int] = {}  # where lists of arrays are made, and their ranks; 0: an array may hold them
        self.refused: list[tuple[Problem, Place]] = []  # lists of something else than lists
        self.filled: list[Place] = []  # the lists of lists, or of arrays, that are being made
        self.rank_in: dict[str, int] = {}  # for buffers of the elements of arrays
        self.made_at: dict[int, tuple[Expr, Place]] = {}  # for objects in the place of lists: where these are made

    def know(self, learnt: Learnt) -> None:
        super().know(learnt)
        self.ranks = learnt.arrays
        current().of_arrays = any(learnt.arrays.values())

    def filled_at(self, place: Place, work: Callable[[], Expr]) -> Expr:
        """What is made of a list that begins somewhere."""
        self.filled.append(place)
        made = work()
        self.filled.pop()
        return made

    def of_arrays(self, whole: Expr) -> None:
        """What has been taken for a list of lists, and been refused for that, may be one of arrays."""
        known = self.made_at.get(id(whole.value))  # type: ignore[attr-defined]
        if known is not None and known[1] in current().ranks:
            self.refused.append((self.problems[-1], known[1]))

    def check_lists(self, body: Block) -> Block:
        """Once more, if what has been taken for a list of lists is one of arrays."""
        for problem, place in self.refused:
            if any(problem is each for each in self.problems):
                raise OfArrays(place, current().ranks[place])
        return super().check_lists(body)

    def of_unlike_arrays(self, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
        if fn in _HOLDING and not kwargs:
            return self.put_array(_HOLDING[fn], args)
        if fn is list and len(args) == 1:
            return self.invoke(Arrays.copy, args, ())
        if fn is sum:
            return self.invoke(Arrays.total, args, kwargs)
        if fn in (np.array, np.asarray) and len(args) == 1 and not kwargs:
            return self.invoke(Arrays.made_one, args, ())
        if fn is np.concatenate and len(args) + len(kwargs) == 1 + ("axis" in dict(kwargs) or len(args) > 1):
            axis = args[1] if len(args) > 1 else dict(kwargs).get("axis", Const(0))
            return None if axis == Const(None) else self.invoke(Arrays.end_to_end, (args[0], axis), ())
        place = _JOINED[fn](self.rank_of_list(args[0])) if fn in _JOINED and len(args) == 1 and not kwargs else None
        return None if place is None else self.invoke(Arrays.end_to_end, (args[0], Const(place)), ())

    def rank_of_list(self, whole: Expr) -> int:
        store = self.holding(whole.value.fields["store"])  # type: ignore[attr-defined]
        return self.rank_of(self.holding(store.value.fields["elements"]))  # type: ignore[attr-defined]

    def put_array(self, method: Any, args: tuple[Expr, ...]) -> Expr:
        """Put an array into a list of arrays."""
        *_, value = args
        if self.is_any_list(value):
            reason = "a list among the arrays of a list"
            return self.refuse(f"{reason} is not supported", "np.array(...) of it")
        return self.invoke(method, args, ())

    def store_at(self, owner: Const, base: Expr, index: Expr, value: Expr) -> None:
        """``arrays[k] += value`` changes the array that is there."""
        match value:
            case Call(op, (Call(operator.getitem, at), operand)) if is_inplace(op) and at == (base, index) and (
                class_of_rows(owner) is Arrays
            ):
                where, amount = self.operands((index, operand))
                if REFUSED not in (where, amount):
                    array = self.invoke(operator.getitem, (owner, where), ())
                    assert isinstance(array, Var)
                    self.emit(Let(array.name, Call(op, (array, amount)), self.origin))
                return
        super().store_at(owner, base, index, value)

    # ------------------------------------------------------------ what the library is written with

    def of_structure(self, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
        if fn is placed:
            return self.placed(*args)
        if fn is put_behind:
            return self.put_behind(*args)
        if fn is array_at:
            return self.array_at(*args)
        if fn is dtype_of:
            return self.dtype_of(self.grown(args[0]))  # type: ignore[arg-type]
        if fn is none_of:
            return self.none_of(args[0])
        if fn is room_for_all:
            return self.room_for_all(*args)
        return super().of_structure(fn, args, kwargs)

    def new_list(self, called: str, sample: Type = UNKNOWN, names: Sequence[str] = ()) -> Expr:
        """An empty list that lies in a buffer from the start; with names for the buffers of its elements' parts."""
        name, made = self.fresh(called), self.make(names or called, Const(16), sample, (), True)
        self.covered.add(made.key)
        self.types[name] = made
        self.count(made, called, Const(0))
        return Var(name)

    def placed(self, elements: Expr) -> Expr:
        rank, called = self.rank_of(elements), hint(self.grown(elements).buffers[0])  # type: ignore[union-attr]
        sizes = ("sizes",) if rank == 1 else tuple(f"sizes_{k}" for k in range(rank))
        names = [f"{called}_{each}" for each in ("starts", *sizes)]
        return self.new_list(f"{called}_places", TupleType((UNKNOWN,) * (1 + rank), TUPLE), names)

    def rank_of(self, elements: Expr) -> int:
        return self.rank_in[self.grown(elements).buffers[0]]

    def put_behind(self, elements: Expr, array: Expr) -> Expr:
        grown, rank = self.grown(elements), self.rank_of(elements)
        assert grown is not None
        array, start = self.kept(array), Var(self.fresh("start"))
        self.emit(Let(start.name, self.length(grown), self.origin))
        sizes = tuple(self.named(Call(operator.getitem, (Attr(array, "shape"), Const(k))), "size") for k in range(rank))
        stop = Call(operator.add, (start, sizes[0] if rank == 1 else self.named(Attr(array, "size"), "count")))
        row = array if rank == 1 else Call(np.ravel, (array,))
        place = Call(slot, (Const(grown.buffers[0]), Slice(start, stop), Const(False)))
        self.emit(Store(Var(grown.buffers[0]), place, row, self.origin, False))
        if root(array) is not None:
            self.given.append((str(root(array)), self.out[-1]))
        self.end_at(grown, stop)
        return Tuple((start, *sizes), TupleType((UNKNOWN,) * (1 + rank), TUPLE))

    def array_at(self, elements: Expr, place: Expr) -> Expr:
        grown, parts = self.grown(elements), self.elements(place)
        assert grown is not None and parts is not None
        start, *sizes = map(self.kept, parts)
        count: Expr = Const(1)
        for size in sizes:
            count = product_of(count, size)
        row = Call(operator.getitem, (Var(grown.buffers[0]), Slice(start, Call(operator.add, (start, count)))))
        array = row if len(sizes) == 1 else Call(Method("reshape"), (row, Tuple(tuple(sizes))))
        return self.named(array)

    def room_for_all(self, elements: Expr, places: Expr) -> Expr:
        grown, known = self.grown(elements), self.grown(places)
        assert grown is not None and known is not None
        count = self.named(self.length(known), "count")
        sizes = (Call(operator.getitem, (Var(buffer), Const(0))) for buffer in known.buffers[1:])
        return self.named(Call(np.empty, (Tuple((count, *sizes)), self.dtype_of(grown))))

    def none_of(self, elements: Expr) -> Expr:
        sizes = Tuple((Const(1),) * self.rank_of(elements))
        return self.named(Call(np.zeros, (sizes, self.dtype_of(self.grown(elements)))))  # type: ignore[arg-type]

    def dtype_of(self, elements: Grown) -> Expr:
        return Attr(Var(elements.buffers[0]), "dtype")
