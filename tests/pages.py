"""Pages of the manual whose tables are generated."""

from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"


def check_table(page: str, name: str, rows: str, update: bool) -> None:
    """Whether a page has these rows in the table of this name; or, to `update`, write them there."""
    path, start, end = DOCS / page, f"<!-- table: {name} -->\n", "\n<!-- end -->"
    text = path.read_text(encoding="utf-8")
    before, rest = text.split(start)
    shown, after = rest.split(end, 1)
    made = f"\n{rows}\n"
    if update:
        path.write_text(before + start + made + end + after, encoding="utf-8")
    else:
        assert shown == made, "run this test with --update"
