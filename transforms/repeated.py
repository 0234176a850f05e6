"""repeated: a function of a number that has a name already is not computed again.

The rule of the sine asks for the cosine, and that of the cosine for the sine; a function that has both needs neither
twice. Numba's machine code does: it calls the system's library for each.
"""

from __future__ import annotations

import operator
from collections import Counter
from dataclasses import dataclass, replace
from types import BuiltinFunctionType

import numpy as np

from srcad.analysis.buffers import stored_names
from srcad.analysis.classes import Classes
from srcad.lang.ir import Block, Call, Const, Effect, Expr, Function, Let, Stmt, Var, is_temporary
from srcad.lang.types import Scalar, is_array
from srcad.lang.walk import assigned, map_expr, map_stmt, statements, subexprs, targets
from srcad.lang.walk import names as free
from srcad.runtime import add_at
from srcad.transforms.context import is_bar

COSTLY = frozenset({
    np.sin, np.cos, np.tan, np.arcsin, np.arccos, np.arctan, np.arctan2, np.sinh, np.cosh, np.tanh, np.arcsinh,
    np.arccosh, np.arctanh, np.exp, np.exp2, np.expm1, np.log, np.log2, np.log10, np.log1p, np.sqrt, np.cbrt, np.hypot,
})  # fmt: skip
_CHEAP = frozenset({operator.add, operator.sub, operator.mul, operator.truediv, operator.neg, operator.pow})


def repeated(fn: Function) -> Function:
    """Compute each costly function of the same numbers once.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import FLOAT
    >>> x, c = Var("x", FLOAT), Var("c", FLOAT)
    >>> cosine = Call(np.cos, (x,), (), FLOAT)
    >>> body = (Let("c", cosine), Return(Call(operator.mul, (c, cosine), (), FLOAT)))
    >>> from srcad.lang.write import write
    >>> print(write(repeated(Function("f", (Param("x", FLOAT),), body))).text, end="")
    import numpy as np
    <BLANKLINE>
    <BLANKLINE>
    def f(x):
        c = np.cos(x)
        return c * c
    """
    times = Counter(name for stmt in statements(fn.body) for name in targets(stmt))
    names = _Names({p.name for p in fn.params if times[p.name]} | {name for name, count in times.items() if count > 1})
    names.changing |= written_arrays(fn)
    return replace(fn, body=names.block(fn.body, {}))


def written_arrays(fn: Function) -> set[str]:
    """The arrays with elements that may change."""
    classes, stored = Classes.of(fn.body), stored_names(fn.body)
    effects = [stmt.call for stmt in statements(fn.body) if isinstance(stmt, Effect)]
    stored |= {name for call in effects for name in free(call.args[0] if call.fn is add_at else call)}
    written = set(map(classes.find, stored))
    return {name for name in {p.name for p in fn.params} | assigned(fn.body) if classes.find(name) in written}


@dataclass
class _Names:
    """Gives what is computed its names; `changing` are those that do not mean the same all the time."""

    changing: set[str]

    def block(self, block: Block, known: dict[Expr, Var]) -> Block:
        """`known` are the names of what has been computed; for names that mean the same, the first of them."""
        known = dict(known)
        return tuple([self.statement(stmt, known) for stmt in block])

    def statement(self, stmt: Stmt, known: dict[Expr, Var]) -> Stmt:
        new = map_stmt(lambda e: self.named(e, known), stmt, lambda body: self.block(body, known))
        if isinstance(stmt, Let) and stmt.target not in self.changing and _is_number(stmt.value):
            key, own = self.key(stmt.value, known), Var(stmt.target, stmt.value.type)
            if isinstance(key, Var):
                known[own] = key
                nameless = is_temporary(stmt.target) and is_temporary(key.name)
                new = replace(stmt, value=key) if nameless and _is_worth_a_name(stmt.value) else new
            elif isinstance(key, Call):
                known[key] = own
        return new

    def named(self, expr: Expr, known: dict[Expr, Var]) -> Expr:
        """An expression with names for what has one."""
        if not any(map(_is_costly, subexprs(expr))):
            return expr

        def one(e: Expr) -> Expr:
            key = self.key(e, known) if _is_costly(e) else None
            return key if isinstance(key, Var) else e

        return map_expr(one, expr)

    def key(self, expr: Expr, known: dict[Expr, Var]) -> Expr | None:
        """What is the same for all that computes the same; None for what may change on the way."""
        if isinstance(expr, Const):
            return expr
        if isinstance(expr, Var):
            return None if expr.name in self.changing else known.get(expr, expr)
        element = _is_element(expr)
        if not (isinstance(expr, Call) and (element or _is_costly(expr) or _is_cheap(expr)) and not expr.kwargs):
            return None
        args = tuple(key for arg in expr.args if (key := self.key(arg, known)) is not None)
        if len(args) < len(expr.args) or not all(map(_is_number, args[element:])):
            return None
        made = replace(expr, args=args)
        return known.get(made, made)


def _is_number(expr: Expr | None) -> bool:
    return isinstance(getattr(expr, "type", None), Scalar)


def _is_element(expr: Expr) -> bool:
    """Whether an expression is an element of a vector."""
    return isinstance(expr, Call) and expr.fn is operator.getitem and _is_number(expr) and is_array(expr.args[0].type)


def _is_costly(expr: Expr) -> bool:
    return isinstance(expr, Call) and isinstance(expr.fn, np.ufunc) and expr.fn in COSTLY and _is_number(expr)


def _is_cheap(expr: Expr) -> bool:
    return isinstance(expr, Call) and type(expr.fn) is BuiltinFunctionType and expr.fn in _CHEAP and _is_number(expr)


def _is_worth_a_name(expr: Expr) -> bool:
    """Whether a value of the primal is cheap, but more than a number times another one: that reads well where it is."""
    if not _is_cheap(expr) or any(map(is_bar, free(expr))):
        return False
    assert isinstance(expr, Call)
    return expr.fn is operator.pow or not any(isinstance(arg, Const) for arg in expr.args)
