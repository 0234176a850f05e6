"""``try`` and ``with``: what of them means something for a derivative; part of `desugar`.

Where no handler goes on with other values, what is left is straight: the body, and what comes after it in any case.
Where one does, `srcad.transforms.attempts` finds out whether it is reached.
"""

from __future__ import annotations

import contextlib
import warnings
from typing import TYPE_CHECKING, Any, Union

import gast
import numpy as np

from srcad.lang.forms import REFUSED, home, is_python, is_users
from srcad.lang.ir import Call, Const, Effect, Let, Method, Var
from srcad.lang.nodes import nodes
from srcad.lang.read import read
from srcad.lang.refusals import BEFOREHAND
from srcad.runtime.tape import GradientTape, begin, end
from srcad.transforms.assign import store
from srcad.transforms.attempts import attempted
from srcad.transforms.trees import called_by

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer

LOOP = "loop"  # in the list of what is due: break and continue go no further
# The statements of a finally clause, or the end of a tape's block, that are still to come; or a loop.
Due = Union[list[gast.AST], Effect, str]

_QUIET = (np.errstate, np.printoptions, contextlib.nullcontext, warnings.catch_warnings)
_CONTEXT = "the statements of its body; put the context around the call"


def try_statement(d: Desugarer, node: gast.Try) -> None:
    """``try``, of which the handlers raise another exception, or go on."""
    # A name without a meaning is refused, so that no handler of that is reached.
    node.handlers = [each for each in node.handlers if each.type is None or d.expr(each.type) != Const(NameError)]
    straight = all(_raises(handler.body) for handler in node.handlers)
    d.due.append(node.finalbody)
    d.out += d.block([*node.body, *node.orelse]) if straight else attempted(d, node)
    d.due.pop()
    d.out += d.block(node.finalbody)


def _raises(body: list[gast.AST]) -> bool:
    return bool(body) and isinstance(body[-1], gast.Raise) and not any(
        isinstance(inner, (gast.Return, gast.Break, gast.Continue)) for stmt in body for inner in nodes(stmt)
    )


def leave(d: Desugarer, everything: bool) -> None:
    """Do what is due before a return, or (not `everything`) before a break or continue."""
    due, origin = d.due, d.origin
    for position in range(len(due) - 1, -1, -1):
        if due[position] == LOOP:
            if not everything:
                break
            continue
        d.due = due[:position]
        left = due[position]
        d.out += (left,) if isinstance(left, Effect) else d.block(left)
    d.due, d.origin = due, origin


def with_statement(d: Desugarer, node: gast.With) -> None:
    """``with np.errstate(...)``: its body; warnings change no number. ``with tape``: the body, and where it is.

    Of a context of the user's, ``__enter__`` and ``__exit__`` are called around the body.
    """
    ends = [left for item in node.items if (left := _context(d, item)) is not None]
    d.due += ends
    body = d.block(stmt for stmt in node.body if not _filters_warnings(d, stmt))
    del d.due[len(d.due) - len(ends):]
    d.out += (*body, *reversed(ends))


def _context(d: Desugarer, item: gast.withitem) -> Effect | None:
    """The beginning of a context; what is to be done at its end."""
    expr = item.context_expr
    meaning: Any = d.expr(expr.func if isinstance(expr, gast.Call) else expr)
    quiet = isinstance(meaning, Const) and meaning.value in _QUIET
    if not quiet and isinstance(meaning, Const) and _is_users_own(meaning.value):
        return _entered(d, item, meaning.value)
    if not quiet and meaning is not REFUSED and _may_be_tape(meaning):
        return _tape(d, item)
    if not quiet or item.optional_vars is not None:
        d.refuse(expr, "this with statement is not supported", _CONTEXT)
    elif any(getattr(k.value, "value", None) in ("raise", "call") for k in getattr(expr, "keywords", ())):
        d.refuse(expr, "np.errstate that raises is not supported", BEFOREHAND)
    return None


def _filters_warnings(d: Desugarer, stmt: gast.AST) -> bool:
    """Whether a statement says which warnings are shown, ``warnings.simplefilter("ignore")``; none may be an error."""
    match stmt:
        case gast.Expr(value=gast.Call(func=gast.Attribute() as func, args=args, keywords=named)):
            if called_by(d, stmt.value) not in (warnings.simplefilter, warnings.filterwarnings):
                return False
            if any(getattr(arg, "value", None) == "error" for arg in (*args, *(k.value for k in named))):
                d.refuse(func, "a warning that is raised as an error is not supported", BEFOREHAND)
            return True
    return False


def settles_errors(d: Desugarer, node: gast.Call) -> bool:
    """Whether a call says which errors of floating point are shown, ``old = np.seterr(all="ignore")``, or asks it."""
    if getattr(node.func, "attr", getattr(node.func, "id", "")) not in ("seterr", "geterr"):
        return False
    if called_by(d, node) not in (np.seterr, np.geterr):
        return False
    if any(getattr(value, "value", value) in ("raise", "call") for value in (*node.args, *_said(d, node))):
        d.refuse(node, "np.seterr that raises is not supported", BEFOREHAND)
    return True


def _said(d: Desugarer, node: gast.Call) -> list[gast.AST | str]:
    """What a call says by names; of ``**old``, nothing where it is what was said before."""
    names = [each.value.id for each in node.keywords if each.arg is None and isinstance(each.value, gast.Name)]
    before = {target.id for each in gast.walk(d.source.tree) if isinstance(each, gast.Assign)
              and isinstance(each.value, gast.Call) and called_by(d, each.value) in (np.seterr, np.geterr)
              for target in each.targets if isinstance(target, gast.Name)}  # fmt: skip
    stars = sum(each.arg is None for each in node.keywords)
    unknown: list[gast.AST | str] = [] if len(names) == stars and before.issuperset(names) else ["raise"]
    return [*unknown, *(each.value for each in node.keywords if each.arg is not None)]


def _is_users_own(cls: Any) -> bool:
    return isinstance(cls, type) and is_users(home(cls)) and hasattr(cls, "__exit__") and cls is not GradientTape


def _entered(d: Desugarer, item: gast.withitem, cls: Any) -> Effect | None:
    """``with C(...) as c`` of a class of the user's: what it does in the end, which may not be to hide an error."""
    held, target = d.fresh("context"), item.optional_vars
    returned = [node.value for node in nodes(read(cls.__exit__).tree) if isinstance(node, gast.Return)]
    if any(getattr(value, "value", value) not in (None, False) for value in returned):
        reason = f"a with statement of {cls.__name__}, whose __exit__ may hide errors, is not supported"
        d.refuse(item.context_expr, reason, _CONTEXT)
    d.emit(Let(held, d.expr(item.context_expr), d.origin))
    entered = Call(Method("__enter__"), (Var(held),))
    if target is None:
        d.emit(Effect(entered, d.origin))
    else:
        store(d, target, d.temporary(entered))
    return Effect(Call(Method("__exit__"), (Var(held), *[Const(None)] * 3)), d.origin)


def _may_be_tape(meaning: Any) -> bool:
    """Whether a context, or what is called to make it, may be a tape: of a name, `inline` knows."""
    return not isinstance(meaning, Const) or meaning.value is GradientTape or is_python(meaning.value)


def _tape(d: Desugarer, item: gast.withitem) -> Effect | None:
    target = item.optional_vars
    if not (target is None or isinstance(target, gast.Name)):
        d.refuse(target, "a tape with another target than a name is not supported", "with GradientTape() as tape")
        return None
    held = d.fresh("context")
    d.emit(Let(held, d.expr(item.context_expr), d.origin))
    begins = Call(begin, (Var(held),))
    d.emit(Effect(begins, d.origin) if target is None else Let(target.id, begins, d.origin))
    return Effect(Call(end, (Var(held),)), d.origin)
