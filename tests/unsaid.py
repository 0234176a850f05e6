"""Which refusals no test says: ``python -m tests.unsaid`` lists them.

A refusal counts as said if the longest constant piece of its message stands in a test, in a golden, or in the tables
of the language.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
REFUSALS = {
    "Refusal", "unsupported", "Problem", "refuse", "FormError", "TypeError", "ValueError", "Mismatch", "Unbound",
    "TargetError", "NotImplementedError",
}  # fmt: skip


# Refusals that no program is known to reach. They stand where a pass relies on what others have refused before, and
# where to go on would mean a wrong number.
UNREACHED = {
    "a loop over range()", "write to one array under one name", ", an array that is written to later",
    "is not supported in a function that calls itself",
    "a gradient in a branch or loop that writes into", "a reduction of no elements",
    "a list that is an element of two lists",  # they have one store, which the one makes that is made first
    "sort of a list is not supported here", "going over an object of",
    'pip install "srcad[fft]", or target="python"',  # where that package is missing
    "a vector is copied into one of another dtype that overlaps it: take a copy of it first",
    # Of several vectors, SciPy's before version 1.17 makes one.
    "scipy.linalg.toeplitz of several vectors at once", "scipy.linalg.circulant of several vectors at once",
    # The ranks that the functions of bands are for: typing refuses the others before one is called.
    "a band has two axes", "a right side is a vector or a matrix", "a Toeplitz matrix is that of vectors",
}


def pieces(node: ast.AST) -> list[str]:
    """The constant pieces of a text."""
    match node:
        case ast.Constant(str(text)):
            return [text]
        case ast.JoinedStr(values):
            return [value.value for value in values if isinstance(value, ast.Constant)]
        case ast.BinOp(left, ast.Add(), right):
            return pieces(left) + pieces(right)
    return []


def refusals(file: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that refuse something, and the longest piece of each message."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            texts = [found for found in map(pieces, node.args) if found]
            if name in REFUSALS and texts:
                yield node.lineno, max(texts[0], key=len).partition("; instead: ")[0].strip()


def unsaid() -> list[str]:
    tests = [file for file in (ROOT / "tests").rglob("*.py") if file != Path(__file__)]
    said = [*tests, *(ROOT / "tests" / "golden").glob("*.txt"), ROOT / "docs" / "language.md"]
    text = "\n".join(file.read_text(encoding="utf-8") for file in said)
    files = [file for file in (ROOT / "srcad").rglob("*.py") if "transforms" not in file.relative_to(ROOT).parts]
    found = []
    for file in sorted([*files, *(ROOT / "transforms").rglob("*.py")]):
        for line, message in refusals(file):
            if len(message) > 3 and message not in text and message not in UNREACHED:
                found.append(f"{file.relative_to(ROOT)}:{line}: {message}")
    return found


if __name__ == "__main__":
    print("\n".join(unsaid()))
