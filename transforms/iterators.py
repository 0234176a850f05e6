"""What `itertools` gives: as loops, one in the other, or as what is counted; part of `desugar`.

``for a, b in itertools.combinations(x, 2)`` is two loops over positions of `x`. These are written as syntax trees,
generator expressions with several loops and conditions, which `generators` makes loops of.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from srcad.transforms.streams import STREAMS
from srcad.transforms.trees import MOST, Maker, called_by, is_range

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer



def loops_of(d: Desugarer, node: gast.AST, body: list[Any] | None = None) -> gast.GeneratorExp | None:
    """A call of `itertools` as a generator expression; None for anything else.

    What it goes over is computed before, if the `body` of a loop changes what that depends on, perhaps.
    """
    make = _LOOPS.get(called_by(d, node)) if isinstance(node, gast.Call) else None
    args = node.args if make is not None else []  # type: ignore[attr-defined]
    if make is _ndindex and len(args) == 1 and isinstance(args[0], gast.Starred):
        args = [args[0].value]
    if make is None or any(isinstance(arg, gast.Starred) for arg in args):
        return None
    maker = Maker(d, node, body)  # type: ignore[arg-type]
    found = make(maker, *args, **{k.arg or "**": k.value for k in node.keywords})  # type: ignore
    return found and gast.copy_location(found, node)


def _product(make: Maker, *over: Any, repeat: Any = None) -> gast.GeneratorExp | None:
    times = 1 if repeat is None else make.count(repeat, "itertools.product with a repeat=")
    if not over or times is None:
        return None
    names = [make.d.fresh("item") for _ in range(len(over) * times)]
    parts = [make.copied(each) for each in over * times] if make.changes else [*over * times]
    return make.all(make.each(names, make.name), *map(make.head, names, parts))


def _positions(make: Maker, values: Any, r: Any, first: int | None) -> gast.GeneratorExp | None:
    """All choices of `r` positions: each from the one before on (`first` 0), behind it (1), or any other (None)."""
    count = _length(make, values) if r is None and first is None else None
    count = count or make.count(r, "choosing a number of elements")
    if count is None:
        return None
    whole = is_range(values) and len(values.args) == 1
    values = values.args[0] if whole else make.copied(values)
    end = values if whole else make.call("~len", values)
    names = [make.d.fresh("i") for _ in range(count)]
    heads = []
    for k, name in enumerate(names):
        if first is None:
            others = [make.at(gast.Compare(make.name(name), [gast.NotEq()], [make.name(n)])) for n in names[:k]]
            heads.append(make.head(name, make.call("~range", end), *others))
        else:
            heads.append(make.head(name, make.call("~range", make.more(names[k - 1], first), end) if k else
                                   make.call("~range", end)))  # fmt: skip
    item = make.name if whole else lambda name: make.at(gast.Subscript(values, make.name(name), gast.Load()))
    return make.all(make.each(names, item), *heads)


def _length(make: Maker, values: Any) -> int | None:
    """How many values there are, if that is known and they are few."""
    if is_range(values) and len(values.args) == 1:
        count = getattr(make.d.expr(values.args[0]), "value", None)
    else:
        count = len(make.d.known_tuple(make.d.sequence(values)) or ())
    return count if isinstance(count, int) and 0 < count <= MOST else None


def _combinations(make: Maker, iterable: Any, r: Any = None) -> gast.GeneratorExp | None:
    return _positions(make, iterable, r, 1)


def _with_replacement(make: Maker, iterable: Any, r: Any = None) -> gast.GeneratorExp | None:
    return _positions(make, iterable, r, 0)


def _permutations(make: Maker, iterable: Any, r: Any = None) -> gast.GeneratorExp | None:
    return _positions(make, iterable, r, None)


def _flat(make: Maker, iterable: Any) -> gast.GeneratorExp:
    row, item = make.d.fresh("row"), make.d.fresh("item")
    return make.all(make.name(item), make.head(row, iterable), make.head(item, make.name(row)))


def _starmap(make: Maker, function: Any, iterable: Any) -> gast.GeneratorExp:
    row = make.d.fresh("row")
    call = make.at(gast.Call(function, [gast.Starred(make.name(row), gast.Load())], []))
    return make.all(call, make.head(row, iterable))


def _filterfalse(make: Maker, function: Any, iterable: Any) -> gast.GeneratorExp:
    item = make.d.fresh("item")
    nothing = isinstance(function, gast.Constant) and function.value is None
    test = make.name(item) if nothing else gast.Call(function, [make.name(item)], [])
    return make.all(make.name(item), make.head(item, iterable, make.at(gast.UnaryOp(gast.Not(), test))))


def _compress(make: Maker, data: Any, selectors: Any) -> gast.GeneratorExp:
    row = make.d.fresh("row")

    def part(k: int) -> Any:
        return make.at(gast.Subscript(make.name(row), make.number(k), gast.Load()))

    return make.all(part(0), make.head(row, make.call("~zip", data, selectors), part(1)))


def _ndindex(make: Maker, *shape: Any) -> gast.GeneratorExp | None:
    if len(shape) == 1 and not isinstance(shape[0], (gast.Tuple, gast.Constant)):
        return _places(make, make.settled(shape[0]), lambda place: place)
    lengths = shape[0].elts if isinstance(shape[0], gast.Tuple) else shape
    return _product(make, *(make.call("~range", length) for length in lengths))


def _ndenumerate(make: Maker, whole: Any) -> gast.GeneratorExp:
    whole = make.settled(whole)
    shape = make.at(gast.Attribute(whole, "shape", gast.Load()))
    return _places(make, shape, lambda place: make.at(
        gast.Tuple([place, gast.Subscript(whole, place, gast.Load())], gast.Load())))  # fmt: skip


def _places(make: Maker, shape: Any, item: Callable[[Any], Any]) -> gast.GeneratorExp:
    """What there is at each place of an array, of which nobody knows yet how many axes it has."""
    k = make.d.fresh("k")
    places = make.head(k, make.call("~range", make.call("~prod", shape)))
    return make.all(item(make.call("~places", make.name(k), shape)), places)


_LOOPS: dict[Any, Callable[..., gast.GeneratorExp | None]] = {
    itertools.product: _product, itertools.combinations: _combinations, itertools.permutations: _permutations,
    itertools.combinations_with_replacement: _with_replacement, itertools.chain.from_iterable: _flat,
    itertools.starmap: _starmap, itertools.filterfalse: _filterfalse, itertools.compress: _compress,
    np.ndindex: _ndindex, np.ndenumerate: _ndenumerate,
}  # fmt: skip


def over_axes(d: Desugarer, node: gast.For) -> gast.For:
    """A loop over the indices of an array, or these and its elements, as one over as many ranges as it has targets."""
    call, target = node.iter, node.target
    if not isinstance(call, gast.Call) or len(call.args) != 1 or call.keywords or not isinstance(target, gast.Tuple):
        return node
    fn, (whole,), make = called_by(d, call), call.args, Maker(d, call, node.body)
    body = node.body
    if fn is np.ndenumerate and len(target.elts) == 2 and isinstance(target.elts[0], gast.Tuple):
        whole, (target, element) = make.settled(whole), target.elts
        places = make.each([each.id for each in target.elts if isinstance(each, gast.Name)], make.name)
        value = make.at(gast.Subscript(whole, places, gast.Load()))
        body = [make.at(gast.Assign([element], value, None)), *body]
        shape = make.at(gast.Attribute(whole, "shape", gast.Load()))
    elif fn is np.ndindex and not isinstance(whole, (gast.Tuple, gast.Constant)):
        shape = make.settled(whole)
    else:
        return node
    if not all(isinstance(each, gast.Name) for each in target.elts):
        return node
    count = make.number(len(target.elts))
    text = make.at(gast.Constant(f"not {len(target.elts)} indices, but one for each axis", None))
    wrong = make.at(gast.Compare(make.call("~len", shape), [gast.NotEq()], [count]))
    d.statement(make.at(gast.If(wrong, [gast.Raise(make.call("~wrong", text), None)], [])))
    names = [d.fresh(each.id) for each in target.elts]
    lengths = [make.at(gast.Subscript(shape, make.number(k), gast.Load())) for k in range(len(names))]
    heads = [make.head(name, make.call("~range", length)) for name, length in zip(names, lengths)]
    over = make.all(make.each(names, make.name), *heads)
    return gast.copy_location(gast.For(target, over, body, node.orelse, None), node)


GIVES_ITEMS = frozenset((*_LOOPS, *STREAMS))
