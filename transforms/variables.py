"""variables: what a function reads from `srcad.Variable` becomes parameters, and what it assigns becomes results."""

from __future__ import annotations

from dataclasses import replace

from srcad.lang import walk
from srcad.lang.custom import Custom, Pullback
from srcad.lang.errors import VariablesNeeded, unsupported
from srcad.lang.ir import Attr, Block, Call, Const, Effect, Expr, Function, Let, Nested, Param, Return, Stmt, Tuple, Var
from srcad.lang.symbols import unique
from srcad.lang.translate import display
from srcad.lang.types import Form
from srcad.runtime.marks import detached, hold, picked, reassigned
from srcad.runtime.tape import Tape, happens
from srcad.runtime.variable import Variable, assign

_STARTS = ("begin", "resume", "reset")  # from here on, variables that are read are watched


def variables(fn: Function, named: dict[str, Variable], updates: bool) -> Function:
    """A surface function with more parameters: the values of variables.

    If it is to tell its `updates`, it returns ``(result, values)``: the new values in a dict.

    Raises
    ------
    VariablesNeeded
        if the function reads others, or updates any and was not to.

    >>> w = Variable(2.0)
    >>> f = variables(Function("f", (), (Return(Const(w)),)), {"w": w}, False)
    >>> f.params[0].name, f.body[0].value.name
    ('w', 'w')
    """
    binder = _Binder({id(variable): name for name, variable in named.items()}, fn)
    binder.trainable = [name for name, v in named.items() if v.trainable and v.dtype.kind in "fc"]
    body = binder.block(fn.body)
    if binder.unseen or binder.updated and not updates:
        raise VariablesNeeded(binder.unseen, bool(binder.updated))
    if updates:
        *rest, last = body
        assert isinstance(last, Return)
        values = display(tuple(map(Var, binder.updated)), Form(dict, tuple(binder.updated)))
        body = (*rest, replace(last, value=Tuple((last.value, values))))
    return replace(fn, params=(*fn.params, *map(Param, named)), body=body)


class _Binder:
    def __init__(self, names: dict[int, str], fn: Function):
        self.names, self.fn = names, fn
        self.origin = fn.origin
        self.unseen: dict[str, Variable] = {}
        self.updated: dict[str, None] = {}  # in their order
        self.taken = {p.name for p in fn.params} | walk.assigned(fn.body)
        self.pulled: dict[Pullback, tuple[Pullback, list[str]]] = {}
        self.trainable: list[str] = []

    def name(self, variable: Variable) -> str:
        if id(variable) not in self.names:
            taken = {*self.names.values(), *self.taken}
            self.names[id(variable)] = name = unique(self.wanted(variable), taken)
            self.unseen[name] = variable
        return self.names[id(variable)]

    def wanted(self, variable: Variable) -> str:
        """What a variable is called if nothing else is; one that an optimiser keeps beside another, after that."""
        if variable.beside is not None:
            return f"{self.name(variable.beside[0])}_{variable.beside[1]}"
        return variable.name if variable.name and variable.name.isidentifier() else "variable"

    def block(self, block: Block) -> Block:
        return tuple(self.statement(stmt) for stmt in block)

    def statement(self, stmt: Stmt) -> Stmt:
        self.origin = stmt.origin
        match stmt:
            case Effect(Call(fn, (Const(Variable() as variable), value))) if fn is assign:
                name = self.name(variable)
                self.updated[name] = None
                new = Call(detached, (walk.map_expr(self.node, value),))
                return Let(name, Call(reassigned, (Var(name), new)), stmt.origin)
            case Let(value=Call(Custom() as custom, args) as call):
                return replace(stmt, value=self.custom(call, custom, tuple(walk.map_expr(self.node, a) for a in args)))
            case Effect(Call(fn, (Const(what), Const(Tape() as tape))) as call) if fn is happens and what in _STARTS:
                watched = tuple(map(Var, self.trainable)) if tape.watches_accessed else ()
                return replace(stmt, call=replace(call, args=(*call.args, *watched)))
            case Let(value=Call(Nested() as nested, args) as call):
                return replace(stmt, value=self.nested(call, nested, tuple(walk.map_expr(self.node, a) for a in args)))
        return walk.map_stmt(lambda e: walk.map_expr(self.node, e), stmt, self.block)

    def nested(self, call: Call, nested: Nested, args: tuple[Expr, ...]) -> Call:
        """A derivative of a function that reads variables, which become parameters of it, too."""
        count = len(nested.function.params)
        function, free = self.inner(nested.function)
        args = (*args[:count], *map(Var, free), *args[count:])
        return replace(call, fn=replace(nested, function=function), args=args)

    def custom(self, call: Call, custom: Custom, args: tuple[Expr, ...]) -> Call:
        """A marked value whose pullback reads variables, which become parameters of it, too."""
        if custom.pullback not in self.pulled:
            function, free = self.inner(custom.pullback.function)
            self.pulled[custom.pullback] = replace(custom.pullback, function=function), free
        pullback, free = self.pulled[custom.pullback]
        return replace(call, fn=replace(custom, pullback=pullback), args=(*args, *map(Var, free)))

    def inner(self, function: Function) -> tuple[Function, list[str]]:
        """A function that another one holds, with a parameter for each variable that it reads."""
        before = len(self.updated)
        function = replace(function, body=self.block(function.body))
        if len(self.updated) > before:
            raise unsupported(self.origin, "a Variable gets a new value in a function that is differentiated here",
                              "the new value behind the derivative")  # fmt: skip
        known = {p.name for p in function.params}
        read = {n for s in walk.statements(function.body) for e in walk.stmt_exprs(s) for n in walk.names(e)}
        free = sorted(read & set(self.names.values()) - known)
        return replace(function, params=(*function.params, *map(Param, free))), free

    def node(self, expr: Expr) -> Expr:
        match expr:
            case Const(Variable() as variable):
                return Var(self.name(variable))
            case Attr(Var(name) as var, "value") if name in self.names.values():
                return var
            case Const(value=tuple() | list() as values) if any(isinstance(v, Variable) for v in values):
                return Tuple(tuple(self.node(Const(v)) for v in values))
        return expr


def unmarked(fn: Function) -> Function:
    """A function in which variables that were assigned are simply their new values."""
    def node(expr: Expr) -> Expr:
        return expr.args[-1] if isinstance(expr, Call) and expr.fn in (detached, hold, picked, reassigned) else expr

    return replace(fn, body=walk.map_block(node, fn.body))
