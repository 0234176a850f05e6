"""Lists of passes, parts of `pipeline`: some of them are for machine code alone, or may be left out."""

from __future__ import annotations

import operator
from collections.abc import Callable

from srcad.lang import walk
from srcad.lang.dispensable import dispensable
from srcad.lang.ir import Call, For, Function, Let, Stmt, While
from srcad.lang.remembered import remembered
from srcad.lang.types import Array
from srcad.transforms.ascending import ascending
from srcad.transforms.assigned import assigned
from srcad.transforms.at_once import at_once
from srcad.transforms.beforehand import beforehand
from srcad.transforms.beside import beside
from srcad.transforms.by_rows import by_rows
from srcad.transforms.by_turns import by_turns
from srcad.transforms.cleared import cleared
from srcad.transforms.copied import copied
from srcad.transforms.copies import copies, copies_of_planes, copies_of_records
from srcad.transforms.counted import counted
from srcad.transforms.dots import dots
from srcad.transforms.drawers import drawers
from srcad.transforms.edges import edges
from srcad.transforms.either import either
from srcad.transforms.elementwise import elementwise
from srcad.transforms.exchanges import exchanges
from srcad.transforms.filled import filled
from srcad.transforms.flatten import flatten
from srcad.transforms.fold import fold
from srcad.transforms.for_shape import for_shape
from srcad.transforms.from_records import from_records
from srcad.transforms.handed_on import handed_on
from srcad.transforms.hits import hits
from srcad.transforms.hoist import hoist
from srcad.transforms.invariants import invariants
from srcad.transforms.left_over import left_over
from srcad.transforms.looked_up import looked_up
from srcad.transforms.margins import margins
from srcad.transforms.merge import merge
from srcad.transforms.moments import moments
from srcad.transforms.next_row import next_row
from srcad.transforms.outer import outer
from srcad.transforms.own_place import own_place
from srcad.transforms.partners import partners
from srcad.transforms.products import products
from srcad.transforms.put_back import put_back
from srcad.transforms.reciprocals import reciprocals
from srcad.transforms.rolled import rolled
from srcad.transforms.rows import rows
from srcad.transforms.scaled import scaled
from srcad.transforms.smaller import smaller
from srcad.transforms.specialize import specialize
from srcad.transforms.spent import spent
from srcad.transforms.subscripted import subscripted
from srcad.transforms.sums_first import sums_first
from srcad.transforms.taken_over import taken_over
from srcad.transforms.trails import trails
from srcad.transforms.unread import unread
from srcad.transforms.unstored import unstored
from srcad.transforms.untuple import untuple
from srcad.transforms.values_first import values_first
from srcad.transforms.weighted import weighted
from srcad.transforms.written_over import written_over

Passes = list[tuple[str, Callable[[Function], Function]]]

# branches on one test, and the ones that are taken
BRANCHES: Passes = [
    ("merge", merge),  # neighbours
    ("trails", trails),  # of entries of a table that pick one of their neighbours
]

# what the types of arguments decide
TYPED: Passes = [
    ("drawers", drawers),  # arrays of numbers that loops pick from
    ("untuple", untuple),  # tuples become their elements
    ("specialize", specialize),  # what the types decide
    ("looked up", looked_up),  # places in vectors, by calls
    ("subscripted", subscripted),  # elements of rows, by one subscript
    ("copied", copied),  # vectors that loops copy element by element
    ("filled", filled),  # new arrays, with what they are filled with
    ("hoist", hoist),  # errors of every iteration, before the loop
    ("scaled", scaled),  # products of matrices, and not their factors
    ("exchanges", exchanges),  # rows that lists of places pick, one by one
    ("flatten", flatten),  # one primitive a statement
]

# what gets a name and needs none
NAMES: Passes = [
    ("put back", put_back),  # what names have already
    ("copies", copies),  # cotangents that start as others and stay as these
    ("for shape", for_shape),  # what is computed for its shape alone
    ("fold", fold),  # single-use temporaries back into expressions
]

# arrays and elements that are added to when they are zero
ZEROS: Passes = [
    ("unread", unread),  # where nobody reads them
    ("taken over", taken_over),  # cotangents that others end in
    ("assigned", assigned),  # what is cleared before it is added to
]


def in_place(fn: Function) -> Function:
    """States' cotangents stay in one array, where that leaves less to do in the loops of the states.

    It joins some statements in one loop over elements, and parts others: so both texts are looked at.
    """
    if not any(isinstance(stmt, (For, While)) for stmt in walk.statements(fn.body)):
        return fn
    changed = written_over(handed_on(fn))
    return fn if changed == fn else min((fn, changed), key=_inside)


def _inside(fn: Function) -> int:
    """How many loops over elements and new arrays stand in loops, when array statements are loops."""
    for _, transform in LOOPS[1:]:
        fn = transform(fn)
    inner = [stmt for loop in walk.statements(fn.body) if isinstance(loop, (For, While))
             for stmt in walk.statements(loop.body)]  # fmt: skip
    return sum(isinstance(stmt, (For, While)) or _makes_array(stmt) for stmt in inner)


def _makes_array(stmt: Stmt) -> bool:
    match stmt:
        case Let(_, Call(fn, _, _, Array())):
            return fn is not operator.getitem
    return False


# sums of rows, and products of matrices, under fast math
PRODUCTS: Passes = [
    ("rows of records", copies_of_records),  # that nobody copies, where the steps leave them as they are
    ("sums first", sums_first),  # of rows, in cotangents
    ("products", products),  # of sums, not summed up
    ("at once", at_once),  # of the vectors of all steps
]

# array statements as loops over elements
_OVER_ELEMENTS: Passes = [
    ("spent", spent),  # what is written to records in vain
    ("from records", from_records),  # what statements on slices write
    ("next row", next_row),  # steps in place, written to the record
    ("copies of records", copies_of_records),  # states that are not overwritten there
    ("outer", outer),  # products of vectors, as such of elements
    ("weighted", weighted),  # products of computed matrices and vectors, as sums
    ("dots", dots),  # products of vectors that are just computed, as sums
    ("moments", moments),  # means of rows and variances, as sums
    ("rolled", rolled),  # what is light, where it is read
    ("values first", values_first),  # sums over matrices that are returned
    ("rows", rows),  # array statements that reduce rows, one row after the other
    ("smaller", smaller),  # what is dear, before it is spread over more elements
    ("elementwise", elementwise),
    ("fold again", fold),
    ("spent again", spent),
    ("for shape again", for_shape),  # records that are not written any more
    ("hits", hits),  # adjoints of extremes, where these are
    ("unstored", unstored),  # arrays of differences
    ("partners", partners),  # cosines beside sines
]

# what `in place` has tried already is not done again
LOOPS: Passes = [("in place", in_place), *((stage, remembered(made)) for stage, made in _OVER_ELEMENTS)]

# under fast math
DIVISIONS: Passes = [
    ("reciprocals", reciprocals),  # inverses, once
    ("beforehand", beforehand),  # functions of elements, before nests of loops
    ("invariants", invariants),  # quotients that no iteration changes, before the loops
]

# what nests of loops add to neighbours in several rows
NEIGHBOURS: Passes = [
    ("either", either),  # of which a branch picks one
    ("margins", margins),  # each of which has margins then
    ("taken over again", taken_over),  # cotangents that are only added to by now
]

# states of time steps, in two arrays
STATES: Passes = [
    ("copies of planes", copies_of_planes),  # the same of arrays with neighbours in several rows
    ("left over", left_over),  # by those that write to most of a copy
    ("by turns", by_turns),
    ("beside", beside),  # what is changed everywhere
    ("cleared", cleared),  # cotangents that the next step adds to
    ("edges", edges),  # of which a stencil's reverse reads zeros
    ("by rows", by_rows),  # of their record
    ("own place", own_place),  # each element in that of the one before, if lengths are known
]

# how innermost loops count
COUNTS: Passes = [
    ("ascending", ascending),  # upwards: sums are added in another order
    ("counted", counted),  # from zero
]

# The passes that change nothing but time, memory and length: left out with ``optimize=False``.
OPTIMISATIONS = frozenset({
    "localise", "winners", "repeated", "merge", "copies", "assigned", "collect", "reciprocals", "invariants",
    "margins", "gather", "overwritten", "first writes", "by turns", "beside", "cleared", "by rows", "workspaces",
    "ordered", "ascending", "counted", "scalars", "equations", "taken over", "taken over again", "in place",
    "left over", "edges", "copies of planes", "shifts", "partners", "trails", "unread", "beforehand", "for shape",
    "for shape again", "own place", "put back", "drawers", "per item", "scaled",
})  # fmt: skip

# What rounds otherwise, or gives another sign to a zero: left out with ``fastmath=False``.
REORDERING = frozenset({"scaled"})

# What else may be left out, as it only writes in another way what machine code is made from.
_WRITTEN_ANEW = frozenset(name for each in (PRODUCTS, LOOPS, DIVISIONS, NEIGHBOURS, STATES) for name, _ in each)


def spared(passes: Passes) -> Passes:
    """The passes, of which those for speed alone are left out where they fail."""
    optional = OPTIMISATIONS | _WRITTEN_ANEW
    return [(stage, dispensable(stage, made, lambda fn: fn) if stage in optional else made) for stage, made in passes]
