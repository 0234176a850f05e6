"""How tightly the operators of Python bind."""

from __future__ import annotations

import ast

TEST, OR, AND, NOT, COMPARE, BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, PRODUCT, UNARY, POWER, ATOM = range(14)

_BINARY = {
    "BitOr": BIT_OR, "BitXor": BIT_XOR, "BitAnd": BIT_AND, "LShift": SHIFT, "RShift": SHIFT, "Add": SUM, "Sub": SUM,
    "Mult": PRODUCT, "MatMult": PRODUCT, "Div": PRODUCT, "FloorDiv": PRODUCT, "Mod": PRODUCT, "Pow": POWER,
}


def precedence(tree: ast.AST) -> int:
    """How tightly the outermost operator of an expression binds."""
    match tree:
        case ast.IfExp() | ast.Lambda():
            return TEST
        case ast.BoolOp(op):
            return OR if isinstance(op, ast.Or) else AND
        case ast.UnaryOp(op):
            return NOT if isinstance(op, ast.Not) else UNARY
        case ast.Compare():
            return COMPARE
        case ast.BinOp(op=op):
            return _BINARY[type(op).__name__]
        case ast.Constant(value) if isinstance(value, (int, float, complex)) and repr(value).startswith("-"):
            return UNARY
    return ATOM


def simple(tree: ast.AST) -> bool:
    """Whether an operand of ``**`` is written without spaces around the operator."""
    match tree:
        case ast.Name():
            return True
        case ast.Constant(value):
            return isinstance(value, (int, float))
        case ast.Attribute(value):
            return simple(value)
        case ast.UnaryOp(ast.USub(), operand):
            return simple(operand)
    return False
