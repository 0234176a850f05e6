"""Which elements of arrays surely are there: those that other statements ask for, whatever happens around them."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set

from srcad.lang.arrays import items_of
from srcad.lang.ir import Block, Call, Const, Expr, Let, Stmt, Store, Var
from srcad.lang.walk import blocks, evaluated, mentioned, names, statements, stmt_exprs, targets


def is_touched(place: tuple[str, Expr], block: Block, position: int) -> bool:
    """Whether a statement of a block itself, not one in a branch or loop of it, knows an element of an array.

    The subscript is meant as the statement at `position` understands it.

    >>> from srcad.lang.types import FLOAT, INT, Array
    >>> a, k, zero = Var("a", Array("float64", ("n",), "C")), Var("k", INT), Const(0.0, FLOAT)
    >>> block = (Store(a, k, zero), Let("k", k), Let("v", zero))
    >>> is_touched(("a", k), block[:1], 0), is_touched(("a", k), block, 2)
    (True, False)
    """
    times = Counter(name for stmt in statements(block) for name in targets(stmt))
    wanted = names(place[1]) | {place[0]}
    known = {name for name in wanted if not times[name]}
    for number, stmt in enumerate(block):
        if wanted <= known and not blocks(stmt) and place in places(stmt):
            return True
        if number < position and isinstance(stmt, Let) and times[stmt.target] == 1:
            known.add(stmt.target)
    return False


def without_zero(
    place: tuple[str, Expr], block: Sequence[Stmt], shared: Callable[[Set[str]], bool]
) -> list[Stmt] | None:
    """A block without the zero that it stores in an element, if it does and leaves the array alone after that, and all
    names that are `shared` with it.

    >>> from srcad.lang.types import FLOAT, INT, Array
    >>> a, k, zero = Var("a", Array("float64", ("n",), "C")), Var("k", INT), Const(0.0, FLOAT)
    >>> def found(*block):
    ...     return without_zero(("a", k), block, lambda names: "a" in names)
    >>> len(found(Store(a, k, zero), Let("v", zero))), found(Store(a, k, zero), Let("k", Const(1, INT)))
    (1, None)
    """
    base, index = place
    for position in range(len(block) - 1, -1, -1):
        match block[position]:
            case Store(Var(name), at, Const(0.0)) if name == base and at == index:
                return [*block[:position], *block[position + 1 :]]
            case Store(Var(name), at, value) if name == base and _differ(at, index) and not shared(names(value)):
                pass
            case stmt if shared(mentioned((stmt,))) or set(targets(stmt)) & names(index) or blocks(stmt):
                return None
    return None


def _differ(one: Expr, other: Expr) -> bool:
    """Whether two subscripts mean two elements, since one of their numbers differs."""
    numbers = [[e.value if isinstance(e, Const) else None for e in items_of(index)] for index in (one, other)]
    return len(numbers[0]) == len(numbers[1]) and any(
        isinstance(a, int) and isinstance(b, int) and a != b and min(a, b) >= 0 for a, b in zip(*numbers))  # fmt: skip


def places(stmt: Stmt) -> Iterator[tuple[str, Expr]]:
    """The arrays and subscripts that a statement itself reads or writes, whatever the values are."""
    match stmt:
        case Store(Var(name), index):
            yield name, index
    for whole in stmt_exprs(stmt):
        for e in evaluated(whole):
            if isinstance(e, Call) and e.fn is operator.getitem and isinstance(e.args[0], Var):
                yield e.args[0].name, e.args[1]
