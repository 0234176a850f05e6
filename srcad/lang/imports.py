"""Imports inside of a function: the names that they bind mean what they would at the top of the file."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Union

import gast

from srcad.lang.nodes import nodes


@dataclass(frozen=True)
class Imported:
    """A module, or a name of one."""

    module: str
    name: str = ""

    def value(self, space: Mapping[str, Any]) -> Any:
        """What it is for a function with these globals, which say from where relative imports go.

        >>> Imported("os.path").value({}) is Imported("os", "path").value({})
        True
        """
        module = importlib.import_module(self.module, space.get("__package__"))
        if not self.name:
            return module
        try:
            return getattr(module, self.name)
        except AttributeError:
            whole = f"{module.__name__}.{self.name}"
        try:
            return importlib.import_module(whole)
        except ModuleNotFoundError:
            raise ImportError(f"{self.name!r} is not in {module.__name__!r}") from None


def bound(node: Union[gast.Import, gast.ImportFrom]) -> Iterator[tuple[str, Imported, str]]:
    """What an import binds names to, and which modules it loads.

    >>> list(bound(gast.parse("from . import a as b").body[0]))
    [('b', Imported(module='.', name='a'), '.')]
    >>> list(bound(gast.parse("import a.b").body[0]))
    [('a', Imported(module='a', name=''), 'a.b')]
    """
    for alias in node.names:
        whole = alias.name
        if isinstance(node, gast.ImportFrom):
            module = "." * (node.level or 0) + (node.module or "")
            yield alias.asname or whole, Imported(module, whole), module
        else:
            top = whole.partition(".")[0]
            yield alias.asname or top, Imported(whole if alias.asname else top), whole


class Imports:
    """All that the imports inside of a function bind names to."""

    def __init__(self, tree: gast.AST):
        self.found: dict[str, dict[Imported, list[str]]] = {}
        for node in nodes(tree):
            if isinstance(node, (gast.Import, gast.ImportFrom)):
                for name, imported, module in bound(node):
                    self.found.setdefault(name, {}).setdefault(imported, []).append(module)

    def __contains__(self, name: str) -> bool:
        """Whether a name has one meaning."""
        return len(self.found.get(name, ())) == 1

    def value(self, name: str, space: Mapping[str, Any]) -> Any:
        """What a name means to a function with these globals."""
        ((imported, modules),) = self.found[name].items()
        for module in modules:
            importlib.import_module(module, space.get("__package__"))
        return imported.value(space)
