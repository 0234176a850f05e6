"""What is said about programs that are refused, and about wrong use: all of it stands in a golden to be read."""

import inspect
import re
from pathlib import Path

import pytest

import srcad
from srcad.linting import shown
from tests import messages, messages_of_gradients, messages_of_numpy, messages_of_structures, messages_of_use
from tests.unsaid import unsaid

GOLDEN = Path(__file__).parent / "golden" / "messages.txt"
PROGRAMS = [
    fn for module in (messages, messages_of_numpy, messages_of_structures, messages_of_gradients)
    for name, fn in vars(module).items()
    if inspect.isfunction(fn) and fn.__module__ == module.__name__ and not name.startswith("_")
    and set(inspect.signature(fn).parameters) <= set(messages.VALUES) and name not in messages.HELPERS
]  # fmt: skip
USES = {**messages.USES, **messages_of_use.USES}
HINT = "run pytest tests/test_messages.py --update and read the changes"
INTERNAL = re.compile(
    r"\w~|~\w|\b_t\b|0x[0-9a-f]{6}|\bWeak\b|weak=|Static\(|Scalar\(|Array\(|TupleType|operator\.|NoneType|Function\("
)


def arguments(fn) -> dict:
    return {name: messages.VALUES[name] for name in inspect.signature(fn).parameters}


def said(found) -> str:
    """The problems of a program, without the path of the file."""
    return "\n".join(shown(problem).split(":", 3)[3].strip() for problem in found)


def error(use) -> str:
    try:
        use()
    except (srcad.SrcadError, TypeError, ValueError) as caught:
        text = caught.msg if isinstance(caught, SyntaxError) else str(caught)
        text = re.sub(r" at 0x[0-9a-f]+| of /\S+|(?<= in line) \d+", "", text)
        text = text.replace(str(messages_of_use.FOLDER), "").replace("\n\n", "\n")
        return f"{type(caught).__name__}: {text}"
    return "no error"


def sections() -> dict[str, str]:
    """What the golden holds, by the names of programs and uses."""
    found = {}
    for section in GOLDEN.read_text(encoding="utf-8").strip().split("\n\n"):
        name, _, text = section.partition("\n")
        found[name] = text
    return found


@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_program(fn, request):
    """A program is refused, in its own words, with what to write instead, and at its own lines."""
    found = srcad.lint(fn, **arguments(fn))
    if not found:
        pytest.skip("it is differentiated now: take it out")
    with pytest.raises((srcad.UnsupportedError, srcad.NoGradientError)) as caught:
        srcad.grad(fn, target="python")(**arguments(fn))
    lines, first = inspect.getsourcelines(fn)
    for problem in found:
        assert problem.filename == inspect.getfile(fn) and first <= problem.line < first + len(lines)
        assert problem.remedy, problem
        assert not INTERNAL.search(f"{problem.reason} {problem.remedy}"), problem
    assert getattr(caught.value, "problems", [getattr(caught.value, "problem", None)])[0] in list(found)
    if not request.config.getoption("--update"):
        assert said(found) == sections()[fn.__name__], HINT


@pytest.mark.parametrize("name", USES)
def test_wrong_use(name, request):
    message = error(USES[name])
    assert message != "no error"
    if not request.config.getoption("--update"):
        assert message == sections()[name], HINT


def test_golden(request):
    """The golden is updated, or nothing stands in it that is gone: what is there, each test above compares."""
    if request.config.getoption("--update"):
        found = {fn.__name__: srcad.lint(fn, **arguments(fn)) for fn in PROGRAMS}
        parts = [f"{name}\n{said(problems)}\n" for name, problems in found.items() if problems]
        parts += [f"{name}\n{error(use)}\n" for name, use in USES.items()]
        GOLDEN.write_text("\n".join(parts), encoding="utf-8")
    assert set(sections()) <= {fn.__name__ for fn in PROGRAMS} | set(USES), HINT


def test_every_refusal_is_shown():
    """Each message of the package stands in a test: ``python -m tests.unsaid`` lists those that do not."""
    assert not unsaid()
