"""What derivatives call, for derivatives of derivatives."""

from srcad.rules.rule import rule
from srcad.runtime import sum_to


@rule(sum_to)
def _(y, value, like):
    y.dot = sum_to(value.dot, like)
    value.bar += y.bar
