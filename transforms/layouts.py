"""layouts: views that are copies where the elements lie in another order.

``B.ravel()`` is a view of an array in C order and a copy of any other. Where neither is written to while the other
lives, that is all the same. Where it is not, this pass says which of the two NumPy makes: the order in which `B` lies
is known of what the function makes, and of an argument by the signature. What is left to run time is whether an array
is so thin that all orders are the same; such a call raises an error.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.buffers import CONTIGUOUS_VIEWS, Buffers, buffers, view_of
from srcad.analysis.contents import member
from srcad.analysis.untouched import untouched
from srcad.lang.arrays import shape_tuple
from srcad.lang import walk
from srcad.lang.ir import (
    Attr, Block, Call, Expr, For, Function, If, Let, Move, Stmt, Tuple, Var, While, hint,
)  # fmt: skip
from srcad.lang.types import BOOL, INT, Array, is_array
from srcad.runtime import in_c_order, reshaped, reshapes_in_place
from srcad.transforms.flatten import fresh_names
from srcad.transforms.in_turn import copied_in_turn, is_copy
from srcad.transforms.infer import typed
from srcad.transforms.taking import mentions


def layouts(fn: Function) -> Function:
    """Views whose memory is written to, as the views or copies that NumPy makes.

    >>> import operator
    >>> from srcad.lang.ir import Const, Param, Return, Store
    >>> from srcad.lang.types import FLOAT, INT
    >>> from srcad.lang.write import write
    >>> kind = Array("float64", ("n", "m"), "F")
    >>> A, r = Var("A", kind), Var("r", Array("float64", ("n*m",), "C"))
    >>> body = (Let("r", Call(np.ravel, (A,), (), r.type)), Store(r, Const(0, INT), Const(1.0, FLOAT)),
    ...         Return(Call(np.sum, (A,), (), FLOAT)))
    >>> print(write(layouts(Function("f", (Param("A", kind),), body))).text, end="")
    import numpy as np
    <BLANKLINE>
    <BLANKLINE>
    def f(A):
        r = A.flatten()
        r[0] = 1.0
        return np.sum(A)
    """
    if not any(_depends(stmt) or is_copy(stmt) for stmt in walk.statements(fn.body)):
        return fn
    found = buffers(fn)
    lets = [stmt for stmt in walk.statements(fn.body) if isinstance(stmt, Let) and _depends(stmt)]
    doubtful = {stmt.target for stmt in lets if found.mutated(stmt.target)}
    doubtful -= untouched(fn.body, doubtful, found)
    in_turn = copied_in_turn(fn, found)
    if not doubtful and not in_turn:
        return fn
    used = {param.name for param in fn.params} | walk.assigned(fn.body)
    return _Layouts(fn, found, doubtful, in_turn, fresh_names(used)).function()


def _depends(stmt: Stmt) -> bool:
    """Whether a statement makes a view or a copy, as the layout of an array has it."""
    return isinstance(stmt, Let) and isinstance(stmt.value, Call) and member(stmt.value.fn, CONTIGUOUS_VIEWS)


@dataclass
class _Layouts:
    fn: Function
    buffers: Buffers
    doubtful: set[str]
    in_turn: set[str]  # vectors that are copied, element by element as they lie, where they overlap
    fresh: Callable[[str], str]
    owners: dict[str, Let] = field(default_factory=dict)
    pinned: set[str] = field(default_factory=set)
    moved: set[str] = field(default_factory=set)  # names that stand for several arrays, one after the other
    same: dict[str, Expr] = field(default_factory=dict)  # names for what is an array as it is
    spent: set[str] = field(default_factory=set)  # arrays that are read at one place alone
    loops: int = 0  # around the statement at hand
    joined: set[str] = field(default_factory=set)  # names of views on one path and of copies on the other

    def function(self) -> Function:
        self.owners = {s.target: s for s in walk.statements(self.fn.body) if isinstance(s, Let)}
        for name in sorted(self.doubtful):
            self.pin(self.owners[name])
        for name in self.in_turn:
            self.pinned |= self.kept(name)
        self.moved = {n for s in walk.statements(self.fn.body) if isinstance(s, Move) for n in s.targets}
        uses = mentions(self.fn.body)
        self.spent = {n for n in self.owners if n not in self.buffers.views and uses[n] == 2}  # bound, and read once
        body = self.block(self.fn.body)
        names = {n for n, sites in self.buffers.sites.items() if sites & self.pinned and self.settled(sites)}
        body = walk.substitute_in(_known(body, names, self.joined), self.same)
        return replace(self.fn, body=body)

    # ------------------------------------------------------------ the order of what the function makes

    def pin(self, stmt: Let) -> None:
        """Note the arrays of which the generated code must keep the order that NumPy gives them."""
        base = view_of(stmt.value)
        if isinstance(base, Var) and is_array(base.type) and not _turned(stmt.value, base):
            self.pinned |= self.kept(base.name)

    def kept(self, name: str) -> set[str]:
        """The arrays that a name may stand for, and of which only the user's own code tells the order."""
        return {site for site in self.buffers.of(name) if self.order(site) in ("c", "f")}

    def order(self, site: str) -> str:
        """The order of an array that the function makes; one that it was given lies as it does."""
        return self.buffers.types[site].layout if site in self.owners else "given"  # type: ignore[attr-defined]

    def settled(self, sites: frozenset[str]) -> bool:
        """Whether the generated arrays lie as NumPy's do."""
        return all(site in self.pinned or self.order(site) in ("C", "F", "given") for site in sites)

    def laid(self, stmt: Let) -> list[Stmt]:
        """An array in the order that NumPy gives it; one in Fortran order is the transpose of one in C order."""
        kind = self.buffers.types[stmt.target]
        assert isinstance(kind, Array)
        order = replace(kind, layout=kind.layout.upper())
        if order.layout == "F":
            match stmt.value:
                case Call(np.zeros | np.ones | np.empty | np.full as fn, (Tuple(items) as shape, *rest), kwargs):
                    flat = Var(self.fresh(hint(stmt.target)), _transposed(order))
                    made = Call(fn, (replace(shape, items=items[::-1]), *rest), kwargs, flat.type)
                    turned = Let(stmt.target, Call(np.transpose, (flat,), (), order), stmt.origin)
                    return [Let(flat.name, made, stmt.origin), turned]
        source = Var(self.fresh("_t"), kind)
        return [replace(stmt, target=source.name), *self.ordered(stmt, source, order)]

    def ordered(self, stmt: Let, array: Var, kind: Array) -> list[Let]:
        """A copy of an array, in the order that `kind` tells."""
        if kind.layout == "F":
            other = _transposed(kind)
            turned, flat = Var(self.fresh("_t"), replace(other, layout="A")), Var(self.fresh(hint(stmt.target)), other)
            before = Let(turned.name, Call(np.transpose, (array,), (), turned.type), stmt.origin)
            last = Let(stmt.target, Call(np.transpose, (flat,), (), kind), stmt.origin)
            return [before, *self.ordered(replace(stmt, target=flat.name), turned, other), last]
        line = Let(self.fresh("_t"), typed(Call(np.ndarray.flatten, (array,))), stmt.origin)
        whole = Call(np.reshape, (Var(line.target, line.value.type), shape_tuple(array)), (), kind)
        return [line, replace(stmt, value=whole)]

    # ------------------------------------------------------------ rewriting

    def block(self, block: Block) -> Block:
        return tuple(new for stmt in block for new in self.statement(stmt))

    def known(self, name: str) -> bool:
        """Whether the strides of an array are what NumPy's are, also where it is recorded in a loop, in C order."""
        sites = self.buffers.of(name)
        if not self.loops:
            return self.settled(sites)
        joined = not self.buffers.roots(name) <= sites
        return not joined and all(self.buffers.types[site].layout == "C" for site in sites)  # type: ignore[attr-defined]

    def statement(self, stmt: Stmt) -> list[Stmt]:
        if isinstance(stmt, (For, While)):
            self.loops += 1
            result = walk.map_stmt(lambda e: e, stmt, self.block)
            self.loops -= 1
            return [result]
        if isinstance(stmt, Let) and stmt.target in self.pinned:
            return self.laid(stmt)
        if isinstance(stmt, Let) and stmt.target in self.doubtful:
            return self.view(stmt)
        return [walk.map_stmt(lambda e: e, stmt, self.block)]

    def view(self, stmt: Let) -> list[Stmt]:
        """A view that may be a copy, as what it is."""
        call = stmt.value
        assert isinstance(call, Call)
        base = call.args[0]
        if not isinstance(base, Var) or not isinstance(base.type, Array):
            return [stmt]
        if call.fn not in (np.ravel, np.reshape):
            if base.name in self.spent:
                return [*self.copied(stmt, base)]
            if _order(base.type) == _wanted(call) and self.known(base.name) and base.name not in self.moved:
                self.same[stmt.target] = self.same.get(base.name, base)
                return []
        if _order(base.type) == _wanted(call) and base.type.ndim > 1 and self.either(base.name):
            return [replace(stmt, value=self.viewed(call, base))]
        if _order(base.type) == _wanted(call) or call.fn is np.reshape and base.type.ndim < 2:
            return [stmt]  # an axis that is taken apart stays a view
        test = self.test(call, base)
        if test is None:
            return [*self.copied(stmt, base)]
        if not _turned(call, base) and not self.known(base.name):
            return [stmt]  # refused
        kind = call.type
        assert isinstance(kind, Array)
        copy = self.copied(replace(stmt, target=self.fresh("_t")), base)
        self.joined.add(stmt.target)
        view: list[Let] = []
        if call.fn in (np.ravel, np.reshape):
            view = [Let(self.fresh("_t"), self.viewed(call, base), stmt.origin)]
        sides: list[Block] = [
            (*before, Move((stmt.target,), (Var(before[-1].target, kind) if before else base,), stmt.origin))
            for before in (view, copy)
        ]
        check = Let(self.fresh("_c"), test, stmt.origin)
        return [check, If(Var(check.target, BOOL), sides[0], sides[1], stmt.origin)]

    def either(self, name: str) -> bool:
        """Whether an array is, or may be, made of one that is a view on one path and a copy on the other.

        It lies in the order that it has to lie in, and the generated code does not tell.
        """
        while name not in self.joined and name in self.buffers.views:
            base = view_of(self.buffers.views[name])
            if not isinstance(base, Var):
                break
            name = base.name
        moved = name in self.moved and any(self.buffers.of(name) & self.buffers.of(each) for each in self.joined)
        return moved or name in self.joined

    def test(self, call: Call, base: Var) -> Expr | None:
        """Whether this is a view; None: its signature says of an argument that it is not."""
        if call.fn is np.reshape and not _turned(call, base):
            return Call(reshapes_in_place, (base, call.args[1]), (), BOOL)
        if base.name in {param.name for param in self.fn.params} and call.fn is not np.asfortranarray:
            return None
        assert isinstance(base.type, Array)
        if base.type.layout == "A" and call.fn is not np.asfortranarray:
            return Call(in_c_order, (base,), (), BOOL)
        # in another order for sure, unless the array is so thin that all orders are the same
        return Call(operator.eq, (Call(max, (shape_tuple(base),), (), INT), Attr(base, "size", INT)), (), BOOL)

    def copied(self, stmt: Let, base: Var) -> list[Let]:
        """The copy, and what it takes."""
        call = stmt.value
        assert isinstance(call, Call)
        if call.fn not in (np.ravel, np.reshape):
            assert isinstance(call.type, Array)
            return self.ordered(stmt, base, replace(call.type, layout=_wanted(call)))
        line = Call(np.ndarray.flatten, (base,), (), typed(Call(np.ravel, (base,))).type)
        if call.fn is np.ravel or _turned(call, base):
            return [replace(stmt, value=line)]
        name = Var(self.fresh("_t"), line.type)
        return [Let(name.name, line, stmt.origin), replace(stmt, value=replace(call, args=(name, *call.args[1:])))]

    def viewed(self, call: Call, base: Var) -> Expr:
        """The view in another shape."""
        shape = call.args[1] if call.fn is np.reshape else Attr(base, "size", INT)
        return typed(Call(reshaped, (base, shape)))


def _order(kind: Array) -> str:
    return kind.layout.upper()


def _wanted(call: Call) -> str:
    """The order in which an array has to lie in order that the call gives a view of it."""
    return "F" if call.fn is np.asfortranarray else "C"


def _transposed(kind: Array) -> Array:
    """The array in C order of which one in Fortran order is the transpose."""
    return Array(kind.dtype, kind.shape[::-1], "C")


def _turned(value: Expr, base: Var) -> bool:
    """Whether a line is made of an array in Fortran order: a copy, unless the array is very thin."""
    assert isinstance(value, Call) and isinstance(base.type, Array)
    line = isinstance(value.type, Array) and value.type.ndim == 1 and value.fn in (np.ravel, np.reshape)
    return line and _order(base.type) == "F"


def _known(block: Block, names: set[str], joined: set[str]) -> Block:
    """A block in which the arrays `names` surely lie as NumPy has them, and those `joined` nobody knows how."""

    def known(expr: Expr) -> Expr:
        if isinstance(expr, Var) and expr.name in names | joined and isinstance(expr.type, Array):
            return replace(expr, type=replace(expr.type, layout="A" if expr.name in joined else _order(expr.type)))
        return expr

    def statement(stmt: Stmt) -> Stmt:
        new = walk.map_stmt(lambda e: walk.map_expr(known, e), stmt, lambda inner: _known(inner, names, joined))
        if isinstance(new, Let) and new.target in names and isinstance(new.value, Call):
            kind = new.value.type
            if isinstance(kind, Array):
                return replace(new, value=replace(new.value, type=replace(kind, layout=_order(kind))))
        return new

    return tuple(map(statement, block))
