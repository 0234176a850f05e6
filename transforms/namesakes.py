"""namesakes: local arrays that have the name of a parameter, which nobody reads any more; part of `upright`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from srcad.lang import walk
from srcad.lang.ir import Block, For, Function, Let

OWN = "~own"  # behind the name of a parameter


def with_names_of_their_own(fn: Function, chosen: Callable[[str], bool] = lambda _: True) -> Function:
    """A function whose locals are not called like parameters, where that is seen at once: those that are `chosen`.

    >>> from srcad.lang.ir import Call, Const, Param, Return, Var
    >>> from srcad.lang.types import Array
    >>> from srcad.lang.write import write
    >>> import numpy as np
    >>> x = Var("x", Array("float64", ("n",)))
    >>> body = (Let("x", Call(np.copy, (x,), (), x.type)), Return(x))
    >>> fn = with_names_of_their_own(Function("f", (Param("x", x.type),), body))
    >>> print(write(fn).text.split("\\n\\n\\n")[1], end="")
    def f(x):
        x~own = np.copy(x)
        return x~own
    """
    times = Counter(name for stmt in walk.statements(fn.body) for name in walk.targets(stmt))
    made = {stmt.target for stmt in walk.statements(fn.body) if isinstance(stmt, Let)}
    for name in (param.name for param in fn.params if times[param.name] == 1 and param.name in made):
        if chosen(new := f"{name}{OWN}") and (body := _from_there_on(fn.body, name, new)) is not None:
            fn = replace(fn, body=body)
    return fn


def _from_there_on(block: Block, name: str, new: str, again: bool = False) -> Block | None:
    """A block in which a name is another one from where it is assigned on; None if it is one name before and after.

    What is run `again`, in a loop, may not read it before.
    """
    at = next(k for k, stmt in enumerate(block) if name in walk.assigned((stmt,)))
    before, stmt, after = block[:at], block[at], block[at + 1 :]
    if isinstance(stmt, Let):
        new_block = (*before, replace(stmt, target=new), *walk.rename(after, {name: new}))
    elif isinstance(stmt, For) and (body := _from_there_on(stmt.body, name, new, True)) is not None:
        new_block = (*before, replace(stmt, body=body), *after)
        if name in walk.mentioned(after):
            return None
    else:
        return None
    return None if again and name in walk.mentioned(new_block) else new_block
