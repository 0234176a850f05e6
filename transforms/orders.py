"""orders: count the derivatives that what solves an equation has had, and refuse those that it has not."""

from __future__ import annotations

from dataclasses import replace

from srcad.lang import walk
from srcad.lang.errors import Problem, refuse
from srcad.lang.ir import Block, Call, Const, Expr, Function, Stmt
from srcad.lang.pinpoint import pinpoint
from srcad.runtime import solution


def orders(fn: Function) -> Function:
    """Take one from the orders of derivatives that are left to each solution of an equation.

    >>> from srcad.lang.ir import Param, Return, Var
    >>> found = orders(Function("f", (Param("x"),), (Return(Call(solution, (Var("x"), Const(3)))),)))
    >>> found.body[0].value.args[1].value
    2
    """
    return replace(fn, body=_block(fn.body))


def _block(block: Block) -> Block:
    return tuple(_statement(stmt) for stmt in block)


def _statement(stmt: Stmt) -> Stmt:
    def counted(expr: Expr) -> Expr:
        match expr:
            case Call(fn, (x, Const(int(left)))) if fn is solution:
                if left < 1:
                    what = "a derivative of a solution of an equation, of a higher order than its order="
                    refuse([Problem(pinpoint(stmt.origin, expr), what, "order=n, the highest of all")])
                return replace(expr, args=(x, Const(left - 1, expr.args[1].type)))
        return expr

    return walk.map_stmt(lambda expr: walk.map_expr(counted, expr), stmt, _block)
