"""explain: what a derivative goes through, what it records and computes again, and how its loops are reversed."""

from __future__ import annotations

import inspect
import operator
from dataclasses import dataclass
from typing import Any

from srcad.analysis.bisections import roots
from srcad.any_number import for_args
from srcad.backends.derivative import Derivative, bound_arguments
from srcad.backends.values import type_named
from srcad.eager import Implicit
from srcad.explanations import Explanation, Loop, Recorded, Replayed, Story
from srcad.lang import walk
from srcad.lang.errors import ValueNeeded
from srcad.lang.ir import Call, For, Function, Let, Stmt, Tuple, While, hint, is_temporary
from srcad.lang.left import leaving_alone
from srcad.lang.types import Type
from srcad.options import Options
from srcad.pipeline import helpers, passes, stages
from srcad.sizes import formula, measured, size
from srcad.stateful import Stateful
from srcad.stories import Stories, spelled
from srcad.transforms import name as naming
from srcad.transforms.blocks import in_blocks
from srcad.transforms.decisions import Decisions, Record
from srcad.transforms.runs import is_block


def explain(
    df: Any, name: str | None = None, *, args: tuple | None = None, kwargs: dict[str, Any] | None = None
) -> Explanation | Story:
    """What a derivative goes through, what it records, and how its loops are reversed.

    Parameters
    ----------
    df
        What `grad` or `value_and_grad` has made.
    name : str, optional
        A name of the function: tell about it alone.
    args : tuple, optional
        Example arguments, or their types as `source` takes them; values give sizes as numbers, too. Without
        them, the derivative that was made last is explained.
    kwargs : dict, optional
        Arguments by name.

    Returns
    -------
    Explanation or Story
        Of all names, with the attributes `gradients`, `names`, `records`, `replayed`, `loops` and `bytes`; or of
        one name, with `facts`, `gradient`, `records` and `lines`. Both print as a text.

    Raises
    ------
    TypeError
        If `df` is no derivative, or `name` no text.
    ValueError
        If nothing has been made yet and no arguments are given, or if the function has no such name.

    Examples
    --------
    >>> import srcad
    >>> def orbit(r, x, n):
    ...     scale = 2
    ...     for _ in range(n):
    ...         x = r * x * (1.0 - x)
    ...     return x * scale
    >>> print(explain(srcad.grad(orbit), args=(3.5, 0.5, 1000)))
    orbit with respect to r, for r: float64, x: float64, n: int64
    gradients
      r      is returned
    names
      r      carries a derivative
      x      carries a derivative
      n      an integer
      scale  an integer
      _      an integer
    recorded: 8000 bytes
      x_tape  8*n bytes, 8000: x at line 3 (the iteration starts from it),
              read by the derivative of line 4
    computed again in the reverse sweep
      line 4  parts of x = r * x * (1.0 - x)
    loops
      line 3  for _ in range(n):
              reversed by a loop of its own: it records x
    """
    df = df.made if isinstance(df, Implicit) else for_args(df, args, kwargs)
    if not isinstance(df, Derivative):
        raise TypeError(f"{df!r} is no derivative; make one with srcad.grad or srcad.value_and_grad")
    if name is not None and not isinstance(name, str):
        raise TypeError(f"name must be a name in the function, not a {type(name).__name__}; arguments are passed as "
                        "args=(...)")  # fmt: skip
    if args is not None and not isinstance(args, (tuple, list)):
        raise TypeError(f"args must be a tuple of arguments, not {args!r}")
    found = _Found.of(df, args, kwargs)
    if name is None:
        return found.explanation()
    return found.story(name)


def _reached(fn: Any, options: Options, key: tuple[Type, ...]) -> tuple[dict[str, Function], Decisions]:
    """The function after each stage, and what was decided."""
    decisions = Decisions()
    return dict(stages(fn, options, key[:-1], key[-1], decisions)), decisions


@dataclass
class _Found:
    """The stages of a derivative that are read, and what the passes have decided."""

    stories: Stories
    reached: dict[str, Function]
    decisions: Decisions
    values: dict[str, Any]
    options: Any
    blocked: frozenset[int] = frozenset()  # lines of loops whose iterations go side by side

    @staticmethod
    def of(df: Any, args: tuple | None, kwargs: dict[str, Any] | None) -> _Found:
        latest = args is None and kwargs is None
        df = getattr(df, "_beyond", None) or df
        if not isinstance(df, Stateful):
            return _Found._of(df.maker, tuple(args or ()), kwargs or {}, latest)

        def with_values(made: Any) -> _Found:
            inputs = () if latest else df._inputs(made, tuple(args or ()), kwargs or {})
            return _Found._of(made.inner.maker, tuple(inputs), {}, latest)

        return df._settled(with_values)  # type: ignore[no-any-return]

    @staticmethod
    def _of(maker: Any, args: tuple, kwargs: dict[str, Any], latest: bool) -> _Found:
        fixed: frozenset[str] = frozenset()
        while True:
            signature, values = _signature(maker, args, kwargs, latest, fixed)
            fn, options, key = maker.specialised(signature)
            try:
                reached, decisions = leaving_alone(lambda: _reached(fn, options, key), not options.alike)  # noqa: B023
                break
            except ValueNeeded as needed:
                if needed.names <= fixed:
                    raise
                fixed |= needed.names
        if decisions.function is None:
            raise TypeError("explain is about gradients; this derivative is made in forward mode")
        wrt = tuple(maker.names[position] for position in options.wrt)
        stories = Stories(decisions.function, reached["read"], decisions.context, wrt)
        blocked = in_blocks(reached, passes(options, key[:-1], key[-1])) if options.blocked else None
        lines = (s.origin.line for s in walk.statements(blocked.body if blocked else ()) if is_block(s))
        return _Found(stories, reached, decisions, values, options, frozenset(lines))

    # ------------------------------------------------------------ the parts

    def explanation(self) -> Explanation:
        names = self.stories.names()
        params = ", ".join(f"{p.name}: {spelled(p.type)}" for p, _ in self.stories.fn.arguments)
        head = f"{self.stories.fn.name} with respect to {', '.join(self.stories.wrt)}, for {params}"
        gradients = {name: self._gradient(name) for name in self.stories.wrt}
        made = self.decisions.loops.values()
        loops = [Loop(one.origin.line, one.origin.text, one.joined, one.why, one.reversed,
                      one.origin.line in self.blocked) for one in made]  # fmt: skip
        return Explanation(
            head,
            gradients,
            {name.name: name for name in names},
            tuple(self.records()),
            tuple(self.replayed()),
            tuple(sorted(loops, key=lambda loop: loop.line)),
            {problem.line: problem.remedy for problem in roots(self.reached, self.options.wrt)},
            self.threads() if self.options.parallel else None,
        )

    def threads(self) -> dict[str, str]:
        """Which loops threads share; in the interpreter, none."""
        if self.options.target != "cpu":
            return {"all": "target is 'python'"}
        found = sorted(self.decisions.threads.items())
        return {f"line {line}{', backwards' if back else ''}": why for (line, back, _), why in found}

    def story(self, name: str) -> Story:
        names = {found.name: found for found in self.stories.names()}
        if name not in names:
            raise ValueError(f"{self.stories.fn.name} has no name {name!r}; it has {', '.join(names)}")
        facts = names[name]
        lines = {o.line: o.text for o in self.stories.readers(name)}
        lines |= {s.origin.line: s.origin.text for v in [name] for s in walk.statements(self.reached["read"].body)
                  if v in walk.targets(s) and s.origin.line}  # fmt: skip
        gradient = ""
        if name in self.stories.wrt:
            why = self._gradient(name)
            gradient = f"its gradient is None: {why}" if why else "its gradient is returned"
        records = tuple(record for record in self.records() if record.source == name)
        return Story(facts, gradient, records, lines)

    def _gradient(self, name: str) -> str:
        """Why the gradient of a parameter is None; empty if it is not."""
        parts = self.stories.parts.get(name, [name])
        return "" if any(p in self.stories.activity for p in parts) else self.stories.name(name).why

    def records(self) -> list[Recorded]:
        """What is left of the records when the derivative is finished, under the names that are printed."""
        *_, (_, last), (_, final) = self.reached.items()
        left = {name: record for name, record in self.decisions.records.items() if name in walk.assigned(last.body)}
        printed = naming.printed(last)
        fn = self.stories.fn
        structures = {param.name for param, whole in fn.arguments if isinstance(whole, Tuple)}
        sizes = {name: size(record, fn, self.values) if self.values else None for name, record in left.items()}
        if self.values and None in sizes.values():
            others = helpers(final, self.options)
            run = measured(final, others, [printed[name] for name in left], self.values)
            sizes = {name: run.get(printed[name], 0) if known is None else known for name, known in sizes.items()}
        return [
            Recorded(
                printed[name],
                _source(record),
                record.loop.line,
                record.why,
                formula(record, printed[name], structures),
                sizes[name],
                tuple(self._readers(record)),
            )
            for name, record in left.items()
        ]

    def _readers(self, record: Record) -> list[int]:
        """The lines whose derivatives read a record, directly or through what is computed again from it."""
        known = {record.name, record.restored}
        lines: set[int] = set()
        statements = list(walk.statements(self.reached["adjoint"].body))
        for stmt in statements:
            if not any(known & walk.names(e) for e in walk.stmt_exprs(stmt)):
                continue
            if stmt.origin.adjoint and stmt.origin.line and not isinstance(stmt, (For, While)):
                lines.add(stmt.origin.line)
            elif isinstance(stmt, Let) and not stmt.target.endswith("~tape"):
                known.add(stmt.target)
        return sorted(lines)

    def replayed(self) -> list[Replayed]:
        """The lines of the forward sweep that are found in the reverse loops."""
        found: dict[tuple[int, str], Replayed] = {}
        for outer in walk.statements(self.reached["adjoint"].body):
            if not isinstance(outer, (For, While)) or not outer.origin.adjoint:
                continue
            for stmt in walk.statements(outer.body):
                origin = stmt.origin
                if not origin.adjoint and origin.line and not isinstance(stmt, (For, While)) and _computes(stmt):
                    key = (origin.line, origin.text)
                    whole = not (isinstance(stmt, Let) and is_temporary(stmt.target))
                    if whole or key not in found:
                        found[key] = Replayed(origin.line, origin.text, outer.origin.line, whole)
        return sorted(found.values(), key=lambda replay: replay.line)


def _source(record: Record) -> str:
    """What the user calls what is recorded."""
    return "a value" if is_temporary(record.source.name) else hint(record.source.name)


def _computes(stmt: Stmt) -> bool:
    """Whether a statement does more than to look something up."""
    return not isinstance(stmt, Let) or isinstance(stmt.value, Call) and stmt.value.fn is not operator.getitem


def _signature(
    maker: Any, args: tuple, kwargs: dict[str, Any], latest: bool, fixed: frozenset[str]
) -> tuple[tuple[Type, ...], dict[str, Any]]:
    """The types of the parameters and the seed, and the values, if values were given."""
    if latest and maker.latest_types is not None:
        return maker.latest_types, {}
    template = maker.template()
    if latest and len(maker.names) > len(maker.options.added):
        raise ValueError(f"nothing has been made of {template.__name__} yet: call it, or pass args=(...)")
    bound = bound_arguments(inspect.signature(template), template.__name__, args, kwargs)
    given = dict(bound.arguments)
    signature = tuple(type_named(bound.arguments[name], name, name in fixed) for name in maker.names)
    are_values = not any(isinstance(value, (type, Type)) or _spells_type(value, name) for name, value in given.items())
    return signature, dict(bound.arguments) if are_values else {}


def _spells_type(value: Any, name: str) -> bool:
    from srcad.lang.types import Static

    return isinstance(value, str) and not isinstance(type_named(value, name), Static)
