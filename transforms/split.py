"""split: one name, one value.

Every assignment gets a name of its own; where control flow joins, a `Move` at the end of each branch or
iteration assigns the joined name. What the user called ``x`` becomes ``x``, ``x.1``, ``x.2``, ...
"""

from __future__ import annotations

from dataclasses import replace

from srcad.lang import walk
from srcad.lang.errors import unsupported
from srcad.lang.ir import (
    Accum, Block, Const, Effect, Expr, For, Function, If, Let, Move, Return, Stmt, Store, Var, While, hint,
)  # fmt: skip

Env = dict[str, str]
NOTHING: set[str] = set()


def split(fn: Function, seed: str = "grad_ys") -> Function:
    """Give each value a name of its own; `seed` is the derivative's own parameter.

    >>> from srcad.lang.ir import Call, Param
    >>> import operator
    >>> x = Var("x")
    >>> square = Let("x", Call(operator.mul, (x, x)))
    >>> [s.target for s in split(Function("f", (Param("x"),), (square, square, Return(x)))).body[:2]]
    ['x.1', 'x.2']
    """
    splitter = _Splitter()
    if any(param.name == seed for param in fn.params):
        raise unsupported(fn.origin, f"a parameter is called {seed}, as the seed of a derivative is", "another name")
    splitter.used.add(seed)
    env = {param.name: splitter.fresh(param.name) for param in fn.params}
    params = tuple(replace(param, name=env[param.name]) for param in fn.params)
    return replace(fn, params=params, body=splitter.block(fn.body, env, set()))


def exposed(block: Block) -> set[str]:
    """The names that a block may read before it assigns them."""
    result: set[str] = set()
    for stmt in reversed(block):
        result = _live_before(stmt, result)
    return result


def _live_before(stmt: Stmt, after: set[str]) -> set[str]:
    reads = set().union(*(walk.names(e) for e in walk.stmt_exprs(stmt)))
    match stmt:
        case Let(target):
            return (after - {target}) | reads
        case Move(names):
            return (after - set(names)) | reads
        case For(index, body=body):
            inner = exposed(body) - {index}
            return after | inner | reads
        case While(body=body):
            return after | exposed(body) | reads
        case If(_, then, orelse):
            kept_then = after - _surely_assigned(then)
            kept_else = after - _surely_assigned(orelse)
            return kept_then | kept_else | exposed(then) | exposed(orelse) | reads
    return after | reads


def _surely_assigned(block: Block) -> set[str]:
    result: set[str] = set()
    for stmt in block:
        match stmt:
            case Let(target):
                result.add(target)
            case Move(names):
                result.update(names)
            case If(_, then, orelse):
                result |= _surely_assigned(then) & _surely_assigned(orelse)
    return result


def _surely_bound(loop: For) -> set[str]:
    """The names that have values of the loop behind it, whatever they were before: of iterations that are made."""
    bounds = [bound.value for bound in (loop.start, loop.stop, loop.step) if isinstance(bound, Const)]
    if len(bounds) < 3 or not range(*bounds):
        return set()
    return {loop.index} | (_surely_assigned(loop.body) - exposed(loop.body))


class _Splitter:
    """Carries the counters of fresh names; the environment maps a surface name to its present value."""

    def __init__(self) -> None:
        self.used: set[str] = set()
        self.count: dict[str, int] = {}

    def fresh(self, name: str) -> str:
        if name not in self.used:
            self.used.add(name)
            return name
        base = hint(name)
        while True:
            self.count[base] = number = self.count.get(base, 0) + 1
            candidate = f"{base}.{number}"
            if candidate not in self.used:
                self.used.add(candidate)
                return candidate

    def block(self, block: Block, env: Env, live_out: set[str]) -> Block:
        after: list[set[str]] = []
        live = live_out
        for stmt in reversed(block):
            after.append(live)
            live = _live_before(stmt, live)
        after.reverse()
        result: list[Stmt] = []
        for stmt, live in zip(block, after):
            result.extend(self.statement(stmt, env, live))
        return tuple(result)

    def statement(self, stmt: Stmt, env: Env, live: set[str]) -> list[Stmt]:
        match stmt:
            case Let(target, value):
                value = rename(value, env)
                env[target] = self.fresh(target)
                return [replace(stmt, target=env[target], value=value)]
            case If():
                return self.branch(stmt, env, live)
            case For():
                return self.for_loop(stmt, env, live)
            case While():
                return self.while_loop(stmt, env, live)
            case Store() | Accum() | Effect() | Return():
                return [walk.map_stmt(lambda e: rename(e, env), stmt)]
        raise TypeError(stmt)

    def branch(self, stmt: If, env: Env, live: set[str]) -> list[Stmt]:
        joined = sorted((walk.assigned(stmt.then) | walk.assigned(stmt.orelse)) & live)
        then_env, else_env = dict(env), dict(env)
        then = self.block(stmt.then, then_env, live)
        orelse = self.block(stmt.orelse, else_env, live)
        phis = {name: self.fresh(name) for name in joined}
        test = rename(stmt.test, env)
        then += _join(phis, then_env, stmt)
        orelse += _join(phis, else_env, stmt)
        env.update(phis)
        return [replace(stmt, test=test, then=then, orelse=orelse)]

    def carried(
        self, body: Block, extra: set[str], live: set[str], env: Env, bound: set[str] = NOTHING
    ) -> tuple[dict[str, str], list[Stmt]]:
        names = sorted((walk.assigned(body) | extra) & live)
        phis = {name: self.fresh(name) for name in names}
        entry = [name for name in names if name in env and name not in bound]
        init: list[Stmt] = []
        if entry:
            init.append(Move(tuple(phis[n] for n in entry), tuple(Var(env[n]) for n in entry)))
        return phis, init

    def for_loop(self, stmt: For, env: Env, live: set[str]) -> list[Stmt]:
        start, stop, step = (rename(expr, env) for expr in (stmt.start, stmt.stop, stmt.step))
        inside = live | (exposed(stmt.body) - {stmt.index})
        phis, init = self.carried(stmt.body, {stmt.index} & live, inside, env, _surely_bound(stmt))
        body_env = {**env, **phis}
        index = self.fresh(stmt.index)
        body_env[stmt.index] = index
        body_live = inside | ({stmt.flag} if stmt.flag else set())
        body = self.block(stmt.body, body_env, body_live)
        flag = body_env[stmt.flag] if stmt.flag else None
        body += _join(phis, body_env, stmt)
        env.update(phis)
        return [*_at(init, stmt), replace(stmt, index=index, start=start, stop=stop, step=step, body=body, flag=flag)]

    def while_loop(self, stmt: While, env: Env, live: set[str]) -> list[Stmt]:
        inside = live | exposed(stmt.body) | walk.names(stmt.test)
        phis, init = self.carried(stmt.body, set(), inside, env)
        env.update(phis)
        test = rename(stmt.test, env)
        body_env = dict(env)
        body = self.block(stmt.body, body_env, inside)
        body += _join(phis, body_env, stmt)
        return [*_at(init, stmt), replace(stmt, test=test, body=body)]


def rename(expr: Expr, env: Env) -> Expr:
    """`expr` with surface names replaced by their present values."""
    def one(e: Expr) -> Expr:
        return Var(env[e.name], e.type) if isinstance(e, Var) and e.name in env and env[e.name] != e.name else e

    return walk.map_expr(one, expr)


def _join(phis: dict[str, str], env: Env, stmt: Stmt) -> Block:
    """The Move that hands a branch's or an iteration's values to the joined names."""
    pairs = [(phi, env[name]) for name, phi in phis.items() if env.get(name, phi) != phi]
    if not pairs:
        return ()
    return (Move(tuple(p for p, _ in pairs), tuple(Var(v) for _, v in pairs), stmt.origin),)


def _at(stmts: list[Stmt], stmt: Stmt) -> list[Stmt]:
    return [replace(s, origin=stmt.origin) for s in stmts]
