"""The page on the passes: every module of `transforms` is a pass of the pipeline, or says of which it is a part."""

import ast
import functools
import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from srcad import pipeline, transforms
from srcad.lang.types import FLOAT
from srcad.options import Options
from srcad.transforms import machine
from tests.pages import check_table

FOLDER = Path(transforms.__file__).parent
SOURCE = "../transforms"
MODULES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in ("__init__", "machine"))


@functools.cache
def described(module: str) -> str:
    """The first paragraph of a module's docstring."""
    text = ast.get_docstring(ast.parse((FOLDER / f"{module}.py").read_text(encoding="utf-8")))
    return " ".join(text.split("\n\n")[0].split())


def wholes(module: str) -> list[str]:
    """Of which modules it is a part, in its own words."""
    found = re.search(r"part of (`\w+`(?:(?:, | and |, and )(?:of )?`\w+`)*)", described(module), re.I)
    return re.findall(r"`(\w+)`", found[1]) if found else []


def sentence(module: str) -> str:
    """What it does, without its name and what it belongs to."""
    text = re.sub(r"^[\w ]+: (?=\w)", "", described(module)) if not wholes(module) else described(module)
    text = re.sub(rf"^{module.replace('_', '[_ ]')}: ", "", text)
    text = re.sub(r"[;.]? [Pp]art of `.*?`(?:(?:, | and |, and )(?:of )?`\w+`)*", "", text)
    text = re.sub(r"\.? ?(Only )?[Ff]or machine code( only| alone)?", "", text, count=1)
    return text[0].upper() + text[1:].rstrip(".") + "."


def module_of(transform: Callable) -> list[str]:
    """The module of a pass, or those of what a function calls that only puts passes together."""
    if transform.__module__.startswith("srcad.transforms.") and transform.__module__ != machine.__name__:
        return [transform.__module__.rpartition(".")[2]]
    called = (transform.__globals__.get(name) for name in transform.__code__.co_names)
    found = (getattr(each, "__module__", None) or "" for each in called)
    return [name.rpartition(".")[2] for name in found if name.startswith("srcad.transforms.")]


def order() -> list[str]:
    """The modules of the passes: of machine code in reverse mode, and what other ways have beside them."""
    found = ["surface", "segments"]
    for options in (Options(), Options(mode="jvp"), Options(mode="jacobian"), Options(mode="function"),
                    Options(parallel=True, nan_check=True), Options(target="python")):  # fmt: skip
        for _, transform in pipeline.passes(options, (FLOAT,)):
            found += module_of(inspect.unwrap(transform))
    return list(dict.fromkeys(name for name in [*found, "blocks"] if name in MODULES and not wholes(name)))


def rows(modules: Iterable[str], depth: int = 0) -> Iterator[str]:
    for module in modules:
        alone = "\\*" if re.search("for machine code", described(module), re.I) else ""
        link = f"[`{module}`]({SOURCE}/{module}.py)"
        yield f"{'  ' * depth}* {link}{alone}: {sentence(module)}"
        yield from rows((part for part in MODULES if wholes(part)[:1] == [module]), depth + 1)


def test_every_module_is_a_pass_or_part_of_one():
    lost = [module for module in MODULES if not wholes(module) and module not in order()]
    assert not lost, "their docstrings' first paragraphs say of no module that they are ``part of `it```"
    assert {whole for module in MODULES for whole in wholes(module)} <= set(MODULES)


def test_page(request):
    shown = list(rows(order()))
    assert len(shown) == len(MODULES)
    check_table("passes.md", "passes", "\n".join(shown), request.config.getoption("--update"))
