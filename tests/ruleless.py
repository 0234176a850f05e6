"""Functions that have no rule, as examples of such: where one is given its rule, another takes its place here.

`tests/linted.py` calls such functions by their own names, by which the caret is placed.
"""

from scipy.special import elliprc as one, itairy as several

__all__ = ["one", "several"]
