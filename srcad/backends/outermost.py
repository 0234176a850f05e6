"""Machine code of what is called from outside alone: functions that stand in others stay text of LLVM's.

Numba makes machine code of every function that it compiles, also of the many that are only copied into those that call
them. Nobody calls that code, and a third of LLVM's time goes there. Here a library of functions waits until somebody
asks for the address of one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.environment import lookup_environment
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys

_ENVIRONMENT = "_ZN08NumbaEnv"  # begins the names of the places where functions find objects of Python
_now: list[None] = []  # one for each `outermost()` that is entered


class Waiting(JITCodeLibrary):
    """A library of functions, optimised, of which there is no machine code yet.

    Each library that is finished meanwhile becomes one, and goes back to its own class with its machine code.
    """

    def get_pointer_to_function(self, name: str) -> int:
        if not any(each.name == name for each in self.get_defined_functions()):
            return 0
        self._made()
        return _address(self, name)

    def _get_module_for_linking(self) -> Any:
        if not _now:  # what Numba links by itself takes the objects of Python to be in their places
            self._made()
        return JITCodeLibrary._get_module_for_linking(self)

    def _get_compiled_object(self) -> Any:
        self._made()
        return self._get_compiled_object()

    def _made(self) -> None:
        self.__class__ = JITCodeLibrary  # type: ignore[assignment]
        _finish(self)
        for variable in self._final_module.global_variables:
            environment = lookup_environment(variable.name) if variable.name.startswith(_ENVIRONMENT) else None
            if environment is not None:
                _set(self._codegen, variable.name, environment)


_finish = JITCodeLibrary._finalize_final_module
_address = JITCodeLibrary.get_pointer_to_function
_set: Any = JITCPUCodegen.set_env


def _wait(self: Any) -> None:
    if getattr(self, "_compiled_object", None):  # from the disk
        _finish(self)
        return
    self._finalize_dynamic_globals()
    self._verify_declare_only_symbols()
    self._finalized = True
    self.__class__ = Waiting


def _address_when_made(self: Any, name: str) -> int:
    self._ensure_finalized()
    return self.get_pointer_to_function(name) if isinstance(self, Waiting) else _address(self, name)


def _set_if_there(self: Any, name: str, environment: Any) -> None:
    if self._engine.is_symbol_defined(name):
        _set(self, name, environment)


@contextmanager
def outermost() -> Iterator[None]:
    """Libraries of functions that are compiled inside wait; Numba's lock is held, so nothing else is.

    That of Numba's own memory does not: what calls itself asks for an address in it while its own machine code is made,
    and to make it just then would finish that code before it knows where to find itself.
    """
    if not _now:
        rtsys.initialize(cpu_target.target_context)
    _now.append(None)
    _patch(_wait, _address_when_made, _set_if_there)
    try:
        yield
    finally:
        _now.pop()
        if not _now:
            _patch(_finish, _address, _set)


def _patch(finish: Any, address: Any, place: Any) -> None:
    for owner, name, value in (
        (JITCodeLibrary, "_finalize_final_module", finish), (JITCodeLibrary, "get_pointer_to_function", address),
        (JITCPUCodegen, "set_env", place),
    ):  # fmt: skip
        setattr(owner, name, value)
