"""What the names in the tree of a function mean, as far as that is known while it is read; part of `desugar`."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from typing import Any

import gast

from srcad.lang.locate import unwrap
from srcad.lang.nodes import nodes
from srcad.lang.read import Source, Unbound


@dataclass
class Meanings:
    """The functions inside of one, and what the names are found to be that it does not assign.

    >>> tree = gast.parse("def f(x):\\n y = x\\n def g(): return y").body[0]
    >>> found = Meanings.of(tree, None)
    >>> found.functions.keys(), sorted(found.own)
    (dict_keys(['g']), ['x', 'y'])
    """

    source: Source
    functions: dict[str, gast.FunctionDef] = field(default_factory=dict)
    own: set[str] = field(default_factory=set)  # the names that the function assigns

    @staticmethod
    def of(tree: gast.AST, source: Source) -> Meanings:
        found = Meanings(source)
        for node in nodes(tree):
            if isinstance(node, gast.FunctionDef) and node is not tree:
                found.functions[node.name] = node
            elif isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
                found.own.add(node.id)
        return found

    def called(self, func: gast.AST) -> Any:
        """What is called: the tree of a function inside, or an object; None where that is not known."""
        match func:
            case gast.Name(id=name) if name in self.functions:
                return self.functions[name]
            case gast.Name(id=name) if name not in self.own:
                try:
                    return unwrap(self.source.lookup(name.removeprefix("~")))
                except Unbound:
                    return None
            case gast.Attribute(value=value, attr=attr):
                home = self.called(value)
                return getattr(home, attr, None) if inspect.ismodule(home) or inspect.isclass(home) else None
        return None
