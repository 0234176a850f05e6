"""Numba's machine code on disk, beside the source it was made from.

Numba's own cache knows neither the values of a module's constants nor the options of the compilation, trusts what it
finds, and falls over a truncated file. This one names a file after all that its content depends on, and seals it.
"""

from __future__ import annotations

import os
import pickle
import sys
from typing import Any

import numba
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from srcad.backends import cache
from srcad.backends.numba_types import persistent
from srcad.runtime.timings import timed


class MachineCode(NullCache):
    """The compiled specialisations of one generated function; `key` says what they depend on beside its file."""

    def __init__(self, path: str, key: bytes):
        self._stem = os.path.splitext(os.path.basename(path))[0]
        self._directory = os.path.dirname(path)
        self._key = key

    @property
    def cache_path(self) -> str:
        return self._directory

    def _file(self, signature: Any, codegen: Any) -> str:
        args = signature.args if hasattr(signature, "args") else signature
        target = (numba.__version__, sys.version, codegen.magic_tuple(), tuple(map(str, args)))
        return f"{self._stem}.{cache.digest(self._key, repr(target).encode())[:24]}.bin"

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """The machine code for the signature, or None: it is absent, damaged, or not from here."""
        target_context.refresh()
        with timed("machine code from disk"):
            data = cache.read_sealed(self._file(sig, target_context.codegen()))
            if data is None:
                return None
            try:
                return CompileResult._rebuild(target_context, *pickle.loads(data))
            except Exception:  # whole, but from another build of Numba or its libraries: as good as absent
                return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep machine code, unless it holds addresses of this process."""
        args = sig.args if hasattr(sig, "args") else sig
        types = (*args, data.signature.return_type)
        if data.lifted or data.library.has_dynamic_globals or not all(map(persistent, types)):
            return
        try:
            with timed("machine code to disk"):
                cache.write_sealed(self._file(sig, data.codegen), dumps(data._reduce()))
        except (OSError, pickle.PicklingError, TypeError, AttributeError):
            return  # a full disk or a constant that cannot be pickled: the next process compiles again
