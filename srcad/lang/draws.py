"""Random numbers: which functions give others at every call, and which always the same, as they make the generator."""

from __future__ import annotations

import ast
import inspect
import textwrap
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from srcad.lang.locate import is_installed
from srcad.lang.nodes import nodes

_DRAWN = frozenset(("random", "rng", "rvs", "secrets", "default_rng"))
_SEEDED = (np.random.default_rng, np.random.RandomState)


def draws(fn: Any, unseeded: bool = False) -> bool:
    """Whether a function may give other random numbers at every call, as far as its code says.

    With None among its arguments, `unseeded`, it may have no seed.

    >>> import random
    >>> draws(lambda: random.gauss(0.0, 1.0)), draws(lambda x: np.random.normal(x)), draws(lambda x: np.sin(x))
    (True, True, False)
    """
    owner = getattr(fn, "__self__", None)
    if owner is not None and (is_random(owner) or any(map(is_random, getattr(owner, "__dict__", {}).values()))):
        return True
    return any((not _DRAWN.isdisjoint(each.__code__.co_names) or any(map(is_random, known)))
               and (unseeded or not _seeds(each))
               for each, known in called(fn))  # fmt: skip


def is_random(value: Any) -> bool:
    """Whether a value is a generator of random numbers, or a function or class that draws them."""
    modules = str(getattr(value, "__module__", "")), type(value).__module__
    return any(module.startswith(("random", "numpy.random", "secrets")) for module in modules)


def called(fn: Any, seen: frozenset[Any] = frozenset()) -> Iterator[tuple[types.FunctionType, list[Any]]]:
    """A function of the user's and those that it calls, each with what its names mean."""
    fn = getattr(fn, "__func__", fn)
    if not isinstance(fn, types.FunctionType) or fn in seen or is_installed(fn.__code__.co_filename):
        return
    cells = [cell.cell_contents for cell in fn.__closure__ or () if cell != types.CellType()]
    known = [*(fn.__globals__.get(name) for name in fn.__code__.co_names), *cells]
    yield fn, known
    for value in known:
        yield from called(value, seen | {fn})


def _seeds(fn: types.FunctionType) -> bool:
    """Whether all random numbers of a function come from generators that it makes itself, from a seed."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(fn)))
    except (OSError, SyntaxError, TypeError):
        return False
    if any(value is None for value in (*(fn.__defaults__ or ()), *(fn.__kwdefaults__ or {}).values())):
        return False
    space = {**fn.__globals__, **inspect.getclosurevars(fn).nonlocals}
    makers = {id(node.func) for node in nodes(tree) if isinstance(node, ast.Call) and _has_seed(node)
              and any(_meaning(node.func, space) is maker for maker in _SEEDED)}  # fmt: skip
    inside = {id(node.value) for node in nodes(tree) if isinstance(node, ast.Attribute)}
    found = (node for node in nodes(tree)
             if isinstance(node, (ast.Name, ast.Attribute)) and id(node) not in makers | inside)  # fmt: skip
    others = any(is_random(meaning) or isinstance(meaning, types.ModuleType) and "random" in meaning.__name__
                 for meaning in (_meaning(node, space) for node in found))  # fmt: skip
    return bool(makers) and not others


def _has_seed(call: ast.Call) -> bool:
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return bool(given) and not any(isinstance(each, ast.Constant) and each.value is None for each in given)


def _meaning(node: ast.AST, space: dict[str, Any]) -> Any:
    """What a name outside of the function, or an attribute of it, means."""
    if isinstance(node, ast.Attribute):
        return getattr(_meaning(node.value, space), node.attr, None)
    return space.get(node.id) if isinstance(node, ast.Name) else None
