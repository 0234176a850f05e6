"""The whole compiler on one page: the passes in their order, and what they make.

A pass is a function from `Function` to `Function`. Each can be printed: ``srcad.source(df, *args, stage="adjoint")``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from srcad.analysis.bisections import bisections, roots
from srcad.backends import cache
from srcad.backends.generated import Generated
from srcad.backends.source import Source
from srcad.backends.warned import inside, note
from srcad.lang import nesting, walk
from srcad.lang.depth import check_levels, deep
from srcad.lang.ir import Function, Nested, Return, Var
from srcad.lang.left import leaving_alone
from srcad.lang.origin import Origin, written
from srcad.lang.recursive import HELPERS, Helper, called
from srcad.lang.structure import outline
from srcad.lang.types import NONE, Type, seed_type
from srcad.lang.verify import verify
from srcad.lang.write import write
from srcad.options import Options
from srcad.runtime.timings import timed
from srcad.transforms.aggregate import aggregate
from srcad.transforms.alike import alike
from srcad.transforms.anew import anew
from srcad.transforms.blocks import for_machines
from srcad.transforms.backward import helper as written_helper
from srcad.transforms.begun import begun
from srcad.transforms.collect import collect
from srcad.transforms.copies import copies_of_planes
from srcad.transforms.decisions import Decisions, known_size
from srcad.transforms.derive import derive
from srcad.lang.dispensable import dispensable
from srcad.transforms.equations import equations
from srcad.transforms.exact import exact
from srcad.transforms.expand import settled
from srcad.transforms.first_writes import first_writes
from srcad.transforms.gather import gather
from srcad.transforms.in_turn import in_turn
from srcad.transforms.infer import infer
from srcad.transforms.into import into
from srcad.transforms.jacobian import jacobian
from srcad.transforms.layouts import layouts
from srcad.transforms.lengthy import or_written_out
from srcad.transforms.localise import localise
from srcad.transforms.lower import lower
from srcad.transforms.machine import (
    BRANCHES, COUNTS, DIVISIONS, LOOPS, NAMES, NEIGHBOURS, OPTIMISATIONS, PRODUCTS, REORDERING, STATES, TYPED, ZEROS,
    spared,
)  # fmt: skip
from srcad.transforms.many import along
from srcad.transforms.name import name
from srcad.transforms.orders import orders
from srcad.transforms.ordered import ordered
from srcad.transforms.overlap import overlap
from srcad.transforms.parallel import parallel
from srcad.transforms.overwritten import overwritten
from srcad.transforms.per_item import per_item
from srcad.transforms.places import places
from srcad.transforms.prune import prune
from srcad.transforms.pullback import unmarked as plain
from srcad.transforms.narrowed import narrowed
from srcad.transforms.quiet import quiet
from srcad.transforms.repeated import repeated
from srcad.transforms.rooms import outgrown, rooms
from srcad.transforms.shifts import shifts
from srcad.transforms.simplify import simplify
from srcad.transforms.scalars import scalars
from srcad.transforms.scatter import scatter
from srcad.transforms.segments import Place, place_of, segmented
from srcad.transforms.separate import separate
from srcad.transforms.split import split
from srcad.transforms.stop import stop
from srcad.transforms.surface import surface
from srcad.transforms.variables import unmarked
from srcad.transforms.winners import winners
from srcad.transforms.workspaces import workspaces
from srcad.transforms.watch import watch_cotangents, watched

BLOCKS = "blocks"  # the stage that machine code is made from
Pass = Callable[[Function], Function]
MODES: dict[str, Callable[[Options, Type, Decisions | None], list[tuple[str, Pass]]]] = {
    "reverse": lambda options, seed, decisions: [
        ("shifts", shifts),  # what results do not depend on, though their parts do
        ("localise", localise),  # arrays that iterations fill anew
        ("winners", winners),  # of what loops pick, the one that was picked
        ("adjoint", lambda fn: derive(fn, options, seed, decisions)),  # record, fuse, dead code
    ],
    "forward": lambda options, seed, _: [("tangent", lambda fn: along(fn, options, seed))],  # beside the statements
    # one tangent or one seed after the other
    "matrix": lambda options, *_: [("jacobian", lambda fn: jacobian(fn, options))],
    # the function itself
    "function": lambda options, seed, _: [("prune", prune), ("scatter", lambda fn: replace(fn, body=scatter(fn.body)))],
}


def passes(
    options: Options, signature: tuple[Type, ...], seed: Type = NONE, decisions: Decisions | None = None
) -> list[tuple[str, Pass]]:
    """The compiler: every pass with its name. Reverse mode notes its `decisions`."""
    every = [
        ("stop", lambda fn: stop(fn, options.stop_gradients)),  # names that the user holds constant
        ("split", lambda fn: split(fn, options.seed)),  # one name, one value
        ("infer", lambda fn: infer(fn, signature, derivative)),  # dtype and rank of every name
        *TYPED,
        *([("alike", alike)] if options.agreeing else []),  # lengths that meet are taken to agree
        ("scalars", scalars),  # small arrays become their elements
        ("anew", anew),  # views that are only read, where they are read
        ("layouts", layouts),  # views that are copies where elements lie otherwise
        *([("begun", begun)] if options.target == "cpu" else []),  # what loops carry, in one order
        ("places", places),  # rows that change their name, by their numbers
        ("in turn", in_turn),  # copies between vectors that overlap
        ("outgrown", outgrown),  # elements of lists that grow, under second names
        *([("per item", per_item)] if options.loops else []),  # sums over one item of a pair, before the pairs
        ("exact", exact),  # whether sums may be reordered
        ("watch", lambda fn: watched(fn, options)),  # checks
        # what may be another name's array and changes; derivatives of solutions
        *([("separate", separate), ("orders", orders)] if options.direction != "function" else []),
        *MODES[options.direction](options, seed, decisions),
        ("unmark", lambda fn: unmarked(fn if options.marked else plain(fn))),  # what is said for derivatives to come
        *polish(options, decisions),
    ]
    left_out = (OPTIMISATIONS if not options.optimize else set()) | (REORDERING if not options.fastmath else set())
    return spared([(name, made) for name, made in every if name not in left_out])


def polish(options: Options, decisions: Decisions | None = None, sized: bool = True) -> list[tuple[str, Pass]]:
    """The passes after differentiation; types of what is not `sized` do not tell which lengths agree."""
    shared = options.parallel and options.target == "cpu"

    def threads(stage: str) -> list[tuple[str, Pass]]:
        return [(stage, lambda fn: parallel(fn, decisions))] if shared else []

    return [
        ("rooms", rooms),  # of lists that grow
        ("simplify", simplify),  # algebra
        ("repeated", repeated),  # sines and the like, once
        *BRANCHES,  # joined, or followed
        *NAMES,  # that need not be
        *ZEROS,  # that are added to
        *(PRODUCTS[: 3 + (not options.max_tape)] if options.loops and options.fastmath and sized else []),
        *(LOOPS if options.loops and sized else [("copies of planes", copies_of_planes)]),  # over elements; or as it is
        ("collect", collect),  # like terms and common factors of scalar cotangents
        *(DIVISIONS if options.target == "cpu" and options.fastmath else []),
        *threads("parallel"),  # loops that threads share
        *(NEIGHBOURS if options.loops and not shared else []),  # in rows, of which cotangents gather
        ("gather", lambda fn: gather(fn, not options.marked)),  # one element of a cotangent after the other
        *([("overwritten", overwritten)] if options.target == "cpu" and not shared else []),  # zeros nobody reads
        ("first writes", first_writes),  # elements of new arrays, written and not added to
        *(STATES[: len(STATES) - (not sized)] if options.target == "cpu" and not shared else []),
        *([("workspaces", workspaces)] if not options.parallel else []),  # arrays of an iteration, made before the loop
        ("overlap", overlap),  # right sides that are read before they are written
        ("into", lambda fn: into(fn, options)),  # gradients in the arrays of the caller's
        ("ordered", ordered),  # what is taken in its own order
        *([("watch cotangents", lambda fn: watch_cotangents(fn, options))] if options.nan_check else []),
        *(COUNTS[not options.fastmath :] if options.target == "cpu" else []),  # how innermost loops count
        *([("equations", equations)] if options.target == "cpu" and not options.marked else []),  # matrices: factors
        # what Numba cannot compile, or what Python would raise on; helpers of machine code have no rules
        *([("quiet", quiet)] if options.target != "cpu" else [] if options.marked else [("lower", lower)]),
        *([("narrowed", narrowed)] if options.target != "cpu" and not options.marked else []),
        ("name", name),  # readable names
        *threads("parallel sums"),  # those that have several names before
    ]


def stages(
    fn: Any, options: Options, signature: tuple[Type, ...], seed: Type = NONE, decisions: Decisions | None = None
) -> Iterator[tuple[str, Function]]:
    """The function after each pass, the first being what was read."""
    with timed("read"):
        function = surface(fn, signature, options.debug or options.nan_check)
    if options.max_tape and options.direction == "reverse":
        with timed("segments"):
            function = segmented(function, recording(function, options, signature, seed), options.max_tape)
    yield "read", function
    for stage, transform in passes(options, signature, seed, decisions):
        with timed(stage):
            function = transform(function)
        if options.debug:
            verify(function, stage)
        yield stage, function


def recording(function: Function, options: Options, signature: tuple[Type, ...], seed: Type) -> set[Place]:
    """Where the loops stand that record once an iteration, more than `max_tape` or nobody knows how much."""
    decisions = Decisions()
    for stage, transform in passes(replace(options, debug=False, max_tape=0), signature, seed, decisions):
        function = transform(function)
        if stage == "adjoint":
            break
    left = walk.assigned(function.body)
    records = [r for name, r in decisions.records.items() if name in left and r.type is not None]
    return {place_of(r.loop) for r in records if (known_size(r) or options.max_tape + 1) > options.max_tape}


def generate(
    fn: Any, options: Options, signature: tuple[Type, ...], seeds: Type | None = None, stage: str | None = None
) -> Generated:
    """The source of a derivative of `fn` for arguments of the types `signature`, or of an earlier stage of it."""
    known = ["read", *(name for name, _ in passes(options, signature, seeds or NONE))]
    if stage is not None and stage not in (*known, BLOCKS):
        raise ValueError(f"stage must be one of {', '.join(map(repr, (*known, BLOCKS)))}, not {stage!r}")
    wanted = known[-1] if stage in (None, BLOCKS) else stage
    work = lambda: _made(fn, options, signature, seeds or NONE, wanted)
    made = deep(lambda: or_written_out(lambda: leaving_alone(work, not options.alike)), fn)
    if stage is None:
        check_levels(made.text, made.lines)
    return made.compiled or made if stage == BLOCKS else made


def derivative(call: Nested, types: tuple[Type, ...], origin: Origin) -> Function:
    """A derivative that another function calls: written, read again and split, for arguments of these types."""
    count = len(call.function.params) - len(call.shifts or ())
    given = dict(zip(call.extras, types[count:]))
    options = replace(call.options, target="python", marked=True)
    seed = seed_type(given.get(options.seed, NONE), options.seed)
    if call.shifts is None:
        made = generate(call.function, options, types[:count], seed)
    else:
        made = _of_region(call.function, call.shifts, options, seed)
    note(made.warned)
    names = [f"x{k}" for k in range(len(types))]
    classes: dict[str, Any] = {}
    opened = [nesting.apart(name, kind, classes) for name, kind in zip(names, types)]
    passed = opened[:count] + [f"{name}={x}" for name, x in zip(call.extras, opened[count:])]
    result = nesting.together("made", made.result, classes)
    text = f"def {made.name}({', '.join(names)}):\n    made = inner({', '.join(passed)})\n    return {result}\n"
    written[path := cache.write_source(made.name, made.text)] = lambda: made.lines
    inner = Source(made.name, made.text, path, made.constants).function
    outer = Source(made.name, text, cache.write_source(made.name, text), {"inner": inner, **classes}).function
    return split(surface(outer))


def _of_region(function: Function, xs: tuple[Var, ...], options: Options, seed: Type) -> Generated:
    """The derivative of statements that are typed already with respect to values in their midst."""
    every = passes(options, (), seed)
    for stage, transform in every[[stage for stage, _ in every].index("infer") + 1 :]:
        function = transform(function) if stage != "unmark" else function
        if stage == "separate":
            note(problem.warning for problem in bisections(function, [x.name for x in xs]))
        if stage == "collect" and options.aggregation:
            function = aggregate(function, options.aggregation)
        if stage in ("adjoint", "jacobian"):
            function = settled(function, xs, options.extras)
    return _text(function, options)


def helpers(fn: Function, options: Options) -> dict[Helper, Function]:
    """The recursive functions that a function calls, and that these call, ready to be written."""
    made: dict[Helper, Function] = {}
    waiting = called(fn.body, HELPERS)
    while waiting:
        helper = waiting.pop(0)
        if helper in made:
            continue
        function = watched(written_helper(helper), options, called=True)
        for _, transform in spared(polish(options, sized=False)):
            function = transform(function)
        made[helper] = function
        waiting += called(function.body, HELPERS)
    return dict(reversed(made.items()))


def _made(fn: Any, options: Options, signature: tuple[Type, ...], seed: Type, wanted: str) -> Generated:
    found: dict[str, Function] = {}
    with inside() as warned:
        for reached, function in stages(fn, options, signature, seed):
            found[reached] = function
            if reached == wanted:
                break
    warned += [problem.warning for problem in roots(found, options.wrt)]
    made = replace(_text(found[wanted], options), warned=tuple(warned))
    if wanted != "name" or not options.blocked:
        return made
    blocked = dispensable(BLOCKS, for_machines, lambda *_: None)(found, passes(options, signature, seed))
    compiled = _text(blocked, options) if blocked is not None else made
    same = all(made.constants.get(name) is value for name, value in compiled.constants.items())
    return replace(made, compiled=compiled) if same and blocked is not None else made


def _text(function: Function, options: Options) -> Generated:
    others = helpers(function, options)
    with timed("write"):
        text = write(function, others)
    result = outline(getattr(last.value, "type", NONE)) if isinstance(last := function.body[-1], Return) else None
    return Generated(function.name, text.text, text.constants, text.lines, result,
                     any(each.exact for each in (function, *others.values())), function.left)  # fmt: skip
