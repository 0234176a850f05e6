"""Private names of classes: what methods write as ``self.__x`` is the attribute ``_Class__x``."""

from __future__ import annotations

import gast

_NAMED = {gast.Attribute: "attr", gast.Name: "id", gast.FunctionDef: "name"}


def with_private_names(tree: gast.AST, qualname: str) -> gast.AST:
    """The tree of a function with such names as Python has them; it is changed.

    >>> import ast
    >>> tree = gast.ast_to_gast(ast.parse("def f(self): return self.__x + self.__y__ + self._z"))
    >>> print(gast.unparse(with_private_names(tree, "Account.f")).split("return ")[1])
    self._Account__x + self.__y__ + self._z
    """
    cls = class_around(qualname).lstrip("_")
    for node in gast.walk(tree) if cls else ():
        field = _NAMED.get(type(node))
        name = getattr(node, field) if field else ""
        if name.startswith("__") and not name.endswith("__"):
            setattr(node, field, f"_{cls}{name}")  # type: ignore[arg-type]
    return tree


def class_around(qualname: str) -> str:
    """The class in which a function is written; nothing where it is in none.

    >>> class_around("Account.total"), class_around("f.<locals>.Account.total.<locals>.inner"), class_around("f")
    ('Account', 'Account', '')
    """
    for part in reversed(qualname.split(".<locals>.")):
        if "." in part:
            return part.split(".")[-2]
    return ""
