"""The examples in the manual run, and the generated source that it shows is what is generated."""

from __future__ import annotations

import doctest
import importlib.util
import linecache
import re
from pathlib import Path

import pytest

import srcad

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
SHOWN = re.compile(r"<!-- program -->\n```python\n(.*?)```\n.*?<!-- source -->\n```python\n(.*?)```\n", re.S)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)[^)]*\)")
by_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


@by_page
def test_examples(page):
    scope = {"__name__": __name__}
    sessions = re.findall(r"```pycon\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    test = doctest.DocTestParser().get_doctest("\n".join(sessions), scope, page.name, str(page), 0)
    failed, _ = doctest.DocTestRunner(optionflags=flags, verbose=False).run(test, clear_globs=False)
    assert not failed


@by_page
def test_links(page):
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@by_page
def test_generated_source(page, request, tmp_path):
    """A ``<!-- program -->`` and, after it, the ``<!-- source -->`` of the last derivative that it makes."""
    text = page.read_text(encoding="utf-8")
    for number, (program, shown) in enumerate(SHOWN.findall(text)):
        source = generated(program, tmp_path / f"{page.stem.lower()}_{number}.py")
        if request.config.getoption("--update"):
            text = text.replace(shown, source)
            page.write_text(text, encoding="utf-8")
        else:
            assert source == shown


def generated(program: str, file: Path) -> str:
    """Run a program from a file, and give the source of its derivative, without the lines above the `def`."""
    file.write_text(program, encoding="utf-8")
    linecache.checkcache(str(file))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    derivatives = [value for value in vars(module).values() if callable(value) and hasattr(value, "source")]
    source = srcad.source(derivatives[-1])
    return source[source.index("def "):].rstrip() + "\n"


def test_the_mapping_names_what_there_is():
    text = (ROOT / "docs" / "mapping.md").read_text(encoding="utf-8")
    names = set(re.findall(r"srcad\.([A-Za-z_][\w.]*)", text))
    assert {"grad", "gradients", "optimizers.SGD", "testing.check_grads"} <= names
    for name in names:
        found = srcad
        for part in name.split("."):
            found = getattr(found, part)
