"""The same derivative in several forms, each of which may go wrong by itself."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import lru_cache
from types import ModuleType
from typing import Any
from unittest.mock import patch
from weakref import WeakKeyDictionary

import numpy as np

import srcad
from srcad.backends import cache
from srcad.backends.source import Source
from srcad.backends.values import type_of
from srcad.lang.types import NONE
from srcad.pipeline import BLOCKS, generate
from srcad.runtime import LengthsDiffer
from srcad.transforms import block_length

COMPILED = "machine code"
ALONE = "gradient alone"
FORMS: dict[str, dict[str, Any]] = {
    "python": {"target": "python"},
    ALONE: {"target": "python"},
    "plain": {"target": "python", "optimize": False},
    "machine text": {},
    "exact machine text": {"fastmath": False},
    "parallel machine text": {"parallel": True},
    "forward": {"target": "python"},
    COMPILED: {},
}


class Poisoned(ModuleType):
    """NumPy whose new arrays are full of NaN, so that it shows when memory is read that nobody has written."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    @staticmethod
    def empty(*args: Any, **kwargs: Any) -> np.ndarray:
        return poisoned(np.empty(*args, **kwargs))

    @staticmethod
    def empty_like(*args: Any, **kwargs: Any) -> np.ndarray:
        return poisoned(np.empty_like(*args, **kwargs))


def poisoned(array: np.ndarray) -> np.ndarray:
    array.fill(np.nan if array.dtype.kind in "fc" else False if array.dtype.kind == "b" else -(10**9))
    return array


@lru_cache(maxsize=8)
def derivative(f: Callable, wrt: tuple[str, ...], form: str) -> Callable:
    """The value and the gradients of `f` in one of the reverse `FORMS`; parameters that do not matter give zeros."""
    if form == ALONE:  # what only the value needs is not computed then
        alone = srcad.grad(f, wrt=wrt, unconnected_gradients="zero", **FORMS[form])
        return lambda *args: (f(*copy.deepcopy(args)), alone(*args))
    made = srcad.value_and_grad(f, wrt=wrt, unconnected_gradients="zero", **FORMS[form])
    return (lambda *args: interpreted(made, args)) if "text" in form else made


_TEXTS: WeakKeyDictionary[Any, dict] = WeakKeyDictionary()  # by what makes them and for which types: they take a while


def interpreted(made: Any, args: tuple) -> Any:
    """What the text for machine code gives in the interpreter: in short blocks, and threads one after the other,
    the last one first."""
    try:
        return _interpreted(made.maker, args)
    except LengthsDiffer:
        return _interpreted(made.maker.general, args)


def _interpreted(maker: Any, args: tuple) -> Any:
    types = [type_of(arg, name) for arg, name in zip(args, maker.names)]
    added = [type_of(1.0, maker.options.seed), NONE][: len(maker.options.added)]
    fn, options, key = maker.specialised((*types, *added))
    texts = _TEXTS.setdefault(maker, {})
    if (options, key) not in texts:
        with patch.multiple(block_length, SIZE=3, SMALLEST=2):
            texts[options, key] = generate(fn, options, key[:-1], key[-1], BLOCKS)
    text = texts[options, key]
    path = cache.write_source(text.name, text.text)
    source = Source(text.name, text.text, path, dict(text.constants), result=text.result)
    space = source.function.__globals__
    for name, value in space.items():
        space[name] = Poisoned("numpy") if value is np else getattr(value, "py_func", value)
    space |= {"parts": lambda *_: 3, "prange": lambda n: reversed(range(n))}
    space |= {"independent": reversed}
    return source.rebuild(source.function(*args, *[1.0] * bool(options.extras)))
