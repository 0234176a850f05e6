"""The tables of what is supported are true: each row is a program, and `docs/language.md` is made from them."""

import copy
import dataclasses
import inspect
import re
from pathlib import Path

import numpy as np
import pytest

import srcad
from tests import language
from tests.reference import difference, richardson

PAGE = Path(__file__).parents[1] / "docs" / "language.md"
TABLE = re.compile(r"(<!-- table: (.*?) -->\n)(.*?)(<!-- end -->\n)", re.S)


def rows(table):
    return [pytest.param(fn, id=fn.__name__) for fns in table.values() for fn in fns]


def arguments(fn) -> dict:
    return copy.deepcopy({name: language.VALUES[name] for name in inspect.signature(fn).parameters})


def leaves(value) -> list:
    """The numbers and arrays in a structure."""
    if dataclasses.is_dataclass(value):
        return leaves(list(vars(value).values()))
    if isinstance(value, (dict, list, tuple)):
        return [leaf for item in (value.values() if isinstance(value, dict) else value) for leaf in leaves(item)]
    return [value]


def rebuilt(value, parts):
    """A structure with other numbers and arrays, taken from an iterator."""
    if dataclasses.is_dataclass(value):
        return type(value)(*rebuilt(list(vars(value).values()), parts))
    if isinstance(value, dict):
        return {key: rebuilt(item, parts) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        items = [rebuilt(item, parts) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return next(parts)


def has_derivative(value) -> bool:
    return all(isinstance(v, float) or (isinstance(v, np.ndarray) and v.dtype.kind == "f") for v in leaves(value))


@pytest.mark.parametrize("fn", rows(language.SUPPORTED))
def test_supported(fn):
    args = arguments(fn)
    wrt = [name for name, value in args.items() if has_derivative(value)]
    gradients = srcad.grad(fn, wrt=tuple(wrt), target="python")(**arguments(fn))
    for name, gradient in zip(wrt, gradients):
        parts = leaves(args[name])
        for k, part in enumerate(leaves(gradient)):
            expected, _ = richardson(lambda *p, n=name: fn(**{**args, n: rebuilt(args[n], iter(p))}), parts, k)
            assert difference(part, expected) < 1e-7, name


def refusal(fn) -> srcad.UnsupportedError:
    with pytest.raises(srcad.UnsupportedError) as caught:
        srcad.grad(fn, target="python")(**arguments(fn))
    return caught.value


@pytest.mark.parametrize("fn", rows(language.REFUSED))
def test_refused(fn):
    error = refusal(fn)
    first = inspect.getsourcelines(fn)[1]
    lines = [first + k for k, line in enumerate(inspect.getsourcelines(fn)[0]) if "# <-" in line]
    assert error.lineno in lines and len(error.problems) == 1, error
    assert error.problems[0].remedy


@pytest.mark.parametrize("fn, at, derivative", language.POINTS, ids=lambda value: getattr(value, "__name__", ""))
def test_points_where_derivatives_do_not_exist(fn, at, derivative):
    for target in ("python", "cpu"):
        np.testing.assert_array_equal(srcad.grad(fn, target=target)(at), derivative)


# ---------------------------------------------------------------- the page


def code(fn) -> str:
    """The marked lines of a program, as code in a table."""
    lines = [line.split("# <-")[0].strip() for line in inspect.getsource(fn).splitlines() if "# <-" in line]
    return "<br>".join(f"`{line}`".replace("|", r"\|") for line in lines)


def sentence(problem) -> tuple[str, str]:
    reason, remedy = problem.reason, problem.remedy.splitlines()[0]
    return reason.replace("|", r"\|"), remedy.replace("|", r"\|")


def spelled(value) -> str:
    return f"[{', '.join(map(str, value))}]" if isinstance(value, np.ndarray) else f"{value:g}"


def table(section: str) -> str:
    """A section of the page."""
    if section == "points":
        lines = ["| | at | the derivative is |", "|---|---|---|"]
        lines += [f"| {fn.__doc__} | {spelled(at)} | {spelled(derivative)} |" for fn, at, derivative in language.POINTS]
        return "\n".join(lines) + "\n"
    lines = ["| supported | as in |", "|---|---|"]
    lines += [f"| {fn.__doc__} | {code(fn)} |" for fn in language.SUPPORTED[section]]
    if section in language.REFUSED:
        lines += ["", "| refused | as in | the message | write instead |", "|---|---|---|---|"]
        for fn in language.REFUSED[section]:
            reason, remedy = sentence(refusal(fn).problems[0])
            lines.append(f"| {fn.__doc__} | {code(fn)} | {reason} | {remedy} |")
    return "\n".join(lines) + "\n"


def test_page(request):
    text = PAGE.read_text(encoding="utf-8")
    made = TABLE.sub(lambda found: f"{found[1]}\n{table(found[2])}\n{found[4]}", text)
    if request.config.getoption("--update"):
        PAGE.write_text(made, encoding="utf-8")
    else:
        assert made == text, "run pytest tests/test_language.py --update"


def test_every_section_is_on_the_page():
    shown = {found[2] for found in TABLE.finditer(PAGE.read_text(encoding="utf-8"))}
    assert shown == {*language.SUPPORTED, "points"} and {*language.REFUSED} <= {*language.SUPPORTED}
