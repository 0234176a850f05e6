"""The backend "cpu": a Numba dispatcher whose specialisations are generated source.

Calls go through Numba's own dispatch and cost what calls of any ``@njit`` function cost; `compile` is where a new
signature gets its source.
"""

from __future__ import annotations

import warnings
from contextlib import nullcontext
from functools import cached_property
from typing import Any

import numpy as np
from numba import _dispatcher
from numba.core import sigutils
from numba.core import types as nb
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import ForceLiteralArg, NumbaPerformanceWarning
from numba.core.registry import CPUDispatcher
from numba.core.typeconv.rules import default_type_manager

from srcad.backends.aliases import views_noticed
from srcad.backends.dispatchers import dispatcher_of
from srcad.backends.derivative import Derivative, Maker, check_passed
from srcad.backends.calls import callable_from_code
from srcad.backends.events import heard
from srcad.backends.instead import compiled_instead
from srcad.backends.left import put_back
from srcad.backends.lengths import differ, takes_lengths_to_agree
from srcad.backends.located import replayed
from srcad.backends.numba_types import to_type
from srcad.backends.python import PythonDerivative
from srcad.backends.said import explained
from srcad.backends.single import Axes, axes_of_one, with_axes_of_one
from srcad.backends.source import Source
from srcad.lang.called_with import called_with
from srcad.lang.errors import AttributeNeeded, ValueNeeded
from srcad.lang.structure import plain, skeleton
from srcad.lang.types import NONE, Static
from srcad.options import Options
from srcad.runtime import LengthsDiffer
from srcad.runtime.timings import timings

# What stands for `out` where none is passed: a number of a type that no call passes and that is found at once, as None
# is not.
_ABSENT = 0j


class Specialised(CPUDispatcher):
    """A dispatcher whose specialisations are generated source.

    `skeletons` is what the types of compiled code do not tell of the arguments: see `srcad.lang.structure`.
    """

    single: Axes = ()  # the axes of arguments that have one element in all calls

    def __init__(self, maker: Maker, options: Options, skeletons: tuple[Any, ...] = ()):
        self.maker, self.options, self.skeletons = maker, options, skeletons or (None,) * len(maker.names)
        template = maker.template()
        CPUDispatcher.__init__(self, template, targetoptions={"nopython": True})
        defaults = template.__defaults__ or ()
        self._fill_in_values((*defaults[:-1], _ABSENT) if options.into else defaults)
        self.sources: dict[tuple[nb.Type, ...], Source] = {}
        self._inner: list[CPUDispatcher] = []  # kept: a dispatcher that is collected withdraws its overloads
        self._callables: dict[tuple[nb.Type, ...], Any] = {}
        self._passed: tuple[Any, ...] | None = None

    def _compile_for_args(self, *args: Any, **kwargs: Any) -> Any:
        self._passed = args
        try:
            with called_with(self.maker.names, args):
                return super()._compile_for_args(*args, **kwargs)  # type: ignore[misc]
        finally:
            self._passed = None

    def _fill_in_values(self, defaults: tuple) -> None:
        """Let the dispatcher fill in omitted arguments by value.

        Numba marks them with objects of a type of their own, whose code it looks up by the type of the value alone:
        once any other function has a default of that type, every call takes the slow path, some 15 us.
        """
        names, manager = self.maker.names, default_type_manager.get_pointer()
        _dispatcher.Dispatcher.__init__(self, manager, len(names), True, names, defaults, False, False, False)

    def compile(self, sig: Any) -> Any:
        """The entry point for a signature; its source is written and compiled at the first request."""
        args: Any = sigutils.normalize_signature(sig)[0]
        if strings := {n for n, arg in enumerate(args) if isinstance(arg, nb.UnicodeType)}:
            raise ForceLiteralArg(strings)
        args = tuple(arg if isinstance(arg, nb.StringLiteral) else nb.unliteral(arg) for arg in args)
        with global_compiler_lock:
            if args not in self.overloads:
                shown = ", ".join(map(str, self._meant(args)))
                with timings(f"{self.options.title(self.maker.fn.__name__)}({shown})", heard):
                    self._specialise(args)
            compiled: Any = self.overloads[args]
            return compiled.entry_point

    def _specialise(self, args: tuple[nb.Type, ...]) -> None:
        types_ = tuple(map(to_type, self._meant(args), self.maker.names, self.skeletons))
        types_ = with_axes_of_one(types_, self.single)
        self.sources[args] = source = self.maker.source(types_)
        if self.options.into and types_[-1] != NONE:
            check_writeable(args[-1])
        ran = source.compiled or source
        if self._passed is not None and differ(ran, self._passed):
            raise LengthsDiffer
        inner = dispatcher_of(ran, self.options, self.options.into and types_[-1] == NONE)
        try:
            noticing = views_noticed() if self.options.parallel else nullcontext()
            with warnings.catch_warnings(), compiled_instead(), noticing:
                warnings.simplefilter("ignore", NumbaPerformanceWarning)
                inner.compile(args)
        except Exception as error:  # Numba's errors, and Python's out of the depth of Numba
            raise explained(error, ran) from error
        self._inner.append(inner)
        self._callables[args] = callable_from_code(inner.overloads[args])
        self.add_overload(inner.overloads[args])

    def _meant(self, args: tuple[nb.Type, ...]) -> tuple[nb.Type, ...]:
        """The types of what the caller has passed, None standing for `out` where nothing has been."""
        return (*args[:-1], nb.none) if self.options.into and args[-1] == nb.complex128 else args

    def rebuilt(self, *values: Any) -> Any:
        """The result for the user's arguments, as the user's structure."""
        args = [*map(plain, values)]
        result = self(*args)
        source, *others = self.sources.values()
        if any(other.result != source.result for other in others):
            source = self.sources[tuple(map(self.typeof_pyval, args))]
        whole = source.rebuild(result)
        return put_back(whole, self.maker, source.left, values) if source.left else whole


class NumbaDerivative(Derivative, Specialised):
    """A derivative compiled with Numba, once per signature; also callable inside ``@njit`` functions.

    Arguments that Numba knows go straight to compiled code. For dicts, lists, dataclasses and what counts at compile
    time only, there is one dispatcher for each skeleton, which gets the arguments taken apart.
    """

    differed = False  # lengths that are taken to agree, in a call before

    def __init__(self, maker: Maker, options: Options):
        Specialised.__init__(self, maker, options)
        self._skeletons: dict[tuple[Any, ...], Specialised] = {}
        self._fixed: frozenset[str] = frozenset()  # parameters whose values decide types
        self._differing: set[tuple[Any, ...]] = set()  # skeletons of arguments whose lengths differ
        self._singles: dict[Axes, NumbaDerivative] = {}  # for arguments of which axes have one element

    def _compile_for_args(self, *args: Any, **kwargs: Any) -> Any:
        """What to call for arguments that no specialisation is for."""
        check_passed(self.py_func.__name__, self.maker.names, args)
        if self._beyond is not None:
            return self.passing_objects
        if self._fixed or any(map(skeleton, args)):
            return self.structured
        try:
            entry = super()._compile_for_args(*args, **kwargs)
        except ValueNeeded as needed:
            self._fixed |= needed.names
            return self.structured
        except AttributeNeeded as needed:
            self.beyond(needed)
            return self.passing_objects
        except LengthsDiffer:
            self.differed = True
            return self._checked(self.differing)
        source = self.sources.get(tuple(map(self.typeof_pyval, args)))
        if source is not None and takes_lengths_to_agree(source):
            entry = self._checked(self.allowing)
        return entry if source is None or source.result is None else self.put_together

    def _checked(self, entry: Any) -> Any:
        """What to call, from now on where lengths agree only."""
        if type(self) is NumbaDerivative:
            self.__class__ = CheckedDerivative
        return entry

    @cached_property
    def general(self) -> NumbaDerivative:
        """The derivative that takes no lengths to agree."""
        options = self.maker.general.options
        return (DebuggedDerivative if options.debug else NumbaDerivative)(self.maker.general, options)

    def allowing(self, *args: Any) -> Any:
        """A call of what has been compiled, also where lengths differ that it takes to agree."""
        compiled: Any = self.overloads[tuple(map(self.typeof_pyval, args))]
        try:
            return compiled.entry_point(*args)
        except LengthsDiffer:
            return self.differing(*args)

    def differing(self, *args: Any, **kwargs: Any) -> Any:
        """A call where lengths differ that are taken to agree: with those of one element known they may do."""
        names = self.maker.names[: len(self.maker.names) - len(self.options.added)]
        axes = () if self.single else axes_of_one(names, args, kwargs)
        if not axes:
            return self.general(*args, **kwargs)
        if axes not in self._singles:
            made = NumbaDerivative(self.maker, self.options)
            made.single, made.general = axes, self.general
            self._singles[axes] = made
        return self._singles[axes](*args, **kwargs)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What compiled code calls: the derivative that takes no lengths to agree."""
        compiled: Any = self.general if self.maker.options.alike else super()
        return compiled.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        compiled: Any = self.general if self.maker.options.alike else self
        return compiled._callables[tuple(sigutils.normalize_signature(sig)[0])]

    def add_overload(self, cres: Any) -> None:
        """Enter a specialisation; calls find it by themselves unless its result has to be put together."""
        if self.sources[tuple(cres.signature.args)].result is None:
            Specialised.add_overload(self, cres)
        else:
            self.overloads[tuple(cres.signature.args)] = cres

    def put_together(self, *args: Any) -> Any:
        """A call with arguments of compiled code, whose result is a structure that compiled code does not have."""
        types = tuple(map(self.typeof_pyval, args))
        compiled: Any = self.overloads[types]
        try:
            return self.sources[types].rebuild(compiled.entry_point(*args))
        except LengthsDiffer:
            return self.differing(*args)

    def structured(self, *args: Any) -> Any:
        """A call with arguments that compiled code does not have."""
        key = tuple(_valued(arg) if name in self._fixed else skeleton(arg) for arg, name in zip(args, self.maker.names))
        if key in self._differing:
            general: Any = self.general
            return general.structured(*args)
        inner = self._skeletons.get(key)
        if inner is None:
            inner = self._skeletons.setdefault(key, Specialised(self.maker, self.options, key))
        try:
            return inner.rebuilt(*args)
        except LengthsDiffer:
            self._differing.add(key)
        except ValueNeeded as needed:
            self._fixed |= needed.names
        except AttributeNeeded as needed:
            self.beyond(needed)
            return self.passing_objects(*args)
        return self.structured(*args)

    def passing_objects(self, *args: Any) -> Any:
        """A call of a function that changes objects of the surroundings."""
        assert self._beyond is not None
        return self._beyond(*(args[:-1] if self.options.into and args[-1] is _ABSENT else args))  # type: ignore[operator]

    __repr__ = Derivative.__repr__
    __reduce__ = Derivative.__reduce__


class CheckedDerivative(NumbaDerivative):
    """A derivative that takes lengths to agree; where they do not, `differing` is called, from then on always."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not self.differed:
            try:
                return super().__call__(*args, **kwargs)  # type: ignore[misc]
            except LengthsDiffer:
                self.differed = True
        return self.differing(*args, **kwargs)


def _valued(arg: Any) -> Any:
    """What counts of an argument that types depend on: a number's value, the lengths of an array."""
    return arg.shape if isinstance(arg, np.ndarray) else Static(arg)


class DebuggedDerivative(NumbaDerivative):
    """A derivative whose errors name the user's line."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return replayed(super().__call__, PythonDerivative(self.maker, debug=True), args, kwargs)  # type: ignore[misc]
        except LengthsDiffer:
            return self.general(*args, **kwargs)


def check_writeable(out: Any) -> None:
    """Refuse arrays that must not be written to."""
    if isinstance(out, nb.Array) and not out.mutable:
        raise ValueError("out is read-only, or has an array that is; pass np.empty_like(...) of the argument")
    for part in getattr(out, "types", ()):
        check_writeable(part)
