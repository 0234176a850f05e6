"""What a nest adds, as numbers that no iteration changes times as few values as can be. Part of `margins`."""

from __future__ import annotations

import operator
from collections import Counter
from dataclasses import replace

from srcad.analysis.contents import content_names
from srcad.lang.ir import Block, Call, Const, Expr, Let, Var
from srcad.lang.types import FLOAT
from srcad.lang.walk import names, targets
from srcad.transforms.rims import Addition
from srcad.transforms.simplify import simplified


def from_fewer(found: list[Addition], body: Block, changed: set[str]) -> list[Addition]:
    """Additions of the same, as multiples of fewer values: of what others are copies of, or known multiples."""
    bound = Counter(name for stmt in body for name in targets(stmt))
    values = {stmt.target: stmt.value for stmt in body if isinstance(stmt, Let) and bound[stmt.target] == 1}

    def root(one: Addition) -> Addition:
        while isinstance(one.value, Var) and one.value.name in values:
            factor, value = product(values[one.value.name], changed)
            if not (isinstance(value, Var) and value.name in values):
                break
            one = replace(one, factor=factor if one.factor is None else times(one.factor, factor), value=value)
        return one

    fewer = list(map(root, found))
    return fewer if len({one.value for one in fewer}) < len({one.value for one in found}) else found


def product(value: Expr, changed: set[str]) -> tuple[Expr | None, Expr]:
    """A value as a number that no iteration changes, and the rest."""
    match value:
        case Call(operator.neg, (inner,)):
            factor, rest = product(inner, changed)
            return times(Const(-1.0, FLOAT), factor), rest
        case Call(operator.mul, (one, two)):
            for fixed, varying in ((one, two), (two, one)):
                if not names(fixed) & changed and not content_names(fixed):
                    factor, rest = product(varying, changed)
                    return times(fixed, factor), rest
    return None, value


def times(one: Expr, other: Expr | None) -> Expr:
    return one if other is None else simplified(Call(operator.mul, (one, other), (), FLOAT))
