"""parting: what follows a place where a name has two ranks is typed once for each; part of `infer`."""

from __future__ import annotations

from dataclasses import dataclass

from srcad.analysis.buffers import stored_names
from srcad.lang.ir import Block, Call, Expr, For, If, Let, Move, Var, While
from srcad.lang import walk
from srcad.lang.lists import list_buffer
from srcad.lang.types import Scalar
from srcad.lang.walk import assigned
from srcad.transforms import by_rank
from srcad.transforms.phases import in_phases
from srcad.transforms.pin import expands
from srcad.transforms.singled_out import singled_out
from srcad.transforms.starts import none_made
from srcad.transforms.takers import Takers
from srcad.typing.refusal import NoIteration, SeveralRanks, SomeIteration
from srcad.typing.table import Refusal


@dataclass
class Parting(Takers):
    """Types the statements of a block."""

    stored_names: frozenset[str] = frozenset()  # the names through which arrays may be written to
    twice: frozenset[str] = frozenset()  # the names for what is changed under one name and read under another

    def every_statement(self, block: Block) -> None:
        for position, stmt in enumerate(block):
            self.origin = stmt.origin
            self.levels[-1].rest = block[position + 1 :]
            following = block[position + 1] if position + 1 < len(block) else None
            if isinstance(stmt, Move) and isinstance(following, (For, While)):
                continue  # typed with its loop
            before = block[position - 1] if position else None
            try:
                if isinstance(stmt, Let) and isinstance(stmt.value, Call) and expands(stmt.value.fn):
                    self.gradients(stmt, stmt.value, block[position + 1 :])
                    continue
                self.levels[-1].out.extend(self.statement(stmt, before if isinstance(before, Move) else None))
            except Refusal as refusal:
                entered = set(self.entered)
                parted = self.by_rank(block, position, refusal) if isinstance(refusal, SeveralRanks) else None
                if parted is not None:
                    self.parted(parted, refusal.expr is None)
                    self.entered = entered
                    return
                self.refuse(refusal)
                if isinstance(stmt, Let):
                    self.names[stmt.target] = Var(stmt.target)
                    if refusal.void is not None:
                        is_list = isinstance(stmt.value, Call) and stmt.value.fn is list_buffer
                        self.voids[stmt.target] = refusal.void if is_list else ""

    def by_rank(self, block: Block, position: int, refusal: SeveralRanks) -> Block | None:
        """The statements from a place on, where a name has two ranks: what follows once for each; None: not so."""
        stmt, rest = block[position], block[position + 1 :]
        led = isinstance(stmt, (For, While)) and position > 0 and isinstance(block[position - 1], Move)
        first = position - led
        if isinstance(refusal, SomeIteration):
            assert isinstance(stmt, For)
            entry = [*zip(block[first].targets, block[first].values)] if led else []  # type: ignore[union-attr]
            self.scopes[-1] -= assigned((*block[first:position], stmt))
            phases = singled_out(stmt, dict(entry), self.is_whole, self.name_afresh)
            phases = phases or in_phases(stmt, dict(entry), refusal.ranks, self.name_afresh)
            self.stored_names |= stored_names(phases)
            return (*phases, *rest)
        if isinstance(refusal, NoIteration):
            assert isinstance(stmt, (For, While))
            entry = [] if first == position else [*zip(block[first].targets, block[first].values)]  # type: ignore
            test = none_made(stmt, entry)
            self.asked_lengths.append(test)
            self.scopes[-1] -= assigned((block[first], stmt))  # the next time, it stands in a branch
            stmt, rest = by_rank.guarded(stmt, entry, test, rest, self.name_afresh)
            self.entered |= {target for target, _ in entry}
        if isinstance(stmt, If) and refusal.expr is None:
            new, others, results = by_rank.on_both_paths(stmt, rest, self.name_afresh)
            self.stored_names |= {others[name] for name in others.keys() & self.stored_names}
            self.twice |= {others[name] for name in others.keys() & self.twice}
            self.results |= results
            return new
        if self.copies == by_rank.DEEPEST:
            return None
        if refusal.instead is not None:
            changed = by_rank.exchanged(block[first : position + 1], refusal.expr, refusal.instead)
            if changed is None:
                return None
            self.asked_lengths.append(refusal.instead.args[0].args[0])  # type: ignore[attr-defined]
            return (*changed, *rest)
        for k in range(first, position + 1):
            found = by_rank.as_branch(block[k], refusal.expr, self.name_afresh)
            if found is not None:
                return (*block[first:k], *found, *block[k + 1 :])
        return None

    def is_whole(self, expr: Expr) -> bool:
        """Whether an expression is known to be an integer."""
        try:
            found = self.expr(expr).type if walk.names(expr) <= self.names.keys() else None  # type: ignore[union-attr]
        except Refusal:
            return False
        return isinstance(found, Scalar) and found.dtype.startswith("int")

    def may_part(self) -> bool:
        rest = self.levels[-1].rest
        return self.copies < by_rank.DEEPEST and not (len(rest) == 1 and by_rank.hands_on(rest[0])) and bool(rest)

    def parted(self, block: Block, copied: bool) -> None:
        """Type statements that stand for others, perhaps with copies in them."""
        self.copies += copied
        self.every_statement(block)
        self.copies -= copied
