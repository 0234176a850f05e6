"""What users are warned of when a derivative is made, or found in the cache, and made use of for the first time."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

from srcad.lang.errors import BisectionWarning

Warned = tuple[str, int, str]  # a file, a line and a text


def warn(found: Iterable[Iterable], said: set[Warned]) -> None:
    """Warn of what has not been `said`, as if the lines of the function had.

    >>> with warnings.catch_warnings(record=True) as shown:
    ...     warnings.simplefilter("always")
    ...     warn([("model.py", 12, "a root")], said := set())
    ...     warn([("model.py", 12, "a root")], said)
    >>> [(each.filename, each.lineno, str(each.message)) for each in shown]
    [('model.py', 12, 'a root')]
    """
    for filename, line, text in found:
        if (filename, line, text) not in said:
            said.add((filename, line, text))
            warnings.warn_explicit(text, BisectionWarning, filename, line)
