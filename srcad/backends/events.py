"""What Numba says of its own steps, for the table of timings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from numba.core import event

from srcad.runtime.timings import Timings

_PASSES = {"nopython_type_inference": "Numba: types", "native_lowering": "Numba: lowering",
           "aligned_lowering": "Numba: lowering", "parfor_pass": "Numba: parallel loops"}  # fmt: skip
_KINDS = {"numba:llvm_lock": "Numba: LLVM", "numba:compile": "Numba: other", "numba:run_pass": "Numba: other",
          "numba:compiler_lock": "Numba: other"}  # fmt: skip


class _Listener(event.Listener):
    def __init__(self, table: Timings):
        self.table = table

    def on_start(self, event: Any) -> None:
        data = event.data if isinstance(event.data, dict) else {}
        name = str(data.get("name", "")).split(" ")[0]
        self.table.start(_PASSES.get(name, _KINDS[event.kind]))

    def on_end(self, event: Any) -> None:
        self.table.stop()


@contextmanager
def heard(table: Timings) -> Iterator[None]:
    """Let a table hear of Numba's steps."""
    listener = _Listener(table)
    with ExitStack() as stack:
        for kind in _KINDS:
            stack.enter_context(event.install_listener(kind, listener))
        yield
