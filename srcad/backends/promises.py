"""Loops that LLVM may take for granted to be independent: what ``independent(range(n))`` promises, in LLVM's terms, and
of memory ``apart(range(n))``.

All that such a loop loads from arrays and stores in them gets the metadata `llvm.access.group`, and its jump back
`llvm.loop.parallel_accesses`: see "llvm.loop" in LLVM's reference of its language. Of anything else that a loop touches
nothing is said, and LLVM then goes by its own analysis.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import Any

from llvmlite import ir
from llvmlite.ir import instructions
from llvmlite.ir.values import MDValue

from srcad.runtime.iterations import APART, INDEPENDENT


class Distinct(MDValue):
    """Metadata that is equal to itself alone; that of a loop names itself first."""

    def __init__(self, module: Any, operands: tuple = (), itself: bool = False):
        self.itself = itself
        super().__init__(module, operands, str(len(module.metadata)))

    def descr(self, buf: list[str]) -> None:
        names = [self.get_reference()] * self.itself + [each.get_reference() for each in self.operands]
        buf += ("distinct !{ " + ", ".join(names) + " }", "\n")

    __eq__, __hash__ = object.__eq__, object.__hash__


def keep_promises(function: Any) -> None:
    """Tell LLVM of the loops of a function, as Numba has written it, which are marked."""
    marked = [block for block in function.blocks for i in block.instructions
              if {INDEPENDENT, APART} & i.metadata.keys()]  # fmt: skip
    if not marked:
        return
    before: dict[Any, list[Any]] = defaultdict(list)
    for block in function.blocks:
        for behind in _behind(block):
            before[behind].append(block)
    for block in marked:
        _tell(function.module, *_loop_behind(block, before))


def _loop_behind(marked: Any, before: dict[Any, list[Any]]) -> tuple[list[Any], list[Any]]:
    """The blocks of the loop that comes next, and those of them that jump back to its first one."""
    for header in _reached(marked, None):
        reached = _reached(header, marked)
        back = [block for block in before[header] if block in reached]
        if back and header is not marked:
            break
    body = dict.fromkeys((header, *back))
    waiting = [block for block in back if block is not header]
    while waiting:
        new = [block for block in before[waiting.pop()] if block not in body]
        body |= dict.fromkeys(new)
        waiting += new
    return list(body), back


def _reached(start: Any, wall: Any) -> dict[Any, None]:
    """The blocks that may run behind one before `wall` does, the nearest first."""
    found = {start: None}
    waiting = deque(found)
    while waiting:
        new = [block for block in _behind(waiting.popleft()) if block not in found and block is not wall]
        found |= dict.fromkeys(new)
        waiting += new
    return found


def _behind(block: Any) -> list[Any]:
    end = block.terminator  # the block of the arguments gets its own last
    return [each for each in end.operands if isinstance(each, ir.Block)] if end is not None else []


def _tell(module: Any, body: list[Any], back: list[Any]) -> None:
    group = Distinct(module)
    said = [module.add_metadata([ir.MetaDataString(module, "llvm.loop.parallel_accesses"), group])]
    itself = Distinct(module, tuple(said), itself=True)
    for block in body:
        for each in block.instructions:
            if (place := _place(each)) is not None and not _is_local(place):
                each.set_metadata("llvm.access.group", group)
    for block in back:
        block.terminator.set_metadata("llvm.loop", itself)


def _place(each: Any) -> Any:
    """Where an instruction loads from or stores."""
    match each:
        case instructions.LoadInstr():
            return each.operands[0]
        case instructions.StoreInstr():
            return each.operands[1]
    return None


def _is_local(place: Any) -> bool:
    """Whether a place is in the frame, where a variable of one iteration lies where that of the next will."""
    while True:
        match place:
            case instructions.AllocaInstr():
                return True
            case instructions.GEPInstr():
                place = place.pointer
            case instructions.CastInstr():
                place = place.operands[0]
            case _:
                return False
