"""moments: means and variances along axes of arrays as sums, of which `rows` makes loops. For machine code only.

``np.var(x, axis=0)`` goes through `x` twice, for the mean and for the squares, and statements before and behind it that
go through the same rows have loops of their own. As sums, they can all be done in the same iterations. A sum along rows
and other axes is one along the others first, and then one that each row adds to.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.contents import times_given
from srcad.analysis.buffers import stored_names
from srcad.analysis.classes import Classes
from srcad.lang import walk
from srcad.lang.arrays import axis_length, index_of
from srcad.lang.ir import Block, Call, Const, Expr, Function, Let, Stmt, Tuple, Var, While
from srcad.lang.types import INT, REAL, Array
from srcad.transforms.flatten import fresh_names
from srcad.transforms.infer import typed


def moments(fn: Function) -> Function:
    """Write means of rows, and variances, as sums.

    >>> from srcad.lang.ir import Param, Return
    >>> x = Var("x", Array("float64", ("n", "m"), "C"))
    >>> mean = Call(np.mean, (x,), (("axis", Const(0, INT)),), Array("float64", ("m",), "C"))
    >>> from srcad.lang.write import write
    >>> fn = moments(Function("f", (Param("x", x.type),), (Let("mu", mean), Return(Var("mu", mean.type)))))
    >>> print(write(fn).text.split("\\n\\n\\n")[1], end="")
    def f(x):
        mu = np.sum(x, axis=0) / x.shape[0]
        return mu
    """
    names = times_given(fn.body)
    classes = Classes.of(fn.body)
    written = {classes.find(name) for name in stored_names(fn.body)}
    single = {p.name for p in fn.params} - set(names) | {name for name, count in names.items() if count == 1}
    same = {name for name in single if classes.find(name) not in written}
    return replace(fn, body=_Moments(fresh_names({*single, *names}), same).block(fn.body, {}))


Known = dict[tuple, Var]  # what is computed already, of arrays that stay what they are


@dataclass
class _Moments:
    fresh: Callable[[str], str]
    same: set[str]  # arrays that nobody writes to, under names that are given once

    def block(self, block: Block, known: Known) -> Block:
        known = dict(known)
        result: list[Stmt] = []
        for stmt in block:
            if isinstance(stmt, While):  # whose test is asked again
                result.append(replace(stmt, body=self.block(stmt.body, known)))
                continue
            own = _Statement(self, known, stmt)
            new = walk.map_stmt(own.expr, stmt, lambda body: self.block(body, known))
            result += [*own.before, new]
            match stmt:
                case Let(target, Call(np.mean, (Var(name),)) as value) if target in self.same and name in self.same:
                    found = _moment(value)
                    if found and not found[2]:
                        known[name, found[0]] = Var(target, value.type)
                case Let(target, Call(operator.sub, (Var(a), Var(b))) as value) if {target, a, b} <= self.same:
                    known[a, b] = Var(target, value.type)
        return tuple(result)


@dataclass
class _Statement:
    """Takes means and variances out of a statement."""

    moments: _Moments
    known: Known
    stmt: Stmt
    before: list[Stmt] = field(default_factory=list)

    def expr(self, expr: Expr) -> Expr:
        return walk.map_expr(self.node, expr)

    def node(self, expr: Expr) -> Expr:
        found = _moment(expr)
        if found is None or not isinstance(expr, Call):
            return self.one_by_one(expr)
        axis, freedom, keep = found
        array = self.named("_t", expr.args[0])
        if expr.fn is np.mean:
            mean = self.known.get((array.name, axis))
            if mean is None or not keep:
                return mean or _along(array, axis, keep, axis_length(array, axis))
            return typed(Call(operator.getitem, (mean, Const(None))))
        mean = self.mean(array, axis)
        centred = self.remembered((array.name, mean.name), "centred", typed(Call(operator.sub, (array, mean))))
        length: Expr = axis_length(array, axis)
        if freedom:
            length = Call(operator.sub, (length, Const(freedom, INT)), (), INT)
        square = self.named("_t", typed(Call(operator.mul, (centred, centred))))
        return _along(square, axis, keep, length)

    def one_by_one(self, expr: Expr) -> Expr:
        """A sum over rows and over other axes, along these first: each row adds what is left of it."""
        match expr:
            case Call(np.sum, (array,), (("axis", Tuple(items)),), Array()):
                axes = sorted(item.value % array.type.ndim for item in items)  # type: ignore
                if axes[0] == 0 and len(axes) > 1:
                    others = index_of([Const(axis, INT) for axis in axes[1:]])
                    inner = self.named("_t", typed(Call(np.sum, (array,), (("axis", others),))))
                    return typed(Call(np.sum, (inner,), (("axis", Const(0, INT)),)))
        return expr

    def mean(self, array: Var, axis: int) -> Var:
        """What is taken off an array before it is squared: without the axis that goes where that is the first one."""
        if axis == 0:
            return self.remembered((array.name, 0), "mean", _along(array, 0, False, axis_length(array, 0)))
        return self.named("mean", _mean(array, axis))

    def remembered(self, key: tuple, hint: str, value: Expr) -> Var:
        if key in self.known:
            return self.known[key]
        var = self.named(hint, value)
        if array_names(key) <= self.moments.same:
            self.known[key] = var
            self.moments.same.add(var.name)
        return var

    def named(self, hint: str, value: Expr) -> Var:
        if isinstance(value, Var):
            return value
        self.before.append(Let(self.moments.fresh(hint), value, self.stmt.origin))
        return Var(self.before[-1].target, value.type)  # type: ignore


def array_names(key: tuple) -> set[str]:
    return {part for part in key if isinstance(part, str)}


def _mean(array: Var, axis: int) -> Expr:
    return typed(Call(np.mean, (array,), (("axis", Const(axis, INT)), ("keepdims", Const(True)))))


def _along(array: Expr, axis: int, keep: bool, length: Expr) -> Expr:
    total = Call(np.sum, (array,), (("axis", Const(axis, INT)), *((("keepdims", Const(True)),) if keep else ())))
    return typed(Call(operator.truediv, (typed(total), length)))


def _moment(expr: Expr) -> tuple[int, int, bool] | None:
    """The axis along which a mean or a variance is taken, the degrees of freedom lost, and whether the axis stays.

    Only of means of all rows: those of each row are computed row by row as they are.
    """
    if not isinstance(expr, Call) or not (expr.fn is np.mean or expr.fn is np.var) or len(expr.args) != 1:
        return None
    given = {name: value.value for name, value in expr.kwargs if isinstance(value, Const)}
    kind, axis, freedom = getattr(expr.args[0], "type", None), given.get("axis"), given.get("ddof", 0)
    if len(given) < len(expr.kwargs) or not given.keys() <= {"axis", "keepdims", "ddof"} or type(freedom) is not int:
        return None
    if not isinstance(kind, Array) or kind.dtype not in REAL or kind.ndim < 2 or type(axis) is not int:
        return None
    axis %= kind.ndim
    return None if expr.fn is np.mean and axis else (axis, freedom, bool(given.get("keepdims")))
