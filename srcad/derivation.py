"""One derivative: a function and options, and the source for each signature, from the cache or from the compiler."""

from __future__ import annotations

import json
import os
import types
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numba
import numpy as np
from numba.core.compiler_lock import global_compiler_lock

from srcad.backends import cache, outlines
from srcad.backends.derivative import REQUIRED, Derivative, bound_arguments
from srcad.backends.fingerprint import Unkeyable, fingerprint, own_rules, value_key, versions
from srcad.backends.numba_types import named_type
from srcad.backends.values import asked
from srcad.backends.source import Source
from srcad.backends.state import found
from srcad.backends.warned import Warned, warn
from srcad.callables import as_function
from srcad.lang import nesting
from srcad.lang.errors import AttributeNeeded, ValueNeeded, unsupported
from srcad.lang.locate import place
from srcad.lang.origin import Origin, written
from srcad.lang.types import NONE, Type, seed_type
from srcad.options import Options
from srcad.runtime.timings import timed, timings


def generate(*args: Any, **kwargs: Any) -> Any:
    """The compiler; imported when it is needed for the first time, which the cache makes rare."""
    with timed("import of the compiler"):
        from srcad import pipeline

    return pipeline.generate(*args, **kwargs)


@dataclass(eq=False)
class Derivation:
    """Makes the source of one derivative of `fn`."""

    fn: Any
    options: Options
    sources: dict[tuple[Type, ...], Source] = field(default_factory=dict)
    latest: Source | None = None
    latest_types: tuple[Type, ...] | None = None
    warned: set[Warned] = field(default_factory=set)

    def __str__(self) -> str:
        fn, options = self.fn, self.options
        wrt = ", ".join(self.names[position] for position in options.wrt)
        return f"{options.mode} of {fn.__module__}.{fn.__qualname__} with respect to {wrt}, target {options.target!r}"

    @property
    def constructor(self) -> tuple[Any, tuple]:
        """What makes an equal derivative object, and from what."""
        return build, (getattr(self.fn, "bound", self.fn), self.options)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The derivative's parameters: the function's, the seed, and where gradients are written to."""
        return (*parameters(self.fn), *self.options.added)

    @cached_property
    def for_another(self) -> Derivation:
        """What makes the source that the next derivative is taken of."""
        return Derivation(self.fn, replace(self.options, marked=True))

    @cached_property
    def general(self) -> Derivation:
        """What makes the source that takes no lengths to agree."""
        return Derivation(self.fn, replace(self.options, alike=False))

    def template(self) -> types.FunctionType:
        """A function with the name, the parameters, the defaults and the documentation of the derivative."""
        stem = self.fn.__name__ if self.fn.__name__.isidentifier() else "lambda_"
        name = self.options.title(stem)
        space: dict[str, Any] = {"__name__": self.fn.__module__}
        exec(f"def {name}({', '.join(self.names)}):\n    raise NotImplementedError", space)
        template = space[name]
        own = (1.0,) * len(self.options.extras) + (None,) * self.options.into
        template.__defaults__ = (*defaults(self.fn), *own)
        template.__qualname__ = self.fn.__qualname__
        what = "" if self.options.mode == "function" else f"Derivative of {stem} with respect to {self._wrt()}.\n\n"
        template.__doc__ = f"{what}{self.fn.__doc__ or ''}".rstrip()
        return template

    def _wrt(self) -> str:
        return ", ".join(self.names[position] for position in self.options.wrt) or "nothing"

    # ------------------------------------------------------------ the source for a signature

    def source(self, signature: tuple[Type, ...]) -> Source:
        """The source for arguments and a seed of these types; made by one thread at a time, under Numba's own lock."""
        with global_compiler_lock:
            key = self._key(signature)
            if key not in self.sources:
                with timings(f"the source of {self.options.title(self.fn.__name__)}"):
                    self.sources[key] = self._kept_or_made(key)
            self.latest, self.latest_types = self.sources[key], key
            return self.latest

    def _key(self, signature: tuple[Type, ...]) -> tuple[Type, ...]:
        """The types of the arguments, of the seed, and of `out` if there is one."""
        if not self.options.extras:
            end = len(signature) - self.options.into
            return (*signature[:end], NONE, *signature[end:])
        end = -2 if self.options.into else -1
        return (*signature[:end], seed_type(signature[end], self.options.seed), *signature[end:][1:])

    def _kept_or_made(self, key: tuple[Type, ...]) -> Source:
        try:
            with timed("fingerprint"):
                print_ = fingerprint(*versions(), own_rules(), self.options, self.fn, key)
        except (Unkeyable, RecursionError):
            return self._made(key)
        name = f"{print_.digest.hex()[:32]}.json"
        return self._kept(name, key, print_.values) or self._made(key, name, print_.values)

    def _kept(self, name: str, key: tuple[Type, ...], values: dict[str, Any]) -> Source | None:
        """What the cache holds under this name, with its constants from the live function."""
        with timed("source from disk"):
            data = cache.read_sealed(name)
        entry = json.loads(data) if data is not None else None
        text = cache.read_source(entry["file"]) if entry else None
        if entry is None or text is None or not values.keys() >= set(entry["constants"].values()):
            return None
        try:
            result = outlines.decoded(entry["result"], values)
        except LookupError:
            return None
        warn(entry["warned"], self.warned)
        constants = {constant: values[value] for constant, value in entry["constants"].items()}
        kept = Source(entry["name"], text, os.path.join(cache.directory(), entry["file"]), constants,
                      lambda: self._generate(key).lines, result, entry["exact"],
                      tuple(map(tuple, entry["left"])))  # fmt: skip
        if not entry["compiled"]:
            return kept
        path, ran = os.path.join(cache.directory(), entry["compiled"]), cache.read_source(entry["compiled"])
        return _compiled_from(kept, ran, path, lambda: self._generate(key).compiled.lines) if ran else None

    def _made(self, key: tuple[Type, ...], name: str = "", values: dict[str, Any] | None = None) -> Source:
        """What the compiler makes, put into the cache."""
        made = self._generate(key)
        warn(made.warned, self.warned)
        with timed("source to disk"):
            path = cache.write_source(made.name, made.text)
            ran = cache.write_source(made.name, made.compiled.text) if made.compiled else ""
        try:
            constants = {constant: value_key(value) for constant, value in made.constants.items()}
        except Unkeyable:
            constants = {"": "unknown"}
        if name and values is not None and values.keys() >= set(constants.values()):
            entry = {"file": os.path.basename(path), "name": made.name, "constants": constants,
                     "result": outlines.encoded(made.result), "exact": made.exact, "left": made.left,
                     "warned": made.warned, "compiled": os.path.basename(ran)}  # fmt: skip
            cache.write_sealed(name, json.dumps(entry).encode())
        lines: dict[int, Origin] = made.lines
        source = Source(made.name, made.text, path, dict(made.constants), lambda: lines, made.result, made.exact,
                        made.left)  # fmt: skip
        return _compiled_from(source, made.compiled.text, ran, lambda: made.compiled.lines) if ran else source

    def specialised(self, signature: tuple[Type, ...]) -> tuple[Any, Options, tuple[Type, ...]]:
        """What the compiler is given for a signature: the function, the options, the types of arguments and seed."""
        key, options = self._key(signature), self.options
        if options.into:
            key, out = key[:-1], key[-1]
            options = replace(options, out=None if out == NONE else out)
        fn = inner_function(self.fn, key[:-1], options.alike) if isinstance(self.fn, Derivative) else self.fn
        return fn, options, key

    def _generate(self, key: tuple[Type, ...], stage: str | None = None) -> Any:
        fn, options, key = self.specialised(key)
        seed = key[-1]
        return generate(fn, options, key[:-1], None if seed == NONE else seed, stage)

    # ------------------------------------------------------------ for people

    def text(self, args: tuple, kwargs: dict[str, Any], stage: str | None = None) -> str:
        """The source for example arguments or types; without any, the one made last."""
        if not args and not kwargs and len(self.names) > len(self.options.added):
            if self.latest is None or stage is not None:
                raise ValueError(f"there is no source of {self.template().__name__} yet: call it, or pass arguments or "
                                 f"types, as in source({', '.join('float' for _ in parameters(self.fn))})")  # fmt: skip
            return self.latest.text
        fixed: frozenset[str] = frozenset()
        while True:
            try:
                return self._text(self._signature(args, kwargs, fixed), stage)
            except ValueNeeded as needed:
                if needed.names <= fixed:  # a type was given, and no value
                    raise
                fixed |= needed.names

    def _text(self, signature: tuple[Type, ...], stage: str | None) -> str:
        if stage is None:
            return self.source(signature).text
        with global_compiler_lock:
            return self._generate(self._key(signature), stage).text

    def _signature(self, args: tuple, kwargs: dict[str, Any], fixed: frozenset[str] = frozenset()) -> tuple[Type, ...]:
        """The types of arguments; of the `fixed` ones, the values, where these are given."""
        import inspect

        template = self.template()
        bound = bound_arguments(inspect.signature(template), template.__name__, args, kwargs)
        return tuple(asked(value, name) if name in fixed and isinstance(value, (int, tuple, np.ndarray))
                     else named_type(value, name) for value, name in zip(bound.args, self.names))  # fmt: skip


def _compiled_from(source: Source, text: str, path: str, lines: Callable[[], dict[int, Origin]]) -> Source:
    """A source of which another text is compiled."""
    return replace(source, compiled=replace(source, text=text, path=path, lines=lines))


def code_of(fn: Any) -> types.CodeType:
    return getattr(fn, "py_func", fn).__code__


def parameters(fn: Any) -> tuple[str, ...]:
    """The names of a function's parameters; those of a derivative without its seed."""
    if isinstance(fn, Derivative):
        return fn.bare.names[: len(fn.bare.names) - len(fn.bare.options.added)]
    code = code_of(fn)
    own = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return (*own, *getattr(fn, "outside", ()), *getattr(fn, "variables", ()))


def defaults(fn: Any) -> tuple[Any, ...]:
    """The default values of a function's last parameters, from the first that has one."""
    if isinstance(fn, Derivative):
        values = fn.maker.template().__defaults__ or ()
        return values[: len(values) - len(fn.maker.options.added)]
    fn = getattr(fn, "py_func", fn)
    if hasattr(fn, "variables"):
        return ()  # every argument is passed
    names, plain = parameters(fn), fn.__defaults__ or ()
    end = fn.__code__.co_argcount
    given = dict(zip(names[end - len(plain) : end], plain)) | (fn.__kwdefaults__ or {})
    first = next((k for k, name in enumerate(names) if name in given), len(names))
    return tuple(given.get(name, REQUIRED) for name in names[first:])


def inner_function(derivative: Derivative, signature: tuple[Type, ...], alike: bool) -> Any:
    """A derivative as a function to be differentiated once more: it calls the source made for these types.

    Where the outer one takes no lengths to agree, neither does this one.
    """
    maker = derivative.maker.for_another if alike else derivative.maker.for_another.general
    inner = maker.source((*signature, *[NONE] * len(derivative.maker.options.added)))
    if inner.left:
        reason = "a derivative of a derivative of a function that changes its arguments"
        raise unsupported(place(maker.fn), reason, "copies of them: body = dataclasses.replace(body), d = dict(d)")
    names, classes = parameters(derivative), dict[str, Any]()
    passed = f"derivative({', '.join(nesting.apart(name, type, classes) for name, type in zip(names, signature))})"
    if inner.result is None:
        text = f"def {inner.name}({', '.join(names)}):\n    return {passed}\n"
    else:
        result = nesting.together("made", inner.result, classes)
        text = f"def {inner.name}({', '.join(names)}):\n    made = {passed}\n    return {result}\n"
    written[inner.path] = inner.lines
    path = cache.write_source(inner.name, text)
    return Source(inner.name, text, path, {"derivative": inner.function, **classes}).function


def build(fn: Any, options: Options, needed: AttributeNeeded | None = None) -> Derivative:
    """The derivative object for the target; one that passes variables or objects along, where the function needs it."""
    if needed or isinstance(fn, Derivative) and hasattr(fn, "variables"):
        from srcad.stateful import Stateful

        return Stateful(fn, lambda _: options, getattr(fn, "variables", {}), build, needed)
    if not hasattr(fn, "variables") and not isinstance(fn, Derivative):
        if variables := found(fn):
            from srcad.stateful import Stateful

            return Stateful(as_function(fn), lambda _: options, variables, build)
    derivation = Derivation(as_function(fn), options)
    if options.target == "python" or getattr(numba.config, "DISABLE_JIT", False):
        from srcad.backends.python import PythonDerivative

        return PythonDerivative(derivation, options.debug or options.nan_check)
    from srcad.backends.numba_cpu import DebuggedDerivative, NumbaDerivative

    return (DebuggedDerivative if options.debug else NumbaDerivative)(derivation, options)
