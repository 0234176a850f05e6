"""Derivative source for reading: highlighted in a terminal, rendered in a notebook, plain anywhere else."""

from __future__ import annotations

import html
import os
import sys
from typing import Any


class Listing(str):
    """Source text that notebooks render."""

    def _repr_html_(self) -> str:
        try:
            from pygments import highlight
            from pygments.formatters import HtmlFormatter
            from pygments.lexers import PythonLexer
        except ImportError:
            return f"<pre>{html.escape(self)}</pre>"
        return highlight(self, PythonLexer(), HtmlFormatter(noclasses=True))


def display(text: str) -> None:
    """Print source text in the way that suits where it goes."""
    if _in_notebook():
        from IPython.display import display as show

        show(Listing(text))
    elif sys.stdout.isatty() and "NO_COLOR" not in os.environ:
        print(coloured(text), end="")
    else:
        print(text, end="")


def coloured(text: str) -> str:
    """The text with the colours of a terminal, where Pygments is there to choose them."""
    try:
        from pygments import highlight
        from pygments.formatters import TerminalFormatter
        from pygments.lexers import PythonLexer
    except ImportError:
        return text
    return highlight(text, PythonLexer(), TerminalFormatter())


def _in_notebook() -> bool:
    """Whether the interpreter is the kernel of a notebook; IPython is not imported to find out."""
    ipython: Any = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return type(shell).__name__ == "ZMQInteractiveShell"
