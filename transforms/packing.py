"""Structures at the two ends of a derivative: its arguments and seeds taken apart, its docstring; part of `derive`."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator
from typing import Any

from srcad.lang import walk
from srcad.lang.errors import unsupported
from srcad.lang.ir import Attr, Block, Call, Const, Expr, Function, Let, Return, Tuple, Var
from srcad.lang.types import INT, NONE, Array, Form, Scalar, Static, TupleType, Type
from srcad.options import Options


def leaves(*exprs: Expr) -> list[Var]:
    """The names in structures, in their order."""
    return [e for expr in exprs for e in walk.subexprs(expr) if isinstance(e, Var)]


def outputs(fn: Function, options: Options) -> tuple[Expr, Expr | None]:
    """What is differentiated of a function's result, and what else is returned: `aux`, and what it leaves in arguments.

    `backends.left` takes them apart.
    """
    last, aux, behind = fn.body[-1], None, None
    assert isinstance(last, Return)
    value = last.value
    if fn.left:
        value, behind = value.items  # type: ignore[union-attr]
    if options.has_aux:
        if not (isinstance(value, Tuple) and len(value.items) == 2):
            reason = "has_aux=True needs a function that returns (value, aux)"
            raise unsupported(last.origin, reason, "return value, aux")
        value, aux = value.items
    both = tuple(each for each in (aux, behind) if each is not None)
    return value, Tuple(both, TupleType(tuple(map(_type, both)))) if len(both) > 1 else (*both, None)[0]


def _type(expr: Expr) -> Type:
    return getattr(expr, "type", NONE)


def unpacked(fn: Function, code: Block) -> list[Let]:
    """The statements that take a dissolved function's arguments apart, as far as its code reads the parts."""
    read = {name for stmt in walk.statements(code) for expr in walk.stmt_exprs(stmt) for name in walk.names(expr)}
    return [Let(leaf.name, part, fn.origin) for param, parts in fn.arguments if isinstance(parts, Tuple)
            for leaf, part in _opened(Var(param.name, param.type), parts) if leaf.name in read]  # fmt: skip


def _opened(whole: Expr, parts: Tuple) -> Iterator[tuple[Var, Expr]]:
    form = parts.type.form  # type: ignore[attr-defined]
    for k, part in enumerate(parts.items):
        if form.native and form.named:
            item: Expr = Attr(whole, form.keys[k], part.type)  # type: ignore[union-attr]
        else:
            item = element(whole, k)
        if isinstance(part, Tuple):
            yield from _opened(item, part)
        elif isinstance(part, Var):
            yield part, item


def element(whole: Expr, k: int) -> Expr:
    """``whole[k]`` of a structure."""
    return Call(operator.getitem, (whole, Const(k, INT)), (), whole.type.items[k])  # type: ignore[union-attr]


# ---------------------------------------------------------------- seeds


def given(value: Expr, expr: Expr, seed: Type, name: str = "grad_ys") -> Iterator[tuple[Expr, Expr, Type]]:
    """The results that have a derivative, each with its seed and the seed's type; one seed may serve for all.

    For a number, as what `np.ones_like` gives of it, an array without axes will do.

    Raises
    ------
    ValueError
        if the seeds have another structure than the results.
    """
    if not isinstance(value, Tuple):
        if isinstance(value.type, Scalar) and isinstance(seed, Array) and seed.ndim == 0:
            seed = Scalar(seed.dtype)
            expr = Call(operator.getitem, (expr, Tuple((), TupleType(()))), (), seed)
        yield value, expr, seed
        return
    if not isinstance(seed, TupleType):
        for item in value.items:
            yield from given(item, expr, seed, name)
        return
    form = value.type.form  # type: ignore[attr-defined]
    for item, k in zip(value.items, order(form, seed, len(value.items), name)):
        yield from given(item, element(expr, k), seed.items[k], name)


def order(form: Form, seed: TupleType, count: int, name: str, whole: str = "what it is for") -> list[int]:
    """The position of what is passed for each part of a structure: for each result, that of its seed."""
    if form.cls is dict and seed.form.cls is dict:
        if set(form.keys) != set(seed.form.keys):
            raise ValueError(f"{name} has the keys {_listed(seed.form.keys)}, {whole} has {_listed(form.keys)}")
        return [seed.form.keys.index(key) for key in form.keys]
    if (form.cls is dict) != (seed.form.cls is dict):
        raise ValueError(f"{name} is a {seed.form.cls.__name__}, {whole} is a {form.cls.__name__}")
    if len(seed.items) != count:
        raise ValueError(f"{name} has {len(seed.items)} seeds for {count} results")
    return list(range(count))


def _listed(keys: tuple) -> str:
    return ", ".join(map(repr, keys))


# ---------------------------------------------------------------- for people


_WHAT = {"grad": "Gradient", "jvp": "Value and tangent", "hvp": "Product of a vector with the Hessian",
         "jacobian": "Jacobian", "hessian": "Hessian"}  # fmt: skip


def describe(fn: Function, options: Options) -> str:
    """The docstring of a derivative."""
    names = ", ".join(fn.arguments[i][0].name for i in options.wrt)
    kinds = ", ".join(f"{p.name}: {spell(p.type)}" for p, _ in fn.arguments)
    name = fn.name.removesuffix("_grad") if options.mode in ("hvp", "hessian") else fn.name
    left = ", ".join(place_named(fn.arguments[position][0].name, keys) for position, *keys in fn.left
                     if not isinstance(keys[-1], tuple))
    more = f" The new {left} come last, or beside the value." if left else ""
    return f"{_WHAT.get(options.mode, 'Value and gradient')} of {name} with respect to {names}, for {kinds}.{more}"


def place_named(name: str, keys: list[Any]) -> str:
    """A place in an argument as Python writes it.

    >>> place_named("bodies", [0, "pos"]), place_named("p", ["w"]), place_named("xs", [None])
    ('bodies[0].pos', 'p.w', 'xs')
    """
    keys = [key for key in keys if key is not None]  # all elements of a list
    return name + "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys)


def spell(kind: Type) -> str:
    """A type as Numba writes it.

    >>> spell(Array("float64", ("n", "m")))
    'float64[:, :]'
    >>> spell(Static((len, spell)))
    '(<built-in function len>, <function spell>)'
    """
    match kind:
        case Array(dtype):
            return f"{dtype}[{', '.join(':' * kind.ndim)}]" if kind.ndim else f"{dtype}[()]"
        case Scalar(dtype):
            return dtype
        case TupleType(items, form):
            return _spelled(form, [spell(item) for item in items])
        case Static(value):
            return re.sub(r" at 0x[0-9a-f]+", "", repr(value))  # where it lies differs from run to run
    return "?"


def _spelled(form: Form, items: list[str]) -> str:
    if form.keys:
        items = [f"{key}: {item}" for key, item in zip(form.keys, items)]
    if form.named:
        return f"{form.cls.__name__}({', '.join(items)})"
    left, right = "[]" if form.cls is list else "{}" if form.cls is dict else "()"
    return f"{left}{', '.join(items)}{right}"


