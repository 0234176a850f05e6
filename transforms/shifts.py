"""shifts: what the exponents of a sum have taken out, and the result does not depend on, is a constant.

``top + log(sum(exp(s - top)))`` takes the largest exponent out, so that no exponential overflows, and is the same for
every `top`. Its derivative with respect to `top` is zero, and so is that of a softmax. A reverse sweep that does not
know adds up numbers that cancel, and hands their sum, rounding errors, on to the element that was largest. What
depends on `top`, and how, is followed here: sums have a multiple of it as a term, ``s - top``, and products have the
exponential of a multiple as a factor, ``exp(s - top)``. Where all multiples are zero in the end, `top` is held
constant.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from srcad.analysis.buffers import Buffers, buffers, stored_names
from srcad.analysis.contents import member, times_given
from srcad.analysis.shifting import DIFFERENCES, EXPONENTIALS, NEGATIVES, PRODUCTS, QUOTIENTS, Shifting
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, Function, Let, Tuple, Var
from srcad.lang.types import Array, is_float
from srcad.runtime.marks import hold
from srcad.transforms.flatten import fresh_names


def shifts(fn: Function) -> Function:
    """Hold constant what results do not depend on.

    >>> import numpy as np
    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import FLOAT, Array
    >>> s = Var("s", Array("float64", ("n",), "C"))
    >>> top, tops, e, total, low = (Var(name, FLOAT) for name in ("top", "tops", "e", "total", "low"))
    >>> d, e = Var("d", s.type), Var("e", s.type)
    >>> values = {"top": Call(np.max, (s,), (), FLOAT), "d": Call(operator.sub, (s, top), (), s.type),
    ...           "e": Call(np.exp, (d,), (), s.type), "total": Call(np.sum, (e,), (), FLOAT),
    ...           "low": Call(np.log, (total,), (), FLOAT), "y": Call(operator.add, (low, top), (), FLOAT)}
    >>> body = (*(Let(name, value) for name, value in values.items()), Return(Var("y", FLOAT)))
    >>> from srcad.lang.write import write
    >>> print(write(shifts(Function("f", (Param("s", s.type),), body))).text.split("\\n\\n\\n")[1], end="")
    def f(s):
        top = hold(np.max(s))
        d = s - top
        e = np.exp(d)
        total = np.sum(e)
        low = np.log(total)
        y = low + top
        return y
    """
    given = [(s.target, s.value) for s in walk.statements(fn.body) if isinstance(s, Let)]
    values = dict(given)
    wanted = set(_taken_out(values)) if not fn.exact else set()
    if not wanted:
        return fn
    counts = times_given(fn.body)
    single = {name: value for name, value in given if counts[name] == 1}
    used = {p.name for p in fn.params} | walk.assigned(fn.body)
    return replace(fn, body=_Shifts(single, counts, wanted, buffers(fn), fresh_names(used)).block(fn.body))


def _taken_out(values: dict[str, Expr]) -> Iterator[str]:
    """The names that are taken from exponents."""
    for value in values.values():
        if isinstance(value, Call) and member(value.fn, EXPONENTIALS):
            exponent = values.get(value.args[0].name) if isinstance(value.args[0], Var) else None
            while isinstance(exponent, Call) and member(exponent.fn, (*PRODUCTS, *QUOTIENTS, *NEGATIVES)):
                inner = [values[e.name] for e in exponent.args if isinstance(e, Var) and e.name in values]
                exponent = next((e for e in inner if isinstance(e, Call) and _is_linear(e.fn)), None)
            if isinstance(exponent, Call) and member(exponent.fn, DIFFERENCES):
                taken = _base(exponent.args[1], values)
                if taken is not None:
                    yield taken


def _is_linear(fn: object) -> bool:
    return member(fn, (*PRODUCTS, *QUOTIENTS, *NEGATIVES, *DIFFERENCES))


def _base(expr: Expr, values: dict[str, Expr]) -> str | None:
    """The name whose value is taken, perhaps one for each row."""
    match expr:
        case Var(name):
            view = values.get(name)
            return _base(view, values) or name if isinstance(view, Call) and view.fn is operator.getitem else name
        case Call(operator.getitem, (Var(name, Array()), index)) if any(
            isinstance(i, Const) and i.value is None for i in (index.items if isinstance(index, Tuple) else ())
        ):
            return name
    return None


@dataclass
class _Shifts:
    single: dict[str, Expr]
    counts: Counter[str]
    wanted: set[str]
    buffers: Buffers
    fresh: Callable[[str], str]

    def block(self, block: Block) -> Block:
        """A block in which what is taken out is held behind the statement that gives it."""
        block = tuple(walk.map_stmt(lambda e: e, stmt, self.block) for stmt in block)
        places = _Places.of(block)
        for name in sorted(self.wanted):
            if held := self.held(name, block, places):
                block, places = held, _Places.of(held)
        return block

    def held(self, name: str, block: Block, places: _Places) -> Block | None:
        """The block with a value that is constant, if nothing behind it depends on it."""
        given, (read, top) = places.given.get(name), places.read.get(name, (-1, None))
        if given is None or top is None or read <= given or places.times[name] != self.counts[name]:
            return None
        before, behind = block[: given + 1], block[given + 1 :]
        if not is_float(top.type):
            return None
        if self.buffers.of(name) & {site for other in stored_names(behind) for site in self.buffers.of(other)}:
            return None
        if not Shifting(top, behind, self.single, self.counts, self.buffers).vanishes():
            return None
        self.wanted.discard(name)
        if isinstance(last := before[-1], Let) and isinstance(last.value, Call):
            return (*before[:-1], replace(last, value=Call(hold, (last.value,), (), top.type)), *behind)
        constant = Let(self.fresh(name), Call(hold, (top,), (), top.type), before[-1].origin)
        return (*before, constant, *walk.substitute_in(behind, {name: Var(constant.target, top.type)}))


@dataclass
class _Places:
    """The last statement of a block that gives a name its value, the last that reads it, and how often it is given."""

    given: dict[str, int]
    read: dict[str, tuple[int, Var]]
    times: Counter[str]

    @staticmethod
    def of(block: Block) -> _Places:
        found = _Places({}, {}, Counter())
        for place, whole in enumerate(block):
            for stmt in walk.statements((whole,)):
                found.times.update(walk.targets(stmt))
                found.given.update(dict.fromkeys(walk.targets(stmt), place))
                reads = (e for x in walk.stmt_exprs(stmt) for e in walk.subexprs(x) if isinstance(e, Var))
                found.read.update((e.name, (place, e)) for e in reads)
        return found
