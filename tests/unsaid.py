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
    said = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "tests" / "golden").glob("*.txt"), ROOT / "docs" / "language.md"]
    text = "\n".join(file.read_text(encoding="utf-8") for file in said)
    files = [file for file in (ROOT / "srcad").rglob("*.py") if "transforms" not in file.relative_to(ROOT).parts]
    found = []
    for file in sorted([*files, *(ROOT / "transforms").rglob("*.py")]):
        for line, message in refusals(file):
            if len(message) > 3 and message not in text:
                found.append(f"{file.relative_to(ROOT)}:{line}: {message}")
    return found


if __name__ == "__main__":
    print("\n".join(unsaid()))
